#!/bin/sh
# Checks that are skipped in a row: counted, said, and told once, when nobody has had a verdict for too long.
. "$(dirname -- "$0")/checks.sh"
command -v mpirun >/dev/null || { echo "SKIPPED: no mpirun here"; exit 77; }
printf '#!/bin/sh\ncat >>%s/told\n' "$T" >teller
chmod +x teller
config r.toml "[notify]\ncommand = [\"$T/teller\"]\n"
claim() { printf 'held    \nprocess 77 on node2\nstart 5\nboot another\nspace 1/2\nsince 2026-11-22T10:00:00Z\n' >w/regress.lock.999; }
# back HOURS: all that the log tells is that much older.
back() {
  python3 - "$1" <<'P'
import json, sys
lines = [json.loads(line) for line in open("w/regression.jsonl")]
for line in lines: line["at_s"] -= 3600 * float(sys.argv[1])
open("w/regression.jsonl", "w").writelines(json.dumps(line) + "\n" for line in lines)
P
}
exits "a check" 0 regress_once r.toml
claim
back 24
exits "a skip on the next day" 75 regress_once r.toml
says "is said" "skipped  another check is under way (process 77 on node2"
says "and counted" "skipped: 1 check of this system so far, 1 since the last one made"
back 24
exits "a second in a row" 75 regress_once r.toml
says "is counted" "skipped: 2 checks of this system so far, 2 since the last one made"
check "nobody is told: two checks were due" [ ! -e told ]
back 24
chmod -x teller
exits "a third" 75 regress_once r.toml --json
check "raises an alarm" [ "$(value "$T/out" 'd["alarm"].startswith("3 checks in a row were skipped, and there was no verdict for 72h")')" = True ]
says "a telling that fails is said" "not notified: "
chmod +x teller
exits "and owed" 75 regress_once r.toml
says "with the alarm in words" "! 4 checks in a row were skipped, and there was no verdict for "
check "it is told as what it is" python3 - <<'P'
import json
d = json.load(open("told"))
assert d["schema"] == "shakedown.notification/1" and d["kind"] == "skipped" and d["exit_code"] == 75, d
assert d["sentence"].startswith("regression check: skipped: 4 checks in a row were skipped, and there was no verdict for "), d
assert "; the reason now: another check is under way (process 77 on node2" in d["sentence"], d
s = d["skipped"]
assert s["checks"] == 4 and s["because"].startswith("another check is under way") and s["last_verdict_of"] < s["since"], d
assert d["campaign"] == "" and d["series"] == [], d
P
rm told
exits "a fifth" 75 regress_once r.toml
check "is not told again" [ ! -e told ]
rm w/regress.lock.999
exits "a check" 0 regress_once r.toml
says "tells how many were skipped" "skipped: 5 checks of this system so far, 5 since the last one made"
claim
back 24
regress_once r.toml >/dev/null 2>&1
back 48
exits "the next series of skips" 75 regress_once r.toml
check "is told of by itself" [ "$(value told 'd["skipped"]["checks"]')" = 2 ]

# The promise of a coverage breaks before the checks are overdue: the next one is due in seven thirds of a day.
rm w/regress.lock.999 told
config promise.toml "[coverage]\ndays = 2\n[notify]\ncommand = [\"$T/teller\"]\n"
sed -i 's/^checks_per_week.*/checks_per_week = 3/' promise.toml
exits "a check with a promise" 0 regress_once promise.toml
claim
exits "a skip" 75 regress_once promise.toml
check "is nothing unusual" [ ! -e told ]
exits "a second in a row" 75 regress_once promise.toml
says "endangers the promise" "2 checks in a row were skipped, and the coverage promise of 2 days breaks before the next: 1 of 1 nodes, "
check "which is told" grep -q 'the coverage promise of 2 days breaks before the next' told
finish
