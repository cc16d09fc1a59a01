#!/bin/sh
# Results whose last word could not be written, or vanished: what was measured is kept, and never measured again.
. "$(dirname -- "$0")/check.sh"
campaign_of() { echo "$1"/campaigns/*; }
states() { sqlite3 "$1/results.sqlite" "SELECT p.name || ' ' || a.k || ' ' || a.state FROM attempt a JOIN planned_case p ON p.id = a.case_id ORDER BY 1" | paste -sd ,; }
# A campaign whose program prints a log of HPL, and then runs the shell line $1.
plan_hpl() {
  printf '#!/bin/sh\ncat "%s"\n%s\n' "$PROJECT/tests/fixtures/hpl/reference-passed.out" "$1" >"$T/xhpl"
  chmod +x "$T/xhpl"
  cat >"$T/hpl.json" <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"hpl","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["$T/xhpl"]}]}
P
}

# --- The disk is full when the attempt ends, by what its program wrote behind its result.
mkdir "$T/full"
if [ "$(id -u)" = 0 ] && mount -t tmpfs -o size=2m tmpfs "$T/full" 2>/dev/null; then
  trap 'umount "$T/full" 2>/dev/null; rm -rf "$T"' EXIT
  plan_hpl "dd if=/dev/zero of='$T/full/ballast' bs=4k >/dev/null 2>&1; exit 0"
  exits "a disk that the program fills" 4 "$SHAKEDOWN" run --here --plan "$T/hpl.json" -w "$T/full" --progress none
  says "is named" "free some space there"
  at=$(campaign_of "$T/full")/hpl/attempt-1
  check "its end was written" grep -q '"state":"finished","exit_code":0,.*"disk_full":true' "$at/finished.json"
  rm "$T/full/ballast"
  exits "resume on the mended disk" 3 "$SHAKEDOWN" resume --here -w "$T/full" --progress none
  check "keeps the attempt and makes no second" [ "$(states "$T/full")" = "hpl 1 finished" ]
  check "with its result" grep -q '"rmax_gflops"' "$(campaign_of "$T/full")/results.json"
  umount "$T/full"
  # Where the result is cut the reason is told.
  mount -t tmpfs -o size=2m tmpfs "$T/full"
  LINE="dd if=/dev/zero of='$T/full/ballast' bs=4k >/dev/null 2>&1; echo 1 >&2; exit 3"
  plan_of "$T/cut.json" cut
  exits "a program that fails by it" 4 "$SHAKEDOWN" run --here --plan "$T/cut.json" -w "$T/full" --progress none
  rm "$T/full/ballast"
  exits "resume" 3 "$SHAKEDOWN" resume --here -w "$T/full" --progress none
  check "says why" grep -q 'exit code 3.*; the disk of its folder was full when it ended' "$(campaign_of "$T/full")/results.json"
  umount "$T/full"
else
  echo "note: nothing may be mounted here: full file systems were not tried"
fi

# --- Files that vanish behind an attempt that ended.
plan_hpl "echo x >>../ends"
exits "a campaign" 3 "$SHAKEDOWN" run --here --plan "$T/hpl.json" -w "$T/w" --progress none
case=$(campaign_of "$T/w")/hpl
cp -r "$case/attempt-1" "$T/backup"
for vanished in attempt-1/finished.json attempt-1; do
  rm -rf "$case/$vanished"
  exits "status without $vanished" 0 "$SHAKEDOWN" status -w "$T/w"
  says "names what is gone" "$case/attempt-1/finished.json is gone"
  exits "resume without $vanished" 3 "$SHAKEDOWN" resume --here -w "$T/w"
  says "names it too" "$case/attempt-1/finished.json is gone. It is not run again: restore that folder from a backup"
  says "and what is kept" "; the result in the store stays valid"
  check "nothing ran again" [ "$(states "$T/w") $(grep -c x "$case/ends")" = "hpl 1 finished 1" ]
  check "and the report has it" grep -q '"rmax_gflops"' "$(campaign_of "$T/w")/results.json"
done
mv "$T/w/results.sqlite" "$T/store"
exits "resume without files and store" 3 "$SHAKEDOWN" resume --here -w "$T/w"
says "says that the case is lost" "lost: its files are missing"
check "and runs nothing again" [ "$(grep -c x "$case/ends")" = 1 ]
cp -r "$T/backup" "$case/attempt-1"
exits "resume with the backup" 3 "$SHAKEDOWN" resume --here -w "$T/w" --progress none
check "has it again" [ "$(states "$T/w")" = "hpl 1 finished" ]
finish
