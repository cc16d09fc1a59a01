#!/bin/sh
# docs/start/slurm-gpu.md, word by word: every command on a Slurm of four virtual nodes, and the plan for H100 nodes.
. "$(dirname -- "$0")/../cli/check.sh"
guide="$PROJECT/docs/start/slurm-gpu.md"
for program in slurmctld slurmd salloc sbatch srun mpirun; do
  command -v "$program" >/dev/null || PATH=$PATH:/usr/sbin
  command -v "$program" >/dev/null || { echo "SKIPPED: no $program here (apt-get install slurm-wlm openmpi-bin)"; exit 77; }
done
for kernel in hpl hpcg; do
  [ -x "$LIBEXEC/$kernel" ] || { echo "SKIPPED: $LIBEXEC/$kernel was not built (MPI and BLAS)"; exit 77; }
done
printf 'ClusterName=none\nSlurmctldHost=localhost\nNodeName=none\n' >"$T/slurm.conf"
SLURM_CONF="$T/slurm.conf" srun --mpi=list 2>&1 | grep -q pmix || { echo "SKIPPED: this Slurm has no PMIx plugin"; exit 77; }

# fence LANGUAGE TEXT: the guide's block of this language whose lines hold TEXT, or all of them without TEXT.
fence() {
  awk -v language="$1" -v text="${2-}" '
    $0 == "```" && within { if (text == "" || index(block, text)) printf "%s", block; within = 0; next }
    $0 == "```" language { within = 1; block = ""; next }
    within { block = block $0 "\n" }' "$guide"
}

# The guide's program lies in ~/shakedown.
export HOME="$T/home"
mkdir -p "$HOME/shakedown/build" "$T/work" "$T/h100"
ln -s "$PROJECT/tests" "$HOME/shakedown/tests"
ln -s "$BUILD" "$HOME/shakedown/build/release"
trap 'SLURM_CONF="$T/work/virtual/slurm.conf" sh "$PROJECT/tests/slurm/virtual_slurm.sh" stop "$T/work/virtual"; rm -rf "$T"' EXIT
trap 'exit 130' INT TERM

# The H100 nodes: what SAKURAONE's are like, 16 of them.
cd "$T/h100" || exit 1
for fabric in InfiniBand RoCE; do
  sed "s/cn\[001-050\]/cn[01-08]/; s/cn\[051-100\]/cn[09-16]/; s/cn\[001-100\]/cn[01-16]/; s/^technology = .*/technology = \"$fabric\"/
    s/^system = .*/system = \"h100\"/" "$PROJECT/orchestrator/systems/sakuraone.toml" >cluster.toml
  exits "init for H100 nodes, $fabric" 0 sh -c "$(fence sh "shakedown init" | sed "s|^shakedown|$SHAKEDOWN|; s/\$SUITES/--force/")"
  says "marks what the inventory does not say" "lines to edit, marked EDIT: 9, 10, 11, 12, 13, 18, "
  check "the network is there" grep -q '^socket_interface = ' acceptance.toml
  exits "the plan for H100 nodes, $fabric" 0 "$SHAKEDOWN" plan --config acceptance.toml
  # The shown rows have all columns, with other blanks between them.
  grep '^hpl    nvidia' "$guide" | tr -s ' ' >shown
  check "the guide shows rows of it" [ -s shown ]
  tr -s ' ' <"$T/out" >printed
  check "as they are printed" sh -c 'while read -r row; do grep -qxF "$row" printed || { echo "$row"; exit 1; }; done <shown'
  check "with nothing to say about RoCE" sh -c "! grep -q 'joined by RoCE' '$T/out' '$T/err'"
  exits "the criteria of it, which is still to be edited," 3 "$SHAKEDOWN" criteria check acceptance.toml
done
fence toml "# cluster.toml, RoCE only" >fabric
check "the inventory's lines on RoCE" grep -q '^technology = "RoCE' fabric
{ grep '^schema\|^system' cluster.toml; cat fabric; sed -n '/^\[\[groups\]\]/,$p' cluster.toml; } >roce.toml
sed '/^\[site.fabric\]/,/^mtu/d; s/^system = .*/system = "roce.toml"/' acceptance.toml >without.toml
exits "a plan without RoCE's numbers" 0 "$SHAKEDOWN" plan --config without.toml
says "warns of it" "states no [site.fabric] gid_index"

# The commands, in their order.
cd "$T/work" || exit 1
fence sh | grep -v 'virtual_slurm.sh stop' >commands
echo set -eux | cat - commands >all
exits "every command" 0 timeout 450 sh all
[ "$failures" = 0 ] || sed 's/^/      | /' "$T/err"
says "the run is accepted" "verdict  accepted"
says "by all criteria" "hpcg-valid  "
says "and the campaign becomes the reference" "is the reference of virtual"
check "the dry run holds command lines" grep -q '/srun --nodes=4 ' dry-run.txt
check "nothing is left in the queue" [ -z "$(SLURM_CONF="$T/work/virtual/slurm.conf" squeue -h)" ]
finish
