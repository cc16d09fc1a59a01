#!/bin/sh
# Prometheus textfiles: their grammar, line by line, and that a collector never sees half of one.
. "$(dirname -- "$0")/checks.sh"
cat >grammar.py <<'P'
import re, sys
name, label = r'[a-zA-Z_:][a-zA-Z0-9_:]*', r'[a-zA-Z_][a-zA-Z0-9_]*'
value = r'(?:[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?|NaN|[+-]Inf)'
text = r'(?:[^"\\\n]|\\["\\n])*'
sample = re.compile(rf'({name})(?:\{{({label}="{text}"(?:,{label}="{text}")*)\}})? ({value})')
helps, types, seen, current = {}, {}, set(), None
body = open(sys.argv[1]).read()
assert body.endswith("\n"), "the last line has an end"
for line in body.splitlines():
    if m := re.fullmatch(rf'# HELP ({name}) (.+)', line):
        assert m[1] not in helps, f"one HELP for {m[1]}"
        helps[m[1]] = m[2]; current = m[1]
    elif m := re.fullmatch(rf'# TYPE ({name}) (counter|gauge)', line):
        assert m[1] == current and m[1] not in types, f"TYPE follows HELP: {line}"
        types[m[1]] = m[2]
    else:
        m = sample.fullmatch(line)
        assert m, f"no sample: {line}"
        assert m[1] == current and m[1] in types, f"samples of a metric stand together: {line}"
        assert (m[1], m[2]) not in seen, f"twice: {line}"
        seen.add((m[1], m[2]))
for metric, kind in types.items():
    assert metric.startswith("shakedown_"), metric
    assert (kind == "counter") == metric.endswith("_total"), f"counters alone end in _total: {metric}"
    assert not re.search(r'(_ms|_minutes|_gflops|_mb|_percent)$', metric), f"base units: {metric}"
for wanted in sys.argv[2:]:
    assert wanted in types, f"no {wanted} in {sorted(types)}"
P
printf '#!/bin/sh\ncat "%s/tests/fixtures/hpl/reference-passed.out"\n' "$PROJECT" >xhpl
chmod +x xhpl
python3 - "$T" "$(hostname)" <<'P'
import json, sys
folder, host = sys.argv[1:]
json.dump({"schema": "shakedown.plan/1", "system": 'te"st\\', "cases": [{"id": "hpl", "hosts": host, "suite": "hpl",
    "implementation": "reference", "parser": "hpl", "ranks": 2, "ranks_per_node": 2, "argv": [folder + "/xhpl"]}]},
    open("plan.json", "w"))
P
exits "run --metrics" 3 "$SHAKEDOWN" run --here --plan plan.json -w w --progress none --metrics run.prom
check "is the text format" python3 grammar.py run.prom shakedown_campaign_exit_code shakedown_measured_flops_per_second
check "labels are escaped" grep -qF 'system="te\"st\\"' run.prom
check "nothing is left beside it" [ "$(ls run.prom* .run.prom* 2>/dev/null | wc -l)" = 1 ]
exits "a file that can't be written" 4 "$SHAKEDOWN" run --here --plan plan.json -w w --progress none --metrics /proc/nowhere/x.prom
command -v mpirun >/dev/null || finish
config r.toml
exits "regress --metrics" 0 regress_once r.toml --metrics check.prom
check "is the text format" python3 grammar.py check.prom shakedown_checks_total shakedown_checks_skipped_total \
  shakedown_check_success shakedown_check_duration_seconds shakedown_series_alarm shakedown_series_learning \
  shakedown_coverage_nodes shakedown_coverage_seen_nodes shakedown_coverage_oldest_seconds \
  shakedown_measured_flops_per_second shakedown_series_measured_timestamp_seconds shakedown_checks_failed_total
finish
