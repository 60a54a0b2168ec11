# FIX messages as lines, json, csv and for people. Sourced by run.sh.

fix_message() { # BODY [SUM_OFF]: with SOH for |, on a line of its own, which begins with a time
    local body=${1//|/$'\001'} sum=${2-0} i head
    head="8=FIX.4.4"$'\001'"9=${#body}"$'\001'
    for ((i = 0; i < ${#head}; i++)); do sum=$((sum + $(printf '%d' "'${head:i:1}"))); done
    for ((i = 0; i < ${#body}; i++)); do sum=$((sum + $(printf '%d' "'${body:i:1}"))); done
    printf '%s%s10=%03d\001' "$head" "$body" $((sum % 256))
}

{
    fix_message '35=D|34=1|52=20260102-10:00:00.000|55=IBM|54=1|44=102.00|43=Y|453=2|448=A|447=D|452=1|448=B|'
    fix_message '35=8|34=2|55=MSFT|54=2|31=007|58=a "b"|9702=x|'
    fix_message '35=0|34=3|' 1
} >soh.fix
# What a log prints for it. CheckSum is that of SOH, so the pipes change nothing.
{
    printf '10:00:00 OUT '
    fix_message '35=D|34=1|52=20260102-10:00:00.000|55=IBM|54=1|44=102.00|43=Y|453=2|448=A|447=D|452=1|448=B|' | tr '\001' '|'
    printf '\n10:00:01 IN '
    fix_message '35=8|34=2|55=MSFT|54=2|31=007|58=a "b"|9702=x|' | tr '\001' '|'
    printf '\n10:00:02 IN '
    fix_message '35=0|34=3|' 1 | tr '\001' '|'
    printf '\n'
} >log.fix

# json by name, the same from every engine, level and form of the input.
cat >fix.want <<'EOF'
{"BeginString":"FIX.4.4","BodyLength":92,"MsgType":"D","MsgSeqNum":1,"SendingTime":"20260102-10:00:00.000","Symbol":"IBM","Side":"1","Price":102.00,"PossDupFlag":true,"NoPartyIDs":2,"PartyIDs":[{"PartyID":"A","PartyIDSource":"D","PartyRole":1},{"PartyID":"B"}],"CheckSum":"008"}
{"BeginString":"FIX.4.4","BodyLength":46,"MsgType":"8","MsgSeqNum":2,"Symbol":"MSFT","Side":"2","LastPx":"007","Text":"a \"b\"","9702":"x","CheckSum":"005"}
EOF
for input in soh.fix log.fix; do
    for isa in scalar avx2 avx512; do
        RIFFLE_ISA=$isa r filter -f fix --emit json true $input
        [ "$status" = 64 ] && err_has 'RIFFLE_ISA' && continue # a machine without it
        ok "fix-json $input $isa" cmp -s out fix.want
        ok "fix-json $input $isa" err_has 'CheckSum is wrong'
    done
    r filter -f fix --backend interp --emit json true $input
    ok "fix-json $input interp" cmp -s out fix.want
    r filter -f fix --threads 3 --batch-bytes 64 --emit json true $input
    ok "fix-json $input threads" cmp -s out fix.want
done
r filter --emit json --fix-lenient -m1 'MsgSeqNum == 3' log.fix
ok fix-json-lenient out_has '{"BeginString":"FIX.4.4","BodyLength":10,"MsgType":"0","MsgSeqNum":3,"CheckSum":"'
if command -v python3 >/dev/null; then
    r filter --emit json true soh.fix
    python3 -c 'import json, sys; [json.loads(line) for line in sys.stdin]' <out 2>err
    status=$?
    ok fix-json-parsed exits 0
fi

# Keys.
r filter --emit json --fix-keys both 'MsgSeqNum == 1' log.fix
ok fix-keys-both out_has '"Symbol(55)":"IBM"'
ok fix-keys-both out_has '"NoPartyIDs(453)":2,"PartyIDs(453)":[{"PartyID(448)":"A",'
r filter --emit json --fix-keys tag 'MsgSeqNum == 1' log.fix
ok fix-keys-tag out_has '"55":"IBM"'
ok fix-keys-tag out_has '"453":2,"PartyIDs(453)":[{"448":"A","447":"D","452":1},{"448":"B"}],"10":"008"}'
r filter --emit json --fix-keys name 'MsgSeqNum == 2' log.fix
ok fix-keys-name cmp -s out <(tail -1 fix.want)
r filter --fix-keys tag true log.fix
ok fix-keys-lines exits 64
ok fix-keys-lines err_has '--emit json'
r filter --fix-keys tag --emit json -s Symbol true log.fix
ok fix-keys-select exits 64
r filter --fix-keys tag --emit json -f ndjson true many
ok fix-keys-ndjson exits 64
ok fix-keys-ndjson err_has '-f fix'

# Selected fields: numbers as they are written; what a message lacks is empty, or null.
r filter --emit csv -s Symbol -s Price -s LastPx -s 'fix.raw(31)' true log.fix
ok fix-csv out_is 'Symbol,Price,LastPx,fix.raw(31)\r\nIBM,102.00,,\r\nMSFT,,7,007\r\n'
r filter -s '{"sym": Symbol, "px": Price}' true log.fix
ok fix-select out_is '{"sym":"IBM","px":102.00}\n{"sym":"MSFT","px":null}\n'
r filter -s fix.PartyIDs 'MsgSeqNum == 1' log.fix
ok fix-select-group out_has '"PartyID":"A"'

# For people.
cat >fix.want <<'EOF'
1: NewOrderSingle  10:00:00 OUT
    8 BeginString    FIX.4.4
    9 BodyLength     92
   35 MsgType        D (NewOrderSingle)
   34 MsgSeqNum      1
   52 SendingTime    20260102-10:00:00.000
   55 Symbol         IBM
   54 Side           1 (Buy)
   44 Price          102.00
   43 PossDupFlag    Y (PossibleDuplicate)
  453 NoPartyIDs     2
      PartyIDs[0]
        448 PartyID        A
        447 PartyIDSource  D (Proprietary)
        452 PartyRole      1 (ExecutingFirm)
      PartyIDs[1]
        448 PartyID        B
   10 CheckSum       008

EOF
r filter --pretty 'MsgSeqNum == 1' log.fix
ok pretty cmp -s out fix.want
r filter --pretty --backend interp 'MsgSeqNum == 1' log.fix
ok pretty-interp cmp -s out fix.want
"$riffle" filter --pretty 'MsgSeqNum == 1' <log.fix >out 2>err # implies -f fix
ok pretty-stdin cmp -s out fix.want
r filter --pretty -n --batch-bytes 64 --threads 3 --fix-lenient 'MsgSeqNum == 3' log.fix
ok pretty-number out_has '3: Heartbeat  10:00:02 IN'
ok pretty-number out_has '  ! CheckSum is absent or wrong'
r filter --pretty -H --color always 'MsgSeqNum == 2' soh.fix
ok pretty-color out_has "$(printf '\033[35msoh.fix:2\033[0m: \033[1mExecutionReport\033[0m')"
ok pretty-color out_has "$(printf '54\033[0m Side         2 (\033[32mSell\033[0m)')"
r filter --pretty -H --color never 'MsgSeqNum == 2' soh.fix
ok pretty-plain out_has 'soh.fix:2: ExecutionReport'
ok pretty-plain out_has '  9702 ?            x'
r filter --pretty 'MsgSeqNum == 2' soh.fix
ok pretty-no-terminal sh -c '! grep -q "$(printf "\033")" out'
r filter --pretty -c true log.fix
ok pretty-count out_is '2\n'
r filter --pretty -q true log.fix
ok pretty-quiet out_empty
printf '\033[2J junk\n' >>log.fix
r filter --pretty --on-malformed pass 'MsgSeqNum == 1' log.fix
ok pretty-pass out_has '\x1b[2J junk'
ok pretty-pass sh -c '! grep -q "$(printf "\033")" out'
r filter --pretty --emit json true log.fix
ok pretty-emit exits 64
r filter --pretty -s Symbol true log.fix
ok pretty-select exits 64
r filter --pretty -f ndjson true many
ok pretty-ndjson exits 64
ok pretty-ndjson err_has '-f fix'
