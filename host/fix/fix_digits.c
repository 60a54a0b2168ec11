/* The numbers of three digits, spelled by the preprocessor. */
#include "fix_digits.h"

#define THREE(h, t, o) (0x303030u | (h) | (t) << 8 | (o) << 16 | ((h) + (t) + (o)) << 24)
#define TEN(h, t)                                                                                                      \
    THREE(h, t, 0u), THREE(h, t, 1u), THREE(h, t, 2u), THREE(h, t, 3u), THREE(h, t, 4u), THREE(h, t, 5u),              \
        THREE(h, t, 6u), THREE(h, t, 7u), THREE(h, t, 8u), THREE(h, t, 9u)
#define HUNDRED(h)                                                                                                     \
    TEN(h, 0u), TEN(h, 1u), TEN(h, 2u), TEN(h, 3u), TEN(h, 4u), TEN(h, 5u), TEN(h, 6u), TEN(h, 7u), TEN(h, 8u),        \
        TEN(h, 9u)

const uint32_t rf_fix_three[1000] = {HUNDRED(0u), HUNDRED(1u), HUNDRED(2u), HUNDRED(3u), HUNDRED(4u),
                                     HUNDRED(5u), HUNDRED(6u), HUNDRED(7u), HUNDRED(8u), HUNDRED(9u)};
