#!/bin/sh
# Makes the pictures of docs/gallery.md: pages of this project's own programs, seen by Chromium.
#   sh docs/gallery/make.sh [PREFIX]     PREFIX: build/release by default, with its target benchmark_site_history
# Reports and terminal are of real runs: a screening of this machine, which must be calm, one beside which a loop runs, and
# an acceptance of 100 virtual nodes. A benchmark's part and the nodes are those of the tests' report, the history page is
# simulated. It takes about twenty minutes.
set -eu
here=$(CDPATH= cd -- "$(dirname -- "$0")" && pwd)
root=$(dirname -- "$(dirname -- "$here")")
prefix=$(CDPATH= cd -- "${1:-$root/build/release}" && pwd)
for tool in chromium node tmux aha; do
  command -v "$tool" >/dev/null || { echo "install it first: apt-get install $tool" >&2; exit 2; }
done
T=$(mktemp -d)
session=gallery-$$
trap 'tmux kill-session -t "$session" 2>/dev/null; sleep 2; rm -rf "$T"' EXIT

# report NAME WORKSPACE WORD: the verdict of its page must begin with the word.
report() {
  cp "$2"/campaigns/*/report.html "$T/$1.html"
  "$prefix/bin/shakedown" campaigns -w "$2" | grep -q "$3" || { echo "$1: the verdict is not '$3'; is this machine calm?" >&2; exit 1; }
}
cd "$T"
"$prefix/bin/shakedown" quick --here -w calm --progress none >/dev/null || true
report pass calm passed
(while kill -0 $$ 2>/dev/null; do :; done) &
loop=$!
"$prefix/bin/shakedown" quick --here -w busy --progress none >/dev/null || true
kill $loop
report undecided busy undecided
sh "$here/acceptance-100.sh" "$T/acceptance" "$prefix" || [ $? = 1 ]
cp "$T/acceptance/report.html" "$T/fail.html"
cp "$root/tests/fixtures/reports/report-acceptance.html" "$T/acceptance.html"

"$prefix/tests/benchmark_site_history" page "$T/site.html" 120 1000

# A run as it goes on, 40 s after its start.
tmux new-session -d -s "$session" -x 118 -y 11 "$prefix/bin/shakedown quick --here --minutes 1 -w $T/w; sleep 600"
sleep 40
{
  echo '<!doctype html><meta charset="utf-8"><style>body{margin:0}pre{background:#16181d;color:#e6e6e6;margin:0;padding:16px;font:14px/1.35 "DejaVu Sans Mono",monospace;width:max-content}</style><pre>'
  tmux capture-pane -e -p -t "$session" | aha --black --no-header
  echo '</pre>'
} >"$T/terminal.html"
node "$here/make.mjs" "$T" "$here"
ls -l "$here"/*.webp
