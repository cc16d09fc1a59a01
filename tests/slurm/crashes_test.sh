#!/bin/sh
# Ranks that crash in steps of srun on 2 to 8 nodes, without and with SMT: the failure names the rank and its node,
# nobody is said to have cancelled anything, and a node that failed alone gets no more work while the stage above runs
# on the rest.
. "$(dirname -- "$0")/campaigns.sh"
# All ranks that fail do so within it, on a slow machine as well.
export VIRTUAL_SLURM_MORE=KillWait=30

# HOSTS HOW [SECONDS]: the ranks on these nodes end so, when all of them are there; the others wait to be ended with them,
# for that long.
cat >"$T/crash" <<'SH'
#!/bin/sh
case ,$1, in *,$SLURMD_NODENAME,*) ;; *) echo "$SLURM_JOB_ID.$SLURM_STEP_ID" >"step-$SLURM_PROCID"; sleep "${3:-100}"; exit ;; esac
trap '' TERM
: >"fails-$SLURM_PROCID"
until [ "$(ls fails-* | wc -l)" = "$(echo "$1" | tr , '\n' | wc -l | awk '{ print 2 * $1 }')" ]; do sleep 0.1; done
end='\n'
[ "$2" != SEGV ] || end=' 53%%'  # srun's report follows on the same line
printf "bad \033[2Jword on %s$end" "$SLURMD_NODENAME" >&2
case $2 in
[0-9]*) exit "$2" ;;
*) kill -"$2" $$; sleep 5 ;;
esac
SH
chmod +x "$T/crash"
# step ID NODES HOSTS STAGE WORDS...: a case of two ranks per node that runs `crash WORDS`.
step() {
  printf '{"id":"%s","nodes":%s,"ranks":%s,"ranks_per_node":2,"hosts":"%s","among":"%s","stage":%s,"time_limit_s":120,"launcher":"srun","binding":"none"' \
    "$1" "$2" "$(($2 * 2))" "$3" "${among:-$3}" "$4"
  printf ',"program":"%s","argv":["srun","--nodes=%s","--ntasks-per-node=2","--distribution=block","--mem=0","--cpu-bind=none","--kill-on-bad-exit=1","%s"' "$5" "$2" "$5"
  shift 5
  words=
  for word; do words="$words,\"$word\""; done
  printf '%s],"arguments":[%s]}' "$words" "${words#,}"
}
crash() { step "$1" "$2" "$3" 1 "$T/crash" "$4" "$5"; }       # ID NODES HOSTS WHERE HOW
above() { among=$4; step "$1" "$2" "$3" 2 /bin/true; among=; } # ID NODES HOSTS AMONG
# excludes NAME NODE TEXT: the campaign excluded this node alone, and the reason has the text.
excludes() {
  check "$1: $2 alone gets no more work, with the reason" python3 - "$(campaign "$1")/journal.jsonl" "$2" "${3-}" <<'PY'
import json, sys
out = [each for each in map(json.loads, open(sys.argv[1])) if each.get("event") == "excluded"]
assert [each["node"] for each in out] == ([sys.argv[2]] if sys.argv[2] else []), out
assert all(sys.argv[3] in each["because"] and "\033" not in each["because"] for each in out), out
PY
}
# on NAME CASE HOSTS: where its last attempt ran.
on() { check "$1: $2 runs on $3" grep -qF "\"hosts\":\"$3\"" "$(ls -d "$(campaign "$1")/$2"/attempt-* | tail -n 1)/place.json"; }
blames_nobody() { check "$1: nobody cancelled it" sh -c "! grep -qiE 'cancelled|could not start' '$T/$1.out'"; }

