#!/bin/sh
# Two campaigns beside each other: what got slower beyond noise, what can't be told, what is not alike, and what differs
# beside the metrics.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
# A program that prints a valid HPL log with the rate that it is told; the printed time is rounded to 0.01 s, and bears
# any of these rates.
cat >xhpl <<X
#!/bin/sh
sed "s/5\.0413e+01/\$1/; s/\\b128\\b/\$2/g" "$PROJECT/tests/fixtures/hpl/reference-passed.out"
X
chmod +x xhpl
# campaign NB RATE...: a campaign with a run for each rate; its name is in \$id.
campaign() {
  nb=$1
  shift
  {
    printf '{"schema":"shakedown.plan/1","system":"test","cases":['
    i=0
    for rate in "$@"; do
      [ $i = 0 ] || printf ','
      i=$((i + 1))
      printf '{"id":"hpl-r%s","hosts":"%s","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["%s/xhpl","%s","%s"]}' \
        $i "$(hostname)" "$T" "$rate" "$nb"
    done
    printf ']}\n'
  } >plan.json
  "$SHAKEDOWN" run --here --plan plan.json -w w --progress none >run.out 2>run.err
  id=$(ls -t w/campaigns | head -1)
}
rates() { for mantissa in "$@"; do printf '%se+01 ' "$mantissa"; done; }

campaign 128 $(rates 5.00 5.01 5.02 5.00 5.01) && before=$id
sleep 1
campaign 128 $(rates 4.70 4.71 4.69 4.70 4.72) && slower=$id
sleep 1
campaign 128 $(rates 5.01 5.00 5.02 5.01 5.00) && same=$id
sleep 1
campaign 128 $(rates 4.70) && single=$id
sleep 1
campaign 64 $(rates 5.00 5.01 5.02 5.00 5.01) && other=$id

exits "a campaign that is slower" 1 "$SHAKEDOWN" compare "$before" "$slower" -w w
says "is called so, first" "$slower (after) against $before (before): worse"
says "with the size, and that it is no noise" "6.0 % slower, more than the noise within these days"
says "the interval and the runs" "n = 5 and 5"
says "and the medians" "50.10 GFLOP/s"
exits "the other way round" 0 "$SHAKEDOWN" compare "$slower" "$before" -w w
says "it is faster" "faster, more than the noise within these days"
exits "a campaign that is the same" 0 "$SHAKEDOWN" compare "$before" "$same" -w w
says "refutes a difference that counts" "no difference of 2.0 % or more between these days"
exits "one run" 3 "$SHAKEDOWN" compare "$before" "$single" -w w
says "is too few to decide" "too few to decide: n = 5 and 1"
exits "other parameters" 0 "$SHAKEDOWN" compare "$before" "$other" -w w
says "are named where the table allows the metric" "although NB 128 before, 64 after"

exits "as JSON" 1 "$SHAKEDOWN" compare "$before" "$slower" -w w --json
check "one document with the metrics and the statistics" python3 - <<'P'
import json
d = json.load(open("out"))
assert d["schema"] == "shakedown.comparison/1" and d["change"] == "worse"
rate = [m for m in d["metrics"] if m.get("metric") == "rmax_gflops"][0]
assert rate["change"] == "worse" and rate["leading"] and rate["n_before"] == rate["n_after"] == 5
assert rate["shift_low"] <= rate["shift"] <= rate["shift_high"] < -0.05 and rate["p"] < 0.01
assert abs(rate["median_before"] - 50.1) < 1e-9 and rate["coverage"] >= 0.95
P

# What differs beside the metrics.
exits "nothing else differs" 1 "$SHAKEDOWN" compare "$before" "$slower" -w w
check "which is said" sh -c "grep -q 'Nothing else is known to differ' out || grep -q 'CPU' out"  # a busy machine is said
echo "# another build" >>xhpl
campaign 128 $(rates 4.70 4.71 4.69 4.70 4.72)
exits "another executable" 1 "$SHAKEDOWN" compare "$before" "$id" -w w
says "is shown with its hash" "executable of hpl/reference: $T/xhpl "
says "as what may explain it" "may explain it"

