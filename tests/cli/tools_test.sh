#!/bin/sh
# Tools of others as screens of one's own: they stand in [[runs]] and in stages, fio runs for real where it is installed,
# and so do the OSU micro-benchmarks.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
exits "a plan without names" 0 "$SHAKEDOWN" plan
for tool in nccl osu fio nvbandwidth gpu-burn dcgm; do
  check "has no $tool" sh -c "! grep -q '^ *$tool' out"
done
exits "the list" 0 "$SHAKEDOWN" list
says "has the tools as screens" "screen          nccl"
says "with their implementations" "implementation  nccl/nvidia-all_reduce"
says "and how far they were ever run" "implementation  dcgm/nvidia                    dcgmi diag (NVIDIA DCGM) *"
exits "a tool for GPUs on a node without" 2 "$SHAKEDOWN" plan --suite dcgm
says "is refused with the reason" "no implementation of DCGM diagnostics is installed here; there are: nvidia"

# A site's stages: each node alone, then the fabric.
cat >stages.toml <<C
title = "Node and fabric screens"
system = "sakuraone"
[site]
launcher = "srun"
mpi = "pmix"
[[runs]]
suite = "dcgm"
each_node = true
stage = 1
[[runs]]
suite = "gpu-burn"
each_node = true
minutes = 10
stage = 1
[runs.pins]
compare = "/opt/gpu-burn/compare.fatbin"
[[runs]]
suite = "nvbandwidth"
each_node = true
stage = 1
[[runs]]
suite = "fio"
benchmark = "seq_write"
each_node = true
stage = 1
[runs.pins]
directory = "/scratch"
[[runs]]
suite = "nccl"
each_node = true
benchmark = "all_reduce"
stage = 1
[[runs]]
suite = "osu"
benchmark = "bw"
nodes = [2]
stage = 2
[[runs]]
suite = "osu"
benchmark = "mbw_mr"
nodes = [98]
stage = 2
[[runs]]
suite = "nccl"
nodes = [2, 98]
stage = 2
[[criteria]]
id = "diag"
title = "NVIDIA's diagnostics pass on each node"
suite = "dcgm"
metric = "validity"
severity = "mandatory"
each_node = true
nodes_required = 98
limit_source = "DCGM's own thresholds"
[[criteria]]
id = "allreduce"
title = "AllReduce among all nodes has half of the links' rate"
suite = "nccl"
benchmark = "all_reduce"
metric = "busbw_at_max_bytes_gb_s"
direction = ">="
limit = 200
limit_source = "half of 8 x 400 Gbit/s"
aggregation = "every"
nodes = 98
severity = "mandatory"
C
exits "a site's stages" 0 "$SHAKEDOWN" plan --config stages.toml --json
for id in dcgm-nvidia-1n gpu-burn-official-1n nvbandwidth-nvidia-1n fio-official-seq_write-1n nccl-nvidia-all_reduce-1n \
  osu-official-bw-2n osu-official-mbw_mr-98n nccl-nvidia-alltoall-98n nccl-nvidia-sendrecv-2n; do
  says "have $id" "\"id\": \"$id"
done
exits "their criteria" 0 "$SHAKEDOWN" criteria check stages.toml
says "can be decided" "the campaign can decide every criterion"
exits "their jobs" 0 "$SHAKEDOWN" run --config stages.toml --dry-run -w w
says "start NVIDIA's diagnostics once on a node" "--ntasks-per-node=1"
says "at level 3" "dcgmi diag -r 3 -j"
says "and the collectives on all GPUs" "--ntasks=784"

command -v fio >/dev/null || { echo "no fio here: not run"; finish; }
cat >fio.toml <<C
title = "Disk"
[[runs]]
suite = "fio"
minutes = 0.03
[runs.pins]
directory = "$T"
size_mib = 16
jobs = 2
[[criteria]]
id = "disk"
title = "Random reads are more than none"
suite = "fio"
benchmark = "rand_read"
metric = "read_iops"
direction = ">="
limit = 1
limit_source = "none"
aggregation = "every"
severity = "mandatory"
C
exits "fio's four jobs, run" 0 "$SHAKEDOWN" run --here --config fio.toml -w disk --progress none
says "with a verdict" "verdict  accepted"
at=$(echo disk/campaigns/*)
check "valid results" sh -c "grep -o '\"validity\": *\"valid\"' $at/results.json | wc -l | grep -qx '[4-9]'"
check "of the jobs that were asked for" grep -q '"numjobs": *2' "$at/results.json"
check "and no file left behind" sh -c '! ls "$0"/*.0.0 2>/dev/null | grep -q .' "$T"

command -v osu_bw >/dev/null || { echo "no OSU micro-benchmarks here: not run"; finish; }
cat >osu.toml <<C
title = "MPI"
[[runs]]
suite = "osu"
[runs.pins]
iterations = 1
[[criteria]]
id = "mpi"
title = "MPI's data come back as they were sent"
suite = "osu"
metric = "validity"
severity = "mandatory"
limit_source = "the programs' own validation"
C
export OMPI_MCA_mpi_yield_when_idle=1 # beside other tests
exits "OSU's tests, run" 0 "$SHAKEDOWN" run --here --config osu.toml -w mpi --progress none
at=$(echo mpi/campaigns/*)
check "all of them valid" sh -c "grep -o '\"validity\": *\"valid\"' $at/results.json | wc -l | grep -qx '[6-9]'"
finish
