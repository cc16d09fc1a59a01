#!/bin/sh
# `init` writes a configuration that `plan` and `run` take as it is, and that `criteria check` calls a draft until it is edited, for one machine and for clusters.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1

# accepted NAME FILE [SUITES]: plan and criteria check take the configuration; $T/plan.json is the plan.
accepted() {
  exits "$1: plan" 0 "$SHAKEDOWN" plan --config "$2" -o plan.json
  exits "$1: criteria check" "$(grep -q '# EDIT: ' "$2" && echo 3 || echo 0)" "$SHAKEDOWN" criteria check "$2"
  says "$1: the campaign decides every criterion" "the campaign can decide every"
  for suite in ${3:-hpl hpcg hpl-mxp io500 mlperf}; do
    check "$1: $suite is planned" grep -q "\"suite\": \"$suite\"" plan.json
    check "$1: $suite is judged" sh -c "sed -n '/^\[\[criteria/,\$p' '$2' | grep -q '^suite = \"$suite\"'"
  done
}

# 16 nodes like SAKURAONE's, discovered in a partition.
sed "s/cn\[001-050\]/cn[01-08]/; s/cn\[051-100\]/cn[09-16]/; s/cn\[001-100\]/cn[01-16]/; s/^system = .*/system = \"mine\"/
  s/^source = \"SAKURAONE.*/source = \"discovered on 16 nodes of Slurm's partition batch\"/" \
  "$PROJECT/orchestrator/systems/sakuraone.toml" >cluster.toml
