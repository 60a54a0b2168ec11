#include "expr_fixture.h"

#include <stdlib.h>

#include "infer.h"
#include "planner.h"
#include "zone.h"

/* Every index of a program must lie in its table: engines do not check. */
static void program_check(const struct rf_compiled *compiled)
{
    const struct rf_program *program = &compiled->program;
    assert_true(program->nodes >= 1);
    for (uint32_t n = 0; n < program->nodes; n++) {
        const struct rf_trie_node *node = &program->node[n];
        assert_true(n == 0 || (node->parent < n && node->slot < program->slots));
        assert_true(n == 0 || node->depth == program->node[node->parent].depth + 1);
        assert_true(node->depth <= program->depth_max);
        assert_true(node->slot == RF_NONE || program->slot[node->slot].node == n);
    }
    for (uint32_t i = 0; i < program->code_count; i++) {
        const struct rf_bool *code = &program->code[i];
        if (code->op == RF_BOOL_ATOM) {
            assert_true(code->a < program->atoms);
        } else if (code->op >= RF_BOOL_NOT) {
            assert_true(code->a < i);
            assert_true(code->op == RF_BOOL_NOT || code->b < i);
            assert_true(code->op != RF_BOOL_SELECT || code->c < i);
        }
    }
    for (uint32_t a = 0; a < program->atoms; a++) {
        const struct rf_atom *atom = &program->atom[a];
        const bool has_slot = atom->kind != RF_ATOM_ARITH && atom->kind != RF_ATOM_HOST;
        const bool is_computed = has_slot && (!rf_term_is_slot(atom->slot) ||
                                              (atom->kind == RF_ATOM_CMP_SLOT && !rf_term_is_slot(atom->other_slot)));
        const bool has_host = !(has_slot && atom->kind != RF_ATOM_SIZE) || is_computed ||
                              (atom->kind == RF_ATOM_CMP_SLOT && atom->compare == RF_EQ);
        assert_int_equal(has_slot, atom->slot != RF_NONE);
        assert_true(is_computed || !has_slot || (atom->slot < program->slots && !program->slot[atom->slot].is_hidden));
        assert_int_equal(has_host, atom->host != RF_NONE);
        assert_true(!has_host || atom->host < compiled->hosts);
    }
    for (uint32_t p = 0; p < program->predicates; p++) {
        assert_true(program->output[p] < program->code_count);
    }
}

/* The only atom of a predicate that is one leaf, possibly under a NOT. */
static const struct rf_atom *only_atom(struct rf_compiled *compiled, const char *predicate)
{
    fixture_compile(compiled, predicate);
    program_check(compiled);
    if (compiled->program.atoms != 1) {
        fail_msg("%s: %u atoms", predicate, compiled->program.atoms);
    }
    return &compiled->program.atom[0];
}

static void atom_is(const char *predicate, enum rf_atom_kind kind, enum rf_compare compare)
{
    struct rf_compiled compiled;
    const struct rf_atom *atom = only_atom(&compiled, predicate);
    if (atom->kind != kind || atom->compare != compare) {
        fail_msg("%s: kind %d compare %d", predicate, (int)atom->kind, (int)atom->compare);
    }
    rf_compiled_close(&compiled);
}

