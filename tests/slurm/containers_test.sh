#!/bin/sh
# All five suites in containers, by Apptainer and by Pyxis, on a real Slurm of four nodes with two hardware threads a core
# and GPUs. Stand-ins of both runtimes record what arrives (words, environment, CPUs, GPUs) and print a log of the program:
# it must be what the dry run showed, on the CPUs and GPUs of the plan. The launch scripts bind in the container.
. "$(dirname -- "$0")/campaigns.sh"
. "$(dirname -- "$0")/launch_scripts.sh"
all=$(awk '/^Cpus_allowed_list/ { print $2 }' /proc/self/status)
case $all in
0-[1-9]*) ;;
*) echo "SKIPPED: two ranks need the first two CPUs of this machine, and there are $all"; exit 77 ;;
esac
unset CUDA_VISIBLE_DEVICES
logs="$PROJECT/tests/fixtures" real=$(command -v srun)
mkdir -p "$T/bin" "$T/seen" "$T/io500" "$T/data" "$T/model"
# Both end here: RUNTIME IMAGE MOUNTS PROGRAM ARGUMENT...
cat >"$T/container" <<SH
#!/bin/sh
for mount in \$(echo "\$3" | tr , ' '); do [ -e "\${mount%%:*}" ] || { echo "no folder \$mount" >&2; exit 8; }; done
case=\$(basename "\$(dirname "\$PWD")")
mkdir -p "$T/seen/\$case"
export SEEN="$T/seen/\$case/\$SLURM_PROCID"
{ printf 'word %s\n' "\$@"
  env | sort | sed 's/^/env /'; } >"\$SEEN"
[ "\$SLURM_PROCID" != printed ] || exit 0
case \$4 in
*/hpl.sh) LOG=$logs/hpl/grammar/nvidia-two-loops.out ;;
*/hpcg.sh) LOG=$logs/hpcg/nvidia-console.out ;;
*/hpl-mxp.sh) LOG=$logs/hpl_mxp/nvidia-25.04-fp8.out ;;
*/io500)
  LOG=$logs/io500/run/io500.out
  [ "\$SLURM_PROCID" != 0 ] || rm -r "\$(sed -n 's/^datadir = //p' io500.ini)" ;;
bash) LOG=$logs/mlperf/lora-converged.txt ;;
esac
export LOG
program=$T/workspace/\$(basename "\$4")
shift 4
[ -e "\$program" ] || program=$T/workspace/rank
exec "\$program" "\$@"
SH
launch_scripts "$T/workspace" hpl hpl-mxp hpcg <<'RANK'
{ awk '/^Cpus_allowed_list/ { print "affinity " $2 }' /proc/self/status
  echo "devices ${CUDA_VISIBLE_DEVICES-none}"; } >>"$SEEN"
[ "$SLURM_PROCID" != 0 ] || cat "$LOG"
RANK
cat >"$T/bin/apptainer" <<SH
#!/bin/sh
[ "\$1" = exec ] || exit 9
shift
mounts=
while :; do
  case \$1 in
  --nv) shift ;;
  --bind) mounts=\$mounts,\$2; shift 2 ;;
  --*) echo "apptainer: unknown flag \$1" >&2; exit 9 ;;
  *) break ;;
  esac
done
image=\$1
shift
exec "$T/container" apptainer "\$image" "\${mounts#,}" "\$@"
SH
# Slurm's own srun, which knows no Pyxis; where a printed line is given to sh, only its words are recorded.
cat >"$T/bin/srun" <<SH
#!/bin/sh
set -f
options= image= mounts=
while :; do
  case \$1 in
  --container-image=*) image=\${1#*=} ;;
  --container-mounts=*) mounts=\${1#*=} ;;
  --*) options="\$options \$1" ;;
  *) break ;;
  esac
  shift
done
[ -z "\$image" ] || set -- "$T/container" pyxis "\$image" "\$mounts" "\$@"
if [ -n "\${PRINTED-}" ]; then echo "\$options" >"$T/options"; SLURM_PROCID=printed exec "\$@"; fi
exec "$real" \$options "\$@"
SH
chmod +x "$T/container" "$T/bin/apptainer" "$T/bin/srun"
export PATH="$T/bin:$PATH"