exits "init for 16 H100 nodes" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory cluster.toml -o acceptance.toml
marked=$(grep -c '# EDIT: ' acceptance.toml)
says "counts what is to be edited" "wrote acceptance.toml: $marked lines to edit, marked EDIT: "
check "all is predicted: no criterion is in comments" sh -c "! grep -q '^#   \[\[criteria' acceptance.toml && ! grep -q 'in comments' err"
exits "init for eight of them, too few for HPL-MxP's prediction" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory cluster.toml --nodes 8 -o eight.toml
says "counts the criteria in comments" "$(grep -c '^#   \[\[criteria' eight.toml) criteria in comments: they need a contract's value"
for key in allow_full_io500 '# free_inodes' '# directory_limit'; do check "$key is marked" grep -q "^$key = .*# EDIT: " acceptance.toml; done
limits=$(grep -c 'source = "prediction of the plan, not a contract"' acceptance.toml)
draft="$marked lines are still to be edited; $limits mandatory limits are the plan's own predictions, which no contract states"
exits "criteria check with lines to edit" 3 "$SHAKEDOWN" criteria check acceptance.toml
says "says so before all else" "not ready  $draft"
check "in this order" sh -c "sed -n '/^not ready /,\$p' out | tail -n 1 | grep -qx 'else no contradictions, and the campaign can decide every criterion'"
exits "plan of it" 0 "$SHAKEDOWN" plan --config acceptance.toml
says "notes it" "note: acceptance.toml: $draft"
says "says what IO500 would write, and that it is not allowed" "refuses it until [site.io500] states allow_full_io500 = true"
exits "a run of it" 2 "$SHAKEDOWN" run --config acceptance.toml
says "is refused before it begins" "error: io500-official-10n: 10 nodes write "
says "with the way out" "states allow_full_io500 = true"
check "no campaign was begun" [ ! -e shakedown-runs ]
sed 's/^allow_full_io500 = false/allow_full_io500 = true/' acceptance.toml >allowed.toml
exits "a dry run where it is allowed" 0 sh -c '"$SHAKEDOWN" run --config allowed.toml --dry-run || [ $? = 4 ]'
check "has no job that stops" sh -c "grep -q '^# case io500-official-16n' out && ! grep -q 'in \[site.io500\] first' out"
"$SHAKEDOWN" run --config acceptance.toml --dry-run >out 2>err  # fails at its end where no Slurm answers
says "a dry run notes it, too" "note: acceptance.toml: $draft"
exits "criteria check with lines to edit, in JSON" 3 "$SHAKEDOWN" criteria check acceptance.toml --json
check "has the lines" sh -c "tr -d ' \n' <out | grep -q '\"lines_to_edit\":\[[0-9]'"
check "and the criteria" sh -c "tr -d ' \n' <out | grep -q '\"predicted_limits\":\[\"hpl-rmax'"
exits "criteria check with lines to edit, once more" 3 "$SHAKEDOWN" criteria check acceptance.toml
says "names them" "lines marked EDIT: $(grep -n '# EDIT: ' acceptance.toml | cut -d: -f1 | paste -sd ' ' | sed 's/ /, /g')"
sed 's/# EDIT: .*//' acceptance.toml >edited.toml
exits "criteria check without any" 3 "$SHAKEDOWN" criteria check edited.toml
says "still names the predictions" "not ready  $limits mandatory limits are the plan's own predictions, which no contract states"
sed -i 's/prediction of the plan, not a contract/contract, annex 2/' edited.toml
exits "criteria check with the contract's own values" 0 "$SHAKEDOWN" criteria check edited.toml
check "names none" sh -c "! grep -q 'marked EDIT' out err"
exits "init again" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory cluster.toml -o acceptance.toml --force
sed -n '/^next: /,$p' err >next
printf 'next: 1. edit these lines\n      2. shakedown criteria check acceptance.toml   # lists what is still to be edited\n      3. shakedown plan --config acceptance.toml\n      4. shakedown run --config acceptance.toml\n' >expected
check "the next steps are in order: edit, check, plan, run" cmp next expected
check "its lines are the marked ones" sh -c "grep -n '# EDIT: ' acceptance.toml | cut -d: -f1 | tr '\n' ' ' | sed 's/ \$//; s/ /, /g' | grep -qxF \"\$(sed -n 's/.*marked EDIT: //p' err)\""
accepted "16 H100 nodes" acceptance.toml
check "all scales are there" sh -c 'for n in 2 4 8 16; do grep -q "\"id\": \"hpl-nvidia-${n}n\"" plan.json || exit 1; done'
check "and each node" grep -q '"id": "hpl-nvidia-1n-{host}"' plan.json
check "MLPerf fits the GPUs" grep -q '"id": "mlperf-nvidia-llama2_70b_lora-8n' plan.json
check "a retired benchmark at another scale is not planned" grep -q "^# Not planned: mlperf gpt3: retired after v4.1" acceptance.toml
check "the inventory's partition" grep -qx 'partition = "batch"' acceptance.toml
check "the GPUs of a node are not typed" sh -c '! grep -q gpus-per-node acceptance.toml'
command -v sbatch >/dev/null && check "they are asked for" sh -c '"$SHAKEDOWN" run --dry-run --config acceptance.toml 2>/dev/null | grep -q -- "--gpus-per-node=8"'
check "RoCE's numbers" grep -q '^gid_index = 3 .*# EDIT: ' acceptance.toml
sed 's/^rdma_device = .*/&\nlink_layer = "Ethernet"\nroce_gid_index = 5\nmtu_bytes = 9000/' cluster.toml >seen.toml
exits "init where the RoCE ports were seen" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory seen.toml -o seen-acceptance.toml
check "does not ask for their GID index" grep -qx "# The GID index of RoCE v2, 5, is the inventory's." seen-acceptance.toml
check "but for the traffic class" sh -c '! grep -q "^gid_index" seen-acceptance.toml && grep -q "^traffic_class = .*# EDIT: " seen-acceptance.toml'
exits "and its plan" 0 "$SHAKEDOWN" plan --config seen-acceptance.toml -o plan.json
check "has the index" grep -q '"NCCL_IB_GID_INDEX": 5' plan.json
check "no limit of another system" sh -c '! grep -q "relative_to = \"sakuraone" acceptance.toml'

