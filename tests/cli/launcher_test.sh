#!/bin/sh
# A launcher that can't start anything is the environment's failure (exit 4), a benchmark that refuses its input is
# not; a launcher that is missing is said when planning.
. "$(dirname -- "$0")/check.sh"
cd "$T" || exit 1
mkdir bin
fake_mpirun() { # BODY
  printf '#!/bin/sh\n%s\n' "$1" >bin/mpirun
  chmod +x bin/mpirun
}
cat >plan.json <<'P'
{"schema":"shakedown.plan/1","system":"test","cases":[
{"id":"one","suite":"hpl","launcher":"mpirun","program":"/bin/true","ranks":1},
{"id":"two","suite":"hpl","launcher":"mpirun","program":"/bin/true","ranks":1}]}
P

fake_mpirun 'echo "mpirun: no room for the session directory" >&2; exit 1'
exits "a launcher that fails in every case: exit 4" 4 env PATH="$T/bin:$PATH" "$SHAKEDOWN" run --here --plan plan.json -w failed --progress none
says "the verdict says that nothing was started" "no case could be started: mpirun could not start the program: exit code 1"
says "and why" "mpirun: no room for the session directory"
exits "its report exits alike" 4 "$SHAKEDOWN" report -w failed
exits "status says so" 0 "$SHAKEDOWN" status -w failed
says "case by case" "not-started  two"

fake_mpirun 'echo "HPLinpack 2.3"; exit 0'
exits "resume tries again what was not started" 3 env PATH="$T/bin:$PATH" "$SHAKEDOWN" resume --here -w failed --progress none
check "in a second attempt" [ -e failed/campaigns/*/two/attempt-2/finished.json ]

fake_mpirun 'echo "HPL.dat:6: no whole number" >&2
echo "Primary job  terminated normally, but 1 process returned" >&2
exit 1'
exits "a benchmark that refuses its input: exit 3" 3 env PATH="$T/bin:$PATH" "$SHAKEDOWN" run --here --plan plan.json -w refused --progress none

fake_mpirun 'exit 7'
exits "doctor: an mpirun that fails without a word" 4 env PATH="$T/bin:$PATH" "$SHAKEDOWN" doctor -w "$T/w"
says "is said to" "exit code 7 and no output"

# Planning needs no launcher, but says that there is none.
mkdir none
for tool in sh env ldd; do ln -s "$(command -v $tool)" none/; done
exits "plan without mpirun" 0 env PATH="$T/none" "$SHAKEDOWN" plan --suite gemm -o unlaunched.json --explain
says "warns" "mpirun is not in this machine's PATH"
exits "run --dry-run without mpirun" 0 env PATH="$T/none" "$SHAKEDOWN" run --plan unlaunched.json --dry-run
says "warns, too" "# note: mpirun is not in this machine's PATH"
check "once" [ "$(grep -c "not in this machine's PATH" out)" = 1 ]
fake_mpirun 'exit 0'
exits "a plan from there, read where mpirun is" 0 env PATH="$T/bin:$PATH" "$SHAKEDOWN" run --plan unlaunched.json --dry-run
check "warns no more" sh -c '! grep -q "PATH" out'
finish
