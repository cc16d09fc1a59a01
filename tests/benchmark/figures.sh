# Sourced by all benchmarks: times, medians, and the rows of the table in docs/benchmarks.md.
root=$(CDPATH="" cd -- "$(dirname -- "$0")/../.." && pwd)

now() { date +%s%N; }
# Of one number a line.
median() { sort -g | awk '{ v[NR] = $1 + 0 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
# "least to most" of one number a line, with the digits of FORMAT.
range() { sort -g | awk -v f="${1:-%.2f}" 'NR == 1 { least = $1 } { most = $1 } END { printf f " to " f, least, most }'; }
digits() { printf "$1" "$2"; }

# What was measured on, in one line.
machine_line() {
  printf 'date %s  machine %s, %s cores  load %s\n' "$(date -u +%F)" \
    "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
}

# row WHAT RESULT BESIDE RATIO RANGE GOAL VALUE: a row of the table, in $FIGURES where that is set. GOAL: ">= 1.0", "<= 5" or
# "" where there is none; VALUE, which may carry a unit, is held against it. "-" where something doesn't apply.
row() {
  verdict=$(echo "$6 ${7%% *}" | awk 'NF < 3 { print "-"; exit }
    { held = $1 == ">=" ? $NF >= $2 : $NF <= $2; print held ? "held" : "**missed**" }')
  echo "| $1 | $2 | $3 | $4 | $5 | ${6:--} | $verdict |" >>"${FIGURES:-/dev/null}"
  echo "$1: $2; beside: $3; ratio $4 ($5); goal ${6:-none}: $verdict"
}
