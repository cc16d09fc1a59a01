# Sourced by all benchmarks: times, medians, and the rows of the table in docs/benchmarks.md.
root=$(CDPATH="" cd -- "$(dirname -- "$0")/../.." && pwd)

# All programs use the routines that ours choose, also where OpenBLAS takes the processor for an old one.
gemm=$(find "${BUILD:-$root/build/release}" -path '*libexec/shakedown/gemm' 2>/dev/null | head -n 1)
core=$([ -z "$gemm" ] || OPENBLAS_VERBOSE=2 "$gemm" --help 2>&1 | sed -n 's/^Core: //p' | tail -n 1)
[ -z "$core" ] || export OPENBLAS_CORETYPE="$core"

now() { date +%s%N; }
# Of one number a line; nothing where there is none.
median() { sort -g | awk '{ v[NR] = $1 + 0 } END { if (NR) print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
# "least to most" of one number a line, with the digits of FORMAT.
range() { sort -g | awk -v f="${1:-%.2f}" 'NR == 1 { least = $1 } { most = $1 } END { if (NR) printf f " to " f, least, most }'; }
digits() { [ -z "$2" ] || printf "$1" "$2"; }

# What was measured on, in one line.
machine_line() {
  printf 'date %s  machine %s, %s cores  load %s\n' "$(date -u +%F)" \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
}

# row WHAT RESULT BESIDE RATIO RANGE TARGET VALUE: a row of the table, in $ROWS where that is set. TARGET: ">= 1.0", "<= 5" or
# "" where there is none; VALUE is held against it. RANGE is that of the ratio, or of the result where there is no ratio.
# "-" where something doesn't apply. With NO_TARGETS nothing is held against any: the problems are smaller.
row() {
  [ -z "${NO_TARGETS-}" ] || set -- "$1" "$2" "$3" "$4" "$5" "" ""
  verdict=$(echo "$6 $7" | awk 'NF == 0 { print "-"; exit }
    NF != 3 || $3 !~ /^-?[0-9.]+(e[+-]?[0-9]+)?$/ { print "**not measured**"; exit }
    { held = $1 == ">=" ? $3 + 0 >= $2 : $3 + 0 <= $2; print held ? "held" : "**not held**" }')
  echo "| $1 | $2 | $3 | $4 | $5 | ${6:--} | $verdict |" >>"${ROWS:-/dev/null}"
  line="$1: $2"
  [ "$3" = - ] || line="$line; beside it $3"
  [ "$4" = - ] || line="$line; ratio $4"
  [ "$5" = - ] || line="$line ($5)"
  [ -z "$6" ] || line="$line; target $6: $verdict"
  echo "$line"
}
