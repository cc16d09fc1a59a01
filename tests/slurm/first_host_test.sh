#!/bin/sh
# Repetitions beside each other on a real Slurm: each is told the first host of its own nodes, not of those planned.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 4
python3 - "$T/beside.json" <<'P'
import json, os, sys
both = os.path.dirname(sys.argv[1])  # neither ends before the other has begun
case = lambda id: dict(id=id, launcher="srun", program="/bin/sh", nodes=2, ranks=2, ranks_per_node=1, binding="none",
    hosts="cn[1-2]", among="cn[1-4]", time_limit_s=60, environment={"SHAKEDOWN_FIRST_HOST": "cn1"},
    arguments=["-c", f'''touch {both}/{id}; until [ -e {both}/one -a -e {both}/two ]; do sleep 0.2; done
        echo "rank $SLURM_PROCID on $SLURMD_NODENAME, first $SHAKEDOWN_FIRST_HOST"'''])
json.dump({"schema": "shakedown.plan/1", "system": "virtual", "cases": [case("one"), case("two")]}, open(sys.argv[1], "w"))
P
exits "two repetitions" 3 runs beside
at=$(campaign beside)
check "on nodes of their own" [ "$(cat "$at"/*/attempt-1/place.json | grep -o '"hosts":"[^"]*"' | sort -u | wc -l)" = 2 ]
for id in one two; do
  becomes beside $id finished
  log=$at/$id/attempt-1/stdout.log
  first=$(sed -n 's/^rank 0 on \(cn[0-9]\), .*/\1/p' "$log")
  check "$id: both ranks are told where rank 0 is" [ -n "$first" -a "$(grep -c ", first $first\$" "$log")" = 2 ]
done
finish
