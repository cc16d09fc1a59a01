#!/bin/sh
# `[settings]` of a configuration and what a plan needs, on the nodes of a real Slurm: from the file to the verdict.
. "$(dirname -- "$0")/campaigns.sh"
[ -x "$LIBEXEC/hpl" ] || { echo "SKIPPED: $LIBEXEC/hpl was not built (MPI and BLAS)"; exit 77; }
slurm_of 2 1

# acceptance FILE SETTING...: one-node HPL on each node, beside what the nodes are to be like.
acceptance() {
  file=$1
  shift
  { cat <<TOML
title = "Two virtual nodes"
system = "inventory.toml"
[site]
launcher = "mpirun"
scheduler = "slurm"
[site.environment]
OMP_NUM_THREADS = 1
OPENBLAS_NUM_THREADS = 1
[settings]
TOML
    printf '%s\n' "$@"
    cat <<TOML
[[runs]]
suite = "hpl"
implementation = "reference"
each_node = true
minutes = 0.02
[[criteria]]
id = "settings"
title = "one-node HPL is valid"
suite = "hpl"
metric = "validity"
severity = "mandatory"
each_node = true
limit_source = "the contract, annex 3"
TOML
  } >"$T/$file.toml"
}
balancing=false other=true
[ "$(cat /proc/sys/kernel/numa_balancing 2>/dev/null || echo 0)" = 0 ] || balancing=true other=false

acceptance as "numa_balancing = $balancing"
exits "nodes that are as agreed" 0 "$SHAKEDOWN" run --config "$T/as.toml" -w "$T/as"
at=$(campaign as)
rule() { # NAME: COND-02 of each case, and what became of the criterion
  python3 -c "
import json
d = json.load(open('$(campaign "$1")/results.json'))
told = sorted(r['status'] + ' ' + r['value'] for r in d['rules'] if r['id'] == 'COND-02')
print(*told, [c['verdict'] for c in d['criteria']], sep='; ')" >"$T/out" 2>&1
}
rule as
says "COND-02 holds on both" "pass 1 setting on 1 node; pass 1 setting on 1 node; ['pass']"

# The same in two steps: the plan brings site and settings along.
exits "plan -o" 0 "$SHAKEDOWN" plan --config "$T/as.toml" -o "$T/planned.json"
exits "run --plan" 0 "$SHAKEDOWN" run --plan "$T/planned.json" -w "$T/planned"
rule planned
says "COND-02 holds there too" "pass 1 setting on 1 node; pass 1 setting on 1 node; ['pass']"

acceptance other "numa_balancing = $other" "thp = \"always\""
exits "nodes that are not" 1 "$SHAKEDOWN" run --config "$T/other.toml" -w "$T/other"
rule other
says "COND-02 fails on both" "fail 2 settings on 1 node; fail 2 settings on 1 node"
says "and the measurement does not count" "['invalid']"
check "the report says what was agreed" grep -q 'numa_balancing' "$(campaign other)/report.html"

# What a case lacks is found by a job of one node, before the case costs any.
python3 - "$T" <<'PY'
import json, sys
T = sys.argv[1]
case = lambda id, **more: dict(id=id, hosts="cn[1-2]", nodes=2, time_limit_s=60, **more)
json.dump({"schema": "shakedown.plan/1", "system": "virtual", "cases": [
    case("hpl-intel", suite="hpl", implementation="intel", program="/no/such/xhpl"),
    case("free", suite="other", implementation="none", argv=["/bin/true"])]}, open(T + "/lacks.json", "w"))
PY
before=$(submitted)
exits "preflight" 4 "$SHAKEDOWN" preflight --plan "$T/lacks.json" --inventory "$T/inventory.toml" --scheduler slurm -w "$T/pre" --json
check "one job asked a compute node" [ $(($(submitted) - before)) = 1 ]
says "which says its name" '"node": "cn'
says "and what is missing" '"missing"'
before=$(submitted)
exits "run" 3 runs lacks
becomes lacks hpl-intel not-run
becomes lacks free finished
check "two jobs: the question and the case that can run" [ $(($(submitted) - before)) = 2 ]
check "no node-hour was spent on the other" [ ! -e "$(campaign lacks)/hpl-intel/attempt-1" ]
finish
