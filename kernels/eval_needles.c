#include "eval_needles.h"

#include "needles.h"
#include "regex_lanes.h"

enum {
    FEW_TEXTS = 8,      /* with so many left in a block, an automaton looks at them one by one */
    SEARCH_COST = 64,   /* of the literals, in small automata on vectors */
    SAMPLE_BLOCKS = 16, /* one of so many tells whether a search for them saves more */
    SORT_MIN = 4        /* automata for which texts of like length are put together */
};

/* What is searched for: all literals, or not those of small automata that run on vectors. */
enum needle_level { LEVEL_ALL, LEVEL_REST, LEVELS };

struct needle_regex {
    const struct rf_regex *regex;
    struct rf_regex_lanes *lanes; /* NULL: too large */
    uint32_t atom;
    bool has_literal[LEVELS]; /* the search leaves the texts that hold it */
};

/* The rows of a block for small automata. */
struct needle_lanes {
    uint32_t *active; /* [regexes] those that run over all rows */
    uint32_t actives;
    uint16_t order[RF_EVAL_BLOCK_ROWS]; /* rows, in groups */
    uint32_t rows;
    struct rf_str alone[RF_EVAL_BLOCK_ROWS]; /* texts that no vector holds, and their rows */
    uint16_t alone_row[RF_EVAL_BLOCK_ROWS];
    uint32_t alones;
    struct rf_text_lanes texts[RF_LANES_GROUPS];
};

struct rf_eval_needles {
    const uint32_t *atom; /* [atoms] */
    uint32_t atoms;
    struct rf_needles *literals[LEVELS]; /* NULL: none */
    uint32_t sparable;                   /* small automata that a search for literals may spare */
    uint32_t blocks;                     /* that were run */
    bool has_saved;                      /* in the last sample */
    struct rf_packed_texts *packed;      /* scratch, of literals */
    struct needle_regex *regex;
    uint32_t regexes;
    struct needle_lanes *lanes; /* scratch, of small automata; NULL: there are none */
};

const struct rf_calc *rf_eval_needles_regex(const struct rf_program *program, const struct rf_atom *atom)
{
    if (atom->kind != RF_ATOM_TRUTH || rf_term_is_slot(atom->slot) || (atom->slot & RF_TERM_COMPUTED) == 0) {
        return NULL;
    }
    const struct rf_calc *calc = &program->calc[atom->slot & RF_TERM_NUMBER];
    const bool is_constant = calc->function == RF_FN_MATCHES && calc->regex != NULL && rf_term_is_slot(calc->arg[0]);
    /* Rows of a declared variable may have to be asked for. */
    return is_constant && program->slot[calc->arg[0]].root != RF_ROOT_BINDING ? calc : NULL;
}

static bool atom_is_literal(const struct rf_program *program, const struct rf_atom *atom)
{
    return (atom->kind == RF_ATOM_CONTAINS || atom->kind == RF_ATOM_ENDS) && atom->host == RF_NONE &&
           rf_term_is_slot(atom->slot) && program->slot[atom->slot].root != RF_ROOT_BINDING &&
           atom->string.count >= RF_NEEDLE_BYTES_MIN && atom->string.count < RF_BATCH_BYTES_LIMIT;
}

uint32_t rf_eval_needles_cost(const struct rf_program *program, const struct rf_atom *atom)
{
    enum { ENDS_COST = 1, CONTAINS_COST = 4, REGEX_COST = 8 };
    if (rf_eval_needles_regex(program, atom) != NULL) {
        return REGEX_COST;
    }
    return !atom_is_literal(program, atom) ? 0 : atom->kind == RF_ATOM_ENDS ? ENDS_COST : CONTAINS_COST;
}

/* ---- Making ---- */

static enum rf_status regex_add(struct rf_eval_needles *needles, const struct rf_regex *regex, uint32_t atom,
                                struct rf_arena *arena, struct rf_error *err)
{
    struct rf_regex_lanes lanes;
    struct needle_regex *to = &needles->regex[needles->regexes++];
    *to = (struct needle_regex){.regex = regex, .atom = atom};
    if (rf_regex_lanes_make(&lanes, regex)) {
        to->lanes = rf_arena_push(arena, 1, sizeof lanes, 64);
        if (to->lanes == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "no memory for the tables of a regular expression");
        }
        *to->lanes = lanes;
    }
    return RF_OK;
}

