#!/bin/sh
# The golden reports before axe-core (WCAG 2.2 AA, its best practices, and AAA for the contrast of text) and
# html-validate (but for blanks at the ends of lines, which logs have): no finding. Both come from npm, in the versions that checkers/package-lock.json pins.
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
cp "$PROJECT"/tests/browser/tab_stops.js "$PROJECT"/tests/browser/checkers/package*.json "$PROJECT"/tests/browser/checkers/.htmlvalidate.json "$work"
(cd "$work" && timeout 300 npm ci --ignore-scripts --no-audit --no-fund >"$work/npm.log" 2>&1) ||
  skip "npm can't install axe-core and html-validate here: $(grep -m1 'npm ERR\|npm error' "$work/npm.log" || tail -1 "$work/npm.log")"
browser() {
  timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars \
    --disable-background-networking --disable-component-update --disable-sync --disable-default-apps \
    --host-resolver-rules='MAP * ~NOTFOUND' --allow-file-access-from-files \
    --user-data-dir="$work/profile" "$@" 2>"$work/stderr"
}
browser --dump-dom about:blank >/dev/null || skip "chromium does not start here: $(tail -1 "$work/stderr")"

(cd "$work" && node node_modules/html-validate/bin/html-validate.mjs --config .htmlvalidate.json "$reports"/*.html) >"$work/html.log" 2>&1 ||
  fail "html-validate: $(head -40 "$work/html.log")"

# The report itself runs no script: a copy without its policy, with everything unfolded, checks itself in a frame.
cat >"$work/check.js" <<'JS'
document.querySelectorAll("details").forEach(each => { each.open = true; });
const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
axe.run(document, { runOnly: { type: "tag", values: tags },
                    rules: { "color-contrast-enhanced": { enabled: true }, "target-size": { enabled: true } } })
  .then(found => found.violations.map(v => v.id + " (" + v.nodes.length + "): " + v.nodes[0].html.slice(0, 160))
    .concat(idleTabStops().map(each => "a tab stop where nothing can be done: " + each)))
  .catch(error => ["axe failed: " + error])
  .then(list => parent.postMessage("violations=" + list.length + " " + list.join(" | ") + " end", "*"));
JS
# checked NAME WIDTH OPTIONS...
checked() {
  name=$1 width=$2
  shift 2
  {
    sed -e 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' -e '/<\/body>/,$d' "$reports/$name"
    printf '<script src="node_modules/axe-core/axe.min.js"></script><script src="tab_stops.js"></script><script src="check.js"></script></body></html>\n'
  } >"$work/copy.html"
  cat >"$work/frame.html" <<HTML
<!doctype html><p id="found">none</p>
<script>addEventListener("message", e => { document.getElementById("found").textContent = e.data; });</script>
<iframe src="copy.html" style="width:${width}px;height:900px;border:0"></iframe>
HTML
  browser --virtual-time-budget=120000 "$@" --dump-dom "file://$work/frame.html" >"$work/dom"
  grep -q 'violations=[0-9]* .*end' "$work/dom" || fail "$name, $width px: axe gave no answer"
  grep -q 'violations=0 ' "$work/dom" || fail "$name, $width px, $*: $(sed -n 's/.*\(violations=[0-9]*.*\) end.*/\1/p' "$work/dom")"
}
for name in report.html report-quick.html report-failed.html report-acceptance.html; do
  checked "$name" 1280
  checked "$name" 390
  checked "$name" 1280 --blink-settings=preferredColorScheme=0
done

# The comparison of two campaigns, and of one with published values.
reports=$work
for rate in 5.0413 5.0501; do
  mkdir "$work/run-$rate"
  sed "s/5\.0413e+01/${rate}e+01/" "$PROJECT/tests/fixtures/hpl/reference-passed.out" >"$work/run-$rate/hpl.out"
  "$SHAKEDOWN" import "$work/run-$rate/hpl.out" -w "$work/w" --campaign "run-$rate" >/dev/null || fail "import"
done
(cd "$work" && "$SHAKEDOWN" compare run-5.0413 run-5.0501 -w w --format html -o . >compared || [ $? -le 3 ]
  "$SHAKEDOWN" compare run-5.0501 --baseline sakuraone -w w --format html -o . >compared || [ $? -le 3 ])
for page in "$work"/compare-*.html; do
  [ -s "$page" ] || fail "no page: $(cat "$work/compared")"
  (cd "$work" && node node_modules/html-validate/bin/html-validate.mjs --config .htmlvalidate.json "$page") >"$work/html.log" 2>&1 ||
    fail "html-validate: $(head -40 "$work/html.log")"
  checked "$(basename "$page")" 1280
  checked "$(basename "$page")" 390
done

# A page with a fault must have one found, else the checks above would prove nothing.
sed 's/--muted: #[0-9a-f]*/--muted: #999999/; s/<table/<table tabindex="0"/' "$PROJECT/tests/fixtures/reports/report.html" >"$work/faulty.html"
(checked faulty.html 1280) >"$work/faulty.log" && fail "axe finds no fault in grey on white"
grep -q 'a tab stop where nothing can be done' "$work/faulty.log" || fail "a tab stop of a table is missed: $(cat "$work/faulty.log")"
grep -q 'color-contrast' "$work/faulty.log" || fail "axe finds another fault than grey on white: $(cat "$work/faulty.log")"
echo "no finding of axe-core $(node -p "require('$work/node_modules/axe-core/package.json').version") and html-validate $(node -p "require('$work/node_modules/html-validate/package.json').version")"
