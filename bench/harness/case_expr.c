/* expr: what one expression costs for one row, shape by shape, in each engine and in those of others.
 *
 * Method  all sides of a shape take turns, as everywhere here. ns for a row:
 *         interp   the evaluation alone. An interpreter holds one record, so there are a thousand of them, each with its
 *                  record read, and a lap asks all in turn.
 *         columns  rf_eval_run on columns that are ready, again and again: of all rows (64 Ki, or 16 Ki with lists) as one
 *                  batch. Their texts lie in 16 MiB of records, which leave the second-level cache in between.
 *         stage    the same in batches of the pipeline's size, each just behind its index and extract stages, which are
 *                  not counted: texts are in the cache, branches are not trained. The start of a batch and reading the
 *                  clock are counted, about 0.2 ns.
 *         raw      index, extract and eval together, without the prefilter
 *         regex    rf_regex_match_many, and RE2, over the texts of the member that is searched, which stay in the cache
 *         peers    values are parsed and converted before the clock runs
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "case_expr.h"

enum {
    SIDE_INTERP,
    SIDE_COLUMNS,
    SIDE_STAGE,
    SIDE_RAW,
    SIDE_COMPILE,
    SIDE_REGEX,
    SIDE_RE2,
    SIDE_PYTHON = SIDE_RE2 + PEERS_MAX,
    SIDES = SIDE_PYTHON + EXPR_PYTHONS_MAX
};
enum { RESULTS_MAX = 64, NAME_COLUMNS = 24, CELL_COLUMNS = 12 };

static const double columns_ns_max[EXPR_GOALS] = {
    [EXPR_GOAL_COMPARE] = 0.3, [EXPR_GOAL_AND] = 1.0, [EXPR_GOAL_TEXT] = 3.0};
static const double regex_must = 1.5;         /* times RE2's throughput */
static const double interp_must = 2.0;        /* times the time of the fastest peer */
static const double compile_us_max = 50;      /* of one */
static const double compile_many_s_max = 1.0; /* of EXPR_MANY */

struct expr_result {
    const struct expr_shape *shape;
    double median[SIDES]; /* 0: no such side */
    char reason[EXPR_PYTHONS_MAX][EXPR_REASON_BYTES];
};

struct expr_case {
    struct bench *bench;
    struct expr_data data[2]; /* without and with lists */
    struct expr_python python;
    struct expr_engines engines;
    struct expr_regex regex;
    struct expr_regex_peer re2[PEERS_MAX];
    struct expr_side side[SIDES];
    struct expr_result result[RESULTS_MAX];
    uint32_t results;
};

/* ---- One shape ---- */

static void side_set(struct expr_case *work, uint32_t side, bool (*run)(void *, uint32_t, uint64_t *), void *context,
                     uint32_t rows)
{
    work->side[side] = (struct expr_side){.run = run, .context = context, .rows = rows};
}

static bool regex_add(struct expr_case *work, const struct expr_shape *shape)
{
    if (!expr_regex_open(&work->regex, work->bench, shape, &work->engines)) {
        return false;
    }
    side_set(work, SIDE_REGEX, expr_regex_run, &work->regex, work->regex.texts);
    for (uint32_t p = 0; p < work->regex.peer_count; p++) {
        work->re2[p] = (struct expr_regex_peer){&work->regex, p};
        side_set(work, SIDE_RE2 + p, expr_re2_run, &work->re2[p], work->regex.texts);
    }
    return true;
}

static bool pythons_add(struct expr_case *work, const struct expr_shape *shape, struct expr_result *result)
{
    const struct expr_data *data = &work->data[shape->has_lists];
    if (!expr_python_data(&work->python, data->path) ||
        !expr_python_shape(&work->python, shape, &work->engines.answers)) {
        return false;
    }
    for (uint32_t p = 0; p < work->python.peers; p++) {
        struct expr_python_peer *peer = &work->python.peer[p];
        if (peer->has_shape) {
            side_set(work, SIDE_PYTHON + p, expr_python_run, peer, peer->rows);
        } else {
            memcpy(result->reason[p], peer->reason, sizeof(result->reason[p]));
        }
    }
    return true;
}

/* "median/best", or a hole. */
static void print_cell(const struct expr_side *side, double unit)
{
    char text[48] = "-";
    if (side != NULL && side->run != NULL) {
        const double median = side->median / unit;
        const int decimals = median < 10 ? 2 : median < 100 ? 1 : 0;
        snprintf(text, sizeof(text), "%.*f/%.*f", decimals, median, decimals, side->best / unit);
    }
    printf(" %*s", CELL_COLUMNS, text);
}

static void print_heads(const struct expr_case *work)
{
    static const char *const head[] = {"interp", "columns", "stage", "raw", "regex alone", "RE2", "compile us"};
    printf("  %-*s", NAME_COLUMNS, "");
    for (size_t i = 0; i < sizeof(head) / sizeof(head[0]); i++) {
        printf(" %*s", CELL_COLUMNS, head[i]);
    }
    for (uint32_t p = 0; p < work->python.peers; p++) {
        printf(" %*s%" PRIu32, CELL_COLUMNS - 1, "peer ", p + 1);
    }
    printf("  true, false, error; asked %%\n");
}

