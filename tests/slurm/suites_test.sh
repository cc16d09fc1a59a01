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
exits "dry run" 0 "$SHAKEDOWN" run --config "$T/acceptance.toml" --dry-run
cat "$T/out" | head -80
exits "the campaign" 3 "$SHAKEDOWN" run --config "$T/acceptance.toml" -w "$T/w"
cat "$T/err"
finish
