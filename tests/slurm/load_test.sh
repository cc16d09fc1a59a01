#!/bin/sh
# What a campaign costs the scheduler, by slurmctld's own statistics: 500 cases of one node on 50 nodes.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 50
set --
for i in $(seq 500); do
  set -- "$@" "$(case_of "case-$i" 1 cn1 'sleep 0.5; echo x >>../ends' '"among":"cn[1-50]","time_limit_s":30')"
done
plan "$T/many.json" "$@"
sdiag --reset
began=$(date +%s)
exits "500 cases" 3 runs many
seconds=$(($(date +%s) - began))
sbatch=$(served REQUEST_SUBMIT_BATCH_JOB)
squeue=$(questions)
nodes=$(served REQUEST_NODE_INFO REQUEST_NODE_INFO_SINGLE)
echo "$seconds s: $sbatch sbatch, $squeue questions about jobs, $nodes about nodes"
check "at most 12 sbatch" [ "$sbatch" -ge 1 -a "$sbatch" -le 12 ]
check "at most one squeue in 10 s" [ "$squeue" -le $((seconds / 10 + 1)) ]
at=$(campaign many)
check "each case ran once" [ "$(cat "$at"/case-*/ends | wc -l)" = 500 ]
check "and no case twice" [ -z "$(for each in "$at"/case-*/ends; do [ "$(wc -l <"$each")" = 1 ] || echo "$each"; done)" ]
"$SHAKEDOWN" status -w "$T/many" >"$T/status"
check "all are finished" [ "$(grep -c '^  finished ' "$T/status")" = 500 ]

# Longer ones than a job takes at once: those behind them wait until Slurm has all nodes back, and share a job again.
set --
for i in $(seq 300); do
  set -- "$@" "$(case_of "long-$i" 1 cn1 'sleep 0.5' '"among":"cn[1-50]","time_limit_s":1800')"
done
plan "$T/rounds.json" "$@"
until_true 30 sh -c "[ \$(sinfo -h -t idle -o %D | awk '{ n += \$1 } END { print n + 0 }') = 50 ]"
exits "300 cases, two behind each other in a job" 3 runs rounds
jobs=$(ls "$(campaign rounds)/jobs" | wc -l)
echo "$jobs jobs"
check "in three rounds, of few jobs" [ "$jobs" -ge 3 -a "$jobs" -le 9 ]

# Somebody else has the nodes when it begins, each for another time: each waits by itself, and given back shares a job.
plan "$T/taken.json" "$@"
until_true 30 sh -c "[ \$(sinfo -h -t idle -o %D | awk '{ n += \$1 } END { print n + 0 }') = 50 ]"
for i in $(seq 50); do
  sbatch --quiet --nodes=1 --nodelist="cn$i" --exclusive --output=/dev/null --wrap="sleep $((6 + i / 3))"
done
exits "300 cases on nodes that others have first" 3 runs taken
single=0 shared=0
for job in "$(campaign taken)"/jobs/*/; do
  number=${job%/} number=${number##*-}
  [ "$number" -gt 50 ] || continue
  lanes=$(tr -d ' \n' <"$job/job.json" | grep -o '"hosts"' | wc -l)
  if [ "$lanes" -gt 1 ]; then shared=$((shared + 1)); else single=$((single + 1)); fi
done
echo "after the first 50: $shared jobs on several nodes, $single on one"
check "most of the later jobs are on several nodes" [ "$shared" -gt "$single" ]
finish
