#!/bin/bash
# The examples of a page about files: each ```yaml or ```json block with a name is that file, each line behind "$ " in a ```console block is
# run, and must print the lines below it. Of docs/backtest.md also the tables, which the program makes.
#
#   tests/docs_files.sh RIFFLE PAGE
#
# Prints what failed, then "N passed, N failed".
set -u
riffle=$(readlink -f "$1")
page=$(readlink -f "$2")
work=$(mktemp -d "${TMPDIR:-/tmp}/riffle-docs.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
mkdir "$work/bin" "$work/files" || exit 2
ln -s "$riffle" "$work/bin/riffle"
PATH=$work/bin:$PATH
cd "$work/files" || exit 2
unset RIFFLE_ISA NO_COLOR
export LC_ALL=C.UTF-8
passed=0
failed=0
wanted=$work/wanted
found=$work/found

check() { # WHAT: is $found what is $wanted?
    if cmp -s "$wanted" "$found"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s\n' "$1"
        diff "$wanted" "$found" | sed 's/^/    /'
    fi
}

command=
command_end() {
    [ -n "$command" ] || return 0
    bash -c "$command" >"$found" 2>&1 </dev/null
    check "line $number: $command"
    command=
}

block=
number=0
while IFS= read -r line; do
    number=$((number + 1))
    case $block:$line in
    :'```yaml '* | :'```json '*)
        block=file
        file=${line#'```'* }
        : >"$file"
        ;;
    :'```console') block=console ;;
    :'```'*) block=other ;;
    file:'```' | other:'```') block= ;;
    console:'```')
        command_end
        block=
        ;;
    file:*) printf '%s\n' "$line" >>"$file" ;;
    console:'$ '*)
        command_end
        command=${line#'$ '}
        : >"$wanted"
        ;;
    console:*) printf '%s\n' "$line" >>"$wanted" ;;
    esac
done <"$page"

# The tables are the end of the page.
riffle schema rules --emit markdown >"$found"
tail -n "$(wc -l <"$found")" "$page" >"$wanted"
check "the tables: riffle schema rules --emit markdown"

[ "$passed" -ge 5 ] || failed=$((failed + 1)) # a page without examples has lost them
printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
