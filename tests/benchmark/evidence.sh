#!/bin/sh
# What it costs to read a bundle beside `zstd -d` and `sha256sum` of the same bytes, one after the other, and the memory
# of bundle and verify. Medians of pairs.
#   tests/benchmark/evidence.sh [PREFIX]     PREFIX: build/release by default; RUNS=5 MB=500
set -eu
. "$(dirname -- "$0")/table.sh"
RUNS=${RUNS:-5} MB=${MB:-500}
prefix=${1:-$root/build/release}
shakedown=$prefix/bin/shakedown
folder=$(mktemp -d "${DISK:-/var/tmp}/shakedown-bench-XXXXXX")
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
export TMPDIR="$folder/tmp"
mkdir "$TMPDIR"
cat >"$folder/plan.json" <<P
{"schema":"shakedown.plan/1","system":"bench","cases":[
{"id":"one","hosts":"$(hostname)","suite":"hpl","implementation":"reference","parser":"hpl","ranks":2,"ranks_per_node":2,"argv":["/bin/sh","-c","cat $root/tests/fixtures/hpl/reference-passed.out; head -c $((MB * 3 / 4))M /dev/urandom | base64 -w 100 >trace.txt"]}]}
P
machine_line
"$shakedown" run --here --plan "$folder/plan.json" -w "$folder/w" --progress none >"$folder/out" 2>&1 || [ $? = 3 ]
/usr/bin/time -f "%e %M" -o "$folder/made" "$shakedown" bundle -w "$folder/w" -o "$folder/x.tar.zst" --no-sign >"$folder/out"
mkdir "$folder/files"
zstd -dcq "$folder/x.tar.zst" | tar -xC "$folder/files"
: >"$folder/whole" && : >"$folder/verifying" && : >"$folder/ratios" && : >"$folder/reading" && : >"$folder/tools" && : >"$folder/rss"
for _ in $(seq "$RUNS"); do
  begin=$(now)
  zstd -dcq "$folder/x.tar.zst" >/dev/null
  find "$folder/files" -type f -exec sha256sum {} + >/dev/null
  tools=$(($(now) - begin))
  begin=$(now)
  /usr/bin/time -f %M -o "$folder/time" "$shakedown" verify "$folder/x.tar.zst" --json >"$folder/v.json"
  whole=$(($(now) - begin))
  awk -v w=$whole -v t=$tools 'BEGIN { printf "%.3f\n", w / t }' >>"$folder/whole"
  awk -v w=$whole 'BEGIN { print w / 1e9 }' >>"$folder/verifying"
  tail -n 1 "$folder/time" >>"$folder/rss"
  reading=$(sed -n 's/^ *"reading_s": \([0-9.e-]*\),*$/\1/p' "$folder/v.json")
  awk -v r="$reading" -v t="$tools" 'BEGIN { printf "%.3f\n", r / (t / 1e9) }' >>"$folder/ratios"
  echo "$reading" >>"$folder/reading"
  awk -v t="$tools" 'BEGIN { print t / 1e9 }' >>"$folder/tools"
done
rss=$(sort -g "$folder/rss" | tail -n 1 | awk '{ printf "%.0f", $1 / 1024 }')
row "reading a bundle of $MB MB" "$(digits "%.2f s" "$(median <"$folder/reading")")" "$(digits "%.2f s" "$(median <"$folder/tools")") zstd -d and sha256sum" \
  "$(digits "%.2f" "$(median <"$folder/ratios")")" "$(range "%.2f" <"$folder/ratios")" "<= 1.5" "$(median <"$folder/ratios")"
row "verifying a bundle of $MB MB" "$(digits "%.2f s" "$(median <"$folder/verifying")")" "$(digits "%.2f s" "$(median <"$folder/tools")") zstd -d and sha256sum" \
  "$(digits "%.2f" "$(median <"$folder/whole")")" "$(range "%.2f" <"$folder/whole")" "<= 1.5" "$(median <"$folder/whole")"
row "memory of verify" "$rss MiB" - - - "<= 256" "$rss"
row "memory of bundle" "$(awk '{ printf "%.0f MiB", $2 / 1024 }' "$folder/made")" - - - "<= 256" "$(awk '{ printf "%.0f", $2 / 1024 }' "$folder/made")"
