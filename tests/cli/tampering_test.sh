#!/bin/sh
# Each way to change evidence in the table of tamperings.py is found, and named at its place; their number is printed.
# Here the campaigns and bundles are made that it changes.
. "$(dirname -- "$0")/checks.sh"
for program in zstd python3 sqlite3 faketime; do
  command -v "$program" >/dev/null 2>&1 || { echo "SKIPPED: no $program"; exit 77; }
done
command -v mpirun >/dev/null || { echo "SKIPPED: no mpirun here"; exit 77; }
F=$PROJECT/tests/fixtures/hpl/reference-passed.out
host=$(hostname)
cp "$F" data
printf '#!/bin/sh\ncat %s/data\n[ -z "${1-}" ] || echo "$1"\n' "$T" >xhpl
chmod +x xhpl
one_case() { printf '{"id":"%s","hosts":"%s","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,%s"argv":[%s]}' "$1" "$host" "$3" "$2"; }
plan() { # FILE CASE...
  file=$1
  shift
  printf '{"schema":"shakedown.plan/1","system":"test","cases":[%s]}\n' "$(IFS=,; echo "$*")" >"$file"
}
contract() { # LIMIT
  printf 'title = "Contract"\n[[criteria]]\nid = "valid"\ntitle = "HPL is valid"\nsuite = "hpl"\nmetric = "validity"\nlimit_source = "the contract"\nseverity = "mandatory"\n'
  printf '[[criteria]]\nid = "rate"\ntitle = "HPL is fast"\nsuite = "hpl"\nmetric = "rmax_gflops"\ndirection = ">="\nlimit = %s\naggregation = "median"\nseverity = "mandatory"\nlimit_source = "the contract"\n' "$1"
}
plan plan.json "$(one_case one "\"$T/xhpl\",\"first\"" "")" "$(one_case two "\"$T/xhpl\",\"second\"" "")"
contract 0.001 >contract.toml
contract 1e9 >strict.toml
{ contract 1e9; printf '[[waivers]]\ncriterion = "rate"\nreason = "cooling"\napprover = "me"\nexpires = 2020-01-31\n'; } >waived.toml
run() { "$SHAKEDOWN" run --here --progress none "$@" >out 2>err; }

# Three campaigns: one that is not accepted, one that is, and one more, which is bundled.
run -w kept --plan plan.json --criteria strict.toml
run -w kept --plan plan.json --criteria contract.toml
"$SHAKEDOWN" accept -w kept "$(ls kept/campaigns | tail -n 1)" --by me --why test >/dev/null
exits "an accepted campaign" 0 "$SHAKEDOWN" run --here --progress none -w kept --plan plan.json --criteria contract.toml
"$SHAKEDOWN" accept -w kept "$(ls kept/campaigns | tail -n 1)" --by me --why test >/dev/null
# A waiver that had expired before.
exits "a campaign with an expired waiver" 1 "$SHAKEDOWN" run --here --progress none -w waived --plan plan.json --criteria waived.toml
for key in acme customer stranger; do "$SHAKEDOWN" keygen -o $key >/dev/null; done
bundle() { "$SHAKEDOWN" bundle "$@" >/dev/null 2>&1 || fail "no bundle: $*"; }
bundle -w kept -o plain.tar.zst --no-sign
bundle -w kept -o signed.tar.zst --key acme.key --as "vendor: ACME"
bundle -w kept -o redacted.tar.zst --redact --key acme.key --as "vendor: ACME"
bundle -w waived -o waived.tar.zst --no-sign
bundle -w waived -o other.tar.zst --key acme.key --as "vendor: ACME"
"$SHAKEDOWN" bundle --countersign signed.tar.zst --key customer.key --as "customer: University" >/dev/null 2>&1
"$SHAKEDOWN" bundle --countersign other.tar.zst --key customer.key --as "customer: University" >/dev/null 2>&1
# A secret that is masked in a failure, a text that quotes, and an excerpt.
plan secret.json "$(one_case one "\"$T/xhpl\"" '"environment":{"HF_TOKEN":"hunter2-hunter2"},')" \
  "$(one_case two '"/bin/sh","-c","echo no $HF_TOKEN for you >&2; exit 3"' '"environment":{"HF_TOKEN":"hunter2-hunter2"},')"
run -w secret --plan secret.json --criteria contract.toml
bundle -w secret -o secret.tar.zst --no-sign
# Scheduled checks: the first, and one that has checks before it.
config r.toml '[coverage]\ndays = 2\n[[floor.limits]]\nsuite = "gemm"\nmetric = "fp64_gflops"\nlimit = 1\n'
regress_once r.toml >out 2>&1
bundle -w w -o check.tar.zst --no-sign
regress_once r.toml >out 2>&1
bundle -w w -o later.tar.zst --no-sign

# What a script reads, exchanged between two runs.
plan swapped.json "$(one_case one "\"$T/xhpl\"" "")" \
  "{\"id\":\"swap\",\"suite\":\"probe\",\"stage\":1,\"hosts\":\"$host\",\"argv\":[\"/bin/sh\",\"-c\",\"echo >>\$0/data\",\"$T\"]}" \
  "$(one_case two "\"$T/xhpl\"" '"stage":2,')"
# The same, hidden in the hashes that the node knows.
cat >hide.py <<PY
import glob, json, os
open("$T/data", "a").write("\n")
now = os.stat("$T/data")
[known] = glob.glob("../../environment-*.json")
document = json.load(open(known))
[data] = [each for each in document["files"] if each["path"] == "$T/data"]
data.update(bytes=now.st_size, changed_ns=now.st_ctime_ns)
json.dump(document, open(known, "w"))
PY
plan hidden.json "$(one_case one "\"$T/xhpl\"" "")" \
  "{\"id\":\"swap\",\"suite\":\"probe\",\"stage\":1,\"hosts\":\"$host\",\"argv\":[\"python3\",\"$T/hide.py\"]}" \
  "$(one_case two "\"$T/xhpl\"" '"stage":2,')"
python3 "$PROJECT/tests/cli/tamperings.py" || failures=$((failures + 1))
finish
