#!/bin/sh
# Nodes with two hardware threads a core: a rank has all CPUs of its cores, whether Slurm counts hardware threads or
# cores. What each step gets is what Slurm says inside it; on this machine's own cores it is what the kernel says.
export VIRTUAL_SLURM_MORE="TaskPlugin=task/affinity"
. "$(dirname -- "$0")/campaigns.sh"
[ -x "$LIBEXEC/hpl" ] || { echo "SKIPPED: $LIBEXEC/hpl was not built (MPI and BLAS)"; exit 77; }
nodes=3 cpus=8
# 16 CPUs of 8 cores, 8 CPUs of 8 cores, and the real cores that this machine has.
real=$(nproc)
slurm_with "cn1 CPUs=16 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=2000
cn2 CPUs=8 Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=2000
cn3 CPUs=$real Sockets=1 CoresPerSocket=$real ThreadsPerCore=1 RealMemory=2000"
exits "the nodes as Slurm counts them" 0 "$SHAKEDOWN" inventory discover --slurm -o "$T/cluster.toml"
check "hardware threads" grep -q '^slurm_cpus_per_core = 2' "$T/cluster.toml"
check "or cores" grep -q '^slurm_cpus_per_core = 1' "$T/cluster.toml"
# In place of the program: each rank writes what it has.
cat >"$T/hpl" <<SH
#!/bin/sh
echo "\$SLURMD_NODENAME \$SLURM_NTASKS ranks, \$SLURM_CPUS_ON_NODE CPUs, affinity \$(awk '/^Cpus_allowed_list/ { print \$2 }' /proc/self/status)" >>"$T/seen"
exit 1
SH
chmod +x "$T/hpl"
cat >"$T/smt.toml" <<TOML
system = "cluster.toml"
[site]
launcher = "srun"
mpi = "none"
scheduler = "slurm"
[[site.programs]]
implementation = "hpl/reference"
program = "$T/hpl"
[[runs]]
suite = "hpl"
implementation = "reference"
each_node = true
minutes = 0.02
TOML
"$SHAKEDOWN" run --config "$T/smt.toml" -w "$T/smt" --progress none >"$T/out" 2>"$T/err"
check "every rank began" [ "$(wc -l <"$T/seen")" = "$((8 + 8 + real))" ]
check "16 CPUs, hardware threads, for 8 ranks" [ "$(grep -c '^cn1 8 ranks, 16 CPUs' "$T/seen")" = 8 ]
check "8 CPUs, cores, for 8 ranks" [ "$(grep -c '^cn2 8 ranks, 8 CPUs' "$T/seen")" = 8 ]
check "each rank a core of this machine" [ "$(grep '^cn3' "$T/seen" | sort -u | wc -l)" = "$real" ]
[ "$failures" = 0 ] || sed 's/^/      | /' "$T/seen" "$T/out" "$T/err" "$T/cluster.toml"
finish
