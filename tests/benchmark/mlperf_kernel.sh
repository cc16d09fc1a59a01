#!/bin/sh
# How long does the training reference take to its targets, and how well does it use the cores? There is no official
# program of this size to compare with (MLPerf's own are of models for GPUs), so the figures stand alone:
#
#   1. pretraining and fine-tuning together, for each of SEEDS, on 2 ranks: seconds, samples, and whether both
#      reached their targets within LIMIT seconds
#   2. the rate of training over twice the FP64 rate of the gemm screen (MFU)
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
echo "1. $within of $all seeds reached both targets within $LIMIT s, median $(median <walls) s"
echo "2. MFU: pretraining $(median <mfus_pretrain), fine-tuning $(median <mfus_lora)"
afterwards
[ "$within" = "$all" ]