/* The literals of all tests, of expressions those that they cannot match without. */
static uint32_t literals_list(struct rf_eval_needles *needles, const struct rf_program *program, const uint32_t *atom,
                              uint32_t count, enum needle_level level, struct rf_needle *needle)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const struct rf_atom *of = &program->atom[atom[i]];
        if (atom_is_literal(program, of)) {
            needle[found++] =
                (struct rf_needle){.text = of->string, .test = atom[i], .is_at_end = of->kind == RF_ATOM_ENDS};
        }
    }
    for (uint32_t i = 0; i < needles->regexes; i++) {
        struct needle_regex *regex = &needles->regex[i];
        struct rf_str text;
        if ((level == LEVEL_ALL || regex->lanes == NULL) && rf_regex_required_literal(regex->regex, &text) &&
            text.count >= RF_NEEDLE_BYTES_MIN) {
            needle[found++] = (struct rf_needle){.text = text, .test = regex->atom};
            regex->has_literal[level] = true;
        }
    }
    return found;
}

/* What is needed while the group is made; count of each. */
struct needle_draft {
    struct rf_needle *needle;
    bool *is_left;      /* of the needles, of which those of literal atoms come first and in the order of the atoms */
    bool *is_atom_left; /* of the literal atoms, by some level */
    uint32_t *left;
};

static enum rf_status level_make(struct rf_eval_needles *needles, const struct rf_program *program,
                                 const uint32_t *atom, uint32_t count, enum needle_level level,
                                 const struct needle_draft *draft, struct rf_arena *arena, struct rf_error *err)
{
    uint32_t n = 0;
    const uint32_t found = literals_list(needles, program, atom, count, level, draft->needle);
    if (found == 0) {
        return RF_OK;
    }
    RF_TRY(rf_needles_make(&needles->literals[level], draft->needle, found, draft->is_left, arena, err));
    for (uint32_t i = 0; i < count; i++) {
        if (atom_is_literal(program, &program->atom[atom[i]])) {
            draft->is_atom_left[n] = draft->is_atom_left[n] || draft->is_left[n];
            n++;
        }
    }
    for (uint32_t i = 0; i < needles->regexes; i++) {
        bool *has_literal = &needles->regex[i].has_literal[level];
        *has_literal = *has_literal && !draft->is_left[n++];
    }
    return RF_OK;
}

/* Puts the atoms that are left to themselves last. Gives how many are not. */
static uint32_t atoms_part(const struct rf_program *program, uint32_t *atom, uint32_t count,
                           const struct needle_draft *draft)
{
    uint32_t taken = 0;
    uint32_t left = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_literal = atom_is_literal(program, &program->atom[atom[i]]);
        if (is_literal && draft->is_atom_left[n++]) {
            draft->left[left++] = atom[i];
        } else {
            atom[taken++] = atom[i];
        }
    }
    if (left != 0) {
        memcpy(atom + taken, draft->left, left * sizeof *atom);
    }
    return taken;
}

static enum rf_status draft_open(struct needle_draft *draft, uint32_t count, struct rf_arena *scratch,
                                 struct rf_error *err)
{
    *draft = (struct needle_draft){.needle = RF_PUSH(scratch, struct rf_needle, count),
                                   .is_left = RF_PUSH(scratch, bool, count),
                                   .is_atom_left = RF_PUSH(scratch, bool, count),
                                   .left = RF_PUSH(scratch, uint32_t, count)};
    if (draft->needle == NULL || draft->is_left == NULL || draft->is_atom_left == NULL || draft->left == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to search %u texts at once", count);
    }
    return RF_OK;
}

static enum rf_status literals_make(struct rf_eval_needles *needles, const struct rf_program *program, uint32_t *atom,
                                    uint32_t count, uint32_t *taken, struct rf_arena *arena, struct rf_error *err)
{
    struct rf_arena scratch;
    struct needle_draft draft;
    rf_arena_init(&scratch, SIZE_MAX / 4);
    enum rf_status status = draft_open(&draft, count, &scratch, err);
    for (int level = 0; status == RF_OK && level < LEVELS; level++) {
        status = level_make(needles, program, atom, count, (enum needle_level)level, &draft, arena, err);
    }
    if (status == RF_OK) {
        *taken = atoms_part(program, atom, count, &draft);
    }
    rf_arena_free(&scratch);
    return status;
}

static enum rf_status lanes_open(struct rf_eval_needles *needles, struct rf_arena *arena, struct rf_error *err)
{
    bool has_small = false;
    for (uint32_t i = 0; i < needles->regexes; i++) {
        has_small = has_small || needles->regex[i].lanes != NULL;
    }
    if (!has_small) {
        return RF_OK;
    }
    needles->lanes = rf_arena_push(arena, 1, sizeof *needles->lanes, 64);
    uint32_t *active = RF_PUSH(arena, uint32_t, needles->regexes);
    if (needles->lanes == NULL || active == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory for turned texts");
    }
    needles->lanes->active = active;
    return RF_OK;
}

