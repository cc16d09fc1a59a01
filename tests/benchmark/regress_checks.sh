#!/bin/sh
# Scheduled checks for real: 12 short ones of the reference kernels on this machine, then some beside a busy loop on each
# core that takes a known share of its time. Prints what each check measured and said; asserts nothing.
#   tests/benchmark/regress_checks.sh [PREFIX]     PREFIX: build/release by default
#   CHECKS=12 SHARES="0.05 0.25" SLOW=4 SUITES="gemm stream hpl"
#     how many, what shares are taken one after the other until one is found, for how many checks each at most, of what
#   KEEP=DIR  where the workspace is copied to
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
shakedown=${1:-$root/build/release}/bin/shakedown
CHECKS=${CHECKS:-12} SHARES=${SHARES:-0.05 0.25} SLOW=${SLOW:-4} SUITES=${SUITES:-gemm stream hpl}
folder=$(mktemp -d "${DIR:-/var/tmp}/shakedown-regress-XXXXXX")
burners=
stop() { for pid in $burners; do kill "$pid" 2>/dev/null || true; done; }
trap 'stop; rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
cd "$folder"

{ printf 'title = "checks for real"\n[budget]\nminutes = 10\n[alarm]\nruns = 2\n[disturbance.load]\nlimit = 1e9\nreason = "the loop is the loss to be found"\n'
  for suite in $SUITES; do printf '[[runs]]\nsuite = "%s"\nimplementation = "reference"\nminutes = 0.15\n' "$suite"; done; } >r.toml

cat >burn.py <<'P'
# Takes a share of one core's time, by the clock of its own CPU time, until it is told to stop.
import os, signal, sys, time
core, share = int(sys.argv[1]), float(sys.argv[2])
os.sched_setaffinity(0, {core})
begin, used = time.monotonic(), time.process_time()
def taken():
    return time.process_time() - used
def end(*_):
    os.write(1, b"core %d: %.2f %% taken\n" % (core, 100 * taken() / (time.monotonic() - begin)))
    os._exit(0)
signal.signal(signal.SIGTERM, end)
while True:
    while taken() < share * (time.monotonic() - begin):
        check
    time.sleep(0.002)
P

cat >row.py <<'P'
import json, sys
document = json.load(open(sys.argv[1]))
for series in document["series"]:
    runs = series["checks"][-1]["runs"]
    print(f'check {sys.argv[2]:>3}  {series["suite"]:<7}{series["metric"]:<15}{runs[0]:>12.6g}  {len(runs):>2} runs  '
          f'{100 * series.get("loss", 0):>6.2f} % below  shared {series.get("shared_variance", float("nan")):.2f}  {series["state"]}')
print(f'          exit {document["exit_code"]}: {document["sentence"]}')
for note in document["notes"]:
    if note.startswith("disturbed"): print("          " + note)
P

check() { # NUMBER
  code=0
  "$shakedown" regress --here --config r.toml -w w --progress none -q --json >check.json || code=$?
  python3 row.py check.json "$1"
}

printf 'date %s  machine %s, %s cores  load %s\n' "$(date -u +%F)" \
  "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"
n=0
while [ $n -lt "$CHECKS" ]; do
  n=$((n + 1))
  check $n
done
for share in $SHARES; do
  echo "now beside a busy loop on each core that takes $(awk -v s="$share" 'BEGIN { print 100 * s }') % of its time"
  burners=
  for core in $(python3 -c 'import os; print(*sorted(os.sched_getaffinity(0)))'); do
    python3 burn.py "$core" "$share" &
    burners="$burners $!"
  done
  slow=0 code=0
  while [ $slow -lt "$SLOW" ] && [ $code != 1 ]; do
    slow=$((slow + 1)) n=$((n + 1))
    check $n
  done
  stop
  wait
  burners=
  if [ $code = 1 ]; then
    echo "found in check $slow of these"
    break
  fi
  echo "not found in $slow checks"
done
[ -z "${KEEP:-}" ] || cp -r w "$KEEP"
