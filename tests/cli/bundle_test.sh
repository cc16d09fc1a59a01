#!/bin/sh
# A campaign's evidence in one archive: made, signed, countersigned, and verified in another folder without its
# workspace. Whatever is changed in it is named.
. "$(dirname -- "$0")/check.sh"
for program in zstd jq openssl python3; do
  command -v "$program" >/dev/null 2>&1 || { echo "SKIPPED: no $program"; exit 77; }
done
tamper() { python3 "$PROJECT/tests/cli/tampered_bundle.py" "$@"; }
F=$PROJECT/tests/fixtures/hpl
cd "$T" || exit 1
mkdir here there tmp
export TMPDIR="$T/tmp"
cd here || exit 1
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/cat","$F/reference-passed.out"]},
{"id":"two","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/sh","-c","cat $F/reference-passed.out; echo second; mkdir -p empty; : >'odd % name'"]}]}
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
[[criteria]]
id = "hpl-rate"
title = "HPL is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 0.5
aggregation = "median"
limit_source = "the contract"
severity = "mandatory"
TOML
exits "a campaign" 0 "$SHAKEDOWN" run --here --plan plan.json --criteria contract.toml -w w --progress none
C=$(ls w/campaigns)
A=w/campaigns/$C
exits "is accepted" 0 "$SHAKEDOWN" accept "$C" --by me --why test -w w
echo TOKEN=hush >"$A/secrets.env"
ln -s /etc/passwd "$A/one/attempt-1/out"

# --- Keys
exits "keygen" 0 "$SHAKEDOWN" keygen -o acme --comment "ACME, Ltd"
says "says that it asks for no passphrase" "no passphrase"
check "the secret key is its owner's alone" [ "$(stat -c %a acme.key)" = 600 ]
check "the public one is one line" grep -qx 'shakedown-ed25519 [A-Za-z0-9+/=]* ACME, Ltd' acme.pub
cp acme.key before
exits "a second one of that name" 2 "$SHAKEDOWN" keygen -o acme
says "is refused" "no key is overwritten"
check "and changes nothing" cmp -s acme.key before
"$SHAKEDOWN" keygen -o customer >/dev/null
"$SHAKEDOWN" keygen -o stranger >/dev/null
bundle() { "$SHAKEDOWN" bundle "$C" -w w "$@"; }

# --- Making one
exits "a bundle without a key" 2 bundle -o x.tar.zst
says "is refused with both ways out" "--no-sign leaves the bundle unsigned"
check "nothing is written" [ ! -e x.tar.zst ]
exits "a public key to sign with" 2 bundle -o x.tar.zst --key acme.pub
says "is named" "is a public key, which can't sign"
chmod 644 before
exits "a key that all can read" 2 bundle -o x.tar.zst --key before
says "names the way out" "chmod 600 before"
exits "--key beside --no-sign" 2 bundle -o x.tar.zst --key acme.key --no-sign
exits "no archive's name" 2 bundle --key acme.key
exits "a role without a name" 2 bundle -o x.tar.zst --key acme.key --as vendor
exits "a signed bundle" 0 bundle -o x.tar.zst --key acme.key --as "vendor: ACME"
says "shows the verdict" "accepted"
says "and the root" "root     "
says "and what is not in it" "secrets.env holds secrets"
cp "$T/out" "$T/first"
exits "another one of the same campaign" 0 bundle -o y.tar.zst --no-sign
says "unsigned, and says so" "unsigned: it proves only"
check "has the same root" [ "$(sed -n 's/^root  *//p' "$T/out")" = "$(sed -n 's/^root  *//p' "$T/first")" ]
root=$(sed -n 's/^root  *//p' "$T/out" | tr -d ' ')
mkdir unpacked && zstd -dcq x.tar.zst | tar -xC unpacked
check "standard tools recompute it" [ "$(jq -r '"campaign \(.campaign)", "first_root \(.first_root)", "last_root \(.last_root)", "tool_version \(.tool_version)", (.files[] | "file \(.path) \(.bytes) \(.sha256)"), (.folders[] | "folder \(.)"), (.left_out[] | "left_out \(.path) \(.because)")' unpacked/MANIFEST.json | LC_ALL=C sort | sha256sum)" = "$root  -" ]
check "the files are those of the manifest" sh -c "cd unpacked && jq -r '.files[] | \"\(.sha256)  \(.path)\"' MANIFEST.json | sha256sum --quiet -c"
check "the secrets are not among them" sh -c '! grep -rq hush unpacked'
check "nor what a link leads to" sh -c '! grep -rq root:x unpacked'
for each in plan.json inventory.json criteria.toml journal.jsonl one/attempt-1/stdout.log one/attempt-1/finished.json; do
  check "$each is" [ -f "unpacked/campaigns/$C/$each" ]
