#!/bin/sh
# The history page of a simulated history: how long it takes to write, how large it is, and how soon a browser shows it.
# No machine measured any of these histories; system, nodes and notes say so.
#   tests/benchmark/site.sh [PREFIX]     PREFIX: build/release by default
#   CAMPAIGNS=2000 NODES=1000 ROUNDS=5
set -eu
. "$(dirname -- "$0")/table.sh"
prefix=${1:-$root/build/release}
CAMPAIGNS=${CAMPAIGNS:-2000} NODES=${NODES:-1000} ROUNDS=${ROUNDS:-5}
[ -x "$prefix/tests/benchmark_site_history" ] || { echo "build it: cmake --build --preset release --target benchmark_site_history" >&2; exit 2; }
for tool in chromium node; do command -v "$tool" >/dev/null 2>&1 || { echo "SKIPPED: $tool is not installed"; exit 77; }; done
folder=$(mktemp -d "${DIR:-/var/tmp}/shakedown-site-XXXXXX")
trap 'rm -rf "$folder"' EXIT
machine_line

# shown WHAT FILE: its size and what a browser takes for it.
shown() {
  bytes=$(wc -c <"$2")
  row "$1: size" "$(echo "$bytes" | awk '{ printf "%.2f MB", $1 / 1e6 }')" - - - "<= 20" "$(echo "$bytes" | awk '{ print $1 / 1e6 }')"
  node "$root/tests/benchmark/site.mjs" "$2" "$ROUNDS" >"$folder/found"
  while IFS='|' read -r what value range; do
    target="" held=""
    case $what in
      "first "*) target="<= 1000" held=$value ;;
      "frame "*) target="<= 17" held=$value ;; # 60 frames a second
    esac
    row "$1: $what" "$value ms" - - "$range" "$target" "$held"
  done <"$folder/found"
}

"$prefix/tests/benchmark_site_history" page "$folder/dense.html" "$CAMPAIGNS" "$NODES"
shown "Every one of $CAMPAIGNS campaigns measured each of $NODES nodes" "$folder/dense.html"

"$prefix/tests/benchmark_site_history" store "$folder/w" "$CAMPAIGNS" "$NODES"
: >"$folder/seconds"
for _ in $(seq "$ROUNDS"); do
  begin=$(now)
  "$prefix/bin/shakedown" site -w "$folder/w" -o "$folder/store.html" >"$folder/out"
  echo "$(($(now) - begin))" | awk '{ print $1 / 1e9 }' >>"$folder/seconds"
done
row "Store of $CAMPAIGNS campaigns, $NODES nodes: write the page" "$(digits %.2f "$(median <"$folder/seconds")") s" - - "$(range <"$folder/seconds")" "" ""
shown "Store of $CAMPAIGNS campaigns, $NODES nodes" "$folder/store.html"