/* The build of RE2 that is faster. */
static const struct expr_side *re2_best(const struct expr_case *work)
{
    const struct expr_side *best = NULL;
    for (uint32_t p = 0; p < PEERS_MAX; p++) {
        const struct expr_side *side = &work->side[SIDE_RE2 + p];
        if (side->run != NULL && (best == NULL || side->median < best->median)) {
            best = side;
        }
    }
    return best;
}

static void print_shape(const struct expr_case *work, const struct expr_shape *shape)
{
    const struct expr_answers *answers = &work->engines.answers;
    printf("  %-*s", NAME_COLUMNS, shape->name);
    print_cell(&work->side[SIDE_INTERP], 1);
    print_cell(&work->side[SIDE_COLUMNS], 1);
    print_cell(&work->side[SIDE_STAGE], 1);
    print_cell(&work->side[SIDE_RAW], 1);
    print_cell(&work->side[SIDE_REGEX], 1);
    print_cell(re2_best(work), 1);
    print_cell(&work->side[SIDE_COMPILE], 1000);
    for (uint32_t p = 0; p < work->python.peers; p++) {
        print_cell(&work->side[SIDE_PYTHON + p], 1);
    }
    printf("  %.0f, %.0f, %.0f; %.0f\n", 100.0 * (double)answers->count[EXPR_TRUE] / answers->rows,
           100.0 * (double)answers->count[EXPR_FALSE] / answers->rows,
           100.0 * (double)answers->count[EXPR_ERROR] / answers->rows,
           100.0 * (double)work->engines.host_rows / answers->rows);
    fflush(stdout);
}

static bool shape_run(struct expr_case *work, const struct expr_shape *shape)
{
    struct expr_engines *engines = &work->engines;
    struct expr_result *result = &work->result[work->results++];
    memset(work->side, 0, sizeof(work->side));
    *result = (struct expr_result){.shape = shape};
    bool is_good = expr_engines_open(engines, shape, &work->data[shape->has_lists]) &&
                   (shape->pattern == NULL || regex_add(work, shape)) && pythons_add(work, shape, result);
    if (is_good) {
        side_set(work, SIDE_INTERP, expr_interp_run, engines, engines->kept_rows);
        side_set(work, SIDE_COLUMNS, expr_columns_run, engines, engines->columns.rows.rows);
        side_set(work, SIDE_STAGE, expr_stage_run, engines, engines->columns.rows.rows);
        side_set(work, SIDE_RAW, expr_raw_run, engines, engines->columns.rows.rows);
        side_set(work, SIDE_COMPILE, expr_compile_run, (void *)(uintptr_t)shape, 1);
        is_good = expr_laps_run(work->side, SIDES, work->bench->laps);
    }
    for (uint32_t s = 0; s < SIDES; s++) {
        result->median[s] = work->side[s].run == NULL ? 0 : work->side[s].median;
    }
    if (is_good) {
        print_shape(work, shape);
    }
    expr_regex_close(&work->regex);
    expr_engines_close(engines);
    return is_good;
}

/* ---- Goals ---- */

static void print_verdict(double measured, double must)
{
    if (measured <= must) {
        printf("must <= %g: met\n", must);
    } else {
        printf("must <= %g: MISSED by %.1fx\n", must, measured / must);
    }
}

static void print_columns_goals(const struct expr_case *work)
{
    for (uint32_t r = 0; r < work->results; r++) {
        const struct expr_result *result = &work->result[r];
        if (result->shape->goal != EXPR_GOAL_NONE) {
            printf("  %-*s columns %.2f ns (stage %.2f), ", NAME_COLUMNS, result->shape->name,
                   result->median[SIDE_COLUMNS], result->median[SIDE_STAGE]);
            print_verdict(result->median[SIDE_COLUMNS], columns_ns_max[result->shape->goal]);
        }
    }
}

static void print_regex_goals(const struct expr_case *work)
{
    for (uint32_t r = 0; r < work->results; r++) {
        const struct expr_result *result = &work->result[r];
        double best = 0;
        for (uint32_t p = 0; p < PEERS_MAX; p++) {
            const double median = result->median[SIDE_RE2 + p];
            best = median != 0 && (best == 0 || median < best) ? median : best;
        }
        if (result->shape->pattern == NULL) {
            continue;
        }
        if (best == 0) {
            printf("  %-*s not compared: RE2 is not here\n", NAME_COLUMNS, result->shape->name);
            continue;
        }
        const double ratio = best / result->median[SIDE_REGEX];
        printf("  %-*s %.2fx RE2's throughput, must >= %.2g: %s\n", NAME_COLUMNS, result->shape->name, ratio,
               regex_must, ratio >= regex_must ? "met" : "MISSED");
    }
}

