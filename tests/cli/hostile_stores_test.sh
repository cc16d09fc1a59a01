#!/bin/sh
# Stores that somebody else wrote, beside a campaign's folder: each is refused or does nothing.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/cat","$PROJECT/tests/fixtures/hpl/reference-passed.out"]}]}
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
"$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml -w kept --progress none >out 2>err
exits "the store that they are made from" 0 "$SHAKEDOWN" report -w kept
python3 "$PROJECT/tests/cli/hostile_stores.py" kept "$SHAKEDOWN" || failures=$((failures + 1))
finish
