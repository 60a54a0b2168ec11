# Rules files: check, schema, test. Sourced by run.sh.

cat >rules.yaml <<'YAML'
let: {big: qty > 500}
rules:
  - {name: spike, when: price > t && big, sweep: {t: [100, 150]}}
  - {name: odd, when: 'size(items) > 1'}
tests:
  - {name: 'one #1', record: {price: 120, qty: 600, items: []}, fires: ['spike{t=100}']}
  - {name: two, records: [{price: 1, qty: 1, items: [1, 2]}, {price: 200, qty: 501, items: []}], fires: [odd, 'spike{t=100}', 'spike{t=150}']}
  - {name: none, line: '{"price":1,"qty":1}', only: [spike], fires: []}
YAML
r check rules.yaml
ok check exits 0
ok check out_is 'rules.yaml: 3 rules, 3 tests\n'
ok check err_empty
r test rules.yaml
ok test exits 0
ok test err_empty
ok test out_is 'TAP version 14\n# rules.yaml: 3 rules, 3 tests\nok 1 - one \\#1\nok 2 - two\nok 3 - none\n1..3\n'
for isa in scalar avx2; do
    RIFFLE_ISA=$isa "$riffle" test rules.yaml >out 2>err </dev/null
    status=$?
    grep -q 'lacks\|not' err || ok "test $isa" exits 0
done
"$riffle" check - <rules.yaml >out 2>err
status=$?
ok check-stdin exits 0
ok check-stdin out_is '-: 3 rules, 3 tests\n'

# A test that fails says which rules, and an error of a condition says why.
cat >failing.yaml <<'YAML'
rules:
  - {name: a, when: x > 1}
  - {name: b, when: y > 1}
  - {name: c, when: x < 1}
tests:
  - {name: wrong, record: {x: 5}, fires: [b]}
  - {name: malformed, line: '{"x":', fires: [a]}
  - {name: blank, lines: ['{"x":0,"y":0}', ''], fires: [c]}
  - {name: two in one, line: "{\"x\":2}\n{\"x\":3}", fires: [a]}
  - {name: right, lines: ['{"x":0,"y":0}', '{"x":9,"y":0}'], fires: [c, a]}
YAML
r test failing.yaml
ok test-fail exits 2
ok test-fail out_has 'not ok 1 - wrong'
ok test-fail out_has '  line: 6'
ok test-fail out_has '  missed: ["b"]'
ok test-fail out_has '  unexpected: ["a"]'
ok test-fail out_has '  error: {rule: "b", reason: "no such key: y"}'
ok test-fail out_has 'not ok 2 - malformed'
ok test-fail out_has '  message: "record 1 is malformed at byte 5: '
ok test-fail out_has '  message: "record 2 is blank"'
ok test-fail out_has '  message: "record 1 has a line end in it"'
ok test-fail out_has 'ok 5 - right'
ok test-fail out_has '1..5'
r test rules.yaml failing.yaml
ok test-files exits 2
ok test-files out_has 'ok 3 - none'
ok test-files out_has 'not ok 4 - wrong'
ok test-files out_has '1..8'

# State decides in a test as in a backtest, record by record, and begins anew with each test.
cat >state.yaml <<'YAML'
time: ts
rules:
  - {name: up, when: price > 10, per: symbol, cooldown: 5s}
  - {name: second, when: price > 10, per: symbol, every: 2}
  - {name: flip, when: halted, per: symbol, changed: true}
  - {name: burst, when: price > 10, per: symbol, count: {more_than: 1, within: 3s}}
  - {name: once, when: price > 10, first: true}
tests:
  - name: each record
    records:
      - {ts: 1, symbol: A, price: 11, halted: true}
      - {ts: 2, symbol: A, price: 12, halted: true}
      - {ts: 3, symbol: B, price: 12, halted: false}
      - {ts: 6, symbol: A, price: 12, halted: false}
    fires: [up, second, flip, burst, once]
    fires_at: {4: [up], 1: [up, flip, once], 2: [second, burst], 3: [up]}
  - {name: anew, record: {ts: 9, symbol: A, price: 12, halted: true}, fires: [up, flip, once]}
  - {name: no key, record: {ts: 1, price: 11, halted: true}, fires: [once, up]}
  - {name: no time, record: {symbol: A, price: 11, halted: false}, fires: [once, second]}
  - name: wrong
    records: [{ts: 1, symbol: A, price: 11, halted: true}, {ts: 2, symbol: A, price: 12, halted: true}]
    fires: [up, flip]
    fires_at: {2: [up], 1: []}
  - name: one of them
    records: [{ts: 1, symbol: A, price: 11, halted: true}, {ts: 2, symbol: A, price: 12, halted: true}]
    fires_at: {2: []}
    only: [flip]
