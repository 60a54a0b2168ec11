# What is selected, and the exit status. Sourced by run.sh.

printf '{"a":1,"s":"x"}\n{"a":2,"s":"y"}\n{"a":3,"s":"x"}\n' >three
printf '{"a":4}\n' >four
printf '{"a":5}' >open_end

r filter 'a >= 2' three
ok plain exits 0
ok plain out_is '{"a":2,"s":"y"}\n{"a":3,"s":"x"}\n'
ok plain err_empty
r filter 'a >= 2' three four
ok two-files out_is '{"a":2,"s":"y"}\n{"a":3,"s":"x"}\n{"a":4}\n'
r filter 'a >= 1' open_end four
ok frm-04-no-final-newline exits 0
ok frm-04-no-final-newline out_is '{"a":5}\n{"a":4}\n'
ok frm-04-no-final-newline err_empty
r filter -Hn 'a >= 1' open_end four
ok frm-04-names out_is 'open_end:1:{"a":5}\nfour:1:{"a":4}\n'
r filter 'a > 100' three
ok nothing exits 0
ok nothing out_empty
r filter -e 'a > 100' three
ok exit-status exits 1
r filter --exit-status 'a > 1' three
ok exit-status-found exits 0
r filter -v 'a >= 2' three
ok invert out_is '{"a":1,"s":"x"}\n'
r filter --invert-match -c 'a >= 2' three four
ok invert-count out_is '1\n'
r filter -c 'a >= 2' three four
ok count out_is '3\n'
r filter --count --exit-status 'a > 9' three
ok count-none out_is '0\n'
ok count-none exits 1
r filter -m1 'a >= 2' three four
ok max-count out_is '{"a":2,"s":"y"}\n'
r filter --max-count 3 'true' three four
ok max-count-3 out_is '{"a":1,"s":"x"}\n{"a":2,"s":"y"}\n{"a":3,"s":"x"}\n'
r filter -c -m2 'true' three four
ok max-count-count out_is '2\n'
r filter -m0 'true' three
ok max-count-0 exits 0
ok max-count-0 out_empty
r filter -q 'a >= 2' three
ok quiet exits 0
ok quiet out_empty
ok quiet err_empty
r filter -q -e 'a > 100' three
ok quiet-none exits 1
r filter -qe 'a == 1' three missing
ok quiet-found-early exits 0
r filter 'a == 1' /dev/null
ok cli-03-dev-null exits 0
ok cli-03-dev-null out_empty
: >empty
r filter 'a == 1' empty --stats
ok cli-03-empty exits 0
ok cli-03-empty err_has 'read 0 records'
r filter -e 'a == 1' empty
ok cli-03-empty-e exits 1

# Standard input: none, -, a pipe; a second - is empty.
status=0
ok stdin-pipe test "$(cat three | "$riffle" filter 'a == 2')" = '{"a":2,"s":"y"}'
ok stdin-file test "$("$riffle" filter 'a == 2' <three)" = '{"a":2,"s":"y"}'
ok stdin-dash test "$(cat four | "$riffle" filter -c true three - three)" = 7
ok stdin-twice test "$(cat four | "$riffle" filter -c true - -)" = 1

# Every thread count, engine and batch size gives the same bytes.
seq 1 20000 | sed 's/.*/{"n":&,"pad":"xxxxxxxxxxxxxxxxxxxxxxxxxxxxx"}/' >many
awk 'NR % 7 == 0' many >sevens
for options in '' '--threads 1' '--threads 2' '--threads 5 --batch-bytes 4K' '--backend cpu' '--backend interp' '--no-prefilter' \
    '--validate' '--batch-bytes 64' '--line-buffered'; do
    # shellcheck disable=SC2086
    r filter $options '(n % 7) == 0' many
    ok "same-bytes $options" cmp -s out sevens
done
for isa in scalar avx2 avx512; do
    "$riffle" backends | grep -q "^cpu.*$isa.*;" || continue
    status=0
    RIFFLE_ISA=$isa "$riffle" filter '(n % 7) == 0' many >out 2>err
    ok "isa-$isa" cmp -s out sevens
    ok "isa-$isa-backends" grep -q "in use: $isa" <(RIFFLE_ISA=$isa "$riffle" backends)
