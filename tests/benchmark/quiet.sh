# Sourced by the benchmarks, in a folder of their own: runs that nothing else disturbs.

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
median() { sort -g | awk '{ v[NR] = $1 + 0 } END { print NR % 2 ? v[(NR + 1) / 2] : (v[NR / 2] + v[NR / 2 + 1]) / 2 }'; }
stolen() { awk '/^cpu / { for (i = 2; i <= 9; i++) all += $i; print $9, all }' /proc/stat; }

# What these figures were measured on, and how busy it was.
machine() {
  date -u '+%Y-%m-%d %H:%M UTC'
  lscpu | awk -F': +' '/^Model name|^CPU\(s\)|^L3/ { printf "%s: %s\n", $1, $2 }'
  awk '/^MemTotal/ { printf "Memory: %.1f GiB\n", $2 / 1048576 }' /proc/meminfo
  echo "Load before: $(cut -d' ' -f1-3 /proc/loadavg)"
}
