# riffle backtest and riffle merge. Sourced by run.sh.

cat >bt.yaml <<'YAML'
let:
  large: qty >= 10
rules:
  - name: dear
    when: price > t && large
    sweep: {t: [100, 200]}
    tags: [p]
  - name: one
    when: symbol == "A"
    per: side
    first: true
  - name: never
    when: qty > 1000
YAML
cat >bt.ndjson <<'JSON'
{"ts":"2026-01-31T12:00:00Z","symbol":"A","price":150,"qty":10,"side":"b"}
{"ts":"2026-01-31T12:00:30Z","symbol":"A","price":250,"qty":20,"side":"b"}
not json
{"ts":"2026-01-31T12:00:10Z","symbol":"B","price":250,"qty":5,"side":"s"}

{"symbol":"A","price":99,"side":"s"}
JSON
head -c 0 bt.ndjson >bt.empty

r backtest --emit csv bt.yaml bt.ndjson
ok backtest-csv exits 0
ok backtest-csv out_is 'rule,hits,errors,first,last,read,malformed\r\ndear{t=100},2,0,,,6,1\r\ndear{t=200},1,0,,,6,1\r\none,2,0,,,6,1\r\nnever,0,1,,,6,1\r\n'
ok backtest-csv grep -q '1 malformed' err
r backtest --emit json --time ts bt.yaml bt.ndjson
ok backtest-json exits 0
ok backtest-json test "$(wc -l <out)" = 4
ok backtest-json grep -qF '{"rule":"dear{t=100}","hits":2,"errors":0,"first":"2026-01-31T12:00:00Z","last":"2026-01-31T12:00:30Z","first_at":{"input":0,"file":"bt.ndjson","offset":0},"last_at":{"input":0,"file":"bt.ndjson","offset":75},"tags":["p"],"params":{"t":100}' out
ok backtest-json grep -qF '"timeless":1,"disorder":1' out
ok backtest-json grep -q '1 record has no event time' err
ok backtest-json grep -q '1 record is earlier than the record before' err
cp out bt.json
r merge --emit json bt.json
ok merge-one cmp -s out bt.json
r merge bt.json bt.json
ok merge-table grep -q '^dear{t=100} *4 ' out
r backtest bt.yaml bt.ndjson
ok backtest-table grep -q '^RULE  *HITS  *OF ALL  *ERRORS$' out
ok backtest-table grep -q '^dear{t=100}  *2  *50.00%  *0$' out
r backtest --top 1 bt.yaml bt.ndjson
ok backtest-top grep -q '^\.\.\. and 3 rules with fewer hits' out
for form in table json csv; do
    r backtest --emit "$form" bt.yaml bt.empty
    ok "backtest-empty-$form" exits 0
done
r backtest --emit json bt.yaml - <bt.empty
ok backtest-stdin exits 0

# Sweeps are counted by grids: fields that are missing or no numbers, buckets that end within a batch, FIX.
cat >sweep.yaml <<'YAML'
rules:
  - name: two
    when: price > t && qty <= q
    sweep: {t: {from: 1, to: 40, step: 1}, q: {from: 0, to: 95, step: 5}}
  - name: one
    when: price >= t
    sweep: {t: {from: 0, to: 60, step: 0.5}}
YAML
awk 'BEGIN { for (i = 0; i < 3000; i++) printf "{\"ts\":%d%s%s}\n", 1769860800 + i,
    i % 7 == 0 ? "" : i % 11 == 0 ? ",\"price\":\"x\"" : ",\"price\":" i * 7 % 61 / 2,
    i % 13 == 0 ? "" : i % 17 == 0 ? ",\"qty\":9007199254740993" : ",\"qty\":" i * 31 % 97 }' >sweep.ndjson
for by in 1h 10m 2s; do
    r backtest --backend interp --emit json --time ts --by "$by" sweep.yaml sweep.ndjson
    ok "backtest-sweep-interp-$by" exits 0
    cp out sweep.json
    r backtest --emit json --time ts --by "$by" sweep.yaml sweep.ndjson
    ok "backtest-sweep-$by" cmp -s out sweep.json
done
# A grid of more cells than 16 bits count.
cat >sweepwide.yaml <<'YAML'
rules:
  - name: wide
    when: price > t && qty <= q
    sweep: {t: {from: 0, to: 31.25, step: 0.125}, q: {from: 0, to: 260, step: 1}}
YAML
head -n 20 sweep.ndjson >sweepwide.ndjson
r backtest --backend interp --emit json sweepwide.yaml sweepwide.ndjson
cp out sweep.json
r backtest --emit json sweepwide.yaml sweepwide.ndjson
ok backtest-sweep-wide exits 0
ok backtest-sweep-wide cmp -s out sweep.json
sed 's/price/LastPx/; s/qty/LastQty/' sweep.yaml >sweepfix.yaml
awk 'BEGIN { for (i = 0; i < 2000; i++) printf "8=FIX.4.4|9=1|35=8|%s%s10=000|\n",
    i % 7 == 0 ? "" : i % 11 == 0 ? "31=x|" : "31=" i * 7 % 61 / 2 "|", i % 13 == 0 ? "" : "32=" i * 31 % 97 "|" }' >sweep.fix
