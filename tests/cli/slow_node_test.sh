#!/bin/sh
# One slow node among many: named beside the verdict, repeated by the command that the report gives, confirmed or cleared.
# The nodes are a batch system of our own on this host, the runs HPL's logs with the rates that each node is told.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
cat >submit <<'Q'
#!/bin/sh
id=$(($(cat last 2>/dev/null || echo 100) + 1))
echo $id >last
setsid sh "$1" >/dev/null 2>&1 </dev/null &
echo "job $id was accepted"
Q
printf '#!/bin/sh\nfor id; do echo "$id RUN"; done\n' >queue
printf '#!/bin/sh\n' >remove
# A program that prints a valid HPL log with the rate of its node.
cat >xhpl <<Q
#!/bin/sh
sed "s/5\.0413e+01/\$(cat $T/rate-\$1)/" "$PROJECT/tests/fixtures/hpl/reference-passed.out"
Q
chmod +x submit queue remove xhpl
cat >ours.toml <<Q
title = "ours"
tested = "run-here"
most_nodes = 1
[submit]
command = ["$T/submit", "{script}"]
id = 'job ([0-9]+) was accepted'
[poll]
command = ["$T/queue", "{ids}"]
record = '^([0-9]+) +([A-Z]+)'
[cancel]
command = ["$T/remove", "{id}"]
Q
cat >inventory.toml <<Q
system = "test"
[[groups]]
name = "nodes"
hosts = "cn[1-12]"
memory_gib = 16
[groups.cpu]
model = "virtual"
sockets = 1
cores = 2
Q
{
  printf '{"schema":"shakedown.plan/1","system":"test","cases":['
  for n in 1 2 3 4 5 6 7 8 9 10 11 12; do
    printf '5.%02de+01\n' $((n * 5 % 12)) >rate-cn$n
    [ $n = 1 ] || printf ','
    printf '{"id":"hpl-cn%s","hosts":"cn%s","placement":"bound","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"parameters":{"N":1000,"NB":128,"P":1,"Q":2},"argv":["%s/xhpl","cn%s"]}' $n $n "$T" $n
  done
  printf ']}\n'
} >plan.json
cat >contract.toml <<'Q'
title = "Contract"
[[criteria]]
id = "rate"
title = "HPL on each node"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 45
aggregation = "median"
severity = "mandatory"
limit_source = "contract 4.2"
Q
value() { python3 -c 'import json, sys; d = json.load(open(sys.argv[1])); print(eval(sys.argv[2]))' "$1" "$2"; }
runs() { "$SHAKEDOWN" run --plan plan.json --inventory inventory.toml --criteria contract.toml --scheduler "$T/ours.toml" -w "$1" --progress none; }

exits "nodes that are alike" 0 runs healthy
check "are set beside each other" [ "$(value "$(ls -d healthy/campaigns/*)/results.json" '[(s["n"], s["sound"], s["nodes"]) for s in d["node_screens"]]')" = "[(12, 12, [])]" ]
check "and none is said to be slow" sh -c "! grep -q 'slow node' '$T/out'"
exits "nothing waits to be repeated" 0 "$SHAKEDOWN" resume --repeat-suspects -w healthy --progress none
says "which is said" "waits to be repeated"

echo 4.66e+01 >rate-cn5
exits "a campaign with a slow node above the contract's limit" 0 runs w
id=$(ls w/campaigns)
results=w/campaigns/$id/results.json
says "is accepted" "verdict  accepted"
says "and the node is named" "! exception: slow node among 12 by HPL Rmax, beside their median of "
says "as one to be repeated" "to be repeated: cn5 −7.8 %"
says "with the command that repeats it" "next     the operator runs: shakedown resume $id --repeat-suspects -w w"
check "which the report gives, too" grep -qF '<span class="word">--repeat-suspects</span> <span class="word">-w</span> <span class="word">w</span>' "w/campaigns/$id/report.html"
check "in results.json too" [ "$(value $results 'd["node_screens"][0]["nodes"][0]["node"], d["node_screens"][0]["nodes"][0]["finding"]')" = "('cn5', 'suspect')" ]
check "and in the report" grep -q '<section id="nodes">' "w/campaigns/$id/report.html"

exits "the command, as it was said" 0 "$SHAKEDOWN" resume "$id" --repeat-suspects -w w --progress none
says "confirms the node" "; confirmed by repeats: cn5 −7.8 %"
check "by three more runs on it" [ "$(value $results '[(c["id"], c["hosts"]) for c in d["cases"] if c.get("purpose") == "confirm"]')" = "[('hpl-cn5-r2', 'cn5'), ('hpl-cn5-r3', 'cn5'), ('hpl-cn5-r4', 'cn5')]" ]
check "which the criterion leaves out" [ "$(value $results 'd["criteria"][0]["n"]')" = 12 ]
check "and reliability counts" [ "$(value $results 'd["reliability"][0]["started"]')" = 15 ]
exits "once more" 0 "$SHAKEDOWN" resume "$id" --repeat-suspects -w w --progress none
check "there is nothing to repeat" [ "$(value $results 'len(d["cases"])')" = 15 ]

# The store can be lost: the repeats stand in the folder.
rm w/results.sqlite*
"$SHAKEDOWN" import w/campaigns -w w >/dev/null 2>&1
exits "a report from the rebuilt store" 0 "$SHAKEDOWN" report "$id" -w w
says "says the same" "; confirmed by repeats: cn5 −7.8 %"

exits "another campaign, whose node was only unlucky" 0 runs cleared
echo 5.04e+01 >rate-cn5
exits "its repeats" 0 "$SHAKEDOWN" resume --repeat-suspects -w cleared --progress none
check "clear it" [ "$(value "$(ls -d cleared/campaigns/*)/results.json" 'd["node_screens"][0]["nodes"][0]["finding"]')" = cleared ]
check "and nobody is called slow" sh -c "! grep -q 'slow node' '$T/out'"

# Four campaigns on, a loss that the spread of the nodes hides is seen beside the node's own past.
for n in 1 2 3 4 5 6 7 8 9 10 11 12; do printf '5.%03de+01\n' $((n * 15)) >rate-cn$n; done
for day in 1 2 3; do
  runs past >/dev/null 2>&1
  sleep 1
done
echo 5.025e+01 >rate-cn12
exits "the fourth" 0 runs past
says "names the node that fell" "to be repeated: cn12 −2.7 %"
says "and beside what" "(beside its own past)"

"$SHAKEDOWN" import --campaign vendor "$PROJECT/tests/fixtures/hpl/reference-passed.out" -w w >/dev/null 2>&1
exits "can't be repeated" 2 "$SHAKEDOWN" resume vendor --repeat-suspects --here -w w
says "which is said" "the logs were made elsewhere"
finish