static void test_atom_kinds(void **state)
{
    (void)state;
    atom_is("ok", RF_ATOM_TRUTH, RF_EQ);
    atom_is("has(a.b)", RF_ATOM_HAS, RF_EQ);
    atom_is("a == null", RF_ATOM_EQ_NULL, RF_EQ);
    atom_is("null == a", RF_ATOM_EQ_NULL, RF_EQ);
    atom_is("a == true", RF_ATOM_CMP_BOOL, RF_EQ);
    atom_is("a < true", RF_ATOM_CMP_BOOL, RF_LT);
    atom_is("price > 5", RF_ATOM_CMP_NUM, RF_GT);
    atom_is("5 < price", RF_ATOM_CMP_NUM, RF_GT);
    atom_is("5u >= price", RF_ATOM_CMP_NUM, RF_LE);
    atom_is("2.5 == price", RF_ATOM_CMP_NUM, RF_EQ);
    atom_is("price == 0.0 / 0.0", RF_ATOM_CMP_NUM, RF_EQ);
    atom_is("record.number > 5", RF_ATOM_CMP_NUM, RF_GT);
    atom_is("s >= 'm'", RF_ATOM_CMP_STR, RF_GE);
    atom_is("raw == 'x'", RF_ATOM_CMP_STR, RF_EQ);
    atom_is("record.file == 'x'", RF_ATOM_CMP_STR, RF_EQ);
    atom_is("bid > ask", RF_ATOM_CMP_SLOT, RF_LT);
    atom_is("bid == ask", RF_ATOM_CMP_SLOT, RF_EQ);
    atom_is("x in [1, 'a', null]", RF_ATOM_IN, RF_EQ);
    atom_is("x in []", RF_ATOM_IN, RF_EQ);
    atom_is("s.startsWith('a')", RF_ATOM_STARTS, RF_EQ);
    atom_is("s.endsWith('a')", RF_ATOM_ENDS, RF_EQ);
    atom_is("raw.contains('a')", RF_ATOM_CONTAINS, RF_EQ);
    atom_is("size(s) > 3", RF_ATOM_SIZE, RF_GT);
    atom_is("3 > s.size()", RF_ATOM_SIZE, RF_LT);
    atom_is("price * qty > 100", RF_ATOM_ARITH, RF_GT);
    atom_is("price * qty / 100 + 1 == -x", RF_ATOM_ARITH, RF_EQ);
    atom_is("n % 2 == 0", RF_ATOM_ARITH, RF_EQ);
}

static void host_because(const char *predicate, const char *reason)
{
    struct rf_compiled compiled;
    const struct rf_atom *atom = only_atom(&compiled, predicate);
    assert_int_equal(atom->kind, RF_ATOM_HOST);
    assert_true(compiled.program.has_host);
    assert_string_equal(compiled.host_reason[atom->host], reason);
    rf_compiled_close(&compiled);
}

static void test_host_atoms(void **state)
{
    (void)state;
    host_because("s.matches(t)", "the pattern is no constant");
    host_because("google.protobuf.Any{type_url: s, value: b'x'} == t", "a function without a vector form");
    host_because("a[b].contains(string(ip('10.0.0.1')) + (s.matches(t) ? s : t))", "the pattern is no constant");
    host_because("xs.all(a, xs.all(b, xs.all(c, xs.all(d, a < b && c < d))))",
                 "macros stand too deep within each other");
}

/* Leaves over computed columns: the interpreter is asked about odd cells only. */
static void computed_is(const char *predicate, enum rf_atom_kind kind, uint32_t calcs)
{
    struct rf_compiled compiled;
    const struct rf_atom *atom = only_atom(&compiled, predicate);
    if (atom->kind != kind || compiled.program.calcs != calcs) {
        fail_msg("%s: kind %d, %u computations", predicate, (int)atom->kind, compiled.program.calcs);
    }
    assert_int_not_equal(atom->host, RF_NONE);
    rf_compiled_close(&compiled);
}

