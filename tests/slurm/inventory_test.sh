#!/bin/sh
# `inventory discover --slurm` against a real Slurm of virtual nodes.
. "$(dirname -- "$0")/../cli/check.sh"
for program in slurmctld slurmd scontrol sinfo mpirun; do
  command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin
  command -v "$program" >/dev/null || { echo "SKIPPED: no $program here (apt-get install slurm-wlm openmpi-bin)"; exit 77; }
done
virtual="$PROJECT/tests/slurm/virtual_slurm.sh"
export SLURM_CONF="$T/slurm.conf"
trap 'sh "$virtual" stop "$T"; rm -rf "$T"' EXIT
sh "$virtual" start "$T" "cn1 Sockets=2 CoresPerSocket=4 RealMemory=1000 Gres=gpu:h100:8
cn2 Sockets=2 CoresPerSocket=4 RealMemory=1000 Gres=gpu:h100:7
cn3 Sockets=2 CoresPerSocket=4 RealMemory=1000 Gres=gpu:h100:8
cn4 Sockets=2 CoresPerSocket=4 RealMemory=1000 Gres=gpu:h100:8" || { cat "$T"/log/*; echo "FAIL  Slurm starts"; exit 1; }
scontrol update nodename=cn4 state=drain reason="bad fan"

# No node can be reached: what Slurm says is all there is.
export OMPI_MCA_plm_rsh_agent=false
exits "nodes that don't answer" 4 "$SHAKEDOWN" inventory discover --slurm -o "$T/slurm.toml"
says "hints at an allocation" "hint: no node answered: run it inside an allocation: salloc -N 3 --exclusive shakedown inventory discover --slurm -o $T/slurm.toml"
check "Slurm's cluster" grep -q '^system = "virtual"$' "$T/slurm.toml"
check "says so" grep -q "no node answered: values are from Slurm's configuration" "$T/slurm.toml"
check "equal nodes are one group" grep -q '^hosts = "cn\[1,3\]"$' "$T/slurm.toml"
check "the odd one is another" grep -q '^hosts = "cn2"$' "$T/slurm.toml"
says "and is named" "cn2: 7 GPUs where 2 nodes have 8"
check "the drained one is left out with its reason" grep -q "cn4: excluded, Slurm gives them no jobs (IDLE+DRAIN, 'bad fan')" "$T/slurm.toml"
exits "plan by them" 0 "$SHAKEDOWN" plan --inventory "$T/slurm.toml" --suite gemm --implementation reference
says "warns" "no node answered when this inventory was made"
exits "init by them" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory "$T/slurm.toml" -o "$T/acceptance.toml"
says "warns, too" "warning: no node answered when this inventory was made"

# The nodes are this host; an agent starts the "remote" daemon here.
printf '#!/bin/sh\nwhile [ "${1#-}" != "$1" ]; do shift; done\nshift\nexec sh -c "$*"\n' >"$T/agent"
chmod +x "$T/agent"
export OMPI_MCA_plm_rsh_agent="$T/agent"
exits "a partition's nodes" 0 "$SHAKEDOWN" inventory discover --slurm batch --json
says "are merged" '"hosts": "cn[1-3]"'
says "held against Slurm's view" "Slurm's partition batch has 8"
exits "an unknown partition" 2 "$SHAKEDOWN" inventory discover --slurm bacth
says "did you mean" "no partition 'bacth' (did you mean 'batch'?)"
sh "$virtual" stop "$T"
sed -i 's/^SlurmctldPort=.*/SlurmctldPort=1/' "$T/slurm.conf"  # another test's may have got its port
exits "a Slurm that doesn't answer" 4 timeout 120 "$SHAKEDOWN" inventory discover --slurm
says "is said to be Slurm" "scontrol: "
finish
