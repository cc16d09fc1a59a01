#!/usr/bin/env python3
"""A straightforward reading of benchmark logs, to measure ours beside: what an operator would write in an afternoon.

    read_logs.py hpl|io500|mlperf FILE    prints megabytes per second of CPU time and the number of results
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


def main():
    read = {"hpl": hpl, "io500": io500, "mlperf": mlperf}[sys.argv[1]]
    begin = time.process_time()
    with open(sys.argv[2], encoding="latin-1") as lines:
        results = read(lines)
    seconds = time.process_time() - begin
    megabytes = os.path.getsize(sys.argv[2]) / 1e6
    print(f"{megabytes / seconds:.1f} MB/s  results {results}")


main()
