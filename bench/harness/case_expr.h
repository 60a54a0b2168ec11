/* case_expr.h: what the files of the case expr share.
 *
 * Purpose    case_expr.c is the case: it measures each shape and prints the table and the goals. case_expr_shapes.c has the
 *            expressions, case_expr_data.c their records, case_expr_engines.c riffle's own sides, case_expr_regex.c the search
 *            alone beside RE2's, case_expr_python.c the CEL engines of PyPI, case_expr_compile.c the times of compiling,
 *            case_expr_laps.c the rounds.
 * Data       A lap runs a side `repeats` times over its `rows` rows; a sample is nanoseconds for one row. Sides have rows of
 *            their own, always the first of the same records: a row-at-a-time engine is done with a thousand rows when a
 *            vector engine has hardly begun.
 * Ownership  what is opened is closed by the function of the same noun.
 * Errors     false: said on stderr. A peer that is not there, or has no such function, is a hole in the table.
 */
#ifndef BENCH_CASE_EXPR_H
#define BENCH_CASE_EXPR_H

#include "bench.h"
#include "compile.h"
#include "interp.h"
#include "worker.h"

/* ---- Shapes ---- */

enum expr_goal { EXPR_GOAL_NONE, EXPR_GOAL_COMPARE, EXPR_GOAL_AND, EXPR_GOAL_TEXT, EXPR_GOALS };

struct expr_shape {
    const char *name;
    const char *expression;
    enum expr_goal goal;
    bool has_lists;      /* over the records that have lists of eight elements */
    const char *field;   /* of a search: the member that is searched ... */
    const char *pattern; /* ... and for what; else NULL */
};

/* The texts of some are made when first asked. */
const struct expr_shape *expr_shapes(uint32_t *count);

/* ---- Records ---- */

enum {
    EXPR_ROWS_MAX = 64 * 1024,
    EXPR_LIST_ROWS_MAX = 16 * 1024,
    EXPR_TEXTS_MAX = 16 * 1024, /* for searches alone: in the second-level cache, as in the pipeline */
    EXPR_KEPT_ROWS = 1024       /* that row-at-a-time engines hold ready, read */
};

struct expr_data {
    char *bytes; /* whole lines, BENCH_PADDING readable bytes behind them */
    size_t count;
    uint32_t rows;
    char *path; /* of a file with the first EXPR_KEPT_ROWS of them, for other processes; NULL: not written */
};

bool expr_data_open(struct expr_data *data, struct bench *bench, bool has_lists);
bool expr_data_write(struct expr_data *data, const char *folder, const char *name);
void expr_data_close(struct expr_data *data);

/* ---- Laps ---- */

struct expr_side {
    /* Does the work `repeats` times. */
    bool (*run)(void *context, uint32_t repeats, uint64_t *ns);
    void *context;
    uint32_t rows; /* of one run */
    uint32_t repeats;
    double sample[LAPS_MAX]; /* ns for a row, ascending once measured */
    double best, median;
};

/* A round without a sample that also finds how often each side must run to fill a lap, then `laps` rounds, each beginning
 * with another side. Sides without a function are left out. */
bool expr_laps_run(struct expr_side *side, uint32_t sides, uint32_t laps);

/* ---- Answers ---- */

enum { EXPR_FALSE, EXPR_TRUE, EXPR_ERROR, EXPR_ANSWERS };

struct expr_answers {
    uint64_t count[EXPR_ANSWERS];
    uint64_t hash;                 /* over the answers of all rows, in order */
    uint8_t first[EXPR_KEPT_ROWS]; /* of the first rows */
    uint32_t rows;
};

void expr_answers_begin(struct expr_answers *answers);
void expr_answers_add(struct expr_answers *answers, uint8_t answer);

/* ---- riffle ---- */

