#!/bin/sh
# The campaigns of a workspace: listed with state, verdict and date; a dead one is taken away after asking.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
exits "no workspace" 2 "$SHAKEDOWN" campaigns -w w
says "says so" "no campaign here"
LINE=true
plan_of plan.json good
LINE=false
plan_of bad.json bad
exits "a campaign" 3 "$SHAKEDOWN" run --here --plan plan.json -w w --progress none
exits "another" 3 "$SHAKEDOWN" run --here --plan bad.json -w w --progress none
first=$(ls w/campaigns | head -n 1)
last=$(ls w/campaigns | tail -n 1)
exits "their list" 0 "$SHAKEDOWN" campaigns -w w
check "has both, the oldest first" [ "$(awk 'NR > 1 { print $1 }' out | paste -sd ' ')" = "$first $last" ]
says "with state and verdict" "finished         1/1  not judged: no criteria were given"
exits "as JSON" 0 "$SHAKEDOWN" campaigns -w w --json
check "has ids, dates and states" python3 -c "
import json
d = json.load(open('out'))
assert d['schema'] == 'shakedown.campaigns/1' and [c['id'] for c in d['campaigns']] == ['$first', '$last']
assert all(c['state'] == 'finished' and c['created'].startswith('20') and c['verdict'] for c in d['campaigns'])"
exits "a program that failed" 0 "$SHAKEDOWN" status "$last" -w w
says "has not just finished" "  failed       bad"

exits "removing without a terminal" 2 "$SHAKEDOWN" remove "$last" -w w </dev/null
says "asks for --yes" "hint: --yes answers"
check "and takes nothing" [ -d "w/campaigns/$last" ]
exits "a name that is none" 2 "$SHAKEDOWN" remove nonesuch -w w --yes
exits "removing one" 0 "$SHAKEDOWN" remove "$last" -w w --yes
check "takes its folder" [ ! -e "w/campaigns/$last" ]
exits "what is left" 0 "$SHAKEDOWN" campaigns -w w
check "is the other one" [ "$(awk 'NR > 1 { print $1 }' out)" = "$first" ]
check "and the removal is noted" grep -q "\"campaign\":\"$last\",\"verdict\":\"not judged" w/removed.jsonl
LINE="sleep 60"
plan_of long.json long
"$SHAKEDOWN" run --here --plan long.json -w w --progress none >/dev/null 2>&1 &
runner=$!
for _ in $(seq 100); do
  running=$(ls w/campaigns | tail -n 1)
  [ "$running" != "$first" ] && [ -e "w/campaigns/$running/long/attempt-1/started.json" ] && break
  sleep 0.2
done
exits "one that runs" 2 "$SHAKEDOWN" remove "$running" -w w --yes
says "is not dead" "runs it"
exits "is listed so" 0 "$SHAKEDOWN" campaigns -w w
says "as running" "  running "
"$SHAKEDOWN" cancel -w w >/dev/null 2>&1
wait "$runner"
exits "once cancelled" 0 "$SHAKEDOWN" remove "$running" -w w --yes
rm -f w/results.sqlite*
exits "without the store" 0 "$SHAKEDOWN" campaigns -w w
says "a folder is listed all the same" "not in the store"
finish
