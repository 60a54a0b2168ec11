# riffle fix encode, riffle fix positions, and --fix-match. Sourced by run.sh.

fix_message() { # BODY: its separators are written as |
    local body head sum
    body=$(printf '%s' "$1" | tr '|' '\001')
    head="8=FIX.4.4"$'\001'"9=$(printf '%s' "$body" | wc -c | tr -d ' ')"$'\001'
    sum=$(printf '%s' "$head$body" | od -An -v -tu1 | awk '{ for (i = 1; i <= NF; i++) s += $i } END { printf "%03d", s % 256 }')
    printf '%s' "$head${body}10=$sum"$'\001'
}
report() { # EXECID SIDE QUANTITY PRICE [FURTHER]
    fix_message "35=8|49=VENUE|56=US|34=$1|52=20260102-10:00:00.000|37=o$1|17=$1|150=F|39=2|1=ACC|55=AUD/USD|54=$2|32=$3|31=$4|${5-}"
}

# ---- encode ----

printf '%s\n' '{"BeginString":"FIX.4.4","MsgType":"D","ClOrdID":"a","NoPartyIDs":1,"PartyIDs":[{"PartyID":"x","PartyRole":1}],"Price":1.50}' \
    >order.json
fix_message '35=D|11=a|453=1|448=x|452=1|44=1.50|' >order.fix
tr '\001' '|' <order.fix >order.pipe
r fix encode order.json
ok fix-encode exits 0
ok fix-encode cmp -s out order.fix
ok fix-encode err_empty
r fix encode --fix-separator pipe order.json
ok fix-encode-pipe cmp -s out <(cat order.pipe; echo)
r fix encode --fix-separator=caret order.json
ok fix-encode-caret cmp -s out <(sed 's/|/^A/g' order.pipe; echo)
r fix encode --one-per-line order.json order.json
ok fix-encode-lines cmp -s out <(cat order.fix; echo; cat order.fix; echo)
r fix encode order.json order.json
ok fix-encode-stream cmp -s out <(cat order.fix order.fix)
status=0
ok fix-encode-stdin cmp -s order.fix <("$riffle" fix encode <order.json)
ok fix-encode-dash cmp -s order.fix <("$riffle" fix encode - <order.json)
mkfifo slow
(cat order.json; for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s early ] && break; sleep 0.1; done; cmp -s early order.fix && echo yes >was_early; cat order.json) >slow &
"$riffle" fix encode --line-buffered slow >early 2>err
ok fix-encode-line-buffered cmp -s early <(cat order.fix order.fix)
ok fix-encode-line-buffered test -s was_early
gzip -k -c order.json >order.json.gz
r fix encode order.json.gz
ok fix-encode-gz cmp -s out order.fix
r fix encode -o made.fix order.json
ok fix-encode-output out_empty
ok fix-encode-output cmp -s made.fix order.fix
# On a terminal SOH cannot be seen.
on_terminal "'$riffle' fix encode order.json"
ok fix-encode-terminal exits 0
ok fix-encode-terminal cmp -s out <(cat order.pipe; printf '\r\n')
on_terminal "'$riffle' fix encode --fix-separator soh order.json"
ok fix-encode-terminal-soh cmp -s out <(cat order.fix; printf '\r\n')
on_terminal "'$riffle' fix encode order.json | cat"
ok fix-encode-terminal-pipe cmp -s out order.fix
{ printf '\357\273\277'; sed 's/$/\r/' order.json; printf '\r\n  \t\n'; printf '%s' "$(cat order.json)"; } >odd.json
r fix encode odd.json
ok fix-encode-odd exits 0
ok fix-encode-odd cmp -s out <(cat order.fix order.fix)
ok fix-encode-odd err_empty

