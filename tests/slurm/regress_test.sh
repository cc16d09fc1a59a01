#!/bin/sh
# Scheduled checks on a real Slurm: each node in its turn, jobs of others are left alone, and a cluster that is busy is
# skipped.
. "$(dirname -- "$0")/campaigns.sh"
. "$PROJECT/tests/cli/checks.sh"
slurm_of 4 1
cat >r.toml <<'C'
system = "inventory.toml"
[site]
launcher = "srun"
partition = "batch"
[budget]
minutes = 10
nodes = 2
[coverage]
days = 2
[alarm]
runs = 1
[[site.programs]]
implementation = "gemm/reference"
C
printf 'program = "%s/gemm"\n%s\n[[runs]]\nsuite = "gemm"\nimplementation = "reference"\neach_node = true\n' "$T" "$beside_anything" >>r.toml
regress_once() { "$SHAKEDOWN" regress --config r.toml -w w --progress none; }
in_workspace() { ls -d "$(ls -d "$1"/campaigns/* | tail -n 1)"/gemm-*-cn* | sed 's/.*-cn/cn/' | paste -sd ' '; }
nodes() { in_workspace w; }

exits "the first check" 0 regress_once
check "is on two nodes" [ "$(nodes)" = "cn1 cn2" ]
says "and says which it has not seen" "coverage: 2 of 4 nodes seen within 2 days; longest not seen: cn3"
exits "the second" 0 regress_once
check "is on the other two" [ "$(nodes)" = "cn3 cn4" ]
says "and has seen all" "coverage: 4 of 4 nodes seen within 2 days"

# A job of somebody else on cn1, which is the next one's turn.
sbatch -Q -w cn1 --wrap 'sleep 300' -o /dev/null
until_true 20 sh -c "squeue -h -t R -o %N | grep -q cn1" || fail "the job of somebody else runs"
exits "a check beside it" 0 regress_once
check "leaves its node out, and takes the one longest not seen of the others" sh -c "echo '$(nodes)' | grep -qx 'cn2 cn[34]'"
third=$(nodes)

sbatch -Q -w cn[2-4] -N 3 --wrap 'sleep 300' -o /dev/null
until_true 20 sh -c "[ \$(squeue -h -t R | wc -l) = 2 ]" || fail "both jobs of somebody else run"
before=$(submitted)
exits "a check of a busy cluster" 75 regress_once
says "is skipped and says why" "skipped  none of 4 nodes is idle (cn1: "
says "and is counted" "skipped: 1 check of this system so far, 1 since the last one made"
check "no job was submitted" [ "$(submitted)" = "$before" ]
scancel --state=RUNNING
until_true 30 sh -c "[ \$(sinfo -h -t idle -o %D | awk '{ n += \$1 } END { print n + 0 }') = 4 ]"
exits "a check after it" 0 regress_once
check "goes on with those longest not seen" sh -c "echo '$(nodes)' | grep -qx 'cn1 cn[34]' && [ '${third#* }' != '$(nodes | cut -d ' ' -f 2)' ]"
says "and tells of the skipped one" "skipped: 1 check of this system so far, 1 since the last one made"
exits "and one more" 0 regress_once
check "which counts it no longer" sh -c "grep -q 'so far, 0 since the last one made' '$T/out'"

