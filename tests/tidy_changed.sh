#!/bin/sh
# clang-tidy-19 over the sources that the last commits changed: the 8 changed last, or TIDY_MOST.
# TIDY_SINCE: a revision (default: 8 commits ago).
# The whole tree: cmake --preset tidy && cmake --build --preset tidy
set -u
cd "$PROJECT" || exit 1
command -v clang-tidy-19 >/dev/null 2>&1 || { echo "SKIPPED: clang-tidy-19 is not installed"; exit 77; }
git rev-parse --git-dir >/dev/null 2>&1 || { echo "SKIPPED: not a git checkout: no changes are known"; exit 77; }
since=${TIDY_SINCE:-$(git rev-list --first-parent --max-count=9 HEAD | tail -n 1)}
all=$(git log --first-parent -m --name-only --format= "$since..HEAD" -- \
  'orchestrator/*.cpp' 'suites/*.cpp' 'parsers/*.cpp' 'reports/*.cpp' | awk '!known[$0]++' |
  while read -r file; do [ ! -f "$file" ] || echo "$file"; done)
[ -n "$all" ] || { echo "no source changed since $since"; exit 0; }
files=$(echo "$all" | head -n "${TIDY_MOST:-8}")
echo "$(echo "$files" | wc -l) of $(echo "$all" | wc -l) files changed since $since"
# A configuration of its own: each source by itself, with clang's flags.
database=$(mktemp -d)
trap 'rm -rf "$database"' EXIT
cmake -S . -B "$database" -G Ninja -DCMAKE_BUILD_TYPE=Debug -DCMAKE_CXX_COMPILER=clang++-19 -DSHAKEDOWN_TESTS=OFF \
  -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$database/configure" 2>&1 || { cat "$database/configure"; exit 1; }
echo "$files" | xargs -P "$(nproc)" -n 1 clang-tidy-19 --quiet --extra-arg=-Wno-unknown-warning-option --extra-arg=-Wno-unknown-pragmas -p "$database" 2>"$database/noise" && exit 0
grep -vE 'warnings? (generated|treated)|^Suppressed|^Use -|^Error while processing' "$database/noise" | tail -n 40  # a crash says so here
exit 1
