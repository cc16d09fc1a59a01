# Every grid of up to 8 ranks solves its systems: N below, at and beside multiples of NB, both
# process mappings, slices that travel between process rows; and a check that can fail, does.
kernel=hpl
. "$PROJECT/tests/mpi/ranks.sh"
. "$PROJECT/tests/mpi/hpl_dat.sh"
limit=400
also=HPL.dat

P="1 1 1 1 1 1 1 1 2 2 2 2 3 3 4 4 5 6 7 8"
Q="1 2 3 4 5 6 7 8 1 2 3 4 1 2 1 2 1 1 1 1"

# passes RANKS TESTS: that many rows, each with a residual below 16, and exit code 0.
passes() {
  run "$1"
  [ "$code" = 0 ] || fail "exit code $code"
  rows=$(grep -c '^W[RC]10R2R8 ' out)
  good=$(awk '/^\|\|Ax-b\|\|_oo\/\(eps/ && $NF == "PASSED" && $2 + 0 == $2 && $2 < 16.0 { n++ } END { print n + 0 }' out)
  [ "$rows" = "$2" ] || fail "$rows rows instead of $2"
  [ "$good" = "$2" ] || fail "$good residuals below 16 instead of $2"
  grep -q "^ *$2 tests completed and passed residual checks,$" out || fail "the footer doesn't count $2 passed tests"
  grep -q '^End of Tests\.$' out || fail "no End of Tests."
}

for ranks in 1 2 3 4 8; do
  write_hpl_dat "40 100" 16 0 "1 $ranks" "$ranks 1" 16.0
  passes $ranks 4
done
write_hpl_dat "0 1 2 37 100 131 300" "7 32 64 200" 0 "$P" "$Q" 16.0
passes 8 560
write_hpl_dat "1 5 64 131" "1 16 33" 1 "$P" "$Q" 16.0
passes 8 240
echo "on 1, 2, 3, 4 and 8 ranks, and on all grids of up to 8: 820 tests passed"

# Wider than one slice of a row exchange, and more ranks than the grids need.
write_hpl_dat "1200 2500" "96" 0 "1 1 2 2" "1 2 1 2" 16.0
passes 5 8
write_hpl_dat 4300 2100 0 2 1 16.0
passes 2 1
echo "several slices, and a panel wider than a slice: 9 tests passed"

# The matrix is that of netlib's HPL, whatever the grid: these are the norms that Debian's hpcc
# 1.5.0-3 prints for N = 100. A threshold that no solver meets makes both programs print them.
write_hpl_dat 100 32 1 "$P" "$Q" 1e-9
run 8
[ "$code" = 1 ] || fail "exit code $code of a run that failed its check"
[ "$(grep -c 'FAILED$' out)" = 20 ] || fail "not every residual failed a threshold of 1e-9"
grep -q '^ *20 tests completed and failed residual checks,$' out || fail "the footer doesn't count 20 failed tests"
for norm in '||A||_oo 28.570778' '||A||_1 27.783704' '||x||_oo 2.775421' '||x||_1 77.951231' '||b||_oo 0.493970'; do
  name=${norm% *}
  value=${norm#* }
  found=$(grep -F "$name " out | grep -c " $value$")
  [ "$found" = 20 ] || fail "$name is $value on $found grids instead of 20"
done
echo "a threshold of 1e-9 fails on every grid, with netlib's norms"

# Without a threshold nothing is checked, and that is said.
write_hpl_dat 100 32 0 2 2 0
run 4
[ "$code" = 0 ] || fail "exit code $code of an unchecked run"
grep -q 'PASSED\|FAILED' out && fail "an unchecked run claims a check"
grep -q '^ *1 tests completed without checking,$' out || fail "the footer doesn't say that nothing was checked"

# A matrix larger than the machine is skipped, and the next one runs.
write_hpl_dat "3000000 50" 32 0 1 2 16.0
run 2
[ "$code" = 1 ] || fail "exit code $code of a run that skipped a test"
grep -q '^>>> \[0,[01]\] Memory allocation failed for A, x and b. Skip. <<<$' out || fail "no word of the skipped test"
grep -q '^ *1 tests completed and passed residual checks,$' out || fail "the test after the skipped one didn't run"
grep -q '^ *1 tests skipped because of illegal input values.$' out || fail "the footer doesn't count the skipped test"
echo "unchecked and skipped tests are counted as such"
