# Wrong input ends the run at once, on all ranks, with one sentence that has a place and a way out.
kernel=hpl
. "$PROJECT/tests/mpi/ranks.sh"
. "$PROJECT/tests/mpi/hpl_dat.sh"
limit=20
also=HPL.dat
error="HPL ERROR: "
good() { write_hpl_dat "100" "32" 0 "1" "2" 16.0; }

# replaced LINE TEXT: a good HPL.dat but for one line.
replaced() {
  good
  awk -v line="$1" -v text="$2" 'NR == line { $0 = text } { print }' HPL.dat >changed
  mv changed HPL.dat
}

good
run 2
[ "$code" = 0 ] || fail "a good HPL.dat is refused"

rm HPL.dat
refuses "HPL.dat: there is no such file" 2
: >HPL.dat
refuses "HPL.dat:1: the file is empty" 2
good
for lines in 2 5 12 30; do
  good
  head -n $lines HPL.dat >cut && mv cut HPL.dat
  refuses "HPL.dat:$((lines + 1)): the file ends before line $((lines + 1)) of 31" 2
done
replaced 4 "stdout"
refuses "HPL.dat:4: device out must be an integer, but found 'stdout'" 2
replaced 5 "0 Ns"
refuses "HPL.dat:5: the number of values of N must be at least 1, but found '0'" 2
replaced 5 "21 Ns"
refuses "HPL.dat:5: the number of values of N must be at most 20, but found '21'" 2
replaced 5 "2 Ns"
refuses "HPL.dat:6: N must be an integer, but found 'Ns'" 2
replaced 6 "ten Ns"
refuses "HPL.dat:6: N must be an integer, but found 'ten'" 2
replaced 6 "-1 Ns"
refuses "HPL.dat:6: N must be at least 0, but found '-1'" 2
replaced 6 "100.5 Ns"
refuses "HPL.dat:6: N must be an integer, but found '100.5'" 2
replaced 6 "99999999999 Ns"
refuses "HPL.dat:6: N is too large: found '99999999999'" 2
replaced 6 ""
refuses "HPL.dat:6: N must be an integer, but the line has no more values" 2
replaced 8 "0 NBs"
refuses "HPL.dat:8: NB must be at least 1, but found '0'" 2
replaced 9 "2 PMAP"
refuses "HPL.dat:9: PMAP must be at most 1, but found '2'" 2
replaced 11 "0 Ps"
refuses "HPL.dat:11: P must be at least 1, but found '0'" 2
replaced 12 "-2 Qs"
refuses "HPL.dat:12: Q must be at least 1, but found '-2'" 2
replaced 13 "sixteen"
refuses "HPL.dat:13: the threshold must be a number, but the line begins with 'sixteen'" 2
replaced 13 "nan"
refuses "HPL.dat:13: the threshold must be a number" 2
replaced 15 "left"
refuses "HPL.dat:15: PFACT must be an integer, but found 'left'" 2
replaced 31 "-8"
refuses "HPL.dat:31: memory alignment must be at least 0, but found '-8'" 2
replaced 12 "4 Qs"
refuses "the grid P x Q = 1 x 4 needs 4 ranks, but 2 were started" 2
replaced 11 "2147483647 Ps"
refuses "needs 4294967294 ranks" 2
replaced 4 "8"
sed -i '3s|.*|/no/such/folder/HPL.out|' HPL.dat
refuses "HPL.dat:3: can't write the output file '/no/such/folder/HPL.out'" 2
write_hpl_dat 4000000 1024 0 1 2 16.0
refuses "HPL.dat:8: NB = 1024 with N = 4000000 and P = 1 makes panels larger than one MPI message" 2
good
head -c 4096 "$LIBEXEC/hpl" >HPL.dat
refuses "HPL.dat:" 2

good
error="hpl: "
refuses "unknown argument '--block'" 2 --block 3
prints_help

# The report goes where lines 3 and 4 say.
for device in 7 8; do
  replaced 4 $device
  run 2
  [ "$code" = 0 ] || fail "device out $device: exit code $code"
  [ -s out ] && fail "device out $device wrote to stdout"
  [ $device = 7 ] && report=err || report=HPL.out
  grep -q '^End of Tests\.$' $report || fail "device out $device: no report in $report"
done

# Netlib's file ends after 31 lines; hpcc's goes on.
good
echo "##### This line (no. 32) is ignored #####" >>HPL.dat
run 2
[ "$code" = 0 ] || fail "a file of more than 31 lines is refused"
