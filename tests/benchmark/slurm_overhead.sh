#!/bin/sh
# What a campaign adds on Slurm: 100 cases of one node through `shakedown run`, and the same 100 steps in a bare sbatch script,
# by turns on one Slurm of virtual nodes. Both times are from the submission to the end as seen by the one who waits.
#   tests/benchmark/slurm_overhead.sh [PREFIX] [NODES]     PREFIX: build/release, NODES: 10 by default; PAIRS: 5
PROJECT=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
prefix=${1:-$PROJECT/build/release}
nodes=${2:-10}
SHAKEDOWN=$prefix/bin/shakedown LIBEXEC=$prefix/libexec/shakedown BUILD=$prefix
export PROJECT SHAKEDOWN LIBEXEC BUILD
. "$PROJECT/tests/slurm/campaigns.sh"
slurm_of "$nodes"
. "$PROJECT/tests/benchmark/table.sh"
. "$PROJECT/tests/benchmark/slurm_bare.sh"

machine_line
echo "$(sinfo -V), $nodes virtual nodes"
for trivial in true 'sleep 1'; do
  set --
  for i in $(seq 100); do
    set -- "$@" "$(case_of "case-$i" 1 cn1 "$trivial" "\"among\":\"cn[1-$nodes]\",\"time_limit_s\":60")"
  done
  plan "$T/many.json" "$@"
  for file in bare whole ratio cost; do : >"$T/$file"; done
  for _ in $(seq "${PAIRS:-5}"); do
    idle "$nodes"
    begin=$(now)
    bare "$nodes" $((100 / nodes)) "$trivial"
    b=$(($(now) - begin))
    idle "$nodes"
    begin=$(now)
    runs many >"$T/said" 2>&1 || [ $? = 3 ] || { cat "$T/said"; exit 1; }
    w=$(($(now) - begin))
    [ "$("$SHAKEDOWN" status -w "$T/many" | grep -c '^  finished ')" = 100 ] || { cat "$T/said"; exit 1; }
    rm -rf "$T/many"
    awk -v v=$b 'BEGIN { print v / 1e9 }' >>"$T/bare"
    awk -v v=$w 'BEGIN { print v / 1e9 }' >>"$T/whole"
    awk -v w=$w -v b=$b 'BEGIN { print w / b }' >>"$T/ratio"
    awk -v w=$w -v b=$b -v n="$((100 / nodes))" 'BEGIN { print (w - b) / n / 1e6 }' >>"$T/cost"
  done
  row "Slurm, 100 cases of \`$trivial\` on $nodes nodes" "$(digits %.2f "$(median <"$T/whole")") s" "the same steps in a batch script: $(digits %.2f "$(median <"$T/bare")") s" \
    "$(digits %.3f "$(median <"$T/ratio")")" "$(range %.3f <"$T/ratio")" "<= 1.1" "$(median <"$T/ratio")"
  row "Slurm, cost of a case in its lane, \`$trivial\`" "$(digits %.1f "$(median <"$T/cost")") ms" "the same" - "$(range %.1f <"$T/cost")" "<= 5" "$(median <"$T/cost")"
done
