# Standard streams that are full, closed or gone. Sourced by run.sh.

# A reader that leaves early ends the program quietly with 0.
seq 1 2000000 | sed 's/.*/{"n":&}/' >long
"$riffle" filter true long 2>err | head -1 >out
status=${PIPESTATUS[0]}
ok closed-pipe exits 0
ok closed-pipe err_empty
ok closed-pipe out_is '{"n":1}\n'
"$riffle" filter --threads 2 -s n true long 2>err | head -1 >out
status=${PIPESTATUS[0]}
ok closed-pipe-json exits 0
ok closed-pipe-json err_empty
"$riffle" --help 2>err | true
status=${PIPESTATUS[0]}
ok closed-pipe-help exits 0

# A full device is an error, never a success.
"$riffle" filter true three >/dev/full 2>err
status=$?
ok cli-05-full exits 2
ok cli-05-full err_has 'No space left on device'
r filter true three -o /dev/full
ok cli-05-full-output exits 2
ok cli-05-full-output err_has 'write to /dev/full: No space left on device'
"$riffle" filter -c true three >/dev/full 2>err
status=$?
ok full-count exits 2
"$riffle" --version >/dev/full 2>err
status=$?
ok full-version exits 2
r filter --on-malformed /dev/full true mixed
ok full-aside exits 2
(
    ulimit -f 8
    exec "$riffle" filter true long -o too_big 2>err
)
status=$?
ok file-size-limit exits 2
ok file-size-limit err_has 'write to too_big: File too large'
ok file-size-limit absent too_big

# Standard error that is full or closed changes neither output nor status.
"$riffle" filter true three missing >want 2>err
want=$?
"$riffle" filter true three missing >out 2>/dev/full
status=$?
ok cli-07-full-stderr exits "$want"
ok cli-07-full-stderr cmp -s out want
"$riffle" filter true three missing >out 2>&-
status=$?
ok cli-07-closed-stderr exits "$want"
ok cli-07-closed-stderr cmp -s out want
"$riffle" filter true three >out 2>&-
status=$?
ok cli-07-closed-stderr-good exits 0
ok cli-07-closed-stderr-good out_is '{"a":1,"s":"x"}\n{"a":2,"s":"y"}\n{"a":3,"s":"x"}\n'
"$riffle" filter 'a >= 1' mixed --stats=json --progress always -o file_out 2>&-
status=$?
ok cli-07-never-reused file_is file_out '{"a":1}\n{"a":3}\n'
"$riffle" filter 'a =' three 2>&-
status=$?
ok closed-stderr-expression exits 3

# Closed standard output and input are errors where they are needed, and nothing else becomes them.
"$riffle" filter true three 2>err >&-
status=$?
ok closed-stdout exits 2
ok closed-stdout err_has 'Bad file descriptor'
"$riffle" filter true three -o by_name 2>err >&-
status=$?
ok closed-stdout-output exits 0
ok closed-stdout-output cmp -s by_name three
"$riffle" filter true >out 2>err <&-
status=$?
ok closed-stdin exits 2
ok closed-stdin out_empty
"$riffle" filter true three >out 2>err <&-
status=$?
ok closed-stdin-file exits 0
ok closed-stdin-file cmp -s out three

# A signal ends the run as it should, after the word about what is left behind.
mkfifo endless
for signal in INT TERM HUP; do
    # A shell starts what it puts behind with SIGINT ignored, and what is ignored stays so: env sets it back. One thread,
    # since the thread sanitizer holds a signal back from a thread that waits for a lock.
    env --default-signal=INT "$riffle" filter --threads 1 true -o ended --on-error ended_errors endless 2>err &
    running=$!
    exec 7>endless
    printf '{"n":1}\n' >&7
    kill -$signal $running
    wait $running 2>/dev/null
    status=$?
    exec 7>&-
    ok "signal-$signal" exits $((128 + $(kill -l $signal)))
    ok "signal-$signal" absent ended
    ok "signal-$signal" err_has "riffle: ended was not completed; what was written is in ended.part"
    ok "signal-$signal" err_has "riffle: ended_errors was not completed; what was written is in ended_errors.part"
    ok "signal-$signal" test -e ended.part
done

# --line-buffered: a record arrives before the next one is written.
mkfifo slow_in slow_out
"$riffle" filter --line-buffered 'n >= 1' slow_in >slow_out 2>err &
reader=$!
# The program starts once somebody reads its output, and only then opens its input.
exec 8<slow_out 7>slow_in
printf '{"n":1}\n' >&7
first=
read -r -t 10 first <&8
status=0
ok line-buffered test "$first" = '{"n":1}'
printf '{"n":2}\n' >&7
second=
read -r -t 10 second <&8
ok line-buffered-next test "$second" = '{"n":2}'
exec 7>&- 8<&-
wait $reader
status=$?
ok line-buffered-end exits 0
