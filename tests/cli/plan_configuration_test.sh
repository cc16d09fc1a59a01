#!/bin/sh
# A plan brings its configuration along: `run --plan` has the site, the settings and the criteria that it was planned
# with, and nothing of them changes unsaid.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
mkdir bin
for program in mpirun srun apptainer; do
  printf '#!/bin/sh\n' >bin/$program
  chmod +x bin/$program
done
for tool in sh env ldd; do ln -s "$(command -v $tool)" bin/; done

# The command lines are those of the configuration, whichever way it comes.
cat >cluster.toml <<'C'
title = "Cluster"
system = "sakuraone"
[site]
launcher = "srun"
mpi = "pmix"
partition = "batch"
[site.environment]
NCCL_DEBUG = "WARN"
[[runs]]
suite = "hpl"
implementation = "netlib"
nodes = [4]
C
exits "plan --config" 0 env PATH="$T/bin" "$SHAKEDOWN" plan --config cluster.toml -o cluster.json
says "says how it goes on" "next: shakedown run --plan cluster.json"
exits "run --config --dry-run" 0 env PATH="$T/bin" "$SHAKEDOWN" run --config cluster.toml --dry-run
cp out at-once
says "has the site's word for srun" "--mpi=pmix"
exits "run --plan --dry-run" 0 env PATH="$T/bin" "$SHAKEDOWN" run --plan cluster.json --dry-run
says "says where site and criteria come from" "cluster.json: site, settings and criteria of $T/cluster.toml"
check "its command lines are the same" diff -u at-once out
exits "--config beside --plan" 0 env PATH="$T/bin" "$SHAKEDOWN" run --plan cluster.json --config cluster.toml --dry-run
check "they are the same again" diff -u at-once out
exits "run --plan --dry-run --json" 0 env PATH="$T/bin" "$SHAKEDOWN" run --plan cluster.json --dry-run --json
check "is the plan as it was written" diff -u cluster.json out
sed 's/"batch"/"debug"/' cluster.toml >other.toml
exits "a --config that states the site differently" 2 env PATH="$T/bin" "$SHAKEDOWN" run --plan cluster.json --config other.toml --dry-run
says "is told so" "--config: other.toml and cluster.json state these differently: [site]"
says "with the way out" "leave --config out to run what was planned"
sed -i 's/"batch"/"debug"/' cluster.toml
exits "a configuration that was changed since" 0 env PATH="$T/bin" "$SHAKEDOWN" run --plan cluster.json --dry-run
says "is told so" "the file has changed since"
check "and the plan runs as it was planned" diff -u at-once out
exits "a plan for a site" 0 env PATH="$T/bin" "$SHAKEDOWN" plan --inventory sakuraone --suite hpl --implementation netlib --nodes 4 -o bare.json
check "has no configuration" sh -c '! grep -q "\"configuration\"" bare.json'

# Site, settings and criteria reach the campaign, and its commitment.
cat >here.toml <<'C'
title = "Here"
[site]
most_jobs = 3
[[runs]]
suite = "gemm"
[[criteria]]
id = "rate"
title = "HPL is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 1e9
aggregation = "median"
severity = "mandatory"
limit_source = "contract 4.2"
C
printf '#!/bin/sh\ncat "%s/tests/fixtures/hpl/reference-passed.out"\n' "$PROJECT" >xhpl
chmod +x xhpl
with_configuration() { # FILE TOML: a plan of one case with that configuration, as `plan -o` writes it
  python3 - "$1" "$2" "$T" "$(hostname)" <<'P'
import json, sys
file, config, folder, host = sys.argv[1:]
plan = {"schema": "shakedown.plan/1", "system": "test", "cases": [{"id": "hpl", "hosts": host, "suite": "hpl",
        "implementation": "reference", "parser": "hpl", "ranks": 2, "ranks_per_node": 2, "argv": [folder + "/xhpl"]}]}
if config:
    plan["configuration"] = {"name": folder + "/" + config, "text": open(config).read()}
json.dump(plan, open(file, "w"))
P
}
with_configuration own.json here.toml
exits "run --plan is judged by the plan's criteria" 1 "$SHAKEDOWN" run --here --plan own.json -w own --progress none
says "which are not met" "not accepted: rate:"
at=$(ls -d own/campaigns/*)
check "the campaign has the configuration" cmp here.toml "$at/acceptance.toml"
check "and is bound to it" grep -q "{\"name\":\"acceptance.toml\",\"sha256\":\"$(sha256sum <here.toml | cut -d ' ' -f 1)\"}" "$at/journal.jsonl"
exits "resume goes on by them" 1 "$SHAKEDOWN" resume --here -w own --progress none

with_configuration none.json ""
exits "a plan without one takes --config" 1 "$SHAKEDOWN" run --here --plan none.json --config here.toml -w none --progress none
says "and its criteria" "not accepted: rate:"
check "the campaign has it" cmp here.toml none/campaigns/*/acceptance.toml

# However TOML lets it be written; a comment states nothing.
sed 's/\[\[criteria\]\]/[[ criteria ]]/' here.toml >blanks.toml
exits "[[ criteria ]] are criteria" 1 "$SHAKEDOWN" run --here --plan none.json --config blanks.toml -w blanks --progress none
says "and judge" "not accepted: rate:"
{ sed '/^\[\[criteria/,$d' here.toml; echo '# [[criteria]]'; } >comment.toml
exits "a comment is no criteria" 3 "$SHAKEDOWN" run --here --plan none.json --config comment.toml -w comment --progress none

# The system's file of the configuration, never another of that name.
mkdir there elsewhere
"$SHAKEDOWN" inventory discover -o there/machine.toml 2>/dev/null
{ echo 'system = "machine.toml"'; cat here.toml; } >there/own.toml
with_configuration moved.json there/own.toml
exits "a plan whose system's file is where it was" 1 "$SHAKEDOWN" run --here --plan moved.json -w moved --progress none
mv there/machine.toml elsewhere/
(cd elsewhere && exits "is gone, and another of that name is here" 2 "$SHAKEDOWN" run --here --plan ../moved.json -w gone --progress none
  says "names the file it wants, and the way out" "its system's inventory is not there: $T/there/machine.toml"
  exits "--inventory says which" 1 "$SHAKEDOWN" run --here --plan ../moved.json --inventory machine.toml -w given --progress none
  [ "$failures" = 0 ]) || failures=$((failures + 1))

sed 's/1e9/0.001/' here.toml >soft.toml
exits "softer criteria beside the plan's" 2 "$SHAKEDOWN" run --here --plan own.json --config soft.toml -w soft --progress none
says "are not taken silently" "state these differently: [[criteria]]"
check "and leave no campaign" [ ! -e soft ]
# A program that ends well and measures nothing has failed, whoever is asked.
printf '#!/bin/sh\n' >xhpl
exits "an attempt without a result" 3 "$SHAKEDOWN" run --here --plan none.json -w empty --progress none
exits "status" 0 "$SHAKEDOWN" status -w empty
says "counts it as failed" "1 failed"
exits "resume" 3 "$SHAKEDOWN" resume --here -w empty --progress none
exits "status" 0 "$SHAKEDOWN" status -w empty
says "counts it as failed still" "1 failed"
printf '#!/bin/sh\ncat "%s/tests/fixtures/hpl/reference-passed.out"\n' "$PROJECT" >xhpl
exits "--criteria says it aloud" 0 "$SHAKEDOWN" run --here --plan own.json --criteria soft.toml -w aloud --progress none
finish