YAML
r test state.yaml
ok test-state exits 2
ok test-state out_has 'ok 1 - each record'
ok test-state out_has 'ok 2 - anew'
ok test-state out_has 'not ok 3 - no key'
ok test-state out_has "  error: {rule: \"up\", reason: \"'per' has no value\"}"
ok test-state out_has 'not ok 4 - no time'
ok test-state out_has '  error: {rule: "up", reason: "the record has no time"}'
ok test-state out_has '  unexpected: ["second", "burst", "once"]'
ok test-state out_has '  unexpected_first_at: [2, 2, 1]'
ok test-state out_has '    - {record: 1, unexpected: ["up", "flip", "once"]}'
ok test-state out_has '    - {record: 2, missed: ["up"], unexpected: ["second", "burst"]}'
ok test-state out_has 'ok 6 - one of them'
r test --time 'ts * 10' state.yaml
ok test-state-time out_has 'not ok 1 - each record'
ok test-state-time out_has '    - {record: 2, missed: ["burst"], unexpected: ["up"]}'
printf '%s\n' '{"ts":1,"symbol":"A","price":11,"halted":true}' '{"ts":2,"symbol":"A","price":12,"halted":true}' \
    '{"ts":3,"symbol":"B","price":12,"halted":false}' '{"ts":6,"symbol":"A","price":12,"halted":false}' >state.ndjson
r backtest --emit csv state.yaml state.ndjson
ok backtest-time-of-file exits 0
ok backtest-time-of-file out_has 'up,3,'
ok backtest-time-of-file out_has 'burst,1,'
ok backtest-time-of-file out_has '1970-01-01T00:00:06'
# Results of other event times are no parts of one run.
r backtest --emit json -o one.json state.yaml state.ndjson
sed 's/^time: ts/time: ts * 2/' state.yaml >later.yaml
r backtest --emit json -o two.json later.yaml state.ndjson
r merge one.json one.json
ok merge-same-time exits 0
r merge one.json two.json
ok merge-other-time exits 2
sed '/^time/d' state.yaml >timeless.yaml
r test timeless.yaml
ok test-timeless exits 64
ok test-timeless err_has "rule 'up' has a cooldown or count, which needs the time of each record"
ok test-timeless out_has 'Bail out!'
cat >at.yaml <<'YAML'
time: ts +
rules: [{name: up, when: price > 10, per: symbol, cooldown: 5s}]
tests:
  - {name: a, line: x, fires_at: {01: [up], 2: [], 1: {}}}
  - {name: b, line: x}
YAML
r test --time ts at.yaml
ok test-at exits 78
ok test-at err_has "error: key 'time': expected a value, found the end of the expression"
ok test-at err_has ' --> at.yaml:1:11'
ok test-at err_has "error: '01' is no record of this test: 'fires_at' names them by number, 1 to 1"
ok test-at err_has "error: '2' is no record of this test"
ok test-at err_has "error: a record of a test needs 'rules'"
ok test-at err_has "error: a test needs 'fires' or 'fires_at'"
r test --time 'ts +' state.yaml
ok test-bad-time exits 3

# All problems at once, each with its place; a file that is wrong stops the tests.
cat >bad.yaml <<'YAML'
rules:
  - {name: a, when: "x > 1 && starswith(y)"}
  - {name: b, whn: x}
