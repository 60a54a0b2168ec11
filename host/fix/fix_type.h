/* fix_type.h: the data types of FIX, and the text of a field as a value of its type.
 *
 * Data       a type has one class of values (fix_type.def), and each class one C type in struct rf_fix_value. Texts and
 *            lists point into the text that was given; nothing is copied.
 * Threads    pure functions; nothing is allocated, and neither locale nor time zone of the process is read.
 * Errors     false: the text is no value of the type; the result is then unchanged. Every text is safe.
 * Cost       linear in the text; a price takes about 15 ns, a timestamp about 20 ns.
 * Source     FIX 4.4, volume 1, "Field data types", and the data types of FIX 5.0 SP2 for the types with a time zone.
 *            Numbers have an optional '-', no '+' and no exponent; leading zeros, ".5" and "5." are numbers.
 */
#ifndef RF_FIX_TYPE_H
#define RF_FIX_TYPE_H

#include "instant.h"
#include "str.h"

enum rf_fix_type {
#define RF_FIX_TYPE(id, name, class) RF_FIX_TYPE_##id,
#define RF_FIX_TYPE_ALIAS(id, name)
#include "fix_type.def"
#undef RF_FIX_TYPE
#undef RF_FIX_TYPE_ALIAS
    RF_FIX_TYPE_COUNT
};

enum rf_fix_class {
    RF_FIX_CLASS_INT,
    RF_FIX_CLASS_DOUBLE,
    RF_FIX_CLASS_BOOL,
    RF_FIX_CLASS_INSTANT,
    RF_FIX_CLASS_DURATION, /* since midnight */
    RF_FIX_CLASS_TEXT,
    RF_FIX_CLASS_LIST, /* texts between blanks: rf_fix_list_next */
    RF_FIX_CLASS_BYTES
};

struct rf_fix_value {
    enum rf_fix_class kind;
    union {
        int64_t integer;
        double number;
        bool truth;
        struct rf_instant instant;
        int64_t nanoseconds; /* DURATION */
        struct rf_str text;  /* TEXT, LIST, BYTES */
    } as;
};

const char *rf_fix_type_name(enum rf_fix_type type); /* "UTCTimestamp" */
enum rf_fix_class rf_fix_type_class(enum rf_fix_type type);
/* The type of a name as Orchestra or QuickFIX write it, in any case. */
bool rf_fix_type_of_name(struct rf_str name, enum rf_fix_type *out);

/* The value of a text:
 *   INT       digits, a '-' before them; 64 bits
 *   DOUBLE    digits with at most one point, a '-' before them; correctly rounded; false beyond the double range
 *   BOOL      "Y" or "N"
 *   INSTANT   UTCTimestamp: "YYYYMMDD-HH:MM:SS", with a fraction of 1 to 12 digits behind a point, of which those
 *             beyond the ninth are cut off. TZTimestamp: the seconds may be left out, and "Z", "+hh", "-hh", "+hh:mm" or
 *             "-hh:mm" must follow. A second 60 only where it is 23:59 in UTC; it is the first second of the next
 *             day, since instants know no leap second. False for days that the month lacks and for year 0.
 *   DURATION  "HH:MM:SS" with a fraction as above; "23:59:60" is a whole day
 *   TEXT, LIST, BYTES  any text, an empty one too. That a text is UTF-8 is for the caller to check. */
bool rf_fix_value(enum rf_fix_type type, struct rf_str text, struct rf_fix_value *out);

/* Takes the next item off a list; false when there is none. Several blanks are as one, and those at the ends are none:
 * no item is empty. */
bool rf_fix_list_next(struct rf_str *rest, struct rf_str *item);

/* The parts of rf_fix_value, for those who know the class. */
bool rf_fix_int(struct rf_str text, int64_t *out);
bool rf_fix_double(struct rf_str text, double *out);
bool rf_fix_bool(struct rf_str text, bool *out);
bool rf_fix_utc_timestamp(struct rf_str text, struct rf_instant *out);
bool rf_fix_tz_timestamp(struct rf_str text, struct rf_instant *out);
bool rf_fix_time_of_day(struct rf_str text, int64_t *nanoseconds);

#endif
