# Wrong input ends the run at once, on all ranks, with one sentence that has a place and a way out.
. "$PROJECT/tests/mpi/hpl_dat.sh"
limit=20

# refuses WHAT TEXT: the HPL.dat at hand, for the reason TEXT.
refuses() {
  mpi "${ranks:-2}"
  [ "$code" = 124 ] && fail "$1: hangs"
  [ "$code" = 2 ] || fail "$1: exit code $code"
  [ "$(grep -c '^HPL ERROR: ' err)" = 1 ] || fail "$1: not said exactly once"
  grep -qF -- "$2" err || fail "$1: the error doesn't say '$2'"
  [ "$(grep -c '^hint: ' err)" = 1 ] || fail "$1: no way out"
  [ -s out ] && fail "$1: wrote a report"
  echo "refused: $(grep '^HPL ERROR' err)"
}

good() { write_hpl_dat "100" "32" 0 "1" "2" 16.0; }

# replaced LINE TEXT: a good HPL.dat but for one line.
replaced() {
  good
  awk -v line="$1" -v text="$2" 'NR == line { $0 = text } { print }' HPL.dat >changed
  mv changed HPL.dat
}

good
mpi 2
[ "$code" = 0 ] || fail "a good HPL.dat is refused"

rm HPL.dat
refuses "no file" "HPL ERROR: HPL.dat: there is no such file"
: >HPL.dat
refuses "empty file" "HPL ERROR: HPL.dat:1: the file is empty"
good
for lines in 2 5 12 30; do
  good
  head -n $lines HPL.dat >cut && mv cut HPL.dat
  refuses "cut after line $lines" "HPL.dat:$((lines + 1)): the file ends before line $((lines + 1)) of 31"
done
replaced 4 "stdout"
refuses "device" "HPL.dat:4: device out must be an integer, but found 'stdout'"
replaced 5 "0 Ns"
refuses "no N" "HPL.dat:5: the number of values of N must be at least 1, but found '0'"
replaced 5 "21 Ns"
refuses "too many N" "HPL.dat:5: the number of values of N must be at most 20, but found '21'"
replaced 5 "2 Ns"
refuses "fewer N than said" "HPL.dat:6: N must be an integer, but found 'Ns'"
replaced 6 "ten Ns"
refuses "N is a word" "HPL.dat:6: N must be an integer, but found 'ten'"
replaced 6 "-1 Ns"
refuses "negative N" "HPL.dat:6: N must be at least 0, but found '-1'"
replaced 6 "100.5 Ns"
refuses "broken N" "HPL.dat:6: N must be an integer, but found '100.5'"
replaced 6 "99999999999 Ns"
refuses "huge N" "HPL.dat:6: N is too large: found '99999999999'"
replaced 6 ""
refuses "empty line" "HPL.dat:6: N must be an integer, but the line has no more values"
replaced 8 "0 NBs"
refuses "NB 0" "HPL.dat:8: NB must be at least 1, but found '0'"
replaced 9 "2 PMAP"
refuses "PMAP 2" "HPL.dat:9: PMAP must be at most 1, but found '2'"
replaced 11 "0 Ps"
refuses "P 0" "HPL.dat:11: P must be at least 1, but found '0'"
replaced 12 "-2 Qs"
refuses "Q -2" "HPL.dat:12: Q must be at least 1, but found '-2'"
replaced 13 "sixteen"
refuses "threshold" "HPL.dat:13: the threshold must be a number, but the line begins with 'sixteen'"
replaced 13 "nan"
refuses "threshold nan" "HPL.dat:13: the threshold must be a number"
replaced 15 "left"
refuses "PFACT" "HPL.dat:15: PFACT must be an integer, but found 'left'"
replaced 31 "-8"
refuses "alignment" "HPL.dat:31: memory alignment must be at least 0, but found '-8'"
replaced 12 "4 Qs"
refuses "too few ranks" "the grid P x Q = 1 x 4 needs 4 ranks, but 2 were started"
replaced 11 "2147483647 Ps"
refuses "grid beyond int" "needs 4294967294 ranks"
replaced 4 "8"
sed -i '3s|.*|/no/such/folder/HPL.out|' HPL.dat
refuses "output file" "HPL.dat:3: can't write the output file '/no/such/folder/HPL.out'"
write_hpl_dat 4000000 1024 0 1 2 16.0
refuses "panels too large" "HPL.dat:8: NB = 1024 with N = 4000000 and P = 1 makes panels larger than one MPI message"
good
head -c 4096 "$LIBEXEC/hpl" >HPL.dat
refuses "not text" "HPL ERROR: HPL.dat:"

good
# shellcheck disable=SC2086
timeout -k 5 20 mpirun $as_root --oversubscribe --bind-to none -np 2 "$LIBEXEC/hpl" --block 3 >out 2>err
[ $? = 2 ] || fail "an unknown argument is accepted"
[ "$(grep -c "^hpl: unknown argument '--block'$" err)" = 1 ] || fail "the unknown argument isn't named once"
# shellcheck disable=SC2086
timeout -k 5 20 mpirun $as_root --oversubscribe --bind-to none -np 2 "$LIBEXEC/hpl" --help >out 2>err || fail "--help fails"
[ "$(grep -c '^usage: ' out)" = 1 ] || fail "--help isn't printed once"

# The report goes where lines 3 and 4 say.
for device in 7 8; do
  replaced 4 $device
  mpi 2
  [ "$code" = 0 ] || fail "device out $device: exit code $code"
  [ -s out ] && fail "device out $device wrote to stdout"
  [ $device = 7 ] && report=err || report=HPL.out
  grep -q '^End of Tests\.$' $report || fail "device out $device: no report in $report"
done

# Netlib's file ends after 31 lines; hpcc's goes on.
good
echo "##### This line (no. 32) is ignored #####" >>HPL.dat
mpi 2
[ "$code" = 0 ] || fail "a file of more than 31 lines is refused"
