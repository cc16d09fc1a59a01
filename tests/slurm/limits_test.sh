#!/bin/sh
# What Slurm allows is known before anything is submitted: partitions, reservations, drained nodes, how many jobs.
. "$(dirname -- "$0")/campaigns.sh"
# cn6 is of another partition, cn5 has four CPUs where the others have two.
export VIRTUAL_SLURM_PARTITIONS="PartitionName=small Nodes=cn[1-5] Default=YES MaxTime=20 MaxNodes=2 State=UP
PartitionName=rest Nodes=cn6 State=UP
PartitionName=shut Nodes=cn6 State=DRAIN"
nodes=6 cpus=2
lines=$(for i in 1 2 3 4 5 6; do echo "cn$i CPUs=$((i == 5 ? 4 : 2)) RealMemory=1000"; done)
slurm_with "$lines"
short='echo x >>../ends'
limited() { # ID NODES HOSTS SECONDS WORDS: a case with a time limit
  case_of "$1" "$2" "$3" "${6:-$short}" "\"time_limit_s\":$4,$5"
}
bound='"placement":"bound"'

scontrol create reservation ReservationName=theirs users=daemon nodes=cn3 starttime=now duration=60 >/dev/null
scontrol create reservation ReservationName=soon users=daemon nodes=cn2 starttime=now+10minutes duration=60 >/dev/null
scontrol update nodename=cn4 state=drain reason="bad fan"
plan "$T/allowed.json" "$(limited fits 1 cn1 60 "$bound")" "$(limited too-long 1 cn1 1200 "$bound")" \
  "$(limited too-wide 3 'cn[1-3]' 60 '"among":"cn[1-5]"')" "$(limited outside 1 cn6 60 "$bound")" \
  "$(limited reserved 1 cn3 60 "$bound")" "$(limited drained 1 cn4 60 "$bound")" \
  "$(limited elsewhere 1 cn3 60 '"among":"cn[2-6]"')" "$(limited before 1 cn2 60 "$bound")" \
  "$(limited until 1 cn2 500 "$bound")"
before=$(submitted)
exits "a dry run" 0 "$SHAKEDOWN" run --dry-run --plan "$T/allowed.json" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/dry"
check "submits nothing" [ "$(submitted)" = "$before" ]
says "names the partition's limits" "# partition small (default): UP, 5 nodes (cn[1-5]), MaxTime 20m 00s, MaxNodes 2"
says "and the reservations" "# reservation theirs: cn3, "
says "and their nodes" "# cn3 gets no jobs: reserved, 'theirs' until "
says "and what will not run" "# too-wide will not run: needs 3 nodes, and partition 'small' has MaxNodes 2"
"$SHAKEDOWN" doctor >"$T/out" 2>"$T/err"
says "doctor shows them" "MaxTime 20m 00s, MaxNodes 2"
says "doctor shows reservations" "Slurm reservation soon"