/* What all shapes share: the range, and those that are over the bound. measured[]: 0 for shapes that are not measured. */
static void print_range(const struct expr_case *work, const char *what, const double *measured, double must,
                        const char *unit)
{
    double low = 0;
    double high = 0;
    for (uint32_t r = 0; r < work->results; r++) {
        low = measured[r] != 0 && (low == 0 || measured[r] < low) ? measured[r] : low;
        high = measured[r] > high ? measured[r] : high;
    }
    printf("  %s %.2f to %.2f%s, must <= %g: %s", what, low, high, unit, must, high <= must ? "met" : "MISSED by");
    for (uint32_t r = 0; r < work->results; r++) {
        if (measured[r] > must) {
            printf(" [%s %.2f]", work->result[r].shape->name, measured[r]);
        }
    }
    printf("\n");
}

static void print_interp_goal(const struct expr_case *work)
{
    double ratio[RESULTS_MAX] = {0};
    for (uint32_t r = 0; r < work->results; r++) {
        const struct expr_result *result = &work->result[r];
        double best = 0;
        for (uint32_t p = 0; p < EXPR_PYTHONS_MAX; p++) {
            const double median = result->median[SIDE_PYTHON + p];
            best = median != 0 && (best == 0 || median < best) ? median : best;
        }
        ratio[r] = best == 0 ? 0 : result->median[SIDE_INTERP] / best;
    }
    if (work->python.peers != 0) {
        print_range(work, "interp beside the fastest peer:", ratio, interp_must, " times its time");
    }
}

static void print_compile_goal(const struct expr_case *work)
{
    double us[RESULTS_MAX] = {0};
    for (uint32_t r = 0; r < work->results; r++) {
        us[r] = work->result[r].median[SIDE_COMPILE] / 1000;
    }
    print_range(work, "compiling one:", us, compile_us_max, " us");
}

static void print_holes(const struct expr_case *work)
{
    for (uint32_t p = 0; p < work->python.peers; p++) {
        printf("  peer %" PRIu32 ": %s\n", p + 1, work->python.peer[p].name);
        for (uint32_t r = 0; r < work->results; r++) {
            const struct expr_result *result = &work->result[r];
            if (result->reason[p][0] != 0) {
                printf("    no %s: %s\n", result->shape->name, result->reason[p]);
            }
        }
    }
    if (work->python.peers == 0) {
        printf("  no CEL engines of PyPI here (--python; ./dev bench sets them up where it can)\n");
    }
}

/* ---- Many expressions at once ---- */

static bool many_run(struct expr_case *work)
{
    struct expr_many many;
    struct expr_side side[2] = {{.run = expr_many_together, .context = &many, .rows = EXPR_MANY},
                                {.run = expr_many_singly, .context = &many, .rows = EXPR_MANY}};
    static const char *const name[2] = {"10,000 in one call", "10,000 calls"};
    const bool is_good = expr_many_open(&many) && expr_laps_run(side, 2, work->bench->laps);
    for (int s = 0; is_good && s < 2; s++) {
        const double seconds = side[s].median * EXPR_MANY / 1e9;
        printf("  compiling %s: %.3f s, ", name[s], seconds);
        print_verdict(seconds, compile_many_s_max);
    }
    expr_many_close(&many);
    return is_good;
}

/* ---- The case ---- */

static bool case_open(struct expr_case *work, struct bench *bench)
{
    static const char *const name[2] = {"expr.ndjson", "expr-lists.ndjson"};
    work->bench = bench;
    for (int i = 0; i < 2; i++) {
        if (!expr_data_open(&work->data[i], bench, i == 1) ||
            !expr_data_write(&work->data[i], bench->folder, name[i])) {
            return false;
        }
    }
    return expr_python_open(&work->python, bench);
}

static void case_close(struct expr_case *work)
{
    expr_python_close(&work->python);
    for (int i = 0; i < 2; i++) {
        expr_data_close(&work->data[i]);
    }
    free(work);
}

static bool shapes_run(struct expr_case *work)
{
    const char *wanted = work->bench->shape;
    uint32_t count;
    const struct expr_shape *shape = expr_shapes(&count);
    print_heads(work);
    for (uint32_t i = 0; i < count && work->results < RESULTS_MAX; i++) {
        if (wanted != NULL && strstr(shape[i].name, wanted) == NULL) {
            continue;
        }
        if (!shape_run(work, &shape[i])) {
            fprintf(stderr, "riffle-bench: expr: %s failed\n", shape[i].name);
            return false;
        }
    }
    return true;
}

bool case_expr(struct bench *bench)
{
    struct expr_case *work = calloc(1, sizeof(*work));
    if (work == NULL) {
        fprintf(stderr, "riffle-bench: out of memory\n");
        return false;
    }
    bool is_good = case_open(work, bench);
    if (is_good) {
        printf("expr  ns for each row and expression, median/best of %" PRIu32 " laps; %" PRIu32 " rows (%" PRIu32
               " with lists of eight), one thread\n",
               bench->laps, work->data[0].rows, work->data[1].rows);
        is_good = shapes_run(work);
    }
    if (is_good) {
        print_holes(work);
        print_columns_goals(work);
        print_regex_goals(work);
        print_interp_goal(work);
        print_compile_goal(work);
        is_good = many_run(work);
        printf("\n");
        fflush(stdout);
    }
    case_close(work);
    return is_good;
}
