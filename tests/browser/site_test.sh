#!/bin/sh
# The history page in a real browser: light and dark, a phone's width, with and without script, each view; no request
# beside the file, no error, hostile texts inert, what axe-core and html-validate find.
set -eu
skip() { echo "SKIPPED: $1"; exit 77; }
command -v chromium >/dev/null 2>&1 || skip "chromium is not installed (apt install chromium)"
command -v node >/dev/null 2>&1 || skip "node is not installed (apt install nodejs)"
command -v sqlite3 >/dev/null 2>&1 || skip "sqlite3 is not installed (apt install sqlite3)"
command -v pdftotext >/dev/null 2>&1 || skip "pdftotext is not installed (apt install poppler-utils)"
here=$(dirname -- "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/probe" --dump-dom about:blank >/dev/null 2>"$work/stderr" ||
  skip "chromium does not start here: $(tail -n 1 "$work/stderr")"

# Real campaigns of a program that takes no time, one of them with an acceptance's verdict.
plan() { # FACTOR of the fixture's rate
  cat >"$work/plan.json" <<JSON
{"schema":"shakedown.plan/1","system":"test","cases":[
 {"id":"hpl-reference-1n","suite":"hpl","implementation":"reference","parser":"hpl","result_file":"stdout.log","nodes":1,
  "parameters":{"N":1000,"NB":128,"P":1,"Q":2},"ranks":2,"argv":["/bin/cat","$work/hpl.out"]}]}
JSON
  awk -v factor="$1" '/^WR/ { sub(/[0-9.e+]+$/, sprintf("%.4e", $NF * factor)) } { print }' \
    "$PROJECT/tests/fixtures/hpl/reference-passed.out" >"$work/hpl.out"
}
for factor in 1 1.003 0.997; do
  plan "$factor"
  "$SHAKEDOWN" run --here --plan "$work/plan.json" -w "$work/w" --progress none >"$work/run" 2>&1 || [ $? = 3 ] || { cat "$work/run"; exit 1; }
done
"$SHAKEDOWN" site -w "$work/w" -o "$work/w/site.html" >/dev/null

# The same store with hostile texts wherever people or machines write: names, sentences, reasons, notes, facts.
cp -r "$work/w" "$work/hostile"
node "$here/hostile.mjs" sql >"$work/hostile.sql"
sqlite3 "$work/hostile/results.sqlite" <"$work/hostile.sql"
"$SHAKEDOWN" site -w "$work/hostile" -o "$work/hostile/site.html" >/dev/null

# A second system: nine nodes, each of another shade in the picture of the nodes, and criteria in all words. Its page
# alone stands elsewhere.
cp -r "$work/w" "$work/two"
cases=
for factor in 0.89 0.93 0.97 0.985 1 1.015 1.03 1.07 1.15; do
  node=cn$(printf %s "$factor" | tr -d .)
  plan "$factor"
  cp "$work/hpl.out" "$work/$node.out"
  cases="$cases${cases:+,}{\"id\":\"hpl-$node\",\"suite\":\"hpl\",\"implementation\":\"reference\",\"parser\":\"hpl\",\"result_file\":\"stdout.log\",\"nodes\":1,\"parameters\":{\"N\":1000,\"NB\":128,\"P\":1,\"Q\":2},\"ranks\":2,\"argv\":[\"/bin/cat\",\"$work/$node.out\"]}"
done
echo "{\"schema\":\"shakedown.plan/1\",\"system\":\"nine-nodes\",\"cases\":[$cases]}" >"$work/plan.json"
"$SHAKEDOWN" run --here --plan "$work/plan.json" -w "$work/two" --progress none >"$work/run" 2>&1 || [ $? = 3 ] || { cat "$work/run"; exit 1; }
sqlite3 "$work/two/results.sqlite" <<'SQL'
UPDATE case_place SET hosts = (SELECT substr(name, 5) FROM planned_case WHERE id = case_id) WHERE case_id IN (SELECT id FROM planned_case WHERE name LIKE 'hpl-cn%');
UPDATE attempt SET hosts = (SELECT hosts FROM case_place WHERE case_place.case_id = attempt.case_id) WHERE case_id IN (SELECT id FROM planned_case WHERE name LIKE 'hpl-cn%');
UPDATE result SET validity = 'invalid' WHERE attempt_id IN (SELECT a.id FROM attempt a JOIN planned_case c ON c.id = a.case_id WHERE c.campaign = (SELECT id FROM campaign WHERE system = 'test' ORDER BY created_s LIMIT 1 OFFSET 1));
DELETE FROM criterion;
DELETE FROM verdict;
INSERT INTO verdict SELECT id, 'undecided', 'undecided: one criterion has no result', 3 FROM campaign WHERE system = 'nine-nodes';
UPDATE campaign SET criteria = 'title = "Contract"';
INSERT INTO verdict SELECT id, 'pass', 'accepted', 0 FROM campaign WHERE system = 'test' ORDER BY created_s LIMIT 1;
INSERT INTO verdict SELECT id, 'invalid', 'not accepted: invalid', 1 FROM campaign WHERE system = 'test' ORDER BY created_s LIMIT 1 OFFSET 1;
INSERT INTO criterion SELECT id, 1, 'hpl-valid', 'validity', 'mandatory', 'not-run', 8, NULL, NULL, 'one node has no result' FROM campaign WHERE system = 'nine-nodes';
INSERT INTO criterion SELECT id, 2, 'io500-valid', 'validity', 'mandatory', 'invalid, waived', 1, NULL, NULL, '1 s instead of 300 s' FROM campaign WHERE system = 'nine-nodes';
SQL
"$SHAKEDOWN" site -w "$work/two" -o "$work/two/site.html" >/dev/null
mkdir -p "$work/other/place"
"$SHAKEDOWN" site -w "$work/two" -o "$work/other/place/one.html" --system nine-nodes >/dev/null

# axe-core and html-validate from npm, in the versions that the report's test has, too.
cp "$here"/checkers/package*.json "$here"/checkers/.htmlvalidate.json "$work"
axe=$work/node_modules/axe-core/axe.min.js
{ command -v npm && (cd "$work" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund); } >"$work/npm.log" 2>&1 ||
  { axe=; echo "SKIPPED in part: npm can't install axe-core and html-validate here: $(grep -m1 'npm ERR\|npm error' "$work/npm.log" || tail -n 1 "$work/npm.log")"; }
[ -z "$axe" ] ||
  (cd "$work" && node node_modules/html-validate/bin/html-validate.mjs --config .htmlvalidate.json w/site.html hostile/site.html two/site.html)
node "$here/site.mjs" "$work" "$axe" ${PICTURES:+"$PICTURES"}

# Served: the progress of a campaign that runs, and the new results once it has ended.
cat >"$work/plan.json" <<JSON
{"schema":"shakedown.plan/1","system":"test","cases":[{"id":"long-case","argv":["/bin/sleep","60"]}]}
JSON
"$SHAKEDOWN" site -w "$work/w" --serve --port 0 >"$work/serving" 2>&1 &
server=$!
"$SHAKEDOWN" run --here --plan "$work/plan.json" -w "$work/w" --progress none >/dev/null 2>&1 &
runner=$!
for _ in $(seq 100); do
  address=$(sed -n 's,^serving  \(http://.*/\)$,\1,p' "$work/serving")
  [ -n "$address" ] && break
  sleep 0.1
done
code=0
node "$here/site_live.mjs" "$work" "$address" "$SHAKEDOWN cancel -w $work/w" || code=$?
kill "$runner" 2>/dev/null || :
wait "$runner" || :
kill -INT "$server"
wait "$server" || code=$?
exit "$code"
