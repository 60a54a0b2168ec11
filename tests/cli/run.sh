#!/bin/bash
# The command line as people use it: each option, each exit status, each way to fail.
#
#   tests/cli/run.sh RIFFLE REPOSITORY
#
# Runs in a temporary folder and prints what failed, then "N passed, N failed".
set -u
riffle=$(readlink -f "$1")
repository=$(readlink -f "$2")
here=$(readlink -f "$(dirname "$0")")
work=$(mktemp -d "${TMPDIR:-/tmp}/riffle-cli.XXXXXX") || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
unset RIFFLE_ISA NO_COLOR POSIXLY_CORRECT
export TERM=xterm LC_ALL=C.UTF-8
passed=0
failed=0

# Runs riffle; leaves $status, files out and err.
r() {
    "$riffle" "$@" >out 2>err </dev/null
    status=$?
}

ok() { # NAME CONDITION...: the condition is a command
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: %s (status %s)\n' "$name" "$*" "${status-}"
        [ -s out ] && head -c 400 out | sed 's/^/    out: /'
        [ -s err ] && head -c 400 err | sed 's/^/    err: /'
    fi
}

exits() { [ "$status" = "$1" ]; }
out_is() { [ "$1" = -- ] && shift; printf -- "$1" | cmp -s - out; }
file_is() { printf -- "$2" | cmp -s - "$1"; }
out_empty() { [ ! -s out ]; }
err_empty() { [ ! -s err ]; }
out_has() { grep -qF -- "$1" out; }
err_has() { grep -qF -- "$1" err; }
err_lines() { [ "$(wc -l <err)" = "$1" ]; }
absent() { [ ! -e "$1" ]; }

for part in select output fix_output bad stdio text eval fix rules backtest; do
    # shellcheck source=/dev/null
    . "$here/$part.sh"
done

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" = 0 ]
