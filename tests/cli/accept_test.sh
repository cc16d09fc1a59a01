#!/bin/sh
# Who declares a campaign the reference of its system, when and why: only ever added to, and the store can be rebuilt
# from the file.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"hpl","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/cat","$PROJECT/tests/fixtures/hpl/reference-passed.out"]}]}
P
contract() { # LIMIT
  printf 'title = "Contract"\n[[criteria]]\nid = "rate"\ntitle = "HPL is fast"\nsuite = "hpl"\nmetric = "rmax_gflops"\ndirection = ">="\nlimit = %s\naggregation = "median"\nseverity = "mandatory"\nlimit_source = "contract 4.2"\n' "$1"
}
contract 1 >met.toml
contract 1e9 >unmet.toml
W=w
newest() { ls -t $W/campaigns | head -1; }
accept() { "$SHAKEDOWN" accept "$@" -w $W; }

exits "nothing was accepted yet" 0 "$SHAKEDOWN" accept --list -w w
says "is said" "no campaign was accepted yet"
"$SHAKEDOWN" run --here --plan plan.json --criteria met.toml -w w --progress none >/dev/null 2>&1
good=$(newest)
sleep 1
"$SHAKEDOWN" run --here --plan plan.json --criteria unmet.toml -w w --progress none >/dev/null 2>&1
bad=$(newest)
sleep 1
"$SHAKEDOWN" run --here --plan plan.json -w w --progress none >/dev/null 2>&1
unjudged=$(newest)

# Wrong inputs: nothing is written by any of them.
exits "without a campaign" 2 accept --by me --why test
says "asks for one" "the campaign is missing"
says "and names them, the newest first" "name one: $unjudged, $bad, $good"
exits "an unknown campaign" 2 accept nonesuch --by me --why test
says "names the newest" "no campaign 'nonesuch'"
exits "nobody" 2 accept "$good" --by "" --why test
says "can't accept" "an acceptance names who declares it"
exits "blank" 2 accept "$good" --by "  " --why test
says "is nobody" "--by: is empty"
exits "no reason" 2 accept "$good" --by me
says "is asked for" "an acceptance needs its reason"
exits "a campaign that was not accepted" 2 accept "$bad" --by me --why test
says "can't be the reference, with its verdict" "can't be the reference of test: not accepted: rate"
exits "a campaign without criteria" 2 accept "$unjudged" --by me --why test
says "has no verdict" "no criteria were given"
says "and the way out" "report $unjudged --criteria F --reason TEXT"
exits "--list and a campaign" 2 accept "$good" --list
says "contradict each other" "would do nothing beside --list"
check "nothing was written" [ ! -e w/accepted.jsonl ]

LINE='sleep 5' plan_of stuck.json one two
"$SHAKEDOWN" run --here --plan stuck.json --criteria met.toml -w w --progress none >/dev/null 2>&1 &
running=$!
tries=0
until { unfinished=$(newest); [ "$unfinished" != "$unjudged" ] && [ -s "$W/campaigns/$unfinished/one/attempt-1/started.json" ]; } ||
  [ $tries -ge 300 ]; do tries=$((tries + 1)); sleep 0.1; done
kill -9 $running 2>/dev/null
wait $running 2>/dev/null
exits "a campaign that is not finished" 2 accept "$unfinished" --by me --why test
says "is not the reference" "not finished"
cat >refuses.toml <<'END'
title = "a queue that never says a number"
tested = "run-at-site"
[submit]
command = ["true", "{script}"]
id = '([0-9]+)'
[poll]
command = ["true", "{ids}"]
record = '^([0-9]+) +([A-Z]+)'
pending = ["WAIT"]
ended = { DONE = "completed" }
[cancel]
command = ["true", "{id}"]
END
timeout 3 "$SHAKEDOWN" run --scheduler ./refuses.toml --plan stuck.json --criteria met.toml -w new --progress none >/dev/null 2>&1
exits "a campaign that never started" 2 "$SHAKEDOWN" accept "$(ls new/campaigns)" --by me --why test -w new
says "is said to be that" "is not started"

