#!/bin/sh
# The history page in a real browser: light and dark, a phone's width, with and without script, each view; no request
# beside the file, no error, hostile texts inert, what axe-core finds.
set -eu
skip() { echo "SKIPPED: $1"; exit 77; }
command -v chromium >/dev/null 2>&1 || skip "chromium is not installed (apt install chromium)"
command -v node >/dev/null 2>&1 || skip "node is not installed (apt install nodejs)"
command -v sqlite3 >/dev/null 2>&1 || skip "sqlite3 is not installed (apt install sqlite3)"
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

axe=$PROJECT/site/node_modules/axe-core/axe.min.js
[ -f "$axe" ] || { axe=; echo "SKIPPED in part: axe-core is not here (cd site && npm ci)"; }
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
