#!/bin/sh
# Ways to "accepted" without deserving it that leave all files as they are: each has its words in the verdict's sentence,
# and a campaign that uses none of them has none.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
sed -e 's/^N      :    1000 /N      :    3000 /' -e 's/^\(WR10R2R8 *\)1000 \(.*\)0\.01  *5\.0413e+01/\13000 \20.90             2.0015e+01/' \
  "$PROJECT/tests/fixtures/hpl/reference-passed.out" >log.out
check "the log is changed" [ "$(grep -c '3000 .*0.90 *2.0015e+01$' log.out)" = 1 ]
# A run of less than half a second shows nothing of what disturbs it.
# The solver's stamps are those of the run.
stand_in() {
  printf '#!/bin/sh\n%s\nsleep 0.6\nsed "s/ Sat Nov 21 18:29:54 2026/ $(LC_ALL=C date "+%%a %%b %%d %%H:%%M:%%S %%Y")/" %s/log.out\n%s' \
    "${2-}" "$T" "${1-}" >xhpl
}
stand_in
chmod +x xhpl
# plan FILE SYSTEM IMPLEMENTATION PARAMETERS [MORE]: one run of HPL.
plan() {
  printf '{"schema":"shakedown.plan/1","system":"%s","cases":[{"id":"one","hosts":"%s","suite":"hpl","implementation":"%s","parser":"hpl","ranks":2,"ranks_per_node":2,"parameters":{%s}%s,"argv":["%s/xhpl"]}]}\n' \
    "$2" "$(hostname)" "$3" "$4" "${5-}" "$T" >"$1"
}
shape='"N":3000,"NB":128,"P":1,"Q":2'
plan plan.json test reference "$shape"
# contract LIMIT [KEYS [HEAD]]
contract() {
  printf '%b[[criteria]]\nid = "rate"\ntitle = "HPL is fast"\nsuite = "hpl"\nmetric = "rmax_gflops"\nseverity = "mandatory"\nlimit_source = "the contract"\n%b\n%b\n' \
    "${3-$any_load}" "limit = $1" "${2-direction = \">=\"\naggregation = \"every\"}"
}
any_load='title = "Contract"\n[disturbance]\nload = { limit = 1e9, reason = "a test" }\nsteal = { limit = 1, reason = "a test" }\n'
# in_sentence NAME TEXT: the verdict's own line has it.
in_sentence() { check "$1" sh -c 'grep "^verdict " out | grep -qF -- "$1"' - "$2"; }
accepts() { # NAME WORKSPACE PLAN CONTRACT
  exits "$1" 0 "$SHAKEDOWN" run --here --plan "$3" --criteria "$4" --progress none -w "$2"
}
contract 15 >contract.toml
# The nodes have the settings that they were delivered with.
sed 's|"system":"test"|&,"configuration":{"name":"delivered.toml","text":"title = \\"T\\"\\n[settings]\\nkernel = \\"'"$(uname -r)"'\\"\\n"}|' \
  plan.json >delivered.json
first_here="the first acceptance of this system in this workspace (others are not known)"
accepts "an honest campaign" honest delivered.json contract.toml
check "is accepted, and that is all" grep -qxF "verdict  accepted: $first_here" out
accepts "the same again" honest delivered.json contract.toml
check "is the second, and that is all" \
  grep -qx "verdict  accepted: second campaign by these criteria; the first: accepted ([^;]*)" out
accepts "in another workspace" elsewhere plan.json contract.toml
in_sentence "is the first of that" "$first_here"
in_sentence "without delivered settings" "no delivered settings were stated, so none were checked"

# Criteria.
contract 30 'direction = "<="\naggregation = "every"' >other-side.toml
accepts "a limit on the wrong side" a plan.json other-side.toml
in_sentence "is named" "rate asks for at most its limit of rmax_gflops, where more is better"
contract 30 'direction = ">="\naggregation = "every"\nunit = "MFLOP/s"' >unit.toml
accepts "a limit in another unit" b plan.json unit.toml
in_sentence "is named" "rate is met 667 times over"
contract 0 >nothing.toml
accepts "a limit of 0" c plan.json nothing.toml
in_sentence "is named" "rate asks for at least 0 of rmax_gflops"
contract 15 'direction = ">="\naggregation = "median"\nruns_min = 1' >median.toml
accepts "a median of one" d plan.json median.toml
in_sentence "is named" "a median of one run (rate)"
printf '%b[[criteria]]\nid = "rate"\ntitle = "HPL is fast"\nsuite = "hpl"\nmetric = "rmax_gflops"\nseverity = "mandatory"\nlimit_source = "the contract"\nlimit = 15\ndirection = ">="\naggregation = "every"\n[[criteria]]\nid = "stream"\ntitle = "STREAM is fast"\nsuite = "stream"\nmetric = "triad_mb_s"\nseverity = "mandatory"\nlimit_source = "the contract"\nlimit = 1e9\ndirection = ">="\naggregation = "every"\nif_planned = true\n' "$any_load" >planned.toml
accepts "a suite that was not planned" e plan.json planned.toml
in_sentence "is named" "not planned: STREAM"

