#!/bin/sh
# Launch scripts of GPU programs bind their ranks themselves, by numactl, to the cores beside their GPUs: on nodes with
# and without SMT each rank has its own cores, by what the kernel says of it, and the step has all CPUs of the node.
. "$(dirname -- "$0")/campaigns.sh"
. "$(dirname -- "$0")/launch_scripts.sh"

here=$(nproc)
[ "$here" -ge 2 ] && [ "$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/self/status)" = "0-$((here - 1))" ] ||
  { echo "SKIPPED: two ranks need two CPUs, this machine's first"; exit 77; }
half=$((here / 2)) cores=$((here / 2 * 2))
range() { [ "$1" = "$2" ] && echo "$1" || echo "$1-$2"; } # as the kernel writes it
launch_scripts "$T/bin" hpl hpl-mxp hpcg <<'RANK'
awk -v rank="$SLURMD_NODENAME rank $SLURM_LOCALID" -v step="$SLURM_CPUS_PER_TASK of $SLURM_CPUS_ON_NODE CPUs" -v gpus="${SLURM_JOB_GPUS:-no}" '
  /^Cpus_allowed_list/ { cpus = $2 }
  END { print rank ": bound to " cpus ", has " step ", job with " gpus " GPUs, GPU " ENVIRON["CUDA_VISIBLE_DEVICES"] ", memory " ENVIRON["MEMORY"] ", " ENVIRON["UCX_NET_DEVICES"] }
' /proc/self/status >>"$SEEN"
RANK
export SEEN="$T/seen" VIRTUAL_SLURM_MORE="TaskPlugin=task/affinity"

# The first GPU lies beside the second half of the cores. Linux numbers the cores first, then their second threads.
described() { # THREADS of a core, CPUs that Slurm counts for it
  cat <<TOML
system = "virtual"
[[groups]]
name = "nodes"
hosts = "cn[1-2]"
memory_gib = 2048
usable = { slurm_cpus_per_core = $2, slurm_gpus = 2 }
cpu = { model = "virtual", sockets = 2, cores = $cores, threads_per_core = $1, numa_nodes = 2 }
gpus = [{ count = 2, model = "NVIDIA H200", memory_gib = 139.8, numa_nodes = [1, 0] }]
nics = [{ name = "eth0", rdma_device = "mlx5_0", role = "compute", gpu = 1 }, { name = "eth1", rdma_device = "mlx5_1", role = "compute", gpu = 0 }]
TOML
}
{ printf 'system = "nodes.toml"\n[site]\nlauncher = "srun"\nmpi = "none"\nscheduler = "slurm"\ncontainer_runtime = "none"\n'
  for suite in hpl hpl-mxp hpcg; do
    printf '[[site.programs]]\nimplementation = "%s/nvidia"\nprogram = "%s/bin/%s.sh"\n' $suite "$T" $suite
    printf '[[runs]]\nsuite = "%s"\nimplementation = "nvidia"\nnodes = [2]\n' $suite
  done; } >"$T/config.toml"

binds() { # KIND THREADS COUNTED SUITE...
  kind=$1 threads=$2 counted=$3
  shift 3
  cpus=$((cores * counted)) nodes=2
  slurm_with "$(for i in 1 2; do echo "cn$i CPUs=$cpus Sockets=2 CoresPerSocket=$half ThreadsPerCore=$threads RealMemory=2000 Gres=gpu:h200:2"; done)"
  described "$threads" "$counted" >"$T/nodes.toml"
  for node in cn1 cn2; do
    echo "$node rank 0: bound to $(range $half $((cores - 1))), has $((cpus / 2)) of $cpus CPUs, job with $gpus GPUs, GPU 0, memory 1, mlx5_1:1"
    echo "$node rank 1: bound to $(range 0 $((half - 1))), has $((cpus / 2)) of $cpus CPUs, job with $gpus GPUs, GPU 1, memory 0, mlx5_0:1"
  done >"$T/want"
  for suite; do
    : >"$T/seen"
    planned=$suite-$threads-$counted-$#
    exits "$suite $kind" 0 "$SHAKEDOWN" plan --config "$T/config.toml" --suite $suite -o "$T/$planned.json"
    # As another implementation, of which no requirements are known: this machine has no drivers.
    sed -i 's/"implementation": "nvidia"/"implementation": "stand-in"/' "$T/$planned.json"
    runs $planned --progress none >"$T/out" 2>"$T/err"
    sort "$T/seen" >"$T/got"
    check "each rank has the cores beside its GPU" diff "$T/want" "$T/got"
    [ "$failures" = 0 ] || sed 's/^/      | /' "$T/out" "$T/err"
  done
  sh "$virtual" stop "$T"
}
gpus=0,1
binds "without SMT" 1 1 hpl hpl-mxp hpcg
binds "with SMT, Slurm counts hardware threads" 2 2 hpl hpl-mxp hpcg
binds "with SMT, Slurm counts cores" 2 1 hpl hpl-mxp hpcg
# This Slurm takes jobs that ask for GPUs, and refuses their steps: the nodes are ours whole.
VIRTUAL_SLURM_MORE="TaskPlugin=task/affinity
SelectType=select/linear
SelectTypeParameters=CR_Memory"
gpus=no
binds "on select/linear" 2 2 hpl
finish
