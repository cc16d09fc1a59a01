#!/bin/sh
# What changed since the accepted campaign: by the inventory and by what was declared; and the configuration that covers
# it, which plan takes whole.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
"$SHAKEDOWN" inventory discover -o machine.toml >/dev/null 2>&1
host=$(hostname)
cat >xhpl <<X
#!/bin/sh
cat "$PROJECT/tests/fixtures/hpl/reference-passed.out"
X
chmod +x xhpl
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"hpl","hosts":"$host","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"program":"$T/xhpl","argv":["$T/xhpl"],"predicted":{"wall_time_s":{"value":36,"low":30,"high":40}}}]}
P
cat >contract.toml <<C
title = "Contract"

# Clause 4.1
[[criteria]]
id = "valid"
title = "HPL is valid"
suite = "hpl"
metric = "validity"
severity = "mandatory"
limit_source = "contract 4.1"

[[criteria]]
id = "io"
title = "IO500 is valid"
suite = "io500"
metric = "validity"
severity = "advisory"
limit_source = "contract 4.2"
C
change() { "$SHAKEDOWN" change "$@" -w w; }

exits "an empty workspace" 2 change
"$SHAKEDOWN" run --here --plan plan.json --inventory machine.toml --criteria contract.toml -w w --progress none >/dev/null 2>&1
id=$(ls w/campaigns)
exits "before any acceptance" 3 change --inventory machine.toml
says "there is nothing to change from" "no campaign of test was accepted yet"
exits "an accepted campaign" 0 "$SHAKEDOWN" accept "$id" --by "A. Buyer" --why "delivery" -w w
exits "the same machine" 0 change --inventory machine.toml
says "has not changed" "nothing changed on test since $id"
exits "and there is nothing to write" 2 change --inventory machine.toml -o change.toml
says "which is said" "there is no campaign to write"

# What no inventory shows is declared. Wrong words write nothing.
exits "no event" 2 change --node "$host" --by ops
says "asks for one" "reboot, replaced or moved"
exits "an unknown event" 2 change --node "$host" --event repaired --by ops
says "is named" "'repaired' is no event"
exits "nobody" 2 change --node "$host" --event reboot --by ""
says "declares nothing" "an event names who declares it"
exits "no node" 2 change --event reboot --by ops
says "asks for it" "the node is missing"
exits "an unknown node" 2 change --node nonesuch --event reboot --by ops
says "names those that are there" "its newest campaign had $host"
exits "a broken hostlist" 2 change --node 'n[1-' --event reboot --by ops
exits "an unknown system" 2 change --system tset --node "$host" --event reboot --by ops
says "is guessed" "did you mean"
exits "-o beside --node" 2 change --node "$host" --event reboot --by ops -o x
says "would do nothing" "-o: would do nothing beside --node"
check "nothing was declared" [ ! -e w/events.jsonl ]

exits "a replaced part" 0 change --node "$host" --event replaced --by ops --note "DIMM 3"
says "is declared" "$host: replaced, by ops: DIMM 3"
check "in the file that is its truth" grep -q '"event":"replaced"' w/events.jsonl
check "and in the store" [ "$(sqlite3 w/results.sqlite "SELECT node || event || note FROM node_event")" = "${host}replacedDIMM 3" ]
exits "the proposal" 0 change --inventory machine.toml -o change.toml
says "says what" "$host: replaced, declared by ops"
says "the run that covers it" "hpl reference on $host, 1 node"
says "the criteria that are not asked" "io: no run of io500 is proposed"
says "and the next command" "next: shakedown run --config change.toml"
check "the criterion stands there with its source" grep -q "contract 4.1" change.toml
exits "plan takes the configuration whole" 0 "$SHAKEDOWN" plan --config change.toml
says "and plans the run" "hpl"
exits "as JSON" 0 change --inventory machine.toml --json
check "one document" python3 - <<'P'
import json
d = json.load(open("out"))
assert d["schema"] == "shakedown.change/1" and d["system"] == "test" and d["everywhere"]  # its only node
assert d["changes"][0]["reach"] == "both" and d["runs"][0]["suite"] == "hpl" and "[[runs]]" in d["configuration"]
assert d["cost"]["cases"] >= 1
P

# What the inventory shows.
sed 's/^kernel = .*/kernel = "99.1"/' machine.toml >other.toml
if ! cmp -s machine.toml other.toml; then
  exits "another kernel" 0 change --inventory other.toml
  says "is a change" "→ 99.1"
fi
cat >elsewhere.toml <<'I'
[[groups]]
hosts = "zz[1-2]"
I
exits "another system's inventory" 2 change --inventory elsewhere.toml
exits "an inventory that is not there" 2 change --inventory nonesuch.toml
says "is named" "nonesuch"

# A workspace that can't be written: nothing is declared there, and the proposal can be read all the same.
as_nobody="env"
[ "$(id -u)" = 0 ] && as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
chmod 755 "$T"
chmod -R a+rX,a-w w
if $as_nobody test -x "$SHAKEDOWN" 2>/dev/null; then
  exits "a workspace that can't be written" 4 $as_nobody "$SHAKEDOWN" change --node "$host" --event reboot --by me -w w
  check "keeps its one event" [ "$(wc -l <w/events.jsonl)" = 1 ]
  exits "its changes can be read" 0 $as_nobody "$SHAKEDOWN" change --inventory machine.toml -w w
  says "with what was declared" "replaced, declared by ops"
else
  echo "SKIPPED: no other user can run $SHAKEDOWN"
fi
chmod -R u+w w

# The store is rebuilt with what was declared.
rm -f w/results.sqlite*
exits "a lost store" 0 "$SHAKEDOWN" import "w/campaigns/$id" -w w
check "has the event again" [ "$(sqlite3 w/results.sqlite "SELECT event FROM node_event")" = replaced ]
finish
