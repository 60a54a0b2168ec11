#!/bin/sh
# Programs and plug-ins as nvcc made them, on the simulator in place of a device. Usage: gpu_sim.sh PART BUILD_FOLDER CUDART_FOLDER
# PART: plugin or programs. The last line is 'N passed, N failed'.
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
    host sim_plugin_zstd.so
    note "PTX compressed with zstd (nvcc default)" $?
    host sim_plugin_lz4.so
    note "PTX compressed with LZ4" $?
    PTXSIM_PTX=$build/sim_plugin.ptx host sim_plugin_sass.so
    note "machine code only, PTX from a side file" $?
    host sim_plugin_static.so && ! nm -D "$build/sim_plugin_static.so" | grep -q ' U cuda'
    note "linked with our libcudart_static.a" $?
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

part_"$part"
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
