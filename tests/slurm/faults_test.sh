#!/bin/sh
# What can go wrong with campaigns on Slurm: each ends with every case accounted for exactly once. The faults that
# only cost time run beside each other, each with nodes of its own.
. "$(dirname -- "$0")/campaigns.sh"
export VIRTUAL_SLURM_MORE=SlurmdTimeout=10  # a node that died is seen to be down soon
# The last three have two threads per core.
nodes=24 cpus=2
slurm_with "$(for i in $(seq 21); do echo "cn$i CPUs=2 RealMemory=1000"; done
  for i in 22 23 24; do echo "cn$i CPUs=4 Sockets=1 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=1000"; done)"
printf 'x' >"$T/failed-once"

short='sleep 1; echo x >>../ends'

# Somebody else cancels a job.
plan "$T/cancelled.json" "$(case_of long 1 cn1 'sleep 300; echo x >>../ends' '"placement":"bound","time_limit_s":400')" \
  "$(case_of other 2 'cn[2,10]' "$short")"
# shakedown's own time limit, and Slurm's.
plan "$T/limit.json" "$(case_of slow 1 cn3 'sleep 300; echo x >>../ends' '"placement":"bound","time_limit_s":5')" \
  "$(case_of other 1 cn3 "$short" '"placement":"bound"')"
# A program that fails, and one that fails behind its result.
plan "$T/failing.json" "$(case_of fails 1 cn4 'echo x >>../ends; exit 3' '"placement":"bound"')" \
  "$(case_of other 1 cn4 "$short" '"placement":"bound"')"
# A node dies below a case that may run elsewhere, and below one that may not.
plan "$T/dies.json" "$(case_of moves 1 cn5 'sleep 20; echo x >>../ends' '"among":"cn[5-7]","time_limit_s":200')"
plan "$T/dies_smt.json" "$(case_of moves 1 cn22 'sleep 20; echo x >>../ends' '"among":"cn[22-24]","time_limit_s":200')"
# The controller goes away and comes back.
plan "$T/controller.json" "$(case_of first 1 cn8 'sleep 15; echo x >>../ends' '"placement":"bound"')" \
  "$(case_of second 1 cn8 "$short" '"placement":"bound"')"
# A job that can never start.
plan "$T/never.json" "$(case_of there 1 cn9 "$short" '"placement":"bound"')" \
  "$(case_of nowhere 1 cn99 "$short" '"placement":"bound"')"
printf '[site]\nnode_wait_seconds = 2\n' >"$T/site.toml"
# Ctrl-C leaves the job to Slurm, and says so.
plan "$T/left.json" "$(case_of goes 1 cn11 'sleep 15; echo x >>../ends' '"placement":"bound","time_limit_s":60')"
for name in cancelled limit failing dies dies_smt controller left; do start $name; done
start never --config "$T/site.toml"

began left goes
kill -INT "$pid_left"
ended left 130
told left "1 job continues in the batch system; \`shakedown cancel "

began cancelled long
scancel "$(job_of cn1 | head -n 1)"

place_of() { sed -n 's/.*"hosts": *"\([^"]*\)".*/\1/p' "$(campaign "$1")/moves/attempt-$2/place.json"; } # NAME ATTEMPT
for which in dies dies_smt; do
  began $which moves
  victim=$(place_of $which 1)
  # The machine goes at once: Slurm's daemons there, and all that ran on it.
  kill -9 "$(cat "$T/slurmd-$victim.pid")"
  number=$(job_of "$victim" | head -n 1)
  for pid in $(pgrep -f "^slurmstepd: \[$number\.") $(sed -n 's/.*"pid": *\([0-9]*\).*/\1/p' "$(campaign $which)/moves/attempt-1/started.json"); do
    kill -9 "-$pid" 2>/dev/null || kill -9 "$pid"
  done
done

began controller first
sleep 6  # a controller writes down its jobs every few seconds: it must know them again
kill -9 "$(cat "$T/slurmctld.pid")"
sleep 3
sh "$virtual" controller "$T"

ended never 3
told never "Slurm knows no such node"
becomes never there finished
counted never there 1
becomes never nowhere not-run
ended failing 3
becomes failing fails failed
counted failing fails 1
told failing "exit code 3"
becomes failing other finished
ended limit 3
becomes limit slow timed-out
counted limit slow 0
becomes limit other finished
counted limit other 1
ended cancelled 3
becomes cancelled long interrupted
counted cancelled long 0
told cancelled "cancelled: the scheduler reports 'CANCELLED'"
becomes cancelled other finished
ended controller 3
for id in first second; do becomes controller $id finished; counted controller $id 1; done
for which in dies dies_smt; do
  ended $which 3
  becomes $which moves finished
  counted $which moves 1
  victim=$(place_of $which 1)
  told $which "node lost: $victim"
  check "$which: elsewhere" [ "$(place_of $which 2)" != "$victim" ]
done
exits "left: its job went on" 3 "$SHAKEDOWN" resume -w "$T/left"
becomes left goes finished
counted left goes 1
finish