exits "an accepted campaign" 0 accept "$good" --by "A. Buyer" --why "site acceptance, clause 4.2"
says "is the reference" "$good is the reference of test from"
exits "the history" 0 "$SHAKEDOWN" accept --list -w w
says "names it" "$good  (the reference)"
says "and who and why" "by A. Buyer: site acceptance, clause 4.2"
# A criterion relative to it has its value as its limit, from before the first run on.
printf 'title = "Next"\n[[criteria]]\nid = "kept"\ntitle = "HPL is as fast as accepted"\nsuite = "hpl"\nmetric = "rmax_gflops"\ndirection = ">="\nrelative_to = "last-accepted"\nfactor = 0.95\naggregation = "median"\nseverity = "mandatory"\nlimit_source = "contract 5"\n' >relative.toml
sed "s/5\.0413e+01/5.0000e+01/" "$PROJECT/tests/fixtures/hpl/reference-passed.out" >same.out
sed "s/5\.0413e+01/4.5000e+01/" "$PROJECT/tests/fixtures/hpl/reference-passed.out" >slow.out
for log in same slow; do
  sed "s,$PROJECT/tests/fixtures/hpl/reference-passed.out,$T/$log.out," plan.json >$log.json
done
exits "a run within 5 % of the reference" 0 "$SHAKEDOWN" run --here --plan same.json --criteria relative.toml -w w --progress none
sleep 1
exits "one that is slower" 1 "$SHAKEDOWN" run --here --plan slow.json --criteria relative.toml -w w --progress none
check "is judged by the reference's value, named" grep -rqs "accepted by A. Buyer" w/campaigns/*/criteria.toml

exits "logs of the system" 0 "$SHAKEDOWN" import same.out -w w --system test --campaign logs --criteria relative.toml
exits "are held to the reference" 3 "$SHAKEDOWN" report logs -w w
says "as far as the log says what it is of" ">= 47.89 GFLOP/s"
says "and no further" "1 node there, not known here"
exits "logs of a system without a reference" 0 "$SHAKEDOWN" import same.out -w w --system else --campaign other --criteria relative.toml
exits "have no limit" 3 "$SHAKEDOWN" report other -w w

check "the file is its truth" grep -q '"schema":"shakedown.acceptance/1"' w/accepted.jsonl
cp w/accepted.jsonl first
exits "a revision of the criteria" 0 "$SHAKEDOWN" report "$bad" -w w --criteria met.toml --reason "amendment 1"
says "is named, and what was tried before" "accepted by revision 2 of the criteria (amendment 1): by other criteria before: accepted ($good)"
exits "may make another one the reference" 0 accept "$bad" --by "B. Vendor" --why 'with amendment 1, "4.2b"' --json
check "as one document" python3 -c 'import json; d=json.load(open("out")); assert d["schema"] == "shakedown.acceptance/1" and d["by"] == "B. Vendor" and d["reference"]'
check "the first stands before it, to the byte" sh -c 'head -n 1 w/accepted.jsonl | cmp - first'
exits "more logs of what was imported before that" 0 "$SHAKEDOWN" import same.out -w w --system test --campaign logs --criteria relative.toml
says "are judged by the reference of then" "nothing new"
exits "the history as JSON" 0 "$SHAKEDOWN" accept --list -w w --json
check "has both, the last is the reference" python3 -c 'import json; a=json.load(open("out"))["acceptances"]; assert [x["reference"] for x in a] == [False, True] and a[1]["why"].endswith("\"4.2b\"")'
exits "the history of another system" 0 "$SHAKEDOWN" accept --list --system other -w w
says "is empty" "no campaign was accepted yet"

# The store is rebuilt from the file; another workspace takes the acceptance over with the campaign.
check "the store has it" [ "$(sqlite3 w/results.sqlite "SELECT group_concat(by_whom) FROM acceptance")" = "A. Buyer,B. Vendor" ]
rm -f w/results.sqlite*
exits "a lost store" 0 "$SHAKEDOWN" import w/campaigns/"$good" -w w
check "is rebuilt with them" [ "$(sqlite3 w/results.sqlite "SELECT group_concat(by_whom) FROM acceptance")" = "A. Buyer,B. Vendor" ]
exits "a campaign in another workspace" 0 "$SHAKEDOWN" import w/campaigns/"$good" -w elsewhere
check "brings what was declared of it" grep -q "A. Buyer" elsewhere/accepted.jsonl
check "and of no other" sh -c '! grep -q Vendor elsewhere/accepted.jsonl'
exits "the same again" 0 "$SHAKEDOWN" import w/campaigns/"$good" -w elsewhere
check "adds nothing" [ "$(wc -l <elsewhere/accepted.jsonl)" = 1 ]

cp -r w v
"$SHAKEDOWN" import v/campaigns -w v >/dev/null 2>&1
W=v
# A campaign that covers a change stands beside the reference: what it has not measured stays as it was accepted.
cat >two.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"gemm","hosts":"$(hostname)","suite":"gemm","implementation":"reference","parser":"gemm","ranks":1,"ranks_per_node":1,"argv":["/bin/cat","$PROJECT/tests/fixtures/gemm/reference-passed.out"]}]}
P
contract 1 | sed 's/"hpl"/"gemm"/; s/rmax_gflops/fp64_gflops/; s/HPL/GEMM/' >gemm.toml
sleep 1
"$SHAKEDOWN" run --here --plan two.json --criteria gemm.toml -w $W --progress none >/dev/null 2>&1
partly=$(newest)
exits "a part beside the reference" 0 accept "$partly" --part --by C --why "GPU 3 replaced"
says "is part of it" "$partly is part of the reference of test"
sleep 1
"$SHAKEDOWN" change --node "$(hostname)" --event moved --by C --note "rack 7" -w $W >/dev/null 2>&1
exits "a part that can't show what changed since" 2 accept "$partly" --part --by C --why "moved"
says "says when" "$(hostname) was declared (moved) on "
says "and why" ", after $partly began"
says "and the way out, as the reference has no run on several nodes" "has none to propose, as the reference has no such run: accept a campaign with a run on $(hostname) of hpl"
exits "logs of the system that tell of no node" 0 "$SHAKEDOWN" import same.out -w $W --system test --campaign nodeless --criteria met.toml
exits "show no node's move" 2 accept nodeless --part --by C --why "moved"
says "which is said" "nodeless has no valid run on it that shows it"
exits "the history with it" 0 "$SHAKEDOWN" accept --list -w $W
says "names the whole one" "$bad  (the reference)"
says "and the part" "$partly  (part of the reference)"
sleep 1
exits "a run after it" 0 "$SHAKEDOWN" run --here --plan same.json --criteria relative.toml -w $W --progress none
whole=$(newest)
check "is held against the whole one" grep -q "$bad" "$W/campaigns/$whole/criteria.toml"
# A reference without a run on several nodes asks for none, though the node was moved.
exits "a run of what moved" 0 "$SHAKEDOWN" run --here --plan two.json --criteria gemm.toml -w $W --progress none
exits "shows it" 0 accept "$(newest)" --part --by C --why "moved"
exits "the same as a whole reference" 0 accept "$partly" --by C --why "by mistake"
says "says what is given up" "it has no run of hpl on 1 node"
exits "a part of nothing" 2 "$SHAKEDOWN" accept logs --part --by C --why x -w elsewhere
exits "--part and --list" 2 accept --list --part
says "contradict each other, too" "--part"
exits "the first again" 0 accept "$bad" --by "B. Vendor" --why 'after the mistake'

# A waiver counts as it stood when the campaign ended. Who accepts later is told that it has expired since.
W=waived
{
  contract 1e9
  printf '[[waivers]]\ncriterion = "rate"\nreason = "the second switch is on order"\napprover = "the board"\nexpires = %s\n' "$(date -u -d '30 days' +%F)"
} >waived.toml
exits "a campaign with a waiver" 0 "$SHAKEDOWN" run --here --plan plan.json --criteria waived.toml -w $W --progress none
lifted=$(newest)
exits "is accepted while that holds" 0 accept "$lifted" --by me --why test
check "without a word on it" sh -c '! grep -q expired out'
exits "the history page" 0 "$SHAKEDOWN" site -w $W -o waived.html
check "has the waiver, too" grep -q 'Fail, waived</span> rate' waived.html
faketime=$(ls /usr/lib/*/faketime/libfaketime.so.1 2>/dev/null | head -n 1)
if [ -n "$faketime" ]; then
  later="env LD_PRELOAD=$faketime FAKETIME=+60d FAKETIME_DONT_FAKE_MONOTONIC=1"
  exits "the same, two months later" 0 $later "$SHAKEDOWN" accept "$lifted" --by me --why test -w $W
  says "says that it has expired" "note: the verdict rests on the waiver of rate by the board, which held until $(date -u -d '30 days' +%F) and has expired since"
  check "in one sentence" [ "$(grep -c "has expired since" out)" = 1 ]
  exits "as JSON" 0 $later "$SHAKEDOWN" accept "$lifted" --by me --why test -w $W --json
  check "too" python3 -c 'import json; d=json.load(open("out")); assert len(d["expired_waivers"]) == 1 and "has expired since" in d["expired_waivers"][0]'
  check "at the time of then" sh -c "tail -n 1 $W/accepted.jsonl | grep -q \"$(date -u -d '60 days' +%F)\""
  exits "the report says the same on any day" 0 $later "$SHAKEDOWN" report "$lifted" -w $W
  exits "a campaign that ends then" 1 $later "$SHAKEDOWN" run --here --plan plan.json --criteria waived.toml -w $W.later --progress none
  says "is not accepted" "does nothing: it held until"
