#!/bin/sh
# How fast is the reference HPL-MxP kernel? Each figure is the median of runs that alternate with what they are
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
BUILD=${BUILD:-build/release}
RUNS=${RUNS:-5}
N=${N:-8000}
NB=${NB:-192}
HPL_NB=${HPL_NB:-192}
ICL_N=${ICL_N:-2000}
RIKEN_NB=${RIKEN_NB:-200}
libexec=$(cd "$BUILD/libexec/shakedown" && pwd)
quiet=$(cd "$(dirname "$0")" && pwd)/quiet.sh

export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
as_root=
[ "$(id -u)" = 0 ] && as_root=--allow-run-as-root
mpi() {
  ranks=$1
  shift
  mpirun $as_root --map-by core --bind-to core -np "$ranks" "$@"
}

cat >HPL.dat <<DAT
HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
6            device out (6=stdout,7=stderr,file)
1            # of problems sizes (N)
$N           Ns
1            # of NBs
$HPL_NB      NBs
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
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
DAT

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

. "$quiet"

# alternate NAME OTHER OURS...: RUNS pairs; their medians and the median of their ratios in `said`.
alternate() {
  name=$1
  other=$2
  shift 2
  : >theirs && : >ours && : >ratios
  run=0
  while [ $run -lt "$RUNS" ]; do
    run=$((run + 1))
    alone "$other"
    theirs=$(cut -d' ' -f1 result)
    alone "$@"
    ours=$(cut -d' ' -f"${field:-1}" result)
    [ -n "$theirs" ] && [ -n "$ours" ] || { echo "$name: a run didn't pass its residual check" >&2 && exit 1; }
    echo "$theirs" >>theirs
    echo "$ours" >>ours
    echo "$theirs $ours" | awk -v run=$run -v name="$name" '{ printf "run %d: %s %.1f  ours %.1f GFLOP/s  ratio %.3f\n", run, name, $1, $2, $2 / $1
                                                             print $2 / $1 >>"ratios" }'
  done
  said="$name $(median <theirs) ours $(median <ours) GFLOP/s, median ratio $(median <ratios)"
}

machine
before=$(stolen)
alternate hpl hpl mxp 2 "$N"
echo "1. N $N NB $NB 1 x 2, HPL's NB $HPL_NB: $said (>= 1.7)"
field=2
alternate sgemm sgemm mxp 2 "$N"
field=1
echo "2. N $N NB $NB 1 x 2, factorisation alone: $said"
if [ -n "${RIKEN:-}" ]; then
  alternate riken riken mxp 2 "$N"
  echo "3. N $N 1 x 2: $said (>= 1.0)"
else
  echo "3. SKIPPED: RIKEN is not set to the driver.out of RIKEN-RCCS/hpl-ai"
fi
if [ -n "${ICL:-}" ]; then
  alternate icl icl mxp 1 "$ICL_N"
  echo "4. N $ICL_N, 1 rank: $said (>= 1.0)"
else
  echo "4. SKIPPED: ICL is not set to the hpl-ai of hpl-ai/hpl-ai"
fi
echo "$before $(stolen)" | awk '{ printf "Steal meanwhile: %.2f %%\n", 100 * ($3 - $1) / ($4 - $2) }'
echo "Load after: $(cut -d' ' -f1-3 /proc/loadavg)"
