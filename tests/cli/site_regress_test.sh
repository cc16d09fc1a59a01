#!/bin/sh
# What scheduled checks know stands in the history page: their series, the noise band, the floor, declared events.
. "$(dirname -- "$0")/checks.sh"
command -v python3 >/dev/null 2>&1 || { echo "SKIPPED: python3 is not installed"; exit 77; }
config regression.toml '[floor]\n[[floor.limits]]\nsuite = "gemm"\nmetric = "fp64_gflops"\nlimit = 90\n'
for number in 1 2 3 4 5; do
  exits "check $number" 0 regress_once regression.toml
done
node=$(uname -n)
exits "the page" 0 "$SHAKEDOWN" site -w w -o site.html
python3 - <<'P'
import json, re
text = open("site.html").read()
d = json.loads(re.search(r'id="data">(.*?)</script>', text, re.S).group(1))
s = [x for x in d["systems"][0]["series"] if x["metric"] == "fp64_gflops"][0]
json.dump({"series": s, "texts": d["texts"], "events": d["systems"][0]["events"]}, open("found.json", "w"))
P
check "has the series of all checks" [ "$(value found.json 'd["series"]["checked"][0]["checks"]')" = 5 ]
check "on this node" [ "$(value found.json 'd["series"]["checked"][0]["node"]')" = 0 ]
check "with a band around 100 GFLOP/s" [ "$(value found.json '90 < d["series"]["checked"][0]["low"] < 100 < d["series"]["checked"][0]["high"] < 110')" = True ]
check "of the checks in its control region" [ "$(value found.json '3 <= d["series"]["checked"][0]["n"] <= 5')" = True ]
check "and the floor that they were judged by" [ "$(value found.json 'd["series"]["floor"]')" = 90.0 ]
check "the last verdict is a scheduled check's" grep -q 'scheduled check' site.html
exits "an event is declared" 0 "$SHAKEDOWN" change --node "$node" --event reboot --by me --note "new board" -w w
exits "the page after it" 0 "$SHAKEDOWN" site -w w -o site.html
check "has the event" grep -q '"event":"reboot","by":"me","note":"new board"' site.html
finish
