#!/bin/sh
# What Slurm's commands may answer, or not: each campaign has its own stubs in front of them, and nodes of its own, and
# each case comes to its end exactly once.
. "$(dirname -- "$0")/campaigns.sh"
# Each second one has two threads per core: of the lanes that srun gives up, and of jobs that hang.
nodes=16 cpus=2
slurm_with "$(for i in $(seq 1 2 16); do
  echo "cn$i CPUs=4 Sockets=1 CoresPerSocket=2 ThreadsPerCore=2 RealMemory=1000"
  echo "cn$((i + 1)) CPUs=2 RealMemory=1000"
done)"
commands="sbatch squeue scontrol scancel sinfo sacct srun"
mkdir "$T/bin" "$T/stubs"
for command in $commands; do
  printf '#!/bin/sh\n[ ! -e "%s/stubs/${STUBS-}/%s" ] || . "%s/stubs/$STUBS/%s"\nexec %s "$@"\n' \
    "$T" "$command" "$T" "$command" "$(command -v "$command" || echo false)" >"$T/bin/$command"
  chmod +x "$T/bin/$command"
done
PATH="$T/bin:$PATH"

# stub NAME COMMAND LINE: what it does in that campaign before its own work.
stub() {
  mkdir -p "$T/stubs/$1"
  printf '%s\n' "$3" >"$T/stubs/$1/$2"
}
unstub() { rm -r "$T/stubs/$1"; }
hang="echo x >>'$T'/stubs/\$STUBS.\${0##*/}; sleep 120; exit 1"
hung() { until_true 60 [ -e "$T/stubs/$1.$2" ]; }
# launch NAME COMMAND...: in the background, where Ctrl-C reaches it as on a terminal.
launch() {
  campaign=$1
  shift
  STUBS=$campaign env --default-signal=INT "$@" >"$T/$campaign.out" 2>&1 &
  eval "pid_$campaign=$!"
}
begin() { # NAME
  launch "$1" "$SHAKEDOWN" run --plan "$T/$1.json" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/$1"
}
# interrupted NAME: Ctrl-C ends it within five seconds, and what this machine needs longer without a hang.
slack=0
interrupted() {
  eval "pid=\$pid_$1"
  from=$(date +%s%N)
  kill -INT "$pid"
  ended "$1" 130
  took=$((($(date +%s%N) - from) / 1000000))
  check "$1: $took ms behind Ctrl-C, $slack of them allowed to a slow machine" [ "$took" -lt $((5000 + slack)) ]
}
resumed() { # NAME: its one case ends once
  exits "resume $1" 3 "$SHAKEDOWN" resume -w "$T/$1"
  becomes "$1" one finished
  counted "$1" one 1
}
short='sleep 1; echo x >>../ends'
bound='"placement":"bound","time_limit_s":100'

# Answers: sbatch prints more than a number, another, none, or fails behind its work.
stub answers sbatch "n=\$(cat '$T/answers.n' 2>/dev/null); echo x\$n >'$T/answers.n'
real=$(PATH=${PATH#*:} command -v sbatch)
case \$n in
'') echo '** 12 messages **'; \$real \"\$@\"; echo 'lua: charged to p17'; exit ;;
x) \$real \"\$@\" >/dev/null; exit ;;
xx) echo 'queued' ; \$real \"\$@\" >/dev/null; exit ;;
xxx) shift; exec \$real \"\$@\" ;;
xxxx) \$real \"\$@\" >/dev/null; echo 'sbatch: error: epilogue failed' >&2; exit 1 ;;
xxxxx) echo 'sbatch: error: You must specify a project' >&2; exit 1 ;;
esac"
set --
for i in 1 2 3 4 5 6; do set -- "$@" "$(case_of "case-$i" 1 cn1 'echo x >>../ends' '"placement":"bound"')"; done
plan "$T/answers.json" "$@"
begin answers

# A refusal that nobody lists: other jobs go on meanwhile.
stub refused sbatch "case \"\$*\" in *'cn[2-3]'*) ls '$T'/refused/campaigns/*/other/ends >/dev/null 2>&1 || {
echo 'sbatch: error: You must specify a project' >&2; exit 1; } ;; esac"
plan "$T/refused.json" "$(case_of refused 2 'cn[2-3]' "$short" "$bound")" "$(case_of other 2 'cn[4-5]' "$short" "$bound")"
begin refused

