#!/bin/sh
# Scheduled checks on this machine: what they measure, compare and say; what is skipped; what survives a kill.
. "$(dirname -- "$0")/checks.sh"
command -v mpirun >/dev/null || { echo "SKIPPED: no mpirun here"; exit 77; }
config r.toml '[coverage]\ndays = 2\n'

exits "the first check" 0 regress_once r.toml
says "learns, which is no alarm" "regression check: no alarm in 1 series; still learning 1 series: an alarm by its own history takes 9 checks"
says "shows the coverage" "coverage: 1 of 1 nodes seen within 2 days"
at=$(newest)
first=$(basename "$at")
check "its campaign is a regression" [ "$(value "$at/campaign.json" 'd["kind"]')" = regression ]
check "with its own configuration" cmp r.toml "$at/regression.toml"
check "each case is run twice" [ "$(ls -d "$at"/gemm-*/attempt-1 | wc -l)" = 2 ]
check "the report has a section of it" grep -q '<section id="regression">' "$at/report.html"
check "results.json too" [ "$(value "$at/results.json" 'd["regression"]["schema"]')" = shakedown.regression/1 ]
check "and its sentence is the campaign's" [ "$(value "$at/results.json" 'd["sentence"] == d["regression"]["sentence"]')" = True ]
exits "report shows it again, by the same verdict" 0 "$SHAKEDOWN" report -w w
says "from the check's folder" "regression check: no alarm in"
regress_once r.toml >second.out 2>&1
regress_once r.toml --json >third.json 2>err
check "a check as JSON says how far it has learnt" [ "$(value third.json 'd["series"][0]["state"]')" = "learning (2 of 8)" ]
check "and keeps every run" [ "$(value third.json '[len(p["runs"]) for p in d["series"][0]["checks"]]')" = "[2, 2, 2]" ]

# The floor holds from the first check on, and one that is not known is no success.
config floor.toml '[[floor.limits]]\nsuite = "gemm"\nmetric = "fp64_gflops"\nlimit = 1000\n'
exits "a floor that is not reached" 1 regress_once floor.toml
says "is said" "below the contract's floor: gemm/reference FP64 rate on"
config accepted.toml '[floor]\nrelative_to = "accepted"\nfactor = 0.9\n'
exits "a floor of a campaign that nobody accepted" 3 regress_once accepted.toml
says "is no success" "its floor is not known: no campaign of this system is accepted yet"
config first.toml "[floor]\nrelative_to = \"$first\"\nfactor = 0.9\n"
exits "nine tenths of the first check" 0 regress_once first.toml
says "are kept" "all above their floors"

# Two at once: one runs.
begun() { ls w/campaigns/*/gemm-*/attempt-1/started.json | wc -l; }
echo 3 >takes
before=$(begun)
regress_once r.toml >one.out 2>&1 &
for _ in $(seq 200); do [ "$(begun)" -gt "$before" ] && break; sleep 0.05; done
exits "a second check at the same time" 75 regress_once r.toml
says "is skipped and says why" "skipped  another check is under way (process "
says "and is counted" "skipped: 1 check of this system so far, 1 since the last one made"
exits "one more, as JSON" 75 regress_once r.toml --json
check "is a document" [ "$(value "$T/out" 'd["skipped"], d["skipped_checks"], d["exit_code"]')" = "(True, 2, 75)" ]
wait $!
check "the first comes to its verdict" [ $? = 0 ]
check "which counts the skipped ones" grep -q 'skipped: 2 checks of this system so far' one.out

