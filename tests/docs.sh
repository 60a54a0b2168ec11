#!/bin/bash
# The examples of docs/expressions.md and docs/conformance.md, run as they stand, and what the first must have examples of.
#
#   tests/docs.sh RIFFLE REPOSITORY
#
# In a block that begins with ```cel every line is EXPRESSION // RESULT; the expression may begin on lines before. The
# result is what `riffle eval` prints, "error: ..." when the expression has no value, "refused: ..." when it is no
# expression that could have one. Options may stand behind the word cel: --strict-cel, --unchecked. The message that a
# block reads is the last ```json block before it. Each value is then asked for again as a predicate over a stream of
# that message, on each engine; and with its literals as columns (--lift), where the engines are compared besides.
# Prints what failed, then "N passed, N failed".
set -u
riffle=$(readlink -f "$1")
repository=$(readlink -f "$2")
page=$repository/docs/expressions.md
work=$(mktemp -d "${TMPDIR:-/tmp}/riffle-docs.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset RIFFLE_ISA NO_COLOR
export LC_ALL=C.UTF-8
passed=0
failed=0
: >examples
: >cases

pass() { passed=$((passed + 1)); }

fail() { # WHAT
    failed=$((failed + 1))
    printf 'FAILED line %s: %s\n    %s\n' "$number" "$1" "$expression"
    [ -s out ] && printf '%.400s\n' "$(cat out)" | sed 's/^/    out: /'
    [ -s err ] && printf '%.400s\n' "$(cat err)" | sed 's/^/    err: /'
}

r() {
    "$riffle" "$@" >out 2>err </dev/null
    status=$?
}

json_quote() {
    local text=${1//\\/\\\\}
    text=${text//\"/\\\"}
    text=${text//$'\n'/\\n}
    printf '"%s"' "${text//$'\t'/\\t}"
}

# Asks type() of the expression: JSON has fewer types than the language. Empty when there is none, as of 1e400.
type_ask() {
    r eval "${options[@]}" --json "$message" -- "type($expression
)"
    type=$(tr -d '"' <out)
}

# A condition that holds when the expression is of $type and has that value.
predicate_make() { # VALUE
    local inner="($expression
)"
    case $type:$1 in
    bool:true) predicate=$expression ;;
    bool:false) predicate="!$inner" ;;
    uint:*) predicate="$inner == $1u" ;;
    double:'"NaN"') predicate="math.isNaN$inner" ;;
    double:'"Infinity"') predicate="$inner == 1.0 / 0.0" ;;
    double:'"-Infinity"') predicate="$inner == -1.0 / 0.0" ;;
    bytes:*) predicate="base64.encode$inner == $1" ;;
    type:*) predicate="$inner == ${1//\"/}" ;;
    optional_type:null) predicate="$inner.or(optional.of(null)) == optional.of(null)" ;;
    optional_type:*) predicate="$inner == optional.of($1)" ;;
    google.protobuf.* | net.*) predicate="string$inner == $1" ;;
    *) predicate="$inner == $1" ;;
    esac
}

# Splits "[a, f(b, c)]" into the lines "a" and " f(b, c)" of $parts; false when that is no list from end to end.
list_split() { # TEXT
    local text=$1 part='' quote='' c i depth=0
    parts=()
    [ "${text:0:1}" = '[' ] && [ "$text" != '[]' ] || return 1
    for ((i = 1; i < ${#text}; i++)); do
        c=${text:i:1}
        if [ -n "$quote" ]; then
            case $c in
            "$quote") quote= ;;
            \\) part+=$c && i=$((i + 1)) && c=${text:i:1} ;;
            esac
        else
            case $c in
            \" | \') quote=$c ;;
            '[' | '(' | '{') depth=$((depth + 1)) ;;
            ']' | ')' | '}') depth=$((depth - 1)) ;;
            esac
            if [ "$depth" -lt 0 ] || { [ "$depth" = 0 ] && [ "$c" = , ]; }; then
                parts+=("$part")
                part=
                [ "$depth" = 0 ] && continue
                [ $((i + 1)) = ${#text} ]
                return
            fi
        fi
        part+=$c
    done
    return 1
}

check_refused() { # TEXT
    r eval "${options[@]}" --json "$message" -- "$expression"
    if [ "$status" != 3 ] || [ -s out ] || [ "$(head -n 1 err)" != "error: $1" ]; then
        fail "is not refused so (status $status)"
        return
    fi
    r filter "${options[@]}" -- "$expression" message
    if [ "$status" = 3 ]; then pass; else fail "is not refused by filter (status $status)"; fi
}

check_error() { # TEXT
    r eval "${options[@]}" --json "$message" -- "$expression"
    if [ "$status" != 2 ] || [ -s out ] || [ "$(head -n 1 err)" != "error: $1" ]; then
        fail "is no such error (status $status)"
        return
    fi
    pass
    for engine in $engines; do
        r filter "${options[@]}" --backend "$engine" --strict-backend -q --stats=json -- "($expression
) == null" message
        if grep -q '"error":1,' err; then pass; else fail "is no error on $engine"; fi
    done
}

# On each engine: as a predicate; what has no literal to compare it with, and maps, as a projection.
engines_ask() { # JSON
    case $expression in '{'*) type= ;; *) type_ask ;; esac
    for engine in $engines; do
        if [ -n "$type" ]; then
            predicate_make "$1"
            r filter "${options[@]}" --backend "$engine" --strict-backend -c -- "$predicate" message
            if [ "$(cat out)" = 1 ]; then pass; else fail "has not the value $1 on $engine"; fi
        else
            r filter "${options[@]}" --backend "$engine" --strict-backend -s "$expression" -- true message
            if [ "$(cat out)" = "$1" ]; then pass; else fail "is not written as $1 on $engine"; fi
        fi
    done
}

