# Bad records, bad inputs, bad expressions, bad options. Sourced by run.sh.

printf '{"a":1}\n{"a":\n{"b":2}\n\n{"a":"\xff"}\n{"a":3}\n' >mixed

r filter 'a >= 1' mixed
ok drop exits 0
ok drop out_is '{"a":1}\n{"a":3}\n'
ok drop err_has 'riffle: 2 malformed records and 1 evaluation error of 6 records were dropped'
ok drop err_has 'mixed:2: malformed at byte'
ok drop err_has 'mixed:3: error: '
ok drop err_has 'mixed:5: malformed at byte'
ok drop err_lines 4
ok drop err_has 'mixed:3: error: no such key: a (1:1: a)'
r filter -q 'a > 100' mixed
ok drop-quiet err_empty
r filter --stats=json 'a >= 1' mixed
ok drop-stats test "$(tail -1 err | cut -c1-80)" = '{"read":6,"selected":2,"rejected":0,"error":1,"malformed":2,"blank":1,"bytes":41'
ok drop-stats err_has '"errors":[{"input":"mixed","record":2,"offset":'
ok drop-stats err_has '"kind":"malformed","reason":"'
r filter --on-malformed pass --on-error pass 'a >= 1' mixed
ok pass out_is '{"a":1}\n{"a":\n{"b":2}\n{"a":"\xff"}\n{"a":3}\n'
ok pass err_empty
r filter --on-malformed stop 'a >= 1' mixed
ok stop exits 2
ok stop out_is '{"a":1}\n'
ok stop err_has 'mixed'
r filter --on-error stop 'a >= 1' mixed
ok stop-error exits 2
ok stop-error out_is '{"a":1}\n'
ok stop-error err_has 'mixed:3: error: no such key: a (1:1: a)'
# What failed, and where: in EXPR, in a column by its name, in the only --select.
printf '{"qty":4,"lots":"x"}\n{"qty":6}\n' >lots
for isa in '' scalar; do
    export RIFFLE_ISA=$isa
    [ -n "$isa" ] || unset RIFFLE_ISA
    r filter "qty > 9 ||
  (qty / lots) > 2" lots
    ok "place $isa" err_has 'lots:1: error: no such overload: double / string (2:3: (qty / lots))'
    ok "place $isa" err_has 'lots:2: error: no such key: lots (2:10: lots)'
done
unset RIFFLE_ISA
r filter true -s qty -s '{"id": qty, "each": qty / lots}' lots
ok place-column err_has 'lots:1: error: no such overload: double / string (column each, 1:21: qty / lots)'
r filter true -s 'qty / lots' lots
ok place-select err_has 'lots:2: error: no such key: lots (--select, 1:7: lots)'
r filter --stats json true -s qty -s 'qty/lots' lots
ok place-stats err_has '"kind":"error","reason":"no such key: lots","select":"qty/lots","line":1,"column":5,"part":"lots"}'
r filter --on-error lots.jsonl 'lots > "x"' lots
ok place-aside grep -q '"record":2,.*"reason":"no such key: lots","line":1,"column":1,"part":"lots","text":"{\\"qty\\":6}"}$' lots.jsonl
r filter --on-malformed stop 'a >= 1' mixed -o stopped
ok stop-output exits 2
ok stop-output absent stopped
ok stop-output file_is stopped.part '{"a":1}\n'
ok stop-output err_has 'stopped.part'
r filter --on-malformed bad.jsonl --on-error bad.jsonl 'a >= 1' mixed
ok aside exits 0
ok aside out_is '{"a":1}\n{"a":3}\n'
ok aside test "$(wc -l <bad.jsonl)" = 3
ok aside grep -q '^{"input":"mixed","record":2,"offset":[0-9]*,"kind":"malformed","reason":"[^"]*","text":"{\\"a\\":"}$' bad.jsonl
ok aside grep -q '^{"input":"mixed","record":3,.*"kind":"error",.*"text":"{\\"b\\":2}"}$' bad.jsonl
ok aside grep -q '"record":5,.*"base64":"eyJhIjoi/yJ9"}$' bad.jsonl
ok aside err_has '2 malformed records were written to bad.jsonl'
r filter --on-malformed m.jsonl --on-error e.jsonl 'a >= 1' mixed
ok aside-two test "$(cat m.jsonl | wc -l) $(cat e.jsonl | wc -l)" = '2 1'
printf '{ "a": 4' >cut
r filter 'has(msg.a)' cut
ok cli-04 exits 0
ok cli-04 out_empty
ok cli-04 err_has 'cut:1: malformed at byte'
r filter --on-malformed stop 'has(msg.a)' cut
ok cli-04-strict exits 2
# A file name may be any bytes; JSON is UTF-8 all the same.
odd_name=$(printf 'odd\377')
printf '{"a":\n{"a":1}\n' >"$odd_name"
r filter --on-malformed bad.jsonl -s record.file true "$odd_name"
ok odd-name out_is '"odd\357\277\275"\n'
ok odd-name grep -q "^$(printf '{"input":"odd\357\277\275",')" bad.jsonl

