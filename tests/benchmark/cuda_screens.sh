#!/bin/sh
# How much of what cuBLAS and PyTorch reach do the screens of GPUs measure? On the first GPU, with PyTorch (which calls
# cuBLAS and cuBLASLt) on the same sizes and formats, alternating, the median of RUNS each:
#
#   1. GEMM in FP64, TF32, BF16, FP16 and FP8: rate of gemm-cuda on the GPU alone over that of torch.mm
#      (torch._scaled_mm with fast accumulation)
#   2. Triad of stream-cuda over torch.add(b, c, alpha=3, out=a) on arrays of the same length
#
# Target: at least 0.97. Prints a table with the date, the GPU, the driver and the versions.
#
# usage: [BUILD=build/release] [RUNS=5] [N=8192] [PYTHON=python3] tests/benchmark/cuda_screens.sh
# Needs an NVIDIA GPU with its driver, nothing else running on it, and PyTorch with CUDA. Without a GPU it ends with 77.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
BUILD=${BUILD:-$here/../../build/release}
RUNS=${RUNS:-5}
N=${N:-8192}
PYTHON=${PYTHON:-python3}
export CUDA_VISIBLE_DEVICES="${CUDA_VISIBLE_DEVICES:-0}"
gemm=$BUILD/libexec/shakedown/gemm-cuda
stream=$BUILD/libexec/shakedown/stream-cuda
for program in "$gemm" "$stream"; do
  [ -x "$program" ] || { echo "SKIPPED: $program was not built (no working nvcc)"; exit 77; }
done
"$gemm" --gpus 1 --n 1024 --seconds 0.01 --trials 1 >/dev/null 2>&1 || {
  "$gemm" --gpus 1 --n 1024 --seconds 0.01 --trials 1 2>&1 | tail -n 2
  echo "SKIPPED: gemm-cuda does not run here on one GPU"
  exit 77
}
"$PYTHON" -c 'import torch; assert torch.cuda.is_available()' 2>/dev/null || { echo "SKIPPED: no PyTorch with CUDA"; exit 77; }
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT

cat >"$T/peer.py" <<'PY'
import sys
import torch

n, elements = int(sys.argv[1]), 536870912


def seconds(work, least):
    """The shortest second-long trial, by the GPU's clock, per call."""
    for _ in range(5):
        work()
    torch.cuda.synchronize()
    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    begin.record()
    work()
    end.record()
    torch.cuda.synchronize()
    count = max(1, int(least / (begin.elapsed_time(end) * 1e-3)))
    begin.record()
    for _ in range(count):
        work()
    end.record()
    torch.cuda.synchronize()
    return begin.elapsed_time(end) * 1e-3 / count


def gemm(name, dtype):
    torch.backends.cuda.matmul.allow_tf32 = name == "TF32"
    a = torch.rand(n, n, device="cuda", dtype=torch.float64) - 0.5
    b = (torch.rand(n, n, device="cuda", dtype=torch.float64) - 0.5).t()  # by columns, as gemm-cuda has it
    if name == "FP8":
        a, b = (a * 512).to(torch.float8_e4m3fn), (b * 512).to(torch.float8_e4m3fn)
        scale = torch.tensor(2.0**-9, device="cuda")
        work = lambda: torch._scaled_mm(a, b, scale_a=scale, scale_b=scale, out_dtype=torch.bfloat16, use_fast_accum=True)
    else:
        a, b = a.to(dtype), b.to(dtype)
        c = torch.empty(n, n, device="cuda", dtype=dtype)
        work = lambda: torch.mm(a, b, out=c)
    seconds(work, 0.5)
    print(f"{name} {2 * n**3 / seconds(work, 1.0) * 1e-9:.3f}")


for name, dtype in (("FP64", torch.float64), ("TF32", torch.float32), ("BF16", torch.bfloat16), ("FP16", torch.float16)):
    gemm(name, dtype)
if torch.cuda.get_device_capability() >= (8, 9):
    gemm("FP8", None)
a, b, c = (torch.full((elements,), 2.0, device="cuda", dtype=torch.float64) for _ in range(3))
best = min(seconds(lambda: torch.add(b, c, alpha=3, out=a), 0.01) for _ in range(10))
print(f"Triad {24 * elements / best * 1e-6:.1f}")
PY

for run in $(seq "$RUNS"); do
  "$gemm" --gpus 1 --n "$N" --trials 1 >"$T/gemm.$run"
  "$stream" --gpus 1 >"$T/stream.$run"
  "$PYTHON" "$T/peer.py" "$N" >"$T/peer.$run"
done
median() { sort -g | awk '{ v[NR] = $1 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
date -u +"%Y-%m-%d, RUNS=$RUNS N=$N"
sed -n 's/^Device 0: //p; s/^GPUs: 1  //p' "$T/gemm.1"
"$PYTHON" -c 'import torch; print("PyTorch", torch.__version__)'
printf '| what | screen | PyTorch | ratio (>= 0.97) |\n|---|---|---|---|\n'
for name in FP64 TF32 BF16 FP16 FP8; do
  own=$(sed -n "s/^GPU 0: $name GFLOP.s = \([0-9.]*\) .*/\1/p" "$T"/gemm.* | median)
  peer=$(sed -n "s/^$name //p" "$T"/peer.* | median)
  [ -n "$own" ] && [ -n "$peer" ] || continue
  awk -v n="$name" -v a="$own" -v b="$peer" 'BEGIN { printf "| %s, GFLOP/s | %.0f | %.0f | %.3f |\n", n, a, b, a / b }'
done
own=$(sed -n 's/^GPU 0: .* Triad = \([0-9.]*\) .*/\1/p' "$T"/stream.* | median)
peer=$(sed -n 's/^Triad //p' "$T"/peer.* | median)
awk -v a="$own" -v b="$peer" 'BEGIN { printf "| Triad, GB/s | %.0f | %.0f | %.3f |\n", a / 1000, b / 1000, a / b }'