{ cat order.json; echo; echo 'x'; echo '{"BeginString":"FIX.4.4","MsgType":"D","Symbl":"\u001b[31m"}'; cat order.json; } >mixed.json
r fix encode mixed.json
ok fix-encode-bad exits 0
ok fix-encode-bad cmp -s out <(cat order.fix order.fix)
ok fix-encode-bad err_has 'mixed.json:3: malformed at byte 1: bad literal'
ok fix-encode-bad err_has "mixed.json:4: malformed at byte 40: no field is called 'Symbl', did you mean 'Symbol'?"
ok fix-encode-bad err_has '2 malformed lines of 4 were dropped'
r fix encode --on-malformed stop -o stopped.fix mixed.json
ok fix-encode-stop exits 2
ok fix-encode-stop err_has 'mixed.json:3: malformed'
ok fix-encode-stop absent stopped.fix
ok fix-encode-stop cmp -s stopped.fix.part order.fix
r fix encode --on-malformed pass mixed.json
ok fix-encode-pass exits 64
yes x | head -50 >wrong.json
r fix encode wrong.json
ok fix-encode-many exits 0
ok fix-encode-many err_lines 11
ok fix-encode-many err_has '50 malformed lines of 50 were dropped'
r fix encode --max-record 50 order.json
ok fix-encode-long exits 0
ok fix-encode-long out_empty
ok fix-encode-long err_has 'order.json:1: malformed at byte 51: longer than --max-record'
r fix encode order.json missing.json order.json
ok fix-encode-missing exits 2
ok fix-encode-missing err_has missing.json
ok fix-encode-missing cmp -s out <(cat order.fix order.fix)
cat >house.xml <<'XML'
<fix major="4" minor="4"><header/><trailer/><messages/><components/>
<fields><field number="9702" name="HouseID" type="STRING"/></fields></fix>
XML
echo '{"BeginString":"FIX.4.4","MsgType":"D","HouseID":"h"}' >house.json
r fix encode house.json
ok fix-encode-unknown out_empty
r fix encode --fix-dict FIX.4.4,house.xml --fix-separator pipe house.json
ok fix-encode-dict out_has '|9702=h|'
r fix encode --fix-dict nowhere.xml house.json
ok fix-encode-no-dict exits 2
r fix encode --fix-separator semicolon house.json
ok fix-encode-separator exits 64
r fix encode -o no/such/folder/x order.json
ok fix-encode-no-folder exits 2

# Two fields of one name in a group: the older goes by its tag, and both are there.
cat >twin.xml <<'XML'
<fix major="4" minor="4"><header/><trailer/><components/>
<messages><message name="NewOrderSingle" msgtype="D" msgcat="app"><group name="NoPartyIDs" required="N">
<field name="PartyID" required="N"/><field name="PartyRole" required="N"/></group></message></messages>
<fields><field number="448" name="PartyID" type="STRING"/><field number="453" name="NoPartyIDs" type="NUMINGROUP"/>
<field number="9702" name="PartyRole" type="STRING"/></fields></fix>
XML
fix_message '35=D|11=a|453=2|448=A|452=1|9702=h|448=B|9702=q|452=3|' >twin.fix
for engine in interp cpu; do
    r filter --backend $engine --fix-dict FIX.4.4,twin.xml -s PartyIDs \
        'PartyIDs.exists(e, e[9702] == "q" && e[452] == 3 && e.PartyRole == "q") && PartyIDs.all(e, 452 in e)' twin.fix
    ok fix-twin-$engine out_is '[{"PartyID":"A","452":1,"PartyRole":"h"},{"PartyID":"B","PartyRole":"q","452":3}]\n'
done

# What filter writes as JSON, encode writes as the same message.
{
    report 1 1 100 1.50
    fix_message '35=8|17=2|453=2|448=A|447=D|452=1|802=2|523=s|803=1|523=t|448=B|58=caf'$'\303\251''|9702=x|'
    fix_message '35=B|148=h|33=2|58=one|58=two|354=3|355='$'\377''|x|95=2|96=ab|'
    fix_message '35=0|34=007|43=N|'
} >stream.fix
for keys in name tag both; do
    "$riffle" filter -f fix --emit json --fix-keys $keys true stream.fix >stream.json
    r fix encode stream.json
    ok "fix-round-trip-$keys" exits 0
    ok "fix-round-trip-$keys" cmp -s out stream.fix
    ok "fix-round-trip-$keys" err_empty
done

# Bad lines set aside.
printf '%s\n' '{"BeginString":"FIX.4.4","MsgType":"0"}' 'nope' '{"BeginString":"FIX.4.4","MsgType":"0","Symbol":""}' >some.json
r fix encode --on-malformed aside.json --fix-separator pipe some.json
ok fix-encode-aside exits 0
ok fix-encode-aside test "$(wc -l <out)" = 1
ok fix-encode-aside test "$(wc -l <aside.json)" = 2
ok fix-encode-aside grep -q '^{"input":"some.json","record":2,"offset":[0-9]*,"kind":"malformed","reason":"[^"]*","text":"nope"}$' aside.json
ok fix-encode-aside err_has 'written to aside.json'
cp some.json some.copy
r fix encode --on-malformed some.copy some.copy
ok fix-encode-aside-input exits 64
ok fix-encode-aside-input cmp -s some.copy some.json
r fix encode --on-malformed pass some.json
ok fix-encode-pass exits 64

