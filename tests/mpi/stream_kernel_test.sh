# The stream screen reports in STREAM's grammar on any number of ranks, checks its arrays and refuses wrong input.
if ! command -v mpirun >/dev/null; then
  echo "SKIPPED: mpirun is not installed"
  exit 77
fi
if [ ! -x "$LIBEXEC/stream" ]; then
  echo "SKIPPED: $LIBEXEC/stream was not built (it needs MPI and a CBLAS)"
  exit 77
fi

# Open MPI keeps memory until exit, which LeakSanitizer takes for leaks of ours.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
export OMP_WAIT_POLICY=passive
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
# Open MPI gives ranks a second or two to end after one exited with an error; these end by themselves.
export OMPI_MCA_odls_base_sigkill_timeout=0
as_root=
[ "$(id -u)" = 0 ] && as_root=--allow-run-as-root

# stream RANKS ARGUMENT...: its exit code in code.
stream() {
  ranks=$1
  shift
  # shellcheck disable=SC2086
  timeout -k 5 60 mpirun $as_root --oversubscribe --bind-to none $preload -np "$ranks" "$LIBEXEC/stream" "$@" >out 2>err
  code=$?
}

fail() {
  echo "FAILED: $*"
  cat out err
  exit 1
}

for ranks in 1 2 3 4 8; do
  stream $ranks --elements 100000 --times 5
  [ "$code" = 0 ] || fail "exit code $code on $ranks ranks"
  head -n 1 out | grep -q '^shakedown STREAM reference 0\.1\.0 ' || fail "no banner"
  grep -q "^Ranks: $ranks\$" out || fail "the ranks aren't counted"
  grep -q "^Total Aggregate Array size = ${ranks}00000 (elements)$" out || fail "the elements aren't added up"
  grep -q '^Solution Validates: ' out || fail "the arrays aren't validated"
  # The rates are those of all ranks, and follow from the shortest time.
  awk -v n=${ranks}00000 '{ arrays = 0 } $1 == "Copy:" || $1 == "Scale:" { arrays = 2 } $1 == "Add:" || $1 == "Triad:" { arrays = 3 }
       arrays { rows++; bytes = 8 * arrays * n * 1e-6
                if ($2 > bytes / ($4 - 6e-7) || $2 < bytes / ($4 + 6e-7) || $4 > $3 + 2e-6 || $3 > $5 + 2e-6) bad = 1 }
       END { exit bad || rows != 4 }' out || fail "the rates don't follow from the times"
done
OMP_NUM_THREADS=2 stream 1 --elements 100001
[ "$code" = 0 ] || fail "exit code $code with two threads"
grep -q '^Number of Threads counted = 2$' out || fail "the threads aren't counted"

# Memory that loses one number is found out, on whichever rank.
cat >wrong.c <<'C'
#include <dlfcn.h>
#include <mpi.h>
#include <stddef.h>
static double* first;
void* aligned_alloc(size_t alignment, size_t size) {
  void* (*right)(size_t, size_t) = dlsym(RTLD_NEXT, "aligned_alloc");
  double* memory = right(alignment, size);
  if (first == NULL && size > 800000) first = memory;
  return memory;
}
int MPI_Barrier(MPI_Comm comm) {
  static int calls;
  int rank;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 1 && ++calls == 13 && first != NULL) first[99999] *= 1.0001;
  return PMPI_Barrier(comm);
}
C
if command -v mpicc >/dev/null && mpicc -D_GNU_SOURCE -shared -fPIC -o wrong.so wrong.c -ldl 2>/dev/null && ! grep -q __asan_init "$LIBEXEC/stream"; then
  preload="-x LD_PRELOAD=$folder/wrong.so"
  stream 2 --elements 100000 --times 4
  preload=
  [ "$code" = 1 ] || fail "a wrong element: exit code $code"
  grep -q '^Failed Validation on array a\[\], ' out || fail "a wrong element isn't found"
  grep -q '^Solution Validates' out && fail "a wrong element passes"
else
  echo "not checked here: that a wrong element is found (AddressSanitizer must be loaded first, or there is no mpicc)"
fi

# refuses TEXT ARGUMENT...
refuses() {
  text=$1
  shift
  stream 2 "$@"
  [ "$code" = 2 ] || fail "'$*': exit code $code"
  [ "$(grep -cF -- "stream: $text" err)" = 1 ] || fail "'$*': not said exactly once: $text"
  grep -q '^hint: ' err || fail "'$*': no way out"
  [ -s out ] && fail "'$*': printed a report"
}
refuses "--elements must be an integer from 1 to 2000000000, but is '0'" --elements 0
refuses "--elements must be an integer from 1 to 2000000000, but is '1e6'" --elements 1e6
refuses "--times must be an integer from 2 to 100000, but is '1'" --times 1
refuses "--times needs a value" --times
refuses "unknown option '--size'" --size 7
if awk '/^MemTotal/ { exit !($2 < 90e6) }' /proc/meminfo; then
  refuses "three arrays of 2000000000 elements for each rank don't fit in memory" --elements 2000000000
fi
stream 2 --help
[ "$code" = 0 ] || fail "--help: exit code $code"
[ "$(grep -c '^usage: ' out)" = 1 ] || fail "--help isn't printed once"
echo "stream reports, validates and refuses"