# Nodes that jobs of this site can't get have no turn, and no part in the coverage.
scontrol create reservation ReservationName=maint users=daemon nodes=cn[1-2] starttime=now duration=60 flags=maint >/dev/null
exits "a check beside others' reservation" 0 "$SHAKEDOWN" regress --config r.toml -w reserved --progress none
check "is on the nodes that are left" [ "$(in_workspace reserved)" = "cn3 cn4" ]
scontrol delete ReservationName=maint
scontrol create reservation ReservationName=later users=daemon nodes=cn[1-2] starttime=now+5minutes duration=60 >/dev/null
exits "a check before a reservation that begins too soon" 0 "$SHAKEDOWN" regress --config r.toml -w later --progress none
check "leaves its nodes out" [ "$(in_workspace later)" = "cn3 cn4" ]
scontrol delete ReservationName=later
scontrol create reservation ReservationName=ours "users=$(id -un)" nodes=cn[3-4] starttime=now duration=60 >/dev/null
sed 's/^partition.*/&\nreservation = "ours"/' r.toml >ours.toml
exits "a check in the site's own reservation" 0 "$SHAKEDOWN" regress --config ours.toml -w ours --progress none
check "is on its nodes" [ "$(in_workspace ours)" = "cn3 cn4" ]
says "and has seen all of them" "coverage: 2 of 2 nodes seen within 2 days"
scontrol delete ReservationName=ours
scontrol create PartitionName=half Nodes=cn[3-4] State=UP MaxTime=INFINITE >/dev/null
sed 's/^partition.*/partition = "half"/' r.toml >half.toml
exits "a check in a partition of two nodes" 0 "$SHAKEDOWN" regress --config half.toml -w half --progress none
check "is on those" [ "$(in_workspace half)" = "cn3 cn4" ]
says "and its coverage is of them" "coverage: 2 of 2 nodes seen within 2 days"

# A check whose jobs never begin is no check: it ends with its budget. A closed partition takes jobs, which wait.
sed 's/^minutes.*/minutes = 0.1/' r.toml >short.toml
scontrol update PartitionName=batch State=DOWN
exits "a check that waits in the queue for longer than its budget" 75 timeout 200 "$SHAKEDOWN" regress --config short.toml -w waits --progress none
says "is skipped" "skipped  its jobs waited for 6.00 s, the check's budget, and did not begin"
check "and its jobs are gone" [ -z "$(squeue -h)" ]
scontrol update PartitionName=batch State=UP
exits "the next one" 0 "$SHAKEDOWN" regress --config r.toml -w waits --progress none
check "is a new one" [ "$(ls -d waits/campaigns/* | wc -l)" = 2 ]

# A check that was cut short, and whose nodes others have since.
echo 30 >takes
"$SHAKEDOWN" regress --config r.toml -w cut --progress none >/dev/null 2>&1 &
until_true 60 sh -c "ls cut/campaigns/*/gemm-*/attempt-1/started.json"
kill -9 $!
wait $! 2>/dev/null
rm takes
scancel --state=RUNNING
until_true 30 sh -c "[ \$(sinfo -h -t idle -o %D | awk '{ n += \$1 } END { print n + 0 }') = 4 ]"
sbatch -Q -w cn[1-2] -N 2 --wrap 'sleep 300' -o /dev/null
until_true 20 sh -c "squeue -h -t R -o %N | grep -q cn" || fail "the job of somebody else runs"
exits "the next check" 75 "$SHAKEDOWN" regress --config r.toml -w cut --progress none
check "waits for them" grep -q 'was interrupted and waits for its nodes: cn[12] is not idle' "$T/out" "$T/err"
exits "and gives it up when told to" 0 "$SHAKEDOWN" regress --config r.toml -w cut --progress none --abandon
says "which is said" "abandoned: check "
check "the new one is on other nodes" [ "$(in_workspace cut)" = "cn3 cn4" ]
scancel --state=RUNNING
until_true 30 sh -c "[ \$(sinfo -h -t idle -o %D | awk '{ n += \$1 } END { print n + 0 }') = 4 ]"

# A node whose runs fail has had its turn: it does not keep the others from theirs.
sed -i '2i [ "$SLURMD_NODENAME" != cn1 ] || exit 3' gemm
for _ in 1 2 3 4; do regress_once >/dev/null 2>&1; nodes >>turns; done
check "a node whose runs fail has its turn once in a round" [ "$(grep -c cn1 turns)" = 2 ]
regress_once >out 2>err
says "it is not seen by that" "longest not seen: cn1"
finish