static void test_computed_atoms(void **state)
{
    (void)state;
    computed_is("a + b == 'xy'", RF_ATOM_CMP_STR, 1);
    computed_is("record.number + 1 > 5", RF_ATOM_CMP_NUM, 1);
    computed_is("record.number + qty > 5", RF_ATOM_CMP_NUM, 1);
    computed_is("1 / 0 + qty > 5", RF_ATOM_CMP_NUM, 2);
    computed_is("price * 2 > 9007199254740993", RF_ATOM_CMP_NUM, 1);
    computed_is("s.contains(t)", RF_ATOM_TRUTH, 1);
    computed_is("(s + 'x').contains('t')", RF_ATOM_CONTAINS, 1);
    computed_is("(a ? b : c) == 1", RF_ATOM_CMP_NUM, 1);
    computed_is("(a > 1) == (b > 1)", RF_ATOM_CMP_SLOT, 2);
    computed_is("s.lowerAscii() == 'x'", RF_ATOM_CMP_STR, 1);
    computed_is("s.lowerAscii() in ['x', 'y']", RF_ATOM_IN, 1);
    computed_is("timestamp(ts) > timestamp('2024-01-01T00:00:00Z')", RF_ATOM_CMP_SLOT, 1);
    computed_is("timestamp(ts).getHours('Europe/Paris') < 9", RF_ATOM_CMP_NUM, 2);
    computed_is("s.matches('a+')", RF_ATOM_TRUTH, 1);
    computed_is("msg.?a.orValue(1) == 1", RF_ATOM_CMP_NUM, 2);
    computed_is("msg.?a.b.orValue(1) == 1", RF_ATOM_CMP_NUM, 3);
    computed_is("a == [1]", RF_ATOM_CMP_SLOT, 0);
    computed_is("a[b] == 1", RF_ATOM_CMP_NUM, 1);
    computed_is("a[b]", RF_ATOM_TRUTH, 1);
    computed_is("x in tags", RF_ATOM_TRUTH, 1);
    computed_is("x in [[1]]", RF_ATOM_TRUTH, 1);
    computed_is("x in [y]", RF_ATOM_TRUTH, 2);
    computed_is("{'a': x} == y", RF_ATOM_CMP_SLOT, 1);
    computed_is("xs.exists(x, x > 1)", RF_ATOM_TRUTH, 1);
    computed_is("xs.all(x, ys.exists(y, x.a == y.b && z > 1))", RF_ATOM_TRUTH, 1);
    computed_is("size(xs.filter(x, x.qty > 5)) > 2", RF_ATOM_CMP_NUM, 2);
    computed_is("s.split(',') == t", RF_ATOM_CMP_SLOT, 1);
    computed_is("cel.bind(x, s.lowerAscii(), x == 'a' || x == t)", RF_ATOM_TRUTH, 4);
    computed_is("'%s'.format([s]) == t", RF_ATOM_CMP_SLOT, 2);
    computed_is("ip(s) == ip(t)", RF_ATOM_CMP_SLOT, 2);
    computed_is("ip(s) == ip('10.0.0.1')", RF_ATOM_CMP_SLOT, 1);
    computed_is("ip(s) in [ip('10.0.0.1'), ip('::1')]", RF_ATOM_TRUTH, 2);
    computed_is("cidr('10.0.0.0/8').containsIP(s)", RF_ATOM_TRUTH, 1);
    computed_is("timestamp(ts) < now", RF_ATOM_CMP_SLOT, 1);
    computed_is("timestamp(ts) > now - duration('1h')", RF_ATOM_CMP_SLOT, 2);
    computed_is("xs.transformMapEntry(i, v, {v: i}) == y", RF_ATOM_CMP_SLOT, 1);
    computed_is("google.protobuf.Int32Value{value: x} == 5", RF_ATOM_CMP_NUM, 1);
    computed_is("optional.none().or(msg.?a) == optional.of(5)", RF_ATOM_CMP_SLOT, 2);
}

/* What is constant is found out when the program is made. */
static void test_constants_of_computations(void **state)
{
    (void)state;
    struct rf_compiled compiled;
    fixture_compile(&compiled, "timestamp(ts).getHours('+01:30') < 9 && timestamp(ts).getHours('Nowhere/Land') < 9 && "
                               "timestamp(ts).getHours() < 9 && timestamp(ts).getHours(zone) < 9 && "
                               "cidr('10.0.0.0/8').containsIP(s) && cidr('10.0.0.0/9').containsIP(s) && "
                               "ip(s) == ip(cidr('10.0.0.0/8'))");
    const struct rf_program *program = &compiled.program;
    uint32_t zones = 0;
    uint32_t hours = 0;
    for (uint32_t c = 0; c < program->calcs; c++) {
        hours += program->calc[c].function == RF_FN_HOURS ? 1 : 0;
        if (program->calc[c].zone != NULL) {
            zones++;
            assert_int_equal(rf_zone_offset(program->calc[c].zone, 0), 5400);
        }
    }
    assert_int_equal(hours, 4);
    assert_int_equal(zones, 1);
    uint32_t networks = 0;
    uint32_t addresses = 0;
    for (uint32_t k = 0; k < program->constants; k++) {
        const struct rf_constant *constant = &program->constant[k];
        networks += constant->kind == RF_CONSTANT_CIDR && constant->net->ip.byte[0] == 10 ? 1 : 0;
        addresses += constant->kind == RF_CONSTANT_IP && constant->net->ip.byte[0] == 10 ? 1 : 0;
    }
    assert_int_equal(networks, 2);
    assert_int_equal(addresses, 1);
    rf_compiled_close(&compiled);
}

