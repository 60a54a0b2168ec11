# riffle eval: one value, and case files. Sourced by run.sh.

r eval '1 + 2'
ok eval exits 0
ok eval out_is '3\n'
ok eval err_empty
r eval '{"a": [1u, 0.5, "x\n"], "b": null}'
ok eval-json out_is '{"a":[1,0.5,"x\\n"],"b":null}\n'
r eval 'b"abc"'
ok eval-bytes out_is '"YWJj"\n'
r eval -- '-1'
ok eval-minus out_is -- '-1\n'
r eval -1
ok eval-minus-bare exits 64
ok eval-minus-bare err_has 'put -- before an expression'
r eval 'now > timestamp("2020-01-01T00:00:00Z") && now < timestamp("9999-01-01T00:00:00Z")'
ok eval-now out_is 'true\n'
r eval --now 2026-01-31T12:00:00.5+01:00 'now - duration("1s")'
ok eval-now-given out_is '"2026-01-31T10:59:59.5Z"\n'
r eval --unchecked --now 2026-01-31T12:00:00Z --json '{"a":1}' '[msg.a, now]'
ok eval-now-unchecked out_is '[1,"2026-01-31T12:00:00Z"]\n'
r eval --now 2026-01-31 now
ok eval-now-bad exits 64
ok eval-now-bad err_has "not '2026-01-31'"

# The message.
r eval --json '{"price":2.50,"qty":9007199254740993}' '[price, msg.qty, price * 2, raw.size(), record.number]'
ok eval-message exits 0
ok eval-message out_is '[2.50,9007199254740993,5,37,1]\n'
r eval --json '{"qty":2}' --strict-cel 'qty * 2'
ok eval-strict exits 3
r eval --json '{"a":1}' b
ok eval-error exits 2
ok eval-error out_empty
ok eval-error test "$(head -n 1 err)" = 'error: no such key: b'
printf '{"a":\n  7}\n' >doc.json
r eval --json @doc.json a
ok eval-file out_is '7\n'
"$riffle" eval --json - a <doc.json >out 2>err
status=$?
ok eval-stdin exits 0
ok eval-stdin out_is '7\n'
r eval --json @nothing a
ok eval-file-missing exits 2
ok eval-file-missing err_has 'nothing: No such file'
r eval --json @. a
ok eval-file-folder exits 2
r eval --json '{"a":01}' a
ok eval-malformed exits 2
ok eval-malformed err_has '--json is malformed at byte 5'
r eval --json '' a
ok eval-malformed-empty exits 2
r eval 'price > 1'
ok eval-no-message exits 3
ok eval-no-message out_empty
ok eval-no-message err_has 'there is no message'
ok eval-no-message err_has '--json'
ok eval-no-message err_has '| ^^^^^'
r eval 'true || price > 1'
ok eval-no-message-needed out_is 'true\n'

# Expressions that are wrong.
r eval '1 +'
ok eval-syntax exits 3
ok eval-syntax err_has 'error: '
ok eval-syntax err_has ' --> 1:4'
r eval 'foo(1)'
ok eval-function exits 3
r eval --color always 'foo(1)'
ok eval-color err_has "$(printf '\033[1;31merror:')"
r eval '1 / 0'
ok eval-zero exits 2
ok eval-zero err_has 'error: division by zero'
r eval --unchecked 'x || true'
ok eval-unchecked out_is 'true\n'
r eval --unchecked 'foo(1)'
ok eval-unchecked-error exits 2
ok eval-unchecked-error err_has 'error: undeclared function'
r eval --unchecked --json '{"a":1}' '[msg.a, now > timestamp(0)]'
ok eval-unchecked-message out_is '[1,true]\n'
r eval --unchecked --json '{"a":1}' a
ok eval-unchecked-bare exits 2

# Wrong use.
r eval
ok eval-nothing exits 64
ok eval-nothing err_has 'an expression is missing'
r eval 1 2
ok eval-two exits 64
r eval --lift 1
ok eval-lift-alone exits 64
r eval --cases cases.jsonl 1
ok eval-cases-expr exits 64
r eval --cases cases.jsonl --json '{}'
ok eval-cases-json exits 64
r eval --cases cases.jsonl --now 2026-01-31T12:00:00Z
ok eval-cases-now exits 64
r eval --engine gpu 1
ok eval-engine exits 64
r eval --engine cuda 1
ok eval-cuda exits 2
ok eval-cuda err_has 'cuda engine is not available'
r eval --cases nothing.jsonl
ok eval-cases-missing exits 2
ok eval-cases-missing err_has 'nothing.jsonl'

