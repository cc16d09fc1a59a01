#!/bin/sh
# Logs made elsewhere: into the store once, whole or not at all, judged and reported without running anything; and run
# directories back into an empty store.
. "$(dirname -- "$0")/check.sh"
F=$PROJECT/tests/fixtures/hpl
cd "$T" || exit 1
mkdir -p vendor/node-a
cp "$F/reference-passed.out" vendor/HPL.out
cp "$F/reference-failed.out" vendor/node-a/HPL.out
echo "dear customer" >vendor/letter.txt
rows() { sqlite3 "$1/results.sqlite" "SELECT count(*) FROM attempt"; }
dump() { sqlite3 "$1/results.sqlite" .dump | grep -v 'INSERT INTO sqlite_sequence' | sort; }

exits "its help" 0 "$SHAKEDOWN" import --help
for name in gpu precision fp64_mode version; do says "names $name among --state's" "$name="; done
exits "a folder of logs" 0 "$SHAKEDOWN" import vendor -w w --system acme --note "sent on Monday"
says "prints the campaign's name" "campaign vendor: 2 runs added"
says "and what each log is" "hpl-reference-HPL"
says "with its validity" "invalid"
says "and what is no log" "1 file is no benchmark log"
says "and how to judge it" "shakedown report vendor -w w"
check "the logs are copied" cmp vendor/HPL.out w/campaigns/vendor/hpl-reference-HPL/attempt-1/HPL.out
dump w >first
exits "the same folder again" 0 "$SHAKEDOWN" import vendor -w w
says "changes nothing" "nothing new: all 2 runs are in campaign vendor already"
dump w >second
check "not a row" cmp first second
exits "as JSON" 0 "$SHAKEDOWN" import vendor -w w --json
check "one document" python3 -c 'import json,sys; d=json.load(open("out")); assert d["unchanged"] == 2 and d["added"] == [] and d["campaign"] == "vendor"'
cp "$F/reference-unchecked.out" vendor/late.out
exits "a new log" 0 "$SHAKEDOWN" import vendor -w w
says "is added" "1 run added, 2 there already"

