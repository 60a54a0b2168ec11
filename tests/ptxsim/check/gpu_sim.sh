#!/bin/sh
# Programs and plug-ins as nvcc made them, on the simulator in place of a device. Usage: gpu_sim.sh PART BUILD_FOLDER CUDART_FOLDER
# PART: plugin, programs or runtime. The last line is 'N passed, N failed'.
set -u
part=$1
build=$2
source=$(cd "$(dirname "$0")" && pwd)
export LD_LIBRARY_PATH="$3"
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
out=$work/out
passed=0
failed=0

# note NAME STATUS
note() {
    if [ "$2" -eq 0 ]; then
        passed=$((passed + 1))
        printf 'ok     %s\n' "$1"
    else
        failed=$((failed + 1))
        printf 'FAILED %s\n' "$1"
        sed 's/^/    /' "$out" | head -n 20
    fi
}

# host PLUGIN [MODE]: runs the plug-in and compares its results with plain C++.
host() {
    "$build/sim_plugin_host" "$build/$1" "${2:-0}" >"$out" 2>&1
}

part_plugin() {
    for seed in 0 1 2 3; do
        PTXSIM_STATS=1 PTXSIM_RACE=1 PTXSIM_SEED=$seed host sim_plugin.so && grep -q 'ptxsim: 0 errors, 0 warnings' "$out"
        note "CUB scan and select, streams, events, graph, pinned memory (seed $seed)" $?
    done
    PTXSIM_SM=90 host sim_plugin.so
    note "device reported as sm_90" $?
    host sim_plugin_shared.so
    note "PTX compressed with zstd (nvcc default), linked by CMake" $?
    host sim_plugin_lz4.so
    note "PTX compressed with LZ4" $?
    PTXSIM_PTX=$build/sim_plugin.ptx host sim_plugin_sass.so
    note "machine code only, PTX from a side file" $?
    host sim_plugin_static.so && ! nm -D "$build/sim_plugin_static.so" | grep -q ' cuda'
    note "linked with our libcudart_static.a, whose names stay inside" $?
    host sim_plugin.so 1
    [ $? -eq 1 ]
    note "finds a missing stream synchronisation (stale results)" $?
    PTXSIM_EXIT=7 host sim_plugin.so 2
    [ $? -eq 7 ] && grep -q uninitialised-global-read "$out"
    note "finds a missing cross-stream event" $?
    PTXSIM_DEVICES=0 host sim_plugin.so
    [ $? -eq 3 ] && grep -q 'no CUDA-capable' "$out"
    note "reports no device when asked to" $?
}

part_programs() {
    for architecture in 75 120; do
        for seed in 0 1 2; do
            PTXSIM_SM=$architecture PTXSIM_SEED=$seed "$build/sim_more$architecture" 2>"$work/err" |
                diff - "$source/sim_more.expected" >"$out" && grep -q 'x != 3' "$work/err" &&
                grep -q '1 errors, 0 warnings' "$work/err"
            note "spin locks, printf, assert, cooperative groups, function pointers, switch, CUB sort, reduce, scan \
(compute_$architecture, seed $seed)" $?
        done
    done
}

# failing FAULTS LINE...: the program prints these lines, in order, among others.
failing() {
    PTXSIM_FAIL=$1 "$build/sim_failures" >"$out" 2>&1 || return 1
    shift
    printf '%s\n' "$@" >"$work/want"
    diff "$work/want" "$out" >"$work/diff" && return 0
    cp "$work/diff" "$out"
    return 1
}

part_runtime() {
    # The runtime inside a plug-in that was loaded with RTLD_LOCAL.
    : >"$work/log"
    PTXSIM_LOG=$work/log PTXSIM_EXIT=7 host sim_plugin_static.so 2
    [ $? -eq 7 ] && grep -q 'ERROR: uninitialised-global-read' "$work/log" && grep -q '[1-9][0-9]* errors' "$work/log"
    note "static runtime: findings are in PTXSIM_LOG, PTXSIM_EXIT is the exit status" $?
    PTXSIM_LOG=$work/log.clean PTXSIM_EXIT=7 host sim_plugin_static.so 0 && [ ! -s "$work/log.clean" ]
    note "static runtime: without findings there is no log and no other exit status" $?
    PTXSIM_STATS=1 PTXSIM_LOG=$work/log.stats host sim_plugin_static.so 0 &&
        grep -Eq 'kernel _Z5score[^:]*: 1 launches, [1-9][0-9]* thread instructions, [1-9][0-9]* warp instructions, [1-9][0-9]* global bytes loaded, 24000 global bytes stored' "$work/log.stats"
    note "PTXSIM_STATS: counts for each kernel" $?

    ok=cudaSuccess
    memory=cudaErrorMemoryAllocation
    resources=cudaErrorLaunchOutOfResources
    lost=cudaErrorUnknown
    step="launch $ok
synchronize $ok"
    failing '' "malloc $ok" "malloc $ok" "malloc $ok" "host $ok" "memset $ok" "$step" "$step" "$step" "copy $ok" "last $ok" \
        "malloc $ok" 'value 3, more memory'
    note "PTXSIM_FAIL: nothing fails unasked" $?
    failing malloc:2 "malloc $ok" "malloc $memory" "malloc $ok" "host $ok" "memset $ok" "launch $memory" "synchronize $ok" \
        "$step" "$step" "copy $ok" "last $ok" "malloc $ok" 'value 3, more memory'
    note "PTXSIM_FAIL=malloc:2: one allocation, remembered for cudaGetLastError" $?
    failing malloc:2+,host:1 "malloc $ok" "malloc $memory" "malloc $memory" "host $memory" "memset $ok" "launch $memory" \
        "synchronize $ok" "$step" "$step" "copy $ok" "last $ok" "malloc $memory" 'value 3, more none'
    note "PTXSIM_FAIL=malloc:2+,host:1: all from the second on, and pinned memory" $?
    failing launch:2 "malloc $ok" "malloc $ok" "malloc $ok" "host $ok" "memset $ok" "$step" "launch $resources" \
        "synchronize $ok" "$step" "copy $ok" "last $ok" "malloc $ok" 'value 2, more memory'
    note "PTXSIM_FAIL=launch:2: one launch, the others run" $?
    failing device-lost:2 "malloc $ok" "malloc $ok" "malloc $ok" "host $ok" "memset $ok" "$step" "launch $ok" \
        "synchronize $lost" "launch $lost" "synchronize $lost" "copy $lost" "last $lost" "malloc $lost" 'value -1, more none'
    note "PTXSIM_FAIL=device-lost:2: seen at the next wait, and by every call after it" $?
    PTXSIM_EXIT=7 PTXSIM_FAIL=malloc:0 "$build/sim_failures" >"$out" 2>&1
    [ $? -eq 7 ] && grep -q "'malloc:0' is not malloc:N" "$out"
    note "PTXSIM_FAIL: what it does not understand is an error" $?
}

part_"$part"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
