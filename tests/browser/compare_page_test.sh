#!/bin/sh
# The page of a comparison in a real browser: few printed pages, light and dark, a phone's width, no request beside the file.
set -eu
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }
for tool in chromium pdfinfo pdftotext; do
  command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed (apt install chromium poppler-utils)"
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
browser() {
  timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars \
    --disable-background-networking --disable-component-update --disable-sync --disable-default-apps \
    --host-resolver-rules='MAP * ~NOTFOUND' --user-data-dir="$work/profile" "$@" 2>"$work/stderr"
}
browser --dump-dom about:blank >/dev/null || skip "chromium does not start here: $(tail -1 "$work/stderr")"

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

measure='<script>parent.postMessage(document.documentElement.scrollWidth,"*")</script>'
for page in compare-$before-$after.html compare-sakuraone-$after.html; do
  [ -s "$page" ] || fail "no page $page: $(cat err)"
  # Print: bounded, tagged, numbered.
  browser --no-pdf-header-footer --log-net-log="$work/net.json" --print-to-pdf="$work/page.pdf" "file://$work/$page"
  pages=$(pdfinfo page.pdf | sed -n 's/^Pages: *//p')
  [ "$pages" -ge 1 ] && [ "$pages" -le 4 ] || fail "$page: $pages printed pages"
  pdfinfo page.pdf | grep -q 'Tagged: *yes' || fail "$page: the PDF is not tagged"
  pdftotext page.pdf - | tr -s '[:space:]' ' ' >all.txt
  for text in 'All metrics' 'Verdict and criteria' 'Provenance' "Page 1 of $pages"; do
    grep -q "$text" all.txt || fail "$page: the print lacks '$text'"
  done
  found=$(grep -oE '"url":"(https?|ftp|wss?)://[^/"]*' net.json | grep -vE '[./](google|googleapis|gvt1|gstatic)\.com$' | sort -u || true)
  [ -z "$found" ] || fail "$page: a request left the file: $found"
  # Themes.
  browser --window-size=1280,1600 --screenshot="$work/light.png" "file://$work/$page"
  browser --window-size=1280,1600 --blink-settings=preferredColorScheme=0 --screenshot="$work/dark.png" "file://$work/$page"
  [ -s light.png ] && [ -s dark.png ] || fail "no screenshot"
  cmp -s light.png dark.png && fail "$page: dark looks like light"
  # Width: a copy without the policy measures itself in a frame.
  sed -e 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' -e "s#</body>#$measure</body>#" "$page" >copy.html
  for width in 320 390 1280; do
    cat >frame.html <<HTML
<!doctype html><p id="width">none</p>
<script>addEventListener("message", e => { document.getElementById("width").textContent = "width=" + e.data; });</script>
<iframe src="copy.html" style="width:${width}px;height:900px;border:0"></iframe>
HTML
    found=$(browser --virtual-time-budget=3000 --dump-dom "file://$work/frame.html" | sed -n 's/.*width=\([0-9]*\).*/\1/p')
    [ -n "$found" ] || fail "$page did not measure itself at $width px"
    [ "$found" -le "$width" ] || fail "$page is $found px wide in a window of $width px"
  done
done
grep -q 'class="forest"' "compare-$before-$after.html" || fail "no plot of two campaigns"
echo "two pages, $pages printed pages of the last, no request, no sideways scrolling"
