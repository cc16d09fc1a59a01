#!/bin/sh
# Makes example-comparison.png: NVIDIA Eos (MLPerf Training v4.1, DGX H100) beside the published values of SAKURAONE.
#   sh reports/example-comparison.sh LOGS [OUT.png]
# LOGS holds public logs of github.com/mlcommons/training_results_v4.1 (NVIDIA/results/eos_n*): the ten runs of
# llama2_70b_lora on 1 and on 128 nodes, and three of gpt3 on 32 nodes. Needs chromium, and a built shakedown in
# $SHAKEDOWN or build/release.
set -eu
logs=${1:?"usage: example-comparison.sh LOGS [OUT.png]"}
here=$(cd "$(dirname "$0")" && pwd)
out=${2:-$here/example-comparison.png}
shakedown=${SHAKEDOWN:-$here/../build/release/bin/shakedown}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# The logs do not print the round that they were submitted to.
"$shakedown" import "$logs" --campaign mlperf-v4.1 --system "NVIDIA Eos" --state version=4.1 -w "$work/w" >"$work/out"
"$shakedown" compare mlperf-v4.1 --baseline sakuraone --format html -o "$work" -w "$work/w" >"$work/out" || true
chromium --headless --no-sandbox --disable-gpu --hide-scrollbars --no-first-run --user-data-dir="$work/profile" \
  --window-size=1040,1010 --screenshot="$out" "file://$work/compare-sakuraone-mlperf-v4.1.html" 2>"$work/err"
bytes=$(wc -c <"$out")
[ "$bytes" -le 200000 ] || { echo "$out has $bytes bytes: more than 200000" >&2; exit 1; }
echo "$out: $bytes bytes"
