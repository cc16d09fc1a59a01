#!/bin/sh
# `cancel` ends what runs and what waits, with its orchestrator and without; `resume` then runs these cases, and no other.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 10
# The first attempt waits to be ended; another comes to its end.
once='mkdir ../first 2>/dev/null && { sleep 300 || exit; }; echo x >>../ends'
limit='"time_limit_s":400'
# cases_on NAME A B C D: one that ends on A and one that runs on B in the same job, one that waits for that job, and one
# whose job waits for C; and one of the two nodes D.
cases_on() {
  plan "$T/$1.json" "$(case_of done 1 "$2" 'echo x >>../ends' "$limit")" \
    "$(case_of runs 1 "$3" "$once" "$limit")" \
    "$(case_of next 1 "$2" 'echo x >>../ends' "$limit")" \
    "$(case_of waits 1 "$4" 'echo x >>../ends' "\"placement\":\"bound\",$limit")" \
    "$(case_of wide 2 "$5" "$once" "$limit")"
}
attempts() { ls -d "$(campaign "$1")/$2"/attempt-* 2>/dev/null | wc -l; } # NAME CASE

cases_on asked cn1 cn2 cn3 'cn[7-8]'
cases_on alone cn4 cn5 cn6 'cn[9-10]'
for i in 3 6; do sbatch -Q -J other -w cn$i --exclusive -o /dev/null --wrap 'sleep 600'; done
until_true 20 sh -c '[ "$(squeue -h -n other -t R | wc -l)" = 2 ]'
for which in asked alone; do start $which; done
for which in asked alone; do
  for id in runs wide; do check "$which: $id runs" began $which $id; done
  check "$which: another has ended" until_true 60 sh -c "ls '$T/$which'/campaigns/*/done/attempt-1/finished.json"
done
for i in 3 6; do check "a job waits for cn$i" until_true 30 sh -c "squeue -h -t PD -o '%n %j' | grep -q '^cn$i shakedown-'"; done

# Asked of the orchestrator; and of nobody, where it was killed.
exits "cancel" 0 "$SHAKEDOWN" cancel -w "$T/asked"
says "asks the orchestrator" "asked process $pid_asked on "
ended asked 143
kill -9 "$pid_alone"
wait "$pid_alone" 2>/dev/null
exits "cancel without its orchestrator" 0 "$SHAKEDOWN" cancel -w "$T/alone"
says "stops the jobs itself" "stopping 3 running jobs"
check "nothing of ours is left in the queue" until_true 30 sh -c '! squeue -h -o %j | grep -q "^shakedown-"'
exits "cancel again" 0 "$SHAKEDOWN" cancel -w "$T/alone"
says "finds nothing" "nothing runs"
for which in asked alone; do
  counted $which 'done' 1
  for id in runs next waits wide; do counted $which $id 0; done
  check "$which: who stopped it is noted" grep -q '"how":"shakedown cancel"' "$(campaign $which)/runs/attempt-1/stopped.json"
done

scancel -n other
for which in asked alone; do
  exits "resume $which" 3 "$SHAKEDOWN" resume -w "$T/$which"
  for id in 'done' runs next waits wide; do becomes $which $id finished; counted $which $id 1; done
  check "$which: what had ended was not run again" [ "$(attempts $which 'done')" = 1 ]
  for id in runs wide; do check "$which: $id was cancelled, and took a second attempt" [ "$(attempts $which $id)" = 2 ]; done
  check "$which: no attempt that was cancelled is called lost" sh -c '! grep -B3 -A12 "\"state\": *\"lost\"" "$1/results.json" >&2' - "$(campaign $which)"
  check "$which: the results tell who stopped the first" grep -q 'runs, attempt 1 .*(shakedown cancel)' "$(campaign $which)/results.json"
done
finish
