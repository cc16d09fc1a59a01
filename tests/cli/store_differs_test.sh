#!/bin/sh
# A store and run directories that differ are found by report, status and accept, each with the way out; what was not
# changed passes, and what is not here is told.
. "$(dirname -- "$0")/check.sh"
F=$PROJECT/tests/fixtures/hpl
cd "$T" || exit 1
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/cat","$F/reference-passed.out"]},
{"id":"two","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/sh","-c","cat $F/reference-passed.out; echo second"]}]}
P
cat >contract.toml <<'TOML'
title = "Contract"
[[criteria]]
id = "hpl-valid"
title = "Every HPL result is valid"
suite = "hpl"
metric = "validity"
limit_source = "the contract"
severity = "mandatory"
TOML
sed 's/Contract/Amended contract/' contract.toml >contract2.toml
sql() { sqlite3 w/results.sqlite "$1"; }
"$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml -w kept --progress none >out 2>err
C=$(ls kept/campaigns)
A=w/campaigns/$C
# rechained: the journal as if it had never had what was taken out.
rechained() { python3 "$PROJECT/tests/cli/rechain.py" w; }
# again: the campaign as it was run.
again() { rm -rf w; cp -rp kept w; }
# differs NAME WHAT WAY_OUT: all three refuse it and name what it is.
differs() {
  exits "$1: report" 4 "$SHAKEDOWN" report -w w -o page
  says "names it" "the store and the run directories differ: "
  says "with its place" "$2"
  says "and the way out" "$3"
  check "and writes no report" [ ! -e page ]
  exits "$1: status" 4 "$SHAKEDOWN" status -w w
  says "shows the cases all the same" "finished"
  says "names it" "$2"
  exits "$1: accept" 4 "$SHAKEDOWN" accept "$C" --by me --why test -w w
  says "names it" "$2"
  check "nothing is accepted" [ ! -e w/accepted.jsonl ]
}
# mended NAME: the way out is one.
mended() {
  exits "$1: import" 0 "$SHAKEDOWN" import "$A" -w w
  exits "is the way out" 0 "$SHAKEDOWN" report -w w
  exits "of status too" 0 "$SHAKEDOWN" status -w w
  exits "and of accept" 0 "$SHAKEDOWN" accept "$C" --by me --why test -w w
}

again
exits "an untouched campaign: report" 0 "$SHAKEDOWN" report -w w
check "with nothing to say" sh -c '! grep -q "not checked" out'
check "says in its results what was compared" grep -q '"without_hash": 0' "$A/results.json"
exits "status" 0 "$SHAKEDOWN" status -w w
check "says nothing" [ ! -s err ]
exits "accept" 0 "$SHAKEDOWN" accept "$C" --by me --why test -w w
check "the journal has the hashes" grep -q '"event":"collected","case":"one","attempt":1,"state":"finished","record":"[0-9a-f]\{64\}"' "$A/journal.jsonl"

again
sed -i 's/WR[0-9A-Z]* .*/&1/' "$A/one/attempt-1/stdout.log"
differs "an edited log" "one/attempt-1/stdout.log is not the file that was collected" "put back the file of"
exits "an import does not take it in" 4 "$SHAKEDOWN" import "$A" -w w
says "says why" "is not the file that was collected"
cp -p "kept/campaigns/$C/one/attempt-1/stdout.log" "$A/one/attempt-1/stdout.log"
exits "the log put back" 0 "$SHAKEDOWN" report -w w

again
printf '%s' "$(sed 's/"exit_code": *0/"exit_code":3/' "$A/one/attempt-1/finished.json")" >"$A/one/attempt-1/finished.json"
differs "an edited finished.json" "one/attempt-1/finished.json is not the file" "put back the file of"

again
mv "$A/one/attempt-1/stdout.log" log
mv "$A/two/attempt-1/stdout.log" "$A/one/attempt-1/stdout.log"
mv log "$A/two/attempt-1/stdout.log"
differs "logs swapped between two cases" "attempt-1/stdout.log is not the file" "; and 1 more difference"

again
sql "UPDATE metric_value SET value = 4 * value WHERE name_id = (SELECT id FROM metric_name WHERE name = 'rmax_gflops') AND result_id = 1"
differs "an edited metric" "one, attempt 1 is not what was collected: rmax_gflops is" "stores the campaign again from its run directories"
mended "an edited metric"

again
sql "UPDATE result SET validity = 'valid'; UPDATE rule SET status = 'pass', text = 'fine'; UPDATE attempt SET record_sha256 = ''"
differs "an edited rule, without its hash" "one, attempt 1 is not what was collected" "shakedown import"
mended "an edited rule"