# ---- positions ----

{
    report 1 1 100 1.50
    report 2 2 40 2
    report 1 1 100 1.50
    report 3 1 10 1 '20=0|'
    fix_message '35=0|49=VENUE|'
    report 4 1 1 1 | sed 's/150=F/150=0/' | head -c 60
    report 5 7 1 1
    report 6 1 x 1
} >day.fix
r fix positions day.fix
ok fix-positions exits 0
ok fix-positions out_is '{"account":"ACC","symbol":"AUD/USD","quantity":70,"averagePrice":1.428571429,"realised":20,"trades":3,"corrections":0,"cancels":0}\n'
ok fix-positions err_has '1 malformed'
cp out expected_positions
ok fix-positions err_has 'a report with the ExecID of an earlier one'
ok fix-positions err_has 'first at day.fix:3, ExecID 1'
ok fix-positions err_has 'a trade whose Side is neither'
ok fix-positions err_has 'first at day.fix:7, ExecID 5'
ok fix-positions err_has 'a trade whose LastQty is no number'
cp out expected
r fix positions --emit csv day.fix
ok fix-positions-csv out_is 'account,symbol,quantity,averagePrice,realised,trades,corrections,cancels\r\nACC,AUD/USD,70,1.428571429,20,3,0,0\r\n'
gzip -k -c day.fix >day.fix.gz
r fix positions day.fix.gz
ok fix-positions-gz cmp -s out expected
status=0
ok fix-positions-stdin cmp -s expected <("$riffle" fix positions <day.fix 2>/dev/null)
tr '\001' '|' <day.fix | sed 's/|8=FIX/|\n2026 OUT 8=FIX/g' >day.log
r fix positions day.log
ok fix-positions-log cmp -s out expected
for isa in scalar avx2 avx512; do
    "$riffle" backends | grep -q "^cpu.*$isa.*;" || continue
    status=0
    ok "fix-positions-$isa" cmp -s expected <(RIFFLE_ISA=$isa "$riffle" fix positions day.fix 2>/dev/null)
done
{
    report 11 1 100 1
    report 12 1 100 2
    report 13 1 100 3 '19=11|' | sed 's/150=F/150=G/'
    report 14 1 100 3 '19=12|' | sed 's/150=F/150=H/'
} >changes.fix
r fix positions --fix-lenient changes.fix # sed has changed what CheckSum counts
ok fix-positions-changes out_is '{"account":"ACC","symbol":"AUD/USD","quantity":100,"averagePrice":3,"realised":0,"trades":1,"corrections":1,"cancels":1}\n'
ok fix-positions-changes err_empty
{
    fix_message '35=8|17=1|150=F|55=B|54=1|32=1|31=1|'
    fix_message '35=8|17=2|150=F|1=z|55=A|54=1|32=1|31=1|'
    fix_message '35=8|17=3|150=F|1=a,"b|55=Z|54=2|32=0.5|31=-1.25|'
} >names.fix
r fix positions names.fix
ok fix-positions-order out_is '{"account":null,"symbol":"B","quantity":1,"averagePrice":1,"realised":0,"trades":1,"corrections":0,"cancels":0}\n{"account":"a,\\"b","symbol":"Z","quantity":-0.5,"averagePrice":-1.25,"realised":0,"trades":1,"corrections":0,"cancels":0}\n{"account":"z","symbol":"A","quantity":1,"averagePrice":1,"realised":0,"trades":1,"corrections":0,"cancels":0}\n'
r fix positions --emit csv names.fix
ok fix-positions-quotes out_has '"a,""b",Z,-0.5,-1.25,0,1,0,0'
r fix positions missing.fix names.fix
ok fix-positions-missing exits 2
ok fix-positions-missing out_has '"symbol":"B"'
r fix positions --emit lines names.fix
ok fix-positions-emit exits 64
r fix positions -o positions.json names.fix
ok fix-positions-output grep -q '"symbol":"Z"' positions.json
r fix positions /dev/null
ok fix-positions-none exits 0
ok fix-positions-none out_empty
ok fix-positions-none err_empty

