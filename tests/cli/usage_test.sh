#!/bin/sh
# What a new user types: wrong names, wrong files, empty files, full disks. A sentence, the right exit code.
. "$(dirname -- "$0")/check.sh"

exits "no command" 2 "$SHAKEDOWN"
exits "--help" 0 "$SHAKEDOWN" --help
check "the help fits a screen" [ "$(wc -l <"$T/out")" -le 58 ]
check "commands are in groups" sh -c "grep -q '^Run:' '$T/out' && grep -q '^After acceptance:' '$T/out'"
says "and the default workspace is named" "(default: ./shakedown-runs)"
exits "--version" 0 "$SHAKEDOWN" --version
mv "$T/out" "$T/version"
exits "-V" 0 "$SHAKEDOWN" -V
check "is the same" cmp "$T/out" "$T/version"
exits "help of a command" 0 "$SHAKEDOWN" help run
says "is its --help" "Usage: shakedown run"
exits "help of a subcommand" 0 "$SHAKEDOWN" help inventory discover
says "is its own" "Usage: shakedown inventory discover"
exits "help of no command" 2 "$SHAKEDOWN" help rnu
says "did you mean" "no command 'rnu' (did you mean 'run'?)"
for command in $("$SHAKEDOWN" --help | sed '/^Example/,$d' | sed -n 's/^  \([a-z][a-z]*\) .*/\1/p'); do
  "$SHAKEDOWN" help "$command" >"$T/help" || fail "help $command"
  grep -q "^Example: .*shakedown $command" "$T/help" || fail "$command has no example of its own"
done
exits "a misspelled command" 2 "$SHAKEDOWN" plann
says "did you mean" "no command 'plann' (did you mean 'plan'?)"
exits "an unknown option" 2 "$SHAKEDOWN" plan --nodez 3
says "did you mean" "no option '--nodez' (did you mean '--nodes'?)"
exits "one of all commands" 2 "$SHAKEDOWN" plan --workspce=x
says "did you mean" "no option '--workspce' (did you mean '--workspace'?)"
exits "one of a subcommand" 2 "$SHAKEDOWN" inventory discover --hostfil x
says "did you mean" "no option '--hostfil' (did you mean '--hostfile'?)"
exits "an unknown suite" 2 "$SHAKEDOWN" plan --suite hpll
says "did you mean" "no suite 'hpll' (did you mean 'hpl'?)"
exits "an unknown implementation" 2 "$SHAKEDOWN" plan --suite hpl --implementation referense
says "did you mean" "(did you mean 'reference'?)"
exits "one that begins so" 2 "$SHAKEDOWN" verify x --pub y
says "did you mean" "no option '--pub' (did you mean '--public'?)"
exits "more nodes than there are" 2 "$SHAKEDOWN" plan --nodes 7
says "says how many there are" "hint: state 1 at most"
exits "verify of a folder" 2 "$SHAKEDOWN" verify "$T"
says "names bundle" "is a folder, not an archive"
says "as the way out" 'hint: `shakedown bundle -o x.tar.zst --key NAME.key`'
exits "verify of nothing" 2 "$SHAKEDOWN" verify "$T/nope"
says "names it, too" 'hint: `shakedown bundle -o x.tar.zst --key NAME.key`'
exits "bundle without its options" 2 "$SHAKEDOWN" bundle
says "names both at once" "-o and --key: are missing: the archive, and the key that signs it"

exits "a duration that is none" 2 "$SHAKEDOWN" plan --minutes nan
says "in a sentence" "'nan' is no number above 0"
exits "a budget that nothing keeps" 0 "$SHAKEDOWN" plan --implementation reference --minutes 0.0001
says "is said to be exceeded" "over the budget of 0.0060 s"
exits "a budget that is kept" 0 "$SHAKEDOWN" plan --implementation reference --minutes 20
check "is not" sh -c "! grep -q budget '$T/out'"

exits "an implementation that the machine can't run" 2 "$SHAKEDOWN" plan --implementation nvidia
# A file that is not there: one exit code, wherever it was named.
for command in "inventory show" "inventory check" "plan --inventory" "plan --config" "run --here --suite stream --criteria" \
  "run --here --suite stream --baseline" "run --here --suite stream --scheduler" "run --here --plan" "preflight --here --plan" \
  "criteria check" "baseline show" "regress --config" "schedule --config" "parse" "import" "init --from acceptance-h100 --inventory"; do
  # shellcheck disable=SC2086  # a command and its options
  exits "$command of a file that is not there" 2 "$SHAKEDOWN" $command "$T/none.toml" -w "$T/nofile"
  says "names it" "$T/none.toml: "
done
check "and leaves no campaign" [ ! -e "$T/nofile/campaigns" ]
printf 'system = "x"\n[[groups]]\nhosts = "n1"\nmemroy_gib = 4\n' >"$T/bad.toml"
exits "a misspelled key" 2 "$SHAKEDOWN" inventory show "$T/bad.toml"
says "with its line" "$T/bad.toml:4"
: >"$T/empty"
exits "an empty inventory" 2 "$SHAKEDOWN" plan --inventory "$T/empty"

