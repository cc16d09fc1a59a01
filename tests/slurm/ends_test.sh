#!/bin/sh
# How jobs end that others end: each for real, each case accounted for exactly once. They run beside each other, each
# on a node of its own.
. "$(dirname -- "$0")/campaigns.sh"
export VIRTUAL_SLURM_PARTITIONS="PartitionName=low Nodes=ALL Default=YES PriorityTier=1 PreemptMode=REQUEUE State=UP
PartitionName=high Nodes=ALL PriorityTier=10 PreemptMode=OFF State=UP"
# Processes by their parents: an attempt has a session of its own, where proctrack/pgid loses it.
export VIRTUAL_SLURM_MORE="ProctrackType=proctrack/linuxproc
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
SelectTypeParameters=CR_Core_Memory
JobAcctGatherType=jobacct_gather/linux
JobAcctGatherFrequency=task=1
JobAcctGatherParams=OverMemoryKill"
nodes=12 cpus=2
slurm_with "$(for i in $(seq 12); do echo "cn$i CPUs=2 RealMemory=150"; done)"
bound='"placement":"bound"'
# The first attempt waits to be ended; another comes to its end.
once='mkdir ../first 2>/dev/null && { sleep 100 || exit; }; echo x >>../ends'
ends() { # NAME HOST LINE WORDS: a plan of one case, `one`
  plan "$T/$1.json" "$(case_of one 1 "$2" "$3" "$bound${4:+,$4}")"
  start "$1"
}
number_of() { squeue -h -o '%A %j' -w "$1" -t R | awk '$2 ~ /^shakedown-/ { print $1 }'; }

# waits_for HOST: a job of ours is in the queue for it.
waits_for() { squeue -h -t PD -o '%n %j' | grep -q "^$1 shakedown-"; }

cat >"$T/eater" <<'PY'
import time
kept = bytearray(300 << 20)
for i in range(0, len(kept), 4096):
    kept[i] = 1
time.sleep(20)
PY
cat >"$T/xhpl" <<SH2
#!/bin/sh
cat "$PROJECT/tests/fixtures/hpl/reference-passed.out"
echo x >>../ends
exit 3
SH2
chmod +x "$T/xhpl"

ends requeued cn1 "$once" '"time_limit_s":200'
ends preempted cn2 "$once" '"time_limit_s":200'
ends expelled cn3 "$once" '"time_limit_s":200'
ends eats cn4 "echo x >>../begins; python3 $T/eater; echo x >>../ends" '"time_limit_s":200'
plan "$T/beside.json" "$(case_of one 1 cn5 "echo x >>../begins; python3 $T/eater; echo x >>../ends" "$bound,\"time_limit_s\":200")" \
  "$(case_of next 1 cn5 'echo x >>../ends' "$bound,\"time_limit_s\":100")" \
  "$(case_of other 1 cn6 'echo x >>../ends' "$bound,\"time_limit_s\":200")"
start beside
ends unlimited cn7 "$once"
printf '{"schema":"shakedown.plan/1","system":"virtual","cases":[{"id":"hpl","suite":"hpl","implementation":"reference",
"parser":"hpl","nodes":1,"ranks":2,"ranks_per_node":2,"hosts":"cn8","placement":"bound","argv":["%s"],"time_limit_s":60}]}' \
  "$T/xhpl" >"$T/spoke.json"
start spoke
for i in 9 10; do sbatch -Q -J other -w cn$i --exclusive -o /dev/null --wrap 'sleep 300'; done
sbatch -Q -J other -w cn11 --exclusive -o /dev/null --wrap 'sleep 12'
until_true 20 sh -c '[ "$(squeue -h -n other -t R | wc -l)" = 3 ]'
ends twice cn9 'echo x >>../ends' '"time_limit_s":60'
ends cancelled cn10 'echo x >>../ends' '"time_limit_s":60'
ends waits cn11 'echo x >>../ends' '"time_limit_s":60'