# Case files: one line for each line, whatever it holds.
cat >cases.jsonl <<'CASES'
{"line":1,"expr":"1 + 2"}
{"line":2,"expr":"x < 2.5","type_env":[{"name":"x","type":"int"}],"bindings":{"x":{"value":{"int":"2"}}}}
{"line":3,"expr":"[1, 2].map(i, i * 2)","want_type":true}
{"line":4,"expr":"y","disable_check":true}
{"line":5,"expr":"y"}
{"line":6,"expr":"(","container":"a"}

{"line":8,"expr":"x + 1","rows":[{"x":{"value":{"int":"1"}}},{},{"x":{"value":{"uint":"1"}}}]}
{"line":9,"expr":"{'a': 1u}","check_only":true}
[]
CASES
results() { # ENGINE LIFTED...: what each line begins with, and how many literals of it were lifted
    local engine=$1
    cut -d, -f1 out | tr '\n' ' ' >got
    printf '{"line":1 {"line":2 {"line":3 {"line":4 {"line":5 {"line":6 {"line":null {"line":8 {"line":9 {"line":null ' >want
    cmp -s got want && [ "$(grep -c "\"engine\":\"$engine\"" out)" = 10 ] || return 1
    shift
    [ "$(sed 's/.*"lifted"://; s/}$//' out | tr '\n' ' ')" = "$* " ]
}
for engine in interp cpu; do
    r eval --cases cases.jsonl --engine $engine
    ok "cases-$engine" exits 0
    ok "cases-$engine" err_empty
    ok "cases-$engine" results $engine 0 0 0 0 0 0 0 0 0 0
    ok "cases-$engine" out_has '{"line":1,"ok":{"value":{"int":"3"}},'
    ok "cases-$engine" out_has '{"line":2,"ok":{"value":{"bool":true}},'
    ok "cases-$engine" out_has '{"line":3,"ok":{"value":{"list":[{"int":"2"},{"int":"4"}]},"type":"list(int)"},'
    ok "cases-$engine" grep -q '^{"line":4,"ok":{"error":"[^"]*'\''y'\''[^"]*","phase":"eval"}' out
    ok "cases-$engine" grep -q '^{"line":5,"ok":{"error":"[^"]*'\''y'\''[^"]*","phase":"check"}' out
    ok "cases-$engine" grep -q '^{"line":6,"ok":{"error":"1:2: [^"]*","phase":"parse"}' out
    ok "cases-$engine" grep -q '^{"line":8,"ok":{"rows":\[{"value":{"int":"2"}},{"error":"[^"]*","phase":"eval"},{"error":"[^"]*","phase":"eval"}\]}' out
    ok "cases-$engine" out_has '{"line":9,"ok":{"type":"map(string, uint)"},'
done
r eval --cases cases.jsonl --engine interp
ok cases-no-fallback test "$(grep -c '"fallback":false' out)" = 10
cut -d, -f1-2 out >plain
r eval --cases cases.jsonl --lift
ok cases-lift exits 0
ok cases-lift results cpu 2 1 2 0 0 0 0 1 0 0
ok cases-lift err_has '10 lines, 6 literals lifted'
r eval --cases cases.jsonl --unchecked
ok cases-unchecked grep -q '^{"line":5,"ok":{"error":"[^"]*","phase":"eval"}' out
"$riffle" eval --cases cases.jsonl >want
"$riffle" eval --cases - <cases.jsonl >out
ok cases-stdin cmp -s out want
if command -v gzip >/dev/null; then
    gzip -c cases.jsonl >cases.gz
    r eval --cases cases.gz
    ok cases-gzip cmp -s out want
fi
: >empty.jsonl
r eval --cases empty.jsonl
ok cases-empty exits 0
ok cases-empty out_empty
RIFFLE_ISA=nonsense "$riffle" eval --cases cases.jsonl >out 2>err
status=$?
ok cases-isa exits 64
if [ -e /dev/full ]; then
    "$riffle" eval --cases cases.jsonl >/dev/full 2>err
    status=$?
    ok cases-full exits 2
    "$riffle" eval 1 >/dev/full 2>err
    status=$?
    ok eval-full exits 2
fi
"$riffle" eval --cases cases.jsonl 2>err | true
ok cases-closed err_empty
# Many lines, of which the output takes more than one write.
for _ in $(seq 500); do cat cases.jsonl; done >many.jsonl
r eval --cases many.jsonl
ok cases-many test "$(wc -l <out)" = 5000