r backtest -f fix --fix-lenient --backend interp --emit json sweepfix.yaml sweep.fix
ok backtest-sweep-fix-interp exits 0
cp out sweep.json
r backtest -f fix --fix-lenient --emit json sweepfix.yaml sweep.fix
ok backtest-sweep-fix cmp -s out sweep.json
ok backtest-sweep-fix grep -qF '{"rule":"one{t=0}","hits":1558,"errors":442,' out

# The engines, threads and batches.
r backtest --backend interp --emit json --time ts bt.yaml bt.ndjson
ok backtest-interp cmp -s out bt.json
r backtest --threads 3 --batch-bytes 64 --emit json --time ts bt.yaml bt.ndjson
ok backtest-threads cmp -s out bt.json
RIFFLE_ISA=scalar r backtest --emit json --time ts bt.yaml bt.ndjson
ok backtest-scalar cmp -s out bt.json

# Many literals and expressions of one field go by one search: what the interpreter says of each, at every level. Texts that are
# longer than what is packed or turned over, escaped, of other bytes than ASCII, no texts, malformed lines.
{
    echo 'rules:'
    for n in $(seq 0 39); do
        printf '  - {name: c%s, when: "v.contains(\x27-0%s\x27)"}\n' "$n" "$n"
        printf '  - {name: e%s, when: "v.endsWith(\x27%s9\x27) || w"}\n' "$n" "$n"
        printf '  - {name: m%s, when: "v.matches(\x27^[A-Z]+-[0-9]*%s[0-9]?$\x27)"}\n' "$n" "$n"
        printf '  - {name: l%s, when: "w && v.matches(\x27é?-0.*%s\x27)"}\n' "$n" "$n"
    done
} >many.yaml
long=$(printf '%0700d' 0)
for n in $(seq 0 1499); do
    case $((n % 11)) in
    7) printf '{"v":%s,"w":true}\n' "$n" ;;
    8) printf '{"v":"\\u0041B-0%s","w":false}\n' "$n" ;;
    9) printf '{"v":"é-0%s%s","w":%s}\n' "$n" "$([ $((n % 3)) = 0 ] && echo "-$long$long-0$n")" "$([ $((n % 2)) = 0 ] && echo true || echo 3)" ;;
    10) [ $((n % 4)) = 0 ] && echo '{"v":"-0' || echo '{"w":true}' ;;
    *) printf '{"v":"AB-0%s","w":%s}\n' "$n" "$([ $((n % 5)) = 0 ] && echo true || echo false)" ;;
    esac
done >many.ndjson
r backtest --backend interp --emit json many.yaml many.ndjson
mv out many.json
ok many-found [ "$(grep -c '"hits":[1-9]' many.json)" -ge 120 ]
ok many-errors [ "$(grep -c '"errors":[1-9]' many.json)" -ge 120 ]
for isa in scalar avx2 ''; do
    RIFFLE_ISA=$isa
    export RIFFLE_ISA
    [ -n "$isa" ] || unset RIFFLE_ISA
    r backtest --emit json many.yaml many.ndjson
    ok "many-same-${isa:-best}" cmp -s out many.json
    r backtest --threads 2 --batch-bytes 4096 --emit json many.yaml many.ndjson
    ok "many-batches-${isa:-best}" cmp -s out many.json
done
unset RIFFLE_ISA

# Parts.
sed '/name: one/,/first:/d' bt.yaml >bt2.yaml
cat bt.ndjson bt.ndjson bt.ndjson | gzip -c >bt3.gz
r backtest --emit json --time ts --by 1s --overlap 3 --label 'side == "b"' bt2.yaml bt.ndjson bt3.gz bt.empty bt.ndjson
mv out whole.json
for n in 1 2 5; do
    parts=
    for k in $(seq 1 "$n"); do
        r backtest --shard "$k/$n" --emit json --time ts --by 1s --overlap 3 --label 'side == "b"' bt2.yaml bt.ndjson bt3.gz bt.empty bt.ndjson
        ok "backtest-shard-$k-of-$n" exits 0
        mv out "part$k.json"
        parts="$parts part$k.json"
    done
    r merge --emit json $parts
    ok "merge-of-$n" cmp -s out whole.json
done
# By key: rules with state too.
sed 's/per: side/per: symbol/' bt.yaml >bt4.yaml
r backtest --emit json --time ts --by 1s --overlap 3 --label 'qty > 5' bt4.yaml bt.ndjson bt3.gz
mv out whole4.json
for n in 2 3; do
    parts=
    for k in $(seq 1 "$n"); do
        r backtest --shard "$k/$n" --shard-by symbol --emit json --time ts --by 1s --overlap 3 --label 'qty > 5' bt4.yaml bt.ndjson bt3.gz
        ok "backtest-shard-by-$k-of-$n" exits 0
        mv out "part$k.json"
        parts="$parts part$k.json"
    done
    r merge --emit json $parts
    ok "merge-by-key-of-$n" cmp -s out whole4.json