enum rf_status rf_eval_needles_make(struct rf_eval_needles **out, const struct rf_program *program, uint32_t *atom,
                                    uint32_t count, uint32_t *taken, struct rf_arena *arena, struct rf_error *err)
{
    struct rf_eval_needles *needles = rf_arena_push_zero(arena, 1, sizeof *needles, 64);
    struct needle_regex *regex = RF_PUSH(arena, struct needle_regex, count);
    if (needles == NULL || regex == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to search %u texts at once", count);
    }
    needles->regex = regex;
    for (uint32_t i = 0; i < count; i++) {
        const struct rf_calc *calc = rf_eval_needles_regex(program, &program->atom[atom[i]]);
        if (calc != NULL) {
            RF_TRY(regex_add(needles, calc->regex, atom[i], arena, err));
        }
    }
    RF_TRY(literals_make(needles, program, atom, count, taken, arena, err));
    needles->atom = atom;
    needles->atoms = *taken;
    for (uint32_t i = 0; i < needles->regexes; i++) {
        needles->sparable += needles->regex[i].lanes != NULL && needles->regex[i].has_literal[LEVEL_ALL];
    }
    RF_TRY(lanes_open(needles, arena, err));
    if (needles->literals[LEVEL_ALL] != NULL) {
        needles->packed = rf_arena_push(arena, 1, sizeof *needles->packed, 64);
        if (needles->packed == NULL) {
            RF_FAIL(err, RF_E_MEMORY, "no memory for packed texts");
        }
    }
    *out = needles;
    return RF_OK;
}

/* ---- Running ---- */

/* Where the rows of a block are to be searched. */
struct needle_rows {
    const struct rf_eval_block *block;
    const struct rf_calc_view *in;
    uint64_t text[RF_EVAL_BLOCK_WORDS]; /* rows with a text that are wanted */
    enum needle_level level;
};

/* As rf_calc_cell has it for a slot, without what is not asked for. */
static inline struct rf_str row_text(const struct needle_rows *rows, uint32_t row)
{
    const uint32_t begin = rows->in->begin[row];
    const uint8_t *base = (begin & RF_SIDE_BIT) != 0 ? rows->in->side : rows->in->bytes;
    return (struct rf_str){(const char *)base + (begin & ~RF_SIDE_BIT), rows->in->length[row]};
}

