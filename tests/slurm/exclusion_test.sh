#!/bin/sh
# Stages on a real Slurm: a node that fails alone, stays down or is excluded by the operator gets no more work, what
# needed it is planned again on those that are left, and what failed together keeps the next stage from beginning.
. "$(dirname -- "$0")/campaigns.sh"
[ -x "$LIBEXEC/hpl" ] || { echo "SKIPPED: $LIBEXEC/hpl was not built (MPI and BLAS)"; exit 77; }
# Nodes that fail together do so within it, on a slow machine as well.
export VIRTUAL_SLURM_MORE=KillWait=30
slurm_of 4 1
srun --mpi=list 2>&1 | grep -q pmix || { echo "SKIPPED: this Slurm has no PMIx plugin"; exit 77; }
cat >"$T/hpl" <<SH
#!/bin/sh
[ "\$SLURMD_NODENAME \$SLURM_STEP_NUM_NODES" = "cn3 1" ] && { echo "memory error" >&2; exit 9; }
exec "$LIBEXEC/hpl"
SH
chmod +x "$T/hpl"
# config FILE WORDS: HPL on each node, then on all of them.
config() {
  cat >"$1" <<TOML
system = "inventory.toml"
[site]
launcher = "srun"
mpi = "pmix"
scheduler = "slurm"
node_wait_seconds = 3
[site.environment]
OMPI_MCA_btl = "self,tcp"
OMPI_MCA_osc = "^ucx"
PMIX_MCA_gds = "hash"
[[site.programs]]
implementation = "hpl/reference"
program = "$T/hpl"
[[runs]]
suite = "hpl"
implementation = "reference"
each_node = true
minutes = 0.02
[[runs]]
suite = "hpl"
implementation = "reference"
stage = 1
minutes = 0.02
$2
TOML
}
config "$T/all.toml" ""
exits "a node that fails alone" 3 "$SHAKEDOWN" run --config "$T/all.toml" -w "$T/all"
says "is excluded, with its last words" "cn3 gets no more work: hpl-reference-1n-cn3: rank 0 on cn3 ended with exit code 9; "
says "the program's last words are quoted" "stderr.log ends with 'memory error'"
says "the case is planned anew" "hpl-reference-3n  in place of hpl-reference-4n: cn3 is excluded"
becomes all hpl-reference-1n-cn1 finished
becomes all hpl-reference-4n not-run
becomes all hpl-reference-3n finished
at=$(campaign all)
check "on the others" grep -q '"hosts":"cn\[1-2,4\]"' "$at/hpl-reference-3n/attempt-1/place.json"
check "with a grid of its own" grep -q '^1 *Ps$' "$at/hpl-reference-3n/attempt-1/HPL.dat"
check "in the results" grep -q 'hpl-reference-3n' "$at/results.json"
exits "resume changes nothing" 3 "$SHAKEDOWN" resume -w "$T/all"
becomes all hpl-reference-4n not-run
becomes all hpl-reference-3n finished
check "no second one" [ ! -e "$at/hpl-reference-3n/attempt-2" -a ! -e "$at/hpl-reference-3n-2" ]
cat >"$T/criteria.toml" <<TOML
title = "Contract"
[[criteria]]
id = "rate"
title = "HPL runs"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 0.0001
aggregation = "median"
severity = "mandatory"
limit_source = "contract 4.2"
TOML
"$SHAKEDOWN" report -w "$T/all" --criteria "$T/criteria.toml" --reason "amendment 1" >"$T/out" 2>&1
says "the criteria are revised" "are revision 2 of"
sqlite3 "$T/all/results.sqlite" "PRAGMA wal_checkpoint" >/dev/null
mv "$T/all/results.sqlite" "$T/before.sqlite"
exits "the store is made anew from the folders" 0 "$SHAKEDOWN" import -w "$T/all" "$at"
becomes all hpl-reference-4n not-run
for table in exclusion criteria_revision node_state node_reading verdict criterion; do
  check "there is something to compare in $table" [ "$(sqlite3 "$T/before.sqlite" "SELECT count(*) > 0 FROM $table")" = 1 ]
done
check "row by row the same" python3 "$PROJECT/tests/cli/same_rows.py" "$T/before.sqlite" "$T/all/results.sqlite"

config "$T/four.toml" "nodes = [4]"
exits "a count that was asked for stays" 3 "$SHAKEDOWN" run --config "$T/four.toml" -w "$T/four"
becomes four hpl-reference-4n not-run
says "says why" "4 nodes asked for, 3 there"

# Two nodes of four, each of its own: neither is ended for the other's sake.
cat >"$T/hpl" <<SH
#!/bin/sh
case "\$SLURMD_NODENAME \$SLURM_STEP_NUM_NODES" in
"cn2 4" | "cn3 4")
  trap '' TERM
  : >"$T/fails-\$SLURMD_NODENAME"
  until [ -e "$T/fails-cn2" ] && [ -e "$T/fails-cn3" ]; do sleep 0.1; done
  exit 9 ;;
esac
exec "$LIBEXEC/hpl"
SH
config "$T/gate.toml" "nodes = [4]
[[runs]]
suite = \"hpl\"
implementation = \"reference\"
nodes = [2]
stage = 2"
exits "nodes that fail together" 3 "$SHAKEDOWN" run --config "$T/gate.toml" -w "$T/gate"
becomes gate hpl-reference-4n failed
becomes gate hpl-reference-2n not-run
says "end the campaign there" "stage 1 did not pass: hpl-reference-4n: "

