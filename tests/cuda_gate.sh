#!/bin/sh
# What nvcc makes of each kernel for real cards: no register is spilled, none needs more registers than its budget, no warning.
# Usage: cuda_gate.sh NVCC ROOT [ARCHITECTURE...]   default: 75 90 120
set -u
nvcc=$1
root=$2
shift 2
[ $# -gt 0 ] || set -- 75 90 120
# kernel, registers: a multiprocessor has 65,536 for 1,024 to 2,048 threads, so 64 leave it half full at least.
budgets='atoms_kernel 64
combine_kernel 48'
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
passed=0
failed=0
includes=$(find "$root/host" "$root/kernels" -name '*.h' | sed 's|/[^/]*$||' | sort -u | sed 's|^|-I|')
for source in $(grep -l '__global__' "$root"/kernels/*.cu); do
    for architecture in "$@"; do
        name="$(basename "$source") sm_$architecture"
        # shellcheck disable=SC2086 # a list of words
        if ! "$nvcc" -std=c++17 -O3 -fmad=false $includes -cubin -arch="sm_$architecture" -Werror=all-warnings -Xptxas -v,-warn-spills \
            -o "$work/cubin" "$source" >"$work/log" 2>&1; then
            failed=$((failed + 1))
            printf 'FAILED %s does not compile\n' "$name"
            sed 's/^/    /' "$work/log"
            continue
        fi
        # A kernel a line: NAME REGISTERS SPILLED.
        awk -v budgets="$budgets" '
            BEGIN { n = split(budgets, pair, /[ \n]/); for (i = 1; i < n; i += 2) { budget[pair[i]] = pair[i + 1] } }
            /Compiling entry function/ { mangled = $0 }
            /spill stores/ { spills = $0 }
            /Used [0-9]+ registers/ {
                match($0, /Used [0-9]+/); registers = substr($0, RSTART + 5, RLENGTH - 5)
                kernel = "?"; for (name in budget) { if (index(mangled, length(name) name)) { kernel = name } }
                match(spills, /[0-9]+ bytes spill stores/); bytes = substr(spills, RSTART, RLENGTH) + 0
                printf "%s %d %d %d\n", kernel, registers, budget[kernel], bytes
            }' "$work/log" >"$work/kernels"
        [ -s "$work/kernels" ] || echo '? 0 0 1' >"$work/kernels"
        while read -r kernel registers budget spilled; do
            if [ "$kernel" != '?' ] && [ "$spilled" -eq 0 ] && [ "$registers" -le "$budget" ]; then
                passed=$((passed + 1))
                printf 'ok     %s: %s, %s registers of %s\n' "$name" "$kernel" "$registers" "$budget"
            else
                failed=$((failed + 1))
                printf 'FAILED %s: %s, %s registers of %s, %s bytes spilled\n' "$name" "$kernel" "$registers" "$budget" "$spilled"
            fi
        done <"$work/kernels"
    done
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
