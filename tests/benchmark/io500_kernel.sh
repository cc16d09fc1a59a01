#!/bin/sh
# The io500 kernel beside the official program: alternating runs with the same configuration in the same directory,
# phase by phase. Prints results, asserts none.
#
#   IO500_OFFICIAL=/path/to/io500 sh tests/benchmark/io500_kernel.sh
#
# RUNS (5) pairs, RANKS (2), STONEWALL (5) s, DIR where the files go (a fresh folder in /tmp), LIBEXEC the folder of
# the kernels, EASY_BLOCK (1g) and SEGMENTS (8000), EASY_N (60000) and HARD_N (3000) of each rank. A file system that
# is mounted with `discard` removes few hundred files a second: HARD_N is what a run's time goes into.
# DROP_CACHES=TRUE (as root): reads come from the device, which both wait for, and not from memory.
set -u
RANKS=${RANKS:-2} STONEWALL=${STONEWALL:-5}
EASY_BLOCK=${EASY_BLOCK:-1g} SEGMENTS=${SEGMENTS:-8000} EASY_N=${EASY_N:-60000} HARD_N=${HARD_N:-3000}
if [ -z "${IO500_OFFICIAL:-}" ] || [ ! -x "$IO500_OFFICIAL" ]; then
  echo "SKIPPED: IO500_OFFICIAL is not the path of the official program (github.com/IO500/io500, built by its prepare.sh)"
  exit 77
fi
. "$(dirname "$0")/quiet.sh"
if [ ! -x "$libexec/io500" ]; then
  echo "SKIPPED: $libexec/io500 was not built"
  exit 77
fi

cat >io500.ini <<INI
[global]
datadir = ./data
timestamp-datadir = FALSE
resultdir = ./results
timestamp-resultdir = FALSE
drop-caches = ${DROP_CACHES:-FALSE}
drop-caches-cmd = sh -c "echo 3 > /proc/sys/vm/drop_caches"
[debug]
stonewall-time = $STONEWALL
[ior-easy]
transferSize = 1m
blockSize = $EASY_BLOCK
[mdtest-easy]
n = $EASY_N
[ior-hard]
segmentCount = $SEGMENTS
[mdtest-hard]
n = $HARD_N
INI

# run NAME PROGRAM: its rows as "phase value" in NAME.N, and what find found in NAME.found.
run() {
  rm -rf data results
  sync
  # shellcheck disable=SC2086
  mpirun $as_root --oversubscribe --bind-to none -np "$RANKS" "$2" io500.ini >"$1.log" 2>"$1.err" || {
    echo "$1 failed:"
    cat "$1.log" "$1.err"
    exit 1
  }
  awk '/^\[RESULT\]/ { print $2, $3 }' "$1.log" >>"$1.rows"
  awk '/^(found|total-files) / { printf "%s %s ", $1, $3 } END { print "" }' results/result.txt >>"$1.found"
}

machine
df -T . | awk 'NR == 2 { printf "File system: %s, %s, %.0f GiB free\n", $1, $2, $5 / 1048576 }'
pair=0
while [ $pair -lt "$RUNS" ]; do
  pair=$((pair + 1))
  if [ $((pair % 2)) = 1 ]; then
    run official "$IO500_OFFICIAL"
    run kernel "$libexec/io500"
  else
    run kernel "$libexec/io500"
    run official "$IO500_OFFICIAL"
  fi
done
# "phase official kernel" of each pair.
for name in official kernel; do awk '{ print $1, ++count[$1], $2 }' $name.rows | sort >$name.numbered; done
awk '{ key = $1 " " $2 } NR == FNR { official[key] = $3; next } { print $1, official[key], $3 }' official.numbered kernel.numbered >pairs
where="$(df -T . | awk 'NR == 2 { print $2 }')$([ "${DROP_CACHES:-FALSE}" = FALSE ] || echo ', caches dropped')"
for phase in $(awk '!known[$1]++ { print $1 }' official.rows); do
  unit=kIOPS
  [ "${phase#ior}" = "$phase" ] || unit=GiB/s
  grep "^$phase " pairs | cut -d' ' -f2 >theirs
  grep "^$phase " pairs | cut -d' ' -f3 >ours
  paste -d' ' ours theirs | awk '{ print $1 / $2 }' >ratios
  row "IO500 $phase, $where" "$(digits %.2f "$(median <ours)") $unit" "official IO500: $(digits %.2f "$(median <theirs)") $unit" "$(digits %.2f "$(median <ratios)")" \
    "$(range <ratios)" ">= 1.0" "$(median <ratios)"
done
echo "find, official: $(sort official.found | uniq -c | tr '\n' ';')"
echo "find, kernel:   $(sort kernel.found | uniq -c | tr '\n' ';')"
grep -h 'ERROR INVALID' kernel.log | grep -v -e 'stonewall' -e 'minimum runtime'
afterwards