# Runs of one node wait until $T/hold is gone, runs of three until $T/slow is.
cat >"$T/hpl" <<SH
#!/bin/sh
while [ "\$SLURM_STEP_NUM_NODES" = 1 -a -e "$T/hold" ]; do sleep 0.2; done
while [ "\$SLURM_STEP_NUM_NODES" = 3 -a -e "$T/slow" ]; do sleep 0.2; done
exec "$LIBEXEC/hpl"
SH
on() { grep -qF "\"hosts\":\"$3\"" "$(campaign "$1")/$2/attempt-1/place.json"; }
refused() { # HOSTLIST SENTENCE
  exits "resume --exclude $1" 2 "$SHAKEDOWN" resume -w "$T/hand_$kind" --exclude "$1"
  says "is refused" "$2"
}
# On nodes of this kind: one is down from the start, and one goes down while the operator excludes another.
down_and_excluded() { # KIND
  kind=$1
  scontrol update nodename=cn2 state=drain reason="bad fan"
  exits "a node that is down from the start" 3 "$SHAKEDOWN" run --config "$T/all.toml" -w "$T/down_$kind"
  mv "$T/err" "$T/down_$kind.out"
  told "down_$kind" "cn2 gets no jobs from the batch system: IDLE+DRAIN, 'bad fan"
  told "down_$kind" "; excluded if still down in 3.00 s and a case needs it"
  told "down_$kind" "cn2 gets no more work: was still down after "
  told "down_$kind" "hpl-reference-3n  in place of hpl-reference-4n: cn2 is excluded (was still down after "
  becomes "down_$kind" hpl-reference-1n-cn2 not-run
  becomes "down_$kind" hpl-reference-4n not-run
  becomes "down_$kind" hpl-reference-3n finished
  check "on the others" on "down_$kind" hpl-reference-3n 'cn[1,3-4]'
  told "down_$kind" "hpl-reference-4n was planned for 4 nodes and ran on 3, as hpl-reference-3n, without cn2"
  check "page one says so" grep -q "cn2 was excluded at .*: was still down after .*IDLE+DRAIN, .*bad fan" "$(campaign "down_$kind")/report.html"
  scontrol update nodename=cn2 state=resume
  exits "back later, it stays excluded" 3 "$SHAKEDOWN" resume -w "$T/down_$kind"
  becomes "down_$kind" hpl-reference-1n-cn2 not-run

  # The operator excludes a node whose run goes on; another goes down below the run that was planned without it.
  : >"$T/slow"
  : >"$T/hold"
  "$SHAKEDOWN" run --config "$T/all.toml" -w "$T/hand_$kind" >"$T/hand_$kind.out" 2>&1 &
  orchestrator=$!
  for node in 1 2 3 4; do began "hand_$kind" hpl-reference-1n-cn$node; done
  kill -9 "$orchestrator"
  wait "$orchestrator" 2>/dev/null
  at=$(campaign "hand_$kind")
  cp "$at/journal.jsonl" "$T/before.jsonl"
  refused 'cn[1-' "--exclude: hostlist 'cn[1-'"
  refused cn7 "--exclude: cn7 is no node of "
  refused 'cn[1-4]' "--exclude: cn[1-4] would exclude every node"
  exits "a reason for nothing" 2 "$SHAKEDOWN" resume -w "$T/hand_$kind" --reason loud
  says "is refused" "needs --exclude HOSTLIST"
  check "nothing is changed" cmp -s "$at/journal.jsonl" "$T/before.jsonl"
  "$SHAKEDOWN" resume -w "$T/hand_$kind" --exclude cn2 --reason "a loud fan" >"$T/hand_$kind.out" 2>&1 &
  eval "pid_hand_$kind=$!"
  until_true 60 grep -q 'excluded cn2' "$T/hand_$kind.out"
  rm "$T/hold"
  began "hand_$kind" hpl-reference-3n
  kill -9 "$(cat "$T/slurmd-cn4.pid")"  # else it reports itself, and is back
  scontrol update nodename=cn4 state=down reason="no power"
  ended "hand_$kind" 3
  told "hand_$kind" "excluded cn2: it gets no more work. Running jobs there finish; their results count."
  told "hand_$kind" "cn2 was excluded at "
  told "hand_$kind" "by the operator ($(id -un) on $(hostname)): a loud fan"
  becomes "hand_$kind" hpl-reference-1n-cn2 finished
  told "hand_$kind" "cn4 gets no more work: was still down after "
  becomes "hand_$kind" hpl-reference-4n not-run
  becomes "hand_$kind" hpl-reference-3n not-run
  becomes "hand_$kind" hpl-reference-2n finished
  check "on the two that are left" on "hand_$kind" hpl-reference-2n 'cn[1,3]'
  rm "$T/slow"
}

down_and_excluded plain
sh "$virtual" stop "$T"
rm -rf "$T/state" "$T"/spool-* "$T"/slurm*.pid
nodes=4 cpus=1
slurm_with "$(for i in 1 2 3 4; do echo "cn$i CPUs=2 Sockets=1 CoresPerSocket=1 ThreadsPerCore=2 RealMemory=1000"; done)"
down_and_excluded smt
finish
