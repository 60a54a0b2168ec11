/* A program outside the tree of riffle: compiles a filter, runs it over some records, checks every answer. */
#include <riffle.h>
#include <riffle_fix.h>

#include <stdio.h>
#include <string.h>

static const char records[] = "{\"symbol\":\"MSFT\",\"price\":410.5,\"qty\":3}\n"
                              "{\"symbol\":\"AAPL\",\"price\":410.5,\"qty\":1}\n"
                              "not a record\n"
                              "\n"
                              "{\"symbol\":\"MSFT\",\"price\":409,\"qty\":7}\r\n"
                              "{\"symbol\":\"MSFT\",\"price\":500,\"qty\":2}";

struct answer {
    unsigned rows, malformed, blank, selected;
    double notional;
    bool is_wrong;
};

static bool on_batch(void *context, const struct riffle_batch *batch)
{
    struct answer *const answer = context;
    const uint32_t rows = riffle_batch_rows(batch);
    uint32_t selected[64];
    const uint32_t count = riffle_batch_selected(batch, 0, selected, 64);

    answer->rows += rows;
    answer->selected += count;
    for (uint32_t row = 0; row < rows; row++) {
        answer->malformed += riffle_batch_status(batch, row) == RIFFLE_ROW_MALFORMED;
        answer->blank += riffle_batch_status(batch, row) == RIFFLE_ROW_BLANK;
    }
    for (uint32_t i = 0; i < count && i < 64; i++) {
        struct riffle_value value;
        struct riffle_error error;
        size_t bytes = 0;
        const char *const text = riffle_batch_record(batch, selected[i], &bytes);
        if (bytes < 17 || memcmp(text, "{\"symbol\":\"MSFT\",", 17) != 0 ||
            (riffle_batch_truth(batch, 0)[selected[i] / 64] >> (selected[i] % 64) & 1) == 0 ||
            riffle_batch_value(batch, 0, selected[i], &value, &error) != RIFFLE_OK || value.type != RIFFLE_DOUBLE) {
            answer->is_wrong = true;
            continue;
        }
        answer->notional += value.real;
    }
    return true;
}

/* One FIX message, of which length and sum were worked out by hand. */
static bool order_is_encoded(void)
{
    static const char expected[] = "8=FIX.4.4\0019=15\00135=D\00144=410.50\00110=182\001";
    struct riffle_fix_template header;
    struct riffle_fix_encoder encoder;
    struct riffle_error error;
    char buffer[256];
    size_t count = 0;
    if (riffle_fix_template_init(&header, "FIX.4.4", "D", NULL, 0, &error) != RIFFLE_OK) {
        return false;
    }
    riffle_fix_encoder_init(&encoder);
    riffle_fix_begin(&encoder, &header, buffer, sizeof buffer);
    riffle_fix_put_decimal(&encoder, 44, 41050, -2);
    return riffle_fix_end(&encoder, &count, &error) == RIFFLE_OK && count == sizeof expected - 1 &&
           memcmp(buffer, expected, count) == 0;
}

int main(void)
{
    const char *const predicate[] = {"price > 410 && symbol == \"MSFT\""};
    const char *const projection[] = {"price * qty"};
    const char *const nonsense[] = {"price >"};
    const struct riffle_spec spec = {.predicate = predicate, .predicates = 1, .projection = projection, .projections = 1};
    const struct riffle_spec wrong = {.predicate = nonsense, .predicates = 1};
    struct riffle_program *program = NULL;
    struct riffle_runner *runner = NULL;
    struct riffle_error error;
    struct answer answer = {0};

    if (riffle_program_open(&program, &wrong, &error) != RIFFLE_E_EXPRESSION || error.line != 1 || error.text[0] == '\0') {
        fprintf(stderr, "consumer: a wrong expression is not refused\n");
        return 1;
    }
    if (riffle_program_open(&program, &spec, &error) != RIFFLE_OK ||
        riffle_runner_open(&runner, program, &error) != RIFFLE_OK ||
        riffle_runner_scan(runner, records, sizeof records - 1, on_batch, &answer, &error) != RIFFLE_OK) {
        fprintf(stderr, "consumer: %s\n", error.text);
        return 1;
    }
    riffle_runner_close(runner);
    riffle_program_close(program);
    if (!order_is_encoded()) {
        fprintf(stderr, "consumer: a FIX message is not encoded as it should be\n");
        return 1;
    }
    printf("riffle %s: rows %u, malformed %u, blank %u, selected %u, notional %g\n", riffle_version(), answer.rows,
           answer.malformed, answer.blank, answer.selected, answer.notional);
    return answer.is_wrong || answer.rows != 6 || answer.malformed != 1 || answer.blank != 1 || answer.selected != 2 ||
           answer.notional != 410.5 * 3 + 500 * 2;
}