# Files of several runs in one folder: each run has its own, and nobody else's.
mkdir flat
cp "$PROJECT"/tests/fixtures/io500/prefixed/*.txt flat
cp "$PROJECT/tests/fixtures/io500/isc20-result.txt" flat/gamma__result.txt
exits "several runs in one folder" 0 "$SHAKEDOWN" import flat -w flat-w
says "are as many cases" "campaign flat: 3 runs added"
check "each of its own files" python3 - <<'P'
import glob, os
runs = sorted(sorted(os.path.basename(file) for file in glob.glob(case + "/attempt-1/*.txt"))
              for case in glob.glob("flat-w/campaigns/flat/io500-*"))
assert runs == [["alpha__result.txt", "alpha__result_summary.txt"], ["beta__result_summary.txt"],
                ["gamma__result.txt"]], runs
P
check "with one result each" [ "$(sqlite3 flat-w/results.sqlite 'SELECT count(*) FROM result')" = 3 ]

exits "status" 0 "$SHAKEDOWN" status -w w
says "says what it is" "logs made elsewhere"
says "of each case" "imported"
exits "report: no criteria, nothing decided" 3 "$SHAKEDOWN" report vendor -w w
says "says so" "not judged: no criteria were given"
R=w/campaigns/vendor/report.html
check "the report says what is not known" grep -q "Not known: logs made elsewhere" $R
check "in its exceptions too" grep -q "plan, machine, environment, exit codes, disturbances and other runs are not known" $R
check "shows the note" grep -q "sent on Monday" $R
check "and the system" grep -q "<h1>acme</h1>" $R
check "and invents no node" grep -q "nodes not known" $R
check "the evidence is in the results" sh -c "grep -q '$(sha256sum vendor/HPL.out | cut -d' ' -f1)' w/campaigns/vendor/results.json"
check "no count that nobody knows" python3 - <<'P'
import json
for case in json.load(open("w/campaigns/vendor/results.json"))["cases"]:
    assert "nodes" not in case and case["origin"].endswith(".out"), case
    assert "exit_code" not in case["attempts"][0]
P
exits "compare: nothing of two ranks is comparable" 3 "$SHAKEDOWN" compare vendor -w w
says "names the conditions" "not comparable"
mkdir judged
cp vendor/HPL.out judged
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
exits "logs with criteria" 0 "$SHAKEDOWN" import judged --criteria contract.toml -w c
exits "are accepted by them" 0 "$SHAKEDOWN" report -w c
says "in words" "the logs meet the criteria"
cp vendor/node-a/HPL.out judged/second.out
exits "with an invalid one" 0 "$SHAKEDOWN" import judged -w c
exits "they do not meet them" 1 "$SHAKEDOWN" report -w c
says "and which one spoils it" "HPL-03"
check "the first page names it" grep -q "hpl-reference-second, attempt 1: a result is invalid: HPL-03" c/campaigns/judged/report.html
exits "other criteria" 2 "$SHAKEDOWN" import judged --criteria quick -w c
says "are another campaign's" "is judged by other criteria already: contract.toml"
exits "criteria that are none" 2 "$SHAKEDOWN" import judged --criteria nowhere.toml -w c2
check "make nothing" [ ! -e c2 ]

exits "resume" 2 "$SHAKEDOWN" resume vendor --here -w w
says "has nothing to run" "there is nothing to run"
exits "cancel" 0 "$SHAKEDOWN" cancel vendor -w w
says "neither" "nothing runs"

# The store is lost: the folders hold all of it.
dump w | grep -v 'INTO verdict\|INTO criterion' >before
rm w/results.sqlite*
exits "report without a store" 2 "$SHAKEDOWN" report vendor -w w
says "names the way back" "shakedown import w/campaigns -w w"
exits "which is that" 0 "$SHAKEDOWN" import w/campaigns -w w
says "and says what it did" "campaign vendor: 3 cases, 3 attempts stored"
dump w | grep -v 'INTO verdict\|INTO criterion' >after
check "the rows are the same" cmp before after
check "the verdict too" [ "$(sqlite3 w/results.sqlite 'SELECT count(*) FROM verdict')" = 1 ]
exits "once more" 0 "$SHAKEDOWN" import w/campaigns/vendor -w w
says "changes nothing" "nothing that the store does not have"

# A campaign that was run here.
cp "$F/reference-passed.out" log

LINE="cat $T/log"
plan_of plan.json first second
sed 's/"id":"first"/"id":"first","suite":"hpl","parser":"hpl"/' plan.json >plan2.json
"$SHAKEDOWN" run --here --plan plan2.json --criteria quick -w own --progress none >out 2>err
own=$(ls own/campaigns)
dump own >before
rm own/results.sqlite*
exits "the run directories of a campaign that was run here" 0 "$SHAKEDOWN" import "own/campaigns/$own" -w own
says "come back" "2 cases, 2 attempts stored"
dump own >after
check "row for row, with the verdict" cmp before after
exits "into another workspace" 0 "$SHAKEDOWN" import own -w elsewhere
says "it is copied" "copied from own/campaigns/$own"
check "whole" diff -r --exclude 'lock*' "own/campaigns/$own" "elsewhere/campaigns/$own"
exits "and can be reported on there" 1 "$SHAKEDOWN" report "$own" -w elsewhere
exits "logs do not go into it" 2 "$SHAKEDOWN" import vendor --campaign "$own" -w own
says "says why" "is a campaign that was run here"
exits "nor can it be renamed" 2 "$SHAKEDOWN" import "own/campaigns/$own" --system x -w own
says "says so" "--system: would do nothing"
exits "logs and campaigns together" 2 "$SHAKEDOWN" import own vendor -w w
says "are two commands" "in two commands"

# What a user gets wrong.
exits "no path" 2 "$SHAKEDOWN" import
exits "a path that is not there" 2 "$SHAKEDOWN" import nowhere -w bad
says "is said" "nowhere: cannot open: No such file or directory"
exits "as parse says it" 2 "$SHAKEDOWN" parse nowhere
says "in the same words" "nowhere: cannot open: No such file or directory"
: >empty.out
exits "an empty file" 3 "$SHAKEDOWN" import empty.out -w bad
says "is said" "this file is empty"
exits "a program" 3 "$SHAKEDOWN" import "$SHAKEDOWN" -w bad
says "is no log" "binary file"
mkdir none
exits "a folder without logs" 3 "$SHAKEDOWN" import none -w bad
says "is said" "holds no benchmark log among its 0 files"
check "and nothing was made" [ ! -e bad ]
exits "a name that is no folder's" 2 "$SHAKEDOWN" import vendor --campaign ../x -w bad
says "is refused" "is no name of a folder"
exits "another system's logs" 2 "$SHAKEDOWN" import vendor --system other --campaign vendor -w w
says "are kept apart" "holds logs of 'acme', not of 'other'"
exits "a log beside no log" 3 "$SHAKEDOWN" import vendor/HPL.out empty.out -w mixed
says "the log is stored" "1 run added"
check "and is there" [ "$(rows mixed)" = 1 ]
exits "a log beside a path that is not there" 2 "$SHAKEDOWN" import nowhere vendor/HPL.out -w half
says "names it" "nowhere: cannot open"
check "and stores the log" [ "$(rows half)" = 1 ]
exits "a campaign beside a path that is not there" 2 "$SHAKEDOWN" import own nowhere -w elsewhere
says "names it too" "nowhere: is not there"

chmod 755 "$T"
cp -r vendor locked
chmod 0 locked/late.out
as_nobody="env"
[ "$(id -u)" = 0 ] && as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
mkdir -m 777 open
if [ "$(id -u)" != 0 ] || $as_nobody test -x "$SHAKEDOWN" 2>/dev/null; then
  # shellcheck disable=SC2086  # a command and its options
  exits "an unreadable log, as with parse" 3 $as_nobody "$SHAKEDOWN" import locked -w open/w
  says "is named" "locked/late.out: cannot open: Permission denied"
  check "the others are stored" [ "$(rows open/w)" = 2 ]
  cp -r own archive
  chmod -R a+rX archive
  chmod -R a-w archive
  # shellcheck disable=SC2086
  exits "a store that can only be read" 1 $as_nobody "$SHAKEDOWN" report -w archive -o open/report
  says "is read" "not accepted: hpl-valid: attempt 1 is invalid"
  chmod u+w archive archive/results.sqlite
  sqlite3 archive/results.sqlite 'PRAGMA user_version = 1'
  chmod a-w archive archive/results.sqlite
  # shellcheck disable=SC2086
  exits "one of an older version" 4 $as_nobody "$SHAKEDOWN" report -w archive -o open/report
  says "can be made again elsewhere" '`shakedown import archive -w DIR`'
  check "and is left as it is" [ "$(sqlite3 'file:archive/results.sqlite?immutable=1' 'PRAGMA user_version')" = 1 ]
  # shellcheck disable=SC2086
  exits "as it says" 0 $as_nobody "$SHAKEDOWN" import archive -w open/again
else
  echo "note: nobody can't reach $SHAKEDOWN; unreadable files are left out"
fi
exits "a workspace that can't be made" 4 "$SHAKEDOWN" import vendor -w /proc/nowhere
says "and where else to" "choose another workspace with -w DIR"

# Many logs, for the ends that come early.
mkdir many
i=0
while [ $i -lt 60 ]; do
  { cat "$F/reference-passed.out"; echo "run $i"; } >many/$i.out
  i=$((i + 1))
done
# What a creation left that was killed before the campaign had its folder.
for names in "" campaigns/many; do
  rm -rf left
  mkdir -p left/campaigns/.many.4000000 ${names:+"left/$names"}
  echo cut >left/campaigns/.many.4000000/campaign.json
  [ -z "$names" ] || { "$SHAKEDOWN" import many -w kept >/dev/null 2>&1; cp -r kept/campaigns/many left/campaigns/; }
  "$SHAKEDOWN" import many -w left >/dev/null 2>&1
  check "an import removes it${names:+, in a campaign that is there}" [ ! -e left/campaigns/.many.4000000 ]
done

# Every run on disk has its row and the other way round, with as many results as its log gives; nothing is half.
is_whole() { # WORKSPACE
  sqlite3 "$1/results.sqlite" "SELECT p.name FROM planned_case p JOIN attempt a ON a.case_id = p.id JOIN result r ON r.attempt_id = a.id JOIN attempt_file f ON f.attempt_id = a.id ORDER BY 1" >in_store
  (cd "$1/campaigns/many" && ls -d hpl-*/imported.json | sed 's,/.*,,' | LC_ALL=C sort) >on_disk
  LC_ALL=C sort -o in_store in_store
  check "$2: store and folders agree" cmp in_store on_disk
  check "$2: no copy is left over" [ -z "$(find "$1/campaigns" -name '.*' -not -name '.' | head -n 1)" ]
}
env --default-signal=INT "$SHAKEDOWN" import many -w stopped >out 2>err &
pid=$!
for _ in $(seq 400); do [ "$(ls stopped/campaigns/many 2>/dev/null | wc -l)" -gt 4 ] && break; sleep 0.01; done
kill -INT $pid
wait $pid
check "Ctrl-C: exit 130" [ $? = 130 ]
says "says how to go on" "Run the same command again to continue"
is_whole stopped "Ctrl-C"
check "some are stored, not all" sh -c "[ $(rows stopped) -ge 1 ] && [ $(rows stopped) -lt 60 ]"
exits "the same command goes on" 0 "$SHAKEDOWN" import many -w stopped
check "to the end" [ "$(rows stopped)" = 60 ]
is_whole stopped "after Ctrl-C"

