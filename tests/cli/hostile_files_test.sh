#!/bin/sh
# Files of others: whatever an inventory, a configuration, a plan, a folder of logs or a campaign's folder holds, it is
# refused with a sentence or left out, in at most 2 s of processor time (20 s by the clock, on a machine that is busy) and
# 256 MiB, and no control character of it reaches the terminal.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
fixtures=$PROJECT/tests/fixtures
esc=$(printf '\033')
host=$(hostname)

# Instrumented builds need more of both than they can be held to.
if prlimit --data=268435456 "$SHAKEDOWN" list >/dev/null 2>&1; then held="timeout 20 prlimit --data=268435456 --cpu=2"; else held="timeout 60"; fi

# hostile NAME CODE COMMAND...: as `exits`, within the limits and without control characters.
hostile() {
  name=$1 code=$2
  shift 2
  # shellcheck disable=SC2086  # words
  exits "$name" "$code" $held "$@"
  check "$name: prints no control characters" \
    [ "$(cat out err | LC_ALL=C tr -d '\11\12\40-\176\200-\377' | wc -c)" = 0 ]
}
repeat() { head -c "$2" /dev/zero | sed "s/\x0/$1/g"; } # TEXT TIMES
toml() { hostile "$1" 2 "$SHAKEDOWN" inventory show "$2"; }

group() { printf '[[groups]]\nname = "%s"\nhosts = "%s"\nmemory_gib = 64\n[groups.cpu]\ncores = 8\n' "$1" "$2"; }

# --- TOML
{ repeat 'a.' 100000; echo 'a = 1'; } >dotted.toml
toml "a dotted key of 100,000 parts" dotted.toml
says "is refused with its line" "dotted.toml:1: keys, tables or arrays are nested deeper than 64 levels"
{ printf '\n['; repeat 'a.' 100000; echo 'a]'; } >header.toml
toml "a table of 100,000 parts" header.toml
says "is refused with its line" "header.toml:2: keys, tables or arrays are nested deeper than 64 levels"
{ printf 'a = '; repeat '[' 100000; } >arrays.toml
toml "100,000 arrays" arrays.toml
says "are refused" "deeper than 64 levels"
{ printf 'a = '; repeat '{b.b.b = ' 1000; } >inline.toml
toml "inline tables of dotted keys" inline.toml
says "are refused" "deeper than 64 levels"
{ for _ in 1 2 3; do printf '[[a.b]]\n'; repeat 'c.' 20; echo 'd = {'"$(repeat 'e.' 60)"'f = [1, 2]}'; done; } >sum.toml
toml "levels of table, key and value" sum.toml
says "count together" "sum.toml:2: keys, tables or arrays are nested deeper than 64 levels"
{ printf 'a = ['; repeat '1,' 1100000; echo ']'; } >values.toml
toml "1,100,000 values" values.toml
says "are refused" "there are more than 1 million values"
{ printf 'a = "'; head -c 34000000 /dev/zero | tr '\0' x; echo '"'; } >large.toml
toml "a file of 34 MB" large.toml
says "is refused" "is larger than 32 MiB"
truncate -s 1T sparse.toml
hostile "a file of 1 TiB" 2 "$SHAKEDOWN" inventory show sparse.toml
says "is refused unread" "sparse.toml: is larger than 256 MiB"
mkfifo pipe
hostile "a pipe that nobody writes to" 2 "$SHAKEDOWN" inventory show pipe
says "is refused" "pipe: is a pipe without a writer"
hostile "a device without an end" 2 "$SHAKEDOWN" inventory show /dev/zero
says "is refused" "/dev/zero: is larger than 64 MiB"
printf 'a = "x\0y"\nb = \377\n' >bytes.toml
toml "bytes that are no text" bytes.toml
printf 'name%s = 1\n"%s[2J" = 1\n' "$esc" "$esc" >escape.toml
toml "an escape in a key" escape.toml
{ echo 'system = "t"'; group g n1; printf '[[pods]]\nname = "p"\nhosts = "n1"\n"\\u001B[2Jverdict  accepted" = 1\n'; } >escaped.toml
toml "a key that becomes an escape" escaped.toml
says "is written out" 'unknown key '"'"'\u001b[2Jverdict'
{ echo 'system = "t"'; group many 'cn[1-999999999999]'; } >hosts.toml
toml "a trillion hosts" hosts.toml
{ echo 'system = "t"'; for n in $(seq 4000); do group g$n node$n; done; } >groups.toml
hostile "4,000 groups" 0 "$SHAKEDOWN" inventory show --json groups.toml
# The same text comes by a pipe that somebody writes to.
hostile "an inventory through a pipe" 0 sh -c 'cat "$1" | "$0" inventory show --json /dev/stdin' "$SHAKEDOWN" groups.toml

