#!/bin/sh
# results.json and the documents of compare, plan, parse and status keep to the schemas that are published, and the schemas are strict: a member of a
# wrong type, an unknown one and a missing one are refused.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
PYTHON=/usr/bin/python3
"$PYTHON" -c 'from jsonschema import Draft202012Validator' 2>/dev/null ||
  { echo "SKIPPED: no jsonschema for Python here (apt-get install python3-jsonschema)"; exit 77; }
schemas=$(dirname "$(dirname "$SHAKEDOWN")")/share/shakedown/docs
for published in "$PROJECT"/docs/reference/*.schema.json; do
  check "$(basename "$published") is shipped" cmp "$schemas/$(basename "$published")" "$published"
done
cat >schema.py <<'P'
"""keeps SCHEMA FILE...: each document keeps to the schema. refuses SCHEMA FILE: so does no mutation of one.
A FILE.jsonl holds a document a line."""
import copy, json, sys
from jsonschema import Draft202012Validator
schema = json.load(open(sys.argv[2]))
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)
# Members are free where the key is a name of its own: of a metric, a parameter, a phase.
free = {"parameters", "metrics", "phases", "predicted", "replaced", "environment", "files"}

def documents(name):
    with open(name) as file:
        return [json.loads(line) for line in file] if name.endswith(".jsonl") else [json.load(file)]

def places(value, path=()):
    yield path, value
    if isinstance(value, dict):
        for key in value: yield from places(value[key], path + (key,))
    elif isinstance(value, list):
        for i in range(len(value)): yield from places(value[i], path + (i,))

def changed(document, path, change):
    copied = copy.deepcopy(document)
    at = copied
    for key in path[:-1]: at = at[key]
    change(at, path[-1])
    return copied

def holder(document, path):
    for key in path: document = document[key]
    return document

if sys.argv[1] == "keeps":
    for name in sys.argv[3:]:
        all = documents(name)
        errors = [error for document in all for error in validator.iter_errors(document)]
        for error in errors[:10]: print(name, list(error.absolute_path), error.message[:300])
        if errors or not all: sys.exit(1)
else:
    document = documents(sys.argv[3])[0]
    seen, tried, passed = set(), 0, []
    for path, value in places(document):
        shape = tuple("*" if isinstance(key, int) else key for key in path)
        if shape in seen: continue
        seen.add(shape)
        if isinstance(value, dict) and not (path and path[-1] in free):
            mutant = changed(document, path + ("unheard_of",), lambda at, key: at.__setitem__(key, 1))
            tried += 1
            if validator.is_valid(mutant): passed.append(("an unknown member", path))
        if path and not isinstance(value, (dict, list)) and not (len(path) > 1 and path[-2] in ("parameters", "environment")):
            mutant = changed(document, path, lambda at, key: at.__setitem__(key, {"not": "this"}))
            tried += 1
            if validator.is_valid(mutant): passed.append(("a wrong type", path))
    for path in [(key,) for key in schema["required"]] + [("cases", 0, "attempts"), ("cases", 0, "attempts", 0, "files")]:
        try: holder(document, path)
        except (KeyError, IndexError): continue
        tried += 1
        if validator.is_valid(changed(document, path, lambda at, key: at.pop(key))): passed.append(("missing", path))
    for what, path in passed: print(what, "is taken for right:", path)
    print(tried, "mutations")
    sys.exit(1 if passed or tried < 20 else 0)
P
keeps() { name=$1; schema=$2; shift 2; check "$name" "$PYTHON" schema.py keeps "$schemas/$schema" "$@"; }

keeps "the golden results" results.schema.json "$PROJECT/tests/fixtures/reports/results.json"
check "mutations of them are refused" "$PYTHON" schema.py refuses "$schemas/results.schema.json" \
  "$PROJECT/tests/fixtures/reports/results.json"

# A campaign that ran: an attempt that fails, a disturbance, criteria with a revision, a waiver.
cp "$PROJECT/tests/fixtures/hpl/reference-passed.out" good.out
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"good","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"hosts":"$(hostname)","argv":["cat","$T/good.out"]},
{"id":"lost","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"hosts":"$(hostname)","argv":["/bin/sh","-c","exit 3"]}]}
P
cat >contract.toml <<'C'
title = "Contract"
[[criteria]]
id = "rate"
title = "HPL is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 1e9
aggregation = "median"
severity = "mandatory"
limit_source = "contract 4.2"
[[waivers]]
criterion = "rate"
reason = "the switch is on order"
approver = "the board"
expires = "2999-12-31"
C
"$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml -w w --progress none >run.out 2>run.err
id=$(ls w/campaigns)
sed 's/1e9/1/' contract.toml >later.toml
"$SHAKEDOWN" report "$id" -w w --criteria later.toml --reason "a slip" >report.out 2>&1
keeps "a campaign that ran" results.schema.json "w/campaigns/$id/results.json"
check "mutations of it are refused" "$PYTHON" schema.py refuses "$schemas/results.schema.json" "w/campaigns/$id/results.json"

# Logs of other machines, of all five suites.
"$SHAKEDOWN" import "$PROJECT/tests/fixtures/hpl/reference-passed.out" "$PROJECT/tests/fixtures/hpcg" \
  "$PROJECT/tests/fixtures/hpl_mxp" "$PROJECT/tests/fixtures/io500" "$PROJECT/tests/fixtures/mlperf" \
  --campaign logs --system acme-1 -w w >import.out 2>&1
"$SHAKEDOWN" report logs -w w >report.out 2>&1
check "logs were imported" test -s w/campaigns/logs/results.json
keeps "logs of other machines" results.schema.json w/campaigns/logs/results.json
check "mutations of these are refused" "$PYTHON" schema.py refuses "$schemas/results.schema.json" w/campaigns/logs/results.json
"$SHAKEDOWN" report logs -w w --redact -o redacted >report.out 2>&1
keeps "a redacted report" results.schema.json redacted/results.json

# Comparisons.
"$SHAKEDOWN" compare "$id" logs -w w --json >campaigns.json 2>err
"$SHAKEDOWN" compare logs --baseline sakuraone -w w --json >published.json 2>err
keeps "two campaigns, and published values" comparison.schema.json campaigns.json published.json
check "mutations of the one are refused" "$PYTHON" schema.py refuses "$schemas/comparison.schema.json" campaigns.json
check "and of the other" "$PYTHON" schema.py refuses "$schemas/comparison.schema.json" published.json

# Plans: of this machine, of systems of 100 nodes and more with a configuration, one that was run, one that refuses a case.
"$SHAKEDOWN" plan --json >here.json 2>err
"$SHAKEDOWN" plan --inventory alps-gh200 --json >alps.json 2>err
"$SHAKEDOWN" plan --inventory sakuraone --config "$PROJECT/orchestrator/templates/sakuraone.toml" -o sakuraone.json >out 2>err
keeps "plans" plan.schema.json here.json alps.json sakuraone.json "w/campaigns/$id/plan.json"
check "mutations of one are refused" "$PYTHON" schema.py refuses "$schemas/plan.schema.json" sakuraone.json

# What parse finds in all fixtures: results of every suite, cut ones and invalid ones, and MLPerf's scores.
"$SHAKEDOWN" parse "$PROJECT"/tests/fixtures/[!ipr]* "$PROJECT/tests/fixtures/io500" >found.jsonl 2>err
"$SHAKEDOWN" parse --rules all "$PROJECT/tests/fixtures/io500" "$PROJECT/tests/fixtures/mlperf" >all-rules.jsonl 2>err
grep mlperf-score found.jsonl >score.jsonl
grep '"phases"' all-rules.jsonl >phases.jsonl
keeps "what parse prints" result.schema.json found.jsonl all-rules.jsonl
check "mutations of a result are refused" "$PYTHON" schema.py refuses "$schemas/result.schema.json" phases.jsonl
check "and of a score" "$PYTHON" schema.py refuses "$schemas/result.schema.json" score.jsonl

# The state of a campaign that runs, of one that was stopped, and of one that ended.
sed -e "s#\"cat\",\"$T/good.out\"#\"sleep\",\"600\"#" plan.json >slow.json
"$SHAKEDOWN" run --here --plan slow.json -w s --progress none >slow.out 2>slow.err &
runs=$!
until "$SHAKEDOWN" status -w s --json >running.json 2>err && grep -q '"elapsed_s"' running.json; do
  kill -0 $runs 2>/dev/null || break
  sleep 0.2
done
kill -INT $runs
wait $runs
"$SHAKEDOWN" status -w s --json >stopped.json 2>err
"$SHAKEDOWN" status "$id" -w w --json >ended.json 2>err
"$SHAKEDOWN" status logs -w w --json >imported.json 2>err
keeps "states of campaigns" status.schema.json running.json stopped.json ended.json imported.json
check "one runs" grep -q '"running": true' running.json
check "mutations of a state are refused" "$PYTHON" schema.py refuses "$schemas/status.schema.json" running.json
finish
