#!/bin/sh
# All benchmarks of this machine, one after the other, and their table: what, result, what it is beside, ratio, range, target.
#   tests/benchmark/all.sh [--fast] [--write] [PREFIX]     PREFIX: build/release by default
#   --fast    a part of each, for every change; its problems are smaller, so no target is held against them
#   --write   replaces the first table of docs/benchmarks.md
# It builds three programs first, and takes long. The other programs are named by HPCG_SOURCE, IO500_OFFICIAL, RIKEN and
# ICL, as each script describes; one that is not there is named and skipped. Needs an idle machine. Exit code 1 where a
# target is not held.
set -eu
. "$(dirname -- "$0")/table.sh"
cd "$root"
usage() { sed -n '2,/^set/s/^# \{0,1\}//p' "$root/tests/benchmark/all.sh"; }
fast=
write=
while [ $# -gt 0 ]; do
  case $1 in
    --fast) fast=1 ;;
    --write) write=1 ;;
    -h | --help) usage && exit 0 ;;
    -*) echo "all.sh: unknown option $1" >&2 && usage >&2 && exit 2 ;;
    *) break ;;
  esac
  shift
done
prefix=$(cd "${1:-build/release}" && pwd)
work=$(mktemp -d "${DIR:-/var/tmp}/shakedown-benchmarks-XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
BUILD=$prefix ROWS=$work/rows
export BUILD ROWS
: >"$ROWS"
cmake --build "$prefix" --target benchmark_parsers benchmark_store_scale benchmark_site_history >"$work/build" 2>&1 || { cat "$work/build"; exit 2; }

# run SCRIPT ARGUMENT...: one that fails ends nothing; what it did not measure is missing below.
failed=
run() {
  script=$1
  shift
  echo "== $script"
  since=$(date +%s)
  code=0
  sh "tests/benchmark/$script" "$@" || code=$?
  [ $code = 0 ] || echo "| $script | - | - | - | - | - | **not measured**: $([ $code = 77 ] && echo skipped || echo "exit code $code") |" >>"$ROWS"
  [ $code = 0 ] || [ $code = 77 ] || failed="$failed $script"
  echo "   ($(($(date +%s) - since)) s)"
}
machine=$(machine_line)
echo "$machine"
begin=$(date +%s)
if [ -n "$fast" ]; then
  WAIT=60 OTHERS=10 RUNS=2 NO_TARGETS=1
  export WAIT OTHERS RUNS NO_TARGETS
  run planning.sh "$prefix"
  CASES=100 run orchestration.sh "$prefix"
  SCALE=0.1 run parsers.sh "$prefix"
  STORED=10000 LANES=500 NODES=200 SLURM_CASES=0 run growth.sh "$prefix"
  N=4000 NBS=192 LARGE_S=5 LARGE_RUNS=2 run hpl_kernel.sh
  SIZES=32 SECONDS_EACH=2 run hpcg_kernel.sh
  N=4000 run hpl_mxp_kernel.sh
else
  run planning.sh "$prefix"
  run orchestration.sh "$prefix"
  run parsers.sh "$prefix"
  run growth.sh "$prefix"
  run evidence.sh "$prefix"
  run site.sh "$prefix"
  run slurm_overhead.sh "$prefix"
  run hpl_kernel.sh
  run hpl_mxp_kernel.sh
  run hpcg_kernel.sh
  run io500_kernel.sh
  [ "$(id -u)" != 0 ] || DROP_CACHES=TRUE DIR=${DISK:-/var/tmp} run io500_kernel.sh
  run mlperf_kernel.sh
fi
{
  echo "Measured $(date -u +%F) on $(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1), $(nproc) CPUs, $(awk '/^MemTotal/ { printf "%.1f", $2 / 1048576 }' /proc/meminfo) GiB, version $(git describe --always --dirty), in $((($(date +%s) - begin) / 60)) min, by \`${RUNS:+RUNS=$RUNS }${LARGE_RUNS:+LARGE_RUNS=$LARGE_RUNS }tests/benchmark/all.sh${fast:+ --fast}\`."
  echo
  echo '| what | result | beside, in the same run | ratio, median | least to most | target | |'
  echo '|---|---|---|---|---|---|---|'
  cat "$ROWS"
} >"$work/table"
echo
cat "$work/table"
[ -z "$failed" ] || echo "failed:$failed" >&2
if [ -n "$write" ] && [ -n "$fast$failed" ]; then
  echo "docs/benchmarks.md is not written: only a whole run without failures replaces its table" >&2
elif [ -n "$write" ]; then
  awk -v table="$work/table" '
    /^<!-- end of all.sh -->/ { inside = 0 }
    !inside { print }
    /^<!-- begin of all.sh -->/ { inside = 1; while ((getline line <table) > 0) print line }' docs/benchmarks.md >"$work/page"
  cp "$work/page" docs/benchmarks.md
fi
missed=$(grep -c '\*\*not ' "$ROWS" || :)
echo "$(wc -l <"$ROWS") results, $missed of them not held or not measured"
[ "$missed" = 0 ] && [ -z "$failed" ]
