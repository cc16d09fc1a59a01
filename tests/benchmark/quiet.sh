# Sourced by the benchmarks of the kernels: a folder of their own ($DIR holds it), ranks bound to cores, runs that
# nothing else disturbs, and what they were measured on. BUILD or LIBEXEC say where the kernels are.
here=$(cd "$(dirname "$0")" && pwd)
. "$here/table.sh"
libexec=$(cd "${LIBEXEC:-${BUILD:-$here/../../build/release}/libexec/shakedown}" && pwd)
RUNS=${RUNS:-5}

export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1
folder=$(mktemp -d "${DIR:-${TMPDIR:-/tmp}}/shakedown-benchmark.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder" || exit 1
as_root=
[ "$(id -u)" = 0 ] && as_root=--allow-run-as-root

# mpi RANKS PROGRAM ARGUMENT...
mpi() {
  ranks=$1
  shift
  mpirun $as_root --map-by core --bind-to core -np "$ranks" "$@"
}

# Seconds that all processors were busy, seconds that there were, and seconds of our own children.
used() {
  times >own
  awk -v hertz="$(getconf CLK_TCK)" '
    FILENAME == "own" { for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); own += 60 * t[1] + t[2] } }
    /^cpu / { for (i = 2; i <= 9; i++) all += $i; busy = all - $5 - $6 }
    END { print busy / hertz, all / hertz, own }' own /proc/stat
}

# others: percent of the processors that were used, by whom but us, between `used >before` and `used >after`.
others() {
  cat before after | awk 'NR == 1 { b = $1; a = $2; o = $3 }
    NR == 2 { printf "%.1f", 100 * ($1 - b - $3 + o) / ($2 - a) }'
}
below() { awk -v value="$1" -v limit="$2" 'BEGIN { exit !(value < limit) }'; }

# alone COMMAND: its output in `result`, from a run beside which others used less than OTHERS percent of the processors:
# they spoil a run without a trace in it.
alone() {
  deadline=$(($(date +%s) + ${WAIT:-3600}))
  while [ "$(date +%s)" -lt "$deadline" ]; do
    used >before
    sleep 3
    used >after
    below "$(others)" 5 || continue
    used >before
    "$@" >result
    used >after
    below "$(others)" "${OTHERS:-3}" && return 0
    echo "(repeated: others used $(others) % of the processors)"
  done
  echo "no quiet time for '$*' within ${WAIT:-3600} s: give this machine a rest, or set WAIT" >&2
  exit 1
}
stolen() { awk '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print $9, all }' /proc/stat; }

# alternate NAME OTHER OURS...: $RUNS pairs of runs, each alone: OTHER prints its rate in GFLOP/s, OURS its own in field
# $field; a machine that changes its speed meanwhile changes both. Their medians, and that of their ratios, in `said`.
field=1
unit=GFLOP/s
alternate() {
  name=$1
  other=$2
  shift 2
  : >theirs && : >ours && : >ratios
  pair=0
  while [ $pair -lt "$RUNS" ]; do
    pair=$((pair + 1))
    alone "$other"
    theirs=$(cut -d' ' -f1 result)
    alone "$@"
    ours=$(cut -d' ' -f"$field" result)
    [ -n "$theirs" ] && [ -n "$ours" ] || { echo "$name: a run printed no rate: it did not pass its check" >&2 && exit 1; }
    echo "$theirs" >>theirs
    echo "$ours" >>ours
    echo "$theirs $ours" | awk -v pair=$pair -v name="$name" -v unit="$unit" '{ printf "run %d: %s %.1f  ours %.1f %s  ratio %.3f\n", pair, name, $1, $2, unit, $2 / $1
                                                               print $2 / $1 >>"ratios" }'
  done
  said="$name $(median <theirs) ours $(median <ours) $unit, median ratio $(median <ratios)"
}

# What these results were measured on, and how busy it was before; `afterwards`: how busy meanwhile.
machine() {
  stolen >stolen.before
  date -u '+%Y-%m-%d %H:%M UTC'
  lscpu | awk -F': +' '/^Model name|^CPU\(s\)|^L3/ { printf "%s: %s\n", $1, $2 }'
  awk '/^MemTotal/ { printf "Memory: %.1f GiB\n", $2 / 1048576 }' /proc/meminfo
  echo "Load before: $(cut -d' ' -f1-3 /proc/loadavg)"
}
afterwards() {
  stolen | cat stolen.before - | awk 'NR == 1 { s = $1; a = $2 } NR == 2 { printf "Steal meanwhile: %.2f %%\n", ($2 > a ? 100 * ($1 - s) / ($2 - a) : 0) }'
  echo "Load after: $(cut -d' ' -f1-3 /proc/loadavg)"
}
