# HPCG's phases on every number of ranks up to 8, with threads and layers of two heights; the reports that
# parse as HPCG's under our own name; a fault that the tests find; and wrong input, refused with one sentence.
kernel=hpcg
. "$PROJECT/tests/mpi/ranks.sh"
limit=200

# hpcg RANKS ARGUMENT...: a run with its report in report, its log in log.
hpcg() {
  rm -f HPCG-Benchmark_* hpcg2*.txt
  run "$@"
  report=$(ls HPCG-Benchmark_3.1_*.txt 2>/dev/null)
  log=$(ls hpcg2*.txt 2>/dev/null)
  also=$report
}

# says KEY VALUE: the report's line.
says() { grep -qxF -- "$1=$2" "$report" || fail "the report doesn't say $1=$2"; }
value() { sed -n "s/^$1=//p" "$report"; }

# valid WHAT: the run at hand.
valid() {
  [ "$code" = 0 ] || fail "$1: exit code $code"
  head -n 1 out | grep -q '^shakedown HPCG reference 0\.1\.0 ' || fail "$1: no banner"
  [ -n "$report" ] || fail "$1: no report"
  head -n 1 "$report" | grep -q '^shakedown HPCG reference 0\.1\.0 ' || fail "$1: the report has no banner"
  [ "$(grep -c 'Result=PASSED$' "$report")" = 4 ] || fail "$1: not all four tests passed"
  [ -n "$(value 'Final Summary::HPCG result is VALID with a GFLOP\/s rating of')" ] || fail "$1: no rating"
}

for ranks in 1 2 3 4 8; do
  for kernels in optimised plain; do
    option=
    [ $kernels = plain ] && option=--plain
    # shellcheck disable=SC2086
    hpcg $ranks --nx=16 --ny=16 --nz=16 --rt=0 $option
    valid "$kernels kernels on $ranks ranks"
    says "Machine Summary::Distributed Processes" $ranks
    says "Implementation Summary::Kernels" $kernels
    named=$(grep -c '^Final Summary::Reference version of Compute' "$report")
    [ "$named" = "$([ $kernels = plain ] && echo 4 || echo 0)" ] || fail "$kernels kernels: $named are named as the reference's"
    # The residual of 50 iterations of the reference is the same whatever the kernels, to the last digit.
    grep '^Iteration = ' "$log" | head -n 50 >history-$kernels
    [ "$(wc -l <history-$kernels)" = 50 ] || fail "not 50 iterations of the reference are logged"
  done
  cmp -s history-plain history-optimised || fail "the reference differs between runs on $ranks ranks"
done
echo "valid on 1, 2, 3, 4 and 8 ranks"

# Sides that differ, in a grid of the user's; the exact size of the problem.
hpcg 4 --nx 16 --ny 24 --nz 32 --rt 0 --npx 1 --npy 2 --npz 2
valid "a grid of the user's"
says "Global Problem Dimensions::Global ny" 48
says "Linear System Information::Number of Equations" $((16 * 48 * 64))
says "Linear System Information::Number of Nonzero Terms" $(((3 * 16 - 2) * (3 * 48 - 2) * (3 * 64 - 2)))

# The optimised kernels' solution goes the way of the reference's until rounding tells.
hpcg 2 --nx=32 --rt=0
valid "32^3"
awk '/^Iteration = / { n[$3]++; if (n[$3] == 1) first[$3] = $NF; else if ($3 <= 30) { d = $NF / first[$3] - 1; if (d * d > 1e-16) bad = 1; seen++ } }
     END { exit bad || seen < 30 }' "$log" || fail "the optimised kernels don't follow the reference"

# Threads that share a sweep by stages.
OMP_NUM_THREADS=2
hpcg 1 --nx=32 --rt=0
valid "two threads"
says "Machine Summary::Threads per processes" 2
grep -q '^Implementation Summary::Optimisation .*several threads' "$report" || fail "the report doesn't say what threads do"
OMP_NUM_THREADS=1

# Two heights of local domains.
hpcg 4 --nx=16 --ny=16 --pz=1 --zl=16 --zu=24 --npx=2 --npy=1 --npz=2 --rt=0
valid "two heights"
says "Global Problem Dimensions::Global nz" 40
says "Linear System Information::Number of Nonzero Terms" $(((3 * 32 - 2) * (3 * 16 - 2) * (3 * 40 - 2)))
[ "$(value 'Local Domain Dimensions::nz' | tr '\n' ' ')" = "16 24 " ] || fail "the heights aren't reported"

# The timed part takes as long as asked for, in whole sets.
hpcg 1 --nx=16 --rt=2
valid "a timed run"
awk -F= '/Benchmark Time Summary::Total=/ { exit !($2 > 1 && $2 < 20) }' "$report" || fail "the timed part isn't about 2 s"

# hpcg.dat, with and without a grid; what the command line says comes first.
dat() { printf 'HPCG benchmark input file\nmade by a test\n%s\n%s\n%s' "$1" "$2" "$3" >hpcg.dat; }
dat "16 16 24 points" "0 seconds"
hpcg 2
valid "hpcg.dat"
says "Local Domain Dimensions::nz" 24
says "Processor Dimensions::npx" 2
dat "16 16 16" "0" "1 1 2"
hpcg 2
valid "hpcg.dat with a grid"
says "Processor Dimensions::npz" 2
dat "16 16 16" "0" "1 1 2"
hpcg 2 --npx=1 --npy=2 --npz=1
valid "a grid on the command line"
says "Processor Dimensions::npy" 2
dat "8 16 16" "0" "this is no grid"
hpcg 1
valid "a side below 16"
grep -q '^Note: nx = 8 is raised to 16, as HPCG 3\.1 does below 16$' out || fail "raising nx isn't told"

