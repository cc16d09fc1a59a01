#!/bin/sh
# The golden reports in a real browser: print, light and dark, a phone's width, states in sight, no error, no request beside the file.
set -eu
skip() { echo "SKIPPED: $1"; exit 77; }
fail() { echo "FAILED: $1"; exit 1; }
for tool in chromium node pdfinfo pdftotext xmllint; do
  command -v "$tool" >/dev/null 2>&1 || skip "$tool is not installed (apt install chromium nodejs poppler-utils libxml2-utils)"
done

reports=$PROJECT/tests/fixtures/reports
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$work/probe" --dump-dom about:blank >/dev/null 2>"$work/stderr" ||
  skip "chromium does not start here: $(tail -n 1 "$work/stderr")"

# A report whose plan and log hold 200 texts that try to leave their place, without the policy that would stop them.
here=$(dirname -- "$0")
{
  cat "$PROJECT/tests/fixtures/hpl/reference-passed.out"
  node "$here/hostile.mjs" lines
} >"$work/hpl.out"
node "$here/hostile.mjs" plan "$work/hpl.out" >"$work/plan.json"
"$SHAKEDOWN" run --here --plan "$work/plan.json" -w "$work/w" --progress none >"$work/run" 2>&1 || [ $? = 3 ] || fail "$(cat "$work/run")"
sed 's/<meta http-equiv="Content-Security-Policy"[^>]*>//' "$work"/w/campaigns/*/report.html >"$work/hostile.html"

# On the screen, and what print must hold of verdicts and hashes; leaves the PDF of each.
node "$here/report.mjs" "$work" "$reports"/report.html "$reports"/report-*.html "$work/hostile.html"

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
  pdf=$work/$name.pdf
  pages=$(pdfinfo "$pdf" | sed -n 's/^Pages: *//p')
  [ "$pages" -ge 3 ] && [ "$pages" -le "$most" ] || fail "$name: $pages printed pages, more than $most"
  # No page of a lone line: the lowest line of each counts as its foot.
  page=1
  while [ "$page" -le "$pages" ]; do
    lines=$(pdftotext -layout -f "$page" -l "$page" "$pdf" - | grep -c '[^[:space:]]')
    [ "$lines" -gt 5 ] || fail "$name: page $page of $pages has $lines lines"
    page=$((page + 1))
  done
  pdfinfo "$pdf" | grep -q 'Tagged: *yes' || fail "$name: the PDF is not tagged"
  pdftotext -l 1 "$pdf" - | tr -s '[:space:]' ' ' >"$work/first.txt"
  # Words are those with two letters or more: figures, signs and hashes are looked up, not read.
  counted=$(tr ' ' '\n' <"$work/first.txt" | grep -vE '[0-9a-f]{16}' | grep -cE '[[:alpha:]]{2}')
  [ "$counted" -le "$words" ] || fail "$name: $counted words on page 1, more than $words"
  pdftotext "$pdf" - | tr -s '[:space:]' ' ' >"$work/all.txt"
  grep -oE '\b[0-9a-f]{17,63}\b' "$work/all.txt" && fail "$name: a hash is cut by the end of a line"
  # Every criterion by its id.
  sed -n 's/.*<th scope="row">\([^<]*\)<span class="why">\(mandatory\|advisory\), n = .*/\1/p' "$reports/$name" >"$work/ids"
  [ -s "$work/ids" ] || fail "$name: no criterion was found"
  while read -r id; do
    # Without blanks and hyphens, where lines break.
    tr -d ' -' <"$work/all.txt" | grep -qF "$(printf %s "$id" | tr -d ' -')" || fail "$name: criterion $id is not printed"
  done <"$work/ids"
  says "$work/first.txt" "$verdict" 'For the vendor' 'For the customer' 'Witness' 'Do not quote as such' "Page 1 of $pages"
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

printed report-disturbed.html 10 250 'Screening undecided'
printed report-failed.html 10 250 'Screening failed'
printed report-failed-disturbed.html 10 250 'Screening failed'

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
echo "$hundred pages of a hundred nodes, $count figures"
