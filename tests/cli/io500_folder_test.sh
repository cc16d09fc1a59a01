#!/bin/sh
# A result folder of IO500 as a whole: its metrics, and config.ini, which its hash is made of and which is no log.
. "$(dirname -- "$0")/check.sh"
F=$PROJECT/tests/fixtures/io500
cd "$T" || exit 1
cp -r "$F/directory" run
hash=$(sed -n 's/^config-hash *= //p' run/result.txt)
# rule FIELD: that of IO5-05, of each document in the last output.
rule() {
  python3 - "$1" <<'P'
import json, sys
for line in open("out"):
    document = json.loads(line)
    print(document["file"], *[rule[sys.argv[1]] for rule in document["rules"] if rule["id"] == "IO5-05"])
P
}

exits "a result folder" 0 "$SHAKEDOWN" parse --rules all run
check "is one result" [ "$(wc -l <out)" = 1 ]
check "whose hashes hold" [ "$(rule status)" = "run/result.txt pass" ]
says "what the run was given is no log" "1 of 4 files are no benchmark logs"
exits "which -v names" 0 "$SHAKEDOWN" parse --rules all -v run
says "with what it is" "config-orig.ini: this is a configuration of IO500"
exits "the same, file by file" 3 "$SHAKEDOWN" parse --rules all run/*
check "is the same result" [ "$(rule status)" = "run/result.txt pass" ]
says "and one that is no log" "run/config-orig.ini: this is a configuration of IO500"
exits "two of its files" 0 "$SHAKEDOWN" parse --rules all run/config.ini run/result.txt
check "in whatever order" [ "$(rule status)" = "run/result.txt pass" ]
exits "result.txt alone" 0 "$SHAKEDOWN" parse --rules all run/result.txt
check "has a hash that nothing proves" [ "$(rule status)" = "run/result.txt unknown" ]
says "and says what is missing" "config.ini, which is not beside the log"

exits "config.ini alone" 3 "$SHAKEDOWN" parse --rules all run/config.ini
check "is no result" [ ! -s out ]
says "says what it is" "run/config.ini: this is a configuration of IO500"
says "and what is missing" "hint: give it together with the log of its run, or the folder that they lie in"
exits "from standard input too" 3 sh -c "'$SHAKEDOWN' parse --rules all - <run/config.ini"
mkdir alone
cp run/config.ini alone
exits "a folder with nothing else" 3 "$SHAKEDOWN" parse --rules all alone
says "holds no log" "alone: holds no benchmark log among its 1 files"

cp -r run forged
sed -i "s/^config-hash  .*/config-hash     = DEADBEEF/" forged/result.txt
exits "a forged hash" 0 "$SHAKEDOWN" parse --rules all forged
check "is caught by a rule" [ "$(rule status)" = "forged/result.txt fail" ]
check "with both hashes" [ "$(rule value)" = "forged/result.txt DEADBEEF; config.ini gives $hash" ]
cp -r run altered
sed -i "s/^stonewall-time = .*/stonewall-time = 300/" altered/config.ini
exits "a configuration that was altered" 0 "$SHAKEDOWN" parse --rules all altered
check "is caught too" [ "$(rule status)" = "altered/result.txt fail" ]
cp -r run truncated
head -n 40 run/config.ini >truncated/config.ini
exits "a truncated one" 0 "$SHAKEDOWN" parse --rules all truncated
check "accuses nobody" [ "$(rule status)" = "truncated/result.txt unknown" ]

# Into the store.
rows() { sqlite3 "$1/results.sqlite" "SELECT count(*) FROM attempt"; }
exits "import" 0 "$SHAKEDOWN" import run -w w
says "is one run" "1 run added"
check "with its configuration" [ "$(cd w/campaigns/run/io500-*/attempt-1 && echo *)" = "config.ini result.txt result_summary.txt" ]
exits "again" 0 "$SHAKEDOWN" import run -w w
says "changes nothing" "nothing new: the run is in campaign run already"
exits "a forged run" 0 "$SHAKEDOWN" import forged --campaign run -w w
says "is another one" "1 run added"
exits "both as JSON" 0 "$SHAKEDOWN" import run forged --campaign run -w w --json
check "are known" grep -q '"unchanged": 2' out
check "one of two is caught" python3 - <<'P'
import sqlite3
rows = sqlite3.connect("w/results.sqlite").execute(
    "SELECT status, value FROM rule WHERE rule = 'IO5-05' ORDER BY result_id").fetchall()
assert [row[0] for row in rows] == ["pass", "fail"], rows
assert rows[1][1].startswith("DEADBEEF; config.ini gives "), rows
P
rm w/results.sqlite*
exits "the folders hold all of it" 0 "$SHAKEDOWN" import w/campaigns -w w
check "configurations too" [ "$(rows w)" = 2 ]
exits "and nothing is new then" 0 "$SHAKEDOWN" import run --campaign run -w w
says "of what was imported" "nothing new"

# Several runs in one folder, each with a configuration of its own name.
mkdir flat
for name in a b; do
  for file in result.txt result_summary.txt config.ini config-orig.ini; do cp "run/$file" "flat/${name}__$file"; done
done
sed -i "s/^config-hash  .*/config-hash     = DEADBEEF/" flat/b__result.txt
exits "two runs in one folder" 0 "$SHAKEDOWN" parse --rules all flat
check "have each their own" [ "$(rule status | tr '\n' ' ')" = "flat/a__result.txt pass flat/b__result.txt fail " ]
exits "imported" 0 "$SHAKEDOWN" import flat -w flat-w
says "as two" "2 runs added"
check "with three files each" [ "$(find flat-w/campaigns/flat -path '*attempt-1/*' | wc -l)" = 6 ]
exits "once" 0 "$SHAKEDOWN" import flat -w flat-w
says "and no more" "nothing new: all 2 runs"
exits "a configuration alone" 3 "$SHAKEDOWN" import run/config.ini -w none
says "is no run" "this is a configuration of IO500"
check "and makes nothing" [ ! -e none ]
finish