done
r backtest --shard 1/2 --shard-by symbol bt.yaml bt.ndjson
ok backtest-shard-by-other exits 64
ok backtest-shard-by-other err_has "rule 'one' has state"
r backtest --shard-by symbol bt4.yaml bt.ndjson
ok backtest-shard-by-alone exits 64

for bad in 0/2 3/2 1/0 a/b 1 1/2/3 ' 1/2' -1/2; do
    r backtest "--shard=$bad" bt2.yaml bt.ndjson
    ok "backtest-shard-bad-$bad" exits 64
done
r backtest --shard 1/2 bt.yaml bt.ndjson
ok backtest-shard-state exits 64
r backtest --shard 1/2 bt2.yaml -
ok backtest-shard-stdin exits 64
r merge bt.json whole.json
ok merge-others exits 2
ok merge-others grep -q 'not of one rules file' err
r merge bt.ndjson
ok merge-no-result exits 2
r merge missing.json
ok merge-missing exits 2

# Only parts that make a whole are added up, in their order, whatever that of the arguments is.
for k in 1 2 3; do
    r backtest --shard "$k/3" --emit json bt2.yaml bt.ndjson bt.ndjson bt.ndjson
    mv out "third$k.json"
done
r backtest --emit json bt2.yaml bt.ndjson bt.ndjson bt.ndjson
mv out thirds.json
r merge --emit json third3.json third1.json third2.json
ok merge-sorts cmp -s out thirds.json
r merge third1.json third1.json third3.json
ok merge-twice exits 2
ok merge-twice err_has 'third1.json: part 1/3 is there twice'
r merge third1.json third3.json
ok merge-gap exits 2
ok merge-gap err_has 'third3.json: part 2/3 is missing'
r merge third1.json third2.json
ok merge-tail exits 2
ok merge-tail err_has 'there are parts 1 to 2 of 3'
r merge --partial --emit json third1.json third2.json
ok merge-partial exits 0
ok merge-partial out_has '"part":"1-2/3"'
mv out thirds12.json
r merge --emit json third3.json thirds12.json
ok merge-of-partial cmp -s out thirds.json
r merge third1.json thirds.json
ok merge-part-whole exits 2
r backtest --shard 2/3 --emit json bt2.yaml bt3.gz
mv out otherfile2.json
r merge third1.json otherfile2.json third3.json
ok merge-other-files exits 2
ok merge-other-files err_has 'part 2/3 is of other files than part 1/3, or cut by another --shard-by'
r backtest --shard 2/3 --shard-by symbol --emit json bt2.yaml bt.ndjson bt.ndjson bt.ndjson
mv out othercut2.json
r merge third1.json othercut2.json third3.json
ok merge-other-cut exits 2
r merge --partial third1.json third2.json
ok merge-partial-told err_has 'these are parts 1 to 2 of 3'
sed 's/price > t/price >= t/' bt2.yaml >bt5.yaml
r backtest --emit json bt5.yaml bt.ndjson
mv out other.json
r merge other.json thirds.json
ok merge-other-rules exits 2
ok merge-other-rules err_has 'the rules, or --time or --label, were others there'
(echo '# a comment'; cat bt2.yaml) >bt6.yaml
r backtest --emit json bt6.yaml bt.ndjson
mv out same.json
r merge same.json thirds.json
ok merge-same-rules exits 0
r merge bt.empty
ok merge-empty exits 2
ok merge-empty err_has 'there is no result in it'
sed 's/"part":/"interrupted":true,"part":/' third1.json >cut.json
r merge cut.json third2.json third3.json --emit json
ok merge-interrupted exits 0
ok merge-interrupted err_has 'cut.json: of a run that was interrupted'
ok merge-interrupted out_has '"interrupted":true'

# Nothing that is read is written over.
cp bt.ndjson bt.copy
r backtest --report bt.copy bt.yaml bt.copy
ok backtest-report-input exits 64
"$riffle" backtest -o bt.copy bt.yaml - <bt.copy >out 2>err
status=$?
ok backtest-output-stdin exits 64
ok backtest-report-input cmp -s bt.copy bt.ndjson
cp bt.yaml rules.copy
r backtest -o rules.copy rules.copy bt.ndjson
ok backtest-output-rules exits 64
ok backtest-output-rules cmp -s rules.copy bt.yaml
cp third1.json third.copy
r merge --partial -o third.copy third.copy
ok merge-output-input exits 64
ok merge-output-input cmp -s third.copy third1.json

# Flags about what is not there, and arguments in the wrong order.
for flags in '--by 1m' '--time-unit ms' '--hits-as places' '--shard-by symbol'; do
    r backtest $flags bt.yaml bt.ndjson
    ok "backtest-alone-$flags" exits 64
    ok "backtest-alone-$flags" err_has needs
