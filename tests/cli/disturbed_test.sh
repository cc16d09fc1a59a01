#!/bin/sh
# Undecided has a way out: a run waits until nothing disturbs this machine, shows who does, measures disturbed cases
# again by rule, and names the next command where that did not help.

# Where root may mount, /proc/stat is of a machine that does nothing but what this test says: then other load here
# decides nothing. Elsewhere this machine itself must be quiet.
if [ -z "${OWN_STAT:-}" ] && unshare -m true 2>/dev/null; then
  OWN_STAT=yes exec unshare -m sh "$0"
fi
. "$PROJECT/tests/cli/check.sh"
cd "$T" || exit 1
loops=
trap 'for pid in $loops; do kill "$pid" 2>/dev/null; done; rm -rf "$T"' EXIT
cores=$(nproc)

# loop SECONDS: a process named busyloop that keeps a core busy for as long; its pid in `pid`. It is the busiest of all
# where that is allowed.
cp "$(command -v dash || command -v sh)" busyloop
loop() {
  ./busyloop -c 'while :; do :; done' &
  pid=$!
  renice -n -15 -p $pid >/dev/null 2>&1
  : >busy
  (sleep "$1" && kill $pid && rm busy) >/dev/null 2>&1 &
  loops="$loops $pid $!"
}

# The time that has passed, as a kernel of $cores CPUs counts it, one of them busy while there is a file `busy`.
cat >counted.py <<'C'
import os, sys, time
cores, hertz = int(sys.argv[1]), os.sysconf("SC_CLK_TCK")
file = os.open("stat", os.O_RDWR | os.O_CREAT)
busy = idle = 0.0
last = time.monotonic()
while True:
    now = time.monotonic()
    ones = now - last if os.path.exists("busy") else 0.0
    busy, idle, last = busy + ones, idle + cores * (now - last) - ones, now
    line = "%012d 0 0 %012d 0 0 0 0 0 0\n" % (busy * hertz, idle * hertz)
    os.pwrite(file, ("cpu  " + line + "".join("cpu%d " % i + line for i in range(cores)) + "intr 0\n").encode(), 0)
    time.sleep(0.05)
C
quiet=
python3 counted.py "$cores" &
loops=$!
renice -n -10 -p $loops >/dev/null 2>&1
for _ in $(seq 100); do [ -s stat ] && break; sleep 0.1; done
[ -n "${OWN_STAT:-}" ] && mount --bind stat /proc/stat 2>/dev/null && quiet=yes

# A screen of six seconds whose log is at hand: the machine's other load alone decides whether it was disturbed. It
# may be as if 0.4 of a core were idle besides.
cp "$PROJECT/tests/fixtures/gemm/reference-passed.out" log
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[{"id":"gemm-1n","suite":"gemm","implementation":"reference",
"parser":"gemm","ranks":$cores,"ranks_per_node":$cores,"argv":["/bin/sh","-c","sleep 6; cat $T/log"]}]}
P
cat >limits.toml <<C
title = "test"
[disturbance.load]
limit = $(awk -v c="$cores" 'BEGIN { printf "%.4f", (c + 0.4) / c }')
reason = "the test"
[[criteria]]
id = "rate"
title = "GEMM reaches 1 GFLOP/s"
suite = "gemm"
metric = "fp64_gflops"
direction = ">="
limit = 1
aggregation = "median"
severity = "mandatory"
limit_source = "the test"
C
attempts() { ls -d "$1"/campaigns/*/gemm-1n/attempt-* | wc -l; }
run() { "$SHAKEDOWN" run --here --plan plan.json --criteria limits.toml -w "$1"; }
elapsed() { echo $(($(date +%s) - begin)); }

# A loop that does not end: it is waited for as long as half a minute, measured once, and undecided.
loop 600
begin=$(date +%s)
exits "beside a loop that does not end: undecided" 3 run never
check "within its time" [ "$(elapsed)" -lt 90 ]
check "who disturbs is shown while it is waited for" \
  grep -q "^\[ WAIT\] 1/1 gemm-1n  waits until nothing disturbs it: .*busyloop (pid $pid, uid $(id -u)).* of $cores cores; for up to " err
check "what still disturbs is no reason to measure again at once" [ "$(attempts never)" = 1 ]
check "that is said" grep -q "^\[ !!! \] 1/1 gemm-1n  not measured again after all: .*busyloop (pid $pid" err
check "the last lines are the cause" sh -c "tail -n 2 err | head -n 1 | grep -q '^cause .*busyloop (pid $pid, uid $(id -u))'"
check "and the command to type next" sh -c "tail -n 1 err | grep -q '^next  .*: shakedown resume --disturbed .* -w never$'"
kill "$pid"
rm -f busy

# busy: what others use of this machine's cores now.
busy() {
  awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 }' /proc/stat >before
  sleep 3
  awk -v hertz="$(getconf CLK_TCK)" '/^cpu / { getline b <"before"; print ($2 + $3 + $4 + $7 + $8 - b) / hertz / 3 }' /proc/stat
}
for _ in 1 2 3 4 5; do
  [ -n "$quiet" ] && break
  used=$(busy)
  awk -v used="$used" 'BEGIN { exit !(used < 0.25) }' && quiet=yes && break
done
if [ -z "$quiet" ]; then
  echo "SKIPPED: others use $used of $cores cores here: what ends decided on a quiet machine was not tried"
  finish
fi

exits "resume --disturbed where the loop has ended: decided" 0 "$SHAKEDOWN" resume --here --disturbed -w never
check "by one more attempt" [ "$(attempts never)" = 2 ]
check "the sentence says so" \
  grep -q "^verdict  accepted: 1 disturbed attempt was measured again undisturbed (gemm-1n)" out
check "what follows is to sign, and to accept it" grep -q '^next     vendor and customer sign the report.*shakedown accept ' err
exits "once more: nothing was disturbed" 0 "$SHAKEDOWN" resume --here --disturbed -w never
says "that is noted" "that counts was disturbed"
check "and nothing is measured again by choice" [ "$(attempts never)" = 2 ]

loop 8
exits "beside a loop that ends: decided by itself" 0 run waits
check "it was waited for" grep -q '^\[ WAIT\] 1/1 gemm-1n' err
check "and measured once" [ "$(attempts waits)" = 1 ]
check "so that nothing was disturbed" sh -c 'grep "^verdict  accepted" out | grep -qv disturbed'

run beside >out 2>err &
running=$!
begin=$(date +%s)
until [ -e beside/campaigns/*/gemm-1n/attempt-1/started.json ] || [ "$(elapsed)" -gt 20 ]; do sleep 0.2; done 2>/dev/null
loop 5
wait $running
check "a loop that begins beside a case: decided by itself" [ $? = 0 ]
check "the case was measured again" [ "$(attempts beside)" = 2 ]
check "and why" grep -q '^\[AGAIN\] 1/1 gemm-1n  is to be measured again, once nothing disturbs it: attempt 1: other processes used .* of '"$cores cores" err

# Killed while it waits: resume does the rest. (While it measures again: tests/campaign/disturbed_runs_test.cpp.)
loop 6
"$SHAKEDOWN" run --here --plan plan.json --criteria limits.toml -w killed >out 2>killed.err &
running=$!
begin=$(date +%s)
until grep -q WAIT killed.err || [ "$(elapsed)" -gt 20 ]; do sleep 0.2; done
check "it can be killed while it waits" kill -9 $running
wait $running 2>/dev/null
exits "resume of one that was killed while it waited" 0 "$SHAKEDOWN" resume --here -w killed
check "measures once" [ "$(attempts killed)" = 1 ]
finish
