#!/bin/sh
# What a program loads is compared on all nodes of a case, on a real Slurm: a library, a script and a program that are
# other ones on the second node alone. There its slurmd runs with other files laid over them.
. "$(dirname -- "$0")/campaigns.sh"
[ "$(id -u)" = 0 ] && unshare -m true 2>/dev/null || { echo "SKIPPED: files can be laid over others by root alone"; exit 77; }
slurm_of 2
cp "$PROJECT/tests/fixtures/hpl/reference-passed.out" "$T/hpl.out"
printf '#!/bin/sh\n[ "$SLURM_PROCID" != 0 ] || cat %s/hpl.out\n' "$T" >"$T/xhpl"
chmod +x "$T/xhpl"
printf '{"schema":"shakedown.plan/1","system":"virtual","cases":[{"id":"hpl","suite":"hpl","implementation":"reference","parser":"hpl","nodes":2,"ranks":2,"ranks_per_node":1,"hosts":"cn[1-2]","placement":"bound","launcher":"srun","binding":"none","program":"%s/xhpl","time_limit_s":60}]}\n' "$T" >"$T/same.json"
for name in library script program; do cp "$T/same.json" "$T/$name.json"; done

# on_second FILE OTHER: from now on cn2 has the content of OTHER in the place of FILE.
on_second() {
  old=$(cat "$T/slurmd-cn2.pid")
  kill "$old"
  until_true 10 sh -c "! kill -0 $old 2>/dev/null"
  unshare -m sh -c 'mount --bind "$1" "$2" && exec sh "$3" node "$4" cn2' sh "$2" "$1" "$virtual" "$T" || fail "cn2 has its own $1"
  until_true 20 sh -c '[ "$(sinfo -h -n cn2 -o %t)" = idle ]'
}
# rule NAME ID: the result's validity, and the rule's status and text.
rule() {
  python3 - "$(campaign "$1")/results.json" "$2" <<'P'
import json, sys
document = json.load(open(sys.argv[1]))
rule = [each for each in document["rules"] if each["id"] == sys.argv[2]][0]
print(document["cases"][0]["attempts"][0]["results"][0]["validity"], rule["status"], rule.get("text", ""))
P
}
ruled() { # NAME CAMPAIGN ID WORDS
  found=$(rule "$2" "$3")
  case $found in "$4"*) ok "$1" ;; *) fail "$1: $found, expected $4" ;; esac
}

runs same >"$T/out" 2>&1
ruled "what all nodes load alike" same IMPL-03 "valid pass"
ruled "stays the same" same IMPL-02 "valid pass"
check "each node leaves its hashes for the next case" [ "$(ls "$(campaign same)"/environment-cn?.json | wc -l)" = 2 ]

library=$(ldd /bin/sh | sed -n 's/.*=> \(.*libc\.so\.6\) .*/\1/p')
cp "$library" "$T/libc"
echo >>"$T/libc"  # which the loader does not read
on_second "$library" "$T/libc"
runs library >"$T/out" 2>&1
ruled "another library on the second node is a warning" library IMPL-03 "valid fail cn2: $library has SHA-256 $(sha256sum "$T/libc" | cut -c 1-16)"
ruled "and breaks no binding" library IMPL-02 "valid pass"

sed 's/Gflops/gflops/' "$T/hpl.out" >"$T/other.out"
on_second "$T/hpl.out" "$T/other.out"
runs script >"$T/out" 2>&1
ruled "what its script reads" script IMPL-02 "invalid fail cn2: $T/hpl.out has SHA-256 $(sha256sum "$T/other.out" | cut -c 1-16), and had $(sha256sum "$T/hpl.out" | cut -c 1-16) when the campaign began"

{ cat "$T/xhpl"; echo '# another one'; } >"$T/other-xhpl"
chmod +x "$T/other-xhpl"
on_second "$T/xhpl" "$T/other-xhpl"
runs program >"$T/out" 2>&1
ruled "the program itself" program IMPL-02 "invalid fail cn2: $T/xhpl has SHA-256 $(sha256sum "$T/other-xhpl" | cut -c 1-16), and had $(sha256sum "$T/xhpl" | cut -c 1-16) when the campaign began"
ruled "which the first node's hash does not show" program IMPL-01 "invalid pass"
finish
