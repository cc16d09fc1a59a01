#!/bin/sh
# Campaigns on a real Slurm of virtual nodes: every case runs exactly once, where it shall, whatever ends early.
. "$(dirname -- "$0")/../cli/check.sh"
for program in slurmctld slurmd scontrol sbatch squeue sdiag; do
  command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin
  command -v "$program" >/dev/null || { echo "SKIPPED: no $program here (apt-get install slurm-wlm)"; exit 77; }
done
virtual="$PROJECT/tests/slurm/virtual_slurm.sh"
export SLURM_CONF="$T/slurm.conf"
trap 'sh "$virtual" stop "$T"; rm -rf "$T"' EXIT
nodes=20
lines=$(for i in $(seq $nodes); do printf 'cn%d CPUs=2 RealMemory=1000\n' "$i"; done)
sh "$virtual" start "$T" "$lines" || { cat "$T"/log/*; echo "FAIL  Slurm starts"; exit 1; }
cat >"$T/inventory.toml" <<TOML
system = "virtual"
[[groups]]
name = "nodes"
hosts = "cn[1-$nodes]"
[groups.cpu]
model = "virtual"
sockets = 1
cores = 2
TOML

# case_of ID HOSTS WORDS: a case bound to its hosts.
case_of() {
  printf '{"id":"%s","nodes":1,"hosts":"%s","placement":"bound","time_limit_s":%s,"argv":["/bin/sh","-c","%s"]}' "$1" "$2" "$3" "$4"
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
campaign() { ls -d "$1"/campaigns/*/ | head -n 1; }

# One case for each node, and a second for each: both run there, once each.
set --
for i in $(seq $nodes); do
  for k in 1 2; do set -- "$@" "$(case_of "one-$i-$k" "cn$i" 60 'echo $SLURMD_NODENAME; echo x >>../runs')"; done
done
plan "$T/each.json" "$@"
before=$(sdiag | sed -n 's/^Jobs submitted: //p')
exits "cases of all nodes" 3 "$SHAKEDOWN" run --plan "$T/each.json" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/each" --here
after=$(sdiag | sed -n 's/^Jobs submitted: //p')
at=$(campaign "$T/each")
wrong=0
for i in $(seq $nodes); do
  for k in 1 2; do
    [ "$(cat "$at/one-$i-$k/attempt-1/stdout.log")" = "cn$i" ] || wrong=$((wrong + 1))
    [ "$(cat "$at/one-$i-$k/runs")" = x ] || wrong=$((wrong + 1))
    [ ! -e "$at/one-$i-$k/attempt-2" ] || wrong=$((wrong + 1))
  done
done
check "each ran once, on its node" [ "$wrong" = 0 ]
check "in one job" [ $((after - before)) -le 2 ]
sh "$virtual" stop "$T"
finish
