#!/bin/sh
# Predicted against measured over campaigns: the bias, its degrees of freedom, the fit, and plans that state it.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
value() { python3 -c "import json,sys; d=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))" "$1" "$2"; }
rate=$(sed -n 's/^W[RC][^ ]* .* \([0-9.e+]*\) *$/\1/p' "$PROJECT/tests/fixtures/hpl/reference-passed.out" | tail -n 1)
printf '#!/bin/sh\ncat "%s/tests/fixtures/hpl/reference-passed.out"\n' "$PROJECT" >xhpl
chmod +x xhpl
campaign() { # FACTOR: one whose plan predicts the measured rate over FACTOR
  python3 - "$T" "$(hostname)" "$rate" "$1" <<'P'
import json, sys
folder, host, rate, factor = sys.argv[1:]
value = float(rate) / float(factor)
json.dump({"schema": "shakedown.plan/1", "system": "sys", "cases": [{"id": "hpl", "hosts": host, "suite": "hpl",
    "implementation": "reference", "parser": "hpl", "ranks": 2, "ranks_per_node": 2, "argv": [folder + "/xhpl"],
    "predicted": {"rmax_gflops": {"value": value, "low": value, "high": value}, "model": "as measured on one node"}}]}, open("plan.json", "w"))
P
  "$SHAKEDOWN" run --here --plan plan.json -w w --progress none >/dev/null 2>&1
}
exits "no workspace" 2 "$SHAKEDOWN" model -w w
campaign 0.8
exits "one campaign" 0 "$SHAKEDOWN" model -w w
says "has its ratio" "hpl/reference rmax_gflops  0.800"
says "and claims nothing" "1 factor from 1 point: 0 degrees of freedom: nothing is claimed"
exits "nothing is fitted to it" 3 "$SHAKEDOWN" model -w w --fit
check "no block is written" sh -c "! grep -q calibration '$T/out'"
for factor in 0.9 0.9 0.9 0.9 1.0 0.85; do campaign $factor; done
exits "seven campaigns" 0 "$SHAKEDOWN" model -w w
says "give the median ratio with its exact interval" "hpl/reference rmax_gflops  0.900 (95 %: 0.800 to 1.000), 0.800 to 1.000, spread"
says "and their degrees of freedom" "1 factor from 7 points: 6 degrees of freedom"
"$SHAKEDOWN" model -w w --json >model.json
check "as JSON" [ "$(value model.json 'd["schema"], d["systems"][0]["biases"][0]["degrees_of_freedom"], len(d["systems"][0]["biases"][0]["points"])')" = "('shakedown.model/1', 6, 7)" ]
exits "--fit" 0 "$SHAKEDOWN" model -w w --fit -o fit.toml
check "writes a block" grep -qx 'factor = 0.900000' fit.toml
exits "a system that is not there" 2 "$SHAKEDOWN" model -w w --system sis
says "is told" "did you mean 'sys'?"

# A plan states what it took from the fit, and another system's is not used.
exits "a plan without it" 0 "$SHAKEDOWN" plan --inventory sakuraone --suite hpl --json
cp "$T/out" bare.json
sed 's/"sys"/"sakuraone"/; s/"reference"/"nvidia"/' fit.toml >own.toml
echo 'system = "sakuraone"' | cat - own.toml >a.toml
exits "a plan with it" 0 "$SHAKEDOWN" plan --config a.toml --suite hpl --json
cp "$T/out" fitted.json
check "predicts by it" python3 - <<'P'
import json
of = lambda f: next(c for c in json.load(open(f))["cases"] if c["suite"] == "hpl")
a, b = of("bare.json"), of("fitted.json")
assert abs(b["predicted"]["rmax_gflops"]["value"] / a["predicted"]["rmax_gflops"]["value"] - 0.9) < 1e-9
assert b["predicted"]["time_s"] == a["predicted"]["time_s"], "another metric is another fit"
assert b["files"] == a["files"] and b["parameters"] == a["parameters"], "the problem is the same"
P
check "and says so" grep -q "rmax_gflops x 0.9 as measured: 1 factor from 7 points: 6 degrees of freedom" fitted.json
{ echo 'system = "sakuraone"'; cat fit.toml; } >other.toml
exits "a fit of another system" 0 "$SHAKEDOWN" plan --config other.toml --suite hpl --json
says "is not used, and that is said" "the calibration of hpl/reference is of the system 'sys', and this is 'sakuraone': not used"
sed 's/points = 7/points = 1/' a.toml >one.toml
exits "a block without a degree of freedom" 2 "$SHAKEDOWN" plan --config one.toml --suite hpl
says "is refused" "1 factor from 1 point has no degree of freedom: it claims nothing"
finish