export VIRTUAL_SLURM_MORE="TaskPlugin=task/affinity"
nodes=4 cpus=4
slurm_with "$(for i in 1 2 3 4; do echo "cn00$i CPUs=4 Sockets=2 CoresPerSocket=1 ThreadsPerCore=2 RealMemory=2000 Gres=gpu:h200:2"; done)"
nics=$(for i in 0 1; do printf '{ name = "eth%d", rdma_device = "mlx5_%d", role = "compute", gpu = %d }, ' $i $i $i; done)
cat >"$T/inventory.toml" <<TOML
system = "virtual"
fabric = { technology = "RoCE v2" }
[[groups]]
name = "nodes"
hosts = "cn[001-004]"
memory_gib = 2048
usable = { slurm_cpus_per_core = 2, slurm_gpus = 2 }
cpu = { model = "virtual", sockets = 2, cores = 2, threads_per_core = 2, numa_nodes = 2 }
gpus = [{ count = 2, model = "NVIDIA H200", memory_gib = 139.8, numa_nodes = [1, 0] }]
nics = [$nics]
TOML
config() { # RUNTIME
  cat <<TOML
title = "Containers by $1"
system = "inventory.toml"
[site]
launcher = "srun"
mpi = "none"
scheduler = "slurm"
partition = "batch"
container_runtime = "$1"
mounts = ["$T:$T"]
environment = { TEXT = "a b'c\$d" }
fabric = { gid_index = 3, traffic_class = 106 }
io500 = { datadir = "$T/io500/data", resultdir = "$T/io500/results", allow_full_io500 = true }
TOML
  for each in hpl/nvidia hpcg/nvidia hpl-mxp/nvidia mlperf/nvidia-llama2_70b_lora io500/official; do
    printf '[[site.programs]]\nimplementation = "%s"\nimage = "/images/%s.sif"\n' $each $each
    [ $each != io500/official ] || echo 'program = "/opt/io500"'
    [ $each != mlperf/nvidia-llama2_70b_lora ] ||
      printf '[site.programs.environment]\nDATADIR = "%s/data"\nMODEL = "%s/model"\nDROPCACHE_CMD = "true"\n' "$T" "$T"
  done
  run() { printf '[[runs]]\nsuite = "%s"\nimplementation = "%s"\n%s\n[runs.pins]\n' "$1" "$2" "$3"; printf '%s\n' $4; }
  run hpl nvidia '' 'N=264192 P=4 Q=2'
  run hpcg nvidia '' 'nx=256 ny=256 nz=256'
  run hpl-mxp nvidia '' 'N=299008 P=2 Q=4 precision="FP8"'
  run io500 official '' 'ranks_per_node=2'
  run mlperf nvidia 'benchmark = "llama2_70b_lora"' 'TP=4 CP=1'
}

for runtime in apptainer pyxis; do
  config $runtime >"$T/$runtime.toml"
  exits "a plan for $runtime" 0 "$SHAKEDOWN" plan --config "$T/$runtime.toml" -o "$T/$runtime.json"
  # As other implementations, of which no requirements are known: this machine has no drivers.
  sed -i 's/"implementation": "\(nvidia\|official\)"/"implementation": "stand-in"/' "$T/$runtime.json"
  runs $runtime --dry-run >"$T/$runtime.txt" 2>"$T/err"
  rm -rf "$T"/seen/*
  runs $runtime >"$T/out" 2>&1
  for id in $(sed -n 's/^# case //p' "$T/$runtime.txt"); do
    # The case's variables and its last line, in the folder of its attempt.
    awk -v id="# case $id" '/^# time limit/ { on = 0 } on; $0 == id { on = 1 }' "$T/$runtime.txt" >"$T/lines"
    { grep '^export ' "$T/lines"; grep '/srun ' "$T/lines" | tail -n 1; } >"$T/printed"
    (cd "$(campaign $runtime)/$id/attempt-1" && PRINTED=1 sh "$T/printed")
    names=$(sed -n 's/^export \([^=]*\)=.*/\1/p' "$T/printed" | paste -sd '|')
    got() { sed -En "/^word /p; /^env ($names)=/p" "$T/seen/$id/$1"; }
    got printed >"$T/want"
    option() { tr ' ' '\n' <"$T/options" | sed -n "s/^--$1=//p"; }
    ranks=$(option ntasks) each=$(option ntasks-per-node) per_rank=$(option cpus-per-task) bound=$(option cpu-bind)
    gpus="SLURM_GPUS_ON_NODE=2 SLURM_JOB_GPUS=0,1" wrong=
    case $id in
    io500-*) gpus= ;;
    esac
    [ "$bound" = none ] || bound=mask_cpu: # as Slurm calls it inside
    for rank in $(seq 0 $((ranks - 1))); do
      file=$T/seen/$id/$rank
      # GPU 0 lies beside the second core, GPU 1 beside the first. Of ranks that choose by themselves Slurm hides none.
      # IO500's are bound by Slurm, to cores that this machine need not have: smt_test.sh looks at those.
      devices=none affinity=$all
      case $id in
      hp*) devices=$((rank % 2)) affinity=$((1 - rank % 2)) ;;
      io500-*) affinity=.* ;;
      esac
      got $rank | cmp -s - "$T/want" || wrong="$wrong words-$rank"
      for fact in "SLURMD_NODENAME=cn00$((rank / each + 1))" "SLURM_CPUS_PER_TASK=$per_rank" SLURM_CPUS_ON_NODE=4 "SLURM_CPU_BIND_TYPE=$bound" $gpus; do
        grep -qx "env $fact" "$file" || wrong="$wrong $fact-$rank"
      done
      [ -n "$gpus" ] || ! grep -q '^env SLURM_GPUS_ON_NODE' "$file" || wrong="$wrong gpus-$rank"
      grep -qx "devices $devices" "$file" || wrong="$wrong devices-$rank"
      grep -qx "affinity $affinity" "$file" || wrong="$wrong affinity-$rank"
    done
    check "$id by $runtime: $ranks ranks have what was printed, and the planned CPUs" [ -z "$wrong" -a $((each * per_rank)) = 4 -a "$ranks" = $((4 * each)) ]
    [ -z "$wrong" ] || { echo "$wrong"; got 0 | diff "$T/want" -; }
    # The stand-in prints the log of a longer run at once: the wall time refutes HPL's.
    case $id in hpl-nvidia-*) ends="invalid by HPL-04f (.*)" ;; *) ends=valid ;; esac
    check "$id by $runtime has a result: $ends" grep -q "^\[ END \] ./5 $id  .*  $ends$" "$T/out"
  done
  check "five cases by $runtime" [ "$(grep -c '^# case ' "$T/$runtime.txt")" = 5 ]
  [ "$failures" = 0 ] || sed 's/^/      | /' "$T/out"
done
finish
