# Sourced by tests of what GPU programs' ranks get: NVIDIA's launch scripts, as far as they bind.
command -v numactl >/dev/null || { echo "SKIPPED: no numactl here (apt-get install numactl)"; exit 77; }

# launch_scripts DIR NAME... <RANK: DIR/NAME.sh gives a node's ranks their devices, NUMA nodes and cores as hpl.sh,
# hpl-mxp.sh and hpcg.sh do, by numactl, and starts RANK in place of the benchmark. Memory is bound where this machine
# has the NUMA node; RANK finds its number in MEMORY.
#
# Source: NVIDIA/nvidia-hpcg 3938495, bin/hpcg.sh; hpl.sh and hpl-mxp.sh take the same options:
# docs.nvidia.com/nvidia-hpc-benchmarks, HPL_benchmark.html, HPL_MxP_benchmark.html.
launch_scripts() {
  folder=$1
  shift
  mkdir -p "$folder"
  { echo '#!/bin/sh'; cat; } >"$folder/rank"
  cat >"$folder/launch" <<'SCRIPT'
#!/bin/sh
mine() { echo "$1" | cut -d : -f $((SLURM_LOCALID + 1)); }
bound=
while [ $# -gt 0 ]; do
  case $1 in
  --gpu-affinity) export CUDA_VISIBLE_DEVICES="$(mine "$2")" ;;
  --ucx-affinity) export UCX_NET_DEVICES="$(mine "$2"):1" ;;
  --cpu-affinity) bound="$bound --physcpubind=$(mine "$2")" ;;
  --mem-affinity)
    export MEMORY="$(mine "$2")"
    [ ! -e "/sys/devices/system/node/node$MEMORY" ] || bound="$bound --membind=$MEMORY" ;;
  esac
  shift
done
exec ${bound:+numactl $bound} "$(dirname -- "$0")/rank"
SCRIPT
  chmod +x "$folder/rank" "$folder/launch"
  for name; do ln -s launch "$folder/$name.sh"; done
}
