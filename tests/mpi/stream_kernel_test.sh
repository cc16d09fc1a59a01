# The stream screen reports in STREAM's grammar on any number of ranks, checks its arrays and refuses wrong input.
kernel=stream
. "$PROJECT/tests/mpi/ranks.sh"

for ranks in 1 2 3 4 8; do
  run $ranks --elements 100000 --times 5
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
OMP_NUM_THREADS=2
run 1 --elements 100001
OMP_NUM_THREADS=1
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
if [ -n "$sanitized" ]; then
  echo "not checked here: that a wrong element is found (AddressSanitizer has its own aligned_alloc)"
elif plants wrong "a wrong element is found"; then
  run 2 --elements 100000 --times 4
  more=
  [ "$code" = 1 ] || fail "a wrong element: exit code $code"
  grep -q '^Failed Validation on array a\[\], ' out || fail "a wrong element isn't found"
  grep -q '^Solution Validates' out && fail "a wrong element passes"
fi

refuses "--elements must be an integer from 1 to 2000000000, but is '0'" 2 --elements 0
refuses "--elements must be an integer from 1 to 2000000000, but is '1e6'" 2 --elements 1e6
refuses "--times must be an integer from 2 to 100000, but is '1'" 2 --times 1
refuses "--times needs a value" 2 --times
refuses "unknown option '--size'" 2 --size 7
refuses "unknown option '200'" 3 200
if awk '/^MemTotal/ { exit !($2 < 90e6) }' /proc/meminfo; then
  refuses "three arrays of 2000000000 elements for each rank don't fit in memory" 2 --elements 2000000000
fi
prints_help
echo "stream reports, validates and refuses"