# Killed in the middle: the next one goes on with it.
before=$(begun)
"$SHAKEDOWN" regress --here --config r.toml -w w --progress none >two.out 2>&1 &
two=$!
for _ in $(seq 200); do [ "$(begun)" -gt "$before" ] && break; sleep 0.05; done
kill -9 $two
wait $two 2>/dev/null
rm takes
cut=$(newest)
check "a killed check has no verdict" [ ! -e "$cut/regression.json" ]
exits "report says what is to be done" 3 "$SHAKEDOWN" report -w w
says "in words" "the next \`shakedown regress\` resumes it"
exits "the next check" 0 regress_once floor.toml
says "goes on with it, by its own configuration" "resumes the interrupted check $(basename "$cut")"
check "it has its verdict now" [ -s "$cut/regression.json" ]
check "its first run was not made twice" [ "$(ls -d "$cut"/gemm-*/attempt-* | wc -l)" = 2 ]
check "no other campaign was begun" [ "$(newest)" = "$cut" ]

# A loss of 5 % after 12 checks is an alarm, once repeats have borne it out.
for _ in 9 10 11 12; do regress_once r.toml >twelfth.out 2>&1 || echo "FAIL  a steady machine: $(cat twelfth.out)"; done
check "12 checks of a steady machine are in control" grep -q 'in control' twelfth.out
check "all of it has been learnt" sh -c '! grep -q "still learning" twelfth.out'

# A suspicion of a check that was cut short weeks ago: a machine that was mended since clears it of nothing.
cp runs runs.kept
cp -a w suspect
echo 95 >rate
echo 3 >takes
"$SHAKEDOWN" regress --here --config r.toml -w suspect --progress none >/dev/null 2>&1 &
for _ in $(seq 400); do [ "$(ls -d suspect/campaigns/* | wc -l)" -gt "$(ls -d w/campaigns/* | wc -l)" ] && break; sleep 0.05; done
cut=$(ls -td suspect/campaigns/* | head -n 1)
for _ in $(seq 400); do [ "$(ls "$cut"/gemm-*/attempt-1/started.json 2>/dev/null | wc -l)" = 2 ] && break; sleep 0.05; done
kill -9 $!
wait $! 2>/dev/null
for _ in $(seq 400); do [ "$(ls "$cut"/gemm-*/attempt-1/finished.json 2>/dev/null | wc -l)" = 2 ] && break; sleep 0.05; done
rm takes
check "a check with a loss is cut short behind its last run" [ ! -e "$cut/regression.json" ]
python3 - <<'P'
import glob, json
for file in glob.glob("suspect/campaigns/*/campaign.json"):
    d = json.load(open(file))
    d["created_s"] -= 49 * 3600
    json.dump(d, open(file, "w"))
lines = [json.loads(line) for line in open("suspect/regression.jsonl")]
for line in lines: line["at_s"] -= 49 * 3600
open("suspect/regression.jsonl", "w").writelines(json.dumps(line) + "\n" for line in lines)
P
rm suspect/results.sqlite*
"$SHAKEDOWN" import suspect/campaigns -w suspect >/dev/null
echo 100 >rate
exits "its verdict, when two more were due" 3 "$SHAKEDOWN" regress --here --config r.toml -w suspect --progress none
says "leaves the suspicion open" "its repeats would be of another time, and the suspicion stays open"
check "and repeats nothing" [ "$(ls -d "$cut"/gemm-*/attempt-* | wc -l)" = 2 ]
mv runs.kept runs
echo 95 >rate
for _ in 1 2 3 4; do
  regress_once r.toml --json >slow.json 2>slow.err
  code=$?
  [ $code = 1 ] && break
done
check "a loss of 5 % is found within 4 checks" [ $code = 1 ]
check "the alarm says by how much and against what" grep -q '"sentence": "regression check: alarm: gemm/reference FP64 rate on .* below the control region of ' slow.json
check "repeats have borne it out" [ "$(value slow.json 'len(d["series"][0]["checks"][-1]["runs"]) > 2')" = True ]
check "they were announced" grep -q 'suspicion: [0-9]* more runs decide' slow.err
at=$(newest)
check "the report explains it" grep -q 'below the control region of' "$at/report.html"
check "and the campaign has failed" [ "$(value "$at/results.json" 'd["verdict"]')" = fail ]

