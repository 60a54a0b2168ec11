#!/usr/bin/env python3
"""Writes host/base/pow5.def: the powers of five that decimal.c multiplies with.

Entry q holds the 128 leading bits of 5^q, highest bit set, for every q at which a mantissa of up to
64 bits can still give a finite, non-zero double: 2^64 * 10^-343 is below half of the smallest
subnormal, and 1 * 10^309 is above the largest double. For q >= 0 the bits are cut; for -27 <= q < 0
the reciprocal is rounded up, which makes exact quotients come out exact; below that it is cut as
well: see section 5 and the appendix of Lemire, Number Parsing at a Gigabyte per Second, 2021.

Run:  python3 cmake/make_pow5.py > host/base/pow5.def
"""

BITS = 128
LOWEST = -342
HIGHEST = 308
ROUNDED_UP_FROM = -27


def leading_bits(q):
    if q >= 0:
        power = 5**q
        surplus = power.bit_length() - BITS
        return power >> surplus if surplus > 0 else power << -surplus
    divisor = 5**-q
    # 2^(n - 1) < divisor < 2^n, so that the quotient below has exactly BITS bits.
    quotient = (1 << (divisor.bit_length() + BITS - 1)) // divisor
    return quotient + 1 if q >= ROUNDED_UP_FROM else quotient


def main():
    print("/* RF_POW5(q, high, low): the 128 leading bits of 5^q. Made by cmake/make_pow5.py. */")
    for q in range(LOWEST, HIGHEST + 1):
        bits = leading_bits(q)
        assert bits.bit_length() == BITS
        print(f"RF_POW5({q}, 0x{bits >> 64:016x}, 0x{bits & (2**64 - 1):016x})")


if __name__ == "__main__":
    main()
