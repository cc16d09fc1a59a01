#!/bin/sh
# Logs made elsewhere beside published values: what their logs and whoever imports them state makes them comparable;
# a baseline of one's own gives each value of its own campaign back; logs of several machines are told apart.
. "$(dirname -- "$0")/check.sh"
CORPUS=${SHAKEDOWN_CORPUS:-$PROJECT/../shared/corpus}
cd "$T" || exit 1
mkdir values

# SAKURAONE's values as the programs print them: its submission's scores (reports/baselines), and Table 5.
python3 - "$PROJECT/reports/baselines/sakuraone.toml" "$PROJECT/tests/fixtures/io500/run/result.txt" <<'P'
import re, sys, os
rows = dict(re.findall(r'id = "io500-10n-submitted-([a-z0-9-]+)", metric = "[a-z0-9_]+", value = ([0-9.]+)', open(sys.argv[1]).read()))
os.makedirs("storage", exist_ok=True)
def code(text, value=0):  # IO500, src/util.c, rotladd()
    for c in text: value = (((value << 2) & 0xffffffff | value >> 30) + ord(c)) & 0xffffffff
    return value
# A run's file in which every figure and clock is replaced; its hash is that of the new figures.
from datetime import datetime, timedelta
clock, text, phase = datetime(2025, 4, 15, 23, 8, 22), [], ""
for line in open(sys.argv[2]).read().splitlines():
    key = line.split("=")[0].strip()
    if line.startswith("["):
        phase = line[1:-1].strip()
    if phase.startswith("ior-rnd4K"): continue
    if phase == "SCORE" and not line.startswith("["):
        value = {"MD": rows["iops"], "BW": rows["bandwidth"], "SCORE": rows["score"]}.get(key)
        if key == "hash":
            digest = code(version, code("version"))
            for name, figure in [("MD", rows["iops"]), ("BW", rows["bandwidth"]), ("SCORE", rows["score"])]:
                digest ^= code(figure, code(name))
            for name in [n for n in rows if n + "-time" in rows]: digest ^= code(rows[name], code(name))
            value = f"{digest:X}"
        if value is None: continue
        line = f"{key:<15} = {value}"
    elif phase in rows and key in ("score", "t_delta", "t_start", "t_end"):
        time = float(rows[phase + "-time"])
        if key == "t_end": clock += timedelta(seconds=round(time))
        line = f"{key:<15} = " + {"score": rows[phase], "t_delta": rows[phase + "-time"]}.get(key, str(clock))
    elif key in ("t_start", "t_end"):
        line = f"{key:<15} = {clock}"
    elif key == "procs":
        line = f"{key:<15} = 1280"
    elif key.startswith("; START") or key.startswith("; END"):
        line = key[:key.index("2")] + str(clock)
    if phase == "ior-easy-write" and key == "exe": command = line.split("=", 1)[1].strip()
    if key == "version": version = line.split("=", 1)[1].strip()
    if "stonewall" in key or key == "config-hash": continue
    text.append(line)
open("storage/result.txt", "w").write("\n".join(text) + "\n")
def ior(nodes, tasks):
    return f"""IOR-4.1.0+dev: MPI Coordinated Test of Parallel I/O
Began               : Tue Apr 15 23:08:23 2025
Command line        : {command}
Machine             : Linux gpu-01

Options:
nodes               : {nodes}
tasks               : {tasks}
clients per node    : {tasks // nodes}
"""
open("storage/ior-easy-write.txt", "w").write(ior(10, 1280))
os.makedirs("other", exist_ok=True)
open("other/ior-easy-write.txt", "w").write(ior(20, 1280))
def hpl(name, rank_lines, setting):
    text = rank_lines + """
================================================================================
HPL-NVIDIA 25.4.0  -- NVIDIA accelerated HPL benchmark -- NVIDIA
================================================================================
HPLinpack 2.1  --  High-Performance Linpack benchmark  --   October 26, 2012
================================================================================

The following parameter values will be used:

N      : 2706432
NB     :    1024
PMAP   : Column-major process mapping
P      :      16
Q      :      49

- The relative machine precision (eps) is taken to be               1.110223e-16
- Computational tests pass if scaled residuals are less than                16.0
""" + setting + """
================================================================================
T/V                N    NB     P     Q         Time          Gflops (   per GPU)
--------------------------------------------------------------------------------
WC0           2706432  1024    16    49       389.23       3.395e+07 ( 4.330e+04)
--------------------------------------------------------------------------------
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   0.000012000000 ...... PASSED
================================================================================

Finished      1 tests with the following results:
              1 tests completed and passed residual checks,
              0 tests completed and failed residual checks,
              0 tests skipped because of illegal input values.
--------------------------------------------------------------------------------

End of Tests.
================================================================================
"""
    open(name, "w").write(text)