again
sql "PRAGMA foreign_keys = ON; DELETE FROM attempt WHERE id = 1"
differs "a deleted attempt" "one, attempt 1 is missing from the store" "shakedown import"
mended "a deleted attempt"

again
sql "INSERT INTO attempt SELECT 99, case_id, 2, state, exit_code, signal, started_s, finished_s, wall_s, host, folder, failure, cores, steal_ratio, foreign_cores, job_cores, load_before, failure_kind, hosts, job, program, program_sha256, record_sha256, excerpts_sha256 FROM attempt WHERE id = 1"
differs "an attempt that never was" "one, attempt 2 is in the store, and the campaign's journal does not have it" "shakedown import"

again
sql "INSERT INTO attempt (id, case_id, k, state, started_s, finished_s, wall_s, host, folder, failure) VALUES (99, 1, 2, 'finished', 1, 2, 1, 'x', 'one/attempt-2', '')"
differs "one without a hash" "one, attempt 2 is in the store, and the campaign's journal does not have it" "shakedown import"

# Where no more is in the store than the run directories prove, a missing line of the journal is no difference: the
# orchestrator crashed between the two.
again
sed -i '/"collected","case":"two"/d' "$A/journal.jsonl"
rechained
sql "UPDATE campaign SET state = 'running'"
exits "a crash between store and journal: report" 3 "$SHAKEDOWN" report -w w
exits "import" 0 "$SHAKEDOWN" import "$A" -w w
check "journals what was stored" grep -q '"collected","case":"two"' "$A/journal.jsonl"
exits "once for all" 0 "$SHAKEDOWN" report -w w
again
sed -i '/"collected","case":"two"/d' "$A/journal.jsonl"
rechained
sql "UPDATE campaign SET state = 'interrupted'; INSERT INTO attempt (id, case_id, k, state, started_s, finished_s, wall_s, host, folder, failure) VALUES (99, 1, 2, 'interrupted', 1, 2, 1, 'x', 'one/attempt-2', '')"
exits "one that no run directory proves, of an interrupted campaign" 4 "$SHAKEDOWN" report -w w
says "is named" "one, attempt 2 is in the store, and the campaign's journal does not have it"
again
sed -i '/"collected","case":"one"/d' "$A/journal.jsonl"
rechained
sql "UPDATE attempt SET record_sha256 = '' WHERE id = 1"
exits "an attempt that an older version imported, before a resume by this one: report" 3 "$SHAKEDOWN" report -w w
says "says what was not compared" "of 1 of 2 attempts only the logs were checked"

again
sql "ANALYZE"
exits "statistics of an operator's ANALYZE: report" 0 "$SHAKEDOWN" report -w w
exits "and import" 0 "$SHAKEDOWN" import "$A" -w w

again
rm -r "$A/two"
sed -i '/"collected","case":"two"/d; s/"event":"finished"/"event":"interrupted"/' "$A/journal.jsonl"
rechained
sql "PRAGMA foreign_keys = ON; DELETE FROM attempt WHERE id = 2; UPDATE campaign SET state = 'interrupted'"
exits "an interrupted campaign: status" 0 "$SHAKEDOWN" status -w w
check "is no difference" [ ! -s err ]
exits "which can't be accepted" 2 "$SHAKEDOWN" accept "$C" --by me --why test -w w
sql "UPDATE campaign SET state = 'finished'"
differs "one that the store has as finished" "$C is finished in the store and interrupted by the campaign's journal" "shakedown import"

again
sql "UPDATE campaign SET tool_version = '0'"
differs "another version" "$C has other warnings, note or version in the store than in its campaign.json" "shakedown import"
mended "another version"
again
sql "INSERT INTO campaign_warning SELECT id, 0, 'odd' FROM campaign"
differs "a warning that nobody gave" "has other warnings, note or version in the store" "shakedown import"
mended "a warning that nobody gave"
again
sql "UPDATE environment SET value = 'vmx' WHERE name = 'architecture'"
exits "another environment: report" 4 "$SHAKEDOWN" report -w w
says "is found" "has architecture = vmx in the store, which no environment.json states"
mended "another environment"

again
sql "UPDATE campaign SET inventory = replace(inventory, '\"cores\": ', '\"cores\": 1')"
differs "another machine" "$C has another inventory in the store than in its inventory.json" "shakedown import"
mended "another machine"