done
r backtest bt.ndjson bt.yaml
ok backtest-swapped exits 78
ok backtest-swapped err_has 'bt.ndjson looks like records: the rules file is the first argument'

# Keys: numbers are one line, whole ones beyond 2^53 each its own, also in lists.
printf '{"k":1}\n{"k":1.0}\n{"k":"1"}\n{"k":9007199254740993}\n{"k":9007199254740992}\n{"k":18446744073709551615}\n{"k":18446744073709551614}\n' >key.ndjson
printf 'rules:\n  - {name: f, when: "true", per: k, first: true}\n  - {name: g, when: "true", per: "[k, [k]]", first: true}\n' >key.yaml
for backend in cpu interp; do
    r backtest --backend "$backend" --emit csv key.yaml key.ndjson
    ok "backtest-keys-$backend" out_is 'rule,hits,errors,first,last,read,malformed\r\nf,6,0,,,7,0\r\ng,6,0,,,7,0\r\n'
done

# Windows of records out of order.
printf '{"t":1700000000}\n{"t":1700000012}\n{"t":1700000009}\n{"t":1700000003}\n' >late.ndjson
printf 'rules:\n  - {name: slide, when: "true", count: {more_than: 2, within: 10s}}\n  - {name: tumble, when: "true", count: {more_than: 1, within: 10s, window: tumbling}}\n' >late.yaml
r backtest --time t --emit csv late.yaml late.ndjson
ok backtest-late grep -q '^slide,1,' out
ok backtest-late grep -q '^tumble,2,' out

# Why rules are errors, and records have no time or label.
printf 'rules:\n  - {name: a, when: prce > 1}\n  - {name: b, when: price > 1}\n  - {name: c, when: qty > 1 / (qty - 20) && 1 / int(qty - 20) > 0}\n' >why.yaml
for options in '--threads 1' '--threads 3 --batch-bytes 64' '--backend interp'; do
    r backtest $options --on-malformed drop why.yaml bt.ndjson
    ok "backtest-why-$options" err_has "rule 'a' is an error in 4 records, as in bt.ndjson at byte 0: no such key: prce"
    ok "backtest-why-$options" test "$(grep -c "^riffle: rule 'b'" err)" = 0
done
r backtest --time nosuch --label price why.yaml bt.ndjson
ok backtest-why-time err_has '--time in bt.ndjson at byte 0: no such key: nosuch'
ok backtest-why-label err_has '--label is neither true nor false in any record'
ok backtest-why-label err_has '--label in bt.ndjson at byte 0: it is of type double, and a label is true or false'
r backtest --time 'qty > 3' --label 'qty > 3' why.yaml bt.ndjson
ok backtest-why-time-type err_has '--time in bt.ndjson at byte 0: it is of type bool'
ok backtest-why-label-good test "$(grep -c -e '--label' err)" = 0
r backtest --hits whys --hits-as places why.yaml bt.ndjson
ok backtest-why-number err_has "rule 'a' is an error in 4 records, as in bt.ndjson:1: no such key: prce"

# Names of `let` are looked through: what the rule has as its key is what cuts.
printf 'let: {k: s}\nrules: [{name: f, when: "true", first: true, per: k}]\n' >let.yaml
printf '{"s":1,"k":1}\n{"s":1,"k":2}\n{"s":2,"k":3}\n{"s":1,"k":4}\n' >let.ndjson
r backtest --shard 1/2 --shard-by k let.yaml let.ndjson
ok shard-by-field-of-let exits 64
for k in 1 2; do
    r backtest --shard "$k/2" --shard-by s --emit json let.yaml let.ndjson
    mv out "let$k.json"
done
r merge --emit csv let1.json let2.json
ok shard-by-what-let-is out_is 'rule,hits,errors,first,last,read,malformed\r\nf,2,0,,,4,0\r\n'
printf 'rules: [{name: f, when: "true", first: true, per: "s + p", sweep: {p: [1, 2]}}]\n' >let.yaml
r backtest --shard 1/2 --shard-by 's + p' let.yaml let.ndjson
ok shard-by-parameter exits 64

# Days whose hits lie in different inputs, and days that have a file of one name.
printf 'rules: [{name: a, when: x == 1}]\n' >day.yaml
mkdir -p day1 day2
echo '{"x":0}' >day1/a; echo '{"x":1}' >day1/b; echo '{"x":1}' >day2/a; echo '{"x":0}' >day2/b
r backtest --emit json day.yaml day1/a day1/b
mv out day1.json
r backtest --emit json day.yaml day2/a day2/b
mv out day2.json
r merge --emit json day1.json day2.json
mv out days.json
r backtest --emit json day.yaml day1/a day1/b day2/a day2/b
ok merge-days cmp -s out days.json
(cd day1 && "$riffle" backtest --emit json ../day.yaml a b >../day1.json)
(cd day2 && "$riffle" backtest --emit json ../day.yaml a b >../day2.json)
r merge --emit json day1.json day2.json
ok merge-days-of-one-name out_has '"first_at":{"input":1,"file":"b","offset":0},"last_at":{"input":2,"file":"a","offset":0}'

