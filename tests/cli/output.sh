# Forms of output and where it goes. Sourced by run.sh.

printf '{"id":1,"p":1.5,"q":2,"o":{"k":"v"}}\r\n  {"id":2,"p":2,"q":3,"n":"a,\\"b"}  \n\n{"id":9007199254740993,"p":1e2}' >forms

# Byte identity: CRLF, blanks and a missing line end stay as they are (a last line gets its line feed).
printf '{"id":1,"p":1.5,"q":2,"o":{"k":"v"}}\r\n' >crlf
r filter 'id == 1' crlf
ok crlf cmp -s out crlf
r filter 'true' crlf crlf
ok crlf-all cmp -s out <(cat crlf crlf)
r filter 'true' forms
ok byte-identity out_is '{"id":1,"p":1.5,"q":2,"o":{"k":"v"}}\r\n  {"id":2,"p":2,"q":3,"n":"a,\\"b"}  \n{"id":9007199254740993,"p":1e2}\n'

# Prefixes.
r filter -H 'id == 2' forms
ok with-filename out_is 'forms:  {"id":2,"p":2,"q":3,"n":"a,\\"b"}  \n'
r filter --line-number 'id != 1' forms
ok line-number out_is '2:  {"id":2,"p":2,"q":3,"n":"a,\\"b"}  \n4:{"id":9007199254740993,"p":1e2}\n'
r filter -Hn --color always 'id == 2' forms
ok prefix-color out_is '\033[35mforms\033[0m:\033[35m2\033[0m:  {"id":2,"p":2,"q":3,"n":"a,\\"b"}  \n'
r filter -Hn --color never 'id == 2' forms
ok prefix-no-color out_has 'forms:2:  {'
r filter -n --emit json 'id == 2' forms
ok prefix-json exits 64
r filter -n -s id 'id == 2' forms
ok prefix-select exits 64

# json and csv.
r filter 'has(q)' -s id forms
ok select-one out_is '1\n2\n'
r filter 'true' --select id forms
ok select-big-integer out_is '1\n2\n9007199254740993\n'
r filter 'has(q)' -s id -s 'p * q' forms
ok select-two out_is '{"id":1,"p * q":3}\n{"id":2,"p * q":6}\n'
r filter 'has(q)' --select '{"id": id, "notional": p * q}' forms
ok select-map out_is '{"id":1,"notional":3}\n{"id":2,"notional":6}\n'
r filter 'has(q)' --emit csv --select '{"id": id, "notional": p * q}' -s n forms
ok csv out_is 'id,notional,n\r\n1,3,\r\n2,6,"a,""b"\r\n'
r filter 'id == 1' --emit csv -s '{"a,b": 1, "c": "x"}' forms
ok csv-constant out_is '"a,b",c\r\n1,x\r\n'
r filter 'id == 1' --emit csv -s ' id ' forms
ok csv-trimmed-name out_is 'id\r\n1\r\n'
r filter 'id == 100' --emit csv -s id forms
ok csv-header-alone out_is 'id\r\n'
r filter 'id == 1' --emit json forms
ok emit-json-whole exits 0
ok emit-json-whole out_has '"o":{"k":"v"}'
printf 'a "q"\n' >text_line
r filter -f text 'true' --emit json text_line
ok emit-json-text out_is '"a \\"q\\""\n'
r filter 'true' --emit csv forms
ok csv-without-select exits 64
ok csv-without-select err_has '--select'
r filter 'true' --emit lines -s id forms
ok lines-with-select exits 64
r filter 'true' -s id -s id forms
ok same-name-twice exits 64
ok same-name-twice err_has "the name 'id';"
r filter 'true' -s '{"pq": id}' -s '{"pq": n}' forms
ok same-name-twice-in-maps exits 64
ok same-name-twice-in-maps err_has "the name 'pq';"
r filter 'true' -s 'id +' forms
ok select-bad exits 3
ok select-bad err_has '| id +'

# Output files.
r filter 'id == 1' crlf -o made
ok output exits 0
ok output cmp -s made crlf
ok output out_empty
ok output absent made.part
cp forms same
r filter 'id == 2' same -o same
ok output-is-input file_is same '  {"id":2,"p":2,"q":3,"n":"a,\\"b"}  \n'
printf old >keep
r filter 'id +' forms -o keep
ok output-untouched-by-bad-expression file_is keep old
ok output-untouched-by-bad-expression absent keep.part
r filter true forms -o no/such/folder
ok output-no-folder exits 2
ok output-no-folder err_has 'no/such/folder'
r filter -c true forms -o number
ok output-count file_is number '3\n'
r filter 'id == 1' crlf -o -
ok output-dash cmp -s out crlf
"$riffle" filter 'id == 1' crlf -o /dev/stdout >shared 2>err
status=$?
ok output-dev-stdout cmp -s shared crlf
chmod 600 made
r filter 'id == 1' crlf -o made
ok output-mode test "$(stat -c %a made)" = 600

# Two outputs of one name would overwrite each other: nothing is read, the file stays as it was.
for second in same-output ./same-output; do
    printf old >same-output
    r filter 'id == 1' crlf -o same-output --on-error $second
    ok "output-twice $second" exits 2
    ok "output-twice $second" err_has "cannot write $second: it is being written already"
    ok "output-twice $second" file_is same-output old
done

# Statistics: exact counts, on the last line of standard error.
r filter --stats json --no-prefilter 'p > 1.9' forms
ok stats-json exits 0
ok stats-json err_lines 1
ok stats-json err_has '{"read":4,"selected":2,"rejected":1,"error":0,"malformed":0,"blank":1,"bytes":'"$(stat -c %s forms)"',"seconds":'
ok stats-json err_has '"prefilter":false,"errors":[]}'
r filter --stats 'p > 1.9' forms
ok stats-text err_has 'riffle: read 4 records ('
r filter --stats=text 'p > 1.9' forms
ok stats-text-word err_has '2 selected'
r filter --stats --color always 'p > 1.9' forms
ok stats-color err_has "$(printf '\033[32mriffle:\033[0m')"
r filter --stats=json --backend interp --threads 2 'p > 1.9' forms
ok stats-backend err_has '"backend":"interp"'
r filter --stats=json 's == "some text"' many
ok stats-sum test "$(tail -1 err | sed 's/.*"read":\([0-9]*\).*/\1/')" = 20000

# Progress.
r filter --progress always -c true many
ok progress-always err_has 'rows'
ok progress-always test "$(tail -c 4 err)" = "$(printf '\r\033[K')"
r filter --progress never -c true many
ok progress-never err_empty
r filter --progress auto -c true many
ok progress-auto err_empty
# On a terminal: the bar is gone before the number, and there is none where records could run into it.
# Slow for sure: a pipe that stays silent for longer than it takes the bar to appear.
slowly='(cat many; sleep 0.5; cat many; sleep 0.2; cat many)'
on_terminal() {
    script -qec "$1" /dev/null </dev/null >out 2>err
    status=$?
}
on_terminal "$slowly | '$riffle' filter -c true"
ok progress-terminal out_has rows
ok progress-terminal grep -q "$(printf '\r\033\\[K60000\r')" out
on_terminal "$slowly | '$riffle' filter 'n == 1'"
ok progress-terminal-records test "$(grep -c rows out)" = 0
on_terminal "$slowly | '$riffle' filter 'n == 1' | cat"
ok progress-terminal-pipe test "$(grep -c rows out)" = 0
on_terminal "$slowly | '$riffle' filter 'n == 1' >to_file"
ok progress-terminal-file out_has rows