# A suspicion whose repeats fail ends: it stays one, and is told.
echo $(($(cat runs) + 2)) >limit
exits "a suspicion whose repeats fail" 3 timeout 120 "$SHAKEDOWN" regress --here --config r.toml -w w --progress none
says "stays one" "its repeats failed, and the suspicion stays open: gemm-reference-1n-r3: "
check "after one round" [ "$(grep -c suspicion: "$T/err")" = 1 ]
rm limit

# What is configured and can't be planned here is missing from each check.
config gpus.toml
printf '[[runs]]\nsuite = "hpl"\nimplementation = "nvidia"\n' >>gpus.toml
exits "a run that needs a GPU, on a machine without" 3 "$SHAKEDOWN" regress --here --config gpus.toml -w gpus --progress none
says "is missing, by name" "undecided: hpl: hpl nvidia can't be planned: "
check "in its report, too" grep -q "hpl nvidia can.*t be planned" gpus/campaigns/*/report.html

# Another program is another machine: its series begin anew, and that is said.
sed -i 's/^# Seconds/# New: seconds/' gemm
exits "a check with another program" 0 regress_once r.toml
# In one line; mounts of other tests may be before it.
check "begins anew" grep -q "has changed since its last check; its series start again: \(.*; \)\{0,1\}sha256 $T/gemm: " "$T/out" "$T/err"
says "and learns" "still learning 1 series"

# The state is in the workspace: it survives the store.
rm w/results.sqlite*
exits "the store again from the folders" 0 "$SHAKEDOWN" import w/campaigns -w w
regress_once r.toml --json >last.json 2>err
check "skips are still counted" [ "$(value last.json 'd["skipped_checks"]')" = 2 ]
check "no check is missing" [ "$(value last.json 'len(d["series"][0]["checks"])')" = "$(ls -d w/campaigns/* | wc -l)" ]
check "the control region still begins where it did" [ "$(value last.json 'len(d["series"][0]["checks"]) - d["series"][0]["control_from"]')" = 2 ]

# A check of another host that crashed: its lock is left to it for a while, then taken over.
claim() { printf 'held    \nprocess 77 on node2\nstart 5\nboot another\nspace 1/2\nsince 2026-11-22T10:00:00Z\n' >w/regress.lock.999; }
claim
exits "a check beside one of another host" 75 regress_once r.toml
says "is skipped, and the lock is named" "(process 77 on node2 since 2026-11-22T10:00:00Z, by $T/w/regress.lock); a check without a heartbeat for 5m 00s is taken over"
touch -d '2 days ago' w/regress.lock.999
exits "once that one has been silent for long" 0 regress_once r.toml
says "it is taken over" "lock: taken over from process 77 on node2"

# An alarm gets out whatever else fails, and a failure does, too.
printf '#!/bin/sh\ncat >>%s/told\n' "$T" >teller
chmod +x teller
regress() { "$SHAKEDOWN" regress --here --config "$1" -w t --progress none; }
begun() { for _ in $(seq 200); do ls t/campaigns/*/gemm-*/attempt-1/started.json >/dev/null 2>&1 && break; sleep 0.05; done; }
config tell.toml "[notify]\ncommand = [\"$T/teller\"]\n[[floor.limits]]\nsuite = \"gemm\"\nmetric = \"fp64_gflops\"\nlimit = 1000\n"
echo 5 >takes
"$SHAKEDOWN" regress --here --config tell.toml -w t --progress none >/dev/null 2>&1 &
begun
"$SHAKEDOWN" regress --here --config tell.toml -w t --progress none --metrics skipped.prom >/dev/null 2>&1
check "a skip is in the metrics at once" grep -q '^shakedown_checks_skipped_total{.*} 1$' skipped.prom
kill -9 $!
wait $! 2>/dev/null
rm takes
mkdir -p "$(ls -d t/campaigns/*)/report.html/stands-for-a-full-disk"
exits "an alarm of a check whose report can't be written" 1 "$SHAKEDOWN" regress --here --config tell.toml -w t --progress none --metrics /proc/none/x.prom
says "is said" "below the contract's floor"
says "with what failed" "report not written: "
says "and that the metrics did" "metrics not written: "
check "and told" grep -q '"exit_code": 1' told
chmod -x teller
exits "a telling that fails" 1 regress tell.toml
says "is said" "not notified: "
chmod +x teller
: >told
exits "the next check" 1 regress tell.toml
check "tells of both" [ "$(grep -c '"exit_code": 1' told)" = 2 ]
sed '/^\[\[runs/,$d' tell.toml >fails.toml
printf '[[runs]]\nsuite = "hpl"\nimplementation = "nvidia"\n' >>fails.toml
: >told
exits "a check of which nothing can be planned" 2 "$SHAKEDOWN" regress --here --config fails.toml -w t --progress none --metrics t.prom
check "is told" grep -q '"sentence": "regression check: failed: ' told
check "and counted" grep -q '^shakedown_checks_failed_total{.*} 1$' t.prom
check "beside the series as they were measured last" grep -q '^shakedown_series_below_floor{.*metric="fp64_gflops".*} 1$' t.prom