# The earliest time of 64 bits, whose bucket begins before it.
echo '{"t":"1677-09-21T00:12:43.145224193Z"}' >least.ndjson
printf 'rules: [{name: a, when: "true"}]\n' >least.yaml
r backtest --time t --emit json least.yaml least.ndjson
cp out least.json
r merge --emit json least.json
ok merge-least cmp -s out least.json

# Results that nobody wrote.
sed 's/"hits":1/"hits":18446744073709551615/' least.json >most.json
r merge --report most.html most.json
ok merge-most exits 2
ok merge-most err_has 'more hits and errors than records'

# What is written: before anything is read, and whatever becomes of standard output.
r backtest -o nowhere/x bt.yaml bt.ndjson
ok backtest-output-nowhere exits 2
ok backtest-output-nowhere err_has 'nowhere/x: No such file'
r backtest --report nowhere/x bt.yaml bt.ndjson
ok backtest-report-nowhere exits 2
r backtest -o same.html --report same.html bt.yaml bt.ndjson
ok backtest-report-output exits 64
r backtest --report - bt.yaml bt.ndjson
ok backtest-report-stdout exits 64
cp bt.yaml rules.copy
r backtest --on-malformed rules.copy rules.copy bt.ndjson
ok backtest-aside-rules exits 64
ok backtest-aside-rules cmp -s rules.copy bt.yaml
"$riffle" backtest - - <bt.yaml >out 2>err
status=$?
ok backtest-two-stdin exits 64
printf 'rules: [{name: wide, when: price > t, sweep: {t: {from: 1, to: 3000}}}]\n' >wide.yaml
"$riffle" backtest --emit json --report pipe.html wide.yaml bt.ndjson 2>err | head -c 10 >out
ok backtest-report-pipe grep -q '</html>' pipe.html

# Records that a state never ends with: a count of many, and a pipe that nobody has opened.
awk 'BEGIN { for (i = 0; i < 200000; i++) { printf "{\"t\":%d}\n", 1700000000 + (i * 7919) % 1000 } }' >many.ndjson
printf 'rules: [{name: m, when: "true", count: {more_than: 100000, within: 1d}}]\n' >many.yaml
timeout 20 "$riffle" backtest --time t --emit csv many.yaml many.ndjson >out 2>err
status=$?
ok backtest-count-many exits 0
ok backtest-count-many out_has 'm,100000,0'
mkfifo unopened.pipe
# One thread: ThreadSanitizer keeps a signal back while the thread that got it waits for a mutex, here that of the reading
# thread, for ever. The signal is sent once the pipe is open; on a busy machine that takes seconds, and so does the end.
"$riffle" backtest --threads 1 bt.yaml unopened.pipe >out 2>err &
runner=$!
for _ in {1..150}; do ls -l "/proc/$runner/fd" 2>/dev/null | grep -q unopened.pipe && break; sleep 0.2; done
ok backtest-unopened test -n "$(ls -l "/proc/$runner/fd" 2>/dev/null | grep unopened.pipe)"
kill -TERM "$runner"
for _ in {1..150}; do kill -0 "$runner" 2>/dev/null || break; sleep 0.2; done
ok backtest-unopened test -z "$(kill -0 "$runner" 2>/dev/null && echo alive)"
kill -9 "$runner" 2>/dev/null
wait "$runner" 2>/dev/null

# Hits, labels, pairs.
rm -rf hits
r backtest --hits hits bt.yaml bt.ndjson
ok backtest-hits test "$(ls hits | tr '\n' ' ')" = 'dear{t=100}.ndjson dear{t=200}.ndjson one.ndjson '
ok backtest-hits cmp -s 'hits/dear{t=100}.ndjson' <(head -2 bt.ndjson)
ok backtest-hits cmp -s hits/one.ndjson <(sed -n '1p;6p' bt.ndjson)
r backtest --hits hits --hits-as places bt.yaml bt.ndjson
ok backtest-hits-again exits 2
ok backtest-hits-again err_has 'hits go to a folder that is empty'
r backtest --hits places --hits-as places bt.yaml bt.ndjson
ok backtest-places file_is 'places/one.csv' 'file,record,offset\r\nbt.ndjson,1,0\r\nbt.ndjson,6,234\r\n'
r backtest --hits bt.yaml/x bt.yaml bt.ndjson
ok backtest-hits-bad exits 2
r backtest --label 'side == "b"' --emit json bt.yaml bt.ndjson
ok backtest-label grep -qF '"rule":"dear{t=100}","hits":2,"errors":0,"first":null,"last":null,"first_at":{"input":0,"file":"bt.ndjson","offset":0},"last_at":{"input":0,"file":"bt.ndjson","offset":75},"tags":["p"],"params":{"t":100},"precision":1,"recall":1,"label":{"hits_true":2,"hits_false":0,"records_true":2,"records_false":2}' out
r backtest --overlap 2 bt.yaml bt.ndjson
ok backtest-overlap grep -q 'Records that two rules hit both' out