# ---- the command fix ----

r fix
ok fix-alone exits 64
ok fix-alone err_has 'riffle fix encode'
r fix encod
ok fix-near exits 64
ok fix-near err_has "did you mean 'fix encode'?"
r fix anything
ok fix-other exits 64
r fix --help
ok fix-help exits 0
ok fix-help out_has '  positions   '
r help fix encode
ok fix-help-encode exits 0
ok fix-help-encode out_has -- '--fix-separator'
r fix encode --version
ok fix-version out_has 'riffle '
r fix encode --count order.json
ok fix-flag exits 64
ok fix-flag err_has "but of 'riffle filter'"

# ---- --fix-match ----

r filter -c --fix-match '35=8&&17=2' stream.fix
ok fix-match exits 0
ok fix-match out_is '1\n'
r filter -c --fix-match '35=8' stream.fix
ok fix-match-one out_is '2\n'
r filter -c --fix-match ' 35=8 && 55=AUD/USD ' stream.fix
ok fix-match-absent out_is '1\n'
ok fix-match-absent err_empty
r filter -c -v --fix-match '55=AUD/USD' stream.fix
ok fix-match-invert out_is '3\n'
r filter -c --fix-match '35=8' 'LastPx > 1 || false // why' stream.fix
ok fix-match-both exits 0
ok fix-match-both out_is '1\n'
r filter -c --fix-match '35=8' 'a) || (true' stream.fix
ok fix-match-parts exits 3
r filter -c --fix-match '35=8' stream.fox
ok fix-match-no-file exits 3
ok fix-match-no-file err_has "'stream.fox' is no file"
status=0
ok fix-match-stdin test "$("$riffle" filter -c --fix-match 35=0 <stream.fix)" = 1
ok fix-match-dash test "$("$riffle" filter -c --fix-match 35=0 - <stream.fix)" = 1
r filter --fix-match '35=8&&55' stream.fix
ok fix-match-mistake exits 3
ok fix-match-mistake err_has '1:9'
r filter --fix-match 'Symbol=IBM' stream.fix
ok fix-match-name exits 3
r filter -f ndjson --fix-match '35=8' stream.fix
ok fix-match-format exits 64
r explain --fix-match '35=8&&55=AUD/USD'
ok fix-match-explain exits 0
ok fix-match-explain out_has 'fix.raw(35) == "8" && has(fix[55]) && fix.raw(55) == "AUD/USD"'
r explain --fix-match '35=8' 'LastPx > 1'
ok fix-match-explain-both out_has 'fix.raw(35) == "8" && (LastPx > 1)'
r filter
ok filter-alone exits 64

# ---- faults of messages ----

# An empty value is there, counted, and named with its byte where a value is needed; a foreign tag ends the group; the neighbours
# are what they are.
{
    fix_message '35=D|55=A|44=1|'; echo
    printf '10:00 '; fix_message '35=D|55=|44=|'; echo
    fix_message '35=D|55=B|44=2|453=2|448=P|9702=x|448=Q|'; echo
    fix_message '35=D|=|44=3|'; echo
    fix_message '35=D|55=C|44=3|'; echo
} >faults.fix
for isa in scalar avx2 avx512; do
    "$riffle" backends | grep -q "^cpu.*$isa.*;" || continue
    export RIFFLE_ISA=$isa
    r filter -c 'fix.meta.emptyValue' faults.fix
    ok "fix-empty-$isa" out_is '1\n'
    r filter -s Symbol -s fix.meta.foreignTags 'Price >= 1' faults.fix
    ok "fix-empty-value-$isa" out_is '{"Symbol":"A","fix.meta.foreignTags":0}\n{"Symbol":"B","fix.meta.foreignTags":1}\n{"Symbol":"C","fix.meta.foreignTags":0}\n'
    ok "fix-empty-value-$isa" err_has "faults.fix:2: error: fix.Price is no Price: '' at byte 34"
    ok "fix-empty-tag-$isa" err_has 'faults.fix:4: malformed at byte 21: a field does not begin with a tag'
    ok "fix-empty-value-$isa" err_has '1 malformed record and 1 evaluation error of 5 records were dropped'
    r filter -s Symbol 'fix.meta.foreignTags > 0 && !fix.meta.groupCountsOk' faults.fix
    ok "fix-foreign-$isa" out_is '"B"\n'
