#!/bin/sh
# The orchestrator is killed at random instants and resumed: each case of the campaign comes to its end exactly once.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 8
set --
for i in $(seq 8); do
  set -- "$@" "$(case_of "bound-$i" 1 "cn$i" 'sleep 5; echo x >>../ends' '"placement":"bound","time_limit_s":60')" \
    "$(case_of "free-$i" 1 'cn1' 'sleep 3; echo x >>../ends' '"among":"cn[1-8]","time_limit_s":60')"
done
for i in 1 2 3; do
  set -- "$@" "$(case_of "wide-$i" 3 'cn[1-3]' 'sleep 4; echo x >>../ends' '"among":"cn[1-8]","time_limit_s":60')"
done
plan "$T/killed.json" "$@"
kills=${KILLS:-30}
seed=${SEED:-$(date +%N | sed 's/^0*//')}
echo "seed $seed"
done_kills=0
start killed
orchestrator=$!
while [ "$done_kills" -lt "$kills" ]; do
  seed=$(((seed * 1103515245 + 12345) % 2147483648))
  sleep "0.$(printf '%03d' $((seed / 65536 % 900 + 50)))"
  kill -0 "$orchestrator" 2>/dev/null || break
  kill -9 "$orchestrator"
  wait "$orchestrator" 2>/dev/null
  done_kills=$((done_kills + 1))
  if [ -n "$(ls "$T/killed/campaigns" 2>/dev/null)" ]; then
    "$SHAKEDOWN" resume -w "$T/killed" >"$T/killed.out" 2>&1 &
  else
    start killed
  fi
  orchestrator=$!
done
wait "$orchestrator"
check "the last one ends" [ $? = 3 ]
echo "killed $done_kills times"
for i in $(seq 8); do
  for kind in bound free; do becomes killed $kind-$i finished; counted killed $kind-$i 1; done
done
for i in 1 2 3; do becomes killed wide-$i finished; counted killed wide-$i 1; done
finish
