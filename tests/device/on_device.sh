#!/bin/bash
# riffle filter --backend cuda: with a device, and where things go wrong. Usage: on_device.sh RIFFLE PLUGIN OTHER_PLUGIN [sim]
# sim: the plug-in runs in the simulator (tests/ptxsim); else without a device this says so and passes over what needs one.
set -u
riffle=$1
plugin=$2
other=$3
kind=${4:-real}
here=$(readlink -f "$(dirname "$0")")
# shellcheck source=/dev/null
. "$here/../checks.sh"
: >err
RIFFLE_CUDA_PLUGIN=$other "$riffle" backends >out
ok other-version grep -q 'cuda    unavailable  the plug-in is of another version of riffle' out
# The toolkit has a library in the place of the driver, to link with: a machine without a driver may find it.
stubs=${CUDA_STUBS:-/usr/local/cuda/lib64/stubs}
if [ "$kind" != sim ] && [ -e "$stubs/libcuda.so" ]; then
    mkdir stub
    cp "$stubs/libcuda.so" stub/libcuda.so.1
    RIFFLE_CUDA_PLUGIN=$plugin LD_LIBRARY_PATH=$work/stub "$riffle" backends >out
    ok stub grep -q 'cuda    unavailable  no NVIDIA driver: libcuda.so.1 is the stub of the toolkit' out
fi
export RIFFLE_CUDA_PLUGIN=$plugin
"$riffle" backends >out
ok backends grep -q '^cuda  *\(available\|unavailable\)  ' out
if ! grep -q '^cuda    available' out; then
    printf 'no device: %s\n' "$(sed -n 's/^cuda *unavailable *//p' out)"
    ok no-device test "$kind" != sim
    checks_end
fi
if [ "$kind" = sim ]; then
    export PTXSIM_LOG=$work/findings # of all runs below
    PTXSIM_DEVICES=0 "$riffle" backends >out
    ok no-device grep -q 'cuda    unavailable  there is a driver, but no device' out
    PTXSIM_SM=70 "$riffle" backends >out
    ok too-old grep -q 'has compute capability 7.0, and 7.5 is needed' out
fi

# same NAME ARGUMENT...: the device selects what the CPU selects, byte for byte, and has a part in it.
same() {
    local name=$1
    shift
    "$riffle" filter "$@" --stats=json >want 2>err
    ok "$name-cpu" test -s err
    "$riffle" filter --backend cuda --strict-backend --stats=json "$@" >out 2>err
    ok "$name" cmp -s out want
    ok "$name-on-device" grep -q '"backend":"cuda"' err
}
for i in $(seq 3000); do
    printf '{"i":%d,"price":%d.25,"symbol":"S%d","text":"a text of some length %d","flag":%s,"tags":["x"],"more":["x"]}\n' \
        "$i" "$((i * 7919 % 500))" "$((i % 40))" "$i" "$([ $((i % 3)) = 0 ] && echo true || echo false)"
done >rows.ndjson
printf '{"i":\n{"price":"x"}\n\n[1]\n{"symbol":null}\n{"price":1e400}\n{"i":18446744073709551615}\n{"text":"\\u0061 text"}\n' >odd.ndjson
same numbers 'price > 250.25 && i <= 2000' rows.ndjson odd.ndjson
same texts 'symbol in ["S1", "S17", "S39"] || text.endsWith("99") || text.contains("length 12")' rows.ndjson odd.ndjson
same bools 'flag && !(symbol == "S3") && has(tags)' rows.ndjson odd.ndjson
same arithmetic 'price * 2.0 - i / 10.0 > 100.0 || i % 7 == 3' rows.ndjson odd.ndjson
same sizes 'size(text) > 23 && text.startsWith("a text of")' rows.ndjson odd.ndjson
same columns 'price > i || symbol < text' rows.ndjson odd.ndjson
same inverted -v 'price > 100' rows.ndjson odd.ndjson
same threads --threads 4 --batch-bytes 5000 'price > 100 && symbol != "S2"' rows.ndjson odd.ndjson
same big 'i >= 18446744073709551615u || i in [5, 7, 18446744073709551615u]' rows.ndjson odd.ndjson
same lists 'tags == more || symbol == "S1"' rows.ndjson odd.ndjson
# Single rows that only the interpreter can decide.
"$riffle" filter --backend cuda --strict-backend --stats=json 'symbol == "S1" || tags == more' rows.ndjson >out 2>err
ok redone grep -q '"redone_rows":2925,' err
# A whole program that the device has no form for.
"$riffle" filter -c --backend cuda 'symbol.lowerAscii() == "s1"' rows.ndjson >out 2>err
ok no-form test "$(cat out)" = 75
ok no-form-told grep -q 'cuda: it has computed values; all was evaluated by the cpu' err
"$riffle" filter -c --backend cuda --strict-backend 'symbol.lowerAscii() == "s1"' rows.ndjson >out 2>err
ok no-form-strict test $? = 2

# What fails in mid-stream is done by the CPU, with the same result, or ends the run.
if [ "$kind" = sim ] && PTXSIM_FAIL=launch:1 "$riffle" backends | grep -q 'cuda    unavailable'; then
    "$riffle" filter 'price > 100' --batch-bytes 20000 --threads 2 rows.ndjson >want
    for fail in malloc:9 launch:12 device-lost:12; do
        PTXSIM_FAIL=$fail "$riffle" filter --backend cuda --stats=json --batch-bytes 20000 --threads 2 'price > 100' rows.ndjson >out 2>err
        ok "fail-$fail" cmp -s out want
        ok "fail-$fail-told" grep -q 'cuda: .*; \(some batches were\|all was\) evaluated by the cpu' err
    done
    PTXSIM_FAIL=launch:12 "$riffle" filter --backend cuda --strict-backend --batch-bytes 20000 'price > 100' rows.ndjson >out 2>err
    ok fail-strict test $? = 2
fi
# The simulator had nothing to say of any run, of those that fail either.
ok findings test ! -s findings
[ ! -s findings ] || cat findings
checks_end
