#!/bin/sh
# Nodes with two hardware threads a core: a rank has all CPUs of its cores, whether Slurm counts hardware threads or
# cores. What a step has is what Slurm says inside it; where ranks are bound, it is what the kernel says.
. "$(dirname -- "$0")/campaigns.sh"
[ -x "$LIBEXEC/hpl" ] || { echo "SKIPPED: $LIBEXEC/hpl was not built (MPI and BLAS)"; exit 77; }
# In place of the program: each rank writes what it has.
cat >"$T/hpl" <<SH
#!/bin/sh
echo "\$SLURMD_NODENAME \$SLURM_NTASKS ranks, \$SLURM_CPUS_ON_NODE CPUs, affinity \$(awk '/^Cpus_allowed_list/ { print \$2 }' /proc/self/status)" >>"$T/seen"
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
measure() { # NODES: what the ranks on them have, by a campaign of its own
  rm -f "$T/cluster.toml"; : >"$T/seen"
  exits "$1 as Slurm counts them" 4 "$SHAKEDOWN" inventory discover --slurm -o "$T/cluster.toml"
  "$SHAKEDOWN" run --config "$T/smt.toml" -w "$T/$1" --progress none >"$T/out" 2>"$T/err"
}

for counted in 16 8; do
  nodes=1 cpus=8
  slurm_with "cn1 CPUs=$counted Sockets=2 CoresPerSocket=4 ThreadsPerCore=2 RealMemory=2000"
  measure "of-$counted"
  check "a core is $((counted / 8)) of $counted CPUs" grep -q "^slurm_cpus_per_core = $((counted / 8))" "$T/cluster.toml"
  check "all $counted CPUs for 8 ranks" [ "$(grep -c "^cn1 8 ranks, $counted CPUs" "$T/seen")" = 8 ]
  [ "$failures" = 0 ] || sed 's/^/      | /' "$T/seen" "$T/out" "$T/err" "$T/cluster.toml"
  sh "$virtual" stop "$T"
done

# This machine's own cores, to which ranks are bound.
export VIRTUAL_SLURM_MORE="TaskPlugin=task/affinity"
nodes=1 cpus=$(nproc)
slurm_with "cn1 CPUs=$cpus Sockets=1 CoresPerSocket=$cpus ThreadsPerCore=1 RealMemory=2000"
measure real
check "every rank a core of its own" [ "$(grep -c "^cn1 $cpus ranks" "$T/seen")" = "$cpus" -a "$(sort -u "$T/seen" | wc -l)" = "$cpus" ]
[ "$failures" = 0 ] || sed 's/^/      | /' "$T/seen" "$T/out" "$T/err" "$T/cluster.toml"

# The same CPUs as the threads of half as many cores: Slurm hands out cores of two, be they threads of this machine or
# not, so each rank's affinity must hold two CPUs, and no two ranks share one.
cores=$((cpus / 2))
if [ "$cores" -gt 0 ]; then
  sh "$virtual" stop "$T"
  cpus=$((2 * cores))
  slurm_with "cn1 CPUs=$cpus Sockets=1 CoresPerSocket=$cores ThreadsPerCore=2 RealMemory=2000"
  measure threads
  pairs() { # the CPUs of each rank's affinity, a line each: "0-1" is "0 1"
    sed 's/.*affinity //; s/,/ /g' "$T/seen" | while read -r list; do
      for part in $list; do seq -s ' ' "${part%-*}" "${part#*-}"; done | paste -sd ' '
    done
  }
  check "every rank of the SMT node is bound" [ "$(grep -c "^cn1 $cores ranks" "$T/seen")" = "$cores" ]
  check "to the two CPUs of its core" [ "$(pairs | awk 'NF == 2' | wc -l)" = "$cores" ]
  check "that no other rank has" [ "$(pairs | tr ' ' '\n' | sort -u | wc -l)" = "$cpus" ]
  [ "$failures" = 0 ] || sed 's/^/      | /' "$T/seen" "$T/out" "$T/err" "$T/cluster.toml"
else
  echo "SKIPPED: one CPU here can't be a core of two threads"
fi
finish
