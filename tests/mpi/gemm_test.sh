# The gemm screen reports every trial, the best one and the spread, and checks its product.
if ! command -v mpirun >/dev/null; then
  echo "SKIPPED: mpirun is not installed"
  exit 77
fi
if [ ! -x "$LIBEXEC/gemm" ]; then
  echo "SKIPPED: $LIBEXEC/gemm was not built (it needs MPI and a CBLAS)"
  exit 77
fi

# Open MPI keeps memory until exit, which LeakSanitizer takes for leaks of ours.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
export OPENBLAS_NUM_THREADS=1
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
# Open MPI gives ranks a second or two to end after one exited with an error; these end by themselves.
export OMPI_MCA_odls_base_sigkill_timeout=0
as_root=
[ "$(id -u)" = 0 ] && as_root=--allow-run-as-root

# gemm RANKS ARGUMENT...: its exit code in code.
gemm() {
  ranks=$1
  shift
  # shellcheck disable=SC2086
  timeout -k 5 60 mpirun $as_root --oversubscribe --bind-to none -np "$ranks" "$LIBEXEC/gemm" "$@" >out 2>err
  code=$?
}

fail() {
  echo "FAILED: $*"
  cat out err
  exit 1
}

for ranks in 1 2 3; do
  gemm $ranks --n 200 --trials 4 --seconds 0.05
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
if cc -shared -fPIC -D_GNU_SOURCE -o wrong.so wrong.c -ldl 2>/dev/null && ! grep -q __asan_init "$LIBEXEC/gemm"; then
  # shellcheck disable=SC2086
  timeout -k 5 60 mpirun $as_root --oversubscribe --bind-to none -x LD_PRELOAD="$folder/wrong.so" -np 2 \
    "$LIBEXEC/gemm" --n 200 --trials 1 --seconds 0.05 >out 2>err
  [ $? = 1 ] || fail "a wrong product doesn't give exit code 1"
  grep -q '^Verification: FAILED error = ' out || fail "a wrong product passes"
  cc -shared -fPIC -D_GNU_SOURCE -o wrong32.so wrong32.c -ldl || fail "no wrong product in FP32"
  # shellcheck disable=SC2086
  timeout -k 5 60 mpirun $as_root --oversubscribe --bind-to none -x LD_PRELOAD="$folder/wrong32.so" -np 2 \
    "$LIBEXEC/gemm" --n 200 --trials 1 --seconds 0.05 >out 2>err
  [ $? = 1 ] || fail "a wrong product in FP32 doesn't give exit code 1"
  grep -q '^FP32 verification: FAILED error = ' out || fail "a wrong product in FP32 passes"
else
  echo "not checked here: that a wrong product fails (AddressSanitizer must be loaded first, or there is no C compiler)"
fi

# refuses TEXT ARGUMENT...
refuses() {
  text=$1
  shift
  gemm 2 "$@"
  [ "$code" = 2 ] || fail "'$*': exit code $code"
  [ "$(grep -cF -- "gemm: $text" err)" = 1 ] || fail "'$*': not said exactly once: $text"
  grep -q '^hint: ' err || fail "'$*': no way out"
  [ -s out ] && fail "'$*': printed a report"
}
refuses "--n must be an integer from 1 to 100000, but is '0'" --n 0
refuses "--n must be an integer from 1 to 100000, but is '12x'" --n 12x
refuses "--trials must be an integer from 1 to 1000, but is '-3'" --trials -3
refuses "--seconds must be a number from 0.001 to 3600, but is 'nan'" --seconds nan
refuses "--seconds needs a value" --seconds
refuses "unknown option '--size'" --size 7
refuses "three matrices of order 100000 don't fit in memory" --n 100000
gemm 2 --help
[ "$code" = 0 ] || fail "--help: exit code $code"
[ "$(grep -c '^usage: ' out)" = 1 ] || fail "--help isn't printed once"
echo "gemm reports, verifies and refuses"