else
  echo "SKIPPED: no libfaketime here (apt-get install faketime): a waiver that expired since was not tried"
fi

W=w

echo 'not ours' >>w/accepted.jsonl
exits "a damaged file" 2 "$SHAKEDOWN" accept --list -w w
says "is named with its line" "accepted.jsonl:3"
cp w/accepted.jsonl damaged
exits "nothing is added to it" 2 accept "$good" --by me --why test
check "it stays as it was" cmp damaged w/accepted.jsonl

# A workspace that can't be written: nothing is accepted there.
as_nobody="env"
[ "$(id -u)" = 0 ] && as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
head -n 2 damaged >w/accepted.jsonl
chmod 755 "$T"
chmod -R a+rX,a-w w
cp w/accepted.jsonl kept
if $as_nobody test -x "$SHAKEDOWN" 2>/dev/null; then
  exits "a workspace that can't be written" 4 $as_nobody "$SHAKEDOWN" accept "$good" --by me --why test -w w
  says "says so" "attempt to write a readonly database"
  check "and stays as it was" cmp kept w/accepted.jsonl
  exits "its history can be read" 0 $as_nobody "$SHAKEDOWN" accept --list -w w
  says "all of it" "B. Vendor"
else
  echo "SKIPPED: no other user can run $SHAKEDOWN"
fi
chmod -R u+w w
"$SHAKEDOWN" import same.out -w imported --system theirs --campaign logs --criteria met.toml >/dev/null 2>&1
exits "logs that meet their criteria may be the reference" 0 "$SHAKEDOWN" accept logs --by me --why test -w imported
says "with a word on what that is" "note: its logs were imported: the reference of theirs is what the logs state"
finish
