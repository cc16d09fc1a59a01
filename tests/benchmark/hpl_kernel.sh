#!/bin/sh
# How fast is the reference HPL kernel? Two results, each the median of runs that alternate with what they
# are compared with, so that a machine that changes its speed meanwhile changes both.
#
#   1. its rate over that of netlib's HPL in Debian's hpcc: same N, NB, grid, BLAS, binding;
#      at the NB and look-ahead depth that are best for hpcc
#   2. its rate over the DGEMM rate of the gemm screen, at the smaller of N that fills 50 % of the
#      memory and N that takes LARGE_S seconds
#
# It waits for a quiet machine, and repeats a run that others disturbed.
#
# usage: [BUILD=build/release] [RUNS=5] [WAIT=3600] [OTHERS=3] [N=8000] [NBS="128 192 256"] [PEAK_NB=256]
#        [LARGE_S=600] [LARGE_RUNS=3] tests/benchmark/hpl_kernel.sh
# Needs an idle machine with 2 cores, mpirun and hpcc.
set -eu
N=${N:-8000}
NBS=${NBS:-128 192 256}
PEAK_NB=${PEAK_NB:-256}
. "$(dirname "$0")/quiet.sh"
. "$here/../mpi/hpl_dat.sh"

# dat NS NBS DEPTHS: HPL.dat, and the same for hpcc with its PTRANS lines.
dat() {
  write_hpl_dat "$1" "$2" 0 1 2 16.0 "$3"
  cat HPL.dat - >hpccinf.txt <<DAT
##### This line (no. 32) is ignored (it serves as a separator). ######
0            Number of additional problem sizes for PTRANS
1200         values of N
0            number of additional blocking sizes for PTRANS
40           values of NB
DAT
}

# Rows of a log as "T/V N NB rate", of runs whose residual passed.
rows() { awk '/^W[RC]/ { row = $1 " " $2 " " $3 " " $7 } / PASSED$/ { print row }' "$1"; }
hpcc() {
  rm -f hpccoutf.txt
  mpi 2 hpcc
  rows hpccoutf.txt
}
hpcc_rate() { hpcc | cut -d' ' -f4; }
hpl_rate() {
  mpi 2 "$libexec/hpl" >hpl.log
  rows hpl.log | cut -d' ' -f4
}
gemm_rate() { mpi 2 "$libexec/gemm" --seconds 2 | awk '/^FP64 best/ { print $5 }'; }

machine
dat "$N" "$NBS" "0 1"
echo "hpcc by NB and look-ahead depth (T/V N NB GFLOP/s):"
alone hpcc
tee tuning <result
best=$(sort -g -k4 tuning | tail -n 1)
NB=$(echo "$best" | cut -d' ' -f3)
depth=$(echo "$best" | cut -c3)
echo "Best for hpcc: NB $NB, depth $depth"

dat "$N" "$NB" "$depth"
alternate hpcc hpcc_rate hpl_rate
row "HPL, N $N, NB $NB (hpcc's best)" "$(digits %.1f "$(median <ours)") GFLOP/s" "netlib's HPL in hpcc: $(digits %.1f "$(median <theirs)") GFLOP/s" \
  "$(digits %.2f "$(median <ratios)")" "$(range <ratios)" ">= 1.0" "$(median <ratios)"

large=$(awk -v rate="$(median <ours)" -v nb="$PEAK_NB" -v seconds="${LARGE_S:-600}" '/^MemTotal/ { memory = sqrt(0.5 * $2 * 1024 / 8)
  time = (seconds * rate * 1e9 * 1.5) ^ (1 / 3); n = memory < time ? memory : time; print int(n / nb) * nb }' /proc/meminfo)
dat "$large" "$PEAK_NB" 1
RUNS=${LARGE_RUNS:-3}
alternate gemm gemm_rate hpl_rate
row "HPL, N $large, NB $PEAK_NB" "$(digits %.1f "$(median <ours)") GFLOP/s" "DGEMM of the \`gemm\` kernel: $(digits %.1f "$(median <theirs)") GFLOP/s" \
  "$(digits %.2f "$(median <ratios)")" "$(range <ratios)" ">= 0.95" "$(median <ratios)"
afterwards
