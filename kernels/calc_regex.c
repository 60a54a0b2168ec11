/* matches() of a constant pattern over the rows of a block (calc.h): their texts are gathered, so that the automaton looks
 * at several of them by turns.
 *
 * Source     host/expr/operate_text.c and interp_eval.c, which are the definition. */
#include "calc.h"

/* A cell that is no text: as a strict function has it. */
static enum rf_tag tag_of_other(enum rf_tag tag)
{
    return tag == RF_TAG_HOST ? RF_TAG_HOST : RF_TAG_ERROR;
}

static void answer_store(struct rf_calc_column *out, uint32_t row, enum rf_tag tag)
{
    out->tag[row] = (uint8_t)tag;
    out->payload[row] = tag == RF_TAG_TRUE;
    out->length[row] = 0;
    out->text[row] = "";
}

void rf_calc_run_matches(const struct rf_calc *calc, const struct rf_calc_view *arg, const uint64_t *live,
                         uint32_t words, struct rf_calc_column *out)
{
    struct rf_str text[RF_EVAL_BLOCK_ROWS];
    uint16_t row_of[RF_EVAL_BLOCK_ROWS];
    uint64_t bits[RF_EVAL_BLOCK_WORDS];
    uint32_t count = 0;
    for (uint32_t w = 0; w < words; w++) {
        for (uint64_t left = live[w]; left != 0; left &= left - 1) {
            const uint32_t row = 64 * w + (uint32_t)__builtin_ctzll(left);
            const struct rf_cell cell = rf_calc_cell(&arg[0], row);
            if (rf_cell_is_string(&cell)) {
                text[count] = rf_cell_text(&cell);
                row_of[count++] = (uint16_t)row;
            } else {
                answer_store(out, row, tag_of_other(cell.tag));
            }
        }
    }
    if (count == 0) {
        return;
    }
    rf_regex_match_many(calc->regex, text, count, bits);
    for (uint32_t i = 0; i < count; i++) {
        const bool has_match = (bits[i / 64] >> (i % 64) & 1) != 0;
        answer_store(out, row_of[i], has_match ? RF_TAG_TRUE : RF_TAG_FALSE);
    }
}
