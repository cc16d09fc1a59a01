#!/bin/sh
# What commands cost where much has been stored, or much runs: a store of 100,000 runs x 40 metrics, a report of 1,000
# nodes, the status of 4,000 running cases, and 10,000 cases of one node on a Slurm of virtual nodes.
#   tests/benchmark/growth.sh [PREFIX]     PREFIX: build/release by default
#   RUNS=3 STORED=100000 LANES=4000 NODES=1000 SLURM_CASES=10000 (0: not measured), SLURM_NODES=50 SECONDS_EACH=2
set -eu
. "$(dirname -- "$0")/table.sh"
prefix=${1:-$root/build/release}
shakedown=$prefix/bin/shakedown
RUNS=${RUNS:-3} STORED=${STORED:-100000} LANES=${LANES:-4000} NODES=${NODES:-1000} SLURM_CASES=${SLURM_CASES:-10000}
folder=$(mktemp -d "${DIR:-/var/tmp}/shakedown-growth-XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
machine_line

# timed WHAT TARGET_S COMMAND...: a row of the elapsed time of the command, and one of its memory.
timed() {
  what=$1 target=$2
  shift 2
  : >"$folder/seconds" && : >"$folder/mib"
  for _ in $(seq "$RUNS"); do
    /usr/bin/time -f '%e %M' -o "$folder/time" "$@" >"$folder/out" 2>"$folder/err" || case $? in 1 | 3) ;; *) cat "$folder/err"; exit 1 ;; esac
    tail -n 1 "$folder/time" | awk -v s="$folder/seconds" -v m="$folder/mib" '{ print $1 >>s; print $2 / 1024 >>m }'
  done
  row "$what" "$(digits %.2f "$(median <"$folder/seconds")") s" - - "$(range <"$folder/seconds")" "<= $target" "$(median <"$folder/seconds")"
  row "$what: resident memory" "$(digits %.0f "$(median <"$folder/mib")") MiB" - - - "<= 300" "$(median <"$folder/mib")"
}

# A campaign of a plan of $1 cases of one node each, submitted by a scheduler that never starts them, or starts all at once.
scheduler() { # WORD: idle or at-once
  cat >"$folder/submit" <<SH
#!/bin/sh
# Started where jobs shall run; the job's id is that of its process.
[ $1 = idle ] && echo "job \$\$ was accepted" && exit
setsid sh "\$1" </dev/null >/dev/null 2>&1 &
echo "job \$! was accepted"
SH
  cat >"$folder/queue" <<SH
#!/bin/sh
[ \$# -gt 0 ] || exit 0
if [ $1 = idle ]; then printf '%s RUN\\n' "\$@"; exit; fi
for id; do if kill -0 \$id 2>/dev/null; then echo "\$id RUN"; else echo "\$id DONE"; fi; done
SH
  cat >"$folder/scheduler.toml" <<TOML
title = "processes of this machine"
tested = "run-at-site"
[submit]
command = ["sh", "$folder/submit", "{script}"]
id = 'job ([0-9]+) was accepted'
[poll]
command = ["sh", "$folder/queue", "{ids}"]
record = '^([0-9]+) +([A-Z]+)'
pending = ["WAIT"]
ended = { DONE = "completed" }
[cancel]
command = ["true", "{id}"]
TOML
}
inventory() { # NODES [SYSTEM]
  cat >"$folder/inventory.toml" <<TOML
system = "${2:-virtual}"
[[groups]]
name = "nodes"
memory_bytes = 1048576000
hosts = "cn[1-$1]"
[groups.cpu]
model = "virtual"
sockets = 1
cores = 2
TOML
  printf '[site]\nmost_jobs = %s\n' "$1" >"$folder/site.toml"
}
plan() { # CASES ARGV [SYSTEM], the first two as JSON words
  awk -v n="$1" -v argv="$2" -v system_="${3:-virtual}" 'BEGIN {
    printf "{\"schema\":\"shakedown.plan/1\",\"system\":\"%s\",\"cases\":[", system_
    for (i = 1; i <= n; i++) printf "%s{\"id\":\"gemm-reference-each-cn%d\",\"suite\":\"gemm\",\"implementation\":\"reference\",\"parser\":\"gemm\",\"result_file\":\"stdout.log\",\"nodes\":1,\"hosts\":\"cn%d\",\"argv\":%s}", (i > 1 ? "," : ""), i, i, argv
    print "]}" }' >"$folder/plan.json"
}

