#!/bin/sh
# Criteria are checked before the first run: what they risk, what contradicts, what the campaign can't decide. And a
# waiver is said on line 1.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
criterion() { # ID DIRECTION LIMIT KEYS
  cat <<C
[[criteria]]
id = "$1"
title = "HPL is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = "$2"
limit = $3
severity = "mandatory"
limit_source = "contract 4.2"
$4
C
}
runs='[[runs]]
suite = "hpl"
nodes = [2]
repetitions = 3'
{ echo 'title = "Contract"'; echo "$runs"; criterion rate ">=" 10 'aggregation = "every"'; } >good.toml
exits "sound criteria" 0 "$SHAKEDOWN" criteria check good.toml
says "show the vendor's and the customer's side of every run of 3" "lowest of 3    59.6 %    12.5 %     0.4 %"
says "at a stated CoV" "at a CoV of 1.00 % between runs"
says "and that all can be decided" "no contradictions, and the campaign can decide every criterion"
exits "a CoV of one's own" 0 "$SHAKEDOWN" criteria check good.toml --cov 2 --json
check "one document" sh -c "head -c 45 out | grep -q '\"schema\": \"shakedown.criteria-check/1\"'"
check "with the CoV" grep -q '"cov": 0.02' out
check "and the risk" grep -q '"customer_risk": 0.0039' out
exits "without runs it is said that the campaign is not known" 0 "$SHAKEDOWN" criteria check quick
says "so" "so what it can't decide is not known"
exits "the shipped acceptance" 0 "$SHAKEDOWN" criteria check sakuraone
says "can be decided by its campaign" "the campaign can decide every criterion"

# Every planned run is judged by something; without its criteria the run is named, with what it costs.
exits "the shipped acceptance of H100 nodes" 0 "$SHAKEDOWN" criteria check acceptance-h100
check "judges all that it runs" sh -c "! grep -q '^not judged' out"
check "and means what it says" sh -c "! grep -q '^remark' out"
says "it says how likely all pass together" "ALL MANDATORY"
says "the chance of a good machine beside the verdict" "better than the limits (GOOD) passes all "
says "and by which model" "as if independent of each other"
h100=$PROJECT/orchestrator/templates/acceptance-h100.toml
awk 'BEGIN { RS = ""; ORS = "\n\n" } !/suite = "io500"\nmetric|id = "io500|id = "hpl-(valid|scaling)/' "$h100" >fewer.toml
exits "criteria that leave work out" 0 "$SHAKEDOWN" criteria check fewer.toml
says "name it" "not judged  HPL (nvidia) on 2, 4, 8, 16, 32, 64 nodes, stage 2: 6 cases, "
says "by suite" "not judged  IO500 (official) on 10, 96 nodes, stage 4: 2 cases, "
says "with what it costs" "planned node-hours decide nothing"
exits "in JSON, too" 0 "$SHAKEDOWN" criteria check fewer.toml --json
check "as objects" grep -q '"not_judged": \[' out
check "with the chance of all" grep -q '"all_mandatory": {' out
sed 's/^each_node = false.*//' "$h100" >wider.toml
exits "a criterion that catches single nodes" 3 "$SHAKEDOWN" criteria check wider.toml
says "is named" "remark  hpl-rmax asks for 98 nodes, and single nodes meet that together: it is judged on 100 runs of single nodes"

# Units beside limits.
unit() { # LIMIT UNIT
  echo 'title = "Contract"'
  criterion rate ">=" "$1" "unit = \"$2\"
aggregation = \"every\""
}
unit 33.9 PFLOP/s >unit.toml
exits "a limit with its unit" 0 "$SHAKEDOWN" criteria check unit.toml --json
check "is converted" grep -q '"limit": 33900000.0' out
unit 33.9 PFLOPS >unit.toml
exits "a unit that is none" 2 "$SHAKEDOWN" criteria check unit.toml
says "is refused with those that fit" "rmax_gflops takes MFLOP/s, GFLOP/s, TFLOP/s, PFLOP/s, EFLOP/s"
{ echo 'title = "Contract"'; criterion rate ">=" -5 'aggregation = "every"'; } >negative.toml
exits "a negative limit" 2 "$SHAKEDOWN" criteria check negative.toml
says "is refused" "negative.toml:8: 'limit' is -5, and rmax_gflops is never below 0"
{ echo 'title = "Contract"'; printf 'system = "sakuraone"\n'; printf '%s\nimplementation = "nvidia"\n' "$runs"; criterion rate ">=" 33.9 'aggregation = "every"'; } >slip.toml
exits "a limit in the wrong unit" 0 "$SHAKEDOWN" criteria check slip.toml
says "is remarked on" "remark  rate asks for >= 33.90 GFLOP/s on 2 nodes, and"
exits "before a run, too" 0 "$SHAKEDOWN" plan --config slip.toml
says "as a note" "note: slip.toml: rate asks for >= 33.90 GFLOP/s on 2 nodes, and"

