#include "eval_needles.h"

#include <stdlib.h>

#include "needles.h"
#include "regex_lanes.h"

enum {
    LITERAL_MIN = 3, /* bytes of a literal that is worth a search before the automaton, if that is fast */
    FEW_TEXTS = 2,   /* with so many left, texts are not turned over */
    FEW_REGEXES = 8  /* small automata, on vectors, take less time than a search for their literals */
};

struct needle_regex {
    const struct rf_regex *regex;
    struct rf_regex_lanes *lanes; /* NULL: too large */
    uint32_t atom;
    bool has_literal; /* the search leaves the texts that hold it */
};

struct rf_eval_needles {
    const uint32_t *atom; /* [atoms] */
    uint32_t atoms;
    struct rf_needles *literals;    /* NULL: none */
    bool has_search_always;         /* for the literals, also where small automata run on vectors */
    struct rf_packed_texts *packed; /* scratch, of literals */
    struct needle_regex *regex;
    uint32_t regexes;
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
    enum { ENDS_COST = 1, CONTAINS_COST = 3, REGEX_COST = 8 };
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
                              uint32_t count, struct rf_needle *needle)
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
        struct rf_str text;
        const uint32_t least = needles->regex[i].lanes != NULL ? LITERAL_MIN : RF_NEEDLE_BYTES_MIN;
        if (rf_regex_required_literal(needles->regex[i].regex, &text) && text.count >= least) {
            needle[found++] = (struct rf_needle){.text = text, .test = needles->regex[i].atom};
            needles->regex[i].has_literal = true;
        }
    }
    return found;
}

/* Puts the atoms that are left to themselves last. is_left[]: of the needles, of which those of literal atoms come first
 * and in the order of the atoms. */
static uint32_t atoms_part(struct rf_eval_needles *needles, const struct rf_program *program, uint32_t *atom,
                           uint32_t count, const bool *is_left, uint32_t *scratch)
{
    uint32_t taken = 0;
    uint32_t left = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < count; i++) {
        const bool is_literal = atom_is_literal(program, &program->atom[atom[i]]);
        if (is_literal && is_left[n++]) {
            scratch[left++] = atom[i];
        } else {
            atom[taken++] = atom[i];
        }
    }
    for (uint32_t i = 0; i < needles->regexes; i++) {
        if (needles->regex[i].has_literal && is_left[n++]) {
            needles->regex[i].has_literal = false;
        }
    }
    if (left != 0) {
        memcpy(atom + taken, scratch, left * sizeof *scratch);
    }
    return taken;
}

static bool search_is_worth(const struct rf_eval_needles *needles)
{
    uint32_t smalls = 0;
    for (uint32_t i = 0; i < needles->regexes; i++) {
        const struct needle_regex *regex = &needles->regex[i];
        if (regex->has_literal && regex->lanes == NULL) {
            return true;
        }
        smalls += regex->has_literal;
    }
    return needles->atoms != needles->regexes || smalls > FEW_REGEXES;
}

/* What is needed while the group is made; count of each. */
struct needle_draft {
    struct rf_needle *needle;
    bool *is_left;
    uint32_t *left;
};