/* The program as text: one instruction after another. */
static const char *code_text(const struct rf_program *program)
{
    static char text[2048];
    static const char *const names[] = {"true", "false", "error", "atom", "not", "and", "or", "select"};
    static const int operands[] = {0, 0, 0, 1, 1, 2, 2, 3};
    size_t at = 0;
    text[0] = '\0';
    for (uint32_t i = 0; i < program->code_count; i++) {
        const struct rf_bool *code = &program->code[i];
        const uint32_t operand[3] = {code->a, code->b, code->c};
        at += (size_t)snprintf(text + at, sizeof text - at, "%s%s", i == 0 ? "" : "; ", names[code->op]);
        for (int k = 0; k < operands[code->op]; k++) {
            at += (size_t)snprintf(text + at, sizeof text - at, " %u", operand[k]);
        }
        assert_true(at < sizeof text);
    }
    return text;
}

static void code_is(const char *predicate, const char *text)
{
    struct rf_compiled compiled;
    fixture_compile(&compiled, predicate);
    program_check(&compiled);
    if (strcmp(code_text(&compiled.program), text) != 0) {
        fail_msg("%s\n  gives  %s\n  wanted %s", predicate, code_text(&compiled.program), text);
    }
    rf_compiled_close(&compiled);
}

static void test_rf_planner_predicate(void **state)
{
    (void)state;
    code_is("a > 1 && b > 2", "atom 0; atom 1; and 0 1");
    code_is("a > 1 || !b", "atom 0; atom 1; not 1; or 0 2");
    code_is("a != 1", "atom 0; not 0");
    code_is("!(a != 1)", "atom 0");
    code_is("!!a", "atom 0");
    code_is("a != 1 && a == 1.0", "atom 0; not 0; and 0 1");
    code_is("a > 1 && 1u < a", "atom 0");
    code_is("a > 1 ? b : c", "atom 0; atom 1; atom 2; select 0 1 2");
    code_is("a ? 5 : b", "atom 0; error; atom 1; select 0 1 2");
    code_is("(a > 1) == true", "atom 0");
    code_is("false == (a > 1)", "atom 0; not 0");
    code_is("(a > 1) != true", "atom 0; not 0");
    code_is("true", "true");
    code_is("1 > 2", "false");
    code_is("5 && a", "error; atom 0; and 0 1");
    code_is("a && true", "atom 0");
    code_is("record.key == 'x'", "error");
    code_is("record.key == 'x' || a", "error; atom 0; or 0 1");
    code_is("size(record.key) > 1", "error");
    code_is("record.key", "error");
    code_is("(a || b) && (b || a)", "atom 0; atom 1; or 0 1");
    code_is("a.b == c && c == a.b", "atom 0");
    code_is("a < b && b > a", "atom 0");
    code_is("x in [1, 2, 2.0] && x in [2u, 1]", "atom 0");
    code_is("x in [1] && x in ['1']", "atom 0; atom 1; and 0 1");
    code_is("x == 1 && x == '1' && x == true", "atom 0; atom 1; and 0 1; atom 2; and 2 3");
    code_is("a[b] == 1 && a[b] == 1", "atom 0");
    code_is("9007199254740993 == id && 9007199254740992.0 == id", "atom 0; atom 1; and 0 1");
    code_is("18446744073709551615u == id && 18446744073709551616.0 == id", "atom 0; atom 1; and 0 1");
}

static void test_shared_by_predicates(void **state)
{
    static const char *const predicates[] = {"a > 1 && b == 'x'", "b == 'x' && a > 1.0", "!(a > 1)", "a > 1"};
    struct rf_compiled compiled;
    (void)state;
    fixture_compile_all(&compiled, predicates, 4, (struct rf_compile_options){0});
    program_check(&compiled);
    const struct rf_program *program = &compiled.program;
    assert_int_equal(program->predicates, 4);
    assert_int_equal(program->atoms, 2);
    assert_int_equal(program->slots, 2);
    assert_string_equal(code_text(program), "atom 0; atom 1; and 0 1; not 0");
    assert_int_equal(program->output[0], 2);
    assert_int_equal(program->output[1], 2);
    assert_int_equal(program->output[2], 3);
    assert_int_equal(program->output[3], 0);
    assert_int_equal(program->groups, 0);
    assert_false(program->has_host);
    rf_compiled_close(&compiled);
}

