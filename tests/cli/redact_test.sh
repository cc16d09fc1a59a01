#!/bin/sh
# Names planted in every place of a campaign stand in no format of a redacted report; numbers, hashes and verdict stay.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
home=$T/home/hanako-marked
mkdir -p "$home/secretproj"
sed "s/\$/ /" "$PROJECT/tests/fixtures/hpl/reference-passed.out" >"$home/secretproj/log"
cat >"$home/secretproj/xhpl" <<X
#!/bin/sh
echo "hanako-marked started $home/secretproj/xhpl on marked007 (192.168.77.9, 02:42:ac:11:00:99)"
echo "peers marked[001-004], marked003.sekret.example, login1.sekret.example; mail hanako@sekret.example"
echo "GPU-deadbeef-1111-2222-3333-444455556666 Serial Number: SNMARKED77 lid 0x1070fd0300a1b2c4"
cat "$home/secretproj/log"
[ "\$1" != fail ] || { echo "marked002: No route to host in $home/tmp" >&2; exit 3; }
X
chmod +x "$home/secretproj/xhpl"
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"sekretsystem","cases":[
{"id":"hpl-each-marked001","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"hosts":"$(hostname)","among":"$(hostname),marked[001-004]","warnings":["see $home/plan.txt of marked004"],"argv":["$home/secretproj/xhpl","good"],"environment":{"NCCL_TOPO_FILE":"$home/topo.xml","SLURM_JOB_PARTITION":"sekretpart","SLURM_JOB_ACCOUNT":"sekretacct","SLURM_JOB_USER":"hanako-marked"}},
{"id":"hpl-each-marked002","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"hosts":"$(hostname)","argv":["$home/secretproj/xhpl","fail"]}]}
P
cat >contract.toml <<'C'
title = "Contract of sekretsystem, marked001 leading"
[[criteria]]
id = "rate"
title = "HPL on marked[001-002] is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 1
aggregation = "median"
severity = "mandatory"
limit_source = "contract of marked003"
C
SLURM_CLUSTER_NAME=sekretcluster SLURM_JOB_PARTITION=sekretpart SLURM_JOB_ACCOUNT=sekretacct SLURM_JOB_USER=hanako-marked \
  SLURM_SUBMIT_HOST=markedlogin9 NCCL_TOPO_FILE="$home/topo.xml" \
  "$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml -w w --progress none >run.out 2>run.err
id=$(ls w/campaigns)
"$SHAKEDOWN" report "$id" -w w --format html,json,csv,junit,markdown -o plain >plain.out 2>&1
code=$?
for mark in hanako-marked secretproj marked001 marked002 sekretsystem 192.168.77.9 GPU-deadbeef SNMARKED77 "$home"; do
  check "$mark was planted" grep -rqF -- "$mark" plain
done

exits "a redacted report" $code "$SHAKEDOWN" report "$id" -w w --redact --format html,json,csv,junit,markdown
says "lies beside the other" "campaigns/$id/redacted/report.html"
redacted=w/campaigns/$id/redacted
marks='hanako
secretproj
marked0
markedlogin
sekret
192\.168\.77
02:42:ac
deadbeef
SNMARKED
0x1070fd
login1\.'
echo "$marks" >marks
echo "$T" >>marks
[ "$(hostname)" = localhost ] || printf '\\b%s\\b\n' "$(hostname)" >>marks
for file in report.html results.json results.csv junit.xml report.md; do
  check "$file is there" test -s "$redacted/$file"
  check "$file holds no name" sh -c '! grep -aoEn -f marks "$1" | head -5 | grep .' - "$redacted/$file"
done
check "nothing of it stands on the terminal" sh -c '! grep -aE "hanako|marked0|sekret" out'
for file in report.html results.json junit.xml report.md; do
  check "$file says what was redacted" grep -q "Names of the site are replaced" "$redacted/$file"
done
check "numbers, hashes and verdict are those of the original, the legend names its hash" python3 - "$redacted" <<'P'
import hashlib, json, sys
plain, red = json.load(open("plain/results.json")), json.load(open(sys.argv[1] + "/results.json"))
for key in ("verdict", "exit_code", "created", "kind"): assert plain[key] == red[key], key
assert [c["metrics"] for c in plain["cases"]] == [c["metrics"] for c in red["cases"]]
files = lambda d: [f["sha256"] for c in d["cases"] for a in c["attempts"] for f in a["files"]]
assert files(plain) == files(red) and files(red)
assert plain["criteria_file"]["sha256"] == red["criteria_file"]["sha256"]
assert red["redaction"]["results_sha256"] == hashlib.sha256(open("plain/results.json", "rb").read()).hexdigest()
assert red["redaction"]["replaced"]["node"] >= 4 and red["redaction"]["replaced"]["path"] >= 1
assert red["cases"][0]["hosts"] == "node-001", red["cases"][0]["hosts"]
assert red["cases"][0]["id"] == "hpl-each-node-002", red["cases"][0]["id"]
log = open(sys.argv[1] + "/report.html").read()
assert "peers node-[002-005], node-004.domain-1" in log or "peers node-[002-005]" in log, "hostlists in logs"
P
cp -r "$redacted" first
exits "the same again" $code "$SHAKEDOWN" report "$id" -w w --redact --format html,json,csv,junit,markdown
check "gives the same bytes" diff -r first "$redacted"
check "the report with names is not touched" grep -qF marked001 "w/campaigns/$id/report.html"

# A redacted bundle: the same report, and of all else the SHA-256.
if command -v zstd >/dev/null && command -v jq >/dev/null; then
  "$SHAKEDOWN" keygen -o acme >/dev/null
  exits "the whole bundle" 0 "$SHAKEDOWN" bundle "$id" -w w -o whole.tar.zst --no-sign --json
  root=$(jq -r .root out | sed 's/.\{8\}/& /g; s/ $//')  # in groups, as people compare it
  exits "a redacted one" 0 "$SHAKEDOWN" bundle "$id" -w w -o redacted.tar.zst --redact --key acme.key --as "vendor: ACME"
  says "says what is withheld" "withheld, each with its SHA-256; the bundle with the root $root holds them"
  mkdir whole unpacked
  zstd -dcq whole.tar.zst | tar -xC whole
  zstd -dcq redacted.tar.zst | tar -xC unpacked
  check "holds the report that is redacted" cmp unpacked/report/report.html "$redacted/report.html"
  check "and no name" sh -c '! grep -raoEn -f marks unpacked | head -5 | grep .'
  check "of every file its SHA-256" [ "$(jq -r '.files[].sha256' whole/MANIFEST.json | sort)" = "$(jq -r '.withheld[].sha256' unpacked/MANIFEST.json | sort)" ]
  check "standard tools recompute its root" [ "$(jq -r '"campaign \(.campaign)", "first_root \(.first_root)", "last_root \(.last_root)", "tool_version \(.tool_version)", (.files[] | "file \(.path) \(.bytes) \(.sha256)"), (.folders[] | "folder \(.)"), (.left_out[] | "left_out \(.path) \(.because)"), (.withheld[]? | "withheld \(.path) \(.bytes) \(.sha256)"), (.redacted_of // empty | "redacted_of \(.)")' unpacked/MANIFEST.json | LC_ALL=C sort | sha256sum | cut -d ' ' -f 1)" = "$(jq -r .root unpacked/MANIFEST.json)" ]
  exits "verify" 3 "$SHAKEDOWN" verify redacted.tar.zst --public acme.pub
  says "checks who signed" "signature valid: made with the private key that belongs to acme.pub"
  says "says that nothing was judged again" "withheld, with their SHA-256 in the manifest, and nothing was judged again"
  says "and where it is" "The bundle with the hash $root holds them"
  says "and claims no verdict" "Whether the verdict follows from these logs could not be confirmed"
  tamper() { python3 "$PROJECT/tests/cli/tampered_bundle.py" redacted.tar.zst t.tar.zst "$@"; }
  tamper "sub~report/results.json~\"results_sha256\": \"[0-9a-f]{8}~\"results_sha256\": \"00000000" seal
  exits "one of other results" 1 "$SHAKEDOWN" verify t.tar.zst
  says "is named" "is redacted from a document that is not among those withheld"
  tamper "sub~report/results.json~\"last_root\": \"[0-9a-f]{8}~\"last_root\": \"00000000" seal
  exits "of another journal" 1 "$SHAKEDOWN" verify t.tar.zst
  says "too" "report/results.json has another last_root than the manifest"
  tamper "sub~report/report.html~</html>~<!-- --></html>"
  exits "another report" 1 "$SHAKEDOWN" verify t.tar.zst
  says "differs from the manifest" "report/report.html has"
  tamper "add~campaigns/x/plan.json~{}" seal
  exits "a file beside it" 1 "$SHAKEDOWN" verify t.tar.zst
  says "has no place" "campaigns/x/plan.json has no place in a bundle"
else
  echo "note: no zstd or jq here: redacted bundles were not tried"
fi

# Logs made elsewhere are called as somebody named them.
mkdir sekret-vendor
cp "$PROJECT/tests/fixtures/hpl/reference-passed.out" sekret-vendor/run_sekret_7.out
cp "$PROJECT/tests/fixtures/hpl/reference-failed.out" sekret-vendor/HPL.out
exits "imported logs" 0 "$SHAKEDOWN" import sekret-vendor -w w2 --system acme-7
exits "redacted" 3 "$SHAKEDOWN" report -w w2 --redact --format html,json,csv,junit,markdown -o imported
check "show no name" sh -c '! grep -raoEn "sekret|acme" imported'
check "of campaign and log" grep -q 'hpl-reference-file-1' imported/results.csv
check "but a benchmark's own" grep -q 'HPL.out' imported/results.json
if command -v chromium >/dev/null && command -v pdftotext >/dev/null; then
  exits "as PDF" $code "$SHAKEDOWN" report "$id" -w w --redact --format pdf -o pdf
  pdftotext pdf/report.pdf pdf/text
  check "the print holds no name" sh -c '! grep -aoEn -f marks pdf/text'
fi
finish
