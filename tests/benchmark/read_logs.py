#!/usr/bin/env python3
"""A straightforward reading of benchmark logs, to measure ours beside: what an operator would write in an afternoon.

    read_logs.py hpl|hpl-labelled|io500|mlperf|mlperf-mlcommons FILE

prints megabytes per second of CPU time and the number of results. hpl-labelled takes rank labels, time stamps and
colours off first, as ours does; hpl would miss every row behind one. mlperf-mlcommons is the reader that MLCommons'
own checkers use, where its mlperf_logging is in PYTHONPATH.
"""

import json
import os
import re
import sys
import time


def hpl(lines):
    row = re.compile(r"^W[RC]\S+\s+(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)")
    check = re.compile(r"^\|\|Ax-b\|\|_oo/.*=\s*(\S+)\s+\.+\s+(PASSED|FAILED)")
    stamp = re.compile(r"^HPL_pdgesv\(\) (?:start|end) time\s+(.*\S)")
    results = []
    for line in lines:
        if match := row.match(line):
            n, nb, p, q = (int(text) for text in match.groups()[:4])
            results.append([n, nb, p, q, float(match.group(5)), float(match.group(6))])
        elif match := check.match(line):
            results[-1] += [float(match.group(1)), match.group(2)]
        elif match := stamp.match(line):
            results[-1].append(match.group(1))
    return len(results)


def hpl_labelled(lines):
    noise = re.compile(
        r"\x1b\[[0-9;?]*[A-Za-z]|^\s*(?:\[[\d,]+\](?:<\w+>)?:?|\d[\d:.TZ-]*[:Z]|[A-Za-z]+\d+:)(?:\s|$)"
    )
    return hpl(noise.sub("", line) for line in lines)


def io500(lines):
    phase = re.compile(r"^\[RESULT\]\s+(\S+)\s+([\d.]+) (GiB/s|kIOPS) : time ([\d.]+) seconds(.*)")
    score = re.compile(r"^\[SCORE \] Bandwidth ([\d.]+) GiB/s : IOPS ([\d.]+) kiops : TOTAL ([\d.]+)(.*)")
    phases, scores = {}, 0
    for line in lines:
        if match := phase.match(line):
            phases[match.group(1)] = (float(match.group(2)), float(match.group(4)), match.group(5))
        elif match := score.match(line):
            scores += 1
    return scores


def mlperf(lines):
    start, runs = None, 0
    for line in lines:
        at = line.rfind(":::MLLOG ")
        if at < 0:
            continue
        event = json.loads(line[at + len(":::MLLOG "):])
        if event["key"] == "run_start":
            start = event.get("time_ms", event.get("time_s"))
        elif event["key"] == "run_stop" and start is not None:
            runs += event["metadata"]["status"] == "success"
            start = None
    return runs


def mlperf_mlcommons(lines):
    try:
        from mlperf_logging.compliance_checker.mlp_parser.ruleset_410 import parse_generator
    except ImportError:
        sys.exit("SKIPPED: no mlperf_logging of github.com/mlcommons/logging in PYTHONPATH")
    # It fails on lines of before v0.6, which have no time_ms.
    events, _ = parse_generator(line for line in lines if ":::MLLOG" not in line or '"time_ms"' in line)
    return sum(event.key == "run_stop" for event in events)


def main():
    readers = {
        "hpl": hpl,
        "hpl-labelled": hpl_labelled,
        "io500": io500,
        "mlperf": mlperf,
        "mlperf-mlcommons": mlperf_mlcommons,
    }
    read = readers[sys.argv[1]]
    begin = time.process_time()
    with open(sys.argv[2], encoding="latin-1") as lines:
        results = read(lines)
    seconds = time.process_time() - begin
    megabytes = os.path.getsize(sys.argv[2]) / 1e6
    print(f"{megabytes / seconds:.1f} MB/s  results {results}")


main()