static const struct rf_slot *slot_named(const struct rf_program *program, const char *text)
{
    for (uint32_t s = 0; s < program->slots; s++) {
        if (rf_str_equal(program->slot[s].text, rf_str_of(text))) {
            return &program->slot[s];
        }
    }
    fail_msg("no slot %s", text);
    return NULL;
}

static void test_rf_slots_use(void **state)
{
    struct rf_compiled compiled;
    (void)state;
    fixture_compile(&compiled, "a.b.c > 1 && a['b'].d > 1 && a[2]['x y'] == 1 && raw.contains('x') && "
                               "record.number > 1 && record.offset > 1 && record.file == 'f' && e == 1 && e.f == 1 && "
                               "now > timestamp(e) && timestamp(e) < now");
    program_check(&compiled);
    const struct rf_program *program = &compiled.program;
    assert_int_equal(program->nodes, 9);
    assert_int_equal(program->slots, 13);
    assert_int_equal(program->depth_max, 3);
    assert_true(program->needs_message && program->needs_number);
    assert_true(slot_named(program, "msg.a")->is_hidden);
    assert_true(slot_named(program, "msg.a.b")->is_hidden);
    assert_true(slot_named(program, "msg.a[2]")->is_hidden);
    assert_false(slot_named(program, "msg.a.b.c")->is_hidden);
    assert_false(slot_named(program, "msg.e")->is_hidden);
    const struct rf_slot *slot = slot_named(program, "msg.a[2][\"x y\"]");
    assert_true(program->node[program->node[slot->node].parent].step.is_index);
    assert_int_equal(program->node[program->node[slot->node].parent].step.index, 2);
    assert_int_equal(slot_named(program, "raw")->root, RF_ROOT_RAW);
    assert_int_equal(slot_named(program, "record.number")->root, RF_ROOT_RECORD_NUMBER);
    assert_int_equal(slot_named(program, "record.offset")->root, RF_ROOT_RECORD_OFFSET);
    assert_int_equal(slot_named(program, "record.file")->root, RF_ROOT_RECORD_FILE);
    assert_int_equal(slot_named(program, "now")->root, RF_ROOT_NOW);
    rf_compiled_close(&compiled);
}

static void deep_is(const char *predicate, const char *slot, bool is_deep)
{
    struct rf_compiled compiled;
    fixture_compile(&compiled, predicate);
    program_check(&compiled);
    if (slot_named(&compiled.program, slot)->is_deep != is_deep) {
        fail_msg("%s: %s", predicate, slot);
    }
    rf_compiled_close(&compiled);
}

static void test_deep_slots(void **state)
{
    (void)state;
    deep_is("a > 1", "msg.a", false);
    deep_is("a == 1 && a in [1, 2] && has(a) && a", "msg.a", false);
    deep_is("a == [1]", "msg.a", true);
    deep_is("a == b", "msg.a", true);
    deep_is("a < b", "msg.b", false);
    deep_is("'x' in a", "msg.a", true);
    deep_is("size(a) > 1", "msg.a", true);
    deep_is("a[b] > 1", "msg.a", true);
    deep_is("a[b] > 1", "msg.b", true);
    deep_is("msg[raw] > 1", "msg", true);
    deep_is("a + b > 1", "msg.a", true);
    deep_is("a * b > 1", "msg.a", false);
    deep_is("a * b > c", "msg.c", false);
    deep_is("a + b == c", "msg.c", true);
    deep_is("a.b > 1 && a == [1]", "msg.a.b", false);
    deep_is("(x ? a : b) == 1", "msg.a", true);
    deep_is("(x ? a : b) == 1", "msg.x", false);
}