# The report parses as HPCG's, by our name.
if [ -x "$SHAKEDOWN" ]; then
  hpcg 2 --nx=16 --rt=0
  "$SHAKEDOWN" parse "$report" >parsed 2>parse.err || [ $? -le 1 ] || fail "parse: $(cat parse.err)"
  grep -q '"suite": *"hpcg"' parsed || fail "parse finds no HPCG result: $(cat parsed parse.err)"
  grep -q '"implementation": *"reference"' parsed || fail "parse takes it for another's"
  grep -q '"rating_gflops"' parsed || fail "parse finds no rating"
  grep -q '"status": *"fail"' parsed && grep -B3 -A3 '"severity": *"validity"' parsed | grep -q '"status": *"fail"' &&
    fail "a rule of validity fails: $(cat parsed)"
fi

# A rank that sends a wrong number with each halo makes the operators unsymmetric: INVALID, exit code 1.
cat >wrong.c <<'C'
#include <mpi.h>
int MPI_Isend(const void* values, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request* request) {
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 && count > 1) ((double*)values)[count / 2] *= 2;
  return PMPI_Isend(values, count, type, to, tag, comm, request);
}
C
if plants wrong "a wrong halo is found"; then
  for option in --rt=0 --plain; do
    hpcg 2 --nx=16 --rt=0 $option
    [ "$code" = 1 ] || fail "a wrong halo: exit code $code"
    says "Final Summary::HPCG result is" "INVALID."
    grep -q 'rating of=' "$report" && fail "an invalid result has a rating"
    grep -q "^Departure from Symmetry .*::Result=FAILED$" "$report" || fail "the symmetry test doesn't find a wrong halo"
  done
  more=
  echo "a wrong halo is found"
fi

rm -f HPCG-Benchmark_* hpcg2*.txt
also=
error="HPCG ERROR: "
reported() { [ -n "$(ls HPCG-Benchmark_* 2>/dev/null)" ] || [ -s out ]; }
limit=30
refuses "--nx must be an integer, but is '16x'" 2 --nx=16x
refuses "--nx must be from 1 to 1000000000, but is '0'" 2 --nx=0
refuses "--rt must be from 0 to 1000000000, but is '-1'" 2 --nx=16 --rt=-1
refuses "--rt needs a value" 2 --nx=16 --rt
refuses "unknown option '--size'" 2 --size=16
refuses "HPCG 3.1 takes a bare argument below 10 for none: rt is '5'" 2 16 16 16 5
refuses "nx = 20 is no multiple of 8: three coarser grids halve each side" 2 --nx=20 --ny=16 --nz=16
refuses "the local domain 16 x 16 x 136 is too flat" 2 --nx=16 --ny=16 --nz=136
refuses "the process grid npx x npy x npz = 3 x 1 x 1 doesn't make the 2 ranks that run" 2 --nx=16 --npx=3 --npy=1 --npz=1
refuses "the process grid npx x npy x npz = 2 x 0 x 0 doesn't make" 2 --nx=16 --npx=2
refuses "the local domain 1024 x 1024 x 1024 has more entries than 32 bits count" 1 --nx=1024
refuses "pz = 2 leaves no layer of ranks above it: npz is 2" 2 --nx=16 --npx=1 --npy=1 --npz=2 --pz=2 --zl=16 --zu=16
refuses "zl = 0 is below 16" 2 --nx=16 --npx=1 --npy=1 --npz=2 --pz=1
refuses "zl and zu need pz" 2 --nx=16 --zl=16
rm -f hpcg.dat
refuses "there is no hpcg.dat in the working directory" 2
: >hpcg.dat
refuses "hpcg.dat ends before line 1, the title" 2
printf 'a\nb\n' >hpcg.dat
refuses "hpcg.dat ends before line 3, nx ny nz" 2
dat "16 16" "0"
refuses "hpcg.dat:3: the line holds 2 of the 3 numbers nx ny nz" 2
dat "16 sixteen 16" "0"
refuses "hpcg.dat:3: nx ny nz must be integers from 1, but found 'sixteen'" 2
dat "16 16 16" "sixty"
refuses "hpcg.dat:4: the seconds to run must be an integer from 0, but found 'sixty'" 2
printf 'a\nb\n16 16 16\n' >hpcg.dat
refuses "hpcg.dat ends before line 4, the seconds to run" 2
dat "16 16 16" "0" "2 1"
refuses "hpcg.dat:5: the line holds 2 of the 3 numbers npx npy npz" 2
# Larger than the memory of any node that runs this test with so many ranks.
if awk '/^MemTotal/ { exit !($2 < 200e6) }' /proc/meminfo; then
  refuses "the domain doesn't fit into the memory of the nodes" 8 --nx=400
fi
mkdir locked
if [ "$(id -u)" != 0 ]; then
  chmod a-w locked
  cd locked || exit 1
  refuses "can't write hpcg" 1 --nx=16
  cd .. || exit 1
fi
prints_help
echo "hpcg runs, reports and refuses"
