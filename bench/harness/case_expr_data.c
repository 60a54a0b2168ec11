/* The records of the case expr: the first ones of T, and the same with two lists of eight elements each. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "case_expr.h"
#include "gen_text.h"

enum { ELEMENTS = 8, LIST_BYTES_MAX = 512 /* of both, as JSON */ };

/* Prices like those of the trades, and sizes up to 300. */
static void text_append_lists(struct gen_text *text, struct rf_gen *random)
{
    text_string(text, ",\"levels\":[");
    for (int i = 0; i < ELEMENTS; i++) {
        text_string(text, i == 0 ? "" : ",");
        text_fixed(text, 4000 + gen_below(random, 76000), 2);
    }
    text_string(text, "],\"legs\":[");
    for (int i = 0; i < ELEMENTS; i++) {
        text_string(text, i == 0 ? "{\"px\":" : ",{\"px\":");
        text_fixed(text, 4000 + gen_below(random, 76000), 2);
        text_string(text, ",\"qty\":");
        text_number(text, 1 + gen_below(random, 300));
        text_string(text, "}");
    }
    text_string(text, "]");
}

bool expr_data_open(struct expr_data *data, struct bench *bench, bool has_lists)
{
    const struct data *trades = &bench->trades;
    const uint32_t rows_max = has_lists ? EXPR_LIST_ROWS_MAX : EXPR_ROWS_MAX;
    const size_t row_bytes = RF_GEN_RECORD_MAX + (has_lists ? LIST_BYTES_MAX : 0);
    struct rf_gen gen;
    struct rf_gen random;
    rf_gen_open(&gen, trades->kind, trades->seed, trades->shuffle, trades->traps);
    rf_gen_open(&random, trades->kind, trades->seed + 1, 0, 0);
    *data = (struct expr_data){0};
    /* Pages that are never written cost nothing. */
    data->bytes = malloc(rows_max * row_bytes + BENCH_PADDING);
    if (data->bytes == NULL) {
        fprintf(stderr, "riffle-bench: no memory for the records of expr\n");
        return false;
    }
    const size_t bytes_max = trades->mib << 20;
    while (data->rows < rows_max && data->count + row_bytes < bytes_max) {
        struct gen_text text = {data->bytes + data->count};
        text.at += rf_gen_next(&gen, text.at);
        if (has_lists) {
            text.at -= strlen("}\n");
            text_append_lists(&text, &random);
            text_string(&text, "}\n");
        }
        data->count = (size_t)(text.at - data->bytes);
        data->rows++;
    }
    memset(data->bytes + data->count, 0, BENCH_PADDING);
    return true;
}

bool expr_data_write(struct expr_data *data, const char *folder, const char *name)
{
    size_t count = 0;
    for (uint32_t row = 0; row < data->rows && row < EXPR_KEPT_ROWS; row++) {
        const char *end = memchr(data->bytes + count, '\n', data->count - count);
        count = (size_t)(end + 1 - data->bytes);
    }
    if ((mkdir(folder, 0777) != 0 && errno != EEXIST) || asprintf(&data->path, "%s/%s", folder, name) < 0) {
        data->path = NULL;
        fprintf(stderr, "riffle-bench: %s: %s\n", folder, strerror(errno));
        return false;
    }
    FILE *file = fopen(data->path, "we");
    const bool is_written = file != NULL && fwrite(data->bytes, 1, count, file) == count;
    if ((file != NULL && fclose(file) != 0) || !is_written) {
        fprintf(stderr, "riffle-bench: %s: %s\n", data->path, strerror(errno));
        return false;
    }
    return true;
}

void expr_data_close(struct expr_data *data)
{
    free(data->bytes);
    free(data->path);
    *data = (struct expr_data){0};
}
