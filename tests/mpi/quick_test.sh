#!/bin/sh
# The whole path with real MPI: quick from discovery to report; criteria that fail, that are met and that can't be
# judged; a result that is invalid; an installed prefix that was moved.
. "$PROJECT/tests/cli/check.sh"
cd "$T" || exit 1
# Under a sanitizer the kernels are slow and Open MPI leaks: neither is what is tested here.
ASAN_OPTIONS=detect_leaks=0
export ASAN_OPTIONS

"$SHAKEDOWN" quick --here --suite hpl --suite stream --minutes 0.1 >out 2>err
code=$?
verdict=$(sed -n 's/^verdict  //p' out)
report=$(sed -n 's/^report   //p' out)
echo "      | exit $code: $verdict"
case $code in
  0) check "passed says screening passed" [ "${verdict%%:*}" = "screening passed" ] ;;
  1) check "failed says so" [ "${verdict#screening failed}" != "$verdict" ] ;;
  3) check "undecided says so" [ "${verdict#screening undecided}" != "$verdict" ] ;;
  *) check "exit code $code is one of 0, 1, 3" false ;;
esac
check "whose speed was judged is said" grep -q "^         \(Speed was judged for\|No speed was judged\)" out
[ $code != 0 ] || grep -q "^cause " err || check "what to type next is said" grep -q "^next     the operator keeps this report.*shakedown init -o " err
check "never accepted" sh -c '! grep -qi accepted out'
check "the report is there" [ -s "$report" ]
results=$(dirname "$report")/results.json
check "results.json has the schema" grep -q '"schema": *"shakedown.results/1"' "$results"
db() { sqlite3 shakedown-runs/results.sqlite "$1"; }
check "a finished attempt of each case" [ "$(db 'SELECT count(DISTINCT case_id) FROM attempt WHERE state = "finished"')" = 3 ]
check "both screens are valid" [ "$(db "SELECT group_concat(DISTINCT validity) FROM result WHERE suite IN ('gemm', 'stream')")" = valid ]
check "and STREAM's four rates are kept" [ "$(db "SELECT count(DISTINCT name) FROM metric WHERE name IN ('copy_mb_s', 'scale_mb_s', 'add_mb_s', 'triad_mb_s')")" = 4 ]
check "HPL is valid" [ "$(db "SELECT DISTINCT validity FROM result WHERE suite = 'hpl'")" = valid ]
check "by nobody else's name" [ "$(db "SELECT DISTINCT implementation FROM result WHERE suite = 'hpl'")" = reference ]
exits "its log parses by hand" 0 "$SHAKEDOWN" parse shakedown-runs/campaigns/*/hpl-reference-1n/attempt-1/stdout.log
says "to the same validity" '"validity":"valid"'
exits "compare finds nothing that one node shares with 98" 3 "$SHAKEDOWN" compare --baseline sakuraone
says "and refuses the absolute rate" "not comparable"

rm -rf again
cp -r shakedown-runs again
rm again/results.sqlite*
"$SHAKEDOWN" resume --here -w again >out2 2>err2
check "a lost database is rebuilt to the same exit code" [ $? = $code ]
values='SELECT group_concat(line, "; ") FROM (SELECT case_id || "/" || k || " " || name || " " || value AS line FROM metric
  JOIN result ON result.id = result_id JOIN attempt ON attempt.id = attempt_id ORDER BY line)' # a rebuilt store has them by case
check "with the same results" [ "$(sqlite3 again/results.sqlite "$values")" = "$(db "$values")" ]

# Criteria decide: one that no machine meets, one that any meets. (Idle limits out of reach: this machine may be busy.)
criteria() {
  cat <<C
title = "test"
[disturbance.steal]
limit = 1.0
reason = "not judged here"
[disturbance.load]
limit = 1000.0
reason = "not judged here"
[disturbance.gemm_spread]
limit = 100.0
reason = "not judged here"
[[criteria]]
id = "rate"
title = "HPL reaches $1 GFLOP/s"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = $1
aggregation = "median"
severity = "mandatory"
limit_source = "the test"
C
}
criteria 1e9 >hard.toml
criteria 1e-9 >easy.toml
"$SHAKEDOWN" plan --suite hpl --implementation reference --minutes 0.1 -o plan.json 2>err
exits "a criterion that fails: exit 1" 1 "$SHAKEDOWN" run --here --plan plan.json --criteria hard.toml -w hard
says "not accepted" "not accepted"
exits "a criterion that is met: exit 0" 0 "$SHAKEDOWN" run --here --plan plan.json --criteria easy.toml -w easy
says "accepted" "verdict  accepted"
exits "no criteria: undecided" 3 "$SHAKEDOWN" run --here --plan plan.json -w none

# A residual that fails its check is invalid, whatever the rate: the threshold in HPL.dat is made impossible.
sed 's/16\.0 *threshold/1e-9 threshold/' plan.json >invalid.json
check "the threshold was altered" sh -c '! cmp -s plan.json invalid.json'
exits "an invalid result: undecided, never passed" 3 "$SHAKEDOWN" run --here --plan invalid.json --criteria easy.toml -w invalid
says "says invalid" "invalid"

# Without mpirun nothing is started.
mkdir bin
for tool in sh env ldd; do ln -s "$(command -v $tool)" bin/; done
exits "no mpirun: exit 4 before the start" 4 env PATH="$T/bin" "$SHAKEDOWN" run --here --plan plan.json -w nompi
says "and what installs it" "openmpi-bin"
check "no campaign was made" [ ! -e nompi ]

# An installation finds its kernels and data from its own path, also after it was moved.
cmake --install "$BUILD" --prefix "$T/prefix" >install.log 2>&1 || { cat install.log; check "install" false; }
mv prefix moved
exits "a moved prefix plans with its own kernel" 0 moved/bin/shakedown plan --suite hpl --implementation reference --json
says "by its path" "$T/moved/libexec/shakedown/hpl"
finish
