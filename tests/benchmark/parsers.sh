#!/bin/sh
# How fast logs are read, beside a straightforward Python reading of the same files (read_logs.py); CPU time, so that
# other work on the machine counts little. Peak memory on a log of 2 GB. Files are made in FOLDER, 3.6 GB in all.
#   tests/benchmark/parsers.sh [PREFIX] [FOLDER]     PREFIX: build/release by default; FOLDER: a temporary one
set -eu
root=$(CDPATH= cd -- "$(dirname -- "$0")/../.." && pwd)
prefix=${1:-$root/build/release}
folder=${2:-$(mktemp -d)}
[ $# -ge 2 ] || trap 'rm -rf "$folder"' EXIT
fixtures=$root/tests/fixtures

printf 'date %s  machine %s, %s cores  load %s\n' "$(date -u +%F)" \
  "$(sed -n 's/^model name.*: //p' /proc/cpuinfo | head -n 1)" "$(nproc)" "$(cut -d' ' -f1-3 /proc/loadavg)"

# hpl: one run of a million rows. io500: 13 MB of pfind's debug lines in each run. mlperf: runs one behind the other.
python3 - "$fixtures" "$folder" <<'PYTHON'
import os, pathlib, sys
fixtures, folder = (pathlib.Path(name) for name in sys.argv[1:])
text = (fixtures / "hpl/grammar/netlib-passed.out").read_text()
table, end = text.index("=\nT/V   ") + 2, text.index("\nFinished")
for name, rows in ("hpl", 1_000_000), ("hpl-2gb", 3_500_000):
    with open(folder / f"{name}.out", "w") as out:
        out.write(text[:table])
        for _ in range(rows // 100):
            out.write(text[table:end] * 100)
        out.write(text[end:].replace("      1 tests", f"{rows} tests"))
noise = "".join(f"CMP {1778880000 + i}<{1778880605 + i}\nTIME: {1778880605 + i}\n" for i in range(300_000))
run = (fixtures / "io500/run/io500.out").read_text()
half = run.index("\n", len(run) // 2) + 1
with open(folder / "io500.out", "w") as out:
    count = 0
    while out.tell() < 500_000_000:
        count += 1  # runs alike to the last byte would be taken for one
        out.write(run[:half].replace("sc24_v1", f"sc24_v{count}") + noise + run[half:])
# The corpus' logs, 60 files of many submitters, where it is there; else the fixtures.
corpus = pathlib.Path(os.environ.get("SHAKEDOWN_CORPUS", fixtures.parent.parent.parent / "shared" / "corpus"))
logs = sorted((corpus if (corpus / "mlperf").is_dir() else fixtures).glob("mlperf/*.txt"))
print("mlperf.out:", len(logs), "logs of", logs[0].parent)
runs = b"".join(log.read_bytes().rstrip(b"\n") + b"\n" for log in logs)
with open(folder / "mlperf.out", "wb") as out:
    while out.tell() < 500_000_000:
        out.write(runs)
PYTHON
ours() { "$prefix/tests/benchmark_parsers" "$folder/$1.out" | sed "s|$folder/||"; }
python() { printf '%s  python %s  ' "$1.out" "$2" && { python3 "$root/tests/benchmark/read_logs.py" "$2" "$folder/$1.out" || :; }; }
for suite in hpl io500 mlperf; do
  ours $suite
  python $suite $suite
  case $suite in
    hpl) python $suite hpl-labelled ;;
    mlperf) python $suite mlperf-mlcommons ;;
  esac
done
ours hpl-2gb
