/* fix_encode_fixture.h: an encoder under test, and one made of printf beside it. */
#ifndef FIX_ENCODE_FIXTURE_H
#define FIX_ENCODE_FIXTURE_H

#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "fix_encode.h"
#include "fix_reader.h"
#include "fix_writer.h"

static struct rf_fix_template plain; /* FIX.4.4, D, no further fields */
static struct rf_fix_encoder encoder;
static struct writer writer;
static struct reader reader;
static struct rf_str message;
static struct rf_error err;
static char buffer[WRITER_BYTES];

static inline int prepare(void **state)
{
    (void)state;
    rf_fix_encoder_init(&encoder);
    return rf_fix_template_open(&plain, RF_STR("FIX.4.4"), RF_STR("D"), NULL, 0, &err) == RF_OK ? 0 : -1;
}

static inline void begin(void)
{
    rf_fix_begin(&encoder, &plain, buffer, sizeof(buffer));
    writer.body_bytes = 0;
    writer_print(&writer, "35=D|");
}

static inline void end_both(void)
{
    writer_end(&writer, "FIX.4.4");
    if (rf_fix_end(&encoder, &message, &err) != RF_OK) {
        fail_msg("%s", err.text);
    }
    assert_ptr_equal(message.data, buffer);
    assert_int_equal(message.count, writer.count);
    assert_memory_equal(message.data, writer.message, message.count);
    if (!reader_read(&reader, message)) {
        fail_msg("read back: %s", reader.problem);
    }
}

static inline void refused(enum rf_fix_problem problem, uint32_t tag)
{
    assert_int_equal(rf_fix_end(&encoder, &message, &err), problem == RF_FIX_PROBLEM_ROOM ? RF_E_LIMIT : RF_E_USAGE);
    assert_int_equal(encoder.problem, problem);
    assert_int_equal(encoder.problem_tag, tag);
    assert_int_equal(message.count, 0);
    assert_non_null(strstr(err.text, rf_fix_problem_sentence(problem)));
}

/* mantissa * 10^exponent by moving the point in the printed digits. */
static inline void decimal_print(char *out, int64_t mantissa, int exponent)
{
    char digits[64];
    const uint64_t magnitude = mantissa < 0 ? 0 - (uint64_t)mantissa : (uint64_t)mantissa;
    const int decimals = exponent < 0 ? -exponent : 0;
    int count = snprintf(digits, sizeof(digits), "%0*" PRIu64, decimals + 1, magnitude);
    for (int i = 0; i < exponent && magnitude != 0; i++) {
        digits[count++] = '0';
    }
    digits[count] = 0;
    if (decimals == 0) {
        sprintf(out, "%s%s", mantissa < 0 ? "-" : "", digits);
    } else {
        sprintf(out, "%s%.*s.%s", mantissa < 0 ? "-" : "", count - decimals, digits, digits + count - decimals);
    }
}

#endif
