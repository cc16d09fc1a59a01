#!/bin/sh
# Fuzzes every grammar, and the readers of inventories, configurations, plans and bundles, from fixtures and shipped files and
# what earlier runs found: 5 seconds each, or FUZZ_SECONDS.
#   tests/fuzz/fuzz_test.sh [GRAMMAR|READER...]
# With FUZZ_KEEP=1 what reaches anything new is kept, minimised, in tests/fuzz/corpus/<grammar>.tar.gz; with
# FUZZ_CRASHES=DIR an input that failed is copied there.
set -eu
project=${PROJECT:-$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)}
build=${FUZZ_BUILD:-$project/build/fuzz}
seconds=${FUZZ_SECONDS:-5}
for program in clang++-19 cmake ninja; do
  command -v "$program" >/dev/null 2>&1 || { echo "SKIPPED: no $program"; exit 77; }
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
# Little inlining: the checks make the code large, and compiling it takes longer than the fuzzing.
cmake -S "$project" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_CXX_COMPILER=clang++-19 \
  -DSHAKEDOWN_TESTS=OFF -DSHAKEDOWN_FUZZ=ON -DCMAKE_UNITY_BUILD=ON "-DCMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1 -mllvm -inline-threshold=25" \
  "-DCMAKE_CXX_FLAGS=-fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined" \
  >"$folder/configure" 2>&1 || { cat "$folder/configure"; exit 1; }
cmake --build "$build" --target fuzz_grammar fuzz_reader fuzz_archive >"$folder/build" 2>&1 || { tail -n 40 "$folder/build"; exit 1; }

grammars=$(sed -n 's/^const Parser \([a-z0-9_]*\) = .*/\1/p' "$project"/parsers/*/*.cpp | sort)
readers="inventory configuration plan archive"
[ $# = 0 ] || grammars=$* readers=

# What libFuzzer says of a statistic at its end.
stat_of() { sed -n "s/^stat::$1: *//p" "$folder/$grammar.log"; }

# seed FILE...: a seed each.
seed() {
  for file in "$@"; do
    [ ! -f "$file" ] || cp "$file" "$here/seeds/$(basename "$(dirname "$file")")-$(basename "$file")"
  done
}

# The program of what is fuzzed, and its seeds.
prepare_grammar() {
  program=fuzz_grammar
  GRAMMAR=$(echo "$grammar" | tr _ -)
  export GRAMMAR
  place=$project/tests/fixtures/$grammar
  [ -d "$place" ] || place=$project/tests/fixtures/probes
  find "$place" -type f -size -64k ! -name '*.md' ! -name '*.tsv' -exec cp {} "$here/seeds/" \;
  # Beside each file by itself, those of a folder, with a zero byte behind each.
  find "$place" -mindepth 1 -type d | while read -r each; do
    for file in "$each"/*; do
      [ ! -f "$file" ] || { cat "$file"; printf '\0'; }
    done >"$here/seeds/folder-$(basename "$each")"
  done
}
prepare_reader() {
  program=fuzz_reader
  READER=$grammar
  export READER
  case $grammar in
    inventory) seed "$project"/orchestrator/systems/*.toml "$project"/tests/fixtures/inventory/*.toml ;;
    configuration) seed "$project"/orchestrator/templates/*.toml ;;
    plan) seed "$project"/tests/fixtures/plans/*.json ;;
    archive)
      program=fuzz_archive
      python3 "$project/tests/fuzz/archive_seeds.py" "$here/seeds" ;;
  esac
}

fuzz() {
  grammar=$1
  here=$folder/$grammar
  mkdir -p "$here/seeds" "$here/found" "$here/small"
  case $grammar in
    inventory | configuration | plan | archive) prepare_reader ;;
    *) prepare_grammar ;;
  esac
  kept=$project/tests/fuzz/corpus/$grammar.tar.gz
  [ ! -f "$kept" ] || tar -xzf "$kept" -C "$here/seeds"
  # Run where crashes are kept, from the folder of this grammar.
  if ! (cd "$here" && "$build/tests/$program" -max_total_time="$seconds" -timeout=60 -rss_limit_mb=2048 \
    -max_len=65536 -print_final_stats=1 found seeds) >"$folder/$grammar.log" 2>&1; then
    echo "FAILED: $grammar"
    tail -n 40 "$folder/$grammar.log"
    [ -z "${FUZZ_CRASHES-}" ] || find "$here" -maxdepth 1 -type f -exec cp {} "$FUZZ_CRASHES/" \;
    return 1
  fi
  echo "$grammar: $(stat_of number_of_executed_units) inputs in $seconds s, slowest $(stat_of slowest_unit_time_sec) s," \
    "at most $(stat_of peak_rss_mb) MB"
  [ "${FUZZ_KEEP-}" = 1 ] || return 0
  # One input for each branch, not for each number of times that it is taken: eight times fewer, and the time is for
  # new ones.
  (cd "$here" && "$build/tests/$program" -merge=1 -use_counters=0 -max_len=8192 small found seeds) >"$folder/merge" 2>&1
  mkdir -p "$(dirname "$kept")"
  tar -C "$here/small" --sort=name --owner=0 --group=0 --mtime=@0 -cf - . | gzip -9n >"$kept"
  echo "$grammar: $(find "$here/small" -type f | wc -l) inputs kept in $kept"
}

running=0
for grammar in $grammars $readers; do
  { fuzz "$grammar" || : >"$folder/failed"; } &
  running=$((running + 1))
  [ $((running % $(nproc))) != 0 ] || wait
done
wait
[ ! -e "$folder/failed" ]