# Somebody puts a job back in the queue, which it was submitted not to be.
began requeued one
number=$(number_of cn1)
check "Slurm would not requeue it by itself" sh -c "! scontrol requeue $number 2>/dev/null"
scontrol update jobid="$number" requeue=1
scontrol requeue "$number"
# A job that goes before ours takes the node: where Slurm would put ours back, and where it would end it.
began preempted one
number=$(number_of cn2)
sbatch -Q -p high -J other -w cn2 --exclusive -o /dev/null --wrap 'sleep 1'
until_true 20 sh -c "[ -z \"\$(squeue -h -j $number -t R)\" ]"
scontrol update partitionname=low PreemptMode=CANCEL
began expelled one
sbatch -Q -p high -J other -w cn3 --exclusive -o /dev/null --wrap 'sleep 1'
# Slurm's own time limit, of a case that has none.
began unlimited one
scontrol update jobid="$(number_of cn7)" EndTime=now+1
# A reservation of others is in the way of a job that waits.
until_true 20 waits_for cn11
scontrol create reservation ReservationName=theirs users=daemon nodes=cn11 starttime=now duration=60 flags=ignore_jobs >/dev/null
# Jobs that never start: stopped twice by Ctrl-C, and by `cancel`.
until_true 20 waits_for cn9
until_true 20 waits_for cn10
kill -INT "$pid_twice"
sleep 0.5
kill -INT "$pid_twice" 2>/dev/null
exits "cancel" 0 "$SHAKEDOWN" cancel -w "$T/cancelled"
ended twice 130
ended cancelled 143
check "neither is in the queue" [ -z "$(squeue -h -t PD -o '%n %j' | grep '^cn\(9\|10\) shakedown-')" ]
for which in twice cancelled; do counted $which one 0; done
scancel -n other -w cn9,cn10
for which in twice cancelled; do
  exits "resume $which" 3 "$SHAKEDOWN" resume -w "$T/$which"
  becomes $which one finished
  counted $which one 1
done

check "waits: the reason is told as it is" until_true 40 grep -qi '\[ WAIT\] .* for cn11: .*reserv' "$T/waits.out"
check "waits: it is not cancelled for it" waits_for cn11
scontrol delete reservationname=theirs

ended requeued 3
told requeued "requeued: the scheduler reports 'BeginTime'"
ended preempted 3
told preempted "preempted: the scheduler reports"
ended expelled 3
told expelled "preempted: the scheduler reports"
for which in requeued preempted expelled; do
  becomes $which one finished
  counted $which one 1
  check "$which: in a second attempt" [ -e "$(campaign $which)/one/attempt-2" -a ! -e "$(campaign $which)/one/attempt-3" ]
done
ended unlimited 3
counted unlimited one 0
told unlimited "ended at the scheduler's time limit: the scheduler reports"
check "unlimited: once" [ ! -e "$(campaign unlimited)/one/attempt-2" ]

# More memory than the job has: the machine is not at fault, so it is not tried again.
ended eats 3
ended beside 3
for which in eats beside; do
  counted $which one 0
  told $which "out of memory: the scheduler reports"
  check "$which: began once" [ "$(wc -l <"$(campaign $which)/one/begins")" = 1 ]
done
for id in next other; do becomes beside $id finished; counted beside $id 1; done

# A result that is printed before a failure is kept, and what followed it is said.
ended spoke 3
becomes spoke hpl failed
counted spoke hpl 1
check "spoke: the result counts, the exit code is told" python3 -c "
import json
d = json.load(open('$(campaign spoke)/results.json'))
attempt = d['cases'][0]['attempts'][0]
assert attempt['exit_code'] == 3 and attempt['results'][0]['metrics']['rmax_gflops'] == 50.413, attempt
assert attempt['failure'] == 'it failed after its result', attempt
assert any('exit code 3' in each for each in map(str, d['deviations'])), d['deviations']"

ended waits 3
becomes waits one finished
counted waits one 1
check "nothing of ours is left in the queue" [ -z "$(squeue -h -t PD,R -o %j | grep shakedown-)" ]
finish