# srun gives up steps: one that runs late all the same, and one that never does.
stub lanes srun "case \"\$*\" in *--nodelist=cn6*) mkdir '$T/late' 2>/dev/null && { (sleep 2; STUBS= srun \"\$@\") & sleep 0.2; exit 1; } ;;
*) mkdir '$T/never' 2>/dev/null && exit 1 ;; esac"
noting='date +%s%N >../begin; sleep 2; echo x >>../ends; date +%s%N >../end'
plan "$T/lanes.json" "$(case_of a6 1 cn6 "$noting" "$bound")" "$(case_of b6 1 cn6 "$noting" "$bound")" \
  "$(case_of a7 1 cn7 "$noting" "$bound")" "$(case_of b7 1 cn7 "$noting" "$bound")"
begin lanes

# Nothing hangs: two of the seconds are for a second Ctrl-C.
plan "$T/calm.json" "$(case_of one 1 cn13 "$short" "$bound")"
begin calm
began calm one
interrupted calm
[ "$took" -le 2000 ] || slack=$((took - 2000))
resumed calm

# Commands that hang, each where it is asked first.
stub scontrol scontrol "$hang"
stub sbatch sbatch "$hang"
stub squeue sbatch 'echo queued; exit 0'
stub squeue squeue "$hang"
host=9
for command in scontrol sbatch squeue; do
  plan "$T/$command.json" "$(case_of one 1 cn$host "$short" "$bound")"
  begin $command
  host=$((host + 1))
done
for command in scontrol sbatch squeue; do
  hung $command $command
  interrupted $command
  unstub $command
  [ $command = scontrol ] || resumed $command
done
# It is asked before a campaign is made.
check "scontrol: no campaign was made" [ ! -e "$T/scontrol/campaigns" ]
exits "run scontrol again" 3 runs scontrol
counted scontrol one 1

# A job that runs, of which nothing answers: to Ctrl-C, twice, to `resume`, `status` and `cancel`.
plan "$T/scancel.json" "$(case_of one 1 cn12 'while [ ! -e ../go ]; do sleep 0.2; done; echo x >>../ends' '"placement":"bound","time_limit_s":600')"
begin scancel
began scancel one
for command in squeue scancel sacct sinfo scontrol; do stub scancel $command "$hang"; done
kill -INT "$pid_scancel"
sleep 0.5
interrupted scancel
told scancel "1 job continues in the batch system"
for words in resume status cancel; do
  rm -f "$T"/stubs/scancel.*
  launch scancel "$SHAKEDOWN" $words -w "$T/scancel"
  until_true 20 sh -c "ls '$T'/stubs/scancel.*"
  interrupted scancel
done
# Slurm forgot the job, and its accounting hangs.
unstub scancel
stub scancel squeue 'exit 0'
stub scancel scontrol 'case "$*" in *"show job"*) echo "slurm_load_jobs error: Invalid job id specified" >&2; exit 1 ;; esac'
stub scancel sacct "$hang"
rm -f "$T"/stubs/scancel.*
launch scancel "$SHAKEDOWN" resume -w "$T/scancel"
hung scancel sacct
interrupted scancel
unstub scancel
: >"$(campaign scancel)/one/go"
resumed scancel

ended answers 3
for i in 1 2 3 4 5 6; do becomes answers case-$i finished; counted answers case-$i 1; done
told answers "was refused: sbatch: error: You must specify a project; retried for up to 15m 00s"
ended refused 3
for id in refused other; do becomes refused $id finished; counted refused $id 1; done
told refused "was refused: sbatch: error: You must specify a project"
check "refused: the other went on" [ "$(grep -n 'END.* other' "$T/refused.out" | cut -d : -f 1)" -lt "$(grep -n 'END.* refused' "$T/refused.out" | cut -d : -f 1)" ]
ended lanes 3
at=$(campaign lanes)
for id in a6 b6 a7 b7; do
  becomes lanes $id finished
  counted lanes $id 1
  check "lanes: $id in one attempt" [ ! -e "$at/$id/attempt-2" ]
done
for i in 6 7; do check "lanes: one behind the other on cn$i" [ "$(cat "$at/a$i/end")" -lt "$(cat "$at/b$i/begin")" ]; done
check "nothing of ours is left in the queue" [ -z "$(squeue -h -t PD,R -o %j | grep shakedown-)" ]
finish
