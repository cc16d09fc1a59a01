#!/bin/sh
# `inventory` from the outside: shipped systems, several nodes through mpirun, check, diff, and what is refused.
. "$(dirname -- "$0")/check.sh"

exits "a shipped system by name" 0 "$SHAKEDOWN" inventory show sakuraone
says "its nodes" "compute  cn[001-100]  100 nodes"
says "what is assumed" "pod1  cn[001-050]  50 nodes  assumed"
exits "as JSON" 0 "$SHAKEDOWN" inventory show sakuraone --json
says "with its schema" '"schema": "shakedown.inventory/1"'
for system in "$PROJECT"/orchestrator/systems/*.toml; do
  exits "shows $(basename "$system")" 0 "$SHAKEDOWN" inventory show "$(basename "$system" .toml)"
done
exits "SAKURAONE's HPL on 98 nodes" 0 "$SHAKEDOWN" plan --inventory sakuraone --suite hpl --implementation nvidia --nodes 98 --json
says "has the published N" '"N": 2706432'
exits "a misspelled system" 2 "$SHAKEDOWN" inventory show sakuraon
says "did you mean" "no file and no shipped system 'sakuraon' (did you mean 'sakuraone'?)"

exits "this machine" 0 "$SHAKEDOWN" inventory discover -o "$T/me.toml"
exits "is as its file" 0 "$SHAKEDOWN" inventory check "$T/me.toml"
says "and says so" "no differences between $T/me.toml and live"
sed 's/^kernel = .*/kernel = "0.0.1"/' "$T/me.toml" >"$T/other.toml"
exits "another kernel" 1 "$SHAKEDOWN" inventory check "$T/other.toml"
says "is named" "0.0.1"
exits "as JSON" 1 "$SHAKEDOWN" inventory check "$T/other.toml" --json
says "with the suites to run again" '"run_again"'
exits "two files that differ" 1 "$SHAKEDOWN" inventory diff "$T/me.toml" "$T/other.toml"
says "by node" "kernel"
says "what to run again" "1 difference; worth running again: hpl, hpcg, hpl-mxp, io500, mlperf"
exits "a file and itself" 0 "$SHAKEDOWN" inventory diff "$T/me.toml" "$T/me.toml"
exits "diff wants two" 2 "$SHAKEDOWN" inventory diff sakuraone
exits "check without an inventory or a campaign" 2 "$SHAKEDOWN" inventory check -w "$T/none"
says "says what to name" "shakedown inventory check cluster.toml"

# Several nodes: Open MPI's remote start goes through an agent that starts the "remote" daemon here.
if command -v mpirun >/dev/null; then
  cat >"$T/agent" <<'AGENT'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
host=$1
shift
[ "$host" != down1 ] || { echo "ssh: connect to host $host: No route to host" >&2; exit 255; }
# Each node has a /tmp of its own.
TMPDIR=AT/tmp-$host-$$
export TMPDIR
mkdir "$TMPDIR"
exec sh -c "$*"
AGENT
  sed -i "s|AT/|$T/|" "$T/agent"
  chmod +x "$T/agent"
  export OMPI_MCA_plm_rsh_agent="$T/agent"
  printf '# three nodes\ncn1 slots=2\nroot@cn2 slots=2\ncn3\n' >"$T/hosts"
  exits "the nodes of a hostfile" 0 "$SHAKEDOWN" inventory discover --hostfile "$T/hosts" -o "$T/three.toml"
  check "equal ones are one group" grep -q '^hosts = "cn\[1-3\]"$' "$T/three.toml"
  check "all cores are usable, not those of one binding" grep -q "^cores = $(getconf _NPROCESSORS_ONLN)$" "$T/three.toml"
  exits "and check finds them so" 0 "$SHAKEDOWN" inventory check "$T/three.toml"
  echo down1 >>"$T/hosts"
  exits "a node that is down" 4 "$SHAKEDOWN" inventory discover --hostfile "$T/hosts" -o "$T/some.toml"
  says "is named" "down1: no answer"
  check "the others are there" grep -q '^hosts = "cn\[1-3\]"$' "$T/some.toml"
  check "and its absence is noted" grep -q 'down1: no answer' "$T/some.toml"
  sed 's/cn\[1-3\]/cn[1-3],down1/' "$T/three.toml" >"$T/four.toml"
  exits "check names it, too" 4 "$SHAKEDOWN" inventory check "$T/four.toml"
  says "by name" "down1: no answer"
  says "and compares the rest" "no differences"
  echo down1 >"$T/down"
  exits "no node answers" 4 "$SHAKEDOWN" inventory discover --hostfile "$T/down" -o "$T/none.toml"
  says "says who" "no node answered; down1: no answer"
  check "and nothing is written" [ ! -e "$T/none.toml" ]
else
  echo "note: no mpirun here; the hostfile checks are left out"
fi
echo cn1 >"$T/one"
exits "no mpirun" 4 env PATH=/nonexistent "$SHAKEDOWN" inventory discover --hostfile "$T/one"
says "is what is missing" "mpirun: no such program in PATH"
printf 'cn[1-4]\n' >"$T/ranges"
exits "a hostfile with ranges" 2 "$SHAKEDOWN" inventory discover --hostfile "$T/ranges"
says "with its line" "$T/ranges:1: Open MPI's hostfiles have no ranges"
exits "a hostfile that is not there" 2 "$SHAKEDOWN" inventory discover --hostfile "$T/nope"
says "what to give" "hint: name an Open MPI hostfile, one host a line: cn001 slots=8"
exits "Slurm and a hostfile at once" 2 "$SHAKEDOWN" inventory discover --slurm --hostfile "$T/ranges"

# Inventories that can't be.
group='memory_gib = 4
[groups.cpu]
cores = 2'
printf 'system = "x"\n' >"$T/bad.toml"
exits "no nodes" 2 "$SHAKEDOWN" plan --inventory "$T/bad.toml"
says "says what is missing" "$T/bad.toml:1: 'groups' is missing"
printf 'system = "x"\n[[groups]]\nhosts = "a"\n%s\n[[groups]]\nname = "b"\nhosts = "a"\n%s\n' "$group" "$group" >"$T/bad.toml"
exits "two nodes of one name" 2 "$SHAKEDOWN" plan --inventory "$T/bad.toml"
says "both places" "$T/bad.toml:9: host 'a' is already in group 'nodes' ($T/bad.toml:3)"
printf 'system = "x"\n[[groups]]\nhosts = "n[0-1000000]"\n%s\n' "$group" >"$T/bad.toml"
exits "more than a million names" 2 "$SHAKEDOWN" plan --inventory "$T/bad.toml"
says "are refused" "more than 1000000 hosts"
printf 'system = "x"\n[[groups]]\nhosts = "n[1-1000000]"\n%s\n' "$group" >"$T/big.toml"
exits "a million names" 0 timeout 60 "$SHAKEDOWN" inventory show "$T/big.toml"
says "are counted" "1000000 nodes"
finish
