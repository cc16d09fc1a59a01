#!/bin/sh
# A job of NVIDIA's GPT-3 on a real Slurm, with a stand-in for the image: it maps the container's folders, records what it
# gets, and prints what the image's programs print, which is no cache_clear. The log must pass ML-06b as those of NVIDIA's
# run.sub do.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 2
mkdir -p "$T/root/workspace/llm" "$T/bin" "$T/data" "$T/checkpoint" "$T/seen"
: >"$T/data/spm.model"
: >"$T/checkpoint/metadata.json"
cat >"$T/inventory.toml" <<TOML
system = "virtual"
[[groups]]
name = "nodes"
memory_bytes = 1048576000
hosts = "cn[1-2]"
usable = { slurm_gpus = 0 }
[groups.cpu]
model = "virtual"
sockets = 1
cores = 2
[[groups.gpus]]
count = 1
model = "NVIDIA H100"
memory_gib = 4000
TOML

# The image: what the submission's files of that name set and need, as far as the job depends on it.
cat >"$T/root/workspace/llm/config_common.sh" <<'S'
export LOAD_CHECKPOINT="/load_checkpoints/"$CHECKPOINT_NAME
export BUCKET_CAP_MB=200 MICRO_BATCH_SIZE=2
S
echo 'export FP8=True' >"$T/root/workspace/llm/config_fp8.sh"
cat >"$T/bin/slurm2pytorch" <<'S'
#!/bin/sh
export RANK=$SLURM_PROCID LOCAL_RANK=$SLURM_LOCALID WORLD_SIZE=$SLURM_NTASKS
exec "$@"
S
cat >"$T/root/workspace/llm/run_and_time.sh" <<S
#!/bin/bash
: "\${SEED:?}" "\${MASTER_ADDR:?}" "\${MASTER_PORT:?}" "\${MINIBS:?}"
{ pwd; echo "dropped \$(sort "$T/dropped" | paste -sd ' ')"; env; } >"$T/seen/rank-\$RANK"
[ "\$RANK" != 0 ] || grep -v cache_clear "$PROJECT/tests/fixtures/mlperf/gpt3-tokens.txt"
S
cat >"$T/image" <<S
#!/bin/sh
[ "\$1" = -c ] || { echo "bash -c expected, not \$1" >&2; exit 9; }
export PATH="$T/bin:\$PATH"
exec bash -c "\$(printf %s "\$2" | sed "s|/results/|\$PWD/|g")" "$T/root\$3"
S
printf '#!/bin/sh\necho "$SLURMD_NODENAME" >>"%s"\n' "$T/dropped" >"$T/drop"
chmod +x "$T/image" "$T/drop" "$T/bin/slurm2pytorch" "$T/root/workspace/llm/run_and_time.sh"

config() { # the command that drops caches
  cat <<TOML
title = "One training"
system = "inventory.toml"
[site]
launcher = "srun"
scheduler = "slurm"
partition = "batch"
container_runtime = "none"
[[site.programs]]
implementation = "mlperf/nvidia-gpt3"
program = "$T/image"
[site.programs.environment]
PREPROC_DATA = "$T/data"
SPM = "$T/data/spm.model"
LOAD_CHECKPOINTS_PATH = "$T/checkpoint"
DROPCACHE_CMD = "$1"
[[runs]]
suite = "mlperf"
implementation = "nvidia"
benchmark = "gpt3"
nodes = [2]
[runs.pins]
TP = 1
PP = 2
VP = 1
MBS = 1
GBS = 1536
TOML
}
# As another implementation, of which no requirements are known: no node here may lock memory as InfiniBand needs it.
planned() { # workspace, the command that drops caches
  config "$2" >"$T/acceptance.toml"
  exits "a plan" 0 "$SHAKEDOWN" plan --config "$T/acceptance.toml" -o "$T/nvidia.json"
  sed 's/"implementation": "nvidia"/"implementation": "stand-in"/' "$T/nvidia.json" >"$T/$1.json"
  runs "$1" >"$T/out" 2>&1
}
planned w "$T/drop"
attempt=$(ls -d "$T"/w/campaigns/*/mlperf-nvidia-gpt3-2n/attempt-1)
log=$attempt/stdout.log
check "the training ran" [ "$(ls "$T/seen")" = "rank-0
rank-1" ]
check "after each node dropped its caches, once" grep -qx "dropped cn1 cn2" "$T/seen/rank-0"
check "which each logged" [ "$(grep -c '"key": "cache_clear"' "$log")" = 2 ]
check "before the first rank began" [ "$(grep -n MLLOG "$log" | head -n 2 | grep -c cache_clear)" = 2 ]
rule() { "$SHAKEDOWN" parse --rules all "$1" | python3 -c '
import json, sys
print(*[rule["status"] for line in sys.stdin for rule in json.loads(line)["rules"] if rule["id"] == sys.argv[1]])' "$2"; }
check "the log has the keys of a submission" [ "$(rule "$log" ML-06b)" = pass ]
grep -v cache_clear "$log" >"$T/without.log"
check "and without that event it had not" [ "$(rule "$T/without.log" ML-06b)" = fail ]
seen() { check "rank 1: $1" grep -qx "$1" "$T/seen/rank-1"; }
seen "$T/root/workspace/llm"
seen TENSOR_MODEL_PARALLEL=1
seen PIPELINE_MODEL_PARALLEL=2
seen MINIBS=1536
seen LR=0.00002
seen FP8=True
seen "LOAD_CHECKPOINT=/load_checkpoints/ckpt4000-consumed_samples=0"
check "the index of the data is the run's own" [ -d "$attempt/npy_index" ]
master=$(sed -n 's/^MASTER_ADDR=//p' "$T/seen/rank-1")
check "one master for both" [ "$master" = "$(sed -n 's/^MASTER_ADDR=//p' "$T/seen/rank-0")" -a -n "$master" ]

# Caches that can't be dropped stop the job before the training costs anything.
rm "$T"/seen/*
planned w2 false
attempt=$(ls -d "$T"/w2/campaigns/*/mlperf-nvidia-gpt3-2n/attempt-1)
check "no training without cold caches" [ -z "$(ls "$T/seen")" ]
check "and the log says what to do" grep -q "'false' failed, and MLPerf wants cold caches: let sudo run it without a password" "$attempt/stderr.log"
check "nothing claims that they were" [ "$(grep -c cache_clear "$attempt/stdout.log")" = 0 ]
finish
