#!/bin/sh
# What planning costs: all suites on 1,250 and on 12,500 nodes of 8 GPUs. A sample is 10 plans, whose mean counts;
# time, processor time and the largest resident memory are medians of 5 samples. Elapsed time is worth what the load
# beside it allows: where others run, the processor time tells.
#   tests/benchmark/planning.sh [PREFIX]     PREFIX: build/release by default
set -eu
root=$(CDPATH="" cd -- "$(dirname -- "$0")/../.." && pwd)
prefix=${1:-$root/build/release}
plans=10
samples=5
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# The inventory of SAKURAONE with more nodes: $1.
inventory() {
  sed "s/\"cn\[001-100\]\"/\"cn[00001-$(printf %05d "$1")]\"/
    s/\"cn\[001-050\]\"/\"cn[00001-$(printf %05d $(($1 / 2)))]\"/
    s/\"cn\[051-100\]\"/\"cn[$(printf %05d $(($1 / 2 + 1)))-$(printf %05d "$1")]\"/" \
    "$prefix/share/shakedown/systems/sakuraone.toml"
}

# "seconds seconds-of-processor KiB" of one sample on $1 nodes.
sample() {
  # shellcheck disable=SC2016  # the inner shell expands it
  /usr/bin/time -f '%e %U %S %M' -o "$folder/time" sh -c '
    i=0
    while [ $i -lt "$1" ]; do
      "$2" plan --inventory "$3" --json >"$4" 2>/dev/null || exit
      i=$((i + 1))
    done' plans "$plans" "$prefix/bin/shakedown" "$folder/$1.toml" "$folder/$1.json"
  awk -v n="$plans" '{ printf "%.4f %.4f %d\n", $1 / n, ($2 + $3) / n, $4 }' "$folder/time"
}

# The median of column $2 of file $1.
median() { cut -d' ' -f"$2" <"$1" | sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

printf 'date %s  machine %s, %s cores  load %s\n' "$(date -u +%F)" \
  "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
for nodes in 1250 12500; do
  inventory $nodes >"$folder/$nodes.toml"
done
i=0
while [ $i -lt $samples ]; do  # alternating, so that a busy minute is in both
  for nodes in 1250 12500; do sample $nodes >>"$folder/$nodes"; done
  i=$((i + 1))
done
for nodes in 1250 12500; do
  printf '%6d nodes  %s s  %s s of processor  %s KiB  cases %s  refused %s\n' $nodes "$(median "$folder/$nodes" 1)" \
    "$(median "$folder/$nodes" 2)" "$(median "$folder/$nodes" 3)" "$(grep -c '"id":' "$folder/$nodes.json")" \
    "$(sed -n '/"refused"/,$p' "$folder/$nodes.json" | grep -c '"suite":')"
done
paste -d' ' "$folder/1250" "$folder/12500" | awk '{ printf "%.2f %.2f\n", $4 / $1, $5 / $2 }' >"$folder/ratios"
printf '10 x the nodes cost %s x the time, %s x the processor time\n' "$(median "$folder/ratios" 1)" \
  "$(median "$folder/ratios" 2)"
