#!/bin/sh
# Every implementation's environment, launch line and input files, to the last byte, against what a person has read:
# tests/fixtures/plans/dry-run, and with submissions and batch scripts for three sites, sites. UPDATE_GOLDEN=1 writes
# them anew. docs/reference/launch-lines.md says where each option and variable of the sites is from.
. "$(dirname -- "$0")/check.sh"
goldens=$(CDPATH= cd -- "$(dirname -- "$0")/../fixtures/plans/dry-run" && pwd)
fixtures=$(dirname -- "$(dirname -- "$goldens")")
sites=$fixtures/plans/sites share=$(dirname -- "$SHAKEDOWN")/../share/shakedown path=$T/bin
cd "$T" || exit 1
# Programs that stand in PATH only: nothing is started.
mkdir bin
for program in mpirun srun apptainer hpcc xhpl xhpl_intel64_dynamic xhpcg run_rochpl run_rochplmxp rochpcg; do
  printf '#!/bin/sh\n' >bin/$program
  chmod +x bin/$program
done
for tool in sh env ldd; do ln -s "$(command -v $tool)" bin/; done

# What depends on where this is installed and who runs it is replaced.
same_everywhere() {
  sed -e "s|$T/w/|/workspace/|g" -e 's/-job-1-[0-9a-f]\{8\}/-job-1-HASH/g' -e "s|$T/bin/|/usr/bin/|g" -e "s|$LIBEXEC/|/usr/libexec/shakedown/|g" -e 's| --allow-run-as-root||' \
    -e '/^# note: mpirun runs as root/d' "$T/out"
}
renders() { # golden, options of run...
  golden=$goldens/$1.txt
  shift
  exits "run --dry-run $*" 0 env PATH="$path" "$SHAKEDOWN" run --dry-run -w "$T/w" "$@"
  same_everywhere >rendered
  is_golden "$golden"
}
is_golden() { # FILE: as `rendered`
  [ -z "${UPDATE_GOLDEN-}" ] || cp rendered "$1"
  check "is $(basename "$1")" diff -u "$1" rendered
}

renders sakuraone --config sakuraone
exits "a staged acceptance" 0 env PATH="$T/bin" "$SHAKEDOWN" run --dry-run -w "$T/w" --config acceptance-h100
says "by stage" "# ==== stage 1: 100 cases, "
says "shows one of those that are alike" "# and 99 like it, on other nodes or again: hpl-nvidia-1n-cn[002-100]"
exits "every case" 0 env PATH="$T/bin" "$SHAKEDOWN" run --dry-run --every-case -w "$T/w" --config acceptance-h100
check "has all nodes" [ "$(grep -c '^# case hpl-nvidia-1n-' "$T/out")" = 100 ]
sed 's|^container_runtime = .*|container_runtime = "apptainer"|; s|\.sqsh|.sif|' \
  "$share/templates/sakuraone.toml" >apptainer.toml
renders sakuraone-apptainer --config apptainer.toml --suite hpl --suite hpcg --suite hpl-mxp
renders hpl-netlib --inventory sakuraone --nodes 4 --suite hpl --implementation netlib
renders hpl-hpcc --inventory sakuraone --nodes 4 --suite hpl --implementation hpcc
renders hpl-intel --inventory sakuraone --nodes 4 --suite hpl --implementation intel
renders hpl-reference --inventory sakuraone --nodes 4 --suite hpl --implementation reference
renders hpl-mxp-reference --inventory sakuraone --nodes 4 --suite hpl-mxp --implementation reference
renders io500-reference --inventory sakuraone --nodes 4 --suite io500 --implementation reference --minutes 2
renders hpcg-official --inventory sakuraone --nodes 4 --suite hpcg --implementation official
renders hpcg-reference --inventory sakuraone --nodes 4 --suite hpcg --implementation reference
renders hpcg-nvidia --inventory sakuraone --nodes 2 --suite hpcg --implementation nvidia
renders mlperf-llama31_8b --inventory sakuraone --nodes 2 --suite mlperf --implementation nvidia
renders mlperf-reference --inventory sakuraone --nodes 4 --suite mlperf --implementation reference
renders hpl-amd --inventory "$fixtures/inventory/mi300x.toml" --suite hpl --implementation amd
renders hpcg-amd --inventory "$fixtures/inventory/mi300x.toml" --suite hpcg --implementation amd
renders hpl-mxp-amd --inventory "$fixtures/inventory/mi300x.toml" --suite hpl-mxp --implementation amd