struct expr_engines {
    const struct expr_data *data;
    struct rf_compiled compiled;
    struct rf_pipeline_options options;
    struct rf_worker columns;               /* all rows as one batch, extracted */
    struct rf_worker raw;                   /* takes the bytes in batches of the pipeline's size */
    struct rf_interp *kept[EXPR_KEPT_ROWS]; /* each has read a record */
    uint32_t kept_rows;
    uint64_t host_rows; /* of all rows: asked from the interpreter by the vector engine */
    struct expr_answers answers;
};

/* Also looks at every row with each engine: all must give the same answers. */
bool expr_engines_open(struct expr_engines *engines, const struct expr_shape *shape, const struct expr_data *data);
void expr_engines_close(struct expr_engines *engines);
bool expr_interp_run(void *context, uint32_t repeats,
                     uint64_t *ns); /* context: struct expr_engines, as in the next three */
bool expr_columns_run(void *context, uint32_t repeats, uint64_t *ns);
bool expr_stage_run(void *context, uint32_t repeats, uint64_t *ns);
bool expr_raw_run(void *context, uint32_t repeats, uint64_t *ns);

/* ---- The search of regular expressions alone ---- */

struct expr_regex {
    struct rf_arena arena;
    struct rf_regex *regex;
    struct rf_str *text; /* [texts] the searched member of the first rows that have it as a string */
    uint32_t texts;
    uint64_t *bits;
    uint64_t matches;
    const struct bench_peers *peers[PEERS_MAX]; /* those that have RE2 */
    void *re2[PEERS_MAX];
    uint32_t peer_count;
};

struct expr_regex_peer { /* the context of expr_re2_run */
    const struct expr_regex *search;
    uint32_t peer;
};

/* Also compares what the sides find. */
bool expr_regex_open(struct expr_regex *search, const struct bench *bench, const struct expr_shape *shape,
                     const struct expr_engines *engines);
void expr_regex_close(struct expr_regex *search);
bool expr_regex_run(void *context, uint32_t repeats, uint64_t *ns); /* context: struct expr_regex */
bool expr_re2_run(void *context, uint32_t repeats, uint64_t *ns);   /* context: struct expr_regex_peer */

/* ---- CEL engines of PyPI ---- */

enum { EXPR_PYTHONS_MAX = 4, EXPR_REASON_BYTES = 160 };

struct expr_python;

struct expr_python_peer {
    struct expr_python *python;
    uint32_t number;
    char name[64]; /* and version */
    uint32_t rows; /* of a lap of the shape at hand */
    bool has_shape;
    char reason[EXPR_REASON_BYTES]; /* why not */
};

struct expr_python {
    int to_fd, from_fd;
    int pid; /* 0: there is none */
    struct expr_python_peer peer[EXPR_PYTHONS_MAX];
    uint32_t peers;
    char buffer[8192];
    size_t used;
};

/* Without bench->python there is no process, and no peers: true as well. */
bool expr_python_open(struct expr_python *python, const struct bench *bench);
void expr_python_close(struct expr_python *python);
bool expr_python_data(struct expr_python *python, const char *path);
/* A peer whose answers differ from those given has no shape. */
bool expr_python_shape(struct expr_python *python, const struct expr_shape *shape, const struct expr_answers *answers);
bool expr_python_run(void *context, uint32_t repeats, uint64_t *ns); /* context: struct expr_python_peer */

/* ---- Compiling ---- */

bool expr_compile_run(void *context, uint32_t repeats, uint64_t *ns); /* context: struct expr_shape */
enum { EXPR_MANY = 10000 };

struct expr_many { /* EXPR_MANY different expressions: an expression is what expr_laps_run takes for a row */
    struct rf_str *source;
    char *text;
};

bool expr_many_open(struct expr_many *many);
void expr_many_close(struct expr_many *many);
bool expr_many_together(void *context, uint32_t repeats, uint64_t *ns); /* in one call; context: struct expr_many */
bool expr_many_singly(void *context, uint32_t repeats, uint64_t *ns);   /* in a call for each */

#endif