# A campaign in which each of $1 nodes of the system $2 measures GEMM, in the workspace $3.
nodes_campaign() {
  scheduler at-once
  inventory "$1" "$2"
  plan "$1" "[\"/bin/cat\",\"$(find "$root/tests/fixtures/gemm" -name '*.out' | sort | head -n 1)\"]" "$2"
  "$shakedown" run --plan "$folder/plan.json" --config "$folder/site.toml" --inventory "$folder/inventory.toml" --scheduler "$folder/scheduler.toml" -w "$3" \
    --progress none >"$folder/said" 2>&1 || [ $? = 3 ] || { cat "$folder/said"; exit 1; }
}

if [ "$STORED" -gt 0 ]; then
  store=$folder/store
  mkdir -p "$store"
  "$prefix/tests/benchmark_store_scale" "$STORED" "$store" >"$folder/scale"
  cat "$folder/scale"
  # "regress: what it does    2.71 s,    2.71 s of processor time"
  for command in regress compare; do
    seconds=$(sed -n "s/^$command: .* \([0-9.]*\) s, .*/\1/p" "$folder/scale")
    row "Store of $STORED runs: what \`$command\` reads and computes" "$seconds s" - - - "<= 0.5" "$seconds"
  done
  nodes_campaign 10 testbed "$store"
  timed "Store of $STORED runs: report of a campaign of 10 nodes" 0.5 "$shakedown" report -w "$store" -o "$folder/report"
  timed "Store of $STORED runs: status of that campaign" 0.5 "$shakedown" status -w "$store"
  timed "Store of $STORED runs: campaigns" 0.5 "$shakedown" campaigns -w "$store"
  rm -rf "$store"
fi

if [ "$NODES" -gt 0 ]; then
  nodes_campaign "$NODES" virtual "$folder/nodes"
  [ "$("$shakedown" status -w "$folder/nodes" | grep -c '^  finished ')" = "$NODES" ] || { cat "$folder/said"; exit 1; }
  timed "Report of $NODES nodes, HTML and JSON" 0.5 "$shakedown" report -w "$folder/nodes" -o "$folder/report"
  timed "Status of $NODES ended cases" 0.5 "$shakedown" status -w "$folder/nodes"
  rm -rf "$folder/nodes"
fi

if [ "$LANES" -gt 0 ]; then
  scheduler idle
  inventory "$LANES"
  plan "$LANES" '["/bin/true"]'
  "$shakedown" run --plan "$folder/plan.json" --config "$folder/site.toml" --inventory "$folder/inventory.toml" --scheduler "$folder/scheduler.toml" -w "$folder/lanes" \
    --progress none >"$folder/said" 2>&1 &
  pid=$!
  trap 'kill -9 $pid 2>/dev/null; rm -rf "$folder"' EXIT
  until [ "$(find "$folder/lanes/campaigns" -name job.sh -path '*attempt-1*' 2>/dev/null | wc -l)" = "$LANES" ]; do
    kill -0 "$pid" || { cat "$folder/said"; exit 1; }
    sleep 1
  done
  at=$(ls -d "$folder"/lanes/campaigns/*/)
  for attempt in "$at"*/attempt-1; do
    printf '{"schema":"shakedown.started/1","host":"%s","pid":1,"started_s":%s,"load_before":0.1}\n' "$(hostname)" "$(date +%s)" >"$attempt/started.json"
  done
  timed "Status of $LANES running cases" 0.2 "$shakedown" status -w "$folder/lanes"
  grep -c '^  running ' "$folder/out" | grep -qx "$LANES" || { head -n 5 "$folder/out"; echo "not all cases run" >&2; exit 1; }
  kill -9 "$pid"
  wait "$pid" 2>/dev/null || :
  trap 'rm -rf "$folder"' EXIT
  rm -rf "$folder/lanes"
fi

if [ "$SLURM_CASES" -gt 0 ]; then
  CASES=$SLURM_CASES sh "$root/tests/benchmark/slurm_packing.sh" "$prefix"
fi
