#!/bin/sh
# Ctrl-C once stops and keeps, twice kills; another orchestrator is told to wait; what was stopped can be resumed.
. "$(dirname -- "$0")/check.sh"

wait_for() { # up to 10 s for a file
  for _ in $(seq 200); do [ -e "$1" ] && return 0; sleep 0.05; done
  echo "FAIL  $1 did not appear"
  exit 1
}
campaign_of() { echo "$1"/campaigns/*; }
# A background job of a script ignores SIGINT; `env --default-signal` gives it its meaning back.
start() { env --default-signal=INT "$SHAKEDOWN" "$@" & }

# Once: a polite job ends, the campaign is kept, exit 130, resume runs it again.
LINE='echo begun; sleep 2'
plan_of "$T/plan.json" polite after
start run --here --plan "$T/plan.json" -w "$T/once" --progress plain >"$T/out1" 2>"$T/err1"
pid=$!
sleep 0.1
wait_for "$T/once/campaigns"
for _ in $(seq 200); do [ -s "$(campaign_of "$T/once")/polite/attempt-1/stdout.log" ] && break; sleep 0.05; done

exits "a second orchestrator is told who runs the campaign" 4 "$SHAKEDOWN" resume --here -w "$T/once"
check "which leaves nothing to resume" sh -c "! grep -q 'then resume' '$T/err'"
says "with the process" "is being run by another shakedown (process $pid on $(hostname))"
exits "report refuses a campaign that runs" 2 "$SHAKEDOWN" report -w "$T/once"
says "and says by whom" "still runs (process $pid on $(hostname))"
exits "status sees the running case" 0 "$SHAKEDOWN" status -w "$T/once"
says "as running" "running"

kill -INT $pid
wait $pid
check "exit code 130" [ $? = 130 ]
check "the attempt says interrupted" grep -q '"state":"interrupted"' "$(campaign_of "$T/once")/polite/attempt-1/finished.json"
check "the next case was not started" [ ! -e "$(campaign_of "$T/once")/after" ]
check "the way on is shown" grep -q "shakedown resume" "$T/err1"
who=$(id -un)
check "and who stopped it" grep -q "\"by\":\"$who[\" ].*\"how\":\"Ctrl-C\"" "$(campaign_of "$T/once")/polite/attempt-1/stopped.json"
exits "resume finishes it (undecided: no criteria)" 3 "$SHAKEDOWN" resume --here -w "$T/once" --progress none
check "in a second attempt" grep -q '"state":"finished"' "$(campaign_of "$T/once")/polite/attempt-2/finished.json"
check "the report shows who stopped the first, and when" grep -q "attempt 1 stopped by $who.* on $(hostname) at 20..-..-..T..:..:..Z (Ctrl-C)" "$(campaign_of "$T/once")/results.json"
check "and counts it in reliability" sh -c "tr -d ' \n' <'$(campaign_of "$T/once")/results.json' | grep -q '\"reliability\":\[{\"suite\":\"campaign\",\"started\":3,\"succeeded\":2,\"failed\":0,\"unusable\":0,\"stopped\":1'"
check "and runs the rest once" [ "$(ls "$(campaign_of "$T/once")/after" | wc -l)" = 1 ]

# Twice: a job that ignores SIGTERM is killed at once.
LINE='trap : TERM; echo begun; while :; do sleep 0.2; done'
plan_of "$T/plan.json" stubborn
start run --here --plan "$T/plan.json" -w "$T/twice" --progress bar >"$T/out2" 2>"$T/err2"
pid=$!
for _ in $(seq 200); do [ -s "$T"/twice/campaigns/*/stubborn/attempt-1/stdout.log ] && break; sleep 0.05; done
kill -INT $pid
sleep 2.5
check "once leaves it time" kill -0 $pid
check "meanwhile the redrawn line says that it stops" sh -c "tr '\\r' '\\n' <'$T/err2' | tail -n 1 | grep -q 'stopping; Ctrl-C again kills it'"
begin=$(date +%s)
kill -INT $pid
wait $pid
check "exit code 130 again" [ $? = 130 ]
check "twice ends it within 3 s" [ $(($(date +%s) - begin)) -le 3 ]
check "killed by SIGKILL" grep -q '"signal":9' "$(campaign_of "$T/twice")/stubborn/attempt-1/finished.json"

