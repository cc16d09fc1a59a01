#!/bin/sh
# Fuzzes every grammar, from its fixtures and what earlier runs found: 20 seconds each, or FUZZ_SECONDS.
#   tests/fuzz/fuzz_test.sh [GRAMMAR...]
# With FUZZ_KEEP=1 what was found is minimised into tests/fuzz/corpus/<grammar>.
set -eu
project=${PROJECT:-$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)}
build=${FUZZ_BUILD:-$project/build/fuzz}
seconds=${FUZZ_SECONDS:-20}
for program in clang++-19 cmake ninja; do
  command -v "$program" >/dev/null 2>&1 || { echo "SKIPPED: no $program"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cmake -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++-19 \
  -DSHAKEDOWN_TESTS=OFF -DSHAKEDOWN_FUZZ=ON "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1" \
  "-DCMAKE_CXX_FLAGS=-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" \
  >"$folder/configure" 2>&1 || { cat "$folder/configure"; exit 1; }
cmake --build "$build" --target fuzz_grammar >"$folder/build" 2>&1 || { tail -n 40 "$folder/build"; exit 1; }

# grammar, folder of its fixtures
grammars=$(sed -n 's/^const Parser \([a-z0-9_]*\) = .*/\1/p' "$project"/parsers/*.cpp | sort)
[ $# = 0 ] || grammars=$*
failed=0
fuzz() {
  grammar=$1
  id=$(echo "$grammar" | tr _ -)
  mkdir -p "$folder/$grammar/seeds" "$folder/$grammar/found"
  for place in "$grammar" probes; do
    [ -d "$project/tests/fixtures/$place" ] || continue
    find "$project/tests/fixtures/$place" -type f -size -64k -name "*.*" -exec cp {} "$folder/$grammar/seeds/" \;
  done
  kept=$project/tests/fuzz/corpus/$grammar
  [ ! -d "$kept" ] || cp "$kept"/* "$folder/$grammar/seeds/"
  if ! (cd "$folder/$grammar" && GRAMMAR=$id ASAN_OPTIONS=detect_leaks=1 "$build/tests/fuzz_grammar" -max_total_time="$seconds" -timeout=10 \
    -rss_limit_mb=2048 -max_len=65536 -print_final_stats=1 found seeds) >"$folder/$grammar.log" 2>&1; then
    echo "FAILED: $grammar"
    tail -n 40 "$folder/$grammar.log"
    [ -z "${FUZZ_CRASHES-}" ] || cp "$folder/$grammar"/crash-* "$folder/$grammar"/timeout-* "$folder/$grammar"/slow-unit-* "$FUZZ_CRASHES/" 2>/dev/null || :
    return 1
  fi
  echo "$grammar: $(sed -n 's/^stat::number_of_executed_units: *//p' "$folder/$grammar.log") inputs in ${seconds} s, $(ls "$folder/$grammar/found" | wc -l) found, slowest $(sed -n 's/^stat::slowest_unit_time_sec: *//p' "$folder/$grammar.log") s"
  if [ "${FUZZ_KEEP-}" = 1 ]; then
    mkdir -p "$kept" "$folder/$grammar/small"
    (cd "$folder/$grammar" && GRAMMAR=$id "$build/tests/fuzz_grammar" -merge=1 -max_len=4096 small found seeds >/dev/null 2>&1)
    # Only what the fixtures don't cover already.
    (cd "$folder/$grammar" && find "$project/tests/fixtures/$grammar" "$project/tests/fixtures/probes" -type f -size -64k -name "*.*" -exec cp {} fixtures/ \; 2>/dev/null || :)
    rm -rf "$kept" && mkdir -p "$kept" && cp "$folder/$grammar/small"/* "$kept/"
  fi
}
for grammar in $grammars; do fuzz "$grammar" || failed=1; done
exit $failed
