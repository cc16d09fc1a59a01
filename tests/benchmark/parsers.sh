#!/bin/sh
# How fast logs are read, beside a straightforward Python reading of the same files (read_logs.py); CPU time, so that
# other work on the machine counts little. Peak memory on a log of 2 GB. Files are made in FOLDER, 3.6 GB in
# all; SCALE=0.1 makes a tenth of it.
#   tests/benchmark/parsers.sh [PREFIX] [FOLDER]     PREFIX: build/release by default; FOLDER: a temporary one
set -eu
. "$(dirname -- "$0")/table.sh"
prefix=${1:-$root/build/release}
folder=${2:-$(mktemp -d)}
[ $# -ge 2 ] || trap 'rm -rf "$folder"' EXIT
trap 'exit 130' INT TERM
fixtures=$root/tests/fixtures

machine_line

# hpl: one run of a million rows. hpl-sparse: runs with their progress. io500: 13 MB of pfind's debug lines in each run. mlperf: runs one behind the other.
python3 - "$fixtures" "$folder" <<'PYTHON'
import os, pathlib, sys
fixtures, folder = (pathlib.Path(name) for name in sys.argv[1:])
text = (fixtures / "hpl/grammar/netlib-passed.out").read_text()
table, end = text.index("=\nT/V   ") + 2, text.index("\nFinished")
scale = float(os.environ.get("SCALE", "1"))
for name, rows in ("hpl", int(1_000_000 * scale)), ("hpl-2gb", int(3_500_000 * scale)):
    with open(folder / f"{name}.out", "w") as out:
        out.write(text[:table])
        for _ in range(rows // 100):
            out.write(text[table:end] * 100)
        out.write(text[end:].replace("      1 tests", f"{rows} tests"))
# As a run of 2,643 panels (N 2,706,432 at NB 1,024) prints its progress, a line each.
progress = (fixtures / "hpl/grammar/nvidia-two-loops.out").read_text().splitlines(keepends=True)
with open(folder / "hpl-sparse.out", "w") as out:
    while out.tell() < 500_000_000 * scale:
        for line in progress:
            out.write(line * (2643 // 3 if "Prog=" in line else 1))
noise = "".join(f"CMP {1778880000 + i}<{1778880605 + i}\nTIME: {1778880605 + i}\n" for i in range(300_000))
run = (fixtures / "io500/run/io500.out").read_text()
half = run.index("\n", len(run) // 2) + 1
with open(folder / "io500.out", "w") as out:
    count = 0
    while out.tell() < 500_000_000 * scale:
        count += 1  # runs alike to the last byte would be taken for one
        out.write(run[:half].replace("sc24_v1", f"sc24_v{count}") + noise + run[half:])
# The corpus' logs, 60 files of many submitters, where it is there; else the fixtures.
corpus = pathlib.Path(os.environ.get("SHAKEDOWN_CORPUS", fixtures.parent.parent.parent / "shared" / "corpus"))
logs = sorted((corpus if (corpus / "mlperf").is_dir() else fixtures).glob("mlperf/*.txt"))
print("mlperf.out:", len(logs), "logs of", logs[0].parent)
runs = b"".join(log.read_bytes().rstrip(b"\n") + b"\n" for log in logs)
with open(folder / "mlperf.out", "wb") as out:
    while out.tell() < 500_000_000 * scale:
        out.write(runs)
PYTHON

ours() { "$prefix/tests/benchmark_parsers" "$folder/$1.out"; }
# A word before a unit: "405 MB/s".
before() { sed -n "s|.* \([0-9.]*\) $1.*|\1|p"; }
# python SUITE READER GOAL TITLE
beside() {
  python3 "$root/tests/benchmark/read_logs.py" "$2" "$folder/$1.out" >"$folder/python" || { echo "SKIPPED: reader $2"; return 0; }
  theirs=$(sed 's|\([0-9.]*\) MB/s.*|\1|' "$folder/python")
  ratio=$(echo "$rate $theirs" | awk '{ print $1 / $2 }')
  row "Reading logs of $what" "$rate MB/s" "$4 in Python: $theirs MB/s" "$(digits %.1f "$ratio")" - ">= $3" "$ratio"
}
for suite in hpl hpl-sparse io500 mlperf; do
  ours $suite >"$folder/ours"
  rate=$(before MB/s <"$folder/ours")
  case $suite in
    hpl) what="hpl, a result every 586 bytes" ;;
    hpl-sparse) what="hpl, with progress" ;;
    *) what=$suite ;;
  esac
  row "Reading logs of $what" "$rate MB/s" - - - ">= 400" "$rate"
  case $suite in
    hpl)
      beside hpl hpl 5 "expressions for each line"
      beside hpl hpl-labelled 5 "the same, labels and stamps taken off"
      ;;
    io500) beside io500 io500 3 "expressions for each line" ;;
    mlperf)
      beside mlperf mlperf 1 "\`json.loads\` for each line"
      beside mlperf mlperf-mlcommons 20 "MLCommons' reader"
      ;;
  esac
done
ours hpl-2gb >"$folder/ours"
row "Reading a log of $(before "MB  " <"$folder/ours") MB: resident memory" "$(before MiB <"$folder/ours") MiB" - - - "<= 64" "$(before MiB <"$folder/ours")"

# 50,000 results, each judged and printed; and a folder of 10,000 logs.
head -c 29300000 "$folder/hpl.out" >"$folder/dense.out"
for _ in 1 2 3; do
  /usr/bin/time -f '%U %S %e' -o "$folder/time" "$prefix/bin/shakedown" parse "$folder/dense.out" >"$folder/dense.json"
  tail -n 1 "$folder/time" | awk -v n="$(wc -l <"$folder/dense.json")" '{ print ($1 + $2) / n * 1e6 }' >>"$folder/each"
done
row "Log dense with results, $(wc -l <"$folder/dense.json") of them: processor time of each" "$(digits %.0f "$(median <"$folder/each")") us" - - "$(range %.0f <"$folder/each")" "<= 30" "$(median <"$folder/each")"
mkdir "$folder/many"
log=$(find "$fixtures/mlperf" -name '*.txt' -size -64k | head -n 1)
for i in $(seq 10000); do cp "$log" "$folder/many/result_$i.txt"; done
for cpus in 0 "0-$(($(nproc) - 1))"; do
  for _ in 1 2 3; do
    begin=$(now)
    taskset -c "$cpus" "$prefix/bin/shakedown" parse "$folder/many" >"$folder/many.json"
    echo $(($(now) - begin)) >>"$folder/on-$cpus"
  done
done
one=$(median <"$folder/on-0")
all=$(median <"$folder/on-0-$(($(nproc) - 1))")
row "A folder of 10,000 logs on $(nproc) CPUs" "$(echo "$all" | awk '{ printf "%.2f", $1 / 1e9 }') s" "one CPU: $(echo "$one" | awk '{ printf "%.2f", $1 / 1e9 }') s" "$(echo "$one $all" | awk '{ printf "%.2f", $1 / $2 }')" - "" ""