/* A path is no step further when its index is no element's number. */
static void test_odd_indexes(void **state)
{
    struct rf_compiled compiled;
    (void)state;
    atom_is("a[1] == 1", RF_ATOM_CMP_NUM, RF_EQ);
    atom_is("a[1.0] == 1", RF_ATOM_CMP_NUM, RF_EQ);
    atom_is("a[4294967294] == 1", RF_ATOM_CMP_NUM, RF_EQ);
    computed_is("a[4294967295] == 1", RF_ATOM_CMP_NUM, 1);
    computed_is("a[-1] == 1", RF_ATOM_CMP_NUM, 1);
    computed_is("a[1.5] == 1", RF_ATOM_CMP_NUM, 1);
    computed_is("a[true] == 1", RF_ATOM_CMP_NUM, 1);
    const struct rf_atom *atom = only_atom(&compiled, "a[1] == 1 && a[1u] == 1 && a[1.0] == 1");
    assert_int_equal(atom->kind, RF_ATOM_CMP_NUM);
    rf_compiled_close(&compiled);
}

static void test_rf_arith_plan(void **state)
{
    static const enum rf_arith_op wanted[] = {RF_ARITH_SLOT, RF_ARITH_SLOT, RF_ARITH_MUL, RF_ARITH_CONST,
                                              RF_ARITH_DIV,  RF_ARITH_SLOT, RF_ARITH_NEG};
    struct rf_compiled compiled;
    (void)state;
    const struct rf_atom *atom = only_atom(&compiled, "price * qty / 100 > -limit");
    assert_int_equal(atom->code_count, 7);
    for (uint32_t i = 0; i < 7; i++) {
        assert_int_equal(atom->code[i].op, wanted[i]);
    }
    assert_true(atom->code[3].constant >= 100 && atom->code[3].constant <= 100);
    assert_ptr_equal(compiled.host[atom->host], compiled.predicate[0]);
    rf_compiled_close(&compiled);

    /* a + (a + (a + ...)): the stack holds one value for each a. */
    for (uint32_t count = RF_ARITH_STACK_MAX - 1; count <= RF_ARITH_STACK_MAX + 1; count++) {
        char text[256] = "1 < ";
        for (uint32_t i = 1; i + 1 < count; i++) {
            strcat(text, "a * (");
        }
        strcat(text, "a");
        for (uint32_t i = 1; i + 1 < count; i++) {
            strcat(text, ")");
        }
        const struct rf_atom *nested = only_atom(&compiled, text);
        assert_int_equal(nested->kind, count <= RF_ARITH_STACK_MAX ? RF_ATOM_ARITH : RF_ATOM_CMP_NUM);
        rf_compiled_close(&compiled);
    }
}

static void test_slots_bound(void **state)
{
    (void)state;
    for (uint32_t count = RF_SLOTS_MAX - 1; count <= RF_SLOTS_MAX + 1; count++) {
        struct rf_text source = {0};
        struct rf_error err = {0};
        struct rf_diagnostic diagnostic;
        struct rf_compiled compiled;
        uint32_t failed;
        for (uint32_t i = 0; i < count; i++) {
            fixture_ok(rf_text_printf(&source, &err, "%sx%u", i == 0 ? "" : "||", i), &err);
        }
        const struct rf_str text = rf_text_str(&source);
        const enum rf_status status =
            rf_compile(&text, 1, NULL, 0, (struct rf_compile_options){0}, &compiled, &diagnostic, &failed, &err);
        assert_int_equal(status, count <= RF_SLOTS_MAX ? RF_OK : RF_E_LIMIT);
        if (status == RF_OK) {
            assert_int_equal(compiled.program.slots, count);
            rf_compiled_close(&compiled);
        }
        rf_text_free(&source);
    }
}

static enum rf_status compile_status(const struct rf_str *sources, uint32_t count, struct rf_compiled *compiled)
{
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    uint32_t failed;
    return rf_compile(sources, count, NULL, 0, (struct rf_compile_options){0}, compiled, &diagnostic, &failed, &err);
}

/* A planner that says it has so many atoms and instructions already: to make them takes gigabytes and minutes. */
struct filled {
    struct rf_arena arena;
    struct rf_planner planner;
    struct rf_error err;
};

