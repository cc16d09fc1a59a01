#!/bin/sh
# The orchestrator is killed (SIGKILL) at 50 random instants of a three-case campaign. After `resume` there is
# exactly one result per case, database and run directories agree, and no process is left.
. "$(dirname -- "$0")/check.sh"
MARK=shakedown-kill-$$
LINE="echo $MARK; sleep 0.04"
plan_of "$T/plan.json" first second third

# How long a whole campaign takes here, in milliseconds: the least of three.
now_ms() { date +%s%3N; }
whole=1000000
for _ in 1 2 3; do
  rm -rf "$T/whole"
  begin=$(now_ms)
  "$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/whole" --progress none >"$T/out" 2>&1
  took=$(($(now_ms) - begin))
  [ "$took" -ge "$whole" ] || whole=$took
done
check "an undisturbed campaign has three finished attempts" \
  [ "$(find "$T/whole" -name finished.json | wc -l)" = 3 ]

seed=${SEED:-$(date +%N)}
echo "seed $seed, instants in 0 .. $whole ms"
# Fifty; of the hundred behind them as many as it takes until half of fifty have hit a running campaign: on a busy
# machine a campaign may end sooner than the least of three did.
instants=$(awk -v seed="$seed" -v n=150 -v top="$whole" 'BEGIN { srand(seed); for (i = 0; i < n; i++) printf "%d ", rand() * top }')
tried=0
killed_before_the_campaign=0
killed_inside=0
for instant in $instants; do
  [ $tried -lt 50 ] || [ $((killed_inside - killed_before_the_campaign)) -lt 25 ] || break
  tried=$((tried + 1))
  W=$T/w-$instant-$(date +%N)
  "$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$W" --progress none >/dev/null 2>&1 &
  pid=$!
  sleep "$(awk -v ms="$instant" 'BEGIN { printf "%.3f", ms / 1000 }')"
  if kill -KILL $pid 2>/dev/null; then killed_inside=$((killed_inside + 1)); fi
  wait $pid 2>/dev/null
  if [ -z "$(ls "$W/campaigns" 2>/dev/null)" ]; then
    killed_before_the_campaign=$((killed_before_the_campaign + 1))
    continue
  fi
  "$SHAKEDOWN" resume --here -w "$W" --progress none >"$T/out" 2>&1
  code=$?
  [ $code = 3 ] || { fail "resume after $instant ms: exit $code"; cat "$T/out"; }
  for id in first second third; do
    on_disk=$(grep -l '"state":"finished"' "$W"/campaigns/*/$id/attempt-*/finished.json 2>/dev/null | wc -l)
    in_store=$(sqlite3 "$W/results.sqlite" "SELECT count(*) FROM attempt a JOIN planned_case p ON p.id = a.case_id WHERE p.name = '$id' AND a.state = 'finished'")
    ran=$(cat "$W"/campaigns/*/$id/attempt-*/stdout.log 2>/dev/null | grep -c "$MARK")
    if [ "$on_disk $in_store $ran" != "1 1 1" ]; then
      fail "$id killed after $instant ms: $on_disk results on disk, $in_store in the store, ran $ran times"
    fi
  done
  attempts_on_disk=$(find "$W"/campaigns/*/*/ -maxdepth 1 -name 'attempt-*' | wc -l)
  attempts_in_store=$(sqlite3 "$W/results.sqlite" "SELECT count(*) FROM attempt")
  check "store and run directories agree after $instant ms" [ "$attempts_on_disk" = "$attempts_in_store" ]
  rm -rf "$W"
done
check "25 kills and more hit a running campaign" [ $((killed_inside - killed_before_the_campaign)) -ge 25 ]
left=$(pgrep -f "$MARK" | wc -l)
check "no process of a job is left" [ "$left" = 0 ]
finish