# So does one that comes before there is a check.
{ echo 'system = "nowhere"'; cat tell.toml; } >nowhere.toml
: >told
exits "a system that nobody knows" 2 "$SHAKEDOWN" regress --here --config nowhere.toml -w t --progress none --metrics t.prom
check "is told" grep -q '"sentence": "regression check: failed: .*nowhere' told
check "and counted" grep -q '^shakedown_checks_failed_total{.*} 2$' t.prom
: >told
sed 's/"fp64_gflops"/"bogus"/' tell.toml >bogus.toml
: >told
exits "a floor of a metric that nobody knows" 2 "$SHAKEDOWN" regress --here --config bogus.toml -w t --progress none --metrics t.prom
check "is told" grep -q '"sentence": "regression check: failed: .*bogus' told
check "and counted" grep -q '^shakedown_checks_failed_total{.*} 3$' t.prom
mkdir shared
for system in alpha beta; do sed -n '/"event":"check"/p' t/regression.jsonl | sed "s/\"system\":\"[^\"]*\"/\"system\":\"$system\"/"; done >shared/regression.jsonl
check "a log of two systems" [ "$(wc -l <shared/regression.jsonl)" -ge 2 ]
: >told
exits "the same in a workspace of several systems" 2 "$SHAKEDOWN" regress --here --config nowhere.toml -w shared --progress none
check "is told of none of these" [ "$(value told 'd["system"]')" = nowhere ]
: >told
cp t.prom kept.prom
exits "a workspace that can't be made" 4 "$SHAKEDOWN" regress --here --config tell.toml -w /proc/none/w --progress none --metrics t.prom
check "leaves the metrics as they are" cmp t.prom kept.prom
check "is told, too" grep -q '"sentence": "regression check: failed: /proc/none' told

