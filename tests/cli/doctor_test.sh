#!/bin/sh
# doctor names what is missing here and what mends it; what only some paths need does not fail.
. "$(dirname -- "$0")/check.sh"

"$SHAKEDOWN" doctor -w "$T/w" >"$T/doctor" 2>&1
first=$?
check "doctor says ok or that something is missing" sh -c "[ $first = 0 ] || [ $first = 4 ]"
for name in "BLAS" "space for runs" "open files" "locked memory" "Slurm's commands" "container runtime" "NVML"; do
  check "doctor looks at: $name" grep -qF -- "$name" "$T/doctor"
done
check "doctor leaves no workspace behind" [ ! -e "$T/w" ]

# shellcheck disable=SC2016  # the inner shell's words
exits "doctor: too few open files" 4 sh -c 'ulimit -n 256; exec "$0" doctor -w "$1"' "$SHAKEDOWN" "$T/w"
check "is told with the number" grep -q '^MISSING  open files  *256$' "$T/out"
says "and the setting that mends it" "-> ulimit -n"

"$SHAKEDOWN" doctor --json -w "$T/w" >"$T/json" 2>/dev/null
check "doctor --json is one document, and what is there needs no remedy" python3 -c "
import json
d = json.load(open('$T/json'))
assert d['schema'] == 'shakedown.doctor/1'
assert all(c['remedy'] == '' for c in d['checks'] if c['found'])
assert all(c['remedy'] for c in d['checks'] if not c['found']), d"

PATH=/nowhere "$SHAKEDOWN" doctor -w "$T/w" >"$T/out" 2>&1
check "without Slurm, the way to it is told" grep -q "run shakedown where Slurm's commands are" "$T/out"
finish
