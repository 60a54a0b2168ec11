#!/bin/sh
# The rules of the tree that a compiler does not check: which layer includes which, that a file name occurs once,
# and that no file grows beyond 800 lines, generated tables apart. Usage: tests/layers.sh [FOLDER]   (default: this checkout)
set -u
root=${1:-$(cd "$(dirname "$0")/.." && pwd)}
cd "$root" || exit 2
passed=0
failed=0
list=$(mktemp) || exit 2
trap 'rm -f "$list"' EXIT

# check NAME: passes when $list is empty, else shows it.
check() {
    if [ -s "$list" ]; then
        failed=$((failed + 1))
        printf 'FAILED %s\n' "$1"
        sed 's/^/    /' "$list"
    else
        passed=$((passed + 1))
        printf 'ok     %s\n' "$1"
    fi
}

# folder: a name of the layer it is, and the layers that its files may include besides themselves.
layers() {
    cat <<'TABLE'
base     host/base
scalar   host/scalar       base
fix      host/fix          scalar base
regex    host/regex        base
subject  host/subject      base
batch    host/batch        base
device   host/device
program  host/expr/program fix base
expr     host/expr         program fix regex subject scalar base
config   host/config       scalar base
rules    host/rules        config expr program fix regex subject scalar base
ingest   ingest            batch fix base
kernels  kernels           program batch device fix regex subject scalar base
sink     host/sink         batch base
pipeline host/pipeline     ingest kernels expr program sink batch device fix regex subject scalar base
backtest host/backtest     pipeline ingest kernels rules config expr program sink batch device fix regex subject scalar base
api      host/api          pipeline ingest kernels expr program sink batch device fix regex subject scalar base
cli      host/cli          api backtest rules config pipeline ingest kernels expr program sink batch device fix regex subject scalar base
TABLE
}

# Names of the headers and tables that a layer owns.
files_of() {
    find "$1" -maxdepth 1 -type f \( -name '*.h' -o -name '*.def' \) 2>/dev/null | sed 's|.*/||' | sort
}

# Each quoted include must name a file of the layer itself or of one that it knows.
check_includes() {
    layer=$1
    folder=$2
    shift 2
    allowed=$(mktemp) || exit 2
    {
        files_of "$folder"
        for known in "$@"; do
            files_of "$(layers | awk -v name="$known" '$1 == name { print $2 }')"
        done
    } >"$allowed"
    : >"$list"
    find "$folder" -type f \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.def' \) \
        ! -path 'host/expr/program/*' 2>/dev/null >"$list.files"
    [ "$layer" = program ] && find "$folder" -type f >"$list.files"
    while IFS= read -r file; do
        sed -n 's/^[[:space:]]*#[[:space:]]*include[[:space:]]*"\([^"]*\)".*/\1/p' "$file" |
            while IFS= read -r include; do
                case $include in
                */*) printf '%s: "%s" has a folder in it; includes are flat\n' "$file" "$include" ;;
                *) grep -qxF -- "$include" "$allowed" || printf '%s: "%s" is of no layer that %s may know\n' "$file" "$include" "$layer" ;;
                esac
            done
    done <"$list.files" >>"$list"
    rm -f "$allowed" "$list.files"
    check "includes of $layer ($folder)"
}

layers | while read -r layer folder known; do
    [ -d "$folder" ] || printf '%s\n' "$folder"
done >"$list"
check "every layer has its folder"

# A pipe would lose the counts to a subshell.
table=$(mktemp) || exit 2
layers >"$table"
while read -r layer folder known; do
    # shellcheck disable=SC2086 # a list of words
    check_includes "$layer" "$folder" $known
done <"$table"

# The same table once more, in CMake: both must say the same of direct knowledge.
while read -r layer folder known; do
    line=$(grep -E "^rf_layer\($layer[[:space:]]" CMakeLists.txt)
    stated=$(printf '%s\n' "$line" | sed -n 's/.*KNOWS//p' | sed 's/LINK.*//; s/).*//')
    for name in $stated; do
        case " $known " in
        *" $name "*) ;;
        *) printf 'CMakeLists.txt: %s knows %s, which this test forbids\n' "$layer" "$name" ;;
        esac
    done
    [ -n "$line" ] || printf 'CMakeLists.txt: no rf_layer(%s ...)\n' "$layer"
done <"$table" >"$list"
check "CMakeLists.txt states no other knowledge"
rm -f "$table"

sources=$(mktemp) || exit 2
find host ingest kernels bench tests cmake -type f \
    \( -name '*.c' -o -name '*.h' -o -name '*.cu' -o -name '*.cpp' -o -name '*.hpp' -o -name '*.def' -o -name '*.py' -o -name '*.sh' \) \
    ! -path 'tests/consumer/*' >"$sources"

sed 's|.*/||' "$sources" | sort | uniq -d | while IFS= read -r name; do
    grep -E "/$name\$" "$sources" | tr '\n' ' '
    echo
done >"$list"
check "file names occur once"

# Tables that a script of the tree makes, and says so, are as long as their data.
while IFS= read -r file; do
    case $file in
    */tables/*.c) sed -n 1,4p "$file" | grep -q 'Made by [^ ]*/tables/[a-z_]*\.py ' && continue ;;
    esac
    lines=$(wc -l <"$file")
    [ "$lines" -le 800 ] || printf '%s: %s lines\n' "$file" "$lines"
done <"$sources" >"$list"
check "no file over 800 lines"

while IFS= read -r file; do
    case $file in
    *.h) sed -n 1p "$file" | grep -q '^/\* '"${file##*/}"': ' || printf '%s\n' "$file" ;;
    esac
done <"$sources" >"$list"
check "headers say first what they are"

grep -nE '\b(TODO|FIXME|XXX)\b' $(grep -v 'tests/layers.sh' "$sources") /dev/null | grep -vE '#[0-9]+' >"$list"
check "no note of open work without an issue number"
rm -f "$sources"

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
