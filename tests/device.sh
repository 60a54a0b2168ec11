#!/bin/bash
# Everything that needs a device, on a machine that has one: builds, runs the device tests, and prints what riffle says of itself.
# Usage: tests/device.sh [FOLDER]   FOLDER gets the logs (default: build-device/out). About two minutes of building, one of tests.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
build=$root/build-device
out=${1:-$build/out}
mkdir -p "$out" || exit 2
passed=0
failed=0
# step NAME COMMAND...: its log in FOLDER/NAME.log
step() {
    local name=$1
    local begin
    shift
    begin=$(date +%s)
    if "$@" >"$out/$name.log" 2>&1; then
        passed=$((passed + 1))
        printf 'ok     %-24s %3d s  %s\n' "$name" "$(($(date +%s) - begin))" "$(tail -n 1 "$out/$name.log" | cut -c 1-80)"
    else
        failed=$((failed + 1))
        printf 'FAILED %-24s %3d s\n' "$name" "$(($(date +%s) - begin))"
        tail -n 5 "$out/$name.log" | sed 's/^/    /'
    fi
}
architecture=native
command -v nvidia-smi >/dev/null && architecture=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader | head -n 1 | tr -d .)-real
[ "$architecture" = native-real ] && architecture=75-virtual
[ "$architecture" = native ] && architecture=75-virtual
step configure cmake -S "$root" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=Release -DCUDA=ON "-DRF_CUDA_ARCHITECTURES=$architecture"
step build cmake --build "$build" --target riffle riffle_cuda run_cases pairs other_plugin riffle-gen
step backends "$build/riffle" backends
cat "$out/backends.log"
if ! grep -q '^cuda    available' "$out/backends.log"; then
    printf 'no device: 4 device tests skipped\n%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
    exit
fi
export RIFFLE_CUDA_PLUGIN=$build/riffle_cuda.so
step filter "$root/tests/device/on_device.sh" "$build/riffle" "$build/riffle_cuda.so" "$build/tests/device/other_plugin.so"
step cases "$build/tests/run_cases" --device "$root"/tests/cases/*.test
step pairs "$build/tests/engines/pairs" --device 1 2000000
stream=$build/trades.ndjson
[ -s "$stream" ] || "$build/bench/riffle-gen" trades --mib 1024 --seed 1 --out "$stream"
step stream "$build/riffle" filter -c --backend cuda --strict-backend --stats --no-prefilter 'price > 410 && symbol == "MSFT"' "$stream"
tail -n 1 "$out/stream.log"
"$build/riffle" filter -c --stats --no-prefilter 'price > 410 && symbol == "MSFT"' "$stream" 2>&1 | tail -n 1
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
