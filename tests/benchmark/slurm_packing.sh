#!/bin/sh
# 10,000 cases of one node on a Slurm of virtual nodes: from the start of the campaign to its end, over the time that the
# cases themselves took on each node if none ever waited (the packing bound), and beside it over a batch script of the same
# steps: what one host can start for all nodes limits both.
#   tests/benchmark/slurm_packing.sh [PREFIX]     PREFIX: build/release; CASES=10000 SLURM_NODES=50 SECONDS_EACH=2
PROJECT=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
prefix=${1:-$PROJECT/build/release}
CASES=${CASES:-10000} SLURM_NODES=${SLURM_NODES:-50} SECONDS_EACH=${SECONDS_EACH:-2}
SHAKEDOWN=$prefix/bin/shakedown LIBEXEC=$prefix/libexec/shakedown BUILD=$prefix
export PROJECT SHAKEDOWN LIBEXEC BUILD
. "$PROJECT/tests/benchmark/table.sh"
. "$PROJECT/tests/benchmark/slurm_bare.sh"
. "$PROJECT/tests/slurm/campaigns.sh"
slurm_of "$SLURM_NODES"
awk -v n="$CASES" -v nodes="$SLURM_NODES" -v s="$SECONDS_EACH" 'BEGIN {
  printf "{\"schema\":\"shakedown.plan/1\",\"system\":\"virtual\",\"cases\":["
  for (i = 1; i <= n; i++) printf "%s{\"id\":\"case-%d\",\"nodes\":1,\"hosts\":\"cn1\",\"among\":\"cn[1-%d]\",\"time_limit_s\":60,\"argv\":[\"/bin/sleep\",\"%s\"]}", (i > 1 ? "," : ""), i, nodes, s
  print "]}" }' >"$T/many.json"
begin=$(now)
bare "$SLURM_NODES" $((CASES / SLURM_NODES)) "sleep $SECONDS_EACH"
without=$(($(now) - begin))
idle "$SLURM_NODES"
begin=$(now)
runs many --progress none >"$T/said" 2>&1 || [ $? = 3 ] || { cat "$T/said"; exit 1; }
whole=$(($(now) - begin))
[ "$("$SHAKEDOWN" status -w "$T/many" | grep -c '^  finished ')" = "$CASES" ] || { cat "$T/said"; exit 1; }
[ "$(sqlite3 "$T/many/results.sqlite" 'SELECT count(*) FROM attempt')" = "$CASES" ] || { echo "cases were repeated: the bound is not that of the plan" >&2; exit 1; }
bound=$(sqlite3 "$T/many/results.sqlite" "SELECT sum(wall_s) / $SLURM_NODES FROM attempt")
ratio=$(awk -v w=$whole -v b="$bound" 'BEGIN { print w / 1e9 / b }')
row "Slurm, $CASES cases of one node, $SECONDS_EACH s each, on $SLURM_NODES nodes" "$(awk -v w=$whole 'BEGIN { printf "%.0f", w / 1e9 }') s" \
  "the packing bound: $(digits %.0f "$bound") s" "$(digits %.3f "$ratio")" - "<= 1.05" "$ratio"
beside=$(awk -v w=$whole -v b=$without 'BEGIN { print w / b }')
row "Slurm, the same cases beside bare steps" "$(awk -v w=$whole 'BEGIN { printf "%.0f", w / 1e9 }') s" \
  "the same steps in a batch script: $(awk -v b=$without 'BEGIN { printf "%.0f", b / 1e9 }') s" "$(digits %.3f "$beside")" - "<= 1.05" "$beside"
