# Sourced by the tests of scheduled checks, in a folder of their own: a program in gemm's place that takes no time and
# gives the rate that $T/rate says, with a noise of +-1 % that is the same in each test.
command -v exits >/dev/null || . "$(dirname -- "$0")/../cli/check.sh"
cd "$T" || exit 1
echo 100 >rate
cat >gemm <<S
#!/bin/sh
# Seconds that it takes stand in $T/takes; $T/sleeping is there once it knows them.
rank=\${OMPI_COMM_WORLD_RANK:-\${SLURM_PROCID:-0}} ranks=\${OMPI_COMM_WORLD_SIZE:-\${SLURM_NTASKS:-1}}
[ "\$rank" = 0 ] || exit 0
[ ! -e "$T/takes" ] || { seconds=\$(cat "$T/takes"); touch "$T/sleeping"; sleep "\$seconds"; }
runs=\$(cat "$T/runs" 2>/dev/null || echo 0)
echo \$((runs + 1)) >"$T/runs"
[ ! -e "$T/limit" ] || [ "\$runs" -lt "\$(cat "$T/limit")" ] || { echo broken >&2; exit 3; }
awk -v rate="\$(cat "$T/rate")" -v seed="\$runs" -v ranks="\$ranks" 'BEGIN {
  srand(1000 + seed); rand()
  value = sprintf("%.3f", rate * (1 + 0.01 * (2 * rand() - 1)))
  print "shakedown gemm reference 0.1.0  --  FP64 and FP32 matrix products on all ranks at once"
  printf "Ranks: %d  Threads per rank: 1\nN: 2048\n", ranks
  for (i = 1; i <= 3; i++) printf "Trial %d: FP64 GFLOP/s = %s time = %.3f s\n", i, value, 17.179869 * ranks / value
  printf "FP64 best GFLOP/s = %s\nFP64 spread %% = 0.00\n", value
  print "Verification: PASSED error = 4.789e-18 bound = 9.095e-13\nEnd of gemm."
}'
S
chmod +x gemm
# A program of no time at all can't be measured beside others: what runs beside it is not looked at.
beside_anything='[disturbance]
load = { limit = 1e9, reason = "no time" }
steal = { limit = 1, reason = "no time" }'
# config FILE [TABLES [DISTURBANCE]]: a regression.toml with more in front of its runs.
config() {
  printf 'title = "Nightly"\nchecks_per_week = 7\n[budget]\nminutes = 1\n%s\n%b[[site.programs]]\nimplementation = "gemm/reference"\nprogram = "%s/gemm"\n[[runs]]\nsuite = "gemm"\nimplementation = "reference"\n' \
    "${3-$beside_anything}" "${2-}" "$T" >"$1"
}
# regress_once FILE [OPTION...]
regress_once() {
  config=$1
  shift
  "$SHAKEDOWN" regress --here --config "$config" -w w --progress none "$@"
}
# value FILE EXPRESSION: of a JSON document d.
value() { python3 -c "import json,sys; d=json.load(open(sys.argv[1])); print(eval(sys.argv[2]))" "$1" "$2"; }
newest() { ls -d w/campaigns/* | tail -n 1; }
