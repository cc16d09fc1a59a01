#!/bin/sh
# What scheduled checks know in the history page, without its pictures: how many nodes they reached, and beside a trend
# limit, accepted reference, noise band, and what happened when.
command -v chromium >/dev/null 2>&1 || { echo "SKIPPED: chromium is not installed (apt install chromium)"; exit 77; }
command -v node >/dev/null 2>&1 || { echo "SKIPPED: node is not installed (apt install nodejs)"; exit 77; }
command -v python3 >/dev/null 2>&1 || { echo "SKIPPED: python3 is not installed"; exit 77; }
here=$(cd "$(dirname -- "$0")" && pwd)
. "$here/../cli/checks.sh"
chromium --headless --no-sandbox --disable-gpu --user-data-dir="$T/probe" --dump-dom about:blank >/dev/null 2>"$T/stderr" ||
  { echo "SKIPPED: chromium does not start here: $(tail -n 1 "$T/stderr")"; exit 77; }

config r.toml '[floor]\n[[floor.limits]]\nsuite = "gemm"\nmetric = "fp64_gflops"\nlimit = 50\n'
# A contract's campaign of the same run; the first is accepted.
contract() { # LIMIT
  printf 'title = "Contract"\n[[criteria]]\nid = "rate"\ntitle = "The rate"\nsuite = "gemm"\nmetric = "fp64_gflops"\ndirection = ">="\nlimit = %s\naggregation = "median"\nseverity = "mandatory"\nlimit_source = "contract 4.2"\n' "$1" >contract.toml
  cp "$(newest)/plan.json" plan.json
  exits "a campaign by a limit of $1" 0 "$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml -w w --progress none
}
exits "a check" 0 regress_once r.toml
# Another program: the node has changed for the next check.
sed -i 's/^# Seconds/# New: seconds/' gemm
for _ in 1 2 3 4 5 6 7 8; do regress_once r.toml >check.out 2>&1 || fail "a steady machine: $(cat check.out)"; done
contract 80
exits "which is accepted" 0 "$SHAKEDOWN" accept "$(basename "$(newest)")" --by buyer --why delivery -w w
echo 90 >rate
for _ in 1 2 3 4 5 6; do regress_once r.toml >check.out 2>&1; done
contract 85
exits "a declared event" 0 "$SHAKEDOWN" change --node "$(uname -n)" --event reboot --by ops --note "new board" -w w

# As if each campaign had begun two days before the next one; the first check was of another node, and the newest
# inventory has two more that no check has reached. The contract's campaigns were on two kernels.
python3 - "$(uname -n)" <<'P' || fail "the store is not as it was to be"
import json, sqlite3, sys
node = sys.argv[1]
store = sqlite3.connect("w/results.sqlite")
ids = [row[0] for row in store.execute("SELECT id FROM campaign ORDER BY created_s, id")]
back = {id: 2 * 86400 * (len(ids) - i) for i, id in enumerate(ids)}
checks = [row[0] for row in store.execute("SELECT id FROM campaign WHERE kind = 'regression' ORDER BY created_s, id")]
for id, shift in back.items():
    cases = "case_id IN (SELECT id FROM planned_case WHERE campaign = ?)"
    store.execute("UPDATE campaign SET created_s = created_s - ?1, finished_s = finished_s - ?1 WHERE id = ?2", (shift, id))
    store.execute(f"UPDATE attempt SET started_s = started_s - ?, finished_s = finished_s - ? WHERE {cases}", (shift, shift, id))
for table in ("attempt", "case_place"):
    store.execute(f"UPDATE {table} SET hosts = 'cn1' WHERE case_id IN (SELECT id FROM planned_case WHERE campaign = ?)", (checks[0],))
inventory = json.loads(store.execute("SELECT inventory FROM campaign WHERE id = ?", (checks[-1],)).fetchone()[0])
inventory["groups"][0]["hosts"] = f"{node},cn[1-3]"
store.execute("UPDATE campaign SET inventory = ? WHERE id = ?", (json.dumps(inventory), checks[-1]))
for id, kernel in zip([id for id in ids if id not in checks], ["6.1.0-25", "6.1.0-26"]):
    store.execute("DELETE FROM environment WHERE campaign = ?", (id,))
    store.execute("INSERT INTO environment VALUES (?, ?, 999, 'kernel', ?)", (id, node, kernel))
store.commit()
lines = [json.loads(line) for line in open("w/regression.jsonl")]
for line in lines: line["at_s"] -= back[line["campaign"]]
open("w/regression.jsonl", "w").writelines(json.dumps(line) + "\n" for line in lines)
P
exits "the page" 0 "$SHAKEDOWN" site -w w -o site.html
check "in a browser" node "$here/site_checks.mjs" "$T" "$(uname -n)"
finish
