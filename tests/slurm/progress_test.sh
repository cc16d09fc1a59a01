#!/bin/sh
# What a watcher is told of a campaign on Slurm: what each case waits for and why, time past prediction, node-hours;
# in a batch log, by `status`, and after a kill -9.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 4

# Somebody else holds cn1 for a while.
sbatch -Q -w cn1 --exclusive -t 2 -o /dev/null --wrap 'sleep 55' || { echo "FAIL  a foreign job"; exit 1; }
check "somebody else is on cn1" until_true 20 sh -c '[ "$(squeue -h -t R | wc -l)" = 1 ]'
time_of() { printf '"predicted":{"wall_time_s":{"value":%s,"low":%s,"high":%s}}' "$1" "$1" "$1"; }
plan "$T/told.json" "$(case_of held 1 cn1 'sleep 1' "\"placement\":\"bound\",$(time_of 2)")" \
  "$(case_of slow 1 cn2 'sleep 40' "\"placement\":\"bound\",$(time_of 3)")" \
  "$(case_of behind 1 cn2 'echo x' "\"placement\":\"bound\",\"time_limit_s\":2")" \
  "$(case_of wide 4 'cn[1-4]' 'sleep 1' "\"stage\":1,$(time_of 9)")"
start told
began told slow

# Its own log, nobody having asked: after ten seconds.
check "a heartbeat" until_true 30 grep -q '0 of 4 cases done, 1 running, 3 waiting' "$T/told.out"
heartbeat=$(grep 'cases done' "$T/told.out")
for said in 'longest: slow 0:' 'past its prediction of 0:03' 'held (job ' 'wide: stage 1 waits for stage 0' 'at most about 0.0'; do
  case $heartbeat in *"$said"*) ok "it says $said" ;; *) fail "no '$said' in: $heartbeat" ;; esac
done

# `status` from another shell.
status_says() { "$SHAKEDOWN" status -w "$T/told" | grep -q "$1"; }
check "status names Slurm's reason" until_true 30 status_says 'queued .*held .*waits: Resources'
check "what its stage waits for" status_says 'waiting .*wide .*waits: stage 1 waits for stage 0'
check "and the time past a prediction" status_says 'running .*slow .*past its prediction of 0:03 by'
exits "as JSON" 0 "$SHAKEDOWN" status -w "$T/told" --json
says "the reason" '"waits_for": "Resources"'
says "the prediction" '"predicted_s": 3.0'
says "what is past it" '"past_prediction_s":'
says "and what limits alone bound" '"left_is_at_most": true'

# kill -9, and on in a log: what runs is adopted, what it took before is not forgotten.
kill -9 "$pid_told"
wait "$pid_told" 2>/dev/null
before=$(questions)
exits "status without an orchestrator" 0 "$SHAKEDOWN" status -w "$T/told"
check "asks once about all jobs" [ $(($(questions) - before)) = 1 ]
says "says that it is not running" "waits: not running; continue with "
exits "resume" 3 "$SHAKEDOWN" resume -w "$T/told"
says "adopts" "[ADOPT] 2/4 slow"
says "and says of the queued job why it waits" "Resources"
for case in held slow behind wide; do becomes told $case finished; done
exits "status at the end" 0 "$SHAKEDOWN" status -w "$T/told"
says "has none to come" "4 of 4 cases done; node-hours: 0.0"
says "to spend" "none to come"
exits "as JSON" 0 "$SHAKEDOWN" status -w "$T/told" --json
# 40 + 1 s on one node and 1 s on four: 0.0125 node-hours.
check "the node-hours are those of all attempts" python3 - "$T/out" <<'PYTHON'
import json, sys
spent = json.load(open(sys.argv[1]))['progress']['node_hours']['spent'] * 3600
sys.exit(0 if 44 <= spent <= 60 else f'{spent} s')
PYTHON
finish
