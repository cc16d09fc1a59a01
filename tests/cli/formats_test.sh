#!/bin/sh
# The report's formats for other programs: CSV, JUnit XML, Markdown, PDF. Each is read by a program that is not ours.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
for program in python3 xmllint; do
  command -v $program >/dev/null || { echo "SKIPPED: $program is not installed"; exit 77; }
done
mkdir -p logs
cp "$PROJECT/tests/fixtures/hpl/reference-passed.out" logs/good.out
cp "$PROJECT/tests/fixtures/hpl/reference-failed.out" logs/bad.out
cat >criteria.toml <<'C'
title = "of the test"
[[criteria]]
id = "rate"
title = "HPL <reaches> 1 EFLOP/s | & more"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 1e9
aggregation = "median"
severity = "mandatory"
limit_source = "the test"
[[criteria]]
id = "stream-is-there"
title = "STREAM was run"
suite = "stream"
metric = "triad_mb_s"
direction = ">="
limit = 1.0
aggregation = "median"
severity = "advisory"
limit_source = "the test"
C
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"=evil,\"x","cases":[
{"id":"good","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["cat","$T/logs/good.out"]},
{"id":"bad","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["cat","$T/logs/bad.out"]}]}
P
exits "a campaign that fails" 1 "$SHAKEDOWN" run --here --plan plan.json --criteria criteria.toml --progress none
exits "in every format" 1 "$SHAKEDOWN" report --format csv,junit,markdown,json -o out.d
check "CSV" python3 - <<'P'
import csv, json
rows = list(csv.DictReader(open("out.d/results.csv", newline="")))
assert {row["system"] for row in rows} == {"'=evil,\"x"}, rows[0]
rates = {row["case"]: row for row in rows if row["metric"] == "rmax_gflops"}
assert len(rates) == 2, rates
document = json.load(open("out.d/results.json"))
for case in document["cases"]:
    result = case["attempts"][0]["results"][0]
    row = rates[case["id"]]
    assert float(row["value"]) == result["metrics"]["rmax_gflops"] and row["unit"] == "GFLOP/s", row
    assert row["validity"] == result["validity"] and row["counts"] == ("yes" if case["id"] == "good" else "no"), row
P
check "JUnit is XML" xmllint --noout out.d/junit.xml
count() { xmllint --xpath "string(/testsuites/@$1)" out.d/junit.xml; }
check "with the verdict and three criteria" [ "$(count tests)" = 4 ]
check "one fails, and the verdict with it; one is invalid; one decides nothing" [ "$(count failures) $(count errors) $(count skipped)" = "2 1 1" ]
check "with its words, and what distinguishes it" [ "$(xmllint --xpath 'string(//testcase[starts-with(@name,"rate")]/failure)' out.d/junit.xml)" = "HPL <reaches> 1 EFLOP/s | & more (1 node, rate@good)" ]
check "Markdown says the verdict" grep -q '^### =evil,"x: not accepted' out.d/report.md
check "and the criterion" grep -q '^| rate.* | mandatory | .*GFLOP/s | ≥ .* | \*\*fail\*\* | ' out.d/report.md
exits "logs without criteria" 0 "$SHAKEDOWN" import logs -w other
"$SHAKEDOWN" report -w other --format junit -o other.d >/dev/null 2>&1
check "what is undecided is an error, not a success" [ "$(xmllint --xpath 'string(/testsuites/@errors)' other.d/junit.xml)" = 1 ]

mkdir empty
exits "no Chromium" 4 env PATH="$T/empty" "$SHAKEDOWN" report --format pdf -o pdf.d
says "is said" "no Chromium was found here"
if command -v chromium >/dev/null && command -v pdftotext >/dev/null; then
  exits "PDF" 1 "$SHAKEDOWN" report --format pdf -o pdf.d
  check "with the verdict" sh -c 'pdftotext pdf.d/report.pdf - | grep -qi "not accepted"'
else
  echo "SKIPPED: PDF: no chromium or pdftotext here"
fi
finish
