#!/bin/sh
# How fast is the reference HPL kernel? Two figures, each the median of runs that alternate with what they
# are compared with, so that a machine that changes its speed meanwhile changes both.
#
#   1. its rate over that of netlib's HPL in Debian's hpcc: same N, NB, grid, BLAS, binding;
#      at the NB and look-ahead depth that are best for hpcc
#   2. its rate over the DGEMM rate of the gemm screen, at the smaller of N that fills 25 % of the
#      memory and N that takes 60 s
#
# It waits for a quiet machine, and repeats a run that others disturbed.
#
# usage: [BUILD=build/release] [RUNS=5] [WAIT=3600] [OTHERS=3] [N=8000] [NBS="128 192 256"] [PEAK_NB=256] tests/benchmark/hpl_kernel.sh
# Needs an idle machine with 2 cores, mpirun and hpcc.
set -eu
BUILD=${BUILD:-build/release}
RUNS=${RUNS:-5}
N=${N:-8000}
NBS=${NBS:-128 192 256}
PEAK_NB=${PEAK_NB:-256}
libexec=$(cd "$BUILD/libexec/shakedown" && pwd)
quiet=$(cd "$(dirname "$0")" && pwd)/quiet.sh

export OPENBLAS_NUM_THREADS=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
as_root=
[ "$(id -u)" = 0 ] && as_root=--allow-run-as-root
mpi() { mpirun $as_root --map-by core --bind-to core -np 2 "$@"; }

count() { echo $#; }

# dat NS NBS DEPTHS: HPL.dat, and the same for hpcc with its PTRANS lines.
dat() {
  cat >HPL.dat <<DAT
HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
6            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
$1           Ns
$(count $2)  # of NBs
$2           NBs
0            PMAP process mapping (0=Row-,1=Column-major)
1            # of process grids (P x Q)
1            Ps
2            Qs
16.0         threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
$(count $3)  # of lookahead depth
$3           DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
DAT
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
  mpi hpcc
  rows hpccoutf.txt
}
hpl() {
  mpi "$libexec/hpl" >hpl.log
  rows hpl.log
}
gemm() { mpi "$libexec/gemm" --seconds 2 | awk '/^FP64 best/ { print $5 }'; }

. "$quiet"

machine
before=$(stolen)

dat "$N" "$NBS" "0 1"
echo "hpcc by NB and look-ahead depth (T/V N NB GFLOP/s):"
alone hpcc
tee tuning <result
best=$(sort -g -k4 tuning | tail -n 1)
NB=$(echo "$best" | cut -d' ' -f3)
depth=$(echo "$best" | cut -c3)
echo "Best for hpcc: NB $NB, depth $depth"

dat "$N" "$NB" "$depth"
run=0
while [ $run -lt "$RUNS" ]; do
  run=$((run + 1))
  alone hpcc
  theirs=$(cut -d' ' -f4 result)
  alone hpl
  ours=$(cut -d' ' -f4 result)
  echo "$theirs" >>theirs
  echo "$ours" >>ours
  echo "$theirs $ours" | awk -v run=$run '{ printf "run %d: hpcc %.1f  hpl %.1f GFLOP/s  ratio %.3f\n", run, $1, $2, $2 / $1
                                             print $2 / $1 >>"ratios" }'
done
echo "1. N $N NB $NB 1 x 2: hpcc $(median <theirs) hpl $(median <ours) GFLOP/s, median ratio $(median <ratios) (>= 1.0)"

large=$(awk -v rate="$(median <ours)" -v nb="$PEAK_NB" '/^MemTotal/ { memory = sqrt(0.25 * $2 * 1024 / 8)
  time = (60 * rate * 1e9 * 1.5) ^ (1 / 3); n = memory < time ? memory : time; print int(n / nb) * nb }' /proc/meminfo)
dat "$large" "$PEAK_NB" 1
run=0
while [ $run -lt 3 ]; do
  run=$((run + 1))
  alone gemm
  peak=$(cat result)
  alone hpl
  ours=$(cut -d' ' -f4 result)
  echo "$peak $ours" | awk -v run=$run '{ printf "run %d: gemm %.1f  hpl %.1f GFLOP/s  ratio %.3f\n", run, $1, $2, $2 / $1
                                            print $2 / $1 >>"efficiencies"; print $1 >>"peaks"; print $2 >>"larges" }'
done
echo "2. N $large NB $PEAK_NB 1 x 2: gemm $(median <peaks) hpl $(median <larges) GFLOP/s, median ratio $(median <efficiencies) (>= 0.80)"
echo "$before $(stolen)" | awk '{ printf "Steal meanwhile: %.2f %%\n", 100 * ($3 - $1) / ($4 - $2) }'
echo "Load after: $(cut -d' ' -f1-3 /proc/loadavg)"
