#!/bin/sh
# What the orchestrator adds to a case: campaigns of trivial cases (argv /bin/true, serial, scheduler `local`)
# against the same argv started directly by a shell, on a disk and on tmpfs. Medians of 5.
#   tests/benchmark/orchestration.sh [PREFIX]     PREFIX: build/release by default; RUNS=5 CASES="10 100 1000" DISK=/var/tmp
set -eu
. "$(dirname -- "$0")/table.sh"
RUNS=${RUNS:-5}
prefix=${1:-$root/build/release}
shakedown=$prefix/bin/shakedown
disk=$(mktemp -d "${DISK:-/var/tmp}/shakedown-bench-XXXXXX")
memory=$(mktemp -d /dev/shm/shakedown-bench-XXXXXX)
trap 'rm -rf "$disk" "$memory"' EXIT
trap 'exit 130' INT TERM

plan() { # number of cases
  awk -v n="$1" 'BEGIN {
    printf "{\"schema\":\"shakedown.plan/1\",\"system\":\"bench\",\"cases\":["
    for (i = 1; i <= n; i++) printf "%s{\"id\":\"c%d\",\"argv\":[\"/bin/true\"]}", (i > 1 ? "," : ""), i
    print "]}" }'
}
machine_line
for n in ${CASES:-10 100 1000}; do
  plan "$n" >"$memory/plan-$n.json"
  for place in disk memory; do
    if [ $place = disk ]; then folder=$disk; else folder=$memory; fi
    : >"$memory/over" && : >"$memory/bare"
    : >"$memory/rss"
    for run in $(seq "$RUNS"); do
      begin=$(now)
      sh -c 'i=0; while [ $i -lt "$1" ]; do /bin/true; i=$((i + 1)); done' sh "$n"
      bare=$(($(now) - begin))
      awk -v b=$bare -v n="$n" 'BEGIN { print b / n / 1e6 }' >>"$memory/bare"
      # A folder of its own each time, and all removed at the end: an ext4 without a journal looks at each inode that
      # was freed in the last minutes before it makes a new file (find_inode_bit, recently_deleted).
      workspace=$folder/w-$n-$run
      begin=$(now)
      /usr/bin/time -f %M -o "$memory/time" "$shakedown" run --here --plan "$memory/plan-$n.json" -w "$workspace" --progress none >"$memory/said" 2>&1 || [ $? = 3 ]
      whole=$(($(now) - begin))
      [ "$("$shakedown" status -w "$workspace" | grep -c '^  finished ')" = "$n" ] || { cat "$memory/said"; exit 1; }
      tail -n 1 "$memory/time" >>"$memory/rss"
      awk -v w=$whole -v b=$bare -v n="$n" 'BEGIN { printf "%.3f\n", (w - b) / n / 1e6 }' >>"$memory/over"
    done
    target="<= 5"
    [ $place = disk ] || target="<= 2"
    row "Cost of a case, $n cases, $(df -T "$folder" | awk 'NR == 2 { print $2 }')" "$(digits %.1f "$(median <"$memory/over")") ms" "the bare program: $(digits %.1f "$(median <"$memory/bare")") ms" \
      - "$(range %.1f <"$memory/over")" "$target" "$(median <"$memory/over")"
    [ $place$n != memory1000 ] ||
      row "Resident memory of the orchestrator, $n cases" "$(awk -v k="$(median <"$memory/rss")" 'BEGIN { printf "%.0f", k / 1024 }') MiB" - - - "<= 64" "$(awk -v k="$(median <"$memory/rss")" 'BEGIN { print k / 1024 }')"
  done
done
