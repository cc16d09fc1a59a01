#!/bin/sh
# Folders of logs: what is no log is counted, what can't be read is said, files are read folder by folder.
. "$(dirname -- "$0")/check.sh"
F=$PROJECT/tests/fixtures/hpl
documents() { grep -c '"schema":"shakedown.result/1"' "$T/out"; }

mkdir -p "$T/logs/b" "$T/logs/a/deeper" "$T/logs/.git"
cp "$F/reference-passed.out" "$T/logs/top.out"
cp "$F/reference-failed.out" "$T/logs/a/one.out"
cp "$F/reference-two-problems.out" "$T/logs/a/deeper/two.out"
cp "$F/reference-killed.out" "$T/logs/b/killed.out"
cp "$F/reference-passed.out" "$T/logs/.git/hidden.out"
echo "a text" >"$T/logs/a/README"
exits "a folder" 0 "$SHAKEDOWN" parse "$T/logs"
check "one document a result, hidden folders left out" [ "$(documents)" = 5 ]
says "counts what is no log" "1 of 5 files are no benchmark logs"
check "files before subfolders, by name" sh -c "grep -o '\"file\":\"[^\"]*\"' '$T/out' | sed 's/.*logs.//; s/\"//' | uniq | tr '\n' ' ' | grep -q '^top.out a/one.out a/deeper/two.out b/killed.out $'"
exits "-v" 0 "$SHAKEDOWN" parse -v "$T/logs"
says "names it with the reason" "README: this is no benchmark log"
exits "-q" 0 "$SHAKEDOWN" parse -q "$T/logs"
check "says nothing" [ ! -s "$T/err" ]

# Rules that say nothing are counted.
exits "all rules" 0 "$SHAKEDOWN" parse --rules all "$T/logs/top.out"
cp "$T/out" "$T/all"
exits "the noteworthy ones" 0 "$SHAKEDOWN" parse "$T/logs/top.out"
check "are those that fail or are unknown, the others are counted" python3 - "$T/all" "$T/out" <<'P'
import collections, json, sys
every, some = (json.load(open(name)) for name in sys.argv[1:])
assert "other_rules" not in every
assert some["rules"] == [rule for rule in every["rules"] if rule["status"] in ("fail", "unknown")]
statuses = collections.Counter(rule["status"] for rule in every["rules"])
assert some["other_rules"] == {"pass": statuses["pass"], "n/a": statuses["n/a"]} and statuses["pass"] > 0
P
exits "another word" 2 "$SHAKEDOWN" parse --rules some "$T/logs/top.out"

# Many files are read beside each other; what is printed is what one after the other gives, in their order.
mkdir -p "$T/beside/deeper"
for i in $(seq 1000 1399); do
  cp "$F/reference-two-problems.out" "$T/beside/$i.out"
  echo "no log" >"$T/beside/$i.txt"
done
cp "$F"/reference-*.out "$T/beside/deeper"
exits "many files" 0 "$SHAKEDOWN" parse -q "$T/beside"
cp "$T/out" "$T/at-once"
for log in "$T/beside"/*.out "$T/beside/deeper"/*.out; do "$SHAKEDOWN" parse "$log"; done >"$T/one-by-one" 2>/dev/null
check "as one by one" cmp "$T/at-once" "$T/one-by-one"

exits "several files are one set, in their order" 0 "$SHAKEDOWN" parse "$T/logs/b/killed.out" "$T/logs/top.out"
check "and give all results" [ "$(documents)" = 2 ]
check "each a line of JSON" sh -c "python3 -c 'import json,sys; [json.loads(l) for l in sys.stdin]' <'$T/out'"
exits "a file, a folder and a text" 3 "$SHAKEDOWN" parse "$T/logs/a" "$T/logs/top.out" "$T/logs/a/README"
check "give the results of the logs" [ "$(documents)" = 4 ]
exits "only logs of the suite" 3 "$SHAKEDOWN" parse --suite gemm "$T/logs"
says "none here" "holds no benchmark log among its 5 files"

mkdir "$T/empty"
exits "a path that is not there" 2 "$SHAKEDOWN" parse "$T/nowhere"
says "is said" "nowhere: cannot open: No such file or directory"

exits "an empty folder" 3 "$SHAKEDOWN" parse "$T/empty"
says "is said" "$T/empty: holds no benchmark log among its 0 files"

# A log that is not read is no file beside the logs: it is named, and no success.
mkdir "$T/wide"
cp "$F/reference-passed.out" "$T/wide/good.out"
iconv -f UTF-8 -t UTF-16 "$F/reference-failed.out" >"$T/wide/utf16.out"
exits "a folder with a log in UTF-16" 3 "$SHAKEDOWN" parse "$T/wide"
says "names it" "$T/wide/utf16.out: this text is UTF-16, which is not read"
says "with the remedy" "hint: \`iconv -f UTF-16 -t UTF-8 FILE\`"
check "and reads the rest" [ "$(documents)" = 1 ]
exits "import of it" 3 "$SHAKEDOWN" import -w "$T/wide-runs" "$T/wide"
says "names it, too" "$T/wide/utf16.out: this text is UTF-16, which is not read"
says "and stores the rest" "1 run added"
for path in "$T/wide/utf16.out" "--suite hpl $T/wide/utf16.out"; do
  # shellcheck disable=SC2086  # an option and its value
  exits "parse $path" 3 "$SHAKEDOWN" parse $path
  says "refuses it alike" "utf16.out: this text is UTF-16, which is not read"
done

# What can't be read may be a log: it is no success.
chmod 755 "$T"
mkdir "$T/locked"
cp "$F/reference-passed.out" "$T/locked/good.out"
cp "$F/reference-passed.out" "$T/locked/secret.out"
mkdir "$T/locked/cellar"
chmod 0 "$T/locked/secret.out" "$T/locked/cellar"
as_nobody="env"
[ "$(id -u)" = 0 ] && as_nobody="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" != 0 ] || $as_nobody test -x "$SHAKEDOWN" 2>/dev/null; then
  # shellcheck disable=SC2086  # a command and its options
  exits "an unreadable log and an unreadable folder" 3 $as_nobody "$SHAKEDOWN" parse "$T/locked"
  says "names the log" "secret.out: cannot open: Permission denied"
  says "and the folder" "cellar: the folder cannot be read: Permission denied"
  check "and reads the rest" [ "$(documents)" = 1 ]
else
  echo "note: nobody can't reach $SHAKEDOWN; unreadable files are left out"
fi
chmod 700 "$T/locked/cellar"

exits "a link that leads in a circle" 0 sh -c "ln -s .. '$T/logs/circle' && '$SHAKEDOWN' parse '$T/logs'"
check "is not followed" [ "$(documents)" = 5 ]

# A folder of logs is read in the memory of its largest log, not of all of them.
mkdir "$T/many"
i=0
while [ $i -lt 300 ]; do cp "$F/reference-two-problems.out" "$T/many/$i.out"; i=$((i + 1)); done
exits "300 logs" 0 "$SHAKEDOWN" parse "$T/many"
check "give 600 results" [ "$(documents)" = 600 ]
finish