done
unset RIFFLE_ISA

# ---- completions ----

if [ -s complete.bash ]; then
    complete_bash riffle fix ''
    ok bash-fix out_has positions
    complete_bash riffle fix enc
    ok bash-fix-word out_is 'encode\n'
    complete_bash riffle fix encode --one
    ok bash-fix-flags out_is -- '--one-per-line\n'
    complete_bash riffle fix encode order.j
    ok bash-fix-files out_has order.json
    complete_bash riffle fix encode --fix-separator ''
    ok bash-fix-choices out_is 'soh\npipe\ncaret\n'
fi
if command -v fish >/dev/null && [ -s complete.fish ]; then
    HOME=$work fish --no-config -c '. ./complete.fish; complete -C "riffle fix "' >out 2>err
    status=$?
    ok fish-fix out_has positions
    HOME=$work fish --no-config -c '. ./complete.fish; complete -C "riffle fix encode --one"' >out 2>err
    ok fish-fix-flags out_has -- --one-per-line
fi

# ---- FIX in a pipe ----

cp stream.fix many.fix
for _ in 1 2 3 4 5 6 7 8 9 10 11; do cat many.fix many.fix >more.fix; mv more.fix many.fix; done
piped() { # COMMAND... -- ARGUMENTS...: what the command writes goes to riffle; then as r
    local feed=()
    while [ "$1" != -- ]; do feed+=("$1"); shift; done
    shift
    "${feed[@]}" | "$riffle" "$@" >out 2>err
    status=$?
}
piped cat many.fix -- filter true
ok fix-pipe exits 0
ok fix-pipe cmp -s out many.fix
ok fix-pipe err_empty
piped cat many.fix -- filter -c 'PartyIDs.exists(p, p[448] == "B")'
ok fix-pipe-names out_is '2048\n'
: >nothing.fix
piped cat many.fix -- filter --threads 3 true nothing.fix - stream.fix
ok fix-pipe-among exits 0
ok fix-pipe-among cmp -s out <(cat many.fix stream.fix)
piped gzip -c many.fix -- filter --emit json true
ok fix-pipe-gz exits 0
ok fix-pipe-gz cmp -s out <("$riffle" filter -f fix --emit json true many.fix)
piped gzip -c day.fix -- fix positions
ok fix-pipe-positions cmp -s out expected_positions
gzip -c many.fix >many.gz
status=0
ok fix-stdin-gz cmp -s many.fix <("$riffle" filter true <many.gz)
piped cat many.fix -- filter -f ndjson --validate true
ok fix-pipe-told err_has 'this looks like FIX messages: -f fix reads them'
# A byte at a time, then silence: what is there comes out while the pipe stays open.
waits_for() { for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do [ -s "$1" ] && break; sleep 0.1; done; }
rm -f early
(for byte in $(od -An -v -to1 order.fix); do printf "\\$byte"; done
    waits_for early
    cmp -s early order.fix && echo yes >was_early_fix
    cat order.fix) | "$riffle" filter --line-buffered 'MsgType == "D"' >early 2>err
status=$?
ok fix-pipe-trickle exits 0
ok fix-pipe-trickle cmp -s early <(cat order.fix order.fix)
ok fix-pipe-trickle test -s was_early_fix
# JSON in a pipe is not held back either, nor is a wrong expression; and a terminal is not read.
rm -f early
(printf '{"a":1}\n'
    waits_for early
    [ -s early ] && echo yes >was_early_json
    printf '{"a":2}\n') | "$riffle" filter --line-buffered 'a > 0' >early 2>err
status=$?
ok json-pipe-trickle file_is early '{"a":1}\n{"a":2}\n'
ok json-pipe-trickle test -s was_early_json
mkfifo silent
sleep 20 >silent &
sleeper=$!
timeout 10 "$riffle" filter 'a ==' <silent >out 2>err
status=$?
ok silent-pipe-wrong exits 3
timeout 10 script -qec "'$riffle' filter 'fix.a == 1'" /dev/null <silent >out 2>err
status=$?
ok silent-terminal exits 3
ok silent-terminal out_has "'fix' is for FIX input: -f fix"
kill "$sleeper"