r backtest --report page.html --time ts --overlap 2 -o table.txt bt.yaml bt.ndjson
ok backtest-report exits 0
ok backtest-report grep -q '</html>' page.html
r merge --report page2.html -o table.txt whole.json
ok merge-report grep -q '</html>' page2.html

r backtest --progress json -o table.txt bt.yaml bt.ndjson
ok backtest-progress grep -q '^{"bytes":[0-9]*,"bytes_total":[0-9]*,"records":6,"rules":4,"seconds":[0-9.]*,"rules_x_records_per_second":[0-9]*,"done":true}$' err

# A value that is followed.
cat >fw.yaml <<'YAML'
rules:
  - name: big
    when: qty > t
    sweep: {t: [100, 500]}
  - name: all
    when: "true"
YAML
cat >fw.ndjson <<'JSON'
{"ts":"2026-01-30T09:30:00Z","symbol":"MSFT","price":100,"qty":600}
{"ts":"2026-01-30T09:30:30Z","symbol":"IBM","price":200,"qty":200}
{"ts":"2026-01-30T09:30:50Z","symbol":"MSFT","price":104,"qty":50}
{"ts":"2026-01-30T09:31:00Z","symbol":"MSFT","price":102,"qty":700}
{"ts":"2026-01-30T09:31:20Z","symbol":"IBM","price":"199","qty":300}
{"ts":"2026-01-30T09:31:29Z","symbol":"IBM","price":198,"qty":10}
{"ts":"2026-01-30T09:31:10Z","symbol":"IBM","price":190,"qty":10}
{"ts":"2026-01-30T09:30:01Z","symbol":"IBM","price":190,"qty":800}
{"ts":"2026-01-30T09:32:00Z","symbol":"MSFT","price":103,"qty":10}
{"symbol":"MSFT","price":103,"qty":900}
{"ts":"2026-01-30T09:32:00Z","symbol":"SUN","qty":10}
JSON
r backtest --time ts --value price --horizon 60s --per symbol --change absolute --emit csv fw.yaml fw.ndjson
ok forward-csv out_is 'rule,hits,errors,first,last,read,malformed,evaluated,unfinished,no_value,late,no_room,mean,std,min,p5,p25,p50,p75,p95,max,hit_rate\r\nbig{t=100},6,0,2026-01-30T09:30:00Z,2026-01-30T09:31:20Z,11,0,3,1,1,1,0,0.3333333333333333,2.0816659994661326,-2,-2,-2,1.00390625,2,2,2,0.6666666666666666\r\nbig{t=500},4,0,2026-01-30T09:30:00Z,2026-01-30T09:31:00Z,11,0,2,0,1,1,0,1.5,0.7071067811865476,1,1.00390625,1.00390625,1.00390625,2,2,2,1\r\nall,11,0,2026-01-30T09:30:00Z,2026-01-30T09:32:00Z,11,0,4,4,2,1,0,-0.25,2.0615528128088303,-2,-2,-2,-2,1.00390625,2,2,0.5\r\n'
ok forward-csv err_has '1 record has a --value that is no number; the first is of another type, of the record at byte 270 of fw.ndjson'
ok forward-csv err_has '5 hits without a change of --value: the stream ended before the horizon'
ok forward-csv err_has '3 hits without a change of --value: read when a record beyond its horizon had been read'
r backtest --time ts --value price --horizon 60s --per symbol fw.yaml fw.ndjson
ok forward-table grep -q '^RULE .* EVALUATED *MEAN *STD *P5 *P50 *P95 *HIT RATE ' out
ok forward-table grep -q '^big{t=500} *4 *36.36% *2 *1.4902% *0.72097% *0.98039% *0.98039% *1.9958% *100.00% ' out
r backtest --time ts --value price --horizon 1m --emit json --label 'qty > 500' --report fw.html fw.yaml fw.ndjson
mv out fw.json
ok forward-report grep -q '<h2>After hits: price in 60s</h2>' fw.html
ok label-report grep -q '<h2>Precision and recall</h2>' fw.html
ok forward-json grep -qF '"followed":{"value":"price","per":null,"horizon":"60s","change":"relative","missing":1,"wrong":1,"bits":7}' fw.json
r merge --emit json fw.json
ok forward-merge-one cmp -s out fw.json
for options in '--backend interp' '--threads 3 --batch-bytes 64' '--batch-bytes 1000'; do
    # shellcheck disable=SC2086 # a list of words
    r backtest $options --time ts --value price --horizon 60s --label 'qty > 500' --emit json fw.yaml fw.ndjson
    ok "forward$options" cmp -s out fw.json
