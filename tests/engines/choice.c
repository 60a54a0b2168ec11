#include "choice.h"

#include <stdio.h>
#include <stdlib.h>

struct choice choice_of_seed(uint64_t seed)
{
    return (struct choice){.state = seed * 0x9e3779b97f4a7c15u};
}

struct choice choice_of_bytes(const uint8_t *data, size_t size)
{
    return (struct choice){.data = data, .size = size};
}

uint64_t choose_bits(struct choice *choice)
{
    uint64_t z = choice->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static uint32_t choose_byte(struct choice *choice)
{
    if (choice->at == choice->size) {
        return (uint32_t)(choose_bits(choice) >> 56);
    }
    const uint8_t byte = choice->data[choice->at++];
    choice->state = (choice->state + byte + 1) * 6364136223846793005u;
    return byte;
}

uint32_t choose(struct choice *choice, uint32_t count)
{
    const uint32_t byte = choose_byte(choice);
    return count <= 256 ? byte * count / 256 : (byte * 256 + choose_byte(choice)) % count;
}

bool choose_rarely(struct choice *choice, uint32_t of_256)
{
    return choose_byte(choice) < of_256;
}

void put_str(struct rf_text *out, struct rf_str text)
{
    struct rf_error err;
    if (rf_text_append(out, text, &err) != RF_OK) {
        abort();
    }
}

void put(struct rf_text *out, const char *text)
{
    put_str(out, rf_str_of(text));
}

void put_format(struct rf_text *out, const char *format, ...)
{
    char text[512];
    va_list args;
    va_start(args, format);
    const int count = vsnprintf(text, sizeof text, format, args);
    va_end(args);
    if (count < 0 || (size_t)count >= sizeof text) {
        abort();
    }
    put_str(out, (struct rf_str){text, (size_t)count});
}
