# Texts about the program itself: help, version, manual, completions, explain, backends. Sourced by run.sh.

for command in '' filter explain eval backends; do
    # shellcheck disable=SC2086
    r $command --help
    ok "help $command" exits 0
    ok "help $command" out_has 'Usage: riffle'
    ok "help $command" err_empty
    # shellcheck disable=SC2086
    r $command -h
    ok "help -h $command" exits 0
done
"$riffle" filter --help >want
r help filter
ok help-word-command cmp -s out want
"$riffle" --help >want
r help
ok help-word exits 0
ok help-word cmp -s out want
"$riffle" --version >want
r version
ok version-word exits 0
ok version-word cmp -s out want
r help nonsense
ok help-word-unknown exits 64
r --version
ok version exits 0
ok version out_has 'riffle '
ok version out_has 'cpu: '
ok version out_has 'cuda: '
r -V
ok version-letter exits 0
r filter --version
ok version-command exits 0
r backends
ok backends exits 0
ok backends test "$(cut -d' ' -f1 out | tr '\n' ' ')" = 'interp cpu cuda '
r explain 'price > 100 && symbol == "MSFT"'
ok explain exits 0
ok explain out_has price
ok explain out_has MSFT
ok explain err_empty
r explain -s '{"x": qty * 2}' 'price > 100.0'
ok explain-select exits 0
r explain -s '{"x": qty * 2}' --strict-cel 'price > 100.0'
ok explain-strict exits 3
r explain -f text 'raw.contains("x")'
ok explain-text exits 0
r explain -f text 'price > 1'
ok explain-text-msg exits 3

# docs/cli.md is what the program prints.
r --cli-markdown
ok cli-markdown exits 0
ok cli-markdown-docs cmp -s out "$repository/docs/cli.md"

# Man page: formats without a warning.
r --man
ok man exits 0
cp out riffle.1
if command -v groff >/dev/null; then
    groff -man -ww -Tutf8 riffle.1 >page 2>err
    status=$?
    ok man-groff exits 0
    ok man-groff err_empty
fi
if command -v man >/dev/null && man -l riffle.1 >page 2>err </dev/null; then
    ok man-page grep -q 'EXIT STATUS' page
fi

# Completions: load, and complete.
for shell in bash zsh fish; do
    r --completion $shell
    ok "completion-$shell" exits 0
    cp out complete.$shell
done
complete_bash() { # WORD...: what bash would offer for the last word
    bash --norc --noprofile -c '. ./complete.bash
        COMP_WORDS=("$@")
        COMP_CWORD=$(($# - 1))
        _riffle
        printf "%s\n" "${COMPREPLY[@]}"' bash "$@" >out 2>err
    status=$?
}
complete_bash riffle ''
ok bash-commands out_has filter
ok bash-commands err_empty
complete_bash riffle filter --co
ok bash-flags out_is -- '--count\n--color\n'
complete_bash riffle filter --color ''
ok bash-choices out_is 'auto\nalways\nnever\n'
complete_bash riffle filter --color = al
ok bash-choices-equals out_is 'always\n'
complete_bash riffle filter true thr
ok bash-files out_is 'three\n'
complete_bash riffle filter --on-error s
ok bash-policy out_has stop
complete_bash riffle --completion ''
ok bash-top out_is 'bash\nzsh\nfish\n'
complete_bash riffle explain --str
ok bash-explain out_is -- '--strict-cel\n'
complete_bash riffle eval --engine ''
ok bash-eval out_is 'cpu\ninterp\ncuda\n'
complete_bash riffle eval --cases thr
ok bash-eval-file out_is 'three\n'
if command -v zsh >/dev/null; then
    zsh -f -c 'autoload -U compinit && compinit -u -d ./zcompdump && . ./complete.zsh && (( $+functions[_riffle] )) && [ "$_comps[riffle]" = _riffle ]' >out 2>err
    status=$?
    ok zsh-load exits 0
    ok zsh-load err_empty
fi
if command -v fish >/dev/null; then
    HOME=$work fish --no-config -c '. ./complete.fish; complete -C "riffle filter --co"' >out 2>err
    status=$?
    ok fish-flags exits 0
    ok fish-flags out_has --count
    HOME=$work fish --no-config -c '. ./complete.fish; complete -C "riffle filter --color "' >out 2>err
    ok fish-choices out_has always
    HOME=$work fish --no-config -c '. ./complete.fish; complete -C "riffle "' >out 2>err
    ok fish-commands out_has backends
fi
