#!/bin/sh
# The golden reports in a real browser: print, light and dark, a phone's width, and no request beside the file.
set -eu
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }
for tool in chromium pdfinfo pdftotext xmllint; do
  command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed (apt install chromium poppler-utils libxml2-utils)"
done

reports=$PROJECT/tests/fixtures/reports
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
browser() {
  timeout 120 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --hide-scrollbars \
    --disable-background-networking --disable-component-update --disable-sync --disable-default-apps \
    --host-resolver-rules='MAP * ~NOTFOUND' \
    --user-data-dir="$work/profile" "$@" 2>"$work/stderr"
}
browser --dump-dom about:blank >/dev/null || skip "chromium does not start here: $(tail -1 "$work/stderr")"

# The browser's own log lists its requests; those to its maker are the browser's.
requests() {
  [ -s "$1" ] || fail "the browser wrote no network log"
  grep -oE '"url":"(https?|ftp|wss?)://[^/"]*' "$1" | grep -vE '[./](google|googleapis|gvt1|gstatic)\.com$' | sort -u || true
}

# says FILE TEXT...: each text stands in the file.
says() {
  file=$1
  shift
  for text in "$@"; do grep -q -- "$text" "$file" || fail "$name: $(basename "$file") does not say '$text'"; done
}

# Print: bounded, tagged for readers, verdict and sign-off on page 1; logs, scripts and passed rules stay in the file.
# printed NAME MOST_PAGES MOST_WORDS VERDICT: first.txt and all.txt hold the text of page 1 and of all pages.
printed() {
  name=$1 most=$2 words=$3 verdict=$4
  browser --no-pdf-header-footer --log-net-log="$work/net.json" --print-to-pdf="$work/report.pdf" "file://$reports/$name"
  pages=$(pdfinfo "$work/report.pdf" | sed -n 's/^Pages: *//p')
  [ "$pages" -ge 3 ] && [ "$pages" -le "$most" ] || fail "$name: $pages printed pages, more than $most"
  # No page of a lone line: the lowest line of each counts as its foot.
  page=1
  while [ "$page" -le "$pages" ]; do
    lines=$(pdftotext -layout -f "$page" -l "$page" "$work/report.pdf" - | grep -c '[^[:space:]]')
    [ "$lines" -gt 5 ] || fail "$name: page $page of $pages has $lines lines"
    page=$((page + 1))
  done
  pdfinfo "$work/report.pdf" | grep -q 'Tagged: *yes' || fail "$name: the PDF is not tagged"
  pdftotext -l 1 "$work/report.pdf" - | tr -s '[:space:]' ' ' >"$work/first.txt"
  # Words are those with two letters or more: figures, signs and hashes are looked up, not read.
  counted=$(tr ' ' '\n' <"$work/first.txt" | grep -vE '[0-9a-f]{16}' | grep -cE '[[:alpha:]]{2}')
  [ "$counted" -le "$words" ] || fail "$name: $counted words on page 1, more than $words"
  pdftotext "$work/report.pdf" - | tr -s '[:space:]' ' ' >"$work/all.txt"
  grep -oE '\b[0-9a-f]{17,63}\b' "$work/all.txt" && fail "$name: a hash is cut by the end of a line"
  # Every criterion by its id, each verdict as often as on the screen or more, and the evidence's hash.
  sed -n 's/.*<th scope="row">\([^<]*\)<span class="why">\(mandatory\|advisory\), n = .*/\1/p' "$reports/$name" >"$work/ids"
  [ -s "$work/ids" ] || fail "$name: no criterion was found"
  while read -r id; do
    # Without blanks and hyphens, where lines break.
    tr -d ' -' <"$work/all.txt" | grep -qF "$(printf %s "$id" | tr -d ' -')" || fail "$name: criterion $id is not printed"
  done <"$work/ids"
  for word in Pass Fail Undecided Invalid 'No result' 'Not comparable'; do
    shown=$(grep -oE "data-label=\"Verdict\"><span[^>]*>.*</svg>$word" "$reports/$name" | wc -l)
    [ "$(grep -o "$word" "$work/all.txt" | wc -l)" -ge "$shown" ] || fail "$name: not every verdict '$word' is printed"
  done
  grep -oE 'SHA-256 <span class="mono hash">[0-9a-f]{64}' "$reports/$name" | head -1 | grep -oE '[0-9a-f]{64}' |
    grep -qf - "$work/all.txt" || fail "$name: the hash of the evidence is not printed"
  says "$work/first.txt" "$verdict" 'For the vendor' 'For the customer' 'Witness' 'Do not quote as such' "Page 1 of $pages"
  found=$(requests "$work/net.json")
  [ -z "$found" ] || fail "$name: a request left the file: $found"
}