check_value() { # JSON
    local json=$1 i
    r eval "${options[@]}" --json "$message" -- "$expression"
    if [ "$status" != 0 ] || [ -s err ] || [ "$(cat out)" != "$json" ]; then
        fail "has not the value $json (status $status)"
        return
    fi
    pass
    if list_split "$json"; then
        local value=("${parts[@]}")
        if list_split "$expression" && [ ${#parts[@]} = ${#value[@]} ]; then
            local element=("${parts[@]}")
            for ((i = 0; i < ${#element[@]}; i++)); do
                expression=${element[i]# }
                engines_ask "${value[i]}"
            done
            return
        fi
    fi
    engines_ask "$json"
}

example() { # RESULT
    printf '%s\n' "$expression" | tr '\n' ' ' >>examples
    printf '\n' >>examples
    printf '{"line":%s,"expr":%s}\n' "$number" "$(json_quote "$expression")" >>cases
    case $1 in
    error:*) check_error "${1#error: }" ;;
    refused:*) check_refused "${1#refused: }" ;;
    *) check_value "$1" ;;
    esac
}

# ---- The page ----

block=
message=null
expression=
number=0
while IFS= read -r line; do
    number=$((number + 1))
    case $block:$line in
    :'```json')
        block=json
        message=
        ;;
    :'```cel'*)
        block=cel
        read -ra options <<<"${line#'```cel'}"
        engines="interp cpu"
        case " ${options[*]-} " in *' --unchecked '*) engines= ;; esac # filter has no such option
        ;;
    *:'```'*)
        [ "$block" != json ] || printf '%s\n' "$message" >message
        block=
        ;;
    json:*) message+=$line ;;
    cel:*' // '*)
        expression+=${line% // *}
        while [ "${expression% }" != "$expression" ]; do
            expression=${expression% }
        done
        example "${line##* // }"
        expression=
        ;;
    cel:*) [ -z "$expression$line" ] || expression+=$line$'\n' ;;
    esac
done <"$page"

# ---- Engines, with the literals as columns ----

number=all
expression=$(wc -l <cases)" examples"
r eval --cases cases --unchecked --lift
if [ "$status" = 0 ] && ! grep -q disagree out err; then
    pass
else
    grep disagree out >differ
    mv differ out
    fail "the engines disagree"
fi

# ---- The case file of docs/conformance.md ----

block_of() { # LANGUAGE: the only block of that language
    sed -n "/^\`\`\`$1\$/,/^\`\`\`\$/p" "$repository/docs/conformance.md" | grep -v '^```'
}

expression="the lines of docs/conformance.md"
block_of jsonl >lines
block_of json >results
r eval --cases lines --engine interp
if [ -s lines ] && [ "$status" = 0 ] && cmp -s out results; then
    pass
else
    diff results out >differ
    mv differ out
    fail "have other results"
fi

# ---- What the page must have ----

# wanted WHAT PATTERN [PATTERN]: an example that fits the first one; a row of a table in the page that fits the second.
wanted() {
    expression=$1
    : >out
    : >err
    if grep -qE -e "$2" examples; then pass; else fail "has no example"; fi
    [ $# -ge 3 ] || return 0
    if grep -E '^\|' "$page" | grep -qE -e "$3"; then pass; else fail "is in no table"; fi
}

regex_quote() { printf '%s' "$1" | sed 's/[][\.*^$+?(){}|]/\\&/g'; }

number=-
count=0
while read -r kind text; do
    count=$((count + 1))
    quoted=$(regex_quote "$text")
    row=$(printf '%s' "$quoted" | sed 's/\\|/\\\\\\|/g') # a table writes | as \|
    case $kind in
    GLOBAL | MACRO_GLOBAL) wanted "$text()" "(^|[^.[:alnum:]])$quoted\(" "\`$quoted\(" ;;
    METHOD | MACRO) wanted ".$text()" "\.$quoted\(" "\`[^\`]*\.$quoted\(" ;;
    BOTH)
        wanted "$text()" "(^|[^.[:alnum:]])$quoted\(" "\`$quoted\("
        wanted ".$text()" "\.$quoted\(" "\`[^\`]*\.$quoted\("
        ;;
    MESSAGE) wanted "$text{}" "$quoted\{" "\`$quoted\`" ;;
    UNARY) wanted "$text (of one operand)" "(^|[^[:alnum:])\"' ] ?)${quoted}[[:alpha:](]" "\`${row}[[:alpha:]]" ;;
    BINARY) wanted "$text" "[^ ] $quoted [^ ]" " $row |\`$row\`" ;;
    TERNARY) wanted "$text" ' \? .* : ' ' \? .* : ' ;;
    INTERNAL) count=$((count - 1)) ;; # syntax that has a form of its own inside the engines
    *) fail "a kind of function that this test does not know: $kind $text" ;;
    esac
done < <(sed -nE 's/^RF_FUNCTION\([A-Z0-9_]+, *"([^"]+)", *([A-Z_]+),.*/\2 \1/p' \
    "$repository/host/expr/program/function.def")
expression="function.def: $count functions"
if [ "$count" -ge 100 ]; then pass; else fail "is not read to its end"; fi

while read -r name; do
    wanted "record.$name" "record\.$name\b" "[\`.]$name\`"
done < <(sed -nE 's/^RF_RECORD\("([a-z]+)".*/\1/p' "$repository/host/expr/record.def")

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