# On nodes as they are described by $1; $2 is a word for their kind.
on_nodes() {
  kind=$2 nodes=8 cpus=4
  slurm_with "$(for i in $(seq 8); do echo "cn$i $1 RealMemory=1000"; done)"
  # One node of two, of three: by an exit code, by a signal.
  plan "$T/code_$kind.json" "$(crash wide 2 'cn[1-2]' cn2 7)" "$(above rest 1 cn1 'cn[1-2]')"
  plan "$T/signal_$kind.json" "$(crash wide 3 'cn[3-5]' cn4 SEGV)" "$(above rest 2 'cn[3-4]' 'cn[3-5]')"
  # A rank that is killed looks most like a step that was cancelled.
  plan "$T/killed_$kind.json" "$(crash wide 3 'cn[6-8]' cn6 KILL)" "$(above rest 2 'cn[6-7]' 'cn[6-8]')"
  for which in code signal killed; do start "${which}_$kind"; done
  for which in code signal killed; do ended "${which}_$kind" 3; blames_nobody "${which}_$kind"; becomes "${which}_$kind" rest finished; done
  told "code_$kind" "ranks 2-3 on cn2 ended with exit code 7; Slurm then ended the other ranks; stderr.log ends with 'bad word on cn2'"
  excludes "code_$kind" cn2 "stderr.log ends with 'bad word on cn2'"
  on "code_$kind" rest cn1
  told "signal_$kind" "ranks 2-3 on cn4 ended with signal 11 (segmentation fault); Slurm then ended the other ranks"
  excludes "signal_$kind" cn4 "bad word on cn4 53%'"
  on "signal_$kind" rest 'cn[3,5]'
  told "killed_$kind" " on cn6 ended with signal 9 (killed); Slurm then ended the other ranks"
  excludes "killed_$kind" cn6 "stderr.log ends with 'bad word on cn6'"
  on "killed_$kind" rest 'cn[7-8]'
  # All eight: nodes that fail together speak for the program, a case at a time or the campaign.
  plan "$T/together_$kind.json" "$(crash wide 8 'cn[1-8]' cn3,cn5 ABRT)" "$(above rest 6 'cn[1-6]' 'cn[1-8]')"
  start "together_$kind"
  ended "together_$kind" 3
  told "together_$kind" "ranks 4-5,8-9 on cn[3,5] ended with signal 6 (aborted)"
  excludes "together_$kind" ''
  becomes "together_$kind" rest not-run
  blames_nobody "together_$kind"
  # Twice on one node, of one stage: it is left out before the third.
  among='cn[1-8]'
  plan "$T/twice_$kind.json" "$(step one 7 'cn[1-7]' 1 "$T/crash" cn5 ILL)" "$(step two 6 'cn[1-6]' 1 "$T/crash" cn5 ILL)" \
    "$(step three 5 'cn[1-5]' 1 "$T/crash" cn5 ILL 5)"
  among=
  start "twice_$kind"
  ended "twice_$kind" 3
  excludes "twice_$kind" cn5 " on cn5 ended with signal 4 (illegal instruction)"
  becomes "twice_$kind" three finished
  check "twice_$kind: a crash is not tried again" [ ! -e "$(campaign "twice_$kind")/one/attempt-2" ]
}
# What somebody really cancelled, the step or the job, stays cancelled, and no node is left out for it.
really_cancelled() {
  for which in step job; do
    hosts='cn[1-4]' first=1
    [ $which = step ] || hosts='cn[5-8]' first=5
    plan "$T/$which.json" "$(crash wide 4 "$hosts" none none)" "$(above rest 1 "${hosts%%[*}${first}" "$hosts")"
    start $which
  done
  for which in step job; do until_true 60 sh -c "[ \$(cat '$T/$which'/campaigns/*/wide/attempt-1/step-? | wc -l) = 8 ]"; done
  scancel "$(cat "$(campaign step)/wide/attempt-1/step-0")"
  scancel "$(job_of cn5 | head -n 1)"
  ended step 3
  ended job 3
  told step "its job step was cancelled"
  told job "cancelled: the scheduler reports 'CANCELLED'"
  for which in step job; do excludes $which ''; becomes $which rest not-run; done
}

on_nodes 'CPUs=4' plain
sh "$virtual" stop "$T"
rm -rf "$T/state" "$T"/spool-* "$T"/slurm*.pid
on_nodes 'CPUs=8 Sockets=1 CoresPerSocket=4 ThreadsPerCore=2' smt
really_cancelled
finish