# Attempts that were lost are counted, and nothing is silently the same.
sed -i '2i [ "$1" != faile+01 ] || exit 1' xhpl
campaign 128 $(rates 5.01 5.00 5.02 5.01 5.00 fail fail)
exits "a campaign of which two attempts failed" 3 "$SHAKEDOWN" compare "$before" "$id" -w w
says "tells how many succeeded" "5 of 7 attempts succeeded after"
says "with the exact interval" "(95 % interval 29.0 % to 96.3 %; 2 failed)"
says "beside those before" "5 of 5 attempts succeeded before"
exits "as JSON" 3 "$SHAKEDOWN" compare "$before" "$id" -w w --json
check "the attempts are counted" python3 - <<'P'
import json
d = json.load(open("out"))
row = [m for m in d["metrics"] if m.get("metric") == "reliability"][0]
assert row["leading"] and row["change"] == "undecided" and row["attempts_after"]["failed"] == 2
assert row["attempts_after"]["started"] == 7 and row["attempts_before"]["rate_low"] < 0.6
assert "nodes" in d["environment_known"]
P

# Beside the last accepted campaign.
exits "without an acceptance" 2 "$SHAKEDOWN" compare "$slower" --baseline accepted -w w
says "there is none to compare with" "no campaign of 'test' is accepted yet"
cat >met.toml <<T
title = "Contract"
[[criteria]]
id = "rate"
title = "HPL is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 1
aggregation = "median"
severity = "mandatory"
limit_source = "contract 4.2"
T
"$SHAKEDOWN" report "$before" --criteria met.toml --reason contract -w w >report.out 2>&1
exits "a campaign is accepted" 0 "$SHAKEDOWN" accept "$before" --by me --why test -w w
exits "a slower one beside it" 1 "$SHAKEDOWN" compare "$slower" --baseline accepted -w w
says "is worse" "$slower (after) against $before (before): worse"
exits "the accepted one beside itself" 2 "$SHAKEDOWN" compare "$before" --baseline accepted -w w
says "is refused" "is the accepted campaign itself"

# Beside published values like runs are one row.
exits "published values" 3 "$SHAKEDOWN" compare "$before" --baseline sakuraone -w w --json
check "one row for five runs" python3 - <<'P'
import json
rows = [r for r in json.load(open("out"))["comparisons"] if r["metric"] == "rmax_gflops"]
assert len(rows) == 1 and rows[0]["cases"] == 5 and rows[0]["verdict"].startswith("not comparable: "), rows
P

# Nothing alike.
LINE='exit 0' plan_of nothing.json probe
sed -i 's/"id":"probe"/"id":"probe","suite":"probe"/' nothing.json
"$SHAKEDOWN" run --here --plan nothing.json -w w --progress none >run.out 2>run.err
exits "a campaign of something else" 3 "$SHAKEDOWN" compare "$before" "$(ls -t w/campaigns | head -1)" -w w
says "has nothing like it" "nothing like it was run after"
says "which is one line for all cases" "1 kind of run before only, nothing like it was run after: hpl-r1 (-v shows each)."
check "and says whose own programs are meant" grep -q "^before: .*Do not quote as such" out
says "and that is the verdict" "nothing here can be compared"

exits "an unknown campaign" 2 "$SHAKEDOWN" compare "$before" 1999 -w w
says "is named" "no campaign '1999'"
exits "a campaign beside itself" 2 "$SHAKEDOWN" compare "$before" "$before" -w w
says "is refused" "is both of the campaigns"
says "with the command that lists the others" 'hint: name another; `shakedown campaigns` lists them'
exits "two campaigns and a baseline" 2 "$SHAKEDOWN" compare "$before" "$slower" --baseline eos -w w
says "contradict each other" "would do nothing beside two campaigns"
exits "an empty workspace" 2 "$SHAKEDOWN" compare a b -w nowhere
says "says so" "no campaign here"
says "and what makes one" "\`shakedown run --config FILE\` makes one; -w DIR names another workspace"
exits "the exit codes" 0 "$SHAKEDOWN" compare -h
says "stand in the help" "1 worse beyond noise"
finish
