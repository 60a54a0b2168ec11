#!/bin/sh
# Installs a build into an empty folder, moves that folder, and builds tests/consumer against it: with pkg-config and
# with CMake, shared and static. Usage: tests/consumer.sh [BUILD_FOLDER]. Nothing is skipped.
set -u
root=$(cd "$(dirname "$0")/.." && pwd)
build=$(cd "${1:-$root/build}" && pwd) || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
compiler=${CC:-cc}
passed=0
failed=0

# check NAME COMMAND...
check() {
    name=$1
    shift
    if "$@" >"$work/log" 2>&1; then
        passed=$((passed + 1))
        printf 'ok     %s\n' "$name"
    else
        failed=$((failed + 1))
        printf 'FAILED %s\n' "$name"
        sed 's/^/    /' "$work/log"
    fi
}

check "install" cmake --install "$build" --prefix "$work/first"
mv "$work/first" "$work/moved place"
prefix=$(find "$work" -maxdepth 1 -name 'moved place')
library=$(find "$prefix" -name 'libriffle.so' -exec dirname '{}' \;)
export LD_LIBRARY_PATH="$library"
export PKG_CONFIG_PATH="$library/pkgconfig"

for file in bin/riffle include/riffle.h include/riffle_fix.h share/man/man1/riffle.1 share/bash-completion/completions/riffle \
    share/zsh/site-functions/_riffle share/fish/vendor_completions.d/riffle.fish share/doc/riffle/LICENSE share/doc/riffle/LICENSE.Apache-2.0 share/doc/riffle/NOTICE share/doc/riffle/README.md share/doc/riffle/SECURITY.md; do
    check "installed: $file" test -s "$prefix/$file"
done
for file in libriffle.a libriffle.so libriffle.so.0 pkgconfig/riffle.pc cmake/riffle/riffleConfig.cmake; do
    check "installed: $file" test -s "$library/$file"
done
check "the program runs where it was moved to" "$prefix/bin/riffle" --version

# Nothing of the inside shows, and everything of riffle.h and riffle_fix.h does.
nm -D --defined-only "$library/libriffle.so" | awk '{ print $NF }' | sed 's/@.*//' | sort >"$work/shown"
sed -n 's/^RIFFLE_API.*[ *]\(riffle_[a-z0-9_]*\)(.*/\1/p' "$prefix/include/riffle.h" "$prefix/include/riffle_fix.h" | sort >"$work/declared"
check "riffle.h declares functions" test -s "$work/declared"
check "libriffle.so shows exactly the functions of the headers" diff "$work/declared" "$work/shown"

# pkg-config escapes the space in the path, so the shell has to read its answer as words of its own.
pkg_config_shared() {
    eval "$compiler -std=c11 -Wall -Wextra -Werror '$root/tests/consumer/consumer.c' -o '$work/pc_shared' $(pkg-config --cflags --libs riffle)"
}
pkg_config_static() {
    others=$(pkg-config --static --libs riffle | sed 's/-lriffle//')
    eval "$compiler -std=c11 -Wall -Wextra -Werror '$root/tests/consumer/consumer.c' -o '$work/pc_static' \
        $(pkg-config --cflags riffle) '$library/libriffle.a' $others"
}
check "pkg-config, shared: builds" pkg_config_shared
check "pkg-config, shared: runs" "$work/pc_shared"
check "pkg-config, static: builds" pkg_config_static
check "pkg-config, static: runs" env -u LD_LIBRARY_PATH "$work/pc_static"
check "the version of pkg-config is the program's" sh -c \
    'version=$(pkg-config --modversion riffle) && "$1" --version | grep -qwF "$version"' - "$prefix/bin/riffle"

check "CMake package: is found" cmake -G Ninja -S "$root/tests/consumer" -B "$work/cmake" \
    -DCMAKE_BUILD_TYPE=Release "-DCMAKE_PREFIX_PATH=$prefix"
check "CMake package: builds" cmake --build "$work/cmake"
check "CMake package, shared: runs" "$work/cmake/consumer_shared"
check "CMake package, static: runs" env -u LD_LIBRARY_PATH "$work/cmake/consumer_static"

printf '#include <riffle_fix.h>\nint main() { return riffle_version() == nullptr; }\n' >"$work/header.cpp"
check "the headers are C++ too" clang++ -std=c++17 -Wall -Wextra -Werror -fsyntax-only "-I$prefix/include" "$work/header.cpp"

printf '%d passed, %d failed\n' "$passed" "$failed"
[ "$failed" -eq 0 ]