again
sql "UPDATE planned_case SET document = replace(document, 'reference-passed.out', 'other-passed.out')"
differs "another plan" "one has another plan in the store than in its campaign's folder" "shakedown import"
mended "another plan"

again
sql "UPDATE attempt_file SET excerpt = replace(excerpt, 'PASSED', 'passed') WHERE name = 'stdout.log'"
exits "an edited excerpt: report" 4 "$SHAKEDOWN" report -w w
says "names it" "the store has other excerpts of its files"
mended "an edited excerpt"

# What the store says of the commitment decides nothing: the folder is compared as long as it is what its own journal
# bound.
again
sql "UPDATE campaign SET commitment = 'x' || substr(commitment, 2), system = 'evil'"
differs "another commitment" "$C has another commitment in the store than in its journal's first line" "shakedown import"
mended "another commitment"
again
sql "UPDATE campaign SET commitment = ''"
differs "no commitment" "has another commitment in the store" "shakedown import"
mended "no commitment"
again
sql "UPDATE campaign SET criteria = replace(criteria, 'validity', 'rmax_gflops')"
differs "other criteria" "has other criteria in the store than in its criteria.toml" "shakedown import"
mended "other criteria"
again
sql "INSERT INTO criteria_revision SELECT id, 2, 'soft.toml', 'title = \"Soft\"', 'because', 5 FROM campaign"
differs "a revision of the criteria that nobody gave" "has other revisions of its criteria in the store" "shakedown import"
mended "a revision that nobody gave"
again
exits "a revision" 0 "$SHAKEDOWN" report -w w --criteria contract2.toml --reason "amendment"
exits "is no difference" 0 "$SHAKEDOWN" status -w w
check "and says nothing" [ ! -s err ]
sql "DELETE FROM criteria_revision"
exits "one that was deleted: report" 4 "$SHAKEDOWN" report -w w
says "is found" "has other revisions of its criteria in the store"
mended "a deleted revision"
again
sql "INSERT INTO exclusion SELECT id, 0, 'vm', 'because', 1 FROM campaign"
differs "a node that nobody excluded" "vm is excluded in the store but not in the campaign's journal" "shakedown import"
mended "a node that nobody excluded"
again
sql "UPDATE planned_case SET not_run = 'the node was down' WHERE name = 'two'"
differs "a case that was run" "two was not run for another reason in the store" "shakedown import"
mended "a case that was run"
again
printf '{"t":"2026-11-21T18:05:09Z","event":"excluded","node":"cn7","because":"a fan"}\n' >>"$A/journal.jsonl"
rechained
differs "a node that was let in again" "cn7 is excluded in the campaign's journal but not in the store" "shakedown import"
mended "a node that was let in again"

again
sed -i 's/mandatory/desired/' "$A/criteria.toml"
exits "a folder that is not what its journal bound: status" 0 "$SHAKEDOWN" status -w w
says "says so" "the commitment is broken: criteria.toml in the campaign's folder is not the one"

# Nothing that is not here is said to have been checked, and nothing of it is accepted.
again
rm -r "$A/two/attempt-1"
exits "a run directory that is not here: report" 0 "$SHAKEDOWN" report -w w
says "says so" "not checked against the run directories, which are not here: two/attempt-1"
check "on the page too" grep -q "not checked against the run directories, which are not here: two/attempt-1" "$A/report.html"
exits "status" 0 "$SHAKEDOWN" status -w w
exits "accept refuses it" 4 "$SHAKEDOWN" accept "$C" --by me --why test -w w
says "names it" "two/attempt-1 is incomplete"
again
rm "$A/two/attempt-1/stdout.log"
exits "nor is one without its log" 0 "$SHAKEDOWN" report -w w
says "said to be here" "not here: two/attempt-1"
sql "UPDATE metric_value SET value = 2 * value"
exits "rows that differ are found without it" 4 "$SHAKEDOWN" report -w w
exits "and stay in the store" 4 "$SHAKEDOWN" import "$A" -w w
says "until the log is back" "put the run directory back"
check "all of them" [ "$(sql 'SELECT count(*) FROM attempt')" = 2 ]

# Of attempts without a hash the files are compared with what the store has of them.
again
sql "UPDATE attempt SET record_sha256 = '', excerpts_sha256 = ''"
sed -i 's/,"state":"finished","record".*/}/' "$A/journal.jsonl"
rechained
exits "a campaign whose attempts have no hash: report" 0 "$SHAKEDOWN" report -w w
says "says what was not compared" "of 2 of 2 attempts only the logs were checked"
exits "status" 0 "$SHAKEDOWN" status -w w
exits "accept" 0 "$SHAKEDOWN" accept "$C" --by me --why test -w w
rm w/accepted.jsonl
echo more >>"$A/one/attempt-1/stdout.log"
exits "an edited log of it: report" 4 "$SHAKEDOWN" report -w w
says "is found" "one/attempt-1/stdout.log is not the file"

