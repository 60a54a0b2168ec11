/* value.h: one CEL value, as literals and the reference interpreter have it.
 *
 * Data       plain struct, passed by value; strings, lists and maps point into an arena or the record.
 * Ownership  whoever owns that arena or record.
 * Threads    immutable once made.
 * Source     CEL language definition, "Values"; JSON numbers as DESIGN decides: a message number is a double that
 *            keeps its exact integer for comparison (is_message, exact) and its token for output (text).
 */
#ifndef RF_VALUE_H
#define RF_VALUE_H

#include "arena.h"
#include "instant.h"
#include "ip.h"
#include "number.h"
#include "status.h"
#include "str.h"
#include "text.h"

enum rf_type {
    RF_TYPE_ERROR, /* an evaluation error; text says which */
    RF_TYPE_NULL,
    RF_TYPE_BOOL,
    RF_TYPE_INT,
    RF_TYPE_UINT,
    RF_TYPE_DOUBLE,
    RF_TYPE_STRING,
    RF_TYPE_BYTES,
    RF_TYPE_LIST,
    RF_TYPE_MAP,
    RF_TYPE_TIMESTAMP,
    RF_TYPE_DURATION,
    RF_TYPE_TYPE, /* a type as a value: type(1) */
    RF_TYPE_OPTIONAL,
    RF_TYPE_IP,
    RF_TYPE_CIDR,
    RF_TYPE_DYN /* of expressions only, never of a value: not known before run time */
};

struct rf_list;
struct rf_map;
struct rf_node;

struct rf_value {
    enum rf_type type;
    bool is_message; /* DOUBLE read from a message: integer literals beside it are promoted */
    bool boolean;
    uint32_t nanos;         /* TIMESTAMP: of the second */
    struct rf_number exact; /* INT, UINT, DOUBLE: the number; a message integer beyond 2^53 keeps INT or UINT here.
                                TIMESTAMP: seconds since 1970; DURATION: nanoseconds; both INT */
    struct rf_str text;     /* STRING, BYTES; ERROR: message; TYPE: its name; message DOUBLE: the token as written, or
                                empty */
    union {
        const struct rf_list *list;
        const struct rf_map *map;
        const struct rf_value *inner; /* OPTIONAL: what it holds; NULL when it holds nothing */
        const struct rf_cidr *net;    /* IP (the prefix is unused) and CIDR */
        const struct rf_node *origin; /* ERROR: the part of the expression that gave it; NULL: nobody has said yet */
    };
};

struct rf_list {
    size_t count;
    const struct rf_value *item;
};

struct rf_entry {
    struct rf_value key; /* BOOL, INT, UINT or STRING */
    struct rf_value value;
};

struct rf_map { /* in the order written; keys are distinct */
    size_t count;
    const struct rf_entry *entry;
    const uint32_t *by_key; /* entry numbers in the order of the keys, for large maps; or NULL */
};

const char *rf_type_name(enum rf_type type); /* CEL's names: "int", "double", "null_type", "dyn" ... */

struct rf_value rf_value_null(void);
struct rf_value rf_value_bool(bool value);
struct rf_value rf_value_int(int64_t value);
struct rf_value rf_value_uint(uint64_t value);
struct rf_value rf_value_double(double value);
struct rf_value rf_value_string(struct rf_str text);
struct rf_value rf_value_error(const char *text); /* static text */
struct rf_value rf_value_instant(struct rf_instant instant);
struct rf_value rf_value_duration(int64_t nanoseconds);
struct rf_value rf_value_type(enum rf_type type);                /* the type as a value */
struct rf_value rf_value_type_named(struct rf_str name);         /* of any name; borrowed */
struct rf_value rf_value_optional(const struct rf_value *inner); /* borrowed; NULL: optional.none() */
static inline struct rf_instant rf_value_to_instant(struct rf_value value)
{
    return (struct rf_instant){value.exact.as.i, value.nanos};
}
bool rf_value_is_number(struct rf_value value);
/* A number read from a message and held inside a list or map, whose token is beyond the double range (1e400): it can be
 * written as it stands, and every other use of it is an error. */
bool rf_value_is_beyond_range(struct rf_value value);

