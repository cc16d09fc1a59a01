# Sourced by the tests of campaigns on a real Slurm of virtual nodes: the Slurm, plans of shell lines, and what became
# of each case. `slurm_of N [CPUS]` starts it; it ends with the test.
. "$(dirname -- "$0")/../cli/check.sh"
for program in slurmctld slurmd scontrol sbatch squeue sdiag; do
  command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin
  command -v "$program" >/dev/null || { echo "SKIPPED: no $program here (apt-get install slurm-wlm)"; exit 77; }
done
virtual="$PROJECT/tests/slurm/virtual_slurm.sh"
export SLURM_CONF="$T/slurm.conf"
trap 'sh "$virtual" stop "$T"; rm -rf "$T"' EXIT
trap 'exit 130' INT TERM

# slurm_of N [CPUS]: nodes cn1 to cnN.
slurm_of() {
  nodes=$1 cpus=${2:-2}
  slurm_with "$(for i in $(seq "$nodes"); do printf 'cn%d CPUs=%d RealMemory=1000\n' "$i" "$cpus"; done)"
}
# slurm_with LINES: the same of nodes that are described; $nodes of them, mostly of $cpus CPUs. VIRTUAL_SLURM_MORE and
# VIRTUAL_SLURM_PARTITIONS go into its slurm.conf.
slurm_with() {
  sh "$virtual" start "$T" "$1" || { cat "$T"/log/*; echo "FAIL  Slurm starts"; exit 1; }
  cat >"$T/inventory.toml" <<TOML
system = "virtual"
[[groups]]
name = "nodes"
memory_bytes = 1048576000
hosts = "cn[1-$nodes]"
[groups.cpu]
model = "virtual"
sockets = 1
cores = $cpus
TOML
}

# case_of ID NODES HOSTS WORDS...: a case of a shell line without quotes of its own; WORDS are further members.
case_of() {
  printf '{"id":"%s","nodes":%s,"hosts":"%s","argv":["/bin/sh","-c","%s"]%s}' "$1" "$2" "$3" "$4" "${5:+,$5}"
}
# plan FILE CASE...
plan() {
  file=$1
  shift
  { printf '{"schema":"shakedown.plan/1","system":"virtual","cases":['
    comma=
    for each; do printf '%s%s' "$comma" "$each"; comma=,; done
    printf ']}\n'; } >"$file"
}
# runs NAME OPTION...: the plan $T/NAME.json in a workspace of its own.
runs() {
  name_of_plan=$1
  shift
  "$SHAKEDOWN" run --plan "$T/$name_of_plan.json" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/$name_of_plan" "$@"
}
# start NAME OPTION...: the same in the background; $! is the orchestrator's own process. `ended NAME CODE` waits for it.
start() {
  name_of_plan=$1
  shift
  "$SHAKEDOWN" run --plan "$T/$name_of_plan.json" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/$name_of_plan" "$@" \
    >"$T/$name_of_plan.out" 2>&1 &
  eval "pid_$name_of_plan=$!"
}
ended() {
  eval "wait \$pid_$1"
  got=$?
  if [ "$got" = "$2" ]; then
    ok "$1 ends"
  else
    fail "$1: exit $got, expected $2"
    sed 's/^/      | /' "$T/$1.out"
  fi
}
campaign() { ls -d "$T/$1"/campaigns/*/ | head -n 1; }

# until SECONDS COMMAND...: waits until the command succeeds.
until_true() {
  left=$(($1 * 5))
  shift
  while [ "$left" -gt 0 ]; do
    "$@" >/dev/null 2>&1 && return 0
    sleep 0.2
    left=$((left - 1))
  done
  return 1
}
# began NAME CASE: waits for the beginning of its first attempt.
began() { until_true 60 sh -c "ls '$T/$1'/campaigns/*/$2/attempt-1/started.json"; }
# told NAME TEXT: the run or its report said so.
told() {
  if grep -qF -- "$2" "$T/$1.out" "$(campaign "$1")/results.json"; then
    ok "$1 says: $2"
  else
    fail "$1: no '$2' in"
    sed 's/^/      | /' "$T/$1.out"
  fi
}
job_of() { squeue -h -o %A -w "$1"; }
# served TYPE...: how many requests of these types slurmctld has served.
served() {
  sdiag | awk -v types=" $* " 'index(types, " " $1 " ") && /count:/ { sub(/.*count:/, ""); n += $1 } END { print n + 0 }'
}
# questions: how often it was asked about jobs.
questions() { served REQUEST_JOB_INFO REQUEST_JOB_INFO_SINGLE REQUEST_JOB_USER_INFO; }
submitted() { sdiag | sed -n 's/^Jobs submitted: *//p'; }

# becomes NAME CASE STATE: what `status` says of a case, which it names once.
becomes() {
  "$SHAKEDOWN" status -w "$T/$1" >"$T/status" 2>&1
  said=$(awk -v id="$2" '$2 == id { print $1 }' "$T/status")
  if [ "$said" = "$3" ]; then
    ok "$1: $2 is $3"
  else
    fail "$1: $2 is '$said', not $3"
    sed 's/^/      | /' "$T/status"
  fi
}
# counted NAME CASE N: how often its program came to its end.
counted() {
  times=$(cat "$(campaign "$1")/$2/ends" 2>/dev/null | wc -l)
  check "$1: $2 came to its end $3 times" [ "$times" = "$3" ]
}