# One configuration with every key that there is: what plans it leaves the judging keys alone, and the reverse.
cat >all.toml <<C
title = "Contract"
system = "sakuraone"
baseline = "sakuraone"
[site]
launcher = "srun"
[[site.programs]]
implementation = "hpl/nvidia"
program = "/opt/hpl/xhpl"
[settings]
ecc = true
[[calibration]]
system = "sakuraone"
suite = "hpl"
implementation = "nvidia"
metric = "rmax_gflops"
factor = 1.1
low = 1.0
high = 1.2
points = 5
[[runs]]
suite = "hpl"
implementation = "nvidia"
nodes = [2]
repetitions = 3
[disturbance]
steal = { limit = 0.02, reason = "a guest's CPU is its own" }
load = { limit = 0.1, reason = "nobody else" }
gemm_spread = { limit = 5, reason = "a quiet machine repeats itself" }
C
criterion rate ">=" 10 'aggregation = "every"' >>all.toml
printf '[[waivers]]\ncriterion = "rate"\nreason = "the switch is on order"\napprover = "the board"\nexpires = 2099-12-31\n' >>all.toml
for command in "criteria check all.toml" "plan --config all.toml" "run --config all.toml --dry-run -w all"; do
  # shellcheck disable=SC2086
  exits "$command" 0 "$SHAKEDOWN" $command
done
# The waiver that the shipped acceptance shows, in force.
acceptance=$PROJECT/orchestrator/templates/acceptance-h100.toml
{ cat "$acceptance"; sed -n '/^#   \[\[waivers\]\]/,$s/^#  *//p' "$acceptance"; } >waived-h100.toml
check "the shipped example is there" sh -c "tail -n 5 waived-h100.toml | grep -qx '\[\[waivers\]\]'"
for command in "criteria check waived-h100.toml" "plan --config waived-h100.toml" "run --config waived-h100.toml --dry-run -w all"; do
  # shellcheck disable=SC2086
  exits "$command" 0 "$SHAKEDOWN" $command
done

{ echo 'title = "Contract"'; criterion floor ">=" 10 'aggregation = "every"'; criterion ceiling "<=" 9 'aggregation = "every"'; } >both.toml
exits "contradictions" 3 "$SHAKEDOWN" criteria check both.toml
says "are named" "contradiction  floor, ceiling: no runs meet both lowest >= 10.0000 GFLOP/s and highest <= 9.00000 GFLOP/s"
{ echo 'title = "Contract"'; criterion rate ">=" 10 'aggregation = "lower_confidence"'; } >limit.toml
exits "criteria beside a configuration" 3 "$SHAKEDOWN" criteria check limit.toml --config good.toml
says "say what it can't decide" "can't be decided  rate: it takes 5 runs, and 3 are planned"
# A misspelled metric would be not-run at the end of a campaign: it is said before its beginning, with its line.
sed 's/rmax_gflops/rmax_gflop/' good.toml >misspelled.toml
near="misspelled.toml:$(grep -n rmax_gflop misspelled.toml | cut -d: -f1): no result of HPL can have a metric 'rmax_gflop' (did you mean 'rmax_gflops'?)"
exits "a misspelled metric" 2 "$SHAKEDOWN" criteria check misspelled.toml
says "is refused with its place" "error: $near"
{ echo 'title = "Contract"'; criterion phase ">=" 10 'aggregation = "every"' | sed 's/"hpl"/"io500"/; s/rmax_gflops/ior_rnd64k_write_gib_s/'; } >phase.toml
exits "a phase that a log may name" 0 "$SHAKEDOWN" criteria check phase.toml
exits "a file that is none" 2 "$SHAKEDOWN" criteria check nothing.toml
exits "no criteria" 2 "$SHAKEDOWN" criteria check "$PROJECT/reports/baselines/eos.toml"
exits "a CoV that is none" 2 "$SHAKEDOWN" criteria check good.toml --cov -1