# --- configurations, criteria, batch systems
hostile "a configuration: a dotted key" 2 "$SHAKEDOWN" plan --config ./dotted.toml
says "is refused with its line" "dotted.toml:1: keys"
hostile "a regression: a dotted key" 2 "$SHAKEDOWN" schedule --config dotted.toml --cron
says "is refused with its line" "dotted.toml:1: keys"
hostile "criteria: 100,000 arrays" 2 "$SHAKEDOWN" criteria check ./arrays.toml
says "are refused" "deeper than 64 levels"
hostile "a batch system: a dotted key" 2 "$SHAKEDOWN" run --here --scheduler ./dotted.toml --dry-run
says "is refused with its line" "dotted.toml:1: keys"
printf 'checks_per_week = 7\n[budget]\nminutes = 1\n[[runs]]\nsuite = "gemm"\n' >"r
* * * * * root.toml"
hostile "a line feed in what cron shall run" 2 "$SHAKEDOWN" schedule --config "r
* * * * * root.toml" --cron
says "is refused" "holds control characters"

# --- plans
plan() { # NAME CODE [TEXT]: the plan on stdin
  cat >plan.json
  hostile "$1" "$2" "$SHAKEDOWN" run --here --plan plan.json -w refused
  [ $# = 2 ] || says "says so" "$3"
}
of_case() { printf '{"schema":"shakedown.plan/1","system":"t","cases":[{"id":"a",%s}]}' "$1"; }
{ printf '{"schema":"shakedown.plan/1","cases":'; repeat '[' 1000000; } | plan "a plan of a million arrays" 2 \
  "plan.json:1: arrays or objects are nested deeper than 64 levels"
repeat '{"a":' 1000000 | plan "a plan of a million objects" 2 "deeper than 64 levels"
{ printf '['; repeat '0,' 2100000; printf '0]'; } | plan "a plan of two million values" 2 "more than 2 million values"
{ printf '{'; seq -f '"%.0f":0,' 200000; printf '"x":0}'; } | plan "an object of 200,000 members" 2 \
  "an object has more than 2000 members"
printf '{"schema":"\001' | plan "a control character in JSON" 2
of_case '"argv":["/bin/true"],"system\u001b[2J":1' | plan "a key with an escape" 2 'unknown key '"'"'system\u001b[2J'
printf '{"schema":"shakedown.plan/1","system":"t\\nverdict  accepted","cases":[]}' | plan "a system of two lines" 2 \
  "'system' holds control characters"
of_case '"argv":["/bin/true"],"hosts":"n[1-9999999999]"' | plan "a case on 10^10 hosts" 2
for name in started.json scheduler.json place.json stopped.json finished.json finished.json.tmp job.sh batch.sh \
  stdout.log slurm.log environment.json node-x.json telemetry.csv by-hand-1/x .hidden Started.JSON \
  ./started.json sub/../started.json ../x /etc/x 'a\nb'; do
  of_case "\"argv\":[\"/bin/true\"],\"files\":{\"$name\":\"x\"}" | plan "an input file $name" 2 "plan.json: cases[0] 'a': files: "
  says "and names the way out" "hint: give the file another name"
done
for id in ../x .x 'a/b' "$(printf 'a\\u001b[2J')" ''; do
  printf '{"schema":"shakedown.plan/1","cases":[{"id":"%s","argv":["/bin/true"]}]}' "$id" |
    plan "the id '$id'" 2 "the id is no folder name"
done
rm plan.json
truncate -s 1T plan.json
hostile "a plan of 1 TiB" 2 "$SHAKEDOWN" run --here --plan plan.json
says "is refused" "larger than 256 MiB"
hostile "a plan that is a pipe" 2 "$SHAKEDOWN" run --here --plan pipe
says "is refused" "pipe: is a pipe without a writer"
check "no refused plan has begun a campaign" [ ! -e refused ]

# --- the command line itself
hostile "an escape in a command" 2 "$SHAKEDOWN" "${esc}[2Jx"
hostile "an escape in an option" 2 "$SHAKEDOWN" run "--${esc}[2Jx"
hostile "an escape in a value" 2 "$SHAKEDOWN" run --nodes "${esc}[2J"
hostile "an escape in a file's name" 2 "$SHAKEDOWN" parse "no${esc}]0;x file"
says "is written out" 'no\u001b]0;x file'
hostile "bidirectional overrides" 2 "$SHAKEDOWN" parse "$(printf 'a\342\200\256b\302\233c\377')"
says "are written out" 'a\u202eb\u009bc\xff'

# --- folders of logs
mkdir -p logs/sub secret
cp "$fixtures/hpl/reference-passed.out" logs/sub/good.out
cp "$fixtures/hpl/reference-passed.out" secret/outside.out
ln -s ../secret/outside.out logs/link.out
ln -s nowhere logs/broken.out
ln -s . logs/loop
ln -s ../.. logs/sub/up
ln -s /dev/zero logs/zero.out
ln -s sub/good.out logs/within.out
mkfifo logs/pipe.out
truncate -s 600M logs/huge.out
printf 'HPLinpack%s[2J\n' "$esc" >"logs/sub/esc${esc}[2J.out"
hostile "parse: a folder of anything" 0 "$SHAKEDOWN" parse -v logs
check "reads what is there, and the link that stays within" [ "$(grep -c '"suite":"hpl"' out)" = 2 ]
says "follows no link out of it" "link.out: is a link that leads out of the folder"
says "nor a broken one" "broken.out: is a link that leads out of the folder, or to nothing"
says "reads no pipe" "pipe.out: is a pipe: only regular files are read"
says "and no huge file" "huge.out: has 600 MiB: in a folder, files of at most 512 MiB are read"
says "which it names the way for" "name the file itself to read it"
hostile "import: a folder of anything" 0 "$SHAKEDOWN" import logs -w imported
says "has the run" "campaign logs: 1 run added"
says "follows no link out of it" "link.out: is a link that leads out of the folder"
says "reads no pipe" "pipe.out: is a pipe"
check "copies nothing from outside" sh -c '! grep -rq outside imported/campaigns'
truncate -s 17G enormous.out
hostile "import: a file of 17 GiB" 3 "$SHAKEDOWN" import enormous.out -w imported
says "is refused" "enormous.out: has 17 GiB: files of at most 16 GiB are imported"
hostile "parse: a device" 2 "$SHAKEDOWN" parse /dev/zero
says "is refused" "/dev/zero: is a device: a log is a regular file or a pipe"
hostile "parse: a pipe that nobody writes to" 2 "$SHAKEDOWN" parse pipe
says "is refused" "pipe: is a pipe without a writer"
hostile "parse: a pipe that somebody writes to" 0 sh -c 'cat "$1" | "$0" parse /dev/fd/0' "$SHAKEDOWN" \
  "$fixtures/hpl/reference-passed.out"

# --- campaigns of others
LINE='echo \u001b[2Jpainted; ln -s /etc/passwd link; mkfifo pipe'
rm -f plan.json
plan_of plan.json one
exits "a campaign whose program leaves anything" 3 "$SHAKEDOWN" run --here --plan plan.json -w theirs
theirs=$(echo "$T"/theirs/campaigns/*)
id=$(basename "$theirs")
copy() { rm -rf copy ours && mkdir -p copy/campaigns && cp -r "$theirs" copy/campaigns/ && there=copy/campaigns/$id; }
rm "$theirs/one/attempt-1/pipe"
copy
mkfifo "$there/one/attempt-1/pipe"
truncate -s 17G "$there/one/attempt-1/huge"
hostile "import: a campaign with links, pipes, huge files" 0 "$SHAKEDOWN" import copy -w ours
says "has it" "campaign $id, copied from"
says "follows no link out of it" "link: is a link that leads out of the folder"
says "takes no pipe" "pipe: is a pipe: only regular files are imported"
says "and no huge file" "huge: has 17 GiB: files of at most 16 GiB are imported"
check "copies nothing from outside" sh -c "! grep -rq root:x ours"
hostile "report of it" 3 "$SHAKEDOWN" report "$id" -w ours
hostile "status of it" 0 "$SHAKEDOWN" status "$id" -w ours

# campaign NAME CODE TEXT: an import of the copy as it is now.
campaign() {
  hostile "import: $1" "$2" "$SHAKEDOWN" import copy -w ours
  says "says so" "$3"
}
for file in campaign.json plan.json inventory.json; do
  copy
  repeat '[' 1000000 >"$there/$file"
  campaign "$file of a million arrays" 2 "$file:1: arrays or objects are nested deeper than 64 levels"
done
for file in plan.json inventory.json criteria.toml; do
  copy
  rm "$there/$file"
  ln -s "$T/secret/outside.out" "$there/$file"
  campaign "$file that leads out" 2 "$file: is a link that leads out of the campaign's folder"
  rm "$there/$file"
  mkfifo "$there/$file"
  campaign "$file that is a pipe" 4 "$file: is a pipe, not a regular file"
  rm "$there/$file"
  truncate -s 1T "$there/$file"
  campaign "$file of 1 TiB" 2 "$file: is larger than 256 MiB"
done
copy
repeat 'a.' 100000 >"$there/criteria.toml"
campaign "criteria.toml of 100,000 parts" 2 "deeper than 64 levels"
copy
sed -i 's|"id": *"[^"]*"|"id": "../../../x"|' "$there/campaign.json"
campaign "a campaign called ../../../x" 2 "'../../../x' is no name of a campaign"
copy
{ repeat '[' 1000000; echo; printf '{"event":"criteria","revision":2,"name":"x","file":"../../../secret/outside.out","sha256":"","reason":"","at_s":1}\n'; } >>"$there/journal.jsonl"
hostile "import: a journal of anything" 0 "$SHAKEDOWN" import copy -w ours
for file in started.json finished.json place.json scheduler.json stopped.json environment.json; do
  repeat '{"a":' 100000 >"$there/one/attempt-1/$file"
done
rm -rf ours
campaign "records of an attempt of 100,000 objects" 4 ".json: is not the file that was collected"
hostile "status of it" 0 "$SHAKEDOWN" status -w copy
# Pipes, holes, devices and numbers in a campaign's folder.
in_place() { rm -rf copy && cp -a theirs copy && there=copy/campaigns/$id; }
in_place
rm "$there/journal.jsonl"
mkfifo "$there/journal.jsonl"
hostile "report: a journal that is a pipe" 4 "$SHAKEDOWN" report "$id" -w copy
says "says so" "journal.jsonl: is a pipe, not a regular file"
hostile "status of it" 4 "$SHAKEDOWN" status -w copy
in_place
truncate -s 1T "$there/plan.json"
hostile "report: a plan of 1 TiB" 3 "$SHAKEDOWN" report "$id" -w copy
check "says so" grep -q "plan.json in the campaign's folder is larger than 256 MiB" "$there/results.json"
in_place
mkfifo "$there/lock.99" copy/results.lock.99
mkdir "$there/one/attempt-2000000000" "$there/one/attempt-99999999999999"
hostile "status: claims that are pipes, and an attempt of a large number" 0 "$SHAKEDOWN" status -w copy
hostile "import: the same" 0 "$SHAKEDOWN" import "$there" -w copy
in_place
ln -sf /dev/full "$there/results.json"
hostile "report: a link to a device in the place of results.json" 4 "$SHAKEDOWN" report "$id" -w copy
says "says so" "results.json: is a device, not a regular file"

# Links that lead elsewhere from the place of the copy.
rm -rf a ours && mkdir a && cp -a theirs a/copy
ln -s "$T/a/copy/campaigns/$id/one/attempt-1/stdout.log" a/key
echo precious >key
ln -s ../../../../../key "a/copy/campaigns/$id/one/attempt-1/more.log"
echo secret >"a/copy/campaigns/$id/secrets.env"
hostile "import: a link that leads back from their place only" 0 "$SHAKEDOWN" import a/copy -w ours
check "has the bytes in place of the link" cmp "$theirs/one/attempt-1/stdout.log" "ours/campaigns/$id/one/attempt-1/more.log"
check "and no link" [ -z "$(find ours -type l)" ]
check "nor their secrets" [ ! -e "ours/campaigns/$id/secrets.env" ]
hostile "status of it" 0 "$SHAKEDOWN" status -w ours
in_place
ln -sf "$T/key" "$there/one/attempt-1/stderr.log"
hostile "import in place: a log that is a link out of the campaign" 2 "$SHAKEDOWN" import "$there" -w copy
says "says so" "stderr.log: is a link that leads out of the campaign's folder"

# The batch system that a campaign names: its commands are executed only where it is root's or the caller's own file.
queue() { # FILE
  cat >"$1" <<TOML
title = "Theirs"
tested = "rendered"
[submit]
command = ["touch", "$T/executed"]
id = '([0-9]+)'
[find]
command = ["touch", "$T/executed"]
id = '([0-9]+)'
[poll]
command = ["touch", "$T/executed"]
fields = ["id", "state"]
record = '^([0-9]+) ([a-z]+)$'
[cancel]
command = ["touch", "$T/executed"]
TOML
  chmod 644 "$1"
  sed -i "s|\"scheduler\": *\"[^\"]*\"|\"scheduler\": \"$1\"|" "$there/campaign.json"
}
executed() { [ -e executed ] && rm executed; }
in_place
rm "$there/one/attempt-1/finished.json"
sed -i '/"event": *"collected"/d' "$there/journal.jsonl" # it never ended
python3 -c 'import sqlite3, sys; d = sqlite3.connect(sys.argv[1]); d.execute("PRAGMA foreign_keys = ON"); d.execute("DELETE FROM attempt"); d.commit()' \
  copy/results.sqlite
queue "$T/queue.toml"
hostile "status: a batch system of the caller's" 0 "$SHAKEDOWN" status -w copy
check "is asked" executed
chmod 666 queue.toml
hostile "status: a batch system that everybody can write to" 0 "$SHAKEDOWN" status -w copy
says "says so" "queue.toml is not executed: it can be written by other users"
hostile "cancel: the same" 4 "$SHAKEDOWN" cancel -w copy
says "says so" "queue.toml is not executed: it can be written by other users"
queue "$T/copy/queue.toml"
hostile "status: a batch system that came with the workspace" 0 "$SHAKEDOWN" status -w copy
says "says so" "queue.toml is not executed: it lies in the workspace"
queue "$T/queue.toml"
rm -rf ours
cp "$theirs/one/attempt-1/finished.json" "$there/one/attempt-1/"
hostile "import: a campaign that names a batch system" 0 "$SHAKEDOWN" import copy -w ours
says "says so" "names a file that describes its batch system"
check "marks the copy" test -e ours/campaigns/*/copied.json
exits "which is not asked: status" 0 "$SHAKEDOWN" status -w ours
check "of it" sh -c '! grep -q queue.toml out err'
hostile "import: the same again" 0 "$SHAKEDOWN" import copy -w ours
check "none of them was executed" [ ! -e executed ]
if [ "$(id -u)" = 0 ]; then
  in_place
  chown 12345 "$there/plan.json"
  hostile "resume by root: another user's campaign" 4 "$SHAKEDOWN" resume --here -w copy
  says "says so" "plan.json: belongs to user 12345; only the owner may run the commands and end the processes and jobs that it names"
  says "names the way out" "shakedown import copy -w DIR"
fi
# Runs made elsewhere, whose description names files.
rm -rf copy ours
cp -r imported copy
described=$(echo copy/campaigns/logs/*/imported.json)
cp "$described" kept.json
sed -i 's|"name": *"[^"]*"|"name": "../../../../secret/outside.out"|' "$described"
campaign "a run's log outside of its folder" 2 "leaves the run directory"
repeat '[' 1000000 >"$described"
campaign "a run's description of a million arrays" 2 "deeper than 64 levels"
finish
