#!/bin/sh
# A program on the simulated device in eight different orders of its warps and streams, each with the check for races; any
# finding of the simulator fails it. Usage: seeds.sh PLUGIN COMMAND...   SEED among its words becomes the number.
set -u
plugin=$1
shift
log=$(mktemp) || exit 2
trap 'rm -f "$log"' EXIT
passed=0
failed=0
# run SEED WORD...
run() {
    seed=$1
    shift
    words=$#
    while [ "$words" -gt 0 ]; do # each word goes from the front to the back, SEED replaced on the way
        word=$1
        shift
        [ "$word" != SEED ] || word=$seed
        set -- "$@" "$word"
        words=$((words - 1))
    done
    RIFFLE_CUDA_PLUGIN=$plugin PTXSIM_SEED=$seed PTXSIM_RACE=1 PTXSIM_EXIT=9 "$@" >"$log" 2>&1
}
for number in 1 2 3 4 5 6 7 8; do
    status=0
    run "$number" "$@" || status=$?
    if [ "$status" -eq 0 ] && grep -q '^[0-9]* rows on the device' "$log"; then
        passed=$((passed + 1))
        printf 'ok     seed %s: %s\n' "$number" "$(grep '^[0-9]* rows on the device' "$log")"
    else
        failed=$((failed + 1))
        printf 'FAILED seed %s (status %s)\n' "$number" "$status"
        tail -n 20 "$log" | sed 's/^/    /'
    fi
done
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
