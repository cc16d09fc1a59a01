#!/bin/sh
# What README.md and docs/ promise: links that lead somewhere, few words, and commands that work on one machine.
# (docs/start/slurm-gpu.md is followed by tests/slurm/guide_test.sh; ./quickstart by whoever builds.)
. "$(dirname -- "$0")/check.sh"
cd "$PROJECT" || exit 1

check "README has at most 600 words" [ "$(wc -w <README.md)" -le 600 ]
check "the changelog has at most 30 lines" [ "$(wc -l <CHANGELOG.md)" -le 30 ]

# Relative links; what stands between ``` is no link.
for page in README.md CONTRIBUTING.md CHANGELOG.md $(find docs -name '*.md'); do
  awk '/^```/ { within = !within } !within' "$page" | grep -o ']([^)]*)' | sed 's/^](//; s/)$//; s/#.*//' |
    while read -r target; do
      case $target in
        "" | http://* | https://*) continue ;;
      esac
      [ -e "$(dirname "$page")/$target" ] || echo "$page: $target"
    done
done >"$T/broken"
check "every link leads to a file" [ ! -s "$T/broken" ]
sed 's/^/      | /' "$T/broken"
for page in $(find docs -name '*.md'); do
  grep -rqF "$(basename "$page")" README.md || echo "$page"
done >"$T/lost"
check "README leads to every page" [ ! -s "$T/lost" ]
sed 's/^/      | /' "$T/lost"

# commands FILE: the lines of its sh blocks without remarks, and without what installs and builds.
commands() {
  awk '/^```sh$/ { within = 1; next } /^```$/ { within = 0 } within' "$1" | sed 's/  *#.*//' | grep -v '^\./quickstart' | grep .
}
# follows NAME CODES LINE: a line of a page must exit with one of CODES.
follows() {
  name=$1 codes=$2
  shift 2
  sh -c "$*" >"$T/out" 2>"$T/err" </dev/null
  got=$?
  case " $codes " in
    *" $got "*) ok "$name: $*" ;;
    *)
      fail "$name: exit $got, expected one of $codes: $*"
      sed 's/^/      | /' "$T/out" "$T/err"
      ;;
  esac
}
PATH=$(dirname "$SHAKEDOWN"):$PATH
export PATH

# The batch systems that pages describe.
mkdir "$T/queues"
sed -n '/^    title = "our queue"/,/^$/s/^    //p' docs/reference/batch-systems.md >"$T/queues/reference.toml"
sed -n '/^title = "our queue"/,/^```/p' docs/howto/other-batch-system.md | grep -v '^```' >"$T/queues/howto.toml"
for queue in reference howto; do
  check "the batch system of the $queue is there" [ -s "$T/queues/$queue.toml" ]
  exits "and can be read" 0 shakedown run --scheduler "$T/queues/$queue.toml" --suite stream --implementation reference --dry-run
done

for kernel in gemm hpl; do
  [ -x "$LIBEXEC/$kernel" ] || { echo "no $LIBEXEC/$kernel (MPI and BLAS): the commands that measure are not tried"; finish; }
done

# README: the cluster's commands with a configuration of this machine; what Slurm alone can do is followed elsewhere.
mkdir "$T/readme"
cd "$T/readme" || exit 1
cat >small.toml <<'TOML'
title = "This machine"
[site]
scheduler = "local"
[[runs]]
suite = "hpl"
implementation = "reference"
minutes = 0.02
[[criteria]]
id = "hpl-valid"
title = "HPL is valid"
suite = "hpl"
metric = "validity"
severity = "mandatory"
limit_source = "its own check"
TOML
commands "$PROJECT/README.md" | grep -v '^salloc' >lines
check "README's commands are found" [ "$(wc -l <lines)" = 5 ]
exits "the inventory of this machine" 0 shakedown inventory discover -o cluster.toml
while read -r line; do
  case $line in
    "shakedown accept "*)  # the day of the campaign in place of the example's
      line=$(echo "$line" | sed "s/accept [0-9-]*/accept $(ls shakedown-runs/campaigns | cut -c 1-10)/") ;;
  esac
  follows README 0 "$(echo "$line" | sed 's/^shakedown run /&--here /')"
  case $line in
    "shakedown init "*) cp small.toml acceptance.toml ;;  # the campaign itself in seconds
  esac
done <lines

# One machine, step by step.
mkdir "$T/one"
cd "$T/one" || exit 1
commands "$PROJECT/docs/start/one-machine.md" | grep -v '^export' >lines
check "the guide's commands are found" [ "$(wc -l <lines)" -gt 15 ]
while read -r line; do
  case $line in
    *"shakedown quick"* | *"shakedown run --here"* | *"shakedown resume"* | "shakedown report"* | "shakedown compare"*)
      follows "one machine" "0 1 3" "$line" ;;
    "shakedown doctor") follows "one machine" "0 4" "$line" ;;
    *) follows "one machine" 0 "$line" ;;
  esac
done <lines
check "both campaigns are finished" [ "$(grep -l '"state": "finished"' shakedown-runs/campaigns/*/results.json | wc -l)" = 2 ]
finish
