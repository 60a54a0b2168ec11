#include "regex_lanes.h"

enum { NO_STATE = 0xff };

/* The classes of ASCII bytes, numbered anew. Gives how many there are. */
static uint32_t classes_number(const struct rf_regex *regex, uint8_t *of, uint8_t *class)
{
    uint32_t classes = 0;
    for (uint32_t b = 0; b < RF_LANES_END; b++) {
        uint32_t k = 0;
        while (k < classes && class[k] != regex->class_of[b]) {
            k++;
        }
        if (k == classes) {
            class[classes++] = regex->class_of[b];
        }
        of[b] = (uint8_t)k;
    }
    return classes;
}

/* States that ASCII reaches from the start, ascending. 0: there are more than `most`. */
static uint32_t states_reach(const struct rf_regex *regex, const uint8_t *class, uint32_t classes, uint32_t most,
                             uint32_t *state)
{
    uint32_t states = 1;
    state[0] = regex->start;
    for (uint32_t i = 0; i < states; i++) {
        for (uint32_t k = 0; k < classes; k++) {
            const uint32_t next = regex->next[((size_t)state[i] << regex->class_shift) + class[k]];
            uint32_t known = 0;
            while (known < states && state[known] != next) {
                known++;
            }
            if (known == states && states == most) {
                return 0;
            }
            if (known == states) {
                state[states++] = next;
            }
        }
    }
    for (uint32_t i = 1; i < states; i++) {
        const uint32_t own = state[i];
        uint32_t at = i;
        for (; at > 0 && state[at - 1] > own; at--) {
            state[at] = state[at - 1];
        }
        state[at] = own;
    }
    return states;
}

static uint8_t state_number(const uint32_t *state, uint32_t states, uint32_t of, uint32_t scale)
{
    for (uint32_t i = 0; i < states; i++) {
        if (state[i] == of) {
            return (uint8_t)(i * scale);
        }
    }
    return NO_STATE;
}

bool rf_regex_lanes_make(struct rf_regex_lanes *lanes, const struct rf_regex *regex)
{
    uint8_t class[RF_LANES_END];
    uint32_t state[RF_LANES_CELLS_MAX];
    if (regex->kind != RF_REGEX_DFA) {
        return false;
    }
    *lanes = (struct rf_regex_lanes){0};
    const uint32_t classes = classes_number(regex, lanes->of, class);
    const uint32_t scale = classes + 1;
    const uint32_t states = states_reach(regex, class, classes, RF_LANES_CELLS_MAX / scale, state);
    if (states == 0) {
        return false;
    }
    lanes->of[RF_LANES_END] = (uint8_t)classes;
    lanes->cells = states * scale;
    lanes->start = state_number(state, states, regex->start, scale);
    for (uint32_t i = 0; i < states; i++) {
        const uint8_t own = (uint8_t)(i * scale);
        for (uint32_t k = 0; k < classes; k++) {
            const uint32_t next = regex->next[((size_t)state[i] << regex->class_shift) + class[k]];
            lanes->next[own + k] = state_number(state, states, next, scale);
        }
        lanes->next[own + classes] = own;
        if (state[i] >= regex->end_begin && state[i] <= regex->match) {
            lanes->accept_low = lanes->has_accept ? lanes->accept_low : own;
            lanes->accept_high = own;
            lanes->has_accept = true;
        }
        if (state[i] >= regex->match && !lanes->has_final) {
            lanes->final = own;
            lanes->has_final = true;
        }
    }
    return true;
}

const struct rf_lanes_kernels *rf_lanes_kernels_of(enum rf_isa isa)
{
#if defined(__x86_64__)
    if (isa == RF_ISA_AVX512) {
        return &rf_lanes_kernels_avx512;
    }
#endif
    (void)isa;
    return NULL;
}