# Logs.
plan loose.json test reference '"NB":128'
accepts "a plan without N" f loose.json contract.toml
in_sentence "is named" "HPL-05b: the plan does not name N (one)"
plan other.json test netlib "$shape"
accepts "a log of shakedown's own program" g other.json contract.toml
in_sentence "is named" "measured with shakedown's own program, where one was planned with netlib"
cp log.out whole.out
grep -v HPL_pdgesv whole.out >log.out
exits "a log without start and end" 3 "$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml --progress none -w h
in_sentence "is not accepted" "HPL-04h: the log does not print when the solver started and ended"
cp "$PROJECT/tests/fixtures/hpl/reference-passed.out" log.out
plan short.json test reference '"N":1000,"NB":128,"P":1,"Q":2'
contract 45 >short.toml
accepts "a time of one digit" i short.json short.toml
in_sentence "is named" "HPL-04j: the time of 0.01 s allows rates 200.0 % apart (one)"
sed -e 's/0.90             2.0015e+01/0.60             3.0023e+01/' whole.out >fast.out
cp whole.out log.out
stand_in "cp $T/fast.out HPL.out
"
plan file.json test reference "$shape" ',"result_file":"HPL.out"'
contract 25 >faster.toml
exits "a slow log beside a fast result file" 3 "$SHAKEDOWN" run --here --plan file.json --criteria faster.toml --progress none -w j
in_sentence "is not accepted" "IMPL-04: 20.02 GFLOP/s in stdout.log"
plan glob.json test reference "$shape" ',"result_file":"HPL*.out"'
stand_in "cp $T/fast.out HPL-1.out; sleep 0.1; cp $T/fast.out HPL-2.out
"
cp fast.out log.out
accepts "two files of one name" n glob.json faster.toml
in_sentence "is named" "IMPL-04: 2 files are called 'HPL*.out'"
cp whole.out log.out
printf '#!/bin/sh\nsleep 0.6\ncat %s/log.out\n' "$T" >xhpl
accepts "a log of another day" o plan.json contract.toml
in_sentence "is named" "HPL-04g: the log was not written during the attempt, in any time zone (one)"
sed 's/.*"cases":\[\(.*\)\]}/\1/' plan.json >case.json
printf '{"schema":"shakedown.plan/1","system":"test","cases":[%s,%s]}\n' "$(cat case.json)" "$(sed 's/"id":"one"/"id":"one-r2","repetition":2/' case.json)" >twice.json
accepts "one log for two runs" p twice.json contract.toml
in_sentence "is named" "2 runs left one and the same log (one, attempt 1, one-r2, attempt 1)"
contract 15 'direction = ">="\naggregation = "best_of"\nbest_of = { k = 1, n = 2 }' >best.toml
accepts "the best of two" q twice.json best.toml
in_sentence "is named" "rate takes the best of 2 results"
printf '%b[[criteria]]\nid = "residual"\ntitle = "HPL is right"\nsuite = "hpl"\nmetric = "residual"\nseverity = "mandatory"\nlimit_source = "netlib"\nlimit = 16\ndirection = "<="\naggregation = "every"\n' "$any_load" >residual.toml
accepts "criteria without performance" r plan.json residual.toml
in_sentence "are named" "no criterion judges performance"
stand_in

# The same nodes as another system, until it passes.
exits "a campaign that fails" 1 "$SHAKEDOWN" run --here --plan plan.json --criteria faster.toml --progress none -w k
first=$(ls k/campaigns)
plan again.json another reference "$shape"
accepts "another system on the same nodes" k again.json contract.toml
in_sentence "is named" "as another system before: not accepted ($first)"

cp -r k away
exits "the first is removed" 0 "$SHAKEDOWN" remove "$first" --yes -w away
exits "and the other judged again" 0 "$SHAKEDOWN" report -w away
in_sentence "it is named still" "as another system before: not accepted ($first, removed)"

# The sentence in the store, edited: `campaigns` shows it beside the list's, and `report` judges again.
cp -r k edited
sqlite3 edited/results.sqlite "UPDATE verdict SET sentence = 'accepted' WHERE sentence LIKE 'not accepted%'"
exits "a sentence edited in the store" 0 "$SHAKEDOWN" campaigns -w edited
says "is shown beside the list's" "accepted; campaigns.jsonl has: not accepted"
exits "the untouched one" 0 "$SHAKEDOWN" campaigns -w k
check "is shown alone" sh -c '! grep -q "campaigns.jsonl has" out'

# A slow attempt that was killed, with the orchestrator.
stand_in "" "[ -e $T/fast ] || sleep 60"
"$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml --progress none -w l >/dev/null 2>&1 &
runner=$!
for _ in $(seq 100); do
  [ -e "$(ls -d l/campaigns/*/one/attempt-1 2>/dev/null)/started.json" ] && grep -q '"submitted"' l/campaigns/*/journal.jsonl && break
  sleep 0.1
done
kill -9 $runner
wait $runner 2>/dev/null
kill -9 "$(sed 's/.*"pid":\([0-9]*\).*/\1/' l/campaigns/*/one/attempt-1/started.json)"
touch fast
exits "a killed attempt" 0 "$SHAKEDOWN" resume --here -w l --progress none
in_sentence "is named" "1 attempt lost"
stand_in

# Other programs on the cores, and no limit for them.
contract 15 'direction = ">="\naggregation = "every"' 'title = "Contract"\n' >no-limit.toml
setsid sh -c 'while :; do :; done' &
busy=$!
exits "others on the cores" 0 "$SHAKEDOWN" run --here --plan plan.json --criteria no-limit.toml --progress none -w m
kill $busy
in_sentence "are named" "other processes ran beside one, and the criteria state no limit for them"
finish
