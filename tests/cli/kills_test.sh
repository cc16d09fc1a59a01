#!/bin/sh
# Orchestrators and wrappers are killed (SIGKILL) at random instants: each case has one result in the end, and no
# program ever ran beside another one or beside what a killed wrapper left.
. "$(dirname -- "$0")/check.sh"
. "$(dirname -- "$0")/kills.sh"
ids="first second third fourth"

begin() {
  {
    printf '{"schema":"shakedown.plan/1","system":"test","cases":['
    comma=
    for id in $ids; do
      printf '%s{"id":"%s","argv":["/bin/sh","%s","%s","%s","0.25"]}' "$comma" "$id" "$T/program.sh" "$id" "$W.notes"
      comma=,
    done
    printf ']}\n'
  } >"$T/plan.json"
  "$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$W" --progress none >>"$W.out" 2>&1 &
}
continue_it() { "$SHAKEDOWN" resume --here -w "$W" --progress none >>"$W.out" 2>&1 & }

campaigns_until_killed 8 1
check "wrappers were killed, too" [ "$killed_wrappers" -gt 0 ]
finish