lacks() {
  for text in "$@"; do grep -q -- "$text" "$work/all.txt" && fail "$name: '$text' is printed"; done
  says "$reports/$name" "$@"
}
printed report.html 6 250 'Screening passed'
says "$work/all.txt" 'HPL-like solver (shakedown)' 'GEMM' 'Where the limit comes from' \
  'Warnings before the runs' 'fills 13 % of the memory'
lacks 'exec ./program' 'limit_source' 'Files of the run directory'
hash=$(sha256sum "$reports/results.json" | cut -c1-64)
grep -q "$hash" "$work/all.txt" || fail "the print does not hold the hash of results.json"

# All five suites: values, criteria and sign-off still share the first page.
printed report-quick.html 10 250 'Screening passed'
[ "$(wc -c <"$reports/$name")" -le 250000 ] || fail "$name: $(wc -c <"$reports/$name") bytes"
says "$work/first.txt" 'STREAM' 'HPCG-like' 'HPL-MxP-like' 'File system test' 'Training test' 'short of the official rules'
says "$work/all.txt" 'SAKURAONE' 'measured FP32 GEMM' 'times STREAM; ratio withheld' \
  'HPCG, IO500: they break rules of length, size, nodes or number of runs' 'Orientation, not comparison' \
  'a criterion whose limit comes from them says so' 'Contents' 'HPL-04g [A-Z]'
lacks 'Ratios within each machine'
grep -q 'Orientation, not comparison' "$work/first.txt" && fail "published values stand on page 1"

# The acceptance of a hundred nodes: what failed, what was excluded and waived is printed, each node's log is not.
printed report-acceptance.html 25 260 'Not accepted' # with its waiver, its excluded node and the cause
hundred=$pages
says "$work/all.txt" 'cn042' 'Slow, confirmed' 'Waived' 'acceptance board' 'Disturbance over time' 'over the number of nodes' \
  'pod-a' 'Glossary'
lacks 'exec ./program' 'Files of the run directory'

for each in disturbed undecided failed; do
  printed "report-$each.html" 10 250 Screening
done

# A page that does load something must show up in the network log, else the check above would prove nothing.
echo '<!doctype html><img src="http://elsewhere.invalid/x.png" alt="">' >"$work/control.html"
browser --log-net-log="$work/control.json" --dump-dom "file://$work/control.html" >/dev/null
requests "$work/control.json" | grep -q 'elsewhere.invalid' || fail "the network log misses requests"

# Themes: the same page, not the same picture.
browser --window-size=1280,1600 --screenshot="$work/light.png" "file://$reports/report.html"
browser --window-size=1280,1600 --blink-settings=preferredColorScheme=0 --screenshot="$work/dark.png" \
  "file://$reports/report.html"
[ -s "$work/light.png" ] && [ -s "$work/dark.png" ] || fail "no screenshot"
cmp -s "$work/light.png" "$work/dark.png" && fail "dark looks like light"

# Width: the report itself runs no script, so a copy without its policy measures itself in a frame.
measure='<script>parent.postMessage(document.documentElement.scrollWidth,"*")</script>'
for name in report.html report-quick.html report-acceptance.html; do
  sed -e 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' -e "s#</body>#$measure</body>#" "$reports/$name" >"$work/copy.html"
  for width in 320 390 1280; do
    cat >"$work/frame.html" <<HTML
<!doctype html><p id="width">none</p>
<script>addEventListener("message", e => { document.getElementById("width").textContent = "width=" + e.data; });</script>
<iframe src="copy.html" style="width:${width}px;height:900px;border:0"></iframe>
HTML
    found=$(browser --virtual-time-budget=3000 --dump-dom "file://$work/frame.html" | sed -n 's/.*width=\([0-9]*\).*/\1/p')
    [ -n "$found" ] || fail "$name did not measure itself at $width px"
    [ "$found" -le "$width" ] || fail "$name is $found px wide in a window of $width px"
  done
done

# Every figure is XML.
count=0
for name in report.html report-quick.html report-acceptance.html; do
  grep -o '<svg.*</svg>' "$reports/$name" | sed 's#</svg>#</svg>\n#g' | grep -o '<svg.*</svg>' >>"$work/figures"
done
while read -r figure; do
  echo "$figure" | xmllint --noout - || fail "not XML: $figure"
  count=$((count + 1))
done <"$work/figures"
[ "$count" -ge 20 ] || fail "only $count figures found"
echo "$hundred pages of a hundred nodes, $count figures, no request, no sideways scrolling"
