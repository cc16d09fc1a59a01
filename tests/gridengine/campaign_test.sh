#!/bin/sh
# Campaigns on a real Grid Engine of this host: every case runs exactly once, whoever ends early.
packages="$PROJECT/build/gridengine"
if [ -z "${WITHIN_GRIDENGINE-}" ]; then
  [ -x "$packages/usr/lib/gridengine/sge_qmaster" ] || { echo "SKIPPED: no Grid Engine in $packages (sh tests/gridengine/unpack.sh)"; exit 77; }
  unshare -m true 2>/dev/null || { echo "SKIPPED: its files can be laid over /usr by root alone"; exit 77; }
  export WITHIN_GRIDENGINE=1
  exec sh "$PROJECT/tests/gridengine/virtual_gridengine.sh" enter "$packages" sh "$0"
fi
. "$(dirname -- "$0")/../cli/check.sh"
virtual="$PROJECT/tests/gridengine/virtual_gridengine.sh"
trap 'sh "$virtual" stop "$T/ge" >/dev/null; rm -rf "$T"' EXIT
trap 'exit 130' INT TERM
port=$((20000 + $$ % 20000))
export SGE_ROOT="$T/ge/root" SGE_QMASTER_PORT=$port SGE_EXECD_PORT=$((port + 1))
sh "$virtual" start "$T/ge" >"$T/start" 2>&1 || { cat "$T/start" "$T/ge/qmaster/messages"; echo "FAIL  Grid Engine starts"; exit 1; }
host=$(hostname)
cat >"$T/inventory.toml" <<TOML
system = "virtual"
[[groups]]
name = "nodes"
hosts = "$host"
memory_gib = 1
[groups.cpu]
model = "virtual"
sockets = 1
cores = 1
TOML

