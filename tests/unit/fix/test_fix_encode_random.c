/* test_fix_encode_random.c: random messages, in buffers of every size. */
#include "fix_encode_fixture.h"

enum { STEPS_MAX = 40, TEXT_MAX = 80 };

struct step {
    int kind;
    uint32_t tag;
    int64_t number;
    int32_t exponent;
    char text[TEXT_MAX];
    size_t count;
};

static uint64_t random_state;

static uint32_t random_below(uint32_t bound)
{
    random_state = random_state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)((random_state >> 32) * bound >> 32);
}

static void step_make(struct step *step)
{
    static const uint32_t tag[] = {1, 11, 34, 55, 100, 453, 1128, 5001, 20000, 123456, 1234567, 987654321};
    step->kind = (int)random_below(7);
    step->tag = tag[random_below(sizeof(tag) / sizeof(tag[0]))];
    step->number = (int64_t)(random_state >> random_below(63)) * (random_below(2) == 0 ? 1 : -1);
    step->exponent = (int32_t)random_below(37) - 18;
    step->count = 1 + random_below(random_below(4) == 0 ? TEXT_MAX - 1 : 12);
    for (size_t i = 0; i < step->count; i++) {
        step->text[i] = (char)(2 + random_below(254));
    }
}

static void step_put(const struct step *step)
{
    const struct rf_str text = {step->text, step->count};
    switch (step->kind) {
    case 0:
        rf_fix_put_text(&encoder, step->tag, text);
        break;
    case 1:
        rf_fix_put_int(&encoder, step->tag, step->number);
        break;
    case 2:
        rf_fix_put_uint(&encoder, step->tag, (uint64_t)step->number);
        break;
    case 3:
        rf_fix_put_decimal(&encoder, step->tag, step->number, step->exponent);
        break;
    case 4:
        rf_fix_put_data(&encoder, 95, 96, text);
        break;
    case 5:
        rf_fix_put_time(&encoder, step->tag, (int64_t)((uint64_t)step->number >> 6), RF_FIX_MILLISECONDS);
        break;
    default:
        rf_fix_put_char(&encoder, step->tag, step->text[0]);
        break;
    }
}

static void step_print(const struct step *step)
{
    char text[128];
    switch (step->kind) {
    case 0:
        writer_add(&writer, step->tag, step->text, step->count);
        break;
    case 1:
        writer_print(&writer, "%u=%" PRId64 "|", step->tag, step->number);
        break;
    case 2:
        writer_print(&writer, "%u=%" PRIu64 "|", step->tag, (uint64_t)step->number);
        break;
    case 3:
        decimal_print(text, step->number, step->exponent);
        writer_print(&writer, "%u=%s|", step->tag, text);
        break;
    case 4:
        writer_print(&writer, "95=%zu|", step->count);
        writer_add(&writer, 96, step->text, step->count);
        break;
    case 5: {
        const int64_t nanoseconds = (int64_t)((uint64_t)step->number >> 6);
        const time_t when = (time_t)(nanoseconds / 1000000000);
        struct tm parts;
        gmtime_r(&when, &parts);
        strftime(text, sizeof(text), "%Y%m%d-%H:%M:%S", &parts);
        writer_print(&writer, "%u=%s.%03d|", step->tag, text, (int)(nanoseconds / 1000000 % 1000));
        break;
    }
    default:
        writer_add(&writer, step->tag, step->text, 1);
        break;
    }
}

static bool build(const struct step *step, size_t steps, char *room, size_t bytes)
{
    rf_fix_begin(&encoder, &plain, room, bytes);
    for (size_t i = 0; i < steps; i++) {
        step_put(&step[i]);
    }
    return rf_fix_end(&encoder, &message, &err) == RF_OK;
}

static void test_random_messages(void **state)
{
    (void)state;
    static struct step step[STEPS_MAX];
    random_state = 11;
    for (int round = 0; round < 3000; round++) {
        const size_t steps = random_below(STEPS_MAX);
        begin();
        for (size_t i = 0; i < steps; i++) {
            step_make(&step[i]);
            step_put(&step[i]);
            step_print(&step[i]);
        }
        end_both();
        const size_t needed = message.count;
        if (round >= 300) {
            continue;
        }
        /* Only a buffer of the size that is needed will do, and one that is larger; nothing behind it is written (the
         * sanitizer sees to that, and here the byte behind it). The digits of BodyLength are guessed anew each time. */
        for (size_t bytes = 0; bytes <= needed + 2; bytes += bytes + 80 < needed && steps > 8 ? 13 : 1) {
            char *const room = malloc(bytes + 1);
            assert_non_null(room);
            room[bytes] = '#';
            if (random_below(2) == 0) {
                rf_fix_encoder_init(&encoder);
            }
            const bool is_built = build(step, steps, room, bytes);
            assert_int_equal(room[bytes], '#');
            assert_int_equal(is_built, bytes >= needed);
            if (is_built) {
                assert_int_equal(message.count, needed);
                assert_memory_equal(room, writer.message, needed);
            } else {
                assert_int_equal(encoder.problem, RF_FIX_PROBLEM_ROOM);
            }
            free(room);
        }
    }
}

/* Groups of 9 to 101 entries in every buffer that is too small: what is moved to make room for digits stays inside. */
static void test_groups_in_small_buffers(void **state)
{
    (void)state;
    static const unsigned entries[] = {9, 10, 11, 99, 100, 101};
    for (size_t e = 0; e < sizeof(entries) / sizeof(entries[0]); e++) {
        size_t needed = SIZE_MAX;
        for (size_t bytes = 4096; bytes > 0; bytes = bytes == 4096 ? needed + 1 : bytes - 1) {
            char *const room = malloc(bytes + 1);
            assert_non_null(room);
            room[bytes] = '#';
            rf_fix_begin(&encoder, &plain, room, bytes);
            rf_fix_group_open(&encoder, 453);
            for (unsigned i = 0; i < entries[e]; i++) {
                rf_fix_group_next(&encoder);
                rf_fix_put_char(&encoder, 448, 'x');
            }
            rf_fix_group_shut(&encoder);
            const bool is_built = rf_fix_end(&encoder, &message, &err) == RF_OK;
            needed = bytes == 4096 ? message.count : needed;
            assert_int_equal(is_built, bytes >= needed);
            assert_int_equal(room[bytes], '#');
            free(room);
        }
    }
}

/* Messages stand back to back, as a socket wants them. */
static void test_messages_back_to_back(void **state)
{
    (void)state;
    size_t used = 0;
    size_t count = 0;
    for (;; count++) {
        rf_fix_begin(&encoder, &plain, buffer + used, 4096 - used);
        rf_fix_put_uint(&encoder, 34, count);
        rf_fix_put_text(&encoder, 58, (struct rf_str){"0123456789abcdefghijklmnopqrstuvwxyz", 1 + count % 36});
        if (rf_fix_end(&encoder, &message, &err) != RF_OK) {
            break;
        }
        used += message.count;
    }
    assert_int_equal(err.status, RF_E_LIMIT);
    assert_true(count > 50);
    for (size_t at = 0, number = 0; at < used; number++) {
        const char *const end = strstr(buffer + at, "\00110=");
        assert_non_null(end);
        const size_t bytes = (size_t)(end + 8 - (buffer + at));
        assert_true(reader_read(&reader, (struct rf_str){buffer + at, bytes}));
        assert_true(reader_number_is(reader.field[3].value, number, "%zu"));
        at += bytes;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_random_messages, prepare),
        cmocka_unit_test_setup(test_groups_in_small_buffers, prepare),
        cmocka_unit_test_setup(test_messages_back_to_back, prepare),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
