#!/bin/sh
# All five suites on four virtual nodes, with the reference kernels, through sbatch and srun.
. "$(dirname -- "$0")/campaigns.sh"
for kernel in hpl hpcg hpl-mxp io500 mlperf; do
  [ -x "$LIBEXEC/$kernel" ] || { echo "SKIPPED: $LIBEXEC/$kernel was not built (MPI and BLAS)"; exit 77; }
done
slurm_of 4 1
srun --mpi=list 2>&1 | grep -q pmix || { echo "SKIPPED: this Slurm has no PMIx plugin"; exit 77; }
mkdir "$T/io500"
cat >"$T/acceptance.toml" <<TOML
title = "Four virtual nodes"
system = "inventory.toml"

[site]
launcher = "srun"
mpi = "pmix"
scheduler = "slurm"
partition = "batch"

# The nodes share this host: ranks must not take each other's shared memory for their own node's.
[site.environment]
OMPI_MCA_btl = "self,tcp"
OMPI_MCA_osc = "^ucx"
PMIX_MCA_gds = "hash"
OMP_NUM_THREADS = 1
OPENBLAS_NUM_THREADS = 1

[site.io500]
datadir = "$T/io500/data"
resultdir = "$T/io500/results"

[[runs]]
suite = "gemm"
implementation = "reference"
each_node = true

[[runs]]
suite = "hpl"
implementation = "reference"
each_node = true
stage = 1
minutes = 0.02

[[runs]]
suite = "hpl"
implementation = "reference"
stage = 2
repetitions = 2
minutes = 0.05

[[runs]]
suite = "hpcg"
implementation = "reference"
stage = 2
minutes = 0.1
TOML
for suite in hpl-mxp io500 mlperf; do
  printf '\n[[runs]]\nsuite = "%s"\nimplementation = "reference"\nstage = 2\nminutes = 0.05\n' $suite >>"$T/acceptance.toml"
done
echo 'benchmark = "shakedown_pretrain"' >>"$T/acceptance.toml"
for suite in hpl hpcg hpl-mxp mlperf; do
  printf '\n[[criteria]]\nid = "%s-valid"\ntitle = "valid"\nsuite = "%s"\nmetric = "validity"\nseverity = "mandatory"\nlimit_source = "its own check"\n' $suite $suite >>"$T/acceptance.toml"
done
exits "the campaign" 0 "$SHAKEDOWN" run --config "$T/acceptance.toml" -w "$T/w"
check "is accepted" grep -q '^verdict  accepted\(:.*\)\{0,1\}$' "$T/out"
grep '^verdict' "$T/out"
"$SHAKEDOWN" status -w "$T/w" >"$T/status"
check "all cases but one are finished" [ "$(grep -c '^  finished ' "$T/status")" = 13 ]
check "IO500 of a second is invalid" grep -q '^  invalid  *io500-reference-4n ' "$T/status"
check "and there are no others" [ "$(grep -c '^  ' "$T/status")" = 14 ]
at=$(ls -d "$T"/w/campaigns/*/)
for i in 1 2 3 4; do
  check "cn$i measured itself" grep -q "\"hosts\":\"cn$i\"" "$at/hpl-reference-1n-cn$i/attempt-1/place.json"
done
check "four ranks on four nodes" grep -q 'hosts":"cn\[1-4\]"' "$at/hpl-reference-4n/attempt-1/place.json"
ended_last() { sed -n 's/.*"finished_s":\([0-9.]*\).*/\1/p' "$1"/attempt-1/finished.json; }
started_first() { sed -n 's/.*"started_s":\([0-9.]*\).*/\1/p' "$1"/attempt-1/started.json; }
for i in 1 2 3 4; do
  check "the next stage waited for cn$i" [ "$(printf '%s\n' "$(ended_last "$at/hpl-reference-1n-cn$i")" "$(started_first "$at/hpcg-reference-4n")" | sort -n | head -n 1)" = "$(ended_last "$at/hpl-reference-1n-cn$i")" ]
done
check "nothing was left in IO500's folder" [ -z "$(find "$T/io500/data" -type f 2>/dev/null | head -n 1)" ]
finish
