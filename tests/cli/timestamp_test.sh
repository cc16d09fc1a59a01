#!/bin/sh
# Time stamps (RFC 3161) of an authority that is made here: stored in a bundle, and checked.
. "$(dirname -- "$0")/check.sh"
for program in openssl faketime; do
  command -v "$program" >/dev/null 2>&1 || { echo "SKIPPED: no $program"; exit 77; }
done
cd "$T" || exit 1
cat >plan.json <<P
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/cat","$PROJECT/tests/fixtures/hpl/reference-passed.out"]}]}
P
"$SHAKEDOWN" run --here --plan plan.json -w w --progress none >/dev/null 2>&1
C=$(ls w/campaigns)

# authority NAME: a root certificate, and one for time stamps that follows from it.
authority() {
  cat >"$1.cnf" <<CNF
[req]
distinguished_name = dn
[dn]
[ca]
basicConstraints = critical, CA:true
[stamps]
basicConstraints = CA:false
extendedKeyUsage = critical, timeStamping
[tsa]
default_tsa = config
[config]
serial = $T/$1.serial
signer_cert = $T/$1.pem
signer_key = $T/$1.key
certs = $T/$1-ca.pem
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
accuracy = secs:1
ess_cert_id_chain = no
ess_cert_id_alg = sha256
CNF
  echo 01 >"$1.serial"
  openssl req -x509 -newkey rsa:2048 -nodes -keyout "$1-ca.key" -out "$1-ca.pem" -days 30 -subj "/CN=$1 root" \
    -config "$1.cnf" -extensions ca 2>/dev/null
  openssl req -newkey rsa:2048 -nodes -keyout "$1.key" -out "$1.csr" -subj "/CN=$1 time stamps" -config "$1.cnf" 2>/dev/null
  openssl x509 -req -in "$1.csr" -CA "$1-ca.pem" -CAkey "$1-ca.key" -CAcreateserial -out "$1.pem" -days 30 \
    -extfile "$1.cnf" -extensions stamps 2>/dev/null
}
# stamp AUTHORITY ROOT FILE [OPTION...]
stamp() {
  who=$1 root=$2 file=$3
  shift 3
  openssl ts -query -digest "$root" "${1:--sha256}" -cert -out query.tsq 2>/dev/null
  openssl ts -reply -config "$who.cnf" -queryfile query.tsq -out "$file" 2>/dev/null
}
authority good
authority other
"$SHAKEDOWN" bundle -w w -o plain.tar.zst --no-sign --json >plain.json
first=$(sed -n 's/.*"first_root": "\(.*\)".*/\1/p' plain.json)
last=$(sed -n 's/.*"last_root": "\(.*\)".*/\1/p' plain.json)
stamp good "$first" first.tsr
stamp good "$last" last.tsr
stamp good "$(echo another | sha256sum | cut -d' ' -f1)" another.tsr
stamp good "$(echo long | sha512sum | cut -d' ' -f1)" long.tsr -sha512

exits "a bundle with both stamps" 0 "$SHAKEDOWN" bundle -w w -o x.tar.zst --no-sign --timestamp first.tsr --timestamp last.tsr
exits "verify, with the authority's certificate" 0 "$SHAKEDOWN" verify x.tar.zst --tsa-ca good-ca.pem
says "names the first" "the journal's first hash was seen at 20"
says "and the last" "the journal's last hash was seen at 20"
says "and who saw it" "/CN=good time stamps"
check "and trusts them" sh -c '! grep -q "not trusted" out'
exits "when the certificate has expired" 0 faketime '+2 years' "$SHAKEDOWN" verify x.tar.zst --tsa-ca good-ca.pem
check "it counts as it did at the token's time" sh -c '! grep -q "not trusted" out'
exits "without the certificate" 0 "$SHAKEDOWN" verify x.tar.zst
says "it is not trusted, and why" "not trusted: "
says "and the way out" "--tsa-ca FILE gives its certificate"
exits "with another authority's" 0 "$SHAKEDOWN" verify x.tar.zst --tsa-ca other-ca.pem
says "neither" "not trusted: "
exits "a certificate that is none" 2 "$SHAKEDOWN" verify x.tar.zst --tsa-ca plan.json
says "is named" "plan.json: is no file of certificates"
exits "a stamp of another root" 2 "$SHAKEDOWN" bundle -w w -o y.tar.zst --no-sign --timestamp another.tsr
says "is refused, with both" "neither the first nor the last root"
exits "a stamp of another kind of hash" 2 "$SHAKEDOWN" bundle -w w -o y.tar.zst --no-sign --timestamp long.tsr
says "is refused" "stamps a hash that is no SHA-256"
exits "what is no stamp" 2 "$SHAKEDOWN" bundle -w w -o y.tar.zst --no-sign --timestamp plan.json
says "is refused" "is no answer of a time-stamp authority"
check "no archive is made" [ ! -e y.tar.zst ]

# A token that says something else than its signature.
python3 - "$T/first.tsr" "$T/forged.tsr" <<'P'
import re, sys
data = open(sys.argv[1], "rb").read()
at = re.search(rb"20\d{12}Z", data)
open(sys.argv[2], "wb").write(data[: at.start()] + b"2001" + data[at.start() + 4 :])
P
exits "a token with an earlier time" 0 "$SHAKEDOWN" bundle -w w -o x.tar.zst --no-sign --timestamp forged.tsr
exits "verify" 0 "$SHAKEDOWN" verify x.tar.zst --tsa-ca good-ca.pem
says "does not trust it" "seen at 2001-"
says "and says why" "not trusted: "
finish
