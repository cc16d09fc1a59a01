#!/bin/sh
# What binds a campaign before it runs, and criteria that change after it has: nothing of it can be hidden.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
printf '#!/bin/sh\ncat "%s/tests/fixtures/hpl/reference-passed.out"\n' "$PROJECT" >xhpl
chmod +x xhpl
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"hpl","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]}]}
P
contract() { # LIMIT
  cat <<C
title = "Contract"
[[criteria]]
id = "rate"
title = "HPL is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = $1
aggregation = "median"
severity = "mandatory"
limit_source = "contract 4.2"
C
}
contract 1e9 >contract.toml
exits "a contract that is not met" 1 "$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml -w w --progress none
says "run prints what binds the campaign" "commitment "
shown=$(sed -n 's/^commitment \([0-9a-f ]*\)$/\1/p' err)
root=$(echo "$shown" | tr -d ' ')
check "as one SHA-256" [ ${#root} = 64 ]
says "for both parties" "each party should note it before the first run"
at=$(ls -d w/campaigns/*/)
check "the journal begins with it" sh -c "head -n 1 '$at/journal.jsonl' | grep -q '\"event\":\"commitment\",\"root\":\"$root\"'"
check "the root can be computed by hand" [ "$(head -n 1 "$at/journal.jsonl" | grep -o '{"name":"[^"]*","sha256":"[^"]*"}' |
  sed 's/{"name":"\(.*\)","sha256":"\(.*\)"}/\1 \2/' | LC_ALL=C sort | sha256sum | cut -d ' ' -f 1)" = "$root" ]
check "the program is bound by its hash" grep -q "$(sha256sum <xhpl | cut -d ' ' -f 1)" "$at/journal.jsonl"
check "and ran with that hash" grep -q '"id": "IMPL-01"' "$at/results.json"
check "which the rule holds" sh -c "grep -A 4 '\"id\": \"IMPL-01\"' '$at/results.json' | grep -q '\"status\": \"pass\"'"
check "the report shows the root" grep -q "$shown" "$at/report.html"

# The program changes between planning and running: the result is invalid. Its rate would have passed.
contract 0.001 >easy.toml
cat >swap.sh <<S
echo '# another build' >>$T/xhpl
S
cat >swapped.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"swap","suite":"probe","hosts":"$(hostname)","argv":["/bin/sh","$T/swap.sh"]},
{"id":"hpl","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]}]}
P
exits "another program than the planned one" 3 "$SHAKEDOWN" run --here --plan swapped.json --criteria easy.toml -w swapped --progress none
says "is said by its rule" "IMPL-01: $T/xhpl ran with SHA-256"

# Other criteria after the run: a new revision, never instead of the old.
exits "other criteria need a reason" 2 "$SHAKEDOWN" report -w w --criteria easy.toml
says "which is asked for" "add --reason TEXT"
exits "a reason needs criteria" 2 "$SHAKEDOWN" report -w w --reason "none"
exits "a revision" 0 "$SHAKEDOWN" report -w w --criteria easy.toml --reason "amendment 1"
says "is numbered" "are revision 2 of"
says "the old verdict stands beside the new" "by revision 1 of the criteria: not accepted: rate:"
check "the old criteria stay" grep -q 'limit = 1e+09\|limit = 1000000000' "$at/criteria.toml"
check "the new ones lie beside them" grep -q 'limit = 0.001' "$at/criteria-2.toml"
check "the journal says since when and why" grep -q '"event":"criteria","revision":2.*amendment 1' "$at/journal.jsonl"
check "page one says both" sh -c "sed '/<\/section>/q' '$at/report.html' | grep -q 'Criteria: revision 2' && sed '/<\/section>/q' '$at/report.html' | grep -q 'By revision 1 (contract.toml): <b>Not accepted'"
exits "the same again" 0 "$SHAKEDOWN" report -w w --criteria easy.toml --reason "amendment 1"
says "is no revision" "is judged by these criteria already: no new revision"
check "no third file" [ ! -e "$at/criteria-3.toml" ]

# A store that is lost comes back with the revisions; a file that was tampered with is named.
rm w/results.sqlite*
exits "the store again from the folders" 0 "$SHAKEDOWN" import w/campaigns -w w
exits "judges as before" 0 "$SHAKEDOWN" report -w w
says "by both revisions" "by revision 1 of the criteria: not accepted: rate:"
check "the commitment is whole" sh -c "! grep -q 'commitment is broken' '$at/report.html'"
sed -i 's/1e+09\|1000000000/5.0/' "$at/criteria.toml"
exits "criteria that were changed on disk" 3 "$SHAKEDOWN" report -w w
says "accept nothing" "the commitment is broken: criteria.toml in the campaign's folder is not the one"
exits "and make no reference" 2 "$SHAKEDOWN" accept -w w "$(basename "$at")" --by "A. Smith" --why "site acceptance"
says "for that reason" "the commitment is broken: criteria.toml"
says "which no other criteria mend" "restore the original files, or run the campaign again"
check "are named on page one" sh -c "sed '/<\/section>/q' '$at/report.html' | grep -q 'the commitment is broken: criteria.toml in the campaign&apos;s folder is not the one'"
finish