# A check that was cut short, and that this version can't go on with.
echo 5 >takes
"$SHAKEDOWN" regress --here --config tell.toml -w old --progress none >/dev/null 2>&1 &
for _ in $(seq 200); do ls old/campaigns/*/gemm-*/attempt-1/started.json >/dev/null 2>&1 && break; sleep 0.05; done
kill -9 $!
wait $! 2>/dev/null
rm takes
cut=$(ls -d old/campaigns/*)
sed -i '1i since_then = 1' "$cut/regression.toml"
: >told
exits "the next check" 1 "$SHAKEDOWN" regress --here --config tell.toml -w old --progress none
says "gives it up and says why" "abandoned: check $(basename "$cut"): it can't be read: "
check "that is told" grep -q '"sentence": "regression check: undecided: abandoned: ' told
check "it has a verdict" [ "$(value "$cut/regression.json" 'd["exit_code"]')" = 3 ]
check "and a new one was made" [ "$(ls -d old/campaigns/* | wc -l)" = 2 ]

# A change that a check found which was given up is found by the next one; runs that are added to it count nowhere.
exits "a check before a change" 0 "$SHAKEDOWN" regress --here --config r.toml -w chg --progress none
sed -i 's/^# New: seconds/# Newer: seconds/' gemm
echo 1 >takes
"$SHAKEDOWN" regress --here --config r.toml -w chg --progress none >/dev/null 2>&1 &
for _ in $(seq 200); do ls chg/campaigns/*/gemm-*/attempt-1/started.json | wc -l | grep -qx 4 && break; sleep 0.05; done
kill -9 $!
wait $! 2>/dev/null
rm takes
cut=$(ls -d chg/campaigns/* | tail -n 1)
exits "a check instead of one that was cut short behind it" 0 "$SHAKEDOWN" regress --abandon --here --config r.toml -w chg --progress none
check "finds the change" grep -q "has changed since its last check; its series start again: \(.*; \)\{0,1\}sha256 $T/gemm: " "$T/out" "$T/err"
"$SHAKEDOWN" resume "$(basename "$cut")" --here -w chg --progress none >/dev/null 2>&1
check "the one that was given up can be run by hand" [ "$(ls "$cut"/gemm-*/attempt-*/finished.json | wc -l)" -ge 2 ]
"$SHAKEDOWN" regress --here --config r.toml -w chg --progress none --json >chg.json 2>err
check "and is of no series" [ "$(value chg.json '[p["campaign"] for p in d["series"][0]["checks"]].count("'"$(basename "$cut")"'"), len(d["series"][0]["checks"])')" = "(0, 3)" ]

# What is looked at before the runs is no waiting in a queue, however short the budget.
mkdir slow
printf '#!/bin/sh\nexec sleep 2\n' >slow/module
printf '#!/bin/sh\ncat "%s/tests/fixtures/hpl/reference-passed.out"\n' "$PROJECT" >xhpl
chmod +x slow/module xhpl
printf '[budget]\nminutes = 0.017\n[alarm]\nruns = 1\n[site]\nmodules = ["slow"]\n[[site.programs]]\nimplementation = "hpl/netlib"\nprogram = "%s/xhpl"\n[[runs]]\nsuite = "hpl"\nimplementation = "netlib"\n' "$T" >slow.toml
PATH=$T/slow:$PATH "$SHAKEDOWN" regress --here --config slow.toml -w slowly --progress none >slow.out 2>slow.err
check "a look at the node that takes longer than the budget" [ -d slowly/preflight ]
check "ends no run" sh -c "[ -s slowly/campaigns/*/hpl-*/attempt-1/finished.json ] && ! ls slowly/campaigns/*/hpl-*/attempt-1/stopped.json 2>/dev/null"
check "and is no skipped check" sh -c "! grep -q 'did not begin' slow.out"

# What was disturbed is no value: the check is undecided, and the next ones don't learn from it.
config disturbed.toml "" '[disturbance.load]
limit = 1e-9
reason = "whatever runs is too much"'
echo 70 >rate
echo 1 >takes
exits "a check whose runs are all disturbed" 3 regress_once disturbed.toml
says "is undecided, though its values are low" "regression check: undecided: gemm-reference-1n: disturbed, and nothing is learned from it: "
rm takes
echo 100 >rate
exits "the next check" 0 regress_once r.toml --json
check "has learned nothing from it" [ "$(value "$T/out" 'min(min(p["runs"]) for p in d["series"][0]["checks"]) > 90')" = True ]

# A program that fails leaves the check undecided.
printf '#!/bin/sh\nexit 3\n' >gemm
exits "a check whose program fails" 3 regress_once r.toml
says "has no value, and that is no success" "regression check: undecided: gemm-reference-1n: "

printf '[budget]\nminuts = 3\n' >bad.toml
exits "a key that nobody knows" 2 regress_once bad.toml
says "with its line" "bad.toml:2"
exits "no configuration" 2 regress_once none.toml
finish
