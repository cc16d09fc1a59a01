#!/bin/sh
# Published values: listed, shown, and checked; a value that contradicts the others is an exit code of 1.
. "$(dirname -- "$0")/check.sh"

exits "baseline list" 0 "$SHAKEDOWN" baseline list
says "names SAKURAONE" "sakuraone"
says "and Eos" "eos"
exits "baseline show" 0 "$SHAKEDOWN" baseline show sakuraone
says "a row of Table 6" "396,295 GFLOP/s"
says "with its place" "Table 6, row 'Validated HPCG result'"
exits "a baseline that is none" 2 "$SHAKEDOWN" baseline show sakuraon
says "did you mean" "no baseline 'sakuraon' (did you mean 'sakuraone'?)"

exits "baseline check of all" 0 "$SHAKEDOWN" baseline check
says "says what fails and why that is known" "the row is marked unit-suspect"
says "says that no ok row is contradicted" "none contradicts a row marked ok"
exits "baseline check --json" 0 "$SHAKEDOWN" baseline check sakuraone --json
says "is one document" '"schema": "shakedown.baseline-check/1"'

# The same program beside a copy of the data with one value changed.
mkdir -p "$T/bin" "$T/share"
cp "$SHAKEDOWN" "$T/bin/shakedown"
cp -rL "$(dirname -- "$SHAKEDOWN")/../share/shakedown" "$T/share/shakedown"
sed -i 's/value = 181.91, unit = "", printed = "181.91"/value = 181.93, unit = "", printed = "181.93"/' \
  "$T/share/shakedown/baselines/sakuraone.toml"
exits "a score that doesn't follow from its parts" 1 "$T/bin/shakedown" baseline check
says "is named" "FAILS  io500-10n-score"
says "and counted" "1 contradicts a row marked ok"
finish