hpl("HPL.out", "", "")
info = "".join(f"INFO: host=node{1 + r // 8:03d} rank={r} lrank={r % 8} cores=16 gpu={r % 8} cpu=0-15 mem=0 net=mlx5_0:1 bin=./xhpl\n" for r in range(784))
hpl("HPL-hosts.out", info, "HPL_EMULATE_DOUBLE_PRECISION from environment variable 0\n")
P

# IO500: the nodes are in ior-easy-write.txt.
exits "IOR's output of the easy write alone" 3 "$SHAKEDOWN" parse storage/ior-easy-write.txt
says "is none of IO500's logs" "the run's results are in the result.txt beside it"
exits "a result without it" 0 "$SHAKEDOWN" import storage/result.txt -w bare
exits "is not comparable" 3 "$SHAKEDOWN" compare -w bare
says "for its nodes" "10 nodes there, not known here"
says "a rule that nothing meets says why" "an IO500 score belongs to the storage, not to its clients"
says "the rows state why" "under these conditions; the rows state why"
exits "as the one who knows them states them" 0 "$SHAKEDOWN" import storage/result.txt --nodes 10 -w stated
exits "it is" 0 "$SHAKEDOWN" compare -w stated
exits "a folder with both" 0 "$SHAKEDOWN" import storage --system SAKURAONE -w io
exits "beside the submission" 0 "$SHAKEDOWN" compare -w io --json
equal() { # SUITE COUNT: so many comparable values, all 1.000, and nothing else that could be compared
  python3 - "$@" <<'P'
import json, sys
rows = [r for r in json.load(open("out"))["comparisons"] if r["suite"] == sys.argv[1] and not r.get("condition", "").startswith("an IO500 score belongs")]
ratios = [r["ratio"] for r in rows if r["comparable"]]
assert len(ratios) == int(sys.argv[2]), (len(ratios), rows)
assert all(abs(ratio - 1) < 0.0005 for ratio in ratios), ratios
P
}
check "all 15 values are 1.000" equal io500 15
exits "nodes that the log states otherwise" 3 "$SHAKEDOWN" import storage --nodes 12 -w wrong
says "are refused" "states nodes 10, and not 12"
exits "the same log with what it was imported without" 3 "$SHAKEDOWN" import storage/result.txt --nodes 10 -w bare
says "is not silently the old one" "is in campaign result already, without what is stated now"
cp storage/result.txt other
exits "the output of a run on other nodes" 0 "$SHAKEDOWN" import other -w other-w
check "goes by what it states" sh -c "sqlite3 other-w/results.sqlite 'SELECT document FROM planned_case' | grep -q '\"nodes\": *20'"

# HPL with the figures of Table 5.
exits "HPL without anything stated" 0 "$SHAKEDOWN" import HPL.out -w hpl-bare
exits "is not comparable" 3 "$SHAKEDOWN" compare -w hpl-bare
exits "with inventory, nodes and mode" 0 "$SHAKEDOWN" import HPL.out --inventory sakuraone --nodes 98 --state fp64_mode=native -w hpl
exits "it is" 0 "$SHAKEDOWN" compare -w hpl --json
check "in total, per GPU and over Rpeak 1.000" equal hpl 3
exits "the report" 3 "$SHAKEDOWN" report -w hpl
check "says who states it" grep -q "no log states fp64_mode native: whoever imported 1 run does" hpl/campaigns/HPL/report.html
exits "a log that names its hosts and the mode" 0 "$SHAKEDOWN" import HPL-hosts.out --inventory sakuraone -w hosts
exits "needs no more" 0 "$SHAKEDOWN" compare -w hosts --json
check "and is the same" equal hpl 3
exits "an inventory that is too small" 3 "$SHAKEDOWN" import HPL.out --inventory sakuraone --nodes 120 -w small
says "is refused" "is of 120 nodes, and the inventory has 100"
exits "another inventory for the same campaign" 2 "$SHAKEDOWN" import HPL-hosts.out --campaign HPL --inventory alps-gh200 -w hpl
says "is refused" "has another inventory"
exits "a condition that is none" 2 "$SHAKEDOWN" import HPL.out --state fp64_mod=native -w no
says "did you mean" "did you mean 'fp64_mode'?"
for stated in gpus=-8 gpus=eight GBS=0 fp64_mode=Native gpu=; do
  exits "--state $stated" 2 "$SHAKEDOWN" import HPL.out --state "$stated" -w no
  says "is refused" "--state: '"
done
rm -f hosts/results.sqlite*
exits "from the folders again" 0 "$SHAKEDOWN" import hosts/campaigns -w hosts
exits "it compares as before" 0 "$SHAKEDOWN" compare -w hosts --json
check "with its inventory" equal hpl 3

