#!/bin/sh
# jsontestsuite.sh RIFFLE FOLDER: runs the parsing files of a checkout of JSONTestSuite under --validate: y_ must be
# accepted, n_ refused, and i_ as docs/testing.md decides. A file is one record: its line feeds become CR, which is white
# space and forbidden in strings just the same. tests/cases/json_verdicts.test keeps the verdicts; this is for a newer
# suite. Exit codes: 0 all as expected, 1 some not, 2 usage.
set -u
if [ $# -ne 2 ] || [ ! -d "$2" ]; then
    echo "usage: jsontestsuite.sh RIFFLE FOLDER" >&2
    exit 2
fi
riffle=$1
folder=$2
passed=0
failed=0
for file in "$folder"/*.json; do
    name=$(basename "$file")
    case $name in
    y_* | i_number_* | i_structure_*) expected=1 ;;
    n_* | i_*) expected=0 ;;
    *) continue ;;
    esac
    got=$(tr '\n' '\r' <"$file" | "$riffle" filter -f ndjson --validate -c true 2>/dev/null)
    # Input that is refused as a whole (UTF-16) gives no count.
    if [ "${got:-0}" = "$expected" ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        echo "jsontestsuite: $name: expected $expected accepted record(s), got '${got}'"
    fi
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ] && [ "$passed" -gt 300 ]
