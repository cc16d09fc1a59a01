#!/bin/sh
# Ways to change what a finished campaign says, each with the sentence that names it; the untouched one is accepted.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
F=$PROJECT/tests/fixtures/hpl/reference-passed.out
cp "$F" log.out
printf '#!/bin/sh\ncat %s/log.out\n' "$T" >xhpl
chmod +x xhpl
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]},
{"id":"two","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]}]}
P
contract() { # LIMIT
  printf 'title = "Contract"\n[[criteria]]\nid = "rate"\ntitle = "HPL is fast"\nsuite = "hpl"\nmetric = "rmax_gflops"\ndirection = ">="\nlimit = %s\naggregation = "median"\nseverity = "mandatory"\nlimit_source = "the contract"\n' "$1"
}
contract 0.001 >contract.toml
run() { "$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml --progress none "$@"; }
exits "an untouched campaign" 0 run -w kept
says "is accepted" "verdict  accepted"
says "its first root is printed" "first root  "
first=$(sed -n 's/^first root  //p' out)
last=$(sed -n 's/^last root   \(.*\)  (line.*/\1/p' out)
check "as it was before the first run" grep -q "^commitment $first\$" err
C=$(ls kept/campaigns)
A=w/campaigns/$C
J=$A/journal.jsonl
check "the last root is that of the last line" [ "$(tail -n 1 "kept/campaigns/$C/journal.jsonl" | sha256sum | cut -d ' ' -f 1)" = "$(echo "$last" | tr -d ' ')" ]
check "each line names the one before" python3 - "kept/campaigns/$C/journal.jsonl" <<'PY'
import hashlib, json, sys
lines = open(sys.argv[1], "rb").readlines()
for before, line in zip(lines, lines[1:]):
    assert json.loads(line)["prev"] == hashlib.sha256(before).hexdigest(), line
assert "prev" not in json.loads(lines[0])
PY
check "the report shows both roots" sh -c "grep -q '$first' kept/campaigns/$C/report.html && grep -q '$last' kept/campaigns/$C/report.html"
check "and results.json" grep -q "\"last_root\": \"$(echo "$last" | tr -d ' ')\"" "kept/campaigns/$C/results.json"
check "every file of an attempt is bound" python3 - "kept/campaigns/$C" <<'PY'
import json, os, sys
for line in open(sys.argv[1] + "/journal.jsonl"):
    event = json.loads(line)
    if event["event"] == "collected":
        folder = f"{sys.argv[1]}/{event['case']}/attempt-{event['attempt']}"
        assert {f["name"] for f in event["files"]} == {f for f in os.listdir(folder) if f[0] != "."}, event
PY

# What a noted root is.
exits "the first root" 0 "$SHAKEDOWN" commitment check "$first" -w kept
says "is told" "is of $C: the first root"
exits "a prefix in groups" 0 "$SHAKEDOWN" commitment check $(echo "$last" | cut -d ' ' -f 1-2) -w kept
says "is that of the last line" "(finished, "
says "after which nothing followed" "it is the last line"
exits "of another campaign" 1 "$SHAKEDOWN" commitment check 0123456789abcdef -w kept
says "is told" "is not of $C"
exits "too few digits" 2 "$SHAKEDOWN" commitment check 0123456 -w kept
says "are refused" "give at least its first 16"

again() { rm -rf w; cp -rp kept w; }
# found NAME EXIT TEXT: report names what was changed and accepts nothing.
found() {
  exits "$1" "$2" "$SHAKEDOWN" report -w w
  says "is named" "$3"
  check "and is no acceptance" sh -c '! grep -q "^verdict  accepted" out'
  "$SHAKEDOWN" accept "$C" --by me --why test -w w >accepted 2>&1 && fail "$1: accept takes it"
}
again
exits "the untouched copy" 0 "$SHAKEDOWN" report -w w
exits "can be accepted" 0 "$SHAKEDOWN" accept "$C" --by me --why test -w w
exits "and is the reference" 0 "$SHAKEDOWN" accept --list -w w

# The journal, line by line. The first is the commitment.
lines=$(wc -l <"kept/campaigns/$C/journal.jsonl")
for line in $(seq "$lines"); do
  again
  sed -i "${line}s/\"t\":\"20/\"t\":\"21/" "$J"
  if [ "$line" = "$lines" ]; then
    found "line $line edited" 3 "the journal no longer has the line that it ended with"
  else
    found "line $line edited" 3 "line $((line + 1)) of the journal does not follow line $line: that line was edited"
  fi
done
again
sed -i 3d "$J"
found "a line deleted" 3 "line 3 of the journal does not follow line 2"
again
sed -i '3{h;d};4{G}' "$J"
found "two lines swapped" 3 "line 3 of the journal does not follow line 2"
again
sed -i '3{p}' "$J"
found "a line doubled" 3 "line 4 of the journal follows line 2, not line 3: lines were inserted or moved"
again
sed -i '$d' "$J"
found "the last line deleted" 3 "the journal no longer has the line that it ended with"
again
rm "$J"
found "no journal" 3 "journal.jsonl is gone"

# Logs: with the journal's hash, and with the database.
edit() { # a digit of case one's rate, its hash in the journal
  old=$(sha256sum <"$A/one/attempt-1/stdout.log" | cut -d ' ' -f 1)
  sed -i 's/Machine/machine/;s/reference/REFERENCE/' "$A/one/attempt-1/stdout.log"
  new=$(sha256sum <"$A/one/attempt-1/stdout.log" | cut -d ' ' -f 1)
  [ "$old" != "$new" ] || { fail "the log was not edited"; return; }
  sed -i "/\"collected\",\"case\":\"one\"/s/$old/$new/" "$J"
}
again
edit
rm -f w/results.sqlite*
exits "a log with its hash in the journal: import" 0 "$SHAKEDOWN" import "$A" -w w
says "names it" "! the journal is not whole: line"
found "a log with its hash in the journal, stored again" 3 "of the journal does not follow line"
again
sed -i '/"collected","case":"one"/d' "$J"
rm -f w/results.sqlite*
"$SHAKEDOWN" import "$A" -w w >/dev/null 2>&1
found "a line 'collected' deleted, imported again" 3 "of the journal does not follow line"
again
echo more >>"$A/one/attempt-1/job.sh"
found "a file that no verdict rests on" 4 "job.sh is not the file that was collected"
again
sqlite3 w/results.sqlite "UPDATE metric_value SET value = 4 * value WHERE name_id = (SELECT id FROM metric_name WHERE name = 'rmax_gflops') AND result_id = 1"
found "a value in the store" 4 "one, attempt 1 is not what was collected: rmax_gflops is"


# Rewritten from a line on, consistently: nothing inside shows it, the noted root does.
again
sed -i 's/"as":"[^"]*"/"as":"1"/' "$J"
python3 "$PROJECT/tests/cli/rechain.py" w
exits "a journal that was rewritten as a whole" 0 "$SHAKEDOWN" report -w w
exits "is found by the last root that was noted" 1 "$SHAKEDOWN" commitment check "$last" -w w
says "as none of it" "is not of $C"

# Folders and files of the campaign.
again
sed -i 's/"kind": "acceptance"/"kind": "screening"/' "$A/campaign.json"
rm -f w/results.sqlite*
"$SHAKEDOWN" import "$A" -w w >/dev/null 2>&1
found "another kind in campaign.json" 3 "campaign.json in the campaign's folder is not the one that the campaign was bound to"
again
sed -i 's/0\.001/0.0001/' "$A/criteria.toml"
found "a limit" 3 "criteria.toml in the campaign's folder is not the one"
again
cp -r "$A/one/attempt-1" "$A/one/attempt-2"
found "an attempt's folder that nobody announced" 3 "attempt 2 of one has a folder, and no line of the journal announces it"

# A slow attempt that was killed, its folder deleted.
cat >slow.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/sh","-c","[ -e $T/fast ] || sleep 60; cat $T/log.out"]}]}
P
"$SHAKEDOWN" run --here --plan slow.json --criteria contract.toml --progress none -w slow >/dev/null 2>&1 &
runner=$!
for _ in $(seq 100); do
  [ -e "$(ls -d slow/campaigns/*/one/attempt-1 2>/dev/null)/started.json" ] && grep -q '"submitted"' slow/campaigns/*/journal.jsonl && break
  sleep 0.1
done
kill -9 $runner
wait $runner 2>/dev/null
kill -9 "$(sed 's/.*"pid":\([0-9]*\).*/\1/' slow/campaigns/*/one/attempt-1/started.json)"
sleep 0.3
rm -rf slow/campaigns/*/one/attempt-1
touch fast
exits "a killed attempt whose folder was deleted" 3 "$SHAKEDOWN" resume --here -w slow --progress none
says "is named before the campaign goes on" "! the journal is not whole: line"
says "with its time" "submits attempt 1 of one at 20"
says "and undecided" "which has no folder and no end"

# What the program reads, exchanged between two runs of a campaign.
cat >swap.sh <<S
sed 's/^ /  /' log.out >other && cat other >"$T/log.out"
echo >>"$T/log.out"
S
cat >swapped.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]},
{"id":"swap","suite":"probe","stage":1,"hosts":"$(hostname)","argv":["/bin/sh","-c","echo >>\$0/log.out","$T"]},
{"id":"two","stage":2,"hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]}]}
P
"$SHAKEDOWN" run --here --plan swapped.json --criteria contract.toml --progress none -w swapped >out 2>err
says "a data file exchanged between two runs" "IMPL-02: $T/log.out has SHA-256"
cp "$F" log.out

# Images: by a digest, by a tag, by what the site states of a tag, and a file.
printf 'an image\n' >hpl.sif
boxed() { # ID CONTAINER
  printf '{"id":"%s","hosts":"%s","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"container":{"runtime":"apptainer",%s},"argv":["%s/xhpl"]}' "$1" "$(hostname)" "$2" "$T"
}
digest=sha256:$(printf 'other' | sha256sum | cut -d ' ' -f 1)
printf '{"schema":"shakedown.plan/1","system":"test","cases":[%s,%s,%s,%s]}\n' "$(boxed digest "\"image\":\"docker://site/hpl@$digest\"")" \
  "$(boxed tag '"image":"docker://site/hpl:1"')" "$(boxed stated "\"image\":\"docker://site/hpl:2\",\"digest\":\"$digest\"")" \
  "$(boxed file "\"image\":\"$T/hpl.sif\"")" >boxed.json
exits "a campaign in containers" 0 "$SHAKEDOWN" run --here --plan boxed.json --criteria contract.toml --progress none -w boxed
at=boxed/campaigns/$(ls boxed/campaigns)
check "binds an image by its digest, and a file by its SHA-256" python3 - "$at/journal.jsonl" "$digest" "$T/hpl.sif" "$(sha256sum <hpl.sif | cut -d ' ' -f 1)" <<'PY'
import json, sys
line = json.loads(open(sys.argv[1]).readline())
parts = {each["name"]: each["sha256"] for each in line["parts"]}
assert parts["image docker://site/hpl@" + sys.argv[2]] == sys.argv[2], parts
assert parts["image " + sys.argv[3]] == sys.argv[4], parts
assert line["unread"] == ["image docker://site/hpl:1"], line["unread"]
PY
unbound="the image docker://site/hpl:1 is no file here and is named without a digest: nothing binds what it holds"
stated="the image docker://site/hpl:2 has the digest that the site states: nothing compared it with what it holds"
check "the report names those that nothing binds" sh -c "grep -qi '$unbound' '$at/report.html' && grep -qi '$stated' '$at/report.html'"
check "and no others" [ "$(grep -o '[Tt]he image [^ ]* [ih]a*s ' "$at/report.html" | sort -u | wc -l)" = 2 ]
if command -v zstd >/dev/null; then
  exits "its bundle" 0 "$SHAKEDOWN" bundle -w boxed -o boxed.tar.zst --no-sign
  exits "is verified" 0 "$SHAKEDOWN" verify boxed.tar.zst
  says "names one" "$unbound"
  says "and the other" "$stated"
fi

# A log that ends before the second, slow test that it announced, and is of another day than the attempt.
awk '/^T\/V/ && ++n == 3 {exit} {print}' "$PROJECT/tests/fixtures/hpl/reference-two-problems.out" >log.out
exits "a log that is cut" 3 run -w cut
says "is not valid" "HPL-05h"
check "a log of another day is a warning" sh -c "grep -A 9 '\"id\": \"HPL-04g\"' cut/campaigns/*/results.json | grep -q '\"status\": \"fail\"'"
check "with its line in the report" grep -q 'not written during the attempt' cut/campaigns/*/report.html
cp "$F" log.out

# Earlier campaigns: removed, with their notes, or dated later.
contract 1e9 >strict.toml
exits "a campaign that fails" 1 "$SHAKEDOWN" run --here --plan plan.json --criteria strict.toml --progress none -w tries
X=$(ls tries/campaigns)
exits "another that passes" 0 run -w tries
says "names it" "by other criteria before: not accepted ($X)"
cp -rp tries removed
exits "removed" 0 "$SHAKEDOWN" remove "$X" --yes -w removed
exits "it is" 0 "$SHAKEDOWN" report -w removed
says "named still" "by other criteria before: not accepted ($X, removed)"
rm removed/removed.jsonl
exits "without removed.jsonl" 0 "$SHAKEDOWN" report -w removed
says "it is gone" "by other criteria before: not accepted ($X, its folder is gone)"
exits "campaigns" 0 "$SHAKEDOWN" campaigns -w removed
says "lists it" "not accepted; its folder is gone, and no \`shakedown remove\` took it away"
exits "and accept" 0 "$SHAKEDOWN" accept "$(ls removed/campaigns)" --by me --why test -w removed
says "names it" "note: an earlier campaign by other criteria is gone: $X (not accepted)"
cp removed/campaigns.jsonl list
rm removed/campaigns.jsonl
exits "without the list" 0 "$SHAKEDOWN" report -w removed
says "that is said" "campaigns before it are not known: campaigns.jsonl is not in the workspace"
sed 1d list >removed/campaigns.jsonl
exits "a list that is cut" 0 "$SHAKEDOWN" report -w removed
says "is named" "line 1 of campaigns.jsonl follows a line that is not there"
cp -rp tries edited
sed -i 's/"kind": "acceptance"/"kind": "screening"/' "edited/campaigns/$X/campaign.json"
rm edited/results.sqlite*
"$SHAKEDOWN" import edited/campaigns -w edited >/dev/null 2>&1
exits "an earlier campaign of another kind" 0 "$SHAKEDOWN" report -w edited
check "is named by the list" grep -q "by other criteria before: .*($X)" out
faketime=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -n 1)
if [ -n "$faketime" ]; then
  exits "a first campaign that fails" 1 "$SHAKEDOWN" run --here --plan plan.json --criteria strict.toml --progress none -w clock
  env LD_PRELOAD="$faketime" FAKETIME=-3d FAKETIME_DONT_FAKE_MONOTONIC=1 "$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml --progress none -w clock >out 2>err
  says "a second one with the clock three days back" "by other criteria before: not accepted ("
  says "is told" "the clock was set back by"
else
  echo "SKIPPED: no libfaketime here (apt-get install faketime): a clock that is set was not tried"
fi

# A reference that was never accepted.
X=$(ls tries/campaigns | head -n 1)
line="{\"schema\":\"shakedown.acceptance/1\",\"t\":\"2026-11-26T00:00:00Z\",\"at_s\":1795000000.0,\"system\":\"test\",\"campaign\":\"$X\",\"by\":\"me\",\"why\":\"test\",\"part\":false}"
echo "$line" >tries/accepted.jsonl
exits "a forged acceptance" 4 "$SHAKEDOWN" accept --list -w tries
says "is refused by its line" "accepted.jsonl:1: accepts $X and names no line before it (member prev)"
echo "${line%\}},\"prev\":\"0000000000000000000000000000000000000000000000000000000000000000\"}" >tries/accepted.jsonl
exits "one that is chained" 4 "$SHAKEDOWN" accept --list -w tries
says "by its verdict" "accepts $X, which never met its criteria by campaigns.jsonl: not accepted"

# A campaign's folder under another name.
again
cp -rp "$A" "w/campaigns/2026-01-01T00-00-00Z-x"
sed -i "s/$C/2026-01-01T00-00-00Z-x/" "w/campaigns/2026-01-01T00-00-00Z-x/campaign.json"
"$SHAKEDOWN" import "w/campaigns/2026-01-01T00-00-00Z-x" -w w >/dev/null 2>&1
exits "a copied campaign" 3 "$SHAKEDOWN" report 2026-01-01 -w w
says "is none" "campaign.json in the campaign's folder is not the one that the campaign was bound to"
finish