# Three sites whose Slurm answers.
mkdir slurm
for program in sbatch squeue scancel; do printf '#!/bin/sh\n' >slurm/$program; done
cat >slurm/scontrol <<'S'
#!/bin/sh
case "$*" in
*partition*) printf 'PartitionName=%s MaxTime=UNLIMITED State=UP\n' 'gpu Nodes=cn[001-100]' 'h200 Nodes=h[01-16]' 'mi300x Nodes=amd[01-16]' ;;
*node*) i=0; while [ $((i += 1)) -le 100 ]; do printf 'NodeName=cn%03d State=IDLE\nNodeName=h%02d State=IDLE\nNodeName=amd%02d State=IDLE\n' $i $i $i; done ;;
*reservation*) echo "ReservationName=acceptance StartTime=2020-01-01T00:00:00 EndTime=2099-01-01T00:00:00 Nodes=cn[001-100] Accounts=acceptance" ;;
esac
S
chmod +x slurm/*
cp "$sites"/*.toml .
goldens=$sites path=$T/slurm:$T/bin
counts() { # THREADS of a core, each of which Slurm counts
  { sed "s/^threads_per_core = .*/threads_per_core = $1/" "$share/systems/sakuraone.toml"
    printf '\n[groups.usable]\nslurm_cpus_per_core = %d\nslurm_gpus = 8\n' "$1"; } >cluster.toml
}
counts 2
renders sakuraone --config sakuraone.toml
# With NVSHMEM between the nodes: the lines that differ.
sed 's/^\[site\.fabric\]$/&\nnvshmem = true/' "$sites/sakuraone.toml" >sakuraone.toml
exits "the same with NVSHMEM" 0 env PATH="$path" "$SHAKEDOWN" run --dry-run -w "$T/w" --config sakuraone.toml
same_everywhere | diff "$sites/sakuraone.txt" - | grep '^[<>]' >rendered
is_golden "$sites/sakuraone-nvshmem.txt"
# Where Slurm hands out GPUs as Gres alone, the site's own words ask for them, and nothing else does.
sed 's/^\[site\]$/&\nslurm_options = ["--gres=gpu:h100:8"]/' "$sites/sakuraone.toml" >sakuraone.toml
exits "the same with --gres" 0 env PATH="$path" "$SHAKEDOWN" run --dry-run -w "$T/w" --config sakuraone.toml
same_everywhere | diff "$sites/sakuraone.txt" - | grep '^[<>]' >rendered
is_golden "$sites/sakuraone-gres.txt"
cp "$sites/sakuraone.toml" .
counts 1
exits "the same without SMT" 0 env PATH="$path" "$SHAKEDOWN" run --dry-run -w "$T/w" --config sakuraone.toml
# Word by word: lines are long.
tr ' ' '\n' <"$sites/sakuraone.txt" >with
same_everywhere | tr ' ' '\n' | diff with - | grep '^[<>]' >rendered
is_golden "$sites/sakuraone-without-smt.txt"
mkdir silent
for program in sbatch squeue scancel scontrol; do printf '#!/bin/sh\necho "no configuration source" >&2; exit 1\n' >silent/$program; done
chmod +x silent/*
exits "where Slurm does not answer" 0 env PATH="$T/silent:$T/bin" "$SHAKEDOWN" run --dry-run -w "$T/w" --config sakuraone.toml
says "which is said" "note: what the scheduler allows was not looked at, which a run needs"
renders h200 --config h200.toml
renders h200-screens --config h200-screens.toml
renders mi300x --config mi300x.toml
printf '\n[[runs]]\nsuite = "mlperf"\nimplementation = "nvidia"\nbenchmark = "llama2_70b_lora"\nnodes = [8]\n' >>mi300x.toml
exits "MLPerf on AMD" 2 env PATH="$path" "$SHAKEDOWN" run --dry-run -w "$T/w" --config mi300x.toml
says "has no implementation" "'nvidia' needs nvidia GPUs; the nodes 'mi300x' have AMD Instinct MI300X"

# Their options and variables are those of the table, all and no others, each with its source.
table=$fixtures/../../docs/reference/launch-lines.md
{ grep -hvE '^# (note: |and [0-9]+ like it)' "$sites"/*.txt | grep -oE -- "(^|[^a-zA-Z0-9_-])--[a-zA-Z][a-zA-Z0-9-]*|export [A-Za-z_0-9]+" | sed 's/^[^-e]*//; s/^export //'
  grep -hoE "(run_rochpl|run_rochplmxp|lfs set[a-z]*) .*" "$sites"/*.txt | grep -oE -- ' -[a-zA-Z] ' | tr -d ' '; } | sort -u >used
awk -F'|' '/^\| `/ { n = split($2, cell, "`"); for (i = 2; i <= n; i += 2) print cell[i] }' "$table" | sort -u >stated
check "each option and variable stands in launch-lines.md, and no other" diff used stated
check "with what it does and its source" [ -z "$(awk -F'|' '/^\| `/ && (NF != 5 || $3 ~ /^ *$/ || $4 ~ /^ *$/)' "$table")" ]

# What is printed, given to sh, calls the program as job.sh does: whatever the words are.
cat >args <<'S'
#!/bin/sh
for word in "$V" "$@"; do printf '<%s>\n' "$word"; done | od -c
S
chmod +x args
cat >plan.json <<S
{"schema":"shakedown.plan/1","cases":[{"id":"a","environment":{"V":"it's \$(touch $T/canary)"},
 "preparation":[["/bin/sh","-c","echo prepared; exit 0","{run} x"]],
 "argv":["$T/args","a b","it's","\"q\"","\$(touch $T/canary)","\`touch $T/canary\`","a\nb","","*","~/x","-n","\\\\n","%s","!!",
 "\u001b[2J\u0007","a\u202eb","J\u00fclich","{run}/x y","A=b","#","&;|<>"]}]}
S
exits "a plan of nasty words" 0 "$SHAKEDOWN" run --dry-run --here --plan plan.json
check "holds no control characters" [ "$(LC_ALL=C tr -d '\11\12\40-\176\200-\377' <out | wc -c)" = 0 ]
cp out printed.sh
exits "the plan is run" 3 "$SHAKEDOWN" run --here --plan plan.json -w nasty
run=$(echo nasty/campaigns/*/a/attempt-1)
check "what was printed does the same" sh -c "cd '$run' && sh '$T/printed.sh' 2>&1 | cmp - stdout.log"
check "and nothing else" [ ! -e canary ]

# No implementation of a suite is without a golden: those that `list` names, by the ids of their cases.
exits "list" 0 "$SHAKEDOWN" list --json
tr -d '\n ' <"$T/out" | sed 's/},{/}\n{/g' >listed
for suite in $(sed -n 's/.*"kind":"suite","id":"\([^"]*\)".*/\1/p' listed); do
  for each in $(sed -n "s|.*\"kind\":\"implementation\",\"id\":\"$suite/\([^\"]*\)\".*|$suite-\1|p" listed); do
    check "a golden of $each" grep -q "^# case $each-" "$fixtures"/plans/*/*.txt
  done
done
finish
