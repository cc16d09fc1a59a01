# The reference HPL-MxP solves its systems on every grid of up to 8 ranks, reports what it did, finds out a wrong
# factorisation, and refuses wrong input with one sentence.
kernel=hpl-mxp
. "$PROJECT/tests/mpi/ranks.sh"

# value LABEL: what the report prints behind it.
value() { sed -n "s/^ *$1 .*= *\([^ ]*\)\( .*\)*$/\1/p" out | head -n 1; }

# passes ARGUMENTS: the last run passed its check, converged at once and has the norm of the same order's first run.
passes() {
  [ "$code" = 0 ] || fail "$*: exit code $code"
  grep -q '^shakedown HPL-MxP reference 0\.1\.0 ' out || fail "$*: no banner"
  awk '/\* N\) = .* PASSED$/ { exit !($(NF - 2) + 0 == $(NF - 2) && $(NF - 2) < 16) }
       END { if (NR == 0) exit 1 }' out || fail "$*: no residual below 16"
  [ "$(grep -c ' PASSED$' out)" = 1 ] || fail "$*: not one check"
  # Factors of FP32 leave a residual of some 1e-7, and each iteration gains as much.
  awk '/^Solver iteration  0,/ { first = $NF } /^Solver iteration  [1-9],/ { n = $3 + 0; last = $NF }
       END { exit !(first < 1e-5 && first > 1e-12 && n >= 1 && n <= 3 && last < 1e-14) }' out ||
    fail "$*: the refinement isn't that of factors in FP32"
  norm=$(value '||A||_oo')
  [ "${expected:=$norm}" = "$norm" ] || fail "$*: ||A||_oo is $norm, on another grid $expected"
}

tests=0
for size in "16 7 column" "100 64 row" "333 32 column"; do
  expected=
  for grid in "1 1" "1 2" "2 1" "1 3" "3 1" "2 2" "4 1" "2 4" "4 2" "1 8" "8 1"; do
    # shellcheck disable=SC2086
    set -- $size $grid
    run $(($4 * $5)) --n "$1" --nb "$2" --nporder "$3" --nprow "$4" --npcol "$5"
    passes "--n $1 --nb $2 --nporder $3 --nprow $4 --npcol $5"
    tests=$((tests + 1))
  done
done
echo "all grids: $tests runs passed"

# Wider than one slice of travelling rows; more ranks than the grid needs; the grid by default.
expected=
run 2 --n 2600 --nb 96 --nprow 2 --npcol 1
passes "several slices"
run 3 --n 2600 --nb 96 --nprow 1 --npcol 2
passes "an idle rank"
run 2 --n 2600 --nb 96
passes "the default grid"
grep -q '^ *N = 2600, NB = 96, NPROW = 1, NPCOL = 2, SLOPPY-TYPE = FP32$' out || fail "the grid isn't 1 x 2 by default"

# Both rates follow from N and the times, as printed.
awk '/^LU seconds:/ { lu = $5 + 0 } /^Iterative Solver seconds:/ { ir = $6 + 0 }
     /^ *GFLOPS = / { total = $3 } /^ *LU GFLOPS = / { factor = $4 }
     function off(rate, time) { W = 2 / 3 * 2600 ^ 3 + 1.5 * 2600 ^ 2; return rate / (W / time / 1e9) - 1 }
     END { a = off(total, lu + ir); b = off(factor, lu); exit !(a ^ 2 < 1e-6 && b ^ 2 < 1e-6) }' out ||
  fail "the rates don't follow from N and the times"

# A threshold that no solver meets fails.
run 2 --n 100 --nb 16 --threshold 1e-9
[ "$code" = 1 ] || fail "a threshold of 1e-9: exit code $code"
grep -q ' FAILED$' out || fail "a threshold of 1e-9 passes"

# A BLAS whose product is wrong in one place is found out: by the check where the solution is lost, else by a
# refinement that needs more than factors of FP32 do.
cat >wrong.c <<'C'
#include <dlfcn.h>
#include <stdlib.h>
void cblas_sgemm(int o, int ta, int tb, int m, int n, int k, float alpha, const float* a, int lda, const float* b,
                 int ldb, float beta, float* c, int ldc) {
  void (*right)(int, int, int, int, int, int, float, const float*, int, const float*, int, float, float*, int) =
      dlsym(RTLD_NEXT, "cblas_sgemm");
  right(o, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  c[0] += atof(getenv("WRONG"));
}
C
if plants wrong "a wrong product fails"; then
  loaded=$more
  more="$loaded -x WRONG=nan"
  run 2 --n 200 --nb 32
  [ "$code" = 1 ] || fail "a product with a nan: exit code $code"
  grep -q ' FAILED$' out || fail "a product with a nan passes"
  more="$loaded -x WRONG=1"
  run 2 --n 200 --nb 32
  awk '/^Solver iteration  0,/ { first = $NF } END { exit !(first > 1e-5) }' out ||
    fail "a wrong product doesn't show in the solution by the factors alone"
  more=
fi

reported() { grep -q GFLOPS out; }
refuses "--n, the order of the system, is missing" 2
refuses "--n must be an integer from 16 to 100000000, but is '15'" 2 --n 15
refuses "--n must be an integer from 16 to 100000000, but is '99999999999'" 2 --n 99999999999
refuses "--n must be an integer from 16 to 100000000, but is '10x'" 2 --n 10x
refuses "--nb must be an integer from 1 to 65536, but is '0'" 2 --n 100 --nb 0
refuses "--nprow must be an integer from 1 to 1000000, but is '-2'" 2 --n 100 --nprow -2
refuses "--nporder must be row or column, but is 'both'" 2 --n 100 --nporder both
refuses "--threshold must be a number above 0, but is 'nan'" 2 --n 100 --threshold nan
refuses "--npcol needs a value" 2 --n 100 --npcol
refuses "unknown option '--sloppy-type'" 2 --sloppy-type 2
refuses "the grid of 2 x 2 needs 4 ranks, but 2 were started" 2 --n 100 --nprow 2 --npcol 2
refuses "the grid of 3 x 1 needs 3 ranks, but 2 were started" 2 --n 100 --nprow 3
refuses "--nb 4096 with --n 4000000 and --nprow 1 makes panels larger than one MPI message" 2 --n 4000000 --nb 4096
refuses "a system of order 2000000 doesn't fit in memory" 2 --n 2000000
prints_help
echo "hpl-mxp solves, reports, checks and refuses"