done
check "an odd name is written in ASCII" [ -f "unpacked/campaigns/$C/two/attempt-1/odd %25 name" ]
check "accepted.jsonl has its line" grep -q '"by":"me"' unpacked/accepted.jsonl
check "all belong to user 0" [ -z "$(zstd -dcq x.tar.zst | tar -tv --numeric-owner | awk '$2 != "0/0"')" ]
exits "an import of the unpacked folder" 0 "$SHAKEDOWN" import "unpacked/campaigns/$C" -w imported

# --- Verifying it, elsewhere
cp x.tar.zst y.tar.zst acme.pub customer.pub customer.key stranger.pub ../there
cd ../there || exit 1
mv ../here ../away
verify() { "$SHAKEDOWN" verify "$@"; }
exits "verify without the workspace" 0 verify x.tar.zst --public acme.pub
says "holds" "The verdict follows from these logs: accepted"
says "names who signed" "vendor: ACME, 20"
says "by which key" "signature valid: made with the private key that belongs to acme.pub"
says "counts the logs" "logs                  2 of 2 attempts, 2 results"
says "the criteria, and as of when" "criteria              4: 4 pass; judged as of 20"
says "the root in groups, as the bundle's maker saw it" "hash of the bundle    $(sed -n 's/^root  *//p' "$T/first")"
says "and what it does not prove" "the administrator of the nodes can forge logs"
check "leaves nothing" [ "$(ls) $(ls "$TMPDIR")" = "acme.pub
customer.key
customer.pub
stranger.pub
x.tar.zst
y.tar.zst " ]
exits "in 30 years" 0 faketime '+30 years' "$SHAKEDOWN" verify x.tar.zst --public acme.pub
verify x.tar.zst --json >v.json
check "as JSON" [ "$(jq -r '"\(.exit_code) \(.root) \(.checked.criteria) \(.signatures[0].right)"' v.json)" = "0 $root 4 true" ]
exits "an unsigned one" 0 verify y.tar.zst
says "proves less" "nobody signed it"
exits "an unsigned one, and a key" 3 verify y.tar.zst --public acme.pub
says "is not confirmed" "Whether the verdict follows from these logs could not be confirmed"
says "says why" "the bundle is not signed"
exits "another key" 3 verify x.tar.zst --public stranger.pub
says "is named" "no signature is by the key of stranger.pub"
exits "what is no bundle" 2 verify acme.pub
says "is named" "is no bundle: it is not compressed with zstd"
exits "no file" 2 verify nonesuch.tar.zst

# --- Countersigning
exits "countersign" 0 "$SHAKEDOWN" bundle --countersign x.tar.zst --key customer.key --as "customer: University"
says "writes beside the archive" "signed   x.tar.zst.sig"
exits "once" 2 "$SHAKEDOWN" bundle --countersign x.tar.zst --key customer.key --as "customer: University"
exits "without who" 2 "$SHAKEDOWN" bundle --countersign x.tar.zst --key customer.key
exits "both are checked" 0 verify x.tar.zst --public acme.pub --public customer.pub
says "and named" "customer: University"
cp x.tar.zst.sig y.tar.zst.sig
exits "of the same root, so of the unsigned one too" 0 verify y.tar.zst --public customer.pub
sed -i s/University/Universety/ y.tar.zst.sig
exits "a changed name" 1 verify y.tar.zst
says "breaks the signature" "customer: Universety is not by its key"
printf '{}\n' >y.tar.zst.sig
exits "a line that is none" 2 verify y.tar.zst
says "is named with its place" "y.tar.zst.sig:1: is no signature"
rm y.tar.zst.sig

# --- Tampering. With `seal` the forger writes the manifest anew; the signature is of the old root then.
# tampered NAME CODE TEXT EDIT...: verify exits with CODE and names TEXT.
tampered() {
  name=$1 code=$2 text=$3
  shift 3
  tamper y.tar.zst t.tar.zst "$@" || fail "$name: not made"
  exits "$name" "$code" verify t.tar.zst
  says "is named" "$text"
}
log=campaigns/$C/one/attempt-1/stdout.log
tampered "a digit in a log" 1 "$log has SHA-256" "sub~*one/attempt-1/stdout.log~5~6"
tampered "and the manifest written anew" 1 "one/attempt-1/stdout.log is not the file that was collected" "sub~*one/attempt-1/stdout.log~5~6" seal
tampered "a limit" 1 "criteria.toml has SHA-256" "sub~*/criteria.toml~limit = 0.5~limit = 0.4"
tampered "a limit, sealed" 1 "criteria.toml in the campaign's folder is not the one that the campaign was bound to" "sub~*/criteria.toml~limit = 0.5~limit = 0.4" seal
tampered "a waiver, sealed" 1 "criteria.toml in the campaign's folder is not the one" "sub~*/criteria.toml~\$~
[[waivers]]
criterion = \"hpl-rate\"
reason = \"none\"
approver = \"me\"
expires = 2099-01-01
" seal
tampered "a value of results.json" 1 "rmax_gflops" "sub~report/results.json~\"rmax_gflops\": [0-9.]*~\"rmax_gflops\": 99.5" seal
says "shows both values" "saved       99.5"
tampered "the sentence" 1 "report/results.json: sentence" "sub~report/results.json~accepted~accepted at once" seal
tampered "the report" 1 "report/report.html is not the report that the logs give" "sub~report/report.html~</html>~<!-- --></html>" seal
tampered "a row of the store" 1 "store/attempts.jsonl:1: results" "sub~store/attempts.jsonl~\"validity\":\"valid\"~\"validity\":\"unknown\"" seal
tampered "what may be compared" 1 "share/comparability.toml is not the one that ships with this version" "sub~share/comparability.toml~#~##" seal
tampered "a line of the journal" 1 "journal.jsonl has SHA-256" "sub~*/journal.jsonl~finished~finishes"
tampered "the journal's first line, sealed" 1 "has the first hash" "sub~*/journal.jsonl~\"root\":\"[0-9a-f]{8}~\"root\":\"00000000" seal
tampered "a hash in the journal, sealed" 1 "is not the file that was collected" "sub~*/journal.jsonl~\"name\":\"stdout.log\",\"sha256\":\"[0-9a-f]{8}~\"name\":\"stdout.log\",\"sha256\":\"00000000" seal
tampered "the manifest's root" 1 "MANIFEST.json states the root" "sub~MANIFEST.json~\"root\": \"[0-9a-f]{8}~\"root\": \"00000000"
tampered "an added file" 1 "campaigns/$C/more.txt is not in the manifest" "add~campaigns/$C/more.txt~more"
tampered "a database, sealed" 1 "results.sqlite has no place in a bundle" "add~results.sqlite~SQLite format 3" seal
tampered "another campaign, sealed" 1 "campaigns/other/plan.json has no place in a bundle" "add~campaigns/other/plan.json~{}" seal
tampered "a removed file" 1 "$log is missing" "remove~$log"
tampered "a removed file, sealed" 1 "one/attempt-1/stdout.log" "remove~$log" seal
tampered "another version's values" 3 "made by shakedown 0.0.9" "sub~report/results.json~\"rmax_gflops\": [0-9.]*~\"rmax_gflops\": 99.5" version~0.0.9 seal
says "is not confirmed" "Whether the verdict follows from these logs could not be confirmed"
tampered "but another version's log" 1 "is not the file that was collected" "sub~*one/attempt-1/stdout.log~5~6" version~0.0.9 seal
tamper x.tar.zst t.tar.zst "sub~SIGNATURES.jsonl~ACME~ACNE"
exits "a signer's name" 1 verify t.tar.zst
says "is named" "vendor: ACNE is not by its key"
tamper x.tar.zst t.tar.zst "sub~report/report.html~</html>~<!-- --></html>" seal
exits "a signature of another root" 1 verify t.tar.zst --public acme.pub
says "is named" "is of another bundle, with the hash $root"
tamper x.tar.zst t.tar.zst "remove~SIGNATURES.jsonl"
exits "a signature taken away" 3 verify t.tar.zst --public acme.pub
exits "countersigning a changed one" 2 sh -c "cp x.tar.zst t.tar.zst; '$SHAKEDOWN' bundle --countersign acme.pub --key customer.key --as 'a: b'"
tamper x.tar.zst t.tar.zst "sub~*one/attempt-1/stdout.log~5~6"
exits "countersigning files that differ" 2 "$SHAKEDOWN" bundle --countersign t.tar.zst --key customer.key --as "a: b"
says "is refused" "is not what its manifest states"
check "and writes nothing" [ ! -e t.tar.zst.sig ]

# --- Secrets: what was masked when the values were known can't be masked again.
cat >secret.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"environment":{"HF_TOKEN":"hunter2-hunter2"},"argv":["/bin/cat","$F/reference-passed.out"]},
{"id":"two","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"environment":{"HF_TOKEN":"hunter2-hunter2"},"argv":["/bin/sh","-c","echo no \$HF_TOKEN for you >&2; exit 3"]}]}
P
"$SHAKEDOWN" run --here --plan secret.json --criteria ../away/contract.toml -w secret --progress none >/dev/null 2>&1
exits "a campaign with a secret" 0 "$SHAKEDOWN" bundle -w secret -o y.tar.zst --no-sign
exits "its bundle" 0 verify y.tar.zst
check "its masked text is in the store's lines" sh -c "zstd -dcq y.tar.zst | tar -xO store/attempts.jsonl | grep -q '\"masked\".*no (secret) for you'"
says "holds" "The verdict follows from these logs: acceptance undecided"
tampered "and a value in it" 1 "saved       99.5" "sub~report/results.json~\"rmax_gflops\": [0-9.]*~\"rmax_gflops\": 99.5" seal
exits "a secret of who verifies" 0 env "HPL_TOKEN=HPLinpack benchmark" "$SHAKEDOWN" verify x.tar.zst
check "no folder is left" [ -z "$(ls "$TMPDIR")" ]
LINE='exit 0'
plan_of plan.json one
"$SHAKEDOWN" run --here --plan plan.json -w unjudged --progress none >/dev/null 2>&1
"$SHAKEDOWN" bundle -w unjudged -o u.tar.zst --no-sign >/dev/null 2>&1
exits "a campaign without criteria" 0 verify u.tar.zst
says "has no verdict that could hold" "Nothing differs; there is no verdict: not judged"
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"good","hosts":"$(hostname)","suite":"hpl","parser":"hpl","argv":["/bin/cat","$F/reference-passed.out"]},
{"id":"none","hosts":"$(hostname)","suite":"hpl","parser":"hpl","argv":["/bin/sh","-c","echo no result"]}]}
P
"$SHAKEDOWN" run --here --plan plan.json -w partly --progress none >/dev/null 2>&1
"$SHAKEDOWN" bundle -w partly -o p.tar.zst --no-sign >/dev/null 2>&1
exits "an attempt without a result" 0 verify p.tar.zst
says "is not counted as one" "logs                  2 of 2 attempts, 1 result"
finish