# Logs made elsewhere.
mkdir vendor
cp "$F/reference-passed.out" vendor/HPL.out
"$SHAKEDOWN" import vendor --system acme --criteria contract.toml -w ext >out 2>err
exits "imported logs: report" 0 "$SHAKEDOWN" report -w ext
exits "status" 0 "$SHAKEDOWN" status -w ext
cp -rp ext ext2
sqlite3 ext2/results.sqlite "UPDATE metric_value SET value = 2 * value"
exits "an edited metric of an imported log: report" 4 "$SHAKEDOWN" report -w ext2
says "is found" "rmax_gflops is"
exits "status" 4 "$SHAKEDOWN" status -w ext2
exits "accept" 4 "$SHAKEDOWN" accept vendor --by me --why test -w ext2
exits "import" 0 "$SHAKEDOWN" import ext2/campaigns/vendor -w ext2
exits "mends it" 0 "$SHAKEDOWN" report -w ext2
echo more >>ext2/campaigns/vendor/hpl-reference-HPL/attempt-1/HPL.out
exits "an edited imported log: report" 4 "$SHAKEDOWN" report -w ext2
says "is found" "HPL.out is not the file that was collected"
exits "status" 4 "$SHAKEDOWN" status -w ext2
exits "accept" 4 "$SHAKEDOWN" accept vendor --by me --why test -w ext2

# One more log beside those that an older version imported, without a line in the journal.
sqlite3 ext/results.sqlite "UPDATE attempt SET record_sha256 = '', excerpts_sha256 = ''"
rm ext/campaigns/vendor/journal.jsonl
sed 's/second/third/; $a one more' vendor/HPL.out >vendor/late.out
exits "one more log beside older ones" 0 "$SHAKEDOWN" import vendor -w ext
says "is added" "1 run added"
exits "report" 0 "$SHAKEDOWN" report -w ext
exits "accept" 0 "$SHAKEDOWN" accept vendor --by me --why test -w ext

# A store of an older version is made again from the run directories, by the commands that its refusal names.
again
exits "accepted" 0 "$SHAKEDOWN" accept "$C" --by me --why test -w w
sql "DROP INDEX result_by_shape; DROP TABLE acceptance; PRAGMA user_version = 5"
for command in report status "accept $C --by me --why test" "import w/campaigns" "compare $C --baseline accepted"; do
  # shellcheck disable=SC2086  # a command and its options
  exits "an older store: $command" 4 "$SHAKEDOWN" $command -w w
  says "is refused" "results.sqlite: was written by an older shakedown (store version 5, this one has "
  says "with the way out" 'mv w/results.sqlite w/results.5.sqlite && shakedown import w/campaigns -w w'
done
check "and left as it is" [ "$(sql 'PRAGMA user_version')" = 5 ]
shakedown() { "$SHAKEDOWN" "$@"; }
eval "$(sed -n 's/.*`\(mv .*\)`.*/\1/p' err)" >out 2>&1
says "its way out makes it again" "2 attempts stored"
exits "the campaign is there" 0 "$SHAKEDOWN" status -w w
says "with its cases" "finished"
exits "and the report is what it was" 0 "$SHAKEDOWN" report -w w
exits "what was accepted" 2 "$SHAKEDOWN" compare "$C" --baseline accepted -w w
says "is known" "is the accepted campaign itself"
check "the old store is kept" [ -s w/results.5.sqlite ]

# A copy of a campaign elsewhere, and a store that is lost.
again
rm w/results.sqlite*
exits "without a store: status" 0 "$SHAKEDOWN" status -w w
says "says how to get one" "shakedown import w/campaigns -w w"
exits "which is that" 0 "$SHAKEDOWN" import w/campaigns -w w
exits "and the report is what it was" 0 "$SHAKEDOWN" report -w w
check "with the same journal" cmp "kept/campaigns/$C/journal.jsonl" "$A/journal.jsonl"
exits "copied elsewhere" 0 "$SHAKEDOWN" import kept -w other
exits "it is reported" 0 "$SHAKEDOWN" report -w other
exits "its status is told" 0 "$SHAKEDOWN" status -w other
finish
