#!/bin/sh
# Every node of an attempt on a real Slurm says what it was like, whoever starts the ranks; Slurm's own name for it
# is the one that counts.
. "$(dirname -- "$0")/campaigns.sh"
slurm_of 4

# launched ID NODES HOSTS: a case that srun starts, a rank for each node.
launched() {
  printf '{"id":"%s","suite":"other","nodes":%s,"ranks":%s,"ranks_per_node":1,"hosts":"%s","placement":"bound",' "$1" "$2" "$2" "$3"
  printf '"launcher":"srun","binding":"none","program":"/bin/hostname","time_limit_s":60}'
}
plan "$T/told.json" "$(launched three 3 'cn[2-4]')" "$(launched one 1 cn3)" \
  "$(case_of bare 1 cn4 'sleep 1' '"placement":"bound","time_limit_s":60')"
exits "a campaign whose nodes are looked at" 3 runs told
at=$(campaign told)
told() { # CASE NODE: both looks are in its file
  check "$1: $2 told before and after" python3 -c "
import json
d = json.load(open('$at/$1/attempt-1/node-$2.json'))
assert d['schema'] == 'shakedown.node/1' and d['node'] == '$2', d
assert 0 < d['before_s'] <= d['after_s'], d
r = {each['name']: each for each in d['readings']}
assert r['kernel']['before'] == r['kernel']['after'], r"
}
told three cn2
told three cn3
told three cn4
told one cn3
told bare cn4
check "and no other node did" [ "$(ls "$at"/*/attempt-1/node-*.json | wc -l)" = 5 ]
check "the environment is of the first node" grep -q '"cn2"' "$at/three/attempt-1/environment.json"
check "the report shows it once" [ "$(grep -c 'Nodes while they were measured</h3>' "$at/report.html")" = 1 ]
check "results.json has the nodes of the attempt" python3 -c "
import json
d = json.load(open('$at/results.json'))
three = [c for c in d['cases'] if c['id'] == 'three'][0]
assert [n['node'] for n in three['attempts'][0]['nodes']] == ['cn2', 'cn3', 'cn4'], three
assert {e['node'] for e in d['environment']} == {'cn2', 'cn3', 'cn4'}, d['environment']"

# A look that does not come back holds up no attempt.
mkdir "$T/slow"
cat >"$T/slow/srun" <<'SH'
#!/bin/sh
case "$*" in *node-state*) exec sleep 60 ;; esac
exec /usr/bin/srun "$@"
SH
chmod +x "$T/slow/srun"
plan "$T/slow.json" "$(launched held 2 'cn[1-2]')"
begin=$(date +%s)
PATH="$T/slow:$PATH" exits "a look that hangs" 3 runs slow
check "holds nothing up" [ $(($(date +%s) - begin)) -lt 40 ]
at=$(campaign slow)
check "the attempt ran" [ "$(grep -c . "$at/held/attempt-1/stdout.log")" = 2 ]
check "its nodes told nothing" [ -z "$(ls "$at/held/attempt-1/" | grep '^node-')" ]
finish
