#!/bin/sh
# The golden report in a real browser: print, light and dark, a phone's width, and no request beside the file.
set -eu
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }
for tool in chromium pdfinfo pdftotext xmllint; do
  command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed (apt install chromium poppler-utils libxml2-utils)"
done

report=${REPORT:-$PROJECT/tests/fixtures/reports/report.html}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
browser() {
  timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars \
    --disable-background-networking --disable-component-update --disable-sync --disable-default-apps \
    --host-resolver-rules='MAP * ~NOTFOUND' \
    --user-data-dir="$work/profile" "$@" 2>"$work/stderr"
}
browser --dump-dom about:blank >/dev/null || skip "chromium does not start here: $(tail -1 "$work/stderr")"

# Print: bounded, tagged for readers, verdict and sign-off on page 1, everything that is folded on screen printed.
browser --no-pdf-header-footer --log-net-log="$work/net.json" --print-to-pdf="$work/report.pdf" "file://$report"
pages=$(pdfinfo "$work/report.pdf" | sed -n 's/^Pages: *//p')
[ "$pages" -ge 3 ] && [ "$pages" -le 8 ] || fail "$pages printed pages"
pdfinfo "$work/report.pdf" | grep -q 'Tagged: *yes' || fail "the PDF is not tagged"
pdftotext -l 1 "$work/report.pdf" - | tr -s '[:space:]' ' ' >"$work/first.txt"
for text in 'Screening passed' 'For the vendor' 'For the customer' 'Witness' 'not a list-eligible result' \
  'SAKURAONE' "Page 1 of $pages"; do
  grep -q "$text" "$work/first.txt" || fail "page 1 does not say '$text'"
done
pdftotext "$work/report.pdf" - | tr -s '[:space:]' ' ' >"$work/all.txt"
for text in 'HPL' 'GEMM' 'HPL-03' 'exec ./program' 'limit_source' 'Files of the run directory'; do
  grep -q -- "$text" "$work/all.txt" || fail "the print does not hold '$text'"
done
hash=$(sha256sum "$(dirname "$report")/results.json" | cut -c1-64)
tr -d ' ' <"$work/all.txt" | grep -q "$hash" || fail "the print does not hold the hash of results.json"

# Nothing is asked of any network. The browser's own log lists its requests; those to its maker are the browser's.
# A page that does load something must show up there, else the check would prove nothing.
requests() {
  [ -s "$1" ] || fail "the browser wrote no network log"
  grep -oE '"url":"(https?|ftp|wss?)://[^/"]*' "$1" | grep -vE '[./](google|googleapis|gvt1|gstatic)\.com$' | sort -u || true
}
found=$(requests "$work/net.json")
[ -z "$found" ] || fail "a request left the file: $found"
echo '<!doctype html><img src="http://elsewhere.invalid/x.png" alt="">' >"$work/control.html"
browser --log-net-log="$work/control.json" --dump-dom "file://$work/control.html" >/dev/null
requests "$work/control.json" | grep -q 'elsewhere.invalid' || fail "the network log misses requests"

# Themes: the same page, not the same picture.
browser --window-size=1280,1600 --screenshot="$work/light.png" "file://$report"
browser --window-size=1280,1600 --blink-settings=preferredColorScheme=0 --screenshot="$work/dark.png" "file://$report"
[ -s "$work/light.png" ] && [ -s "$work/dark.png" ] || fail "no screenshot"
cmp -s "$work/light.png" "$work/dark.png" && fail "dark looks like light"

# Width: the report itself runs no script, so a copy without its policy measures itself in a frame.
measure='<script>parent.postMessage(document.documentElement.scrollWidth,"*")</script>'
sed -e 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' -e "s#</body>#$measure</body>#" "$report" >"$work/copy.html"
for width in 320 390 1280; do
  cat >"$work/frame.html" <<HTML
<!doctype html><p id="width">none</p>
<script>addEventListener("message", e => { document.getElementById("width").textContent = "width=" + e.data; });</script>
<iframe src="copy.html" style="width:${width}px;height:900px;border:0"></iframe>
HTML
  found=$(browser --virtual-time-budget=3000 --dump-dom "file://$work/frame.html" | sed -n 's/.*width=\([0-9]*\).*/\1/p')
  [ -n "$found" ] || fail "the page did not measure itself at $width px"
  [ "$found" -le "$width" ] || fail "the page is $found px wide in a window of $width px"
done

# Every figure is XML.
count=0
grep -o '<svg.*</svg>' "$report" | sed 's#</svg>#</svg>\n#g' | grep -o '<svg.*</svg>' >"$work/figures"
while read -r figure; do
  echo "$figure" | xmllint --noout - || fail "not XML: $figure"
  count=$((count + 1))
done <"$work/figures"
[ "$count" -ge 10 ] || fail "only $count figures found"
echo "$pages pages, $count figures, no request, no sideways scrolling"
