/* The FIX encoder under any sequence of calls with any arguments, in a buffer of any size: what it builds reads back as what
 * was put, and a message that is refused has a problem. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fix_encode.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct input {
    const uint8_t *at, *end;
};

static void require(bool is_true)
{
    if (!is_true) {
        abort();
    }
}

static uint64_t take(struct input *input, size_t bytes)
{
    uint64_t value = 0;
    for (; bytes > 0 && input->at < input->end; bytes--) {
        value = value << 8 | *input->at++;
    }
    return value;
}

static struct rf_str take_text(struct input *input)
{
    const size_t wanted = (size_t)take(input, 1);
    const size_t left = (size_t)(input->end - input->at);
    const struct rf_str text = {(const char *)input->at, wanted < left ? wanted : left};
    input->at += text.count;
    return text;
}

/* One call; true when it opens a group, whose count field needs room although it may be taken back. */
static bool put(struct rf_fix_encoder *encoder, struct input *input)
{
    const uint32_t kind = (uint32_t)take(input, 1) % 13;
    const uint32_t tag = (uint32_t)take(input, kind % 2 == 0 ? 1 : 4);
    double real;
    uint64_t bits;
    switch (kind) {
    case 0:
        rf_fix_put_text(encoder, tag, take_text(input));
        break;
    case 1:
        rf_fix_put_char(encoder, tag, (char)take(input, 1));
        break;
    case 2:
        rf_fix_put_int(encoder, tag, (int64_t)take(input, 8));
        break;
    case 3:
        rf_fix_put_uint(encoder, tag, take(input, 8));
        break;
    case 4:
        bits = take(input, 8);
        memcpy(&real, &bits, sizeof(real));
        rf_fix_put_double(encoder, tag, real);
        break;
    case 5:
        rf_fix_put_decimal(encoder, tag, (int64_t)take(input, 8), (int8_t)take(input, 1));
        break;
    case 6:
        rf_fix_put_time(encoder, tag, (int64_t)take(input, 8), (enum rf_fix_precision)take(input, 1));
        break;
    case 7:
        rf_fix_put_data(encoder, 95, 96, take_text(input));
        break;
    case 8:
        rf_fix_put_data(encoder, tag, tag + 1, take_text(input));
        break;
    case 9:
        rf_fix_put_header(encoder, take(input, 4), (int64_t)take(input, 8), RF_FIX_MILLISECONDS);
        break;
    case 10:
        rf_fix_group_open(encoder, tag);
        break;
    case 11:
        rf_fix_group_next(encoder);
        break;
    default:
        rf_fix_group_shut(encoder);
        break;
    }
    return kind == 10;
}

/* The frame: BodyLength and CheckSum, and a separator at every end. */
static void check_frame(struct rf_str message)
{
    static const char head[] = "8=FIX.4.4\0019=";
    require(message.count > sizeof(head) + 7 && memcmp(message.data, head, sizeof(head) - 1) == 0);
    size_t at = sizeof(head) - 1;
    size_t length = 0;
    require(message.data[at] != '0');
    for (; message.data[at] != RF_FIX_SOH_BYTE; at++) {
        length = length * 10 + (size_t)(message.data[at] - '0');
    }
    require(at + 1 + length + 7 == message.count);
    unsigned sum = 0;
    for (size_t i = 0; i < message.count - 7; i++) {
        sum += (unsigned char)message.data[i];
    }
    char trailer[16];
    snprintf(trailer, sizeof(trailer), "10=%03u\001", sum % 256);
    require(memcmp(message.data + message.count - 7, trailer, 7) == 0);
    require(message.data[message.count - 8] == RF_FIX_SOH_BYTE);
    require(memcmp(message.data + at + 1, "35=D\001", 5) == 0);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct rf_fix_template header;
    struct rf_fix_encoder encoder;
    struct input input = {data, data + size};
    struct rf_error err;
    require(rf_fix_template_open(&header, RF_STR("FIX.4.4"), RF_STR("D"), NULL, 0, &err) == RF_OK);
    rf_fix_encoder_init(&encoder);
    while (input.at < input.end) {
        /* A message in a buffer of exactly so many bytes; then the same once more in one that is ample. */
        const size_t bytes = (size_t)take(&input, 2) % 2048;
        const size_t steps = (size_t)take(&input, 1);
        const struct input begin = input;
        char *const room = malloc(bytes + 1);
        static char ample[1 << 18];
        struct rf_str message;
        struct rf_str whole;
        require(room != NULL);
        bool has_group = false;
        rf_fix_begin(&encoder, &header, room, bytes);
        for (size_t i = 0; i < steps; i++) {
            has_group = put(&encoder, &input) || has_group;
        }
        const bool is_built = rf_fix_end(&encoder, &message, &err) == RF_OK;
        const enum rf_fix_problem problem = encoder.problem;
        input = begin;
        rf_fix_begin(&encoder, &header, ample, sizeof(ample));
        for (size_t i = 0; i < steps; i++) {
            put(&encoder, &input);
        }
        const bool is_whole = rf_fix_end(&encoder, &whole, &err) == RF_OK;
        if (is_whole) {
            check_frame(whole);
        }
        if (is_built) {
            require(is_whole && rf_str_equal(message, whole));
        } else {
            /* Either the room was too small, or the arguments were wrong with any room. */
            require(problem == RF_FIX_PROBLEM_ROOM || problem == encoder.problem);
            require(!is_whole || whole.count > bytes || has_group);
        }
        free(room);
    }
    return 0;
}