static void filled_open(struct filled *f, uint32_t atoms, uint32_t code)
{
    *f = (struct filled){0};
    rf_arena_init(&f->arena, (size_t)2 << 30);
    fixture_ok(rf_planner_open(&f->planner, &f->arena, 16, false, &f->err), &f->err);
    f->planner.atoms.atom = RF_PUSH(&f->arena, struct rf_atom, atoms + 4);
    f->planner.atoms.atoms = atoms;
    f->planner.atoms.atoms_capacity = atoms + 4;
    f->planner.code = RF_PUSH(&f->arena, struct rf_bool, code + 4);
    f->planner.code_count = code;
    f->planner.code_capacity = code + 4;
    assert_non_null(f->planner.atoms.atom);
    assert_non_null(f->planner.code);
}

static enum rf_status filled_add(struct filled *f, const char *source)
{
    struct rf_diagnostic diagnostic;
    struct rf_node *tree = NULL;
    uint32_t locals;
    fixture_ok(rf_parse(rf_str_of(source), &f->arena, &tree, &diagnostic, &f->err), &f->err);
    fixture_ok(rf_resolve(&tree, rf_str_of(source), &rf_env_filter, NULL, &f->arena, &locals, &diagnostic, &f->err), &f->err);
    fixture_ok(rf_infer(tree, rf_str_of(source), (struct rf_infer_options){.is_predicate = true}, &diagnostic, &f->err), &f->err);
    return rf_planner_predicate(&f->planner, tree, &f->err);
}

static void filled_close(struct filled *f)
{
    rf_planner_close(&f->planner);
    rf_arena_free(&f->arena);
}

static void test_atoms_bound(void **state)
{
    struct filled f;
    (void)state;
    filled_open(&f, RF_ATOMS_MAX - 2, 0);
    assert_int_equal(filled_add(&f, "a > 1"), RF_OK); /* n - 1 */
    assert_int_equal(filled_add(&f, "a > 2"), RF_OK); /* n */
    assert_int_equal(filled_add(&f, "a > 1"), RF_OK); /* is there already */
    assert_int_equal(filled_add(&f, "a > 3"), RF_E_LIMIT);
    assert_int_equal(f.planner.atoms.atoms, RF_ATOMS_MAX);
    filled_close(&f);
}

static void test_code_bound(void **state)
{
    struct filled f;
    (void)state;
    filled_open(&f, 0, RF_CODE_MAX - 4);
    assert_int_equal(filled_add(&f, "a > 1 && a > 2"), RF_OK); /* two comparisons and the &&: n - 1 */
    assert_int_equal(filled_add(&f, "a > 1 || a > 2"), RF_OK); /* n */
    assert_int_equal(filled_add(&f, "a > 2 && a > 1"), RF_OK); /* is there already */
    assert_int_equal(filled_add(&f, "!(a > 1)"), RF_E_LIMIT);
    assert_int_equal(f.planner.code_count, RF_CODE_MAX);
    filled_close(&f);
}

static void test_predicates_bound(void **state)
{
    struct rf_compiled compiled;
    struct rf_str *source = calloc(RF_PREDICATES_MAX + 1, sizeof source[0]);
    (void)state;
    assert_non_null(source);
    for (uint32_t i = 0; i <= RF_PREDICATES_MAX; i++) {
        source[i] = RF_STR("true");
    }
    assert_int_equal(compile_status(source, RF_PREDICATES_MAX, &compiled), RF_OK);
    assert_int_equal(compiled.program.code_count, 1);
    assert_int_equal(compiled.program.predicates, RF_PREDICATES_MAX);
    rf_compiled_close(&compiled);
    assert_int_equal(compile_status(source, RF_PREDICATES_MAX + 1, &compiled), RF_E_LIMIT);
    free(source);
}

/* The arena's bound is a share of the source, so nothing that the other bounds allow may meet it first. */
static void test_arena_suffices(void **state)
{
    static const char *const parts[] = {"a||",          "!!!!a||",       "a*2>1||", "[[]]==a||",
                                        "a in [1,2]||", "b.c.d.e==''||", "a!=1||"};
    (void)state;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        struct rf_text text = {0};
        struct rf_error err = {0};
        struct rf_compiled compiled;
        while (text.count + 32 < RF_EXPR_BYTES_MAX) {
            fixture_ok(rf_text_append(&text, rf_str_of(parts[i]), &err), &err);
        }
        fixture_ok(rf_text_append_char(&text, 'a', &err), &err);
        const struct rf_str source = rf_text_str(&text);
        assert_int_equal(compile_status(&source, 1, &compiled), RF_OK);
        rf_compiled_close(&compiled);
        rf_text_free(&text);
    }
}

