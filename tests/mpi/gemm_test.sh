# The gemm screen reports every trial, the best one and the spread, and checks its product.
kernel=gemm
. "$PROJECT/tests/mpi/ranks.sh"

for ranks in 1 2 3 4 8; do
  run $ranks --n 200 --trials 4 --seconds 0.05
  [ "$code" = 0 ] || fail "exit code $code on $ranks ranks"
  grep -q '^shakedown gemm reference 0\.1\.0 ' out || fail "no banner"
  grep -q "^Ranks: $ranks  Threads per rank: 1$" out || fail "the ranks aren't counted"
  grep -q '^N: 200$' out || fail "N isn't reported"
  grep -q '^Verification: PASSED error = [0-9.e-]* bound = [0-9.e-]*$' out || fail "the product isn't verified"
  grep -q '^End of gemm\.$' out || fail "no end"
  # The best and the spread follow from the trials, as printed.
  awk '/^Trial [0-9]+: FP64 GFLOP\/s = / { n++; rate = $6; if (n == 1 || rate < low) low = rate; if (rate > high) high = rate
         if ($9 < 0.02) short = 1 }
       /^FP64 best GFLOP\/s = / { best = $5 }
       /^FP64 spread % = / { spread = $5 }
       END { off = spread - (high - low) / high * 100; exit !(n == 4 && !short && best == high && off < 0.01 && off > -0.01) }' out ||
    fail "best and spread don't follow from the trials"
  grep -q '^FP32 verification: PASSED error = [0-9.e-]* bound = [0-9.e-]*$' out || fail "the FP32 product isn't verified"
  awk '/^Trial [0-9]+: FP32 GFLOP\/s = / { n++; if ($6 > high) high = $6 } /^FP32 best GFLOP\/s = / { best = $5 }
       END { exit !(n == 4 && best == high) }' out || fail "the best in FP32 doesn't follow from its trials"
done

# A BLAS that returns one wrong entry is found out.
cat >wrong.c <<'C'
#include <dlfcn.h>
void cblas_dgemm(int o, int ta, int tb, int m, int n, int k, double alpha, const double* a, int lda, const double* b,
                 int ldb, double beta, double* c, int ldc) {
  void (*right)(int, int, int, int, int, int, double, const double*, int, const double*, int, double, double*, int) =
      dlsym(RTLD_NEXT, "cblas_dgemm");
  right(o, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
  c[7] += 1e-3;
}
C
sed 's/double/float/g; s/cblas_dgemm/cblas_sgemm/g; s/1e-3/1/' wrong.c >wrong32.c
if plants wrong "a wrong product fails"; then
  run 2 --n 200 --trials 1 --seconds 0.05
  [ "$code" = 1 ] || fail "a wrong product: exit code $code"
  grep -q '^Verification: FAILED error = ' out || fail "a wrong product passes"
  plants wrong32 "a wrong product in FP32 fails" || exit 1
  run 2 --n 200 --trials 1 --seconds 0.05
  [ "$code" = 1 ] || fail "a wrong product in FP32: exit code $code"
  grep -q '^FP32 verification: FAILED error = ' out || fail "a wrong product in FP32 passes"
  more=
fi

refuses "--n must be an integer from 1 to 100000, but is '0'" 2 --n 0
refuses "--n must be an integer from 1 to 100000, but is '12x'" 2 --n 12x
refuses "--trials must be an integer from 1 to 1000, but is '-3'" 2 --trials -3
refuses "--seconds must be a number from 0.001 to 3600, but is 'nan'" 2 --seconds nan
refuses "--seconds needs a value" 2 --seconds
refuses "unknown option '--size'" 2 --size 7
refuses "unknown option '200'" 3 200
refuses "three matrices of order 100000 don't fit in memory" 2 --n 100000
prints_help
echo "gemm reports, verifies and refuses"