# cancel, from another shell, and SIGTERM's exit code.
LINE='sleep 20'
plan_of "$T/plan.json" long
"$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/cancelled" --progress none >"$T/out3" 2>"$T/err3" &
pid=$!
for _ in $(seq 200); do [ -e "$T"/cancelled/campaigns/*/long/attempt-1/started.json ] && break; sleep 0.05; done
exits "cancel asks the orchestrator to stop" 0 "$SHAKEDOWN" cancel -w "$T/cancelled"
wait $pid
check "exit code 143" [ $? = 143 ]
check "who cancelled is noted" grep -q "\"by\":\"$who[\" ].*\"how\":\"shakedown cancel\"" "$(campaign_of "$T/cancelled")/long/attempt-1/stopped.json"
exits "cancel again finds nothing running" 0 "$SHAKEDOWN" cancel -w "$T/cancelled"
says "and says so" "nothing runs"
# Another user's folder can name any process and job.
if [ "$(id -u)" = 0 ]; then
  plan_of "$T/plan.json" long
  "$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/foreign" --progress none >"$T/out7" 2>"$T/err7" &
  pid=$!
  for _ in $(seq 200); do [ -e "$T"/foreign/campaigns/*/long/attempt-1/started.json ] && break; sleep 0.05; done
  folder=$(campaign_of "$T/foreign")
  chown -R 12345 "$folder"
  exits "cancel of another user's campaign" 4 "$SHAKEDOWN" cancel -w "$T/foreign"
  says "says whose it is" "$folder: belongs to user 12345; only the owner may run the commands and end the processes and jobs that it names"
  says "and who can" "hint: run this as the owner (sudo -u USER): \`shakedown cancel $(basename "$folder") -w $T/foreign\`"
  check "asks for nothing" [ ! -e "$folder/cancel" ]
  kill -9 $pid
  wait $pid 2>/dev/null
  exits "and without its orchestrator" 4 "$SHAKEDOWN" cancel -w "$T/foreign"
  check "ends nothing" [ ! -e "$folder/long/attempt-1/stopped.json" ]
  chown -R 0 "$folder"
  exits "the same, one's own" 0 "$SHAKEDOWN" cancel -w "$T/foreign"
  says "ends it" "stopping 1 running job"
fi
# A terminal that is closed: its shell says so, and the kernel again.
plan_of "$T/plan.json" long
env --default-signal=HUP "$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/hangup" --progress none >"$T/out6" 2>"$T/err6" &
pid=$!
for _ in $(seq 200); do [ -e "$T"/hangup/campaigns/*/long/attempt-1/started.json ] && break; sleep 0.05; done
kill -HUP $pid
kill -HUP $pid
wait $pid
check "a hangup has exit code 129" [ $? = 129 ]
check "and says so" grep -q 'interrupted by a hangup (its terminal was closed); finished results are stored. Resume with: .*shakedown resume' "$T/err6"
at=$(campaign_of "$T/hangup")/long/attempt-1
check "once or twice, it leaves the job its time" grep -q '"state":"interrupted","signal":15' "$at/finished.json"
check "and is noted" grep -q '"how":"hangup: its terminal was closed"' "$at/stopped.json"
LINE=true
plan_of "$T/plan.json" quick
exits "under nohup nothing is said" 3 nohup "$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/nohup" --progress none
# A batch system tells all processes of a job to end, and the program may be the first; one that dies alone failed.
LINE='echo begun; exec sleep 20'
for told in all alone; do
  plan_of "$T/plan.json" long
  "$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/$told" --progress none >"$T/out4" 2>"$T/err4" &
  pid=$!
  for _ in $(seq 200); do [ -s "$T/$told"/campaigns/*/long/attempt-1/stdout.log ] && break; sleep 0.05; done
  at=$(campaign_of "$T/$told")/long/attempt-1
  wrapper=$(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' "$at/started.json")
  for _ in $(seq 200); do child=$(pgrep -P "$wrapper" -x sleep) && break; sleep 0.05; done
  kill -TERM "$child"
  # The wrapper has seen its end, and it is the wrapper's turn: at once, since it waits for 0.3 s only.
  while kill -0 "$child" 2>/dev/null; do :; done
  [ $told = alone ] || kill -TERM "$wrapper"
  wait $pid
  [ $told = all ] && wanted=interrupted || wanted=finished
  check "$told: the attempt is $wanted" grep -q "\"state\":\"$wanted\",\"signal\":15" "$at/finished.json"
done

# A slow run whose result is already printed counts, also where a person stops it: a faster one beside it hides nothing.
LOG=$PROJECT/tests/fixtures/hpl/reference-passed.out
cp "$LOG" "$T/now.out"
printf '#!/bin/sh\ncd "%s" && cat now.out\n[ -e "%s/go" ] || sleep 20\n' "$T" "$T" >"$T/xhpl"
chmod +x "$T/xhpl"
cat >"$T/hpl.json" <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"hpl","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]}]}
P
cat >"$T/hpl.toml" <<C
title = "Contract"
[[criteria]]
id = "rate"
title = "Every run of HPL reaches 60 GFLOP/s"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 60
aggregation = "every"
severity = "mandatory"
limit_source = "contract 4.2"
C
start run --here --plan "$T/hpl.json" --criteria "$T/hpl.toml" -w "$T/slow" --progress none >"$T/out5" 2>"$T/err5"
pid=$!
for _ in $(seq 200); do [ -s "$(campaign_of "$T/slow")/hpl/attempt-1/stdout.log" ] && break; sleep 0.05; done
sleep 0.2
kill -INT $pid
wait $pid
touch "$T/go"
sed 's/5\.0413e+01/7.0000e+01/' "$LOG" >"$T/now.out"
exits "a lucky run after a slow one that was stopped behind its result" 1 "$SHAKEDOWN" resume --here -w "$T/slow" --progress none
says "is judged with it" "50.41 GFLOP/s < 60.00 GFLOP/s (lowest of 2 results"
check "which the report says" grep -q "attempt 1 stopped.*; the result that it had left counts" "$(campaign_of "$T/slow")/results.json"
finish