# A partition that is not there: no campaign is made, since it would hold the mistake.
printf '[site]\npartition = "smal"\n' >"$T/wrong.toml"
plan "$T/wrong.json" "$(limited one 1 cn1 60 "$bound")"
wrong() { "$SHAKEDOWN" "$@" --plan "$T/wrong.json" --config "$T/wrong.toml" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/wrong"; }
for command in run "run --dry-run" preflight; do
  exits "$command with an unknown partition" 4 wrong $command
  check "$command names it on stderr" grep -qF "$T/wrong.toml [site] partition: Slurm has no partition 'smal' (did you mean 'small'?)" "$T/err"
  check "$command says what to do" grep -qF "it has: small, rest, shut; correct $T/wrong.toml and start again" "$T/err"
done
check "no campaign was made" [ ! -e "$T/wrong/campaigns" ]
exits "preflight of cases that Slurm will not run" 4 "$SHAKEDOWN" preflight --plan "$T/allowed.json" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/dry"
says "names them" "too-wide will not run: needs 3 nodes, and partition 'small' has MaxNodes 2"

printf '[site]\nslurm_options = ["--gpus-per-node=8"]\n' >"$T/gpus.toml"
plan "$T/gpus.json" '{"id":"gpus","hosts":"cn1","suite":"hpl","implementation":"intel","program":"/bin/true"}'
exits "preflight with options that no node has" 3 "$SHAKEDOWN" preflight --plan "$T/gpus.json" --config "$T/gpus.toml" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/gpus"
says "names them" "check [site] slurm_options (--gpus-per-node=8)"

printf '[site]\nnode_wait_seconds = 2\n' >"$T/site.toml"
exits "a campaign within limits" 3 runs allowed --config "$T/site.toml"
for id in fits elsewhere before; do becomes allowed $id finished; counted allowed $id 1; done
for id in too-long too-wide outside reserved drained until; do becomes allowed $id not-run; counted allowed $id 0; done
at=$(campaign allowed)
mv "$T/err" "$T/allowed.out"
told allowed "asks for 23m 00s of wall time, 20m 10s of them its own time limit, and partition 'small' has MaxTime 20m 00s"
told allowed "needs 3 nodes, and partition 'small' has MaxNodes 2"
told allowed "needs cn6, which is not in partition 'small' (cn[1-5])"
told allowed "cn3 gets no jobs from the batch system: reserved, 'theirs' until "
told allowed "cn4 gets no jobs from the batch system: IDLE+DRAIN, 'bad fan"
told allowed "cn2 gets no jobs from the batch system: reserved, 'soon' from "
line_of() { grep -nF -- "$1" "$T/allowed.out" | head -n 1 | cut -d : -f 1; }
check "said before a job" [ "$(line_of 'not run: asks for 23m')" -lt "$(line_of '[ JOB ]')" ]
# Room in the partition makes them run.
scontrol update partitionname=small MaxTime=60 MaxNodes=3
for name in theirs soon; do scontrol delete reservationname=$name; done
scontrol update nodename=cn4 state=resume
until_true 20 sh -c '[ "$(sinfo -h -n cn4 -p small -o %t)" = idle ]'
exits "resume under other limits" 3 "$SHAKEDOWN" resume -w "$T/allowed"
for id in too-long too-wide reserved until; do becomes allowed $id finished; counted allowed $id 1; done
for id in outside drained; do becomes allowed $id not-run; done
"$SHAKEDOWN" report -w "$T/allowed" >"$T/out" 2>&1
told allowed "cn4 was excluded at "
scontrol update partitionname=small MaxTime=20 MaxNodes=2

# Lanes are as long as a job may be, and jobs as wide.
set --
for i in 1 2 3 4 5 6 7; do set -- "$@" "$(limited "long-$i" 1 cn1 300 "$bound")"; done
for i in 2 3 4; do set -- "$@" "$(limited "wide-$i" 1 "cn$i" 60 "$bound")"; done
plan "$T/packed.json" "$@"
exits "cases of one node" 3 runs packed
for i in 1 2 3 4 5 6 7; do counted packed "long-$i" 1; done
for i in 2 3 4; do counted packed "wide-$i" 1; done
at=$(campaign packed)
check "three of five minutes share a job of twenty" [ "$(grep -ho 'long-[0-9]/attempt-1' "$at/jobs/job-1/batch.sh" | sort -u | wc -l)" = 3 ]
check "no job is longer" [ -z "$(grep -ho -- '--time=0-00:[0-9]*' "$at"/jobs/*/batch.sh | sed 's/.*://' | awk '$1 > 20')" ]
check "or wider" [ -z "$(grep -ho -- '--nodes=[0-9]* ' "$at"/jobs/*/batch.sh | grep -v -e '--nodes=[12] ')" ]
check "wider ones were made" grep -q -- "--nodes=2 " "$at"/jobs/*/batch.sh

# A node with four CPUs beside one with two: each step takes all of its own node's.
plan "$T/unlike.json" "$(limited two 1 cn1 60 "$bound" 'sleep 5; echo x >>../ends')" "$(limited four 1 cn5 60 "$bound" 'sleep 5; echo x >>../ends')"
start unlike
began unlike four
scontrol show step -o >"$T/steps"
step_of() { grep "^StepId=[0-9]*\.[0-9].* NodeList=$1 " "$T/steps" | grep -o ' CPUs=[0-9]*'; }
check "four CPUs of four" [ "$(step_of cn5)" = " CPUs=4" ]
check "two CPUs of two" [ "$(step_of cn1)" = " CPUs=2" ]
check "in one job" [ "$(grep -o '^StepId=[0-9]*' "$T/steps" | sort -u | wc -l)" = 1 ]
ended unlike 3
for id in two four; do becomes unlike $id finished; counted unlike $id 1; done

# A partition that takes no jobs is said at once, before a campaign is made.
scontrol update partitionname=small state=drain
plan "$T/shut.json" "$(limited one 1 cn1 60 "$bound")"
before=$(submitted)
exits "a partition that is drained" 4 runs shut
says "is named" "partition 'small' is DRAIN: it takes no jobs"
check "nothing was submitted" [ "$(submitted)" = "$before" ]
scontrol update partitionname=small state=up
check "no campaign was made" [ ! -e "$T/shut/campaigns" ]
exits "run when it is up" 3 runs shut
counted shut one 1

# slurmctld takes one job more, and refuses the next until there is room.
room() { # N: MaxJobCount
  sed -i '/^MaxJobCount=/d' "$SLURM_CONF"
  echo "MaxJobCount=$1" >>"$SLURM_CONF"
  scontrol reconfigure
}
room $(($(squeue -h -t all | wc -l) + 2))
plan "$T/full.json" "$(limited one 1 cn1 60 "$bound")" "$(limited both 2 'cn[2-3]' 60 "$bound")" \
  "$(limited more 2 'cn[4-5]' 60 "$bound")"
start full
check "slurmctld refuses a job" until_true 20 grep -q 'MaxJobCount limit from slurm.conf reached' "$T/log/slurmctld.log"
room 1000
ended full 3
for id in one both more; do becomes full $id finished; counted full $id 1; done
finish
