#!/bin/sh
# The GEMM and STREAM screens of GPUs: without a driver each says so and ends; on a stand-in for CUDA (tests/cuda) their
# reports are read, and each planted fault makes the run invalid. No GPU is needed, and no rate is judged.
. "$(dirname -- "$0")/check.sh"
if [ ! -x "$LIBEXEC/gemm-cuda" ] || [ ! -x "$LIBEXEC/stream-cuda" ]; then
  echo "SKIPPED: the screens of GPUs were not built (no working nvcc)"
  exit 77
fi
cd "$T" || exit 1

# What the packages need to start: neither the driver, nor the runtime, nor cuBLAS.
if command -v readelf >/dev/null; then
  for program in gemm-cuda stream-cuda; do
    readelf -d "$LIBEXEC/$program" | grep NEEDED >needed
    check "$program is linked to no library of CUDA" sh -c '! grep -qiE "cuda|cublas|nvidia" needed'
  done
fi

for program in gemm-cuda stream-cuda; do
  exits "$program --help" 0 "$LIBEXEC/$program" --help
  says "$program has a usage" "usage: $program"
  exits "$program with an unknown option" 2 "$LIBEXEC/$program" --frobnicate 1
  says "$program names it" "unknown option '--frobnicate'"
  # Where there is a GPU, none is visible.
  exits "$program without a GPU" 3 env CUDA_VISIBLE_DEVICES= "$LIBEXEC/$program"
  says "$program says so" "no usable GPU: "
done

fakes=$BUILD/tests/fake_cuda
check "the stand-in for CUDA was built" [ -x "$fakes/gemm-cuda" ]
export LD_LIBRARY_PATH="$fakes"
gemm() { "$fakes/gemm-cuda" --n 64 --seconds 0.01 --trials 2 "$@"; }
stream() { "$fakes/stream-cuda" --elements 524288 --times 2 "$@"; }
validity() { # log, validity
  exits "$1 is read" 0 "$SHAKEDOWN" parse "$1" --rules all
  says "$1 is $2" "\"validity\":\"$2\""
}

exits "gemm on two stand-ins" 0 gemm --gpus 2
cp out gemm.log
for line in '^GPUs: 2 ' '^GPU 1: FP8 GFLOP/s = ' '^Trial 2: BF16 GFLOP/s = ' '^Verification: PASSED error = ' \
  '^FP8 verification: PASSED error = ' '^End of gemm'; do
  check "gemm prints $line" grep -qE "$line" gemm.log
done
validity gemm.log valid
for metric in fp64_gflops tf32_gflops bf16_gflops fp16_gflops fp8_gflops gpu_0_fp64_gflops gpu_1_fp8_gflops \
  gpu_min_fp64_gflops; do
  says "with $metric" "\"$metric\""
done
exits "gemm with a lost GPU" 3 env FAKE_GPUS=7 "$fakes/gemm-cuda" --gpus 8
says "names how many there are" "7 visible, 8 asked for"
for fault in entry tile bits idle copy; do
  exits "gemm with a fault ($fault)" 1 env FAKE_CUDA_WRONG=$fault "$fakes/gemm-cuda" --n 64 --seconds 0.01 --trials 2
  cp out "gemm-$fault.log"
  says "names the GPU ($fault)" "The FP64 product of GPU 1 is wrong: "
  validity "gemm-$fault.log" invalid
done

exits "stream on two stand-ins" 0 stream --gpus 2
cp out stream.log
validity stream.log valid
for metric in triad_mb_s gpu_0_triad_mb_s gpu_1_host_to_gpu_mb_s gpu_to_host_mb_s gpu_0_to_gpu_1_mb_s gpu_min_to_gpu_mb_s; do
  says "with $metric" "\"$metric\""
done
for fault in triad copy; do
  exits "stream with a fault ($fault)" 1 env FAKE_CUDA_WRONG=$fault "$fakes/stream-cuda" --elements 524288 --times 2
  cp out "stream-$fault.log"
  says "names it ($fault)" "Failed Validation on "
  validity "stream-$fault.log" invalid
done
exits "stream with arrays that the cache holds" 2 "$fakes/stream-cuda" --elements 1024
says "names the cache" "less than four times the L2 cache"
finish
