#!/bin/sh
# A metric of which less is better: trainings that take longer are an alarm, and are told as that. Their log prints no
# rate, which they would be watched by otherwise.
. "$(dirname -- "$0")/checks.sh"
command -v mpirun >/dev/null || { echo "SKIPPED: no mpirun here"; exit 77; }
grep -v '"tracked_stats"' "$PROJECT/tests/fixtures/mlperf/shakedown/result_0.txt" >log
cat >train <<S
#!/bin/sh
# Takes $T/seconds for each 100 that the log tells of, +-1 %.
rank=\${OMPI_COMM_WORLD_RANK:-0}
[ "\$rank" = 0 ] || exit 0
runs=\$(cat "$T/runs" 2>/dev/null || echo 0)
echo \$((runs + 1)) >"$T/runs"
awk -v seconds="\$(cat "$T/seconds")" -v seed="\$runs" 'BEGIN { srand(1000 + seed); rand(); noise = 0.01 * (2 * rand() - 1) }
  { match(\$0, /"time_ms": [0-9]+/); at = substr(\$0, RSTART + 11, RLENGTH - 11) }
  /"run_start"/ { start = at }
  start { sub(/"time_ms": [0-9]+/, sprintf("\"time_ms\": %.0f", start + (at - start) * seconds / 100 * (1 + noise))) }
  { print }' "$T/log"
S
chmod +x train
printf 'title = "Nightly"\nchecks_per_week = 7\n[budget]\nminutes = 1\n%s\n[[site.programs]]\nimplementation = "mlperf/reference"\nprogram = "%s/train"\n[[runs]]\nsuite = "mlperf"\nimplementation = "reference"\nbenchmark = "shakedown_pretrain"\n' "$beside_anything" "$T" >r.toml
echo 100 >seconds
for _ in 1 2 3 4 5 6 7 8 9 10; do regress_once r.toml --json >steady.json 2>err || { fail "a steady machine"; cat err steady.json; }; done
check "the time is what is watched" [ "$(value steady.json '{s["metric"] for s in d["series"]}')" = "{'time_to_train_min'}" ]
check "its less is better" [ "$(value steady.json 'd["series"][0]["better"]')" = lower ]
check "it is in control" [ "$(value steady.json 'd["series"][0]["state"]')" = "in control" ]
echo 90 >seconds
exits "trainings that take a tenth less" 0 regress_once r.toml
check "are no alarm" sh -c "! grep -q alarm: '$T/out'"
echo 110 >seconds
for _ in 1 2 3 4; do
  regress_once r.toml --json >slow.json 2>err
  code=$?
  [ $code = 1 ] && break
done
check "trainings that take a tenth more are one" [ $code = 1 ]
check "its text says that they are above the control region" grep -q '"sentence": "regression check: alarm: mlperf/reference time to train on [^ ]*: [^;]*above the control region of ' slow.json
check "the loss is positive, and as large as it was made" [ "$(value slow.json '0.07 < d["series"][0]["loss"] < 0.13')" = True ]
check "the value is above what was expected" [ "$(value slow.json 'd["series"][0]["value"] > d["series"][0]["expected"]')" = True ]
at=$(newest)
check "the report says so, too" grep -q 'above the control region of' "$at/report.html"
check "and results.json" [ "$(value "$at/results.json" 'd["regression"]["series"][0]["better"], d["verdict"]')" = "('lower', 'fail')" ]
exits "report in words" 1 "$SHAKEDOWN" report -w w
says "tells the same" "above the control region of"
echo 110 >seconds
sed 's/^\[\[site/[[floor.limits]]\nsuite = "mlperf"\nmetric = "time_to_train_min"\nlimit = 0.1\n&/' r.toml >floor.toml
exits "a floor is the most that a time may be" 1 regress_once floor.toml
says "in words" "below the contract's floor: mlperf/reference time to train on "
finish