# case_of ID SHELL_LINE: bound to this host.
case_of() {
  printf '{"id":"%s","nodes":1,"hosts":"%s","placement":"bound","time_limit_s":60,"argv":["/bin/sh","-c","%s"]}' "$1" "$host" "$2"
}
# plan NAME CASE...
plan() {
  name=$1
  shift
  { printf '{"schema":"shakedown.plan/1","system":"virtual","cases":['
    comma=
    for each; do printf '%s%s' "$comma" "$each"; comma=,; done
    printf ']}\n'; } >"$T/$name.json"
}
runs() { "$SHAKEDOWN" run --plan "$T/$1.json" --inventory "$T/inventory.toml" --scheduler gridengine -w "$T/$1" --here; }
# begins NAME: the same beside us, as $orchestrator.
begins() {
  (exec "$SHAKEDOWN" run --plan "$T/$1.json" --inventory "$T/inventory.toml" --scheduler gridengine -w "$T/$1" --here) \
    >"$T/$1.out" 2>&1 &
  orchestrator=$!
}
campaign() { ls -d "$T/$1"/campaigns/*/ | head -n 1; }
# until_true SECONDS COMMAND...
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
started() { [ -e "$(campaign "$1")$2/attempt-1/started.json" ]; }
began() { until_true 30 started "$@"; }
# becomes NAME CASE STATE
becomes() {
  "$SHAKEDOWN" status -w "$T/$1" >"$T/status" 2>&1
  said=$(awk -v id="$2" '$2 == id { print $1 }' "$T/status")
  if [ "$said" = "$3" ]; then ok "$1: $2 is $3"; else
    fail "$1: $2 is '$said', not $3"
    sed 's/^/      | /' "$T/status"
  fi
}
counted() { check "$1: $2 came to its end $3 times" [ "$(cat "$(campaign "$1")/$2/ends" 2>/dev/null | wc -l)" = "$3" ]; }
job_of() { qstat | awk '$1 ~ /^[0-9]/ { print $1 }' | tail -n 1; }

# Three cases of one host: one job, one behind the other.
plan chain "$(case_of a 'echo $JOB_ID; echo x >>../ends')" "$(case_of b 'echo $JOB_ID; echo x >>../ends')" \
  "$(case_of c 'echo $JOB_ID; echo x >>../ends')"
exits "cases of one host" 3 runs chain
for id in a b c; do
  becomes chain $id finished
  counted chain $id 1
  check "$id ran in the first job" [ "$(cat "$(campaign chain)/$id/attempt-1/stdout.log")" = 1 ]
done

# Killed without a word; `resume` takes the job on.
plan killed "$(case_of long 'sleep 4; echo x >>../ends')" "$(case_of next 'echo x >>../ends')"
begins killed
check "it begins" began killed long
kill -9 "$orchestrator"
wait "$orchestrator" 2>/dev/null
exits "resume after kill -9" 3 "$SHAKEDOWN" resume -w "$T/killed" --here
says "adopts the job" "[ADOPT]"
for id in long next; do becomes killed $id finished; counted killed $id 1; done
check "no second job" [ "$(qacct -j 3 2>&1)" = "error: job id 3 not found" ]

# Ended by somebody else while it runs: told politely, and not run again.
plan deleted "$(case_of long 'sleep 15; echo x >>../ends')" "$(case_of next 'echo x >>../ends')"
begins deleted
check "it begins" began deleted long
qdel "$(job_of)" >/dev/null
wait "$orchestrator"
becomes deleted long interrupted
counted deleted long 0
becomes deleted next waiting # behind it in a job that was not wanted
exits "resume after that" 3 "$SHAKEDOWN" resume -w "$T/deleted" --here
becomes deleted next finished
for id in long next; do counted deleted $id 1; done

# Deleted while it waits: Grid Engine keeps no record of it.
qsub -terse -N holder -b y -o /dev/null -j y /bin/sleep 45 >/dev/null
plan waiting "$(case_of late 'echo x >>../ends')"
begins waiting
check "it waits" until_true 30 grep -q "qw" "$T/waiting.out"
qdel "$(job_of)" >/dev/null
wait "$orchestrator"
check "its deletion is heeded" [ $? = 3 ]
counted waiting late 0
check "it was not submitted again" [ ! -e "$(campaign waiting)/late/attempt-2" ]
qdel holder >/dev/null

# `shakedown cancel` ends the job and the orchestrator.
plan cancelled "$(case_of long 'sleep 600; echo x >>../ends')"
begins cancelled
check "it begins" began cancelled long
exits "cancel" 0 "$SHAKEDOWN" cancel -w "$T/cancelled"
wait "$orchestrator"
check "the orchestrator stopped" [ $? = 143 ]
# Grid Engine ends a job that is just being transferred to its host only when that reports it again.
check "and the queue becomes empty" until_true 120 sh -c '[ -z "$(qstat)" ]'
becomes cancelled long stopped

# A job that can't be started stays in the queue for ever: it is withdrawn, and its node blamed. The description is a
# site's own.
sed 's|-S /bin/sh|-S /no/shell|' "$PROJECT/orchestrator/schedulers/gridengine.toml" >"$T/ours.toml"
plan stuck "$(case_of never 'echo x >>../ends')"
exits "a shell that is not there" 3 "$SHAKEDOWN" run --plan "$T/stuck.json" --inventory "$T/inventory.toml" --scheduler "$T/ours.toml" -w "$T/stuck" --here
says "said as Grid Engine does" "Eqw"
check "that is the queue's doing, not the node's" [ -z "$(grep 'gets no more work' "$T/out" "$T/err")" ]
check "no fourth attempt" [ ! -e "$(campaign stuck)/never/attempt-4" ]
check "nothing of them is left in the queue" [ -z "$(qstat)" ]

# More nodes than the description gives a job.
plan wide "$(printf '{"id":"wide","nodes":2,"hosts":"%s","placement":"bound","argv":["true"]}' "$host,other")"
exits "two nodes" 3 runs wide
says "are refused with the way out" "gives a job 1 node at most"
exits "an unknown batch system" 2 "$SHAKEDOWN" run --plan "$T/chain.json" --inventory "$T/inventory.toml" --scheduler gridengin -w "$T/x" --here
says "did you mean" "no scheduler 'gridengin' (did you mean 'gridengine'?)"
finish
