#!/usr/bin/env python3
"""Writes host/regex/unicode_tables.c: what regular expressions need of the Unicode Character Database.

Three things, each as ascending runs of code points:
  - the general category of each assigned code point (UnicodeData.txt),
  - the script of each code point that has one (Scripts.txt),
  - the orbits of simple case folding (CaseFolding.txt, status C and S): code points with the same folding
    form a circle in ascending order, and a run says how to get from each of its members to the next one.

Run:  apt-get install unicode-data   # 15.0.0 in Debian 12
      python3 host/regex/unicode_tables.py /usr/share/unicode > host/regex/unicode_tables.c
"""

import os
import sys

CODE_POINTS = 0x110000
WIDTH = 118

HEAD = """\
/* unicode_tables.c: general categories, scripts and case folding of Unicode {version}.
 *
 * Made by host/regex/unicode_tables.py from UnicodeData.txt, Scripts.txt and CaseFolding.txt of the Unicode
 * Character Database (Debian package unicode-data); changed from those files in form, not in content. Do not edit.
 *
 * Source and licence of the data: https://www.unicode.org/Public/{version}/ucd/, Unicode License (SPDX
 * Unicode-DFS-2016; the same terms are today named Unicode-3.0, https://www.unicode.org/license.txt):
 *
 *   Copyright (c) 1991-2022 Unicode, Inc. All rights reserved.
 *   Distributed under the Terms of Use in https://www.unicode.org/copyright.html.
 *
 *   Permission is hereby granted, free of charge, to any person obtaining a copy of the Unicode data files and any
 *   associated documentation (the "Data Files") or Unicode software and any associated documentation (the "Software")
 *   to deal in the Data Files or Software without restriction, including without limitation the rights to use, copy,
 *   modify, merge, publish, distribute, and/or sell copies of the Data Files or Software, and to permit persons to
 *   whom the Data Files or Software are furnished to do so, provided that either (a) this copyright and permission
 *   notice appear with all copies of the Data Files or Software, or (b) this copyright and permission notice appear
 *   in associated Documentation.
 *
 *   THE DATA FILES AND SOFTWARE ARE PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR IMPLIED, INCLUDING BUT
 *   NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY, FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT OF THIRD
 *   PARTY RIGHTS. IN NO EVENT SHALL THE COPYRIGHT HOLDER OR HOLDERS INCLUDED IN THIS NOTICE BE LIABLE FOR ANY CLAIM,
 *   OR ANY SPECIAL INDIRECT OR CONSEQUENTIAL DAMAGES, OR ANY DAMAGES WHATSOEVER RESULTING FROM LOSS OF USE, DATA OR
 *   PROFITS, WHETHER IN AN ACTION OF CONTRACT, NEGLIGENCE OR OTHER TORTIOUS ACTION, ARISING OUT OF OR IN CONNECTION
 *   WITH THE USE OR PERFORMANCE OF THE DATA FILES OR SOFTWARE.
 *
 *   Except as contained in this notice, the name of a copyright holder shall not be used in advertising or otherwise
 *   to promote the sale, use or other dealings in these Data Files or Software without prior written authorization of
 *   the copyright holder.
 */
#include "unicode_tables.h"

/* clang-format off */
"""


def read_lines(folder, name):
    """The fields of each line that is no comment."""
    with open(os.path.join(folder, name), encoding="utf-8") as file:
        for line in file:
            line = line.split("#")[0].strip()
            if line:
                yield [field.strip() for field in line.split(";")]


def read_version(folder):
    with open(os.path.join(folder, "Scripts.txt"), encoding="utf-8") as file:
        return file.readline().split("-")[1].split(".txt")[0]


def read_categories(folder):
    category = [None] * CODE_POINTS
    first = None
    for fields in read_lines(folder, "UnicodeData.txt"):
        code = int(fields[0], 16)
        if fields[1].endswith(", First>"):
            first = code
            continue
        begin = first if fields[1].endswith(", Last>") else code
        for member in range(begin, code + 1):
            category[member] = fields[2]
    return category


def read_scripts(folder):
    script = [None] * CODE_POINTS
    for span, name in read_lines(folder, "Scripts.txt"):
        begin, _, end = span.partition("..")
        for member in range(int(begin, 16), int(end or begin, 16) + 1):
            script[member] = name
    return script


def read_orbits(folder):
    """code point -> the next one with the same simple folding."""
    folded = {}
    for code, status, target, *_ in read_lines(folder, "CaseFolding.txt"):
        if status in ("C", "S"):
            folded.setdefault(int(target, 16), set()).add(int(code, 16))
    successor = {}
    for target, members in folded.items():
        circle = sorted(members | {target})
        for i, member in enumerate(circle):
            successor[member] = circle[(i + 1) % len(circle)]
    return successor


def fold_runs(successor):
    """(first, last, step): step 0 means neighbours in pairs, the first with the second and so on."""
    runs = []
    codes = sorted(successor)
    at = 0
    while at < len(codes):
        first = codes[at]
        last = first
        while successor.get(last) == last + 1 and successor.get(last + 1) == last:
            last += 2
        if last > first:
            runs.append((first, last - 1, 0))
            last -= 1
        else:
            step = successor[first] - first
            while last + 1 in successor and successor[last + 1] - (last + 1) == step:
                last += 1
            runs.append((first, last, step))
        while at < len(codes) and codes[at] <= last:
            at += 1
    return runs


def print_items(items):
    line = "   "
    for item in items:
        if len(line) + len(item) + 2 > WIDTH:
            print(line)
            line = "   "
        line += " " + item + ","
    print(line)


def print_runs(noun, values):
    """One number for each run: its first code point << 8 | the number of the name; 255 is none."""
    names = sorted({value for value in values if value is not None})
    assert len(names) < 255
    number = {name: i for i, name in enumerate(names)}
    number[None] = 255
    runs = [code for code in range(CODE_POINTS) if code == 0 or values[code] != values[code - 1]]
    print(f"\nconst char *const rf_unicode_{noun}_names[] = {{")
    print_items([f'"{name}"' for name in names])
    print("};")
    print(f"const uint32_t rf_unicode_{noun}_name_count = {len(names)};")
    print(f"\nconst uint32_t rf_unicode_{noun}_runs[] = {{")
    print_items([f"{code << 8 | number[values[code]]:#x}" for code in runs])
    print("};")
    print(f"const uint32_t rf_unicode_{noun}_run_count = {len(runs)};")


def main():
    folder = sys.argv[1]
    print(HEAD.format(version=read_version(folder)), end="")
    print_runs("category", read_categories(folder))
    print_runs("script", read_scripts(folder))
    runs = fold_runs(read_orbits(folder))
    print("\nconst struct rf_unicode_fold rf_unicode_folds[] = {")
    print_items([f"{{{first:#x}, {last:#x}, {step}}}" for first, last, step in runs])
    print("};")
    print(f"const uint32_t rf_unicode_fold_count = {len(runs)};")


if __name__ == "__main__":
    main()
