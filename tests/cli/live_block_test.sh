#!/bin/sh
# The live block on a terminal: drawn, wiped, resized, stopped, killed. And the lines of a batch log.
. "$(dirname -- "$0")/check.sh"
folder=$(dirname -- "$0")

# A log that nobody watches: one line about the whole campaign after ten seconds, with its time, and the JSON.
LINE='sleep 13'
plan_of "$T/log.json" slow
sed 's/"id":"slow"/"id":"slow","predicted":{"wall_time_s":{"value":2,"low":1,"high":3}}/; s/]}$/,{"id":"next","argv":["true"]}]}/' "$T/log.json" >"$T/plan.json"
"$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/log" --json-events "$T/events" >"$T/out" 2>"$T/err" </dev/null
says "a log has a heartbeat" "0 of 2 cases done, 1 running, 1 waiting; 0:1"
check "at an ISO time" grep -Eq '^20..-..-..T..:..:..Z 0 of 2 cases' "$T/err"
says "with the longest case, past its prediction" "longest: slow 0:1"
says "by how much" "past its prediction of 0:03 by 0:0"
says "and what the others wait for" "waiting: next: this machine runs one case at a time"
check "one, not one a case or a second" [ "$(grep -c 'cases done' "$T/err")" = 1 ]
check "nothing is redrawn in a log" sh -c "! grep -q \"$(printf '\033')\" '$T/err'"
check "the events have it too" grep -q '"v":1,.*"event":"heartbeat".*"node_hours":{"spent":' "$T/events"
check "once" [ "$(grep -c '"heartbeat"' "$T/events")" = 1 ]
exits "status" 0 "$SHAKEDOWN" status -w "$T/log"
says "says what it took" "2 of 2 cases done; node-hours: 0.004 spent, none to come"

command -v python3 >/dev/null || { echo "SKIPPED: no python3 here (apt-get install python3): the terminal itself was not tried"; [ "$failures" = 0 ] && exit 77; }
PYTHONDONTWRITEBYTECODE=1 python3 "$folder/live_block.py" "$SHAKEDOWN" "$T" || failures=$((failures + 1))
finish
