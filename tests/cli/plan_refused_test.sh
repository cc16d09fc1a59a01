#!/bin/sh
# What a plan can't hold is named before anything runs: refused runs, a plan that was edited, memory that no such GPU has.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
configuration() { # LINE: of the training's run
  printf 'title = "t"\nsystem = "sakuraone"\n[[runs]]\nsuite = "hpl"\nimplementation = "nvidia"\nnodes = [2]\n[[runs]]\n'
  printf 'suite = "mlperf"\nimplementation = "nvidia"\nbenchmark = "gpt3"\nnodes = [2]\n%s\n' "$1"
}
configuration '' >a.toml
configuration 'optional = true' >optional.toml
for command in plan "run --dry-run" "run --here -w w"; do
  # shellcheck disable=SC2086  # a command and its options
  exits "$command of a configuration whose run is refused" 2 "$SHAKEDOWN" $command --config a.toml
  says "names it" "mlperf/gpt3 is refused: "
  says "and the number of nodes to state" "next: 16 nodes (nodes = [16] in "
  says "and the way on" "\`optional = true\` in its [[runs]] plans the others without it"
done
check "no campaign was begun" [ ! -e w ]
exits "its plan is not shown, nor written" 2 "$SHAKEDOWN" plan --config a.toml -o refused.json
check "nowhere" sh -c '[ ! -s out ] && [ ! -e refused.json ]'
exits "a document lists the refusal and the rest" 2 "$SHAKEDOWN" plan --config a.toml --json
check "both" sh -c 'grep -q "\"because\": " out && grep -q "\"id\": \"hpl-nvidia-2n\"" out'
sed 's/cn\[001-050\]/cn[00001-06250]/; s/cn\[051-100\]/cn[06251-12500]/; s/cn\[001-100\]/cn[00001-12500]/; s/^system = .*/system = "large"/' \
  "$PROJECT/orchestrator/systems/sakuraone.toml" >large.toml
exits "a suite of which nothing can be planned" 2 "$SHAKEDOWN" plan --inventory large.toml --suite mlperf
says "is refused" "mlperf/llama2_70b_lora is refused: the least batch that "
says "says that the number next above only divides" "next: 2048 nodes (--suite mlperf --nodes 2048), which divides evenly, with a pipeline bubble of 15.6 %"
says "with the way out and its options" "; next: 128 nodes (--suite mlperf --nodes 128)"
exits "which plan takes" 0 "$SHAKEDOWN" plan --inventory large.toml --suite mlperf --nodes 128
exits "a suite refused on these nodes" 2 "$SHAKEDOWN" plan --inventory sakuraone --suite hpcg --nodes 97
says "names the options of the next number" "next: 96 nodes (--suite hpcg --nodes 96): 8 x 8 x 12"
exits "a suite of which nothing can be planned, once more" 2 "$SHAKEDOWN" plan --inventory large.toml --suite mlperf
check "and no plan is shown" [ ! -s out ]
exits "beside another that can be" 2 "$SHAKEDOWN" plan --inventory large.toml --suite mlperf --suite hpl
says "the way out names that" "\`--suite hpl\` plans the others without it"
exits "a plan without it, as the configuration allows" 0 "$SHAKEDOWN" plan --config optional.toml
says "has its row" "mlperf"
exits "a dry run" 0 "$SHAKEDOWN" run --dry-run --config optional.toml
check "names it in the text" grep -q '^# refused: mlperf/gpt3 by ' out
check "and beside it" grep -q '^note: mlperf/gpt3 will not run: ' err

# Footnotes that differ in names and numbers alone are one.
exits "a plan of three programs" 0 "$SHAKEDOWN" plan --inventory sakuraone --suite hpl --suite hpcg --suite hpl-mxp
check "says once that they are not tested" [ "$(grep -c 'is not tested on hardware' out)" = 1 ]
says "and how many more" "more like this: --explain shows all)"
exits "with --explain" 0 "$SHAKEDOWN" plan --inventory sakuraone --suite hpl --suite hpcg --suite hpl-mxp --explain
check "all are there" [ "$(grep -c 'is not tested on hardware' out)" -gt 2 ]

# A plan that was edited.
exits "a plan" 0 "$SHAKEDOWN" plan --inventory sakuraone --suite hpl -o plan.json
exits "a plan that names its cases" 0 "$SHAKEDOWN" plan --inventory sakuraone --suite hpl --explain
says "says why GEMM is in it" "gemm runs first: results of hpl are set beside it"
says "explains the placeholder" "{host} in a case's name stands for the name of each of its nodes"
exits "as it was written" 0 "$SHAKEDOWN" run --dry-run --plan plan.json --inventory sakuraone
check "has no objection" sh -c "! grep -q 'was edited' out"
edited() { # N in the parameters, N in the file
  python3 - "$1" "$2" <<'P'
import json, re, sys
plan = json.load(open("plan.json"))
for case in plan["cases"]:
    if case["suite"] != "hpl": continue
    case["parameters"]["N"] = int(sys.argv[1])
    case["files"]["HPL.dat"] = re.sub(r"(?m)^\d+( +Ns)", sys.argv[2] + r"\1", case["files"]["HPL.dat"])
json.dump(plan, open("edited.json", "w"))
P
}
edited 90000000 90000000
exits "with a matrix larger than the memory" 2 "$SHAKEDOWN" run --dry-run --plan edited.json --inventory sakuraone
says "is refused with its case" "edited.json: hpl-nvidia-100n: "
N=$(python3 -c "import json; print(next(c['parameters']['N'] for c in json.load(open('plan.json'))['cases'] if c['suite'] == 'hpl'))")
edited "$N" 90000000
exits "where only the input file has it" 0 "$SHAKEDOWN" run --dry-run --plan edited.json --inventory sakuraone
says "says that it is not checked" "HPL.dat is not what the case's parameters give: it was edited"

# Memory that no such GPU has.
for memory in 141 1410 14.1; do
  sed "s/AMD Instinct MI300X\"/NVIDIA H200\"/; s/memory_gib = 191.98/memory_gib = $memory/; /^sm_/d; /gpus.peak/,\$d" \
    "$PROJECT/tests/fixtures/inventory/mi300x.toml" >gpus.toml
  exits "GPUs of $memory GiB" 0 "$SHAKEDOWN" plan --inventory gpus.toml --suite gemm
  case $memory in
    141) check "are near enough to those of an H200" sh -c "! grep -q 'the catalogue' out" ;;
    *) says "are not those of an H200" "of memory, the catalogue 140 GiB of NVIDIA H200 SXM5 141 GB" ;;
  esac
done
finish
