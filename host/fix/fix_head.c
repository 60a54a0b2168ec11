/* The tags below 1000 as they are written, spelled by the preprocessor. */
#include "fix_encode.h"

#define TAG(h, t, o) ((h)*100u + (t)*10u + (o))
#define IS_FREE(tag) ((tag) != 0 && ((tag) < 8 || (tag) > 10) && (tag) != 35)
#define CHARACTER(digit, place) ((uint64_t)('0' + (digit)) << (8 * (place)))
#define MARK(place) ((uint64_t)'=' << (8 * (place)) | (uint64_t)((place) + 1) << 56)
#define HEAD(h, t, o)                                                                                                  \
    (!IS_FREE(TAG(h, t, o)) ? TAG(h, t, o)                                                                             \
     : (h) != 0             ? CHARACTER(h, 0) | CHARACTER(t, 1) | CHARACTER(o, 2) | MARK(3)                            \
     : (t) != 0             ? CHARACTER(t, 0) | CHARACTER(o, 1) | MARK(2)                                              \
                            : CHARACTER(o, 0) | MARK(1))
#define TEN(h, t)                                                                                                      \
    HEAD(h, t, 0), HEAD(h, t, 1), HEAD(h, t, 2), HEAD(h, t, 3), HEAD(h, t, 4), HEAD(h, t, 5), HEAD(h, t, 6),           \
        HEAD(h, t, 7), HEAD(h, t, 8), HEAD(h, t, 9)
#define HUNDRED(h)                                                                                                     \
    TEN(h, 0), TEN(h, 1), TEN(h, 2), TEN(h, 3), TEN(h, 4), TEN(h, 5), TEN(h, 6), TEN(h, 7), TEN(h, 8), TEN(h, 9)

const uint64_t rf_fix_heads[RF_FIX_HEADS] = {HUNDRED(0), HUNDRED(1), HUNDRED(2), HUNDRED(3), HUNDRED(4),
                                             HUNDRED(5), HUNDRED(6), HUNDRED(7), HUNDRED(8), HUNDRED(9)};