/* Errors that say that a bound was met, not that something is missing or of the wrong type. */
#define RF_ERROR_TOO_LARGE "the value is too large"
#define RF_ERROR_TOO_DEEP "a list or map is nested too deep to be used as a value"
#define RF_ERROR_TOO_LONG "the evaluation takes too many steps"
#define RF_ERROR_NO_ROOM "evaluation failed, and there is no room to say why"
bool rf_value_is_bound_error(struct rf_value value);

/* A value may hold another one many times (cel.bind(a, [1], [a, a])), so what looks at everything in it counts its
 * steps. */
enum { RF_VALUE_STEPS_MAX = 16 * 1024 * 1024 };

/* Lists and maps nest at most this deep: message values 1792 levels (json_value.h), literals 256 (parser.h) around
 * them. */
enum { RF_VALUE_DEPTH_MAX = 2048 };

enum rf_equality {
    RF_EQUALITY_DIFFERENT,
    RF_EQUALITY_SAME,
    RF_EQUALITY_ERROR /* an element that cannot be used was met (rf_value_is_beyond_range), or a bound */
};

/* CEL equality over mixed types: numbers on one exact line, other types never equal; lists and maps by element.
 * RF_TYPE_ERROR operands give RF_EQUALITY_ERROR. Explicit stack: no recursion. */
enum rf_equality rf_value_match(struct rf_value a, struct rf_value b);
/* The same where many pairs share the bound: *steps, taken so far, goes up to RF_VALUE_STEPS_MAX; from then on lists and
 * maps give RF_EQUALITY_ERROR. */
enum rf_equality rf_value_match_within(struct rf_value a, struct rf_value b, uint32_t *steps);
/* What looking at all of a value takes: a step for each value in it and one for each byte of its texts, at most
 * RF_VALUE_STEPS_MAX; and what comparing two takes at most. */
uint64_t rf_value_work(const struct rf_value *value);
uint64_t rf_value_work_of_match(const struct rf_value *a, const struct rf_value *b);
/* The first error inside a list or map (or the value itself), or NULL. Such a value cannot be written. A value beyond
 * RF_VALUE_DEPTH_MAX or RF_VALUE_STEPS_MAX gives an error that says so. */
const struct rf_value *rf_value_find_error(const struct rf_value *value);

enum rf_twins {                  /* what becomes of two entries with equal keys */
                RF_TWINS_LAST,   /* the value of the last in the place of the first, as JSON readers do */
                RF_TWINS_REFUSED /* no map */
};

/* A map of those entries, which are rearranged in place and must outlive it. NULL when the arena is full, or with
 * *has_twins set where they are refused. Time n log n. */
const struct rf_map *rf_map_make(struct rf_arena *arena, struct rf_entry *entry, size_t count, enum rf_twins twins,
                                 bool *has_twins);
/* The entry of a map under that key (numbers on one line), or NULL. */
const struct rf_entry *rf_map_find(const struct rf_map *map, struct rf_value key);
/* Ordering where CEL has one (numbers, bool, string, bytes, timestamp, duration); false in *is_comparable across types. NaN:
 * RF_ORDER_NONE. */
enum rf_order rf_value_order(struct rf_value a, struct rf_value b, bool *is_comparable);

/* A TIMESTAMP (RFC 3339), DURATION ("1.5s"), IP or CIDR as string() gives it; the count of bytes written. */
enum { RF_VALUE_TEXT_MAX = 64 };
size_t rf_value_text(struct rf_value value, char text[RF_VALUE_TEXT_MAX]);

/* Appends the value as JSON. Message numbers and integers as written; int and uint outside +-(2^53-1) as decimal
 * strings? no: as JSON integers, exact (users pipe ids on); NaN and infinities as strings "NaN", "Infinity",
 * "-Infinity"; bytes as base64; timestamps, durations, addresses and types as strings; an optional as what it holds, or
 * null. RF_TYPE_ERROR is a programmer error. */
enum rf_status rf_value_write_json(struct rf_text *out, struct rf_value value, struct rf_error *err);
/* One CSV field (RFC 4180 quoting): strings plain, null empty, lists and maps as JSON text. */
enum rf_status rf_value_write_csv(struct rf_text *out, struct rf_value value, struct rf_error *err);

#endif