exits "a plan that is not there" 2 "$SHAKEDOWN" run --here --plan "$T/none.json"
printf '# nothing yet\n' >"$T/comments.toml"
for file in empty comments.toml; do
  exits "a configuration without a key" 2 "$SHAKEDOWN" plan --config "$T/$file"
  says "is empty" "$T/$file: is empty"
done
cat >"$T/several.toml" <<C
titel = "slips"
[site]
launcher = "sruN"
most_jobs = "many"
[[runs]]
suite = "hpll"
nodes = ["two"]
[[criteria]]
id = "rate"
title = "t"
suite = "hpl"
metric = "rmax_gflops"
direction = ">>"
limit = 1
C
exits "several slips in a configuration" 2 "$SHAKEDOWN" plan --config "$T/several.toml"
check "are all named, by line" [ "$(grep -o 'several.toml:[0-9]*' "$T/err" | sed 's/.*://' | uniq | paste -sd ' ')" = "1 4 6 7 8 13" ]
exits "an empty plan" 2 "$SHAKEDOWN" run --here --plan "$T/empty"
printf '{"schema":"shakedown.plan/1","cases":[{"id":"../x","argv":["/bin/true"]}]}' >"$T/p.json"
exits "a case id that leaves the workspace" 2 "$SHAKEDOWN" run --here --plan "$T/p.json" -w "$T/w"
printf '{"schema":"shakedown.plan/1","cases":[]}' >"$T/none.json"
exits "a plan without cases" 2 "$SHAKEDOWN" run --here --plan "$T/none.json" -w "$T/w"
printf '{"schema":"shakedown.plan/1","cases":[{"id":"x","hosts":"cn[01-02]","argv":["/bin/true"]}]}' >"$T/far.json"
exits "a plan for other machines" 2 "$SHAKEDOWN" run --here --plan "$T/far.json" -w "$T/w"
says "is not run here" "the plan names other hosts (cn[01-02]), and this is $(hostname)"
check "and leaves no campaign" [ ! -e "$T/w" ]
exits "a folder instead of a plan" 2 "$SHAKEDOWN" run --here --plan "$T"

cp "$PROJECT/tests/fixtures/plans/two-trivial.json" "$T/two.json"
for option in "--suite hpl" "--implementation reference" "--nodes 1" "--exclude cn1" "--minutes 2"; do
  # shellcheck disable=SC2086  # an option and its value
  exits "run --plan with ${option%% *}" 2 "$SHAKEDOWN" run --here --plan "$T/two.json" $option -w "$T/w"
  says "would do nothing" "${option%% *}: would do nothing beside --plan"
  # shellcheck disable=SC2086
  exits "preflight --plan with ${option%% *}" 2 "$SHAKEDOWN" preflight --here --plan "$T/two.json" $option -w "$T/w"
  says "would do nothing" "${option%% *}: would do nothing beside --plan"
done
for command in "run --plan $T/two.json" resume; do
  # shellcheck disable=SC2086  # a command and its options
  exits "${command%% *}: two kinds of documents on stdout" 2 "$SHAKEDOWN" $command --here --json --json-events - -w "$T/w"
  says "with the way out" "hint: give the events a file"
done
exits "one kind is fine" 3 "$SHAKEDOWN" run --here --plan "$T/two.json" --json --json-events "$T/events" -w "$T/events.w"
check "the events are in the file" grep -q '"event":"case_ended"' "$T/events"

exits "parse: an empty file" 3 "$SHAKEDOWN" parse "$T/empty"
exits "parse: a program" 3 "$SHAKEDOWN" parse "$SHAKEDOWN"
says "is no log" "binary file"
exits "parse: no such file" 2 "$SHAKEDOWN" parse "$T/none.out"
good=$(dirname -- "$0")/../fixtures/hpl/reference-passed.out
exits "parse: a log" 0 "$SHAKEDOWN" parse "$good"
check "one JSON document a line" sh -c "head -n 1 '$T/out' | grep -q '^{\"schema\":\"shakedown.result/1\"'"
exits "parse: a log beside no log" 3 "$SHAKEDOWN" parse "$good" "$T/empty"
says "the log is still parsed" '"schema":"shakedown.result/1"'
exits "parse: a folder of logs" 0 "$SHAKEDOWN" parse "$(dirname -- "$0")/../fixtures/hpl"

exits "status without a campaign" 2 "$SHAKEDOWN" status -w "$T/nowhere"
exits "resume without a campaign" 2 "$SHAKEDOWN" resume --here -w "$T/nowhere"
exits "a workspace that can't be made" 4 "$SHAKEDOWN" run --here --plan "$PROJECT/tests/fixtures/plans/two-trivial.json" -w /proc/nowhere
says "and where else to" "choose another workspace with -w DIR"
exits "a plan that can't be written" 4 "$SHAKEDOWN" plan --suite gemm -o /proc/nowhere/plan.json
says "hints at -o" "hint: choose another file with -o"
exits "a report that can't be written" 4 "$SHAKEDOWN" report -w "$T/events.w" -o /proc/nowhere
says "hints at -o" "hint: choose another folder: \`shakedown report "
says "and its workspace" " -o DIR -w $T/events.w\`"