# The submissions' own logs, where they are.
if [ -d "$CORPUS/io500" ]; then
  mkdir sakuraone
  for file in "$CORPUS"/io500/PAPER_sakuraone_10node__*; do cp "$file" "sakuraone/${file##*__}"; done
  exits "SAKURAONE's submission" 0 "$SHAKEDOWN" import sakuraone -w real
  exits "beside Table 8" 0 "$SHAKEDOWN" compare -w real --json
  check "its own submission" equal io500 15
  exits "beside Table 8 as printed" 0 "$SHAKEDOWN" compare -w real --baseline sakuraone:io500-10n --json
  check "1.000" equal io500 15
  for set in n32_gpt3 n1_llama2lora; do
    mkdir -p eos/$set
    for file in "$CORPUS"/mlperf/v41_nvidia_eos_${set}_result_*.txt; do cp "$file" "eos/$set/result_${file##*_}"; done
    exits "Eos, $set" 0 "$SHAKEDOWN" import eos/$set --state version=4.1 -w eos-$set
    for baseline in eos mlperf-v4.1; do
      exits "beside $baseline" 0 "$SHAKEDOWN" compare -w eos-$set --baseline $baseline --json
      check "the score is 1.000" equal mlperf 1
    done
  done
else
  echo "note: no folder of real logs at $CORPUS; the submissions' own logs are left out"
fi

# A baseline of one's own.
exits "made of a campaign" 0 "$SHAKEDOWN" baseline make -w io -o my.toml
says "says what it holds" "values of campaign storage"
check "with the logs' hashes" grep -q "$(sha256sum storage/result.txt | cut -d' ' -f1)" my.toml
exits "its own campaign beside it" 0 "$SHAKEDOWN" compare -w io --baseline my.toml --json
check "all is comparable, and equal" python3 - <<'P'
import json
rows = json.load(open("out"))["comparisons"]
assert len(rows) >= 15 and all(r["comparable"] and r["ratio"] == 1 for r in rows), rows
P
exits "the same for people" 0 "$SHAKEDOWN" compare -w io --baseline my.toml
says "is no ratio, as in the report" "same log: the value of the baseline itself, no second measurement"
exits "of the HPL logs" 0 "$SHAKEDOWN" baseline make -w hosts -o values/hpl.toml
exits "its campaign" 0 "$SHAKEDOWN" compare -w hosts --baseline values/hpl.toml --json
check "is equal to it" python3 - <<'P'
import json
rows = json.load(open("out"))["comparisons"]
assert len(rows) == 3 and all(r["comparable"] and r["ratio"] == 1 for r in rows), rows
P
exits "shown like a shipped one" 0 "$SHAKEDOWN" baseline show my.toml
says "with its source" "campaign storage"
exits "its identities hold" 0 "$SHAKEDOWN" baseline check my.toml
exits "a name that is no file's" 2 "$SHAKEDOWN" baseline make -w io -o my
says "says why" "end its name in .toml"
exits "nor in a folder" 2 "$SHAKEDOWN" baseline make -w io -o values/my
exits "one run of a baseline" 2 "$SHAKEDOWN" compare -w io --baseline io500:submission-7
says "that is not there" "io500 has no run 'submission-7'"

# A campaign that is run beside it keeps a copy.
cp "$PROJECT/tests/fixtures/hpl/reference-passed.out" log
LINE="cat $T/log"
plan_of plan.json first
sed 's/"id":"first"/"id":"first","suite":"hpl","parser":"hpl","implementation":"reference","ranks":2,"ranks_per_node":2/' plan.json >plan2.json
"$SHAKEDOWN" run --here --plan plan2.json -w run --progress none >out 2>err
exits "made of a campaign that was run here" 0 "$SHAKEDOWN" baseline make -w run -o run.toml
exits "run beside it" 3 env --chdir="$T" "$SHAKEDOWN" run --here --plan plan2.json --baseline run.toml -w again --progress none
cp run.toml kept.toml
echo "# changed" >>run.toml
exits "a change of the file" 3 "$SHAKEDOWN" report -w again --format json
check "changes nothing" sh -c "! grep -q 'published values of run are others' again/campaigns/*/results.json"
check "the copy is in the folder" cmp kept.toml again/campaigns/*/baseline.toml
echo "# changed" >>"$(echo again/campaigns/*/baseline.toml)"
"$SHAKEDOWN" report -w again --format json >out 2>err
check "a change of the copy is reported" grep -q "published values of run are others" again/campaigns/*/results.json

# Logs of several machines.
mkdir mixed
cp HPL-hosts.out mixed/a.out
sed 's/host=node/host=cn/' HPL-hosts.out >mixed/b.out
exits "hosts of two clusters" 0 "$SHAKEDOWN" import mixed -w mixed-w
says "are noticed" "the logs are of several machines: hosts called cn (hpl-nvidia-b) and node (hpl-nvidia-a)"
says "with what to do" "import the logs of each machine under a name of its own"
exits "the report" 3 "$SHAKEDOWN" report -w mixed-w
check "says so too" grep -q "several machines: hosts called cn" mixed-w/campaigns/mixed/report.html
mkdir same
cp HPL-hosts.out same/a.out
sed 's/389.23 /390.23 /' HPL-hosts.out >same/b.out
exits "two runs of one" 0 "$SHAKEDOWN" import same -w same-w
check "are not" sh -c "! grep -q 'several machines' err"
finish