static void test_rf_planner_projection(void **state)
{
    const struct rf_str predicate = RF_STR("a > 1");
    const struct rf_str projections[] = {RF_STR("{'id': id, 'n': price * qty}"), RF_STR("a"), RF_STR("has(b.c)")};
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_compiled compiled;
    uint32_t failed;
    (void)state;
    fixture_ok(rf_compile(&predicate, 1, projections, 3, (struct rf_compile_options){0}, &compiled, &diagnostic,
                          &failed, &err),
               &err);
    program_check(&compiled);
    assert_int_equal(compiled.projections, 3);
    assert_int_equal(compiled.program.predicates, 1);
    assert_int_equal(compiled.program.atoms, 1);
    assert_true(slot_named(&compiled.program, "msg.id")->is_deep);
    assert_true(slot_named(&compiled.program, "msg.a")->is_deep);
    assert_false(slot_named(&compiled.program, "msg.price")->is_deep);
    assert_false(slot_named(&compiled.program, "msg.b.c")->is_hidden);
    assert_int_equal(compiled.projection[1]->slot, compiled.predicate[0]->arg[0]->slot);
    rf_compiled_close(&compiled);
}

static void test_rf_compile_failed(void **state)
{
    const struct rf_str sources[] = {RF_STR("a > 1"), RF_STR("b >")};
    struct rf_diagnostic diagnostic;
    struct rf_error err = {0};
    struct rf_compiled compiled;
    uint32_t failed = 9;
    (void)state;
    assert_int_equal(
        rf_compile(sources, 2, NULL, 0, (struct rf_compile_options){0}, &compiled, &diagnostic, &failed, &err),
        RF_E_EXPR);
    assert_int_equal(failed, 1);
    assert_int_equal(
        rf_compile(sources, 1, sources + 1, 1, (struct rf_compile_options){0}, &compiled, &diagnostic, &failed, &err),
        RF_E_EXPR);
    assert_int_equal(failed, 1);
    assert_string_equal(diagnostic.text, "expected a value, found the end of the expression");
    /* A projection may be of any type. */
    const struct rf_str projection = RF_STR("1 + 1");
    fixture_ok(
        rf_compile(NULL, 0, &projection, 1, (struct rf_compile_options){0}, &compiled, &diagnostic, &failed, &err),
        &err);
    assert_int_equal(compiled.projection[0]->kind, RF_NODE_LITERAL);
    rf_compiled_close(&compiled);
}

static void test_text_format(void **state)
{
    struct rf_compiled compiled;
    const char *predicate = "raw.contains('ab') && size(raw) > 3";
    (void)state;
    fixture_compile_all(&compiled, &predicate, 1, (struct rf_compile_options){.is_text = true});
    program_check(&compiled);
    assert_false(compiled.program.needs_message);
    assert_false(compiled.program.needs_number);
    rf_compiled_close(&compiled);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_atom_kinds),
        cmocka_unit_test(test_host_atoms),
        cmocka_unit_test(test_computed_atoms),
        cmocka_unit_test(test_constants_of_computations),
        cmocka_unit_test(test_rf_planner_predicate),
        cmocka_unit_test(test_shared_by_predicates),
        cmocka_unit_test(test_rf_slots_use),
        cmocka_unit_test(test_deep_slots),
        cmocka_unit_test(test_odd_indexes),
        cmocka_unit_test(test_rf_arith_plan),
        cmocka_unit_test(test_slots_bound),
        cmocka_unit_test(test_atoms_bound),
        cmocka_unit_test(test_code_bound),
        cmocka_unit_test(test_predicates_bound),
        cmocka_unit_test(test_arena_suffices),
        cmocka_unit_test(test_rf_planner_projection),
        cmocka_unit_test(test_rf_compile_failed),
        cmocka_unit_test(test_text_format),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
