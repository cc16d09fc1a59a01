#!/bin/sh
# Campaigns on a real Slurm of virtual nodes: every case runs exactly once, where it shall.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 50

# One case for each node, and a second for each: both run there, once each, in one job.
set --
for i in $(seq 50); do
  for k in 1 2; do
    set -- "$@" "$(case_of "one-$i-$k" 1 "cn$i" 'echo $SLURMD_NODENAME; echo x >>../ends' '"placement":"bound","time_limit_s":60')"
  done
done
plan "$T/each.json" "$@"
before=$(submitted)
exits "cases of all nodes" 3 runs each
after=$(submitted)
at=$(campaign each)
wrong=0
for i in $(seq 50); do
  for k in 1 2; do
    [ "$(cat "$at/one-$i-$k/attempt-1/stdout.log")" = "cn$i" ] || wrong=$((wrong + 1))
    [ "$(cat "$at/one-$i-$k/ends")" = x ] || wrong=$((wrong + 1))
    [ ! -e "$at/one-$i-$k/attempt-2" ] || wrong=$((wrong + 1))
  done
done
check "each ran once, on its node" [ "$wrong" = 0 ]
check "in one job" [ $((after - before)) = 1 ]

# Cases of several nodes get nodes of their own, beside each other.
plan "$T/wide.json" \
  "$(case_of wide-1 20 'cn[1-20]' 'echo $SLURM_JOB_NODELIST; sleep 3; echo x >>../ends' '"among":"cn[1-50]","time_limit_s":60')" \
  "$(case_of wide-2 20 'cn[1-20]' 'echo $SLURM_JOB_NODELIST; sleep 3; echo x >>../ends' '"among":"cn[1-50]","time_limit_s":60')"
exits "wide cases" 3 runs wide
at=$(campaign wide)
one=$(cat "$at/wide-1/attempt-1/stdout.log") two=$(cat "$at/wide-2/attempt-1/stdout.log")
check "not on the same nodes" [ -n "$one" -a "$one" != "$two" ]
for id in wide-1 wide-2; do becomes wide $id finished; counted wide $id 1; done
check "began before the other had ended" [ "$(grep -c . "$at/wide-1/ends")" = 1 ]

# A node that is drained is named and waited for, then excluded; a case bound to it says why it is not run.
scontrol update nodename=cn7 state=drain reason="bad fan"
printf '[site]\nnode_wait_seconds = 2\n' >"$T/site.toml"
plan "$T/drained.json" "$(case_of there 1 cn7 'echo x >>../ends' '"placement":"bound"')" \
  "$(case_of elsewhere 1 cn7 'echo x >>../ends' '"among":"cn[6-8]"')"
exits "a drained node" 3 runs drained --config "$T/site.toml"
says "named" "cn7 gets no jobs from the batch system: IDLE+DRAIN, 'bad fan"
says "excluded after the wait" "cn7 gets no more work: was still down after "
becomes drained there not-run
becomes drained elsewhere finished
scontrol update nodename=cn7 state=resume

# An interrupted orchestrator leaves the jobs of Slurm; resume collects them. `cancel` ends them.
plan "$T/left.json" "$(case_of long 1 cn1 'sleep 8; echo x >>../ends' '"time_limit_s":60')"
start left
began left long
kill -TERM "$pid_left"
ended left 143
check "its job goes on" [ -n "$(squeue -h)" ]
told left "leaving; long continues in job $(squeue -h -o %A)"
exits "resume" 3 "$SHAKEDOWN" resume -w "$T/left"
says "adopts it" "[ADOPT]"
becomes left long finished
counted left long 1
plan "$T/ended.json" "$(case_of long 1 cn1 'sleep 60; echo x >>../ends' '"time_limit_s":90')"
start ended
began ended long
exits "cancel" 0 "$SHAKEDOWN" cancel -w "$T/ended"
ended ended 143
check "and its job" until_true 10 sh -c '[ -z "$(squeue -h)" ]'
becomes ended long stopped

# A workspace of a relative path, as the one that is the default.
plan "$T/here.json" "$(case_of short 1 cn1 'echo x >>../ends' '"time_limit_s":60')" \
  "$(case_of longer 1 cn2 'sleep 20; echo x >>../ends' '"time_limit_s":60')"
cd "$T" || exit 1
"$SHAKEDOWN" run --plan here.json --inventory inventory.toml --scheduler slurm >here.out 2>&1 &
pid=$!
check "jobs begin" until_true 60 sh -c 'ls shakedown-runs/campaigns/*/longer/attempt-1/started.json'
kill -9 "$pid"
wait "$pid" 2>/dev/null
exits "status" 0 "$SHAKEDOWN" status
says "knows the job" "running      longer"
exits "resume from elsewhere" 3 sh -c 'cd / && exec "$0" resume -w "$1/shakedown-runs"' "$SHAKEDOWN" "$T"
says "takes on what runs" "[ADOPT] 2/2 longer"
check "each ran once" [ "$(cat shakedown-runs/campaigns/*/*/ends | wc -l)" = 2 ]
finish