tests: [{name: t, line: '{}', fires: [c]}]
YAML
r check bad.yaml rules.yaml
ok check-bad exits 78
ok check-bad out_is 'rules.yaml: 3 rules, 3 tests\n'
ok check-bad err_has "error: rule 'a': undeclared function 'starswith' (did you mean 'startsWith'?)"
ok check-bad err_has ' --> bad.yaml:2:31'
ok check-bad err_has '  |                               ^^^^^^^^^'
ok check-bad err_has "error: unknown key 'whn' of a rule (did you mean 'when'?)"
ok check-bad err_has ' --> bad.yaml:3:15'
ok check-bad err_has "error: there is no rule 'c'"
r check --color always bad.yaml
ok check-color err_has "$(printf '\033[1;31merror:\033[0m rule')"
ok check-color err_has "$(printf '\033[1;31m  |                               ^^^^^^^^^\033[0m')"
status=$(grep -c "$(printf '\033')" err)
ok check-color exits 8 # four problems: a word and a caret each
for command in test backtest; do
    r $command --color always bad.yaml
    ok $command-color err_has "$(printf '\033[1;31merror:\033[0m rule')"
done
r test rules.yaml bad.yaml
ok test-bad exits 78
ok test-bad out_has 'Bail out!'
cat >explain.yaml <<'YAML'
subjects: {eu: {of: topic, match: ["ord.eu.>", "ord.*.eu"]}}
rules:
  - {name: a, when: price > t && qty * 2 > 5, sweep: {t: {from: 1, to: 100}}}
  - {name: b, when: symbol.startsWith(s + '!') || symbol == s, sweep: {s: [W]}}
  - {name: c, when: 'venue in [1,2,3,4,5,6,7,8,9,10] && (qty > 3 || qty < 2)'}
  - {name: d, when: 'eu && qty > 3'}
  - {name: e, when: 'eu && qty > 4'}
YAML
sed "s/\[W\]/[$(seq -s , 1001 1100 | sed 's/[0-9][0-9]*/"S&"/g')]/" explain.yaml >many.yaml
r check --explain explain.yaml
ok check-explain exits 0
ok check-explain out_has 'explain.yaml: 104 rules, 0 tests'
ok check-explain out_has '  5 fields read, 108 atoms'
ok check-explain out_has '  msg.price                 100 comparisons with numbers, by one search '
ok check-explain out_has '  msg.qty                   3 comparisons with numbers, each by itself'
ok check-explain out_has '  msg.symbol                2 tests, each by itself'
ok check-explain out_has '  msg.venue                 1 list, by hash'
ok check-explain out_has '  (computed)                1 set of subject patterns, once for all'
r check --explain many.yaml
ok check-explain-texts out_has '  msg.symbol                200 tests (==, in, startsWith), by one search '
r explain 'price > 100 && symbol < "M"'
ok explain-evaluation out_has '  msg.price                 1 comparison with a number, by itself'
r check absent.yaml
ok check-absent exits 2
ok check-absent err_has 'absent.yaml: No such file or directory'
r check
ok check-usage exits 64

# FIX and text: names of fields in expressions, records as lines.
cat >fix.yaml <<'YAML'
let: {filled: 'MsgType == MsgType.ExecutionReport && LastPx > 100.0'}
rules:
  - {name: dear, when: 'filled && Side == s && LastQty >= q', sweep: {s: ['1', '2'], q: [1, 10]}, per: Symbol}
tests:
  - {name: fill, line: '8=FIX.4.4|9=30|35=8|55=MSFT|54=1|31=101|32=5|10=230|', fires: ['dear{s="1",q=1}']}
YAML
r check -f fix fix.yaml
ok check-fix exits 0
ok check-fix out_is 'fix.yaml: 4 rules, 1 test\n'
r test -f fix --fix-lenient fix.yaml
ok test-fix exits 0
r test --fix-dict FIX.4.4 --fix-lenient fix.yaml
ok test-fix-dict exits 0
printf 'rules: [{name: a, when: raw.contains(w), sweep: {w: [x, y]}}]\ntests: [{name: t, lines: [ax, b], fires: ["a{w=x}"]}]\n' >text.yaml
r test -f text text.yaml
ok test-text exits 0
printf 'rules: [{name: a, when: now > timestamp("2026-01-01T00:00:00Z")}]\ntests: [{name: t, record: {}, fires: [a]}]\n' >now.yaml
r test --now 2026-01-01T00:00:01Z now.yaml
ok test-now exits 0
r test --now 2025-12-31T00:00:00Z now.yaml
ok test-now exits 2