exits "baseline list" 0 "$SHAKEDOWN" baseline list
says "sakuraone" "sakuraone"
exits "baseline check" 0 "$SHAKEDOWN" baseline check
exits "baseline show of an unknown one" 2 "$SHAKEDOWN" baseline show sakuraon
says "did you mean" "(did you mean 'sakuraone'?)"
exits "list" 0 "$SHAKEDOWN" list
check "names batch systems" grep -q "^scheduler .*Grid Engine, through qsub and qstat$" "$T/out"
says "and which were not run" "PBS Professional and OpenPBS, through qsub and qstat *"
check "with a legend" sh -c "tail -n 1 '$T/out' | grep -q '^[*] not run on hardware'"
for name in "inventory       alps-gh200" "configuration   acceptance-h100" "baseline        sakuraone" "criteria        quick"; do
  says "and the names that options take" "$name "
done
check "one line each" [ "$(grep -c '^configuration ' "$T/out")" = 2 ]
LINE=true
plan_of "$T/queue.json" a
printf 'title = "ours"\ntested = "run-at-site"\n[submit]\ncommand = ["submit", "{scirpt}"]\n' >"$T/queue.toml"
exits "a batch system's file with a mistake" 2 "$SHAKEDOWN" run --plan "$T/queue.json" --scheduler "$T/queue.toml" -w "$T/queue" --here
says "is told before the campaign begins" "$T/queue.toml:4: 'scirpt' is no placeholder (did you mean 'script'?)"
check "which has not" [ ! -e "$T/queue" ]
PATH_WITHOUT=$(mktemp -d "$T/path.XXXX")
for tool in mpirun hostname; do [ -x "/usr/bin/$tool" ] && ln -s "/usr/bin/$tool" "$PATH_WITHOUT/$tool"; done
exits "a batch system that is not here" 4 env PATH="$PATH_WITHOUT" "$SHAKEDOWN" run --plan "$T/queue.json" --scheduler pbs -w "$T/queue" --here
says "is said in its words" "qsub: is not in PATH"
check "and begins no campaign" [ ! -e "$T/queue" ]
exits "a dry run of it" 0 env PATH="$PATH_WITHOUT" "$SHAKEDOWN" run --plan "$T/queue.json" --scheduler pbs --dry-run
says "says what it can't show" "note: how jobs would be submitted is not shown: qsub: is not in PATH"
exits "an unknown batch system" 2 "$SHAKEDOWN" run --plan "$T/queue.json" --scheduler slrum --dry-run
says "is one for a dry run too, and whose it is" "--scheduler: no scheduler 'slrum' (did you mean 'slurm'?)"
exits "completion" 0 "$SHAKEDOWN" completion bash
check "is valid shell" bash -n "$T/out"

# A full disk: /dev/full takes nothing.
exits "standard output on a full disk" 4 sh -c "'$SHAKEDOWN' list >/dev/full"
if [ "$(id -u)" = 0 ] && mkdir "$T/small" && mount -t tmpfs -o size=300k tmpfs "$T/small" 2>/dev/null; then
  exits "a workspace on a full disk" 4 "$SHAKEDOWN" run --here --plan "$PROJECT/tests/fixtures/plans/two-trivial.json" -w "$T/small/w" --progress none
  check "says so" grep -q 'No space left\|disk is full' "$T/err"  # the folder's words, or the store's
  umount "$T/small"
  mount -t tmpfs -o size=2m tmpfs "$T/small"
  LINE="head -c 9000000 /dev/zero >fill"
  plan_of "$T/fill.json" fill after
  exits "a disk that fills during a run" 4 "$SHAKEDOWN" run --here --plan "$T/fill.json" -w "$T/small/late" --progress none
  says "says so" "full"
  says "the way on names the workspace" " -w $T/small/late"
  says "and the campaign" "resume with: shakedown resume 2"
  umount "$T/small"
else
  echo "note: no tmpfs can be mounted here; the full-disk run is left out"
fi

# A batch system that is in use: refused without --here, with the batch line.
mkdir "$T/bin"
printf '#!/bin/sh\nexit 0\n' >"$T/bin/sbatch"
printf '#!/bin/sh\nexit 0\n' >"$T/bin/sinfo"
chmod +x "$T/bin/sbatch" "$T/bin/sinfo"
exits "quick on a login node" 2 env PATH="$T/bin:$PATH" "$SHAKEDOWN" quick -w "$T/w"
says "shows the batch line" "sbatch --nodes=1 --exclusive --wrap 'shakedown quick --here'"
exits "what a command of two words lacks" 2 "$SHAKEDOWN" inventory diff
says "is shown by its whole name" "shakedown inventory diff --help"
finish
