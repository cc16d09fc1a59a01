#!/bin/sh
# What planning costs: all suites on 1,250 and on 12,500 nodes of 8 GPUs; time and resident memory, medians of 5.
#   tests/benchmark/planning.sh [PREFIX]     PREFIX: build/release by default
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
prefix=${1:-$root/build/release}
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }

printf 'date %s  machine %s, %s cores  load %s\n' "$(date -u +%F)" \
  "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
for nodes in 1250 12500; do
  half=$((nodes / 2))
  sed "s/\"cn\[001-100\]\"/\"cn[00001-$(printf %05d $nodes)]\"/
    s/\"cn\[001-050\]\"/\"cn[00001-$(printf %05d $half)]\"/
    s/\"cn\[051-100\]\"/\"cn[$(printf %05d $((half + 1)))-$(printf %05d $nodes)]\"/" \
    "$prefix/share/shakedown/systems/sakuraone.toml" >"$folder/system.toml"
  : >"$folder/s"
  : >"$folder/kib"
  for _ in 1 2 3 4 5; do
    /usr/bin/time -f '%e %M' -o "$folder/time" "$prefix/bin/shakedown" plan --inventory "$folder/system.toml" \
      --json >"$folder/plan.json" 2>/dev/null
    cut -d' ' -f1 <"$folder/time" >>"$folder/s"
    cut -d' ' -f2 <"$folder/time" >>"$folder/kib"
  done
  printf '%6d nodes  %s s  %s KiB  cases %s  refused %s\n' "$nodes" "$(median <"$folder/s")" "$(median <"$folder/kib")" \
    "$(grep -c '"id":' "$folder/plan.json")" "$(grep -c '"because":.*' "$folder/plan.json" >/dev/null && sed -n '/"refused"/,$p' "$folder/plan.json" | grep -c '"suite":')"
done
