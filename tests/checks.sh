# Checks of a bash script in a folder of their own. Sourced: leaves $work, which is entered and goes in the end; ok counts, checks_end
# says how many passed and exits.
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 2
passed=0
failed=0
ok() { # NAME CONDITION...: the condition is a command
    local name=$1
    shift
    if "$@"; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
        printf 'FAILED %s: %s\n' "$name" "$*"
        [ ! -s err ] || head -c 400 err | sed 's/^/    err: /'
    fi
}
checks_end() {
    printf '%d passed, %d failed\n' "$passed" "$failed"
    [ "$failed" -eq 0 ]
    exit
}
