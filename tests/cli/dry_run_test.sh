#!/bin/sh
# Every implementation's environment, launch line and input files, to the last byte, against what a person has read:
# tests/fixtures/plans/dry-run. UPDATE_GOLDEN=1 writes them anew.
. "$(dirname -- "$0")/check.sh"
goldens=$(CDPATH= cd -- "$(dirname -- "$0")/../fixtures/plans/dry-run" && pwd)
fixtures=$(dirname -- "$(dirname -- "$goldens")")
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
  exits "run --dry-run $*" 0 env PATH="$T/bin" "$SHAKEDOWN" run --dry-run -w "$T/w" "$@"
  [ -z "${UPDATE_GOLDEN-}" ] || same_everywhere >"$golden"
  same_everywhere >rendered
  check "is $(basename "$golden")" diff -u "$golden" rendered
}

renders sakuraone --config sakuraone
exits "a staged acceptance" 0 env PATH="$T/bin" "$SHAKEDOWN" run --dry-run -w "$T/w" --config acceptance-h100
says "by stage" "# ==== stage 1: 100 cases, "
says "shows one of those that are alike" "# and 99 like it, on other nodes or again: hpl-nvidia-1n-cn[002-100]"
exits "every case" 0 env PATH="$T/bin" "$SHAKEDOWN" run --dry-run --every-case -w "$T/w" --config acceptance-h100
check "has all nodes" [ "$(grep -c '^# case hpl-nvidia-1n-' "$T/out")" = 100 ]
sed 's|^container_runtime = .*|container_runtime = "apptainer"|; s|\.sqsh|.sif|' \
  "$(dirname -- "$SHAKEDOWN")/../share/shakedown/templates/sakuraone.toml" >apptainer.toml
renders sakuraone-apptainer --config apptainer.toml --suite hpl --suite hpcg --suite hpl-mxp
renders hpl-netlib --inventory sakuraone --nodes 4 --suite hpl --implementation netlib
renders hpl-hpcc --inventory sakuraone --nodes 4 --suite hpl --implementation hpcc
renders hpl-intel --inventory sakuraone --nodes 4 --suite hpl --implementation intel
renders hpl-reference --inventory sakuraone --nodes 4 --suite hpl --implementation reference
renders io500-reference --inventory sakuraone --nodes 4 --suite io500 --implementation reference --minutes 2
renders hpcg-official --inventory sakuraone --nodes 4 --suite hpcg --implementation official
renders hpcg-reference --inventory sakuraone --nodes 4 --suite hpcg --implementation reference
renders hpcg-nvidia --inventory sakuraone --nodes 2 --suite hpcg --implementation nvidia
renders mlperf-llama31_8b --inventory sakuraone --nodes 2 --suite mlperf --implementation nvidia
renders mlperf-reference --inventory sakuraone --nodes 4 --suite mlperf --implementation reference
renders hpl-amd --inventory "$fixtures/inventory/mi300x.toml" --suite hpl --implementation amd
renders hpcg-amd --inventory "$fixtures/inventory/mi300x.toml" --suite hpcg --implementation amd
renders hpl-mxp-amd --inventory "$fixtures/inventory/mi300x.toml" --suite hpl-mxp --implementation amd

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

# No implementation is without one: those that `list` names, by the ids of their cases.
exits "list" 0 "$SHAKEDOWN" list --json
tr -d '\n ' <"$T/out" | sed 's/},{/}\n{/g' >listed
finish