done
r backtest --time ts --value 'qty / 0.0' --horizon 60s --emit csv fw.yaml fw.ndjson
ok forward-infinite err_has '11 records have a --value that is no number; the first is not finite, of the record at byte 0 of fw.ndjson'
r backtest --time ts --value '1.0 - 1.0' --horizon 1s --emit csv fw.yaml fw.ndjson
ok forward-from-zero grep -q '^all,11,0,.*,11,0,0,2,7,2,0,,,,,,,,,,.$' out
r backtest --time ts --value nothing --horizon 1s --emit csv fw.yaml fw.ndjson
ok forward-no-value grep -q '^all,11,.*,11,0,0,0,11,0,0,,,,,,,,,,.$' out
r backtest --time ts --value price --horizon 60s --emit csv fw.yaml bt.empty
ok forward-empty grep -q '^all,0,0,,,0,0,0,0,0,0,0,,,,,,,,,,.$' out
# By key: the parts are the whole.
for _ in 1 2 3 4 5 6 7; do cat fw.ndjson; done | gzip -c >fw7.gz
r backtest --time ts --value price --horizon 60s --per symbol --label 'qty > 300' --overlap 3 --emit json fw.yaml fw.ndjson fw7.gz
mv out fw.json
for n in 2 3; do
    parts=
    for k in $(seq 1 "$n"); do
        r backtest --shard "$k/$n" --shard-by symbol --time ts --value price --horizon 60s --per symbol --label 'qty > 300' --overlap 3 --emit json fw.yaml fw.ndjson fw7.gz
        ok "forward-shard-$k-of-$n" exits 0
        mv out "part$k.json"
        parts="$parts part$k.json"
    done
    r merge --emit json $parts
    ok "forward-merge-of-$n" cmp -s out fw.json
done
r backtest --time ts --value price --horizon 5s --per symbol --label 'qty > 300' --overlap 3 --emit json fw.yaml fw.ndjson
mv out fw5.json
r merge fw.json fw5.json
ok forward-merge-others exits 2
ok forward-merge-others err_has 'different --value, --per, --horizon or --change'
for options in '--per symbol' '--per symbol --shard-by side' '--shard-by symbol'; do
    # shellcheck disable=SC2086 # a list of words
    r backtest --shard 1/2 --time ts --value price --horizon 60s $options fw.yaml fw.ndjson
    ok "forward-shard$options" exits 64
    ok "forward-shard$options" err_has '--shard-by must be what --per is'