static void literals_run(const struct rf_eval_needles *needles, const struct needle_rows *rows)
{
    const struct rf_needles *literals = needles->literals[rows->level];
    struct rf_eval_register *reg = rows->block->plan->reg;
    const enum rf_isa isa = rows->block->isa;
    uint64_t *bits = reg->truth;
    const size_t stride = sizeof *reg / sizeof(uint64_t);
    struct rf_packed_texts *packed = needles->packed;
    rf_packed_texts_clear(packed);
    for (uint32_t w = 0; w < rows->block->words; w++) {
        for (uint64_t left = rows->text[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            const struct rf_str text = row_text(rows, row);
            if (text.count > RF_PACKED_TEXT_BYTES_MAX) {
                rf_needles_find_in(literals, isa, text, row, bits, stride);
                continue;
            }
            if (!rf_packed_texts_can(packed, text.count)) {
                rf_needles_find(literals, isa, packed, bits, stride);
                rf_packed_texts_clear(packed);
            }
            rf_packed_texts_add(packed, text, row);
        }
    }
    rf_needles_find(literals, isa, packed, bits, stride);
}

static uint64_t texts_match(const struct rf_regex *regex, const struct needle_rows *rows, uint32_t w, uint64_t wanted)
{
    uint64_t truth = 0;
    for (; wanted != 0; wanted &= wanted - 1) {
        const uint32_t bit = (uint32_t)__builtin_ctzll(wanted);
        truth |= (uint64_t)rf_regex_match(regex, row_text(rows, 64 * w + bit)) << bit;
    }
    return truth;
}

/* An automaton on the block's rows, some by turns. */
static void regex_run(const struct needle_regex *regex, const struct needle_rows *rows)
{
    struct rf_str text[RF_EVAL_BLOCK_ROWS];
    uint16_t row_of[RF_EVAL_BLOCK_ROWS];
    uint64_t bits[RF_EVAL_BLOCK_WORDS];
    uint64_t *truth = rows->block->plan->reg[regex->atom].truth;
    uint32_t count = 0;
    const bool has_literal = regex->has_literal[rows->level];
    for (uint32_t w = 0; w < rows->block->words; w++) {
        for (uint64_t left = has_literal ? truth[w] : rows->text[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            text[count] = row_text(rows, row);
            row_of[count++] = (uint16_t)row;
        }
        truth[w] = 0;
    }
    if (count == 0) {
        return;
    }
    rf_regex_match_many(regex->regex, text, count, bits);
    for (uint32_t i = 0; i < count; i++) {
        truth[row_of[i] / 64] |= (bits[i / 64] >> i % 64 & 1) << row_of[i] % 64;
    }
}

static struct rf_eval_register *regex_register(const struct needle_regex *regex, const struct needle_rows *rows)
{
    return &rows->block->plan->reg[regex->atom];
}

/* Small automata that run over all rows. Those for which few texts are left look at them here, and are counted. What the
 * others find goes to `falsity` first. */
static uint32_t lanes_choose(const struct rf_eval_needles *needles, const struct needle_rows *rows)
{
    struct needle_lanes *lanes = needles->lanes;
    uint32_t spared = 0;
    lanes->actives = 0;
    for (uint32_t i = 0; i < needles->regexes; i++) {
        const struct needle_regex *regex = &needles->regex[i];
        struct rf_eval_register *reg = regex_register(regex, rows);
        uint32_t left = UINT32_MAX;
        if (regex->lanes == NULL) {
            continue;
        }
        if (regex->has_literal[rows->level]) {
            left = 0;
            for (uint32_t w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
                left += (uint32_t)__builtin_popcountll(reg->truth[w]);
            }
        }
        for (uint32_t w = 0; left <= FEW_TEXTS && w < RF_EVAL_BLOCK_WORDS; w++) {
            reg->truth[w] = texts_match(regex->regex, rows, w, reg->truth[w]);
        }
        spared += left <= FEW_TEXTS;
        if (left > FEW_TEXTS) {
            memset(reg->falsity, 0, sizeof reg->falsity);
            lanes->active[lanes->actives++] = i;
        }
    }
    return spared;
}

static void lanes_leave(struct needle_lanes *lanes, struct rf_str text, uint32_t row)
{
    lanes->alone[lanes->alones] = text;
    lanes->alone_row[lanes->alones++] = (uint16_t)row;
}

/* Rows by the length of their texts, if that is worth it: a group takes as long as its longest text. */
static void lanes_order(struct needle_lanes *lanes, const struct needle_rows *rows)
{
    const bool is_sorted = lanes->actives >= SORT_MIN;
    uint32_t place[RF_LANES_BYTES + 1] = {0};
    uint16_t row_of[RF_EVAL_BLOCK_ROWS];
    uint32_t count = 0;
    lanes->alones = 0;
    for (uint32_t w = 0; w < rows->block->words; w++) {
        for (uint64_t left = rows->text[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            const uint32_t length = rows->in->length[row];
            if (length > RF_LANES_BYTES) {
                lanes_leave(lanes, row_text(rows, row), row);
                continue;
            }
            place[length]++;
            row_of[count++] = (uint16_t)row;
        }
    }
    lanes->rows = count;
    if (!is_sorted) {
        memcpy(lanes->order, row_of, sizeof row_of);
        return;
    }
    uint32_t sum = 0;
    for (uint32_t length = 0; length <= RF_LANES_BYTES; length++) {
        const uint32_t own = place[length];
        place[length] = sum;
        sum += own;
    }
    for (uint32_t i = 0; i < count; i++) {
        lanes->order[place[rows->in->length[row_of[i]]]++] = row_of[i];
    }
}

/* The automata on some groups of rows. */
static void groups_run(const struct rf_eval_needles *needles, const struct rf_lanes_kernels *kernels,
                       const struct needle_rows *rows, const uint16_t *row_of, uint32_t count)
{
    enum { ROWS = RF_LANES_GROUPS * RF_LANES };
    struct needle_lanes *lanes = needles->lanes;
    struct rf_str text[ROWS];
    uint64_t own[RF_LANES_GROUPS]; /* the rows that have an answer */
    for (uint32_t r = 0; r < count; r++) {
        text[r] = row_text(rows, row_of[r]);
    }
    for (uint32_t r = count; r < ROWS; r++) {
        text[r] = (struct rf_str){"", 0};
    }
    kernels->fill(lanes->texts, text);
    for (uint32_t g = 0; g < RF_LANES_GROUPS; g++) {
        for (uint64_t odd = lanes->texts[g].odd; odd != 0; odd &= odd - 1) {
            const uint32_t r = 64 * g + (uint32_t)__builtin_ctzll(odd);
            lanes_leave(lanes, text[r], row_of[r]);
        }
        const uint32_t left = count < 64 * g ? 0 : count - 64 * g;
        own[g] = (left < 64 ? (1ull << left) - 1 : ~0ull) & ~lanes->texts[g].odd;
    }
    for (uint32_t i = 0; i < lanes->actives; i++) {
        const struct needle_regex *regex = &needles->regex[lanes->active[i]];
        uint64_t *found = regex_register(regex, rows)->falsity;
        uint64_t match[RF_LANES_GROUPS];
        kernels->match(regex->lanes, lanes->texts, match);
        for (uint32_t g = 0; g < RF_LANES_GROUPS; g++) {
            for (uint64_t left = match[g] & own[g]; left != 0; left &= left - 1) {
                const uint32_t row = row_of[64 * g + (uint32_t)__builtin_ctzll(left)];
                found[row / 64] |= 1ull << row % 64;
            }
        }
    }
}

/* The texts that no vector holds, and what is left of the rows found. */
static void regex_finish(const struct needle_regex *regex, const struct needle_lanes *lanes,
                         const struct needle_rows *rows)
{
    struct rf_eval_register *reg = regex_register(regex, rows);
    uint64_t bits[RF_EVAL_BLOCK_WORDS];
    rf_regex_match_many(regex->regex, lanes->alone, lanes->alones, bits);
    for (uint32_t i = 0; i < lanes->alones; i++) {
        const uint32_t row = lanes->alone_row[i];
        reg->falsity[row / 64] |= (bits[i / 64] >> i % 64 & 1) << row % 64;
    }
    const bool is_part = regex->has_literal[rows->level];
    for (uint32_t w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
        reg->truth[w] = reg->falsity[w] & (is_part ? reg->truth[w] : ~0ull);
    }
}

static void lanes_run(struct rf_eval_needles *needles, const struct rf_lanes_kernels *kernels,
                      const struct needle_rows *rows)
{
    struct needle_lanes *lanes = needles->lanes;
    const uint32_t spared = lanes_choose(needles, rows);
    needles->has_saved = rows->level == LEVEL_ALL ? spared >= SEARCH_COST : needles->has_saved;
    if (lanes->actives == 0) {
        return;
    }
    lanes_order(lanes, rows);
    for (uint32_t i = 0; i < lanes->rows; i += RF_LANES_GROUPS * RF_LANES) {
        const uint32_t left = lanes->rows - i;
        groups_run(needles, kernels, rows, lanes->order + i,
                   left < RF_LANES_GROUPS * RF_LANES ? left : RF_LANES_GROUPS * RF_LANES);
    }
    for (uint32_t i = 0; i < lanes->actives; i++) {
        regex_finish(&needles->regex[lanes->active[i]], lanes, rows);
    }
}

static enum needle_level level_choose(struct rf_eval_needles *needles, const struct rf_lanes_kernels *kernels)
{
    if (kernels == NULL || (needles->sparable >= SEARCH_COST && needles->blocks++ % SAMPLE_BLOCKS == 0)) {
        return LEVEL_ALL;
    }
    return needles->has_saved ? LEVEL_ALL : LEVEL_REST;
}

void rf_eval_needles_run(struct rf_eval_needles *needles, const struct rf_eval_block *block,
                         const struct rf_calc_view *in)
{
    const struct rf_lanes_kernels *kernels = rf_lanes_kernels_of(block->isa);
    struct rf_eval_register *reg = block->plan->reg;
    struct needle_rows rows = {.block = block, .in = in};
    for (uint32_t w = 0; w < block->words; w++) {
        rows.text[w] = block->classes.string[w] & block->live[w];
    }
    for (uint32_t i = 0; i < needles->atoms; i++) {
        memset(reg[needles->atom[i]].truth, 0, sizeof reg->truth);
    }
    rows.level = level_choose(needles, kernels);
    if (needles->literals[rows.level] != NULL) {
        literals_run(needles, &rows);
    }
    for (uint32_t i = 0; i < needles->regexes; i++) {
        if (kernels == NULL || needles->regex[i].lanes == NULL) {
            regex_run(&needles->regex[i], &rows);
        }
    }
    if (kernels != NULL && needles->lanes != NULL) {
        lanes_run(needles, kernels, &rows);
    }
    for (uint32_t i = 0; i < needles->atoms; i++) {
        struct rf_eval_register *out = &reg[needles->atom[i]];
        for (uint32_t w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
            out->falsity[w] = block->classes.string[w] & ~out->truth[w];
        }
    }
}
