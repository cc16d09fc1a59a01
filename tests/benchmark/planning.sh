#!/bin/sh
# What planning costs: all suites on 1,250, 12,500 and 100,000 nodes of 8 GPUs. A sample is 10 plans, whose mean counts;
# time, processor time and the largest resident memory are medians of 5 samples. Elapsed time is worth what the load
# beside it allows: where others run, the processor time tells.
#   tests/benchmark/planning.sh [PREFIX]     PREFIX: build/release by default
set -eu
. "$(dirname -- "$0")/table.sh"
prefix=${1:-$root/build/release}
plans=10
samples=${RUNS:-5}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM

# The inventory of SAKURAONE with more nodes: $1.
inventory() {
  sed "s/\"cn\[001-100\]\"/\"cn[000001-$(printf %06d "$1")]\"/
    s/\"cn\[001-050\]\"/\"cn[000001-$(printf %06d $(($1 / 2)))]\"/
    s/\"cn\[051-100\]\"/\"cn[$(printf %06d $(($1 / 2 + 1)))-$(printf %06d "$1")]\"/" \
    "$prefix/share/shakedown/systems/sakuraone.toml"
}

# "seconds seconds-of-processor KiB" of one sample on $1 nodes.
# Of the largest system one plan is long enough to be timed.
sample() {
  count=$plans
  [ "$1" -lt 100000 ] || count=1
  # shellcheck disable=SC2016  # the inner shell expands it
  /usr/bin/time -f '%e %U %S %M' -o "$folder/time" sh -c '
    i=0
    while [ $i -lt "$1" ]; do
      "$2" plan --inventory "$3" --json >"$4" 2>/dev/null || exit
      i=$((i + 1))
    done' plans "$count" "$prefix/bin/shakedown" "$folder/$1.toml" "$folder/$1.json"
  awk -v n="$count" '{ printf "%.4f %.4f %d\n", $1 / n, ($2 + $3) / n, $4 }' "$folder/time"
}

column() { cut -d' ' -f"$2" <"$folder/$1"; }

machine_line
sizes="1250 12500 100000"
for nodes in $sizes; do
  inventory "$nodes" >"$folder/$nodes.toml"
done
i=0
while [ "$i" -lt "$samples" ]; do  # alternating, so that a busy minute is in all
  for nodes in $sizes; do sample "$nodes" >>"$folder/$nodes"; done
  i=$((i + 1))
done
for nodes in $sizes; do
  sed -n '/"refused"/,/^  \]/s/.*"because": "\(.*\)".*/  '"$nodes"' nodes, part of what is timed: a case is refused, \1/p' "$folder/$nodes.json"
  target="<= 1"
  [ "$nodes" = 100000 ] || target="<= 0.2"
  row "Planning all suites on $nodes nodes" "$(digits %.3f "$(column "$nodes" 1 | median)") s, $(column "$nodes" 3 | median | awk '{ printf "%.0f", $1 / 1024 }') MiB" - - "$(column "$nodes" 1 | range %.3f)" \
    "$target" "$(column "$nodes" 1 | median)"
done
paste -d' ' "$folder/12500" "$folder/100000" | awk '{ print $5 / $2 }' >"$folder/ratios"
row "Planning 8 times the nodes, processor time" "$(digits %.2f "$(column 100000 2 | median)") s" "12,500 nodes: $(digits %.3f "$(column 12500 2 | median)") s" "$(digits %.2f "$(median <"$folder/ratios")")" \
  "$(range <"$folder/ratios")" "<= 8.5" "$(median <"$folder/ratios")"