# A campaign that misses its limit, and the waiver of it.
printf '#!/bin/sh\ncat "%s/tests/fixtures/hpl/reference-passed.out"\n' "$PROJECT" >xhpl
chmod +x xhpl
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"hpl","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]}]}
P
{ echo 'title = "Contract"'; criterion rate ">=" 1e9 'aggregation = "every"'; } >contract.toml
waiver() { # DAY
  printf '[[waivers]]\ncriterion = "rate"\nreason = "the second switch is on order"\napprover = "the board"\nexpires = %s\n' "$1"
}
{ cat contract.toml; waiver 2099-12-31; } >waived.toml
{ cat contract.toml; waiver 2001-12-31; } >expired.toml
exits "a waived criterion stops nothing" 0 "$SHAKEDOWN" run --here --plan plan.json --criteria waived.toml -w waived --progress none
says "and is said" "verdict  accepted with 1 waiver: rate is fail ("
says "with the reason beside the breach" "/s), waived by the board, until 2099-12-31 (the second switch is on order)"
check "on line 1" sh -c "head -n 1 out | grep -q 'accepted with 1 waiver'"
says "with its own verdict" "fail, waived by the board, until 2099-12-31"
check "and on page one" sh -c "sed '/<\/section>/q' waived/campaigns/*/report.html | grep -q 'Accepted with 1 waiver'"
for option in "" --dry-run; do
  # shellcheck disable=SC2086  # no option, or one
  exits "a run by a misspelled metric $option" 2 "$SHAKEDOWN" run --here --plan plan.json --criteria misspelled.toml -w misspelled $option
  says "is refused, too" "error: $near"
done
check "and begins no campaign" [ ! -e misspelled ]
sed '/^nodes = /d' misspelled.toml >misspelled-runs.toml
exits "a plan by it" 2 "$SHAKEDOWN" plan --config misspelled-runs.toml -o misspelled.json
says "is refused" "(did you mean 'rmax_gflops'?)"
check "and written nowhere" [ ! -e misspelled.json ]
sed '/^\[\[criteria\]\]/,$d' misspelled-runs.toml >unjudged.toml
exits "a configuration without criteria" 0 "$SHAKEDOWN" plan --config unjudged.toml -o unjudged.json
says "says so at once" "note: unjudged.toml: no [[criteria]]: nothing is judged"
exits "a run without criteria" 3 "$SHAKEDOWN" run --here --plan plan.json -w unjudged --progress none
check "says so first of all" sh -c "head -n 1 err | grep -q '^note: no \[\[criteria\]\]: nothing is judged'"
exits "an expired waiver" 1 "$SHAKEDOWN" run --here --plan plan.json --criteria expired.toml -w expired --progress none
says "does nothing, and says so" "the waiver of rate by the board does nothing: it held until 2001-12-31"
exits "criteria check says it beforehand" 0 "$SHAKEDOWN" criteria check expired.toml
says "too" "remark  the waiver of rate by the board held until 2001-12-31: it does nothing any more"

# A limit that is a part of what was last accepted: none before the first, then that of the accepted campaign.
cat >relative.toml <<C
title = "Again"
[[criteria]]
id = "rate"
title = "HPL is as fast as it was accepted"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
relative_to = "last-accepted"
factor = 0.98
aggregation = "every"
severity = "mandatory"
C
exits "relative to the last accepted campaign, and none was" 3 "$SHAKEDOWN" run --here --plan plan.json --criteria relative.toml -w w --progress none
says "is undecided" "no campaign of this system was accepted before this one began"
newest() { "$SHAKEDOWN" status -w w --json | sed -n 's/.*"campaign": "\(.*\)".*/\1/p'; }
{ echo 'title = "Contract"'; criterion rate ">=" 10 'aggregation = "every"'; } >easy.toml
exits "a campaign that meets its criteria" 0 "$SHAKEDOWN" run --here --plan plan.json --criteria easy.toml -w w --progress none
exits "is accepted" 0 "$SHAKEDOWN" accept -w w "$(newest)" --by "A. Smith" --why "site acceptance"
exits "the next one is held against it" 0 "$SHAKEDOWN" run --here --plan plan.json --criteria relative.toml -w w --progress none
at=w/campaigns/$(newest)
check "by whom it was accepted stands with the limit" grep -q "accepted by A. Smith at 20" "$at/results.json"
check "and in the frozen criteria" grep -q 'limit_of = "last-accepted"' "$at/criteria.toml"
finish