done
# Rules with state have fewer hits to follow.
printf 'rules:\n  - {name: a, when: "true", first: true, per: symbol}\n  - {name: b, when: "true"}\n' >fw2.yaml
r backtest --time ts --value price --horizon 60s --per symbol --emit csv fw2.yaml fw.ndjson
ok forward-state grep -q '^a,3,0,.*,11,0,2,0,1,0,0,' out
# FIX: SendingTime unless said otherwise.
fix() { # SECONDS SYMBOL PRICE
    printf '8=FIX.4.4|9=%d|35=W|34=1|49=A|52=20260130-09:30:%s|56=B|55=%s|44=%s|10=000|\n' $((44 + ${#2} + ${#3})) "$1" "$2" "$3"
}
{ fix 00 IBM 100; fix 05 IBM 110; fix 09 MSFT 7; fix 11 IBM 120; } >fw.fix
printf 'rules:\n  - {name: ibm, when: Symbol == "IBM"}\n' >fw3.yaml
r backtest -f fix --fix-lenient --value Price --horizon 10s --per Symbol --change absolute --emit csv fw3.yaml fw.fix
ok forward-fix grep -q '^ibm,3,0,.*,4,0,1,2,0,0,0,10,,10,' out
# What cannot be meant.
for bad in '--value price' '--value price --horizon 60s' '--time ts --value price' '--time ts --horizon 60s' '--time ts --per symbol' \
    '--change absolute' '--time ts --value price --horizon 0s' '--time ts --value price --horizon -1s' \
    '--time ts --value price --horizon 60' '--time ts --value price --horizon x' '--time ts --value price --horizon 60s --change both'; do
    # shellcheck disable=SC2086 # a list of words
    r backtest $bad fw.yaml fw.ndjson
    ok "forward-bad $bad" exits 64
    ok "forward-bad $bad" out_empty
done
r backtest --value price --horizon 60s fw.yaml fw.ndjson
ok forward-untimed err_has 'needs the time of each record: --time EXPR'
r backtest --time ts --value 'price +' --horizon 60s fw.yaml fw.ndjson
ok forward-bad-value exits 3
# No room: 64 KiB for the keys and hits of many records.
seq 1 3000 | sed 's/.*/{"ts":&,"symbol":"&","price":1,"qty":1}/' >fw.many
r backtest --time ts --time-unit s --value price --horizon 1d --per symbol --state-memory 65536 --emit csv fw.yaml fw.many
ok forward-no-room grep -q '^all,3000,.*,3000,0,0,0,0,0,3000,' out
ok forward-no-room err_has '3,000 hits without a change of --value: beyond --state-memory'
ok forward-no-room err_has 'keys were forgotten'

# Subjects.
cat >subjects.yaml <<'YAML'
subjects:
  eu: {of: s, match: ["ord.eu.>", "ord.*.eu"]}
  other: {of: 's // a remark', match: ["x.*"]}
rules:
  - {name: eu, when: eu}
  - {name: both, when: eu || other}
YAML
printf '{"s":"%s"}\n' ord.eu.x ord.us.eu x.y x.y.z ord.eu >subjects.ndjson
r backtest --emit csv subjects.yaml subjects.ndjson
ok backtest-subjects out_is 'rule,hits,errors,first,last,read,malformed\r\neu,2,0,,,5,0\r\nboth,3,0,,,5,0\r\n'
printf 'subjects:\n  a: {of: s, match: ["ok", "a..b"]}\nrules:\n  - {name: r, when: a}\n' >bad.yaml
r backtest bad.yaml subjects.ndjson
ok backtest-bad-subject exits 78
ok backtest-bad-subject grep -q "pattern 2 of subjectMatches" err
printf 'subjects:\n  a: {of: "s, []) || subjectMatches(s", match: ["ok"]}\nrules:\n  - {name: r, when: a}\n' >bad.yaml
r backtest bad.yaml subjects.ndjson
ok backtest-two-of exits 78
ok backtest-two-of grep -q "'of' is not one expression" err
{ printf 'subjects:\n  many: {of: s, match: ['; seq -s ', ' -f '"t%.0f.*"' 1 99999 | tr '\n' ','; printf '"x.y"]}\nrules:\n  - {name: r, when: many}\n'; } >many.yaml
r backtest --emit csv many.yaml subjects.ndjson
ok backtest-many-subjects grep -q '^r,1,0' out

# Wrong files and options.
printf 'rules:\n  - name: a\n    when: price >\n  - name: b\n    whn: "1"\n  - {name: c, when: "nope(1)"}\n' >bad.yaml
r backtest bad.yaml missing.ndjson
ok backtest-bad-rules exits 78
ok backtest-bad-rules grep -q 'bad.yaml:3:' err
ok backtest-bad-rules grep -q "did you mean 'when'" err
ok backtest-bad-rules grep -q nope err
ok backtest-bad-rules out_empty
r backtest bt.yaml missing.ndjson
ok backtest-missing exits 2
r backtest
ok backtest-usage exits 64
ok backtest-usage grep -q 'rules file is missing' err
r backtest --time 'ts +' bt.yaml bt.ndjson
ok backtest-bad-time exits 3
for bad in '' 0s x 5 -1s 1d1h; do
    r backtest --time ts "--by=$bad" bt.yaml bt.ndjson
    ok "backtest-bad-by-$bad" exits 64
    ok "backtest-bad-by-$bad" err_has 'is no width'
done
printf 'rules:\n  - {name: a, when: "true", cooldown: 5s}\n' >cool.yaml
r backtest cool.yaml bt.ndjson
ok backtest-cooldown-untimed exits 64
ok backtest-cooldown-untimed grep -q -- '--time' err
r backtest --time ts --emit csv cool.yaml bt.ndjson
ok backtest-cooldown out_is 'rule,hits,errors,first,last,read,malformed\r\na,2,1,2026-01-31T12:00:00Z,2026-01-31T12:00:30Z,6,1\r\n'
r backtest --on-malformed stop bt.yaml bt.ndjson
ok backtest-stop exits 2
r backtest --on-malformed pass bt.yaml bt.ndjson
ok backtest-pass exits 64
r backtest --on-malformed aside.json bt.yaml bt.ndjson
ok backtest-aside grep -q 'not json' aside.json
cp bt.ndjson bt.copy
r backtest --on-malformed bt.copy bt.yaml bt.copy
ok backtest-aside-input exits 64
ok backtest-aside-input cmp -s bt.copy bt.ndjson
r backtest -o bt.out --emit csv bt.yaml bt.ndjson
ok backtest-output test -s bt.out

# An interrupted run says what it has.
mkfifo bt.pipe
(cat bt.ndjson; sleep 5) >bt.pipe &
feeder=$!
"$riffle" backtest --emit csv bt.yaml bt.pipe >out 2>err &
runner=$!
for _ in 1 2 3 4 5 6 7 8 9 10; do kill -0 "$runner" 2>/dev/null && [ -e "/proc/$runner/fd/3" ] && break; sleep 0.1; done
sleep 0.4
kill -TERM "$runner" # a shell without job control has SIGINT ignored in what it starts
wait "$runner"
status=$?
ok backtest-interrupt exits 143
ok backtest-interrupt grep -q '^dear{t=100},2,' out
ok backtest-interrupt grep -q interrupted err
kill "$feeder" 2>/dev/null
wait "$feeder" 2>/dev/null