# What other readers of YAML take for a number is neither a number nor a text here.
for doubt in .5 5. +1 1_000 0x10 0o17 007 -.5e3 1e1_0 0755; do
    printf 'rules:\n  - {name: a, when: x >= p, sweep: {p: [1, %s]}}\n' "$doubt" >doubt.yaml
    r check doubt.yaml
    ok "check-doubt-$doubt" exits 78
    ok "check-doubt-$doubt" err_has "'$doubt' is no number here"
    printf 'rules: [{name: a, when: x == "y"}]\ntests: [{name: t, record: {x: [%s]}, fires: []}]\n' "$doubt" >doubt.yaml
    r check doubt.yaml
    ok "check-doubt-record-$doubt" exits 78
done
printf 'rules:\n  - {name: a, when: x == p, sweep: {p: [2026-01-30, 10.0.0.1, a.5, ".5", 1e5, "007", e5, -x, .]}}\n' >texts.yaml
r check texts.yaml
ok check-texts exits 0
for twice in '1, 1.0' '1e2, 100.0' 'a, "a"'; do
    printf 'rules:\n  - {name: a, when: x == p, sweep: {p: [%s]}}\n' "$twice" >twice.yaml
    r check twice.yaml
    ok "check-twice-$twice" exits 78
    ok "check-twice-$twice" err_has 'is there twice'
done
# Values of a sweep that a FIX field can never have.
for sweep in 'ExecType == x, sweep: {x: [F, 0]}' 'Side == x, sweep: {x: [1, 2]}' 'Side == x, sweep: {x: [BUY, SELL]}' \
    'x != Side, sweep: {x: ["1", true]}' '"Side in [x, \"2\"]", sweep: {x: ["1", SELL]}'; do
    printf 'rules:\n  - {name: a, when: %s}\n' "$sweep" >never.yaml
    r check -f fix never.yaml
    ok "check-fix-never-$sweep" exits 78
    ok "check-fix-never-$sweep" err_has ' --> never.yaml:2:'
done
printf 'rules:\n  - {name: a, when: Side == x, sweep: {x: ["1", "2"]}}\n  - {name: b, when: OrderQty > x, sweep: {x: [1, 2.5]}}\n  - {name: c, when: OrderQty == x, sweep: {x: ["100"]}}\n' >can.yaml
r check -f fix can.yaml
ok check-fix-can exits 0
printf 'rules:\n  - {name: a, when: "true", cooldown: 2d}\n  - name: b\n    when: !active\n' >tag.yaml
r check tag.yaml
ok check-tag err_has 'a text that begins with ! stands in quotes'
ok check-days test "$(grep -c '^error' err)" = 2

printf 'rules:\n  - {name: g, when: price > t && qty > q, sweep: {t: {from: 1, to: 20}, q: {from: 1, to: 20}}}\n  - {name: s, when: s.contains(x), sweep: {x: [aaa, bbb, ccc, ddd, eee]}}\n' >ways.yaml
r check --explain ways.yaml
ok check-explain-grid out_has '400 predicates that differ in their constants alone are counted by 1 grid'
printf 'rules:\n  - {name: n, when: "qty in [x, 2, 3, 5, 8, 13, 21, 34, 55, 89]", sweep: {x: [100, 101, 102]}}\n' >in.yaml
r check --explain in.yaml
ok check-explain-lists out_has '3 lists of numbers, by one look-up of'
r check --explain ways.yaml
ok check-explain-needles out_has '5 searches (contains, endsWith, matches), by one search'

# Brackets by the million.
(printf 'rules: '; head -c 3000000 /dev/zero | tr '\0' '[') >brackets.yaml
timeout 60 "$riffle" check brackets.yaml >out 2>err
status=$?
ok check-brackets exits 78
ok check-brackets err_has '10001 brackets are open here'

r schema rules
ok schema exits 0
ok schema out_has '"$schema":"https://json-schema.org/draft/2020-12/schema"'
if command -v jq >/dev/null; then
    jq -e '.["$defs"].rule.properties.when and (.["$defs"].rule.required | index("name"))
        and ([.. | .["$ref"]? | strings | ltrimstr("#/$defs/")] - (.["$defs"] | keys) == [])' <out >/dev/null
    status=$?
    ok schema-refs exits 0
fi
r schema pipelines
ok schema-unknown exits 64