done
RIFFLE_ISA=sse9 "$riffle" filter true three >out 2>err
status=$?
ok isa-unknown exits 64
ok isa-unknown err_has sse9
# Without a device: a plug-in that is not there, one that is none, and what is no plug-in at all. tests/device has the rest.
export RIFFLE_CUDA_PLUGIN=/nowhere/riffle_cuda.so
r filter --backend cuda 'a == 1' three
ok cuda exits 0
ok cuda out_is '{"a":1,"s":"x"}\n'
ok cuda err_has 'cuda backend is not available: RIFFLE_CUDA_PLUGIN is not the whole path of a file that can be read; using cpu'
ok cuda err_lines 1
r filter --backend cuda --strict-backend 'a == 1' three
ok cuda-strict exits 2
ok cuda-strict out_empty
r backends
ok cuda-backends out_has 'cuda    unavailable  RIFFLE_CUDA_PLUGIN is not'
RIFFLE_CUDA_PLUGIN=three r backends
ok cuda-relative out_has 'RIFFLE_CUDA_PLUGIN is not the whole path'
RIFFLE_CUDA_PLUGIN=$PWD/three r backends
ok cuda-no-library out_has 'cuda    unavailable  the plug-in cannot be loaded: '
printf 'rules: [{name: a, when: a == 1}]\n' >one.yaml
r backtest --backend cuda --emit csv one.yaml three
ok cuda-backtest exits 0
ok cuda-backtest err_has 'this command has no form for devices; using cpu'
r backtest --backend cuda --strict-backend one.yaml three
ok cuda-backtest-strict exits 2
unset RIFFLE_CUDA_PLUGIN

# Language switches.
printf '{"q":2}\n' >two
r filter 'q * 2 == 4' two
ok promotion out_is '{"q":2}\n'
r filter --strict-cel 'q * 2 == 4' two
ok strict-cel out_empty
printf 'plain text\nother\n\n' >text
r filter -f text 'raw.contains("text")' text
ok text out_is 'plain text\n'
r filter -f ndjson 'q == 2' two
ok ndjson out_is '{"q":2}\n'
r filter -f auto 'q == 2' two
ok auto out_is '{"q":2}\n'
r filter -f fix 'q == 2' two
ok fix exits 3
ok fix err_has "the FIX dictionary has no field 'q'"

# Compressed by content, whatever the name says.
for tool in gzip zstd lz4; do
    command -v $tool >/dev/null || continue
    status=0
    $tool -c <many >packed
    r filter -c '(n % 7) == 0' packed
    ok "compressed-$tool" out_is '2857\n'
done

# record.number counts every line of its own input, blank and malformed ones too, in every batch and on every engine.
printf '{"n":1}\n\n{"n":\n{"n":4}\n{"n":5}\n{"n":6}\n{"n":7}\n{"n":8}\n{"n":9}\n{"n":10}\n{"n":11}\n{"n":12}\n' >numbered
for engine in cpu interp; do
    r filter --backend $engine -c 'n == record.number' numbered numbered
    ok "record-number $engine" out_is '20\n'
    r filter --backend $engine --batch-bytes 64 --threads 3 -s record.number -s 'record.number + 1' --emit csv 'n > 10' numbered
    ok "record-number-batches $engine" out_is 'record.number,record.number + 1\r\n11,12\r\n12,13\r\n'
done

# The time of the run, or the one that is given: on every engine, in the predicate and in what is written.
printf '{"ts":"2026-01-31T11:30:00Z"}\n{"ts":"2026-01-31T10:30:00Z"}\n{"ts":7}\n' >times
for engine in cpu interp; do
    r filter --backend $engine --now 2026-01-31T12:00:00Z 'timestamp(ts) > now - duration("1h")' times
    ok "now-$engine" exits 0
    ok "now-$engine" out_is '{"ts":"2026-01-31T11:30:00Z"}\n'
    r filter --backend $engine --now 2026-01-31T12:00:00Z 'now == timestamp("2026-01-31T13:00:00+01:00")' \
        -s now -s 'now.getHours("Europe/Paris")' -m1 times
    ok "now-select-$engine" out_is '{"now":"2026-01-31T12:00:00Z","now.getHours(\\"Europe/Paris\\")":13}\n'
    r filter --backend $engine -c 'now > timestamp("2026-01-31T12:00:00Z") && now < timestamp("9999-01-01T00:00:00Z")' times
    ok "now-clock-$engine" out_is '3\n'
    r filter --backend $engine -f text --now 1970-01-01T00:00:07Z -c 'now == timestamp(7) && raw.size() > 0' times
    ok "now-text-$engine" out_is '3\n'
done
r filter --now yesterday true times
ok now-bad exits 64
ok now-bad err_has "not 'yesterday'"
r explain --now 2026-01-31T12:00:00Z true
ok now-explain exits 64