exits "the file is kept" 2 "$SHAKEDOWN" init --from acceptance-h100 --inventory cluster.toml -o acceptance.toml
says "with the way out" "add --force"
exits "--force replaces it" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory cluster.toml -o acceptance.toml --force --nodes 4 --suite hpl
check "with one suite" sh -c '! grep -q hpcg acceptance.toml'
check "on these nodes alone" grep -qxF 'hosts = "cn[01-04]"' acceptance.toml
exits "which plan takes" 0 "$SHAKEDOWN" plan --config acceptance.toml
exits "and criteria check" 3 "$SHAKEDOWN" criteria check acceptance.toml

# What is shipped. A configuration keeps its own system's limits.
exits "init for its own system" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory sakuraone -o own.toml
accepted "sakuraone" own.toml
check "says why not all of its nodes have work" grep -qx '# Stage 3: 98 nodes, 3 runs, not all 100: as in the shipped configuration.' own.toml
exits "plan of it" 0 "$SHAKEDOWN" plan --config own.toml
says "says who wants that" "  98 of 100 nodes: as own.toml:"
check "keeps the published limits" grep -qx 'relative_to = "sakuraone/hpl-rmax"' own.toml
for system in alps-a100 alps-gh200; do
  exits "init for 64 nodes of $system" 0 "$SHAKEDOWN" init --from sakuraone --inventory $system --nodes 64 -o $system.toml
  case $system in
    *a100) says "A100 have no FP8" "not planned: mlperf gpt3: the recipe trains in FP8" ;;
  esac
  accepted "$system" $system.toml "hpl hpcg hpl-mxp io500$(case $system in *a100) ;; *) echo " mlperf" ;; esac)"
done
exits "init for MI300X nodes" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory "$PROJECT/tests/fixtures/inventory/mi300x.toml" -o mi300x.toml
check "no kernels of processor cores stand in for programs of GPUs" sh -c "! grep -q '^implementation = \"reference\"' mi300x.toml"
check "an image for them is explained" grep -q '^# Programs in an image: container_runtime = ' mi300x.toml
check "and what is left out is named" grep -q "^# Not planned: mlperf gpt3: no implementation for AMD GPUs" mi300x.toml
printf '\n[[storage]]\nname = "scratch"\nmount = "/scratch"\ntype = "lustre"\n' | cat cluster.toml - >scratch.toml
exits "init on another file system" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory scratch.toml -o onscratch.toml
check "has all of its paths there" sh -c "grep -q '^image = \"/scratch/acceptance/images/' onscratch.toml && ! grep -q '/lustre' onscratch.toml"
check "caches are dropped by a command" grep -q '^DROPCACHE_CMD = "sudo ' onscratch.toml
for key in container_runtime socket_interface; do check "$key is marked" grep -q "^$key = .*# EDIT: " onscratch.toml; done
sed -n '/^\[\[fabric/q; p' cluster.toml | sed 's/^technology = .*/technology = "InfiniBand"/' >infiniband.toml
exits "init on InfiniBand" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory infiniband.toml
check "names an interface, and no number of RoCE" sh -c 'grep -q "^socket_interface = " out && ! grep -q "^gid_index" out'
exits "nodes without GPUs" 0 "$SHAKEDOWN" init --from acceptance-h100 --inventory alps-zen2 --nodes 2 -o zen2.toml
says "official programs alone" "not planned: hpl-mxp: no program for nodes without GPUs"
accepted "nodes without GPUs" zen2.toml "hpl hpcg io500"
check "whose paths are to be filled in" grep -q '^program = "/.*/xhpl"   # EDIT: ' zen2.toml
check "at full size" sh -c '! grep -q "^minutes" zen2.toml'
check "no partition of GPU nodes" sh -c '! grep -q "^partition" zen2.toml && grep -q "^# partition = .*# EDIT: " zen2.toml'
check "what is taken from which configuration" grep -qx "# Acceptance of 2 nodes of alps-zen2, fitted to the inventory: stages and repetitions of the shipped 'acceptance-h100', programs for nodes without GPUs." zen2.toml
exits "a screening of them on request" 0 "$SHAKEDOWN" init --inventory alps-zen2 --nodes 2 --screening
says "says whose wish it is, and advises nothing" "a screening of small problems with the reference kernels: as --screening asks"

