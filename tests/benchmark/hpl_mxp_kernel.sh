#!/bin/sh
# How fast is the reference HPL-MxP kernel? Each result is the median of runs that alternate with what they are
# compared with, so that a machine that changes its speed meanwhile changes both. Only runs count whose residual
# passed.
#
#   1. its rate over that of the reference HPL kernel: same N, 1 x 2 grid, each at its own NB       (>= 1.7)
#   2. its rate in the factorisation over the SGEMM rate of the gemm screen
#   3. its rate over that of RIKEN-RCCS/hpl-ai on 2 ranks, same N:  RIKEN=path of driver.out        (>= 1.0)
#   4. its rate over that of hpl-ai/hpl-ai, which is serial, on 1 rank, same N:  ICL=path of hpl-ai (>= 1.0)
#
# It waits for a quiet machine, and repeats a run that others disturbed.
#
# usage: [BUILD=build/release] [RUNS=5] [WAIT=3600] [OTHERS=3] [N=8000] [NB=192] [HPL_NB=192] [ICL_N=2000]
#        [RIKEN=driver.out] [RIKEN_NB=200] [ICL=hpl-ai] tests/benchmark/hpl_mxp_kernel.sh
# Needs an idle machine with 2 cores and mpirun; N a multiple of RIKEN_NB.
set -eu
N=${N:-8000}
NB=${NB:-192}
HPL_NB=${HPL_NB:-192}
ICL_N=${ICL_N:-2000}
RIKEN_NB=${RIKEN_NB:-200}
. "$(dirname "$0")/quiet.sh"
. "$here/../mpi/hpl_dat.sh"
write_hpl_dat "$N" "$HPL_NB" 0 1 2 16.0

# Each prints one rate in GFLOP/s, or nothing where the residual didn't pass; ours also that of the factorisation.
hpl() { mpi 2 "$libexec/hpl" | awk '/^W[RC]/ { rate = $7 } / PASSED$/ { print rate }'; }
mxp() {
  mpi "$1" "$libexec/hpl-mxp" --n "$2" --nb "$NB" |
    awk '/ PASSED$/ { good = 1 } /^ *GFLOPS = / { rate = $3 } /^ *LU GFLOPS = / { lu = $4 } END { if (good) print rate, lu }'
}
sgemm() { mpi 2 "$libexec/gemm" --seconds 2 | awk '/^FP32 best/ { print $5 }'; }
riken() {
  mpi 2 "$RIKEN" "$N" "$RIKEN_NB" 1 -not -r -d 2>/dev/null |
    sed -n 's/.* sec\. \([0-9.]*\) GFlop\/s .* hpl-harness = \([0-9.]*\).*/\1 \2/p' | awk '$2 > 0 && $2 < 16 { print $1 }'
}
icl() {
  taskset -c 0 "$ICL" "$ICL_N" | awk '/^Effective operation per sec/ { rate = $(NF - 1) } /PASSED$/ { print rate }'
}

machine
alternate hpl hpl mxp 2 "$N"
row "HPL-MxP, N $N" "$(digits %.1f "$(median <ours)") GFLOP/s" "HPL kernel: $(digits %.1f "$(median <theirs)") GFLOP/s" "$(digits %.2f "$(median <ratios)")" \
  "$(range <ratios)" ">= 1.7" "$(median <ratios)"
field=2
alternate sgemm sgemm mxp 2 "$N"
field=1
echo "2. N $N NB $NB 1 x 2, factorisation alone: $said"
if [ -n "${RIKEN:-}" ]; then
  alternate riken riken mxp 2 "$N"
  row "HPL-MxP, N $N" "$(digits %.1f "$(median <ours)") GFLOP/s" "RIKEN-RCCS/hpl-ai: $(digits %.1f "$(median <theirs)") GFLOP/s" \
    "$(digits %.1f "$(median <ratios)")" "$(range %.1f <ratios)" ">= 1.0" "$(median <ratios)"
else
  echo "3. SKIPPED: RIKEN is not set to the driver.out of RIKEN-RCCS/hpl-ai"
fi
if [ -n "${ICL:-}" ]; then
  alternate icl icl mxp 1 "$ICL_N"
  row "HPL-MxP, N $ICL_N, 1 rank" "$(digits %.1f "$(median <ours)") GFLOP/s" "hpl-ai/hpl-ai: $(digits %.1f "$(median <theirs)") GFLOP/s" \
    "$(digits %.1f "$(median <ratios)")" "$(range %.1f <ratios)" ">= 1.0" "$(median <ratios)"
else
  echo "4. SKIPPED: ICL is not set to the hpl-ai of hpl-ai/hpl-ai"
fi
afterwards