static enum rf_status literals_make(struct rf_eval_needles *needles, const struct rf_program *program, uint32_t *atom,
                                    uint32_t count, const struct needle_draft *draft, uint32_t *taken,
                                    struct rf_arena *arena, struct rf_error *err)
{
    if (draft->needle == NULL || draft->is_left == NULL || draft->left == NULL) {
        RF_FAIL(err, RF_E_MEMORY, "no memory to search %u texts at once", count);
    }
    const uint32_t found = literals_list(needles, program, atom, count, draft->needle);
    if (found != 0) {
        RF_TRY(rf_needles_make(&needles->literals, draft->needle, found, draft->is_left, arena, err));
    }
    *taken = atoms_part(needles, program, atom, count, draft->is_left, draft->left);
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
    const struct needle_draft draft = {.needle = malloc(count * sizeof *draft.needle),
                                             .is_left = malloc(count * sizeof *draft.is_left),
                                             .left = malloc(count * sizeof *draft.left)};
    const enum rf_status status = literals_make(needles, program, atom, count, &draft, taken, arena, err);
    free(draft.needle);
    free(draft.is_left);
    free(draft.left);
    RF_TRY(status);
    needles->atom = atom;
    needles->atoms = *taken;
    needles->has_search_always = search_is_worth(needles);
    if (needles->literals != NULL) {
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
    bool is_searched;                   /* for literals: registers have the rows that hold them */
};

static struct rf_str row_text(const struct needle_rows *rows, uint32_t row)
{
    const struct rf_cell cell = rf_calc_cell(rows->in, row);
    return rf_cell_text(&cell);
}

static void literals_run(const struct rf_eval_needles *needles, const struct needle_rows *rows)
{
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
                rf_needles_find_in(needles->literals, isa, text, row, bits, stride);
                continue;
            }
            if (!rf_packed_texts_can(packed, text.count)) {
                rf_needles_find(needles->literals, isa, packed, bits, stride);
                rf_packed_texts_clear(packed);
            }
            rf_packed_texts_add(packed, text, row);
        }
    }
    rf_needles_find(needles->literals, isa, packed, bits, stride);
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
    const bool has_literal = regex->has_literal && rows->is_searched;
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

/* The texts of one word of rows, turned over when the first automaton wants them. */
struct needle_word {
    struct rf_text_lanes texts;
    bool is_filled;
};

static void word_fill(struct needle_word *word, const struct rf_lanes_kernels *kernels, const struct needle_rows *rows,
                      uint32_t w)
{
    struct rf_str text[RF_LANES];
    for (uint32_t r = 0; r < RF_LANES; r++) {
        const bool is_text = (rows->text[w] >> r & 1) != 0;
        text[r] = is_text ? row_text(rows, 64 * w + r) : (struct rf_str){"", 0};
    }
    kernels->fill(&word->texts, text);
    word->is_filled = true;
}

/* All small automata on 64 rows. */
static void word_run(const struct rf_eval_needles *needles, const struct rf_lanes_kernels *kernels,
                     const struct needle_rows *rows, uint32_t w)
{
    struct needle_word word;
    word.is_filled = false;
    for (uint32_t i = 0; i < needles->regexes; i++) {
        const struct needle_regex *regex = &needles->regex[i];
        uint64_t *truth = &rows->block->plan->reg[regex->atom].truth[w];
        const uint64_t wanted = regex->has_literal && rows->is_searched ? *truth : rows->text[w];
        if (regex->lanes == NULL || wanted == 0) {
            continue;
        }
        if (!word.is_filled && __builtin_popcountll(wanted) <= FEW_TEXTS) {
            *truth = texts_match(regex->regex, rows, w, wanted);
            continue;
        }
        if (!word.is_filled) {
            word_fill(&word, kernels, rows, w);
        }
        const uint64_t odd = wanted & word.texts.odd;
        *truth = kernels->match(regex->lanes, &word.texts) & wanted & ~odd;
        *truth |= texts_match(regex->regex, rows, w, odd);
    }
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
    rows.is_searched = needles->literals != NULL && (kernels == NULL || needles->has_search_always);
    if (rows.is_searched) {
        literals_run(needles, &rows);
    }
    for (uint32_t i = 0; i < needles->regexes; i++) {
        if (kernels == NULL || needles->regex[i].lanes == NULL) {
            regex_run(&needles->regex[i], &rows);
        }
    }
    for (uint32_t w = 0; kernels != NULL && needles->regexes != 0 && w < block->words; w++) {
        word_run(needles, kernels, &rows, w);
    }
    for (uint32_t i = 0; i < needles->atoms; i++) {
        struct rf_eval_register *out = &reg[needles->atom[i]];
        for (uint32_t w = 0; w < RF_EVAL_BLOCK_WORDS; w++) {
            out->falsity[w] = block->classes.string[w] & ~out->truth[w];
        }
    }
}
