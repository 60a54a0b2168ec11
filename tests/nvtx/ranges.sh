#!/bin/bash
# The ranges that a profiler sees (host/base/trace.h), as a tool of our own sees them: names, nesting and counts of a run.
# Usage: ranges.sh RIFFLE INJECTION TRACE_DEF [PLUGIN]   PLUGIN: riffle_cuda.so or one like it, for the device's ranges
set -u
riffle=$1
injection=$2
names=$3
plugin=${4:-}
here=$(readlink -f "$(dirname "$0")")
# shellcheck source=/dev/null
. "$here/../checks.sh"

for i in $(seq 2000); do printf '{"a":%d,"s":"text %d"}\n' "$i" "$((i % 7))"; done >in.ndjson

# trace NAME OPTION...: a run, its ranges in the file NAME
trace() {
    local name=$1
    shift
    RF_NVTX_LOG=$work/$name NVTX_INJECTION64_PATH=$injection RIFFLE_CUDA_PLUGIN=$plugin "$riffle" filter -c --no-prefilter "$@" \
        'a > 1000 && s == "text 3"' in.ndjson >out 2>err
    ok "$name-result" test "$(cat out)" = 143
}
# Begins and ends of each thread nest: never more ends than begins, and as many in the end.
nests() {
    awk '$1 == "begin" { depth[$2]++ } $1 == "end" { if (--depth[$2] < 0) { bad = 1 } }
         END { for (thread in depth) { bad = bad || depth[thread] != 0 } exit bad }' "$1"
}
# Each range of FILE called NAME is there once for each of the batches 0 .. COUNT - 1.
once_each() {
    test "$(awk -v name="$2" '$1 == "begin" && $4 == name { print $6 }' "$1" | sort -n | tr '\n' ' ')" = "$(seq -s ' ' 0 $(($3 - 1))) "
}
# Stages lie in the range of their batch.
within_batch() {
    awk '$1 == "begin" && $4 == "batch" { open[$2] = $6 + 1 }
         $1 == "begin" && $4 ~ /^(json|pred|h2d|d2h|out:compact)/ && open[$2] != $6 + 1 { bad = 1 }
         END { exit bad }' "$1"
}
known() {
    sed -n 's/^RF_TRACE([A-Z0-9_]*, *"\([^"]*\)".*/\1/p' "$names" | sort >known
    awk '$1 == "begin" { print $4 }' "$1" | sort -u | comm -23 - known | { ! grep -q .; }
}
check() { # FILE BATCHES STAGE...
    local file=$1
    local batches=$2
    shift 2
    ok "$file-nests" nests "$file"
    ok "$file-known" known "$file"
    ok "$file-within" within_batch "$file"
    ok "$file-domain" grep -qx 'domain riffle' "$file"
    for stage in batch json:index json:walk out:compact sink:write "$@"; do
        ok "$file-$stage" once_each "$file" "$stage" "$batches"
    done
}

trace whole --threads 1 --batch-bytes 1M
check whole 1 pred:eval
ok whole-thread grep -q '^thread [0-9]* riffle worker$' whole
trace parts --threads 3 --batch-bytes 4096
batches=$(awk '$1 == "begin" && $4 == "batch" { print $6 }' parts | sort -un | wc -l)
ok parts-batches test "$batches" -ge 10
check parts "$batches" pred:eval
ok parts-fills test "$(awk '$1 == "begin" && $4 == "ingest:fill"' parts | wc -l)" -gt "$batches"
ok parts-threads test "$(grep -c '^thread ' parts)" = 3
# Without a tool there is no difference but the file.
RIFFLE_CUDA_PLUGIN='' "$riffle" filter -c 'a > 1000 && s == "text 3"' in.ndjson >out
ok no-tool test "$(cat out)" = 143
if [ -n "$plugin" ]; then
    trace device --backend cuda --strict-backend --threads 2 --batch-bytes 8192
    # The self-test comes first, outside of any batch.
    awk '/^thread/ { seen = 1 } seen' device >device.run
    batches=$(awk '$1 == "begin" && $4 == "batch" { print $6 }' device.run | sort -un | wc -l)
    ok device-batches test "$batches" -ge 5
    grep '^domain' device >>device.run
    check device.run "$batches" h2d:copy pred:atoms pred:bool d2h:copy pred:redo
fi
checks_end