# --validate looks where the expression does not; --max-record and --max-depth at the bound and beyond.
printf '{"a":1,"b":01}\n' >zero
r filter 'a == 1' zero
ok no-validate out_is '{"a":1,"b":01}\n'
r filter --validate 'a == 1' zero
ok validate out_empty
ok validate err_has 'zero:1: malformed'
printf '{"a":12}\n{"a":123}\n{"a":45}\n' >sizes
r filter --max-record 8 'a > 0' sizes
ok max-record out_is '{"a":12}\n{"a":45}\n'
ok max-record err_has 'sizes:2: malformed'
r filter --max-record 9 'a > 0' sizes
ok max-record-bound out_is '{"a":12}\n{"a":123}\n{"a":45}\n'
printf '{"a":[[1]]}\n{"a":[1]}\n' >deep
r filter --max-depth 2 'has(a)' deep
ok max-depth out_is '{"a":[1]}\n'
ok max-depth err_has 'deep:1: malformed'
r filter --max-depth 3 'has(a)' deep
ok max-depth-bound out_is '{"a":[[1]]}\n{"a":[1]}\n'
head -c 1000000 /dev/zero | tr '\0' '[' >brackets
r filter 'has(a)' brackets four
ok million-brackets out_is '{"a":4}\n'
ok million-brackets err_has 'brackets:1: malformed'

# Inputs that cannot be read are named; the others are read; the status is 2.
mkdir -p folder
r filter 'a == 4' missing four
ok missing exits 2
ok missing out_is '{"a":4}\n'
ok missing err_has 'riffle: missing: No such file or directory'
r filter 'a == 4' folder four
ok folder exits 2
ok folder out_is '{"a":4}\n'
ok folder err_has 'riffle: folder: '
printf '//57ACIAYQAiADoAMQB9AAoAewAiAGEAIgA6ADIAfQAKAA==' | base64 -d >utf16
r filter 'has(msg.a)' utf16 four
ok frm-10-utf16 exits 2
ok frm-10-utf16 out_is '{"a":4}\n'
ok frm-10-utf16 err_has 'UTF-16'
ok frm-10-utf16 err_lines 1
r filter -o whole 'a == 4' missing four
ok missing-output file_is whole '{"a":4}\n'
r filter 'true' ''
ok empty-name exits 64

for tool in xz bzip2; do
    command -v $tool >/dev/null || continue
    $tool -c <four >refused
    for format in ndjson text; do
        r filter -f $format 'true' refused four
        ok "refused-$tool $format" exits 2
        ok "refused-$tool $format" out_is '{"a":4}\n'
        ok "refused-$tool $format" err_has "riffle: refused: $tool data is not supported; use \`$tool -dc\`"
    done
done

# A FILE for bad records that is also an input is refused; nothing is touched.
cp mixed mixed_copy
ln mixed_copy mixed_link
for option in --on-error --on-malformed; do
    r filter $option mixed_link 'a >= 1' four mixed_copy -o not_made
    ok "aside-is-input $option" exits 64
    ok "aside-is-input $option" err_has "$option mixed_link is also an input"
    ok "aside-is-input $option" cmp -s mixed mixed_copy
    ok "aside-is-input $option" absent not_made.part
    "$riffle" filter $option mixed_link 'a >= 1' <mixed_copy >out 2>err
    status=$?
    ok "aside-is-stdin $option" exits 64
    ok "aside-is-stdin $option" cmp -s mixed mixed_copy
done

# A file in the place of the expression.
r filter ./four
ok file-as-wrong-expression exits 3
ok file-as-wrong-expression err_has "riffle: './four' is a file, but the first argument is the expression"
printf 'x' >four.ndjson
r filter four.ndjson
ok file-as-expression exits 0
ok file-as-expression err_has "riffle: 'four.ndjson' is a file, but the first argument is the expression; reading standard input"
r filter four.ndjson four
ok file-as-expression-with-input test "$(grep -c 'is a file' err)" = 0

# Expressions: status 3, a place, a caret; nothing is read.
r filter 'a = 1' missing
ok bad-expression exits 3
ok bad-expression err_has 'error: '
ok bad-expression err_has ' --> 1:'
ok bad-expression err_has '^'
ok bad-expression out_empty
ok bad-expression test "$(grep -c missing err)" = 0
r filter --color always 'a = 1' missing
ok bad-expression-color err_has "$(printf '\033[1;31merror:\033[0m')"
r filter 's.startswith("x")' three
ok suggestion exits 3
ok suggestion err_has startsWith
r explain 'a ='
ok explain-bad exits 3
r filter "$(seq -s ' || ' -f 'f%g == 1' 4100)" three
ok too-many-paths exits 3
ok too-many-paths err_has 'more than 4096 different paths'
ok too-many-paths out_empty

# Options: status 64 and a word of help.
r filter --cuont true three
ok unknown-option exits 64
ok unknown-option err_has 'did you mean --count?'
r filter
ok no-expression exits 64
r
ok no-command exits 64
r fliter true
ok unknown-command exits 64
ok unknown-command err_has "did you mean 'filter'?"
r 'a > 1' three
ok expression-as-command exits 64
ok expression-as-command err_has 'riffle filter EXPR'
for bad in '--color=no' '--threads=0' '--threads=257' '--max-depth=0' '--max-depth=65537' '--max-record=0' '--max-record=2G' '--emit=xml' \
    '--backend=tpu' '--progress=x' '--format=avro' '--batch-bytes=1' '--stats=xml' '-m-1' '--on-error=dropp' '--count=1' '-Z'; do
    r filter "$bad" true three
    ok "bad-option $bad" exits 64
    ok "bad-option $bad" out_empty
    ok "bad-option $bad" err_has "Try 'riffle filter --help'."
done
r filter '-price < 0' three
ok minus-hint exits 64
ok minus-hint err_has 'unknown option -p; put -- before an expression'
r filter -- '-a < -1' three
ok minus-expression out_is '{"a":2,"s":"y"}\n{"a":3,"s":"x"}\n'
