#!/bin/sh
# The page of a comparison in a real browser: few printed pages, light and dark, a phone's width, states in sight, no error,
# no request beside the file.
set -eu
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }
for tool in chromium node pdfinfo pdftotext; do
  command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed (apt install chromium nodejs poppler-utils)"
done
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/probe" --dump-dom about:blank >/dev/null 2>"$work/stderr" ||
  skip "chromium does not start here: $(tail -n 1 "$work/stderr")"

# Two campaigns of five runs, six per cent apart, and one of them beside published values.
cat >xhpl <<X
#!/bin/sh
sed "s/5\.0413e+01/\$1/" "$PROJECT/tests/fixtures/hpl/reference-passed.out"
X
chmod +x xhpl
campaign() {
  printf '{"schema":"shakedown.plan/1","system":"A rather long name of a system, as sites have them","cases":[' >plan.json
  comma=
  i=0
  for rate in "$@"; do
    i=$((i + 1))
    printf '%s{"id":"hpl-r%s","hosts":"%s","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["%s/xhpl","%se+01"]}' \
      "$comma" $i "$(hostname)" "$work" "$rate" >>plan.json
    comma=,
  done
  echo ']}' >>plan.json
  "$SHAKEDOWN" run --here --plan plan.json -w w --progress none >run.out 2>run.err || true
  id=$(ls -t w/campaigns | head -1)
}
campaign 5.00 5.01 5.02 5.00 5.01 && before=$id
sleep 1
campaign 4.70 4.71 4.69 4.70 4.72 && after=$id
"$SHAKEDOWN" compare "$before" "$after" -w w --format html -o . >out 2>err || true
"$SHAKEDOWN" compare "$after" --baseline sakuraone -w w --format html -o . >out 2>err || true

for page in "compare-$before-$after.html" "compare-sakuraone-$after.html"; do
  [ -s "$page" ] || fail "no page $page: $(cat err)"
done
node "$here/report.mjs" "$work" "$work"/compare-*.html

# Print: bounded, tagged, numbered.
for page in compare-*.html; do
  pages=$(pdfinfo "$page.pdf" | sed -n 's/^Pages: *//p')
  [ "$pages" -ge 1 ] && [ "$pages" -le 4 ] || fail "$page: $pages printed pages"
  pdfinfo "$page.pdf" | grep -q 'Tagged: *yes' || fail "$page: the PDF is not tagged"
  pdftotext "$page.pdf" - | tr -s '[:space:]' ' ' >all.txt
  for text in 'All metrics' 'Verdict and criteria' 'Provenance' "Page 1 of $pages"; do
    grep -q "$text" all.txt || fail "$page: the print lacks '$text'"
  done
done
grep -q 'class="forest"' "compare-$before-$after.html" || fail "no plot of two campaigns"
echo "two pages, $pages printed pages of the last"
