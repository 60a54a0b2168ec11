#!/bin/sh
# Whoever packages riffle may build it with -DNDEBUG: every source of the program must compile without a warning then, too. Only
# looked at by the compiler, not built. Usage: tests/ndebug.sh BUILD_FOLDER REPOSITORY
set -u
build=$1
root=$(cd "$2" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT

# One command on each line, as a shell reads it.
sed -n 's/^ *"command": "\(.*\)",\{0,1\}$/\1/p' "$build/compile_commands.json" | sed 's/\\"/"/g; s/\\\\/\\/g' |
    grep -E -- " -c $root/(host|ingest|kernels)/" | sort -u >"$work/commands"
total=$(wc -l <"$work/commands")
cd "$build" || exit 2
while read -r command; do
    printf '%s -DNDEBUG -fsyntax-only\0' "$command"
done <"$work/commands" | xargs -0 -n 1 -P "$(nproc)" sh -c 'sh -c "$1" 2>&1 || echo "FAILED ${1##* -c }"' sh >"$work/log"
cat "$work/log"
failed=$(grep -c '^FAILED ' "$work/log")
[ "$total" -gt 0 ] || failed=1
printf '%s passed, %s failed\n' "$((total - failed))" "$failed"
[ "$failed" -eq 0 ]
