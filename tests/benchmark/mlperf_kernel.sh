#!/bin/sh
# How long does the training reference take to its targets, and how well does it use the cores? MLPerf's own programs
# are of models for GPUs, so it is compared with the same model in PyTorch:
#
#   1. pretraining and fine-tuning together, for each of SEEDS, on 2 ranks: seconds, samples, and whether both
#      reached their targets within LIMIT seconds
#   2. the rate of training over twice the FP64 rate of the gemm screen (MFU)
#   3. the rate of pretraining over that of the same steps in PyTorch (mlperf_peer.py), where python3 has it
#
# usage: [BUILD=build/release] [SEEDS="1 2 ... 10"] [LIMIT=60] tests/benchmark/mlperf_kernel.sh
# Needs an idle machine with 2 cores and mpirun. Exit code 1 where a seed missed the limit.
set -eu
SEEDS=${SEEDS:-1 2 3 4 5 6 7 8 9 10}
LIMIT=${LIMIT:-60}
. "$(dirname "$0")/quiet.sh"
for program in mlperf gemm; do
  [ -x "$libexec/$program" ] || {
    echo "SKIPPED: $libexec/$program was not built"
    exit 77
  }
done

load() { cut -d' ' -f1 /proc/loadavg; }

machine
fp64=$(mpi 2 "$libexec/gemm" --seconds 2 | awk '/^FP64 best/ { print $5 }')
peak=$(echo "$fp64" | awk '{ print 2 * $1 }')
echo "FP64 GEMM $fp64 GFLOP/s; peak taken for FP32: $peak GFLOP/s"

all=0
within=0
for seed in $SEEDS; do
  all=$((all + 1))
  code=0
  begin=$(date +%s.%N)
  mpi 2 "$libexec/mlperf" lora --seed "$seed" --peak-gflops "$peak" >log 2>&1 || code=$?
  end=$(date +%s.%N)
  seconds=$(echo "$begin $end" | awk '{ print $2 - $1 }')
  echo "$seconds" >>walls
  # The rates of the whole of each run stand behind its run_stop.
  awk '/"key": "run_stop"/ { after = 1 } /"key": "run_start"/ { after = 0 }
       after && /"key": "tracked_stats"/ { match($0, /"mfu": [0-9.e-]*/); print substr($0, RSTART + 7, RLENGTH - 7) }' log >mfu
  sed -n 1p mfu >>mfus_pretrain
  sed -n 2p mfu >>mfus_lora
  good=$(echo "$seconds $LIMIT $code" | awk '{ print ($1 <= $2 && $3 == 0) }')
  within=$((within + good))
  echo "seed $seed: $seconds s, exit code $code, load $(load); $(sed -n 's/^Time to train: //p' log | tr '\n' ';') MFU $(tr '\n' ' ' <mfu)"
done
count="$within of $all"
row "Training kernel, both targets within $LIMIT s" "$count seeds, median $(digits %.1f "$(median <walls)") s" - - "$(range %.1f <walls)" ">= $all" "$within"
row "Training kernel, pretraining: MFU" "$(digits %.2f "$(median <mfus_pretrain)")" "twice the FP64 GEMM rate: $peak GFLOP/s" - "$(range <mfus_pretrain)" "" ""

# Beside the same steps in PyTorch, alternating: rates of training, without evaluations.
if python3 -c 'import torch' 2>/dev/null; then
  unit=samples/s
  cores=2
  size=$(python3 "$here/mlperf_peer.py" $cores 5 | tee peer.tuning | sed 's/.* \([0-9]*\) samples at a time.*/\1/')
  echo "PyTorch at its best: $(cat peer.tuning)"
  torch() { python3 "$here/mlperf_peer.py" $cores 10 "$size" | cut -d' ' -f1; }
  kernel() {
    mpi $cores "$libexec/mlperf" pretrain --seed 1 |
      awk '/"key": "run_stop"/ { after = 1 } after && /"key": "tracked_stats"/ { match($0, /"throughput": [0-9.e+]*/); print substr($0, RSTART + 14, RLENGTH - 14) }'
  }
  alternate torch torch kernel
  row "Training kernel, pretraining, samples in a second" "$(digits %.0f "$(median <ours)")" "PyTorch $(sed 's/.*torch //' peer.tuning): $(digits %.0f "$(median <theirs)")" \
    "$(digits %.2f "$(median <ratios)")" "$(range <ratios)" ">= 1.0" "$(median <ratios)"
else
  row "Training kernel, pretraining, samples in a second: python3 has no torch (apt-get install python3-torch)" - - - - ">= 1.0" ""
fi
afterwards
[ "$within" = "$all" ]
