#!/bin/sh
# Undecided has a way out: a run waits until nothing disturbs this machine, shows who does, measures disturbed cases
# again by rule, and names the next command where that did not help.
. "$PROJECT/tests/cli/check.sh"
cd "$T" || exit 1
loops=
trap 'for pid in $loops; do kill "$pid" 2>/dev/null; done; rm -rf "$T"' EXIT
cores=$(nproc)

# loop SECONDS: a process named busyloop that keeps a core busy for as long; its pid in `pid`.
cp "$(command -v dash || command -v sh)" busyloop
cat >loop.sh <<'L'
end=$(($(date +%s) + $1))
while [ "$(date +%s)" -lt $end ]; do i=0; while [ $i -lt 20000 ]; do i=$((i + 1)); done; done
L
loop() {
  ./busyloop loop.sh "$1" &
  pid=$!
  renice -n -5 -p $pid >/dev/null 2>&1  # the busiest of all, where that is allowed
  loops="$loops $pid"
}

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
  grep -q "^\[ WAIT\] 1/1 gemm-1n  waits until nothing disturbs it: .*busyloop (pid $pid, user $(id -un)).* of $cores cores; for up to " err
check "what still disturbs is no reason to measure again at once" [ "$(attempts never)" = 1 ]
check "that is said" grep -q "^\[ !!! \] 1/1 gemm-1n  not measured again: .*busyloop (pid $pid" err
check "the last lines are the cause" sh -c "tail -n 2 err | head -n 1 | grep -q '^cause .*busyloop (pid $pid, user $(id -un))'"
check "and the command to type next" sh -c "tail -n 1 err | grep -q '^next  .*: shakedown resume --disturbed .* -w never$'"
kill "$pid"

# busy: what others use of this machine's cores now.
busy() {
  awk '/^cpu / { print $2 + $3 + $4 + $7 + $8 }' /proc/stat >before
  sleep 3
  awk -v hertz="$(getconf CLK_TCK)" '/^cpu / { getline b <"before"; print ($2 + $3 + $4 + $7 + $8 - b) / hertz / 3 }' /proc/stat
}
quiet=
for _ in 1 2 3 4 5; do
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
  grep -q "^verdict  accepted: 1 disturbed attempt was measured again and does not count (gemm-1n)" out
check "no more lines are needed" sh -c '! grep -q "^next" err'
exits "once more: nothing was disturbed" 0 "$SHAKEDOWN" resume --here --disturbed -w never
says "that is noted" "that counts was disturbed"
check "and nothing is measured again by choice" [ "$(attempts never)" = 2 ]

loop 8
exits "beside a loop that ends: decided by itself" 0 run waits
check "it was waited for" grep -q '^\[ WAIT\] 1/1 gemm-1n' err
check "and measured once" [ "$(attempts waits)" = 1 ]
check "so that nothing happened" grep -qx 'verdict  accepted' out

run beside >out 2>err &
running=$!
begin=$(date +%s)
until [ -e beside/campaigns/*/gemm-1n/attempt-1/started.json ] || [ "$(elapsed)" -gt 20 ]; do sleep 0.2; done 2>/dev/null
loop 5
wait $running
check "a loop that begins beside a case: decided by itself" [ $? = 0 ]
check "the case was measured again" [ "$(attempts beside)" = 2 ]
check "and why" grep -q '^\[AGAIN\] 1/1 gemm-1n  is measured again: .*busyloop' err

# Killed while it waits, and while it measures again: resume does the rest.
loop 6
run killed >out 2>err &
running=$!
begin=$(date +%s)
until grep -q WAIT err || [ "$(elapsed)" -gt 20 ]; do sleep 0.2; done
kill -9 $running
wait $running 2>/dev/null
exits "resume of one that was killed while it waited" 0 "$SHAKEDOWN" resume --here -w killed
check "measures once" [ "$(attempts killed)" = 1 ]
finish