seed=${SEED:-$(date +%N)}
echo "seed $seed"
for instant in $(awk -v seed="$seed" 'BEGIN { srand(seed); for (i = 0; i < 12; i++) printf "%.3f ", 0.05 + rand() * 1.2 }'); do
  rm -rf killed
  "$SHAKEDOWN" import many -w killed >/dev/null 2>&1 &
  pid=$!
  sleep "$instant"
  kill -KILL $pid 2>/dev/null
  wait $pid 2>/dev/null
  exits "import after kill -9 at $instant s" 0 "$SHAKEDOWN" import many -w killed
  check "all are there once" [ "$(rows killed)" = 60 ]
  is_whole killed "killed at $instant s"
done

for _ in $(seq 20); do  # the first moments of a new workspace are the hardest
  rm -rf both
  "$SHAKEDOWN" import vendor -w both >out1 2>err1 &
  one=$!
  "$SHAKEDOWN" import vendor -w both >out2 2>err2 &
  two=$!
  wait $one && wait $two || { cat err1 err2; failures=$((failures + 1)); }
  [ "$(rows both)" = 3 ] || { fail "two at once store $(rows both) runs"; }
done
rm -rf both
"$SHAKEDOWN" import many -w both >out1 2>err1 &
one=$!
"$SHAKEDOWN" import many -w both >out2 2>err2 &
two=$!
wait $one
check "two imports at once: one" [ $? = 0 ]
wait $two
check "and the other succeed" [ $? = 0 ]
check "and store each log once" [ "$(rows both)" = 60 ]
is_whole both "two at once"

if [ "$(id -u)" = 0 ] && mkdir small && mount -t tmpfs -o size=900k tmpfs small 2>/dev/null; then
  exits "a full disk" 4 "$SHAKEDOWN" import many -w small/w
  check "says so, of the store or of a log, whichever meets it" grep -Eq 'full|No space left' err
  stored=$(rows small/w)
  check "what is stored is whole ($stored runs)" [ "$stored" -lt 60 ]
  mount -o remount,size=40m small
  exits "with more space the same command" 0 "$SHAKEDOWN" import many -w small/w
  check "goes on to the end" [ "$(rows small/w)" = 60 ]
  is_whole small/w "after a full disk"
  umount small
else
  echo "note: no tmpfs can be mounted here; the full-disk import is left out"
fi
finish
