#!/bin/sh
# The comparison as a page: two campaigns, the accepted one, published values; the same numbers as on the terminal, no
# ratio where conditions forbid one.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
for program in python3 xmllint; do
  command -v $program >/dev/null || { echo "SKIPPED: $program is not installed"; exit 77; }
done
cat >xhpl <<X
#!/bin/sh
sed "s/5\.0413e+01/\$1/; s/\\b128\\b/\$2/g" "$PROJECT/tests/fixtures/hpl/reference-passed.out"
X
chmod +x xhpl
# campaign NB RATE...: a campaign with a run for each rate; its name is in \$id.
campaign() {
  nb=$1
  shift
  {
    printf '{"schema":"shakedown.plan/1","system":"test <1>","cases":['
    i=0
    for rate in "$@"; do
      [ $i = 0 ] || printf ','
      i=$((i + 1))
      printf '{"id":"hpl-r%s","hosts":"%s","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["%s/xhpl","%se+01","%s"]}' \
        $i "$(hostname)" "$T" "$rate" "$nb"
    done
    printf ']}\n'
  } >plan.json
  "$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml -w w --progress none >run.out 2>run.err
  id=$(ls -t w/campaigns | head -1)
}
cat >contract.toml <<'C'
title = "Contract"
[[criteria]]
id = "rate"
title = "HPL is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 48
aggregation = "median"
severity = "mandatory"
limit_source = "contract 4.2"
C
campaign 128 5.00 5.01 5.02 5.00 5.01 && before=$id
sleep 1
echo "# another build" >>xhpl
campaign 128 4.70 4.71 4.69 4.70 4.72 && slower=$id

exits "two campaigns as a page" 1 "$SHAKEDOWN" compare "$before" "$slower" -w w --format html
says "is written into the folder of the one after" "wrote    w/campaigns/$slower/compare-$before.html"
says "beside the text" "6.0 % slower"
page=w/campaigns/$slower/compare-$before.html
cp out text
check "loads nothing" grep -q "default-src 'none'" "$page"
check "runs nothing" sh -c '! grep -qi "<script" "$1"' - "$page"
"$SHAKEDOWN" compare "$before" "$slower" -w w --json >document 2>err
check "has the terminal's and the document's values, the interval, the gate and both verdicts" python3 - "$page" <<'P'
import html, json, re, sys
raw = open(sys.argv[1]).read()
assert "test &lt;1&gt;" in raw and "test <1>" not in raw
page = html.unescape(re.sub(r"\s+", " ", raw))
text = re.sub(r"<[^>]*>", " ", page)
text = re.sub(r"\s+", " ", text)
d = json.load(open("document"))
rate = [m for m in d["metrics"] if m.get("metric") == "rmax_gflops"][0]
assert rate["verdict"][1:] in text, rate["verdict"]
percent = lambda share: ("+" if share > 0 else "−") + "%.1f %%" % abs(100 * share)
flat = text.replace("\u202f", " ").replace("\u00a0", " ")
for part in (percent(rate["shift"]), percent(rate["shift_low"]) + " to " + percent(rate["shift_high"])):
    assert part in flat, part
terminal = open("text").read()
for value in ("50.10 GFLOP/s", "47.00 GFLOP/s"): assert value in flat and value in terminal, value
for part in ("Worse", "executable of hpl/reference", "contract.toml", "Before:", "After:", "rate", "assume that days"):
    assert part in flat, part
assert page.count('class="gate"') == 1 and page.count('class="none"') == 1
assert 'class="point worse"' in page
for name in ("Fail", "Pass"): assert name in flat, name
P
grep -o '<svg.*</svg>' "$page" | sed 's#</svg>#</svg>\n#g' | grep -o '<svg.*</svg>' >figures
check "every figure is XML" sh -c 'while read -r figure; do echo "$figure" | xmllint --noout - || exit 1; done <figures'
exits "again, elsewhere" 1 "$SHAKEDOWN" compare "$before" "$slower" -w w --format html -o pages
check "is the same bytes" cmp "$page" "pages/compare-$before-$slower.html"
exits "with the document" 1 "$SHAKEDOWN" compare "$before" "$slower" -w w --format html -o pages --json
check "which stands alone on standard output" python3 -c 'import json; json.load(open("out"))'

# Published values: nothing here may be compared with them.
exits "published values as a page" 3 "$SHAKEDOWN" compare "$before" --baseline sakuraone -w w --format html -o pages
says "names the page" "wrote    pages/compare-sakuraone-$before.html"
exits "those of another campaign" 3 "$SHAKEDOWN" compare "$slower" --baseline sakuraone -w w --format html -o pages
says "are another page" "wrote    pages/compare-sakuraone-$slower.html"
check "which leaves the first" test -s "pages/compare-sakuraone-$before.html"
check "no ratio is formed, the conditions are named" python3 - "pages/compare-sakuraone-$before.html" <<'P'
import re, sys
page = open(sys.argv[1]).read()
assert "Nothing can be compared" in page or "can be compared" in page
assert 'class="forest"' not in page
text = re.sub(r"<[^>]*>", " ", page)
assert "Not comparable" in text and "98 nodes there" in text, text[:3000]
P

exits "an unknown format" 2 "$SHAKEDOWN" compare "$before" "$slower" -w w --format htlm
says "gets the nearest" "did you mean 'html'?"
exits "a folder without a page" 2 "$SHAKEDOWN" compare "$before" "$slower" -w w -o pages
says "is refused" "add --format html"
exits "a folder that can't be made" 4 "$SHAKEDOWN" compare "$before" "$slower" -w w --format html -o xhpl/below
says "gets another one" "choose another folder: -o DIR"

mkdir bare && cp w/results.sqlite bare
exits "a workspace without campaigns/" 2 "$SHAKEDOWN" report -w bare
says "states what is there and what is missing" "there is results.sqlite, and campaigns/ is missing or empty"

# What else of the command line names the way out.
exits "a misspelt format of a report" 2 "$SHAKEDOWN" report --format cvs -w nowhere
says "gets the nearest without a campaign" "did you mean 'csv'?"
exits "logs that are not there" 2 "$SHAKEDOWN" import nope -w w
says "name what may be given" "name a log, a folder of logs, or the folder of a campaign"
exits "an inventory that is not there" 2 "$SHAKEDOWN" inventory show nope.toml
says "names what writes one" "shakedown inventory discover -o nope.toml"
printf 'title = "T"\nsystem = "nope.toml"\n[[runs]]\nsuite = "stream"\n' >acceptance.toml
exits "a configuration's system that is not there" 2 "$SHAKEDOWN" plan --config acceptance.toml
says "too" "shakedown inventory discover -o"

# A browser that fails is not one that is missing.
mkdir -p browsers
printf '#!/bin/sh\necho "no display, no luck" >&2\nexit 7\n' >browsers/chromium
chmod +x browsers/chromium
exits "a browser that fails" 4 env PATH="$T/browsers:$PATH" "$SHAKEDOWN" report "$before" -w w --format pdf -o pages
says "is quoted" "ended with exit code 7: no display, no luck"
finish
