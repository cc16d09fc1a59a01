#!/bin/sh
# From an accepted campaign of four nodes over a change on one of them to a part of the reference: what `change` proposes
# is planned and run on the node that changed, whatever kind it is now, and not on a login node that was never measured.
. "$(dirname -- "$0")/campaigns.sh"
cd "$T" || exit 1
slurm_of 4 1
cat >>inventory.toml <<'I'
[[groups]]
name = "login"
memory_bytes = 524288000
hosts = "login[1-2]"
[groups.cpu]
model = "virtual"
sockets = 1
cores = 4
I
[ -x "$LIBEXEC/hpl" ] || { echo "SKIPPED: $LIBEXEC/hpl was not built (MPI and BLAS)"; exit 77; }
srun --mpi=list 2>&1 | grep -q pmix || { echo "SKIPPED: this Slurm has no PMIx plugin"; exit 77; }
mkdir site
mv inventory.toml site/cluster.toml
cat >site/acceptance.toml <<C
title = "Delivery"
system = "cluster.toml"
[site]
launcher = "srun"
mpi = "pmix"
partition = "batch"
# The nodes share this host: ranks must not take each other's shared memory for their own node's.
[site.environment]
OMPI_MCA_btl = "self,tcp"
OMPI_MCA_osc = "^ucx"
PMIX_MCA_gds = "hash"
OMP_NUM_THREADS = 1
OPENBLAS_NUM_THREADS = 1
[[runs]]
suite = "hpl"
implementation = "reference"
each_node = true
stage = 1
[runs.pins]
N = 1000
NB = 128
[[runs]]
suite = "hpl"
implementation = "reference"
nodes = [2]
stage = 2
[runs.pins]
N = 2000
[[criteria]]
id = "node-rate"
title = "HPL is fast on each node"
suite = "hpl"
metric = "validity"
severity = "mandatory"
limit_source = "contract 4.1"
C
change() { "$SHAKEDOWN" change "$@" -w w; }
exits "the delivery" 0 "$SHAKEDOWN" run --config site/acceptance.toml --scheduler slurm -w w --progress none
first=$(ls w/campaigns)
exits "is accepted" 0 "$SHAKEDOWN" accept "$first" --by "A. Buyer" --why delivery -w w
exits "nothing changed" 0 change
says "by the system file beside its configuration, from any folder" "nothing changed on virtual since $first, accepted by A. Buyer"
says "which is named" "site/cluster.toml"

exits "a GPU, say, was replaced" 0 change --node cn3 --event replaced --by ops --note "GPU 3"
exits "the proposal" 0 change -o change.toml
says "is the node's own run" "hpl reference on cn3, each node by itself"
says "and one on several nodes with it" "hpl reference on cn[1,3], 2 nodes"
says "and how it goes on, in this workspace" "run --config change.toml"
check "of the reference's sizes" sh -c "grep -q 'N = 1000' change.toml && grep -q 'N = 2000' change.toml"
exits "the proposed campaign" 0 "$SHAKEDOWN" run --config change.toml --scheduler slurm -w w --progress none
second=$(ls -t w/campaigns | head -n 1)
check "ran on the node alone and with another" [ "$(ls -d w/campaigns/"$second"/hpl-*/ | wc -l)" = 2 ]
check "which is in the store" [ "$(sqlite3 w/results.sqlite "SELECT group_concat(hosts, ' ') FROM (SELECT a.hosts FROM attempt a JOIN planned_case p ON p.id = case_id WHERE campaign = '$second' ORDER BY a.hosts)")" = "cn3 cn[1,3]" ]
exits "is a part of the reference" 0 "$SHAKEDOWN" accept "$second" --part --by "A. Buyer" --why "GPU 3 of cn3" -w w
exits "after which nothing changed" 0 change
says "since that" "nothing changed on virtual since $second"

# Today cn3 has less memory: another kind, which is planned for what it is.
sed 's/hosts = "cn\[1-4\]"/hosts = "cn[1-2,4]"/' site/cluster.toml >site/today.toml
cat >>site/today.toml <<'I'
[[groups]]
name = "less"
memory_bytes = 943718400
hosts = "cn3"
[groups.cpu]
model = "virtual"
sockets = 1
cores = 1
I
exits "less memory" 0 change --inventory site/today.toml -o less.toml
says "is a change of that node" "cn3: memory:"
says "that is covered on it" "hpl reference on cn3, each node by itself"
says "at a size for what it is now" "its size is planned again"
exits "which can be planned" 0 "$SHAKEDOWN" plan --config less.toml
sed 's/hosts = "cn3"/&\n/; /hosts = "cn3"/,$ s/cores = 1/cores = 2/' site/today.toml >site/cores.toml
exits "another processor" 0 change --inventory site/cores.toml
says "is covered on the node" "hpl reference on cn3, each node by itself"
says "and can't be in one run with the others, which is said" "one run can't hold them"
finish
