#!/bin/sh
# What the orchestrator adds to a case: campaigns of trivial cases (argv /bin/true, serial, scheduler `local`)
# against the same argv started directly by a shell, on a disk and on tmpfs. Medians of 5.
#   tests/benchmark/orchestration.sh [PREFIX]     PREFIX: build/release by default
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
prefix=${1:-$root/build/release}
shakedown=$prefix/bin/shakedown
disk=$(mktemp -d "${DISK:-/var/tmp}/shakedown-bench-XXXXXX")
memory=$(mktemp -d /dev/shm/shakedown-bench-XXXXXX)
trap 'rm -rf "$disk" "$memory"' EXIT

plan() { # number of cases
  awk -v n="$1" 'BEGIN {
    printf "{\"schema\":\"shakedown.plan/1\",\"system\":\"bench\",\"cases\":["
    for (i = 1; i <= n; i++) printf "%s{\"id\":\"c%d\",\"argv\":[\"/bin/true\"]}", (i > 1 ? "," : ""), i
    print "]}" }'
}
now() { date +%s%N; }
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

printf 'date %s  machine %s, %s cores  load %s\n' "$(date -u +%F)" \
  "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
for n in 10 100 1000; do
  plan "$n" >"$memory/plan-$n.json"
  for place in disk memory; do
    if [ $place = disk ]; then folder=$disk; else folder=$memory; fi
    : >"$memory/over"
    : >"$memory/rss"
    for _ in 1 2 3 4 5; do
      begin=$(now)
      sh -c 'i=0; while [ $i -lt "$1" ]; do /bin/true; i=$((i + 1)); done' sh "$n"
      bare=$(($(now) - begin))
      workspace=$folder/w
      begin=$(now)
      /usr/bin/time -f %M -o "$memory/time" "$shakedown" run --here --plan "$memory/plan-$n.json" -w "$workspace" --progress none >/dev/null 2>&1 || [ $? = 3 ]
      whole=$(($(now) - begin))
      tail -n 1 "$memory/time" >>"$memory/rss"
      awk -v w=$whole -v b=$bare -v n="$n" 'BEGIN { printf "%.3f\n", (w - b) / n / 1e6 }' >>"$memory/over"
      rm -rf "$workspace"
    done
    printf '%5d cases  %-22s overhead %7s ms per case   resident at most %5.1f MiB\n' "$n" \
      "$(stat -f -c %T "$folder")" "$(median <"$memory/over")" "$(awk -v k="$(median <"$memory/rss")" 'BEGIN { print k / 1024 }')"
  done
done
