/* rules.h: a rules file: from YAML to named predicates, and those to one program.
 *
 * Purpose    Two steps. rf_rules_read: the text of a file to rules, sweeps written out to variants; everything that is wrong
 *            with the file is told at once. rf_rules_compile: the rules, and further expressions of the caller's, to one
 *            rf_compiled, in which predicate r is rule r.
 * Data       S sources (what the file has under `rules`), R rules: a source without sweep is one rule, a sweep is one for
 *            each combination, the last parameter counting fastest. Rules of a source are neighbours, in the order of the file:
 *              source[S]   rule_begin .. rule_end are its rules
 *              rule[R]     name, source
 *              program     predicate[0 .. R) the rules, then the caller's predicates; projection[0 .. E) the caller's, then the
 *                          event time when there is one, then the keys (`per`) of the rules, each distinct one once
 * Ownership  rf_rules_close frees everything, the compiled program is the caller's (rf_rules_program_close). The program
 *            borrows nothing from the rules but names; close it first.
 * Threads    immutable once made.
 * Bounds     yaml.h for the file; RF_RULES_MAX rules, parser.h and planner.h for expressions.
 * Errors     RF_E_CONFIG with problems filled: the file is wrong; RF_E_EXPR with *diagnostic and *failed: one of the
 *            caller's expressions is (predicates, projections, time); RF_E_LIMIT, RF_E_MEMORY.
 */
#ifndef RF_RULES_H
#define RF_RULES_H

#include "compile.h"
#include "config.h"

enum { RF_RULES_MAX = 1000000, RF_RULE_NAME_MAX = 200, RF_SWEEP_PARAMETERS_MAX = 32 };

enum rf_rule_window { RF_WINDOW_SLIDING, RF_WINDOW_TUMBLING };

/* What is remembered from one record to the next. All 0: nothing. Without `per` all records have one key. */
struct rf_rule_state {
    int64_t cooldown_ns;      /* 0: none. After a hit no further one of that key for so long, in event time */
    bool is_first;            /* only the first hit of each key */
    uint32_t every;           /* 0: none; n: each n-th hit of a key */
    bool is_changed;          /* only where the record of that key before was not true */
    bool has_count;           /* only when more than ... within ... are true */
    uint32_t count_more_than; /* */
    int64_t count_within_ns;
    enum rf_rule_window count_window;
};

struct rf_rule_source {
    struct rf_str name;
    const struct rf_str *tag; /* [tags] */
    uint32_t tags;
    struct rf_config_text when; /* as written */
    struct rf_config_text per;  /* .text "": none */
    const struct rf_rule_parameter *parameter; /* [parameters] the sweep, in the order of the file */
    uint32_t parameters;
    struct rf_rule_state state;
    uint32_t rule_begin, rule_end;
    uint32_t begin;        /* byte of the file at which it is named; caret.h has its line and column */
    bool is_broken;        /* there is a problem with its fields; it has no rules */
};

struct rf_rule {
    struct rf_str name; /* spike{t=150,q=10}; of a source without sweep its name */
    uint32_t source;
};

struct rf_rule_value { /* of a parameter */
    struct rf_str text;    /* as names have it: 0.3 */
    struct rf_value value; /* INT, DOUBLE, STRING or BOOL */
};

struct rf_rule_parameter {
    struct rf_str name;
    const struct rf_rule_value *value; /* [values] */
    uint32_t values;
    const struct rf_yaml_node *node; /* its key is the name */
};

/* Names that rules and each other may use, in the order in which they may: subject sets, then `let`. */
struct rf_rule_let {
    struct rf_str name;
    struct rf_config_text expression; /* of a subject set subjectMatches(OF, []), without a place */
    const struct rf_list *patterns;   /* of a subject set: what belongs between the brackets; else NULL */
    const struct rf_yaml_node *node;  /* its key is the name */
};

struct rf_rules_fires { /* what one record of a test hits */
    uint32_t record; /* from 1 */
    const uint32_t *rule; /* [rules] */
    uint32_t rules;
};

struct rf_rules_test { /* records and the rules that they hit */
    struct rf_str name;
    const struct rf_str *record; /* [records] texts as they stand in an input */
    uint32_t records;
    bool is_json;          /* they were written as YAML */
    bool has_fires;        /* the rules that any of them hits were given */
    const uint32_t *fires; /* [fire_count] rules */
    uint32_t fire_count;
    const struct rf_rules_fires *at; /* [at_count] by record, ascending; the others may hit what they like */
    uint32_t at_count;
    const uint32_t *only; /* [only_count] sources that the test is about; none: all */
    uint32_t only_count;
    uint32_t begin; /* byte of the file at which it begins */
};

struct rf_rules {
    struct rf_str file;
    struct rf_arena arena;
    struct rf_problems problems;
    const struct rf_rule_let *let; /* [lets] */
    uint32_t lets;
    struct rf_config_text time; /* when a record happened; .node NULL: the file does not say */
    const struct rf_rule_source *source; /* [sources] */
    uint32_t sources;
    const struct rf_rule *rule; /* [rules] */
    uint32_t rules;
    const struct rf_rules_test *test; /* [tests] */
    uint32_t tests;
    bool needs_state; /* some rule has a rf_rule_state that is not all 0 */
};

/* What a caller wants from each record besides the rules. */
struct rf_rules_extra {
    const struct rf_str *predicate; /* [predicates] */
    uint32_t predicates;
    const struct rf_str *projection; /* [projections] e.g. a label */
    uint32_t projections;
    struct rf_str time;    /* when a record happened; "": what the file says */
    bool is_time_standard; /* it is so only where the file does not say */
};

struct rf_rules_program {
    struct rf_compiled compiled;
    uint32_t rules;      /* predicate r < rules is rule r; the caller's predicate i is rules + i */
    const uint32_t *per; /* [rules] projection that is the rule's key; RF_NONE: one key for all records. In compiled.arena */
    uint32_t time;       /* projection of the event time; RF_NONE: none */
    uint32_t key_begin;  /* projections [key_begin, key_begin + keys) are keys */
    uint32_t keys;
};

/* The source must outlive the rules; file is how messages name it. *out is made in any case and must be closed: with
 * RF_E_CONFIG it holds the problems alone. */
enum rf_status rf_rules_read(struct rf_str file, struct rf_str source, struct rf_rules **out, struct rf_error *err);
void rf_rules_close(struct rf_rules *rules);

/* options.env may have a FIX dictionary; options.plans_values is about all projections. RF_E_CONFIG: rules->problems has what is
 * wrong with expressions of the file too, one for each. After rf_rules_read has ended with RF_E_CONFIG this call does so as
 * well, and serves to find these. */
enum rf_status rf_rules_compile(struct rf_rules *rules, const struct rf_rules_extra *extra,
                                struct rf_compile_options options, struct rf_rules_program *out,
                                struct rf_diagnostic *diagnostic, uint32_t *failed, struct rf_error *err);
void rf_rules_program_close(struct rf_rules_program *program);

/* A number that two runs have in common when their rules, and what else was asked (any text), are the same; never 0. */
enum rf_status rf_rules_digest(const struct rf_rules *rules, struct rf_str asked, uint64_t *digest, struct rf_error *err);
/* Value of parameter k (< source.parameters) of a rule. */
const struct rf_rule_value *rf_rules_value(const struct rf_rules *rules, uint32_t rule, uint32_t parameter);
/* The number of a rule of this name; RF_NONE: there is none. Time linear in the rules of its source. */
uint32_t rf_rules_find(const struct rf_rules *rules, struct rf_str name);

#endif
