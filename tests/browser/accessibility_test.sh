#!/bin/sh
# The golden reports and comparisons before axe-core (WCAG 2.2 AA, its best practices, and AAA for the contrast of text) and
# html-validate (its recommended rules): no finding. Both come from npm, in the versions that checkers/package-lock.json pins.
set -eu
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }
command -v chromium >/dev/null 2>&1 || skip "chromium is not installed (apt install chromium)"
for tool in node npm; do
  command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed (apt install nodejs npm): the pages were not checked"
done
reports=$PROJECT/tests/fixtures/reports
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$PROJECT"/tests/browser/checkers/package*.json "$PROJECT"/tests/browser/checkers/.htmlvalidate.json "$work"
(cd "$work" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund >"$work/npm.log" 2>&1) ||
  skip "npm can't install axe-core and html-validate here: $(grep -m1 'npm ERR\|npm error' "$work/npm.log" || tail -1 "$work/npm.log")"
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/probe" --dump-dom about:blank >/dev/null 2>"$work/stderr" ||
  skip "chromium does not start here: $(tail -n 1 "$work/stderr")"

# The comparison of two campaigns, and of one with published values.
for rate in 5.0413 5.0501; do
  mkdir "$work/run-$rate"
  sed "s/5\.0413e+01/${rate}e+01/" "$PROJECT/tests/fixtures/hpl/reference-passed.out" >"$work/run-$rate/hpl.out"
  "$SHAKEDOWN" import "$work/run-$rate/hpl.out" -w "$work/w" --campaign "run-$rate" >/dev/null || fail "import"
done
(cd "$work" && "$SHAKEDOWN" compare run-5.0413 run-5.0501 -w w --format html -o . >compared || [ $? -le 3 ]
  "$SHAKEDOWN" compare run-5.0501 --baseline sakuraone -w w --format html -o . >compared || [ $? -le 3 ])
for page in "$work"/compare-*.html; do
  [ -s "$page" ] || fail "no page: $(cat "$work/compared")"
done

(cd "$work" && node node_modules/html-validate/bin/html-validate.mjs --config .htmlvalidate.json "$reports"/*.html compare-*.html) >"$work/html.log" 2>&1 ||
  fail "html-validate: $(head -40 "$work/html.log")"
printf '<!doctype html><html lang="en"><title>x</title><img src="x"></html>' >"$work/faulty.html"
(cd "$work" && node node_modules/html-validate/bin/html-validate.mjs --config .htmlvalidate.json faulty.html) >/dev/null 2>&1 &&
  fail "html-validate finds no fault in an image without a text"

node "$(dirname -- "$0")/accessibility.mjs" "$work" "$work/node_modules/axe-core/axe.min.js" "$work"/compare-*.html \
  "$reports"/report*.html
echo "no finding of axe-core $(node -p "require('$work/node_modules/axe-core/package.json').version") and html-validate $(node -p "require('$work/node_modules/html-validate/package.json').version")"
