#!/bin/sh
# What a case lacks on its node is found before it runs; what can't be looked at says nothing of any node.
. "$(dirname -- "$0")/check.sh"

host=$(hostname)
plan() { # PROGRAM: a case of an implementation that needs it, and one that needs nothing
  cat >"$T/plan.json" <<EOF
{"schema":"shakedown.plan/1","system":"here","cases":[
 {"id":"hpl-intel-1n","suite":"hpl","implementation":"intel","hosts":"$host","program":"$1"},
 {"id":"free","suite":"other","implementation":"none","hosts":"$host","argv":["/bin/true"]}]}
EOF
}

plan /no/such/xhpl
exits "preflight: a program that is not there" 4 "$SHAKEDOWN" preflight --here --plan "$T/plan.json" -w "$T/w"
says "is missing" "MISSING  program /no/such/xhpl: is not there"
says "with the way out" "-> install it, or state its path"
says "and the case that it keeps from running" "keeps from running: hpl-intel-1n"
exits "preflight --json" 4 "$SHAKEDOWN" preflight --here --json --plan "$T/plan.json" -w "$T/w"
check "is one document" python3 -c "
import json, sys
d = json.load(open('$T/out'))
assert d['schema'] == 'shakedown.preflight/1', d
assert d['node'] == '$host' and d['requirements'][0]['state'] == 'missing', d
assert d['requirements'][0]['cases'] == ['hpl-intel-1n'], d"

exits "run: the case does not run, the other does" 3 "$SHAKEDOWN" run --here --plan "$T/plan.json" -w "$T/run"
says "and why is said first" "MISSING  program /no/such/xhpl"
campaign=$(ls "$T/run/campaigns")
says "and how it runs once that is there" "1 case did not run: what it needs is missing on the node, or is another one. Put it there as the configuration states it, then: shakedown resume $campaign"
check "no attempt was made" [ ! -e "$T/run/campaigns/$campaign/hpl-intel-1n/attempt-1" ]
check "the other has one" [ -e "$T/run/campaigns/$campaign/free/attempt-1/finished.json" ]
check "the journal says why" grep -q "prerequisite: program /no/such/xhpl on $host" \
  "$T/run/campaigns/$campaign/journal.jsonl"
exits "status" 0 "$SHAKEDOWN" status -w "$T/run"
says "says it, too" "states it, then: shakedown resume $campaign -w $T/run"

plan /bin/true
exits "preflight: a program that is there" 0 "$SHAKEDOWN" preflight --here --plan "$T/plan.json" -w "$T/w"
says "is met" "ok       program /bin/true: /bin/true"

cat >"$T/plan.json" <<EOF
{"schema":"shakedown.plan/1","cases":[
 {"id":"other","suite":"hpl","implementation":"nvidia","hosts":"$host","argv":["/no/such/hpl.sh","--dat","HPL.dat"]},
 {"id":"bare","suite":"hpl","implementation":"netlib","hosts":"$host"}]}
EOF
exits "preflight: a case of an implementation without a command" 2 "$SHAKEDOWN" preflight --here --plan "$T/plan.json" -w "$T/w"
says "names what is missing" "'bare': neither 'program' nor 'argv' is given as implementation 'netlib'"
sed -i '/"bare"/d; s/HPL.dat"\]},/HPL.dat"]}]}/' "$T/plan.json"
exits "preflight: the argv of an implementation that is not here" 4 "$SHAKEDOWN" preflight --here --plan "$T/plan.json" -w "$T/w"
says "names its program" "MISSING  program /no/such/hpl.sh: is not there"

exits "preflight: a scheduler that does not answer" 3 env PATH=/nowhere "$SHAKEDOWN" preflight --here \
  --scheduler slurm --plan "$T/plan.json" -w "$T/w"
says "is inconclusive" "no node was judged"

cat >"$T/plan.json" <<EOF
{"schema":"shakedown.plan/1","cases":[{"id":"free","suite":"other","hosts":"$host","argv":["/bin/true"]}]}
EOF
exits "preflight: nothing that is needed" 0 "$SHAKEDOWN" preflight --here --plan "$T/plan.json" -w "$T/empty"
check "leaves nothing behind" [ ! -e "$T/empty" ]
says "says so" "nothing to check: no images, data or containers in this plan"

# An image with another digest than is stated, for two cases; apptainer that is not there.
echo image >"$T/x.sif"
container='"container":{"runtime":"apptainer","image":"'$T'/x.sif","digest":"sha256:'$(printf %064d 0)'"}'
case_on() { printf '{"id":"hpl-nvidia-%s","suite":"hpl","implementation":"nvidia","hosts":"%s","program":"/no/apptainer",%s}' "$1" "$host" "$container"; }
echo '{"schema":"shakedown.plan/1","cases":['"$(case_on 1n)","$(case_on 2n)"']}' >"$T/plan.json"
exits "preflight: an image with a wrong digest" 4 "$SHAKEDOWN" preflight --here --plan "$T/plan.json" -w "$T/w"
says "is wrong, not missing" "WRONG    image $T/x.sif: is sha256:$(sha256sum "$T/x.sif" | cut -d ' ' -f 1), stated is sha256:0000"
says "with the way out" "-> correct \`digest\` in [[site.programs]], or copy the image again"
says "once for all of its cases" "keeps from running: hpl-nvidia-[1-2]n (2 cases)"
says "apptainer has its own key" "-> install it, or state its path as \`container_program\` in [site]"
exits "preflight --json" 4 "$SHAKEDOWN" preflight --here --json --plan "$T/plan.json" -w "$T/w"
says "says wrong" '"state": "wrong"'
finish
