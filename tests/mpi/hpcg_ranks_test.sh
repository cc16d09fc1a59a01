# HPCG's halos, products, cycles and solves on any number of ranks: the cases of tests/kernels/hpcg under [ranks].
kernel=hpcg
program=$BUILD/tests/test_kernel_hpcg
. "$PROJECT/tests/mpi/ranks.sh"
limit=120
export TMPDIR="$folder"
for ranks in 1 2 3 4 8; do
  run $ranks --use-colour no "[ranks]"
  [ "$code" = 0 ] || fail "on $ranks ranks: exit code $code"
  [ "$(grep -c '^All tests passed' out)" = $ranks ] || fail "not all tests passed on each of $ranks ranks"
  echo "$ranks ranks: $(grep "^All tests passed" out | sort -u)"
done
