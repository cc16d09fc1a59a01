#!/bin/sh
# A workspace that can only be read (an archive, a snapshot, someone else's) is reported on, compared and listed; and
# commands that read leave no file behind.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
LINE=true
plan_of plan.json one
"$SHAKEDOWN" run --here --plan plan.json -w made --progress none >out 2>err
mkdir "with a #"
cp -r made "with a #/?"
chmod -R o+rX "with a #/?"  # others read it because its owner lets them

# $1: what makes the command unable to write to the workspace "with a #/?"
reads() {
  how=$1
  shift
  exits "$how: status" 0 "$@" "$SHAKEDOWN" status -w "with a #/?"
  exits "$how: compare" 3 "$@" "$SHAKEDOWN" compare -w "with a #/?"
  exits "$how: report -o" 3 "$@" "$SHAKEDOWN" report -w "with a #/?" -o "$T/open/report"
  says "says that nothing is stored" "can only be read: the verdict is not stored there"
  check "the report is written" [ -s open/report/report.html ]
  rm -rf open/report
  exits "$how: report into the workspace" 4 "$@" "$SHAKEDOWN" report -w "with a #/?"
  says "has a way out" "-o DIR"
}
mkdir -m 777 open
chmod 755 "$T"
if [ "$(id -u)" != 0 ]; then
  chmod -R a-w "with a #/?"
  reads "without permission" env
  chmod -R u+w "with a #/?"
elif setpriv --reuid=65534 --regid=65534 --clear-groups test -x "$SHAKEDOWN" 2>/dev/null; then
  reads "as another user" setpriv --reuid=65534 --regid=65534 --clear-groups
  # A journal that was not merged when its writer was killed is read, too.
  sqlite3 "with a #/?/results.sqlite" ".dbconfig no_ckpt_on_close on" \
    "UPDATE campaign SET finished_s = 946684800" >/dev/null
  check "a journal is left" [ -s "with a #/?/results.sqlite-wal" ]
  exits "an unmerged journal" 4 setpriv --reuid=65534 --regid=65534 --clear-groups "$SHAKEDOWN" report -w "with a #/?" --json -o "$T/open/report"
  says "is read" "ended at 2000-01-01T00:00:00Z in the store, when none of its attempts did"
else
  echo "note: nobody can't reach $SHAKEDOWN; the run as another user is left out"
fi
if [ "$(id -u)" = 0 ] && mkdir frozen && mount --bind made frozen 2>/dev/null; then
  mount -o remount,ro,bind frozen
  exits "a read-only mount: report -o" 3 "$SHAKEDOWN" report -w frozen -o "$T/open/report"
  umount frozen
else
  echo "note: nothing can be mounted here; the read-only mount is left out"
fi

rm made/results.sqlite*
exits "no database" 2 "$SHAKEDOWN" report -w made
says "is said" "is not there"
says "with the way out" "shakedown import made/campaigns -w made"
exits "nor for a report beside it" 2 "$SHAKEDOWN" report -w made -o made
check "which no other folder would help" sh -c "! grep -q -e '-o DIR' err"
exits "nor for compare" 2 "$SHAKEDOWN" compare -w made
check "and none is made" [ ! -e made/results.sqlite ]
exits "status in a folder that is none" 2 "$SHAKEDOWN" status -w nowhere
check "makes none" [ ! -e nowhere ]
finish