# Nodes of two kinds.
printf '[[groups]]\nname = "cpu"\nhosts = "c[1-30]"\nmemory_gib = 768\n[groups.cpu]\nmodel = "AMD EPYC 9654"\nsockets = 2\ncores = 192\nbase_mhz = 2400\nfp64_flop_per_cycle = 16\n' |
  cat cluster.toml - >two.toml
exits "init for nodes of two kinds" 0 "$SHAKEDOWN" init --inventory two.toml -o gpus.toml
says "says for which nodes, and the option for the others" "planned for cn[01-16], of the highest FP64 peak; not for nodes of another kind: --hosts 'c[1-30]' writes theirs"
command=$(sed -n 's/^# Nodes of another kind.*: `shakedown \(.*\)`\.$/\1/p' gpus.toml)
eval "exits 'the command for the others in the file' 0 \"\$SHAKEDOWN\" $command"
check "writes theirs" grep -qx 'hosts = "c\[1-30\]"' out
exits "init for the others" 0 "$SHAKEDOWN" init --inventory two.toml --hosts 'c[1-30]' -o cpus.toml
check "is for them" grep -qx 'hosts = "c\[1-30\]"' cpus.toml
says "says so" "planned for c[1-30], as --hosts names them; not for nodes of another kind: --hosts 'cn[01-16]' writes theirs"
exits "which plan takes" 0 "$SHAKEDOWN" plan --config cpus.toml
exits "hosts of both kinds" 2 "$SHAKEDOWN" init --inventory two.toml --hosts 'c1,cn01'
says "are refused" "c1,cn01 are of several kinds: "

# This machine.
exits "init for this machine" 0 "$SHAKEDOWN" init -o here.toml
says "says that it is a screening" "a screening of small problems"
says "which needs no edits" "next: shakedown plan --config here.toml"
check "so does the file" grep -q '^# A screening of small problems' here.toml
accepted "this machine" here.toml
check "by the reference kernels" sh -c '! grep "^implementation = " here.toml | grep -qv reference'
if [ -x "$LIBEXEC/hpl" ]; then
  exits "init with one suite" 0 "$SHAKEDOWN" init --from acceptance-h100 --suite hpl -o hpl.toml
  sed -i 's/^minutes = .*/minutes = 0.02/' hpl.toml
  exits "it runs" 0 "$SHAKEDOWN" run --here --config hpl.toml --progress none
  says "and is accepted" "accepted"
else
  echo "SKIPPED: no $LIBEXEC/hpl (MPI and BLAS): what init writes is not run"
fi

# Input that can't be.
exits "an unknown configuration" 2 "$SHAKEDOWN" init --from acceptance-h10
says "is explained" "no shipped configuration 'acceptance-h10' (did you mean 'acceptance-h100'?)"
exits "too many nodes" 2 "$SHAKEDOWN" init --from sakuraone --inventory cluster.toml --nodes 17
says "are refused" "17 nodes asked for, and mine has 16"
exits "an unknown suite" 2 "$SHAKEDOWN" init --from sakuraone --inventory cluster.toml --suite hlp
says "is explained" "no suite 'hlp' (did you mean 'hpl'?)"
exits "an unknown inventory" 2 "$SHAKEDOWN" init --from sakuraone --inventory sakuraon
says "is explained" "did you mean 'sakuraone'?"
exits "no configuration named" 0 "$SHAKEDOWN" init
exits "a folder that is not there" 4 "$SHAKEDOWN" init --from sakuraone --inventory cluster.toml -o none/x.toml
finish
