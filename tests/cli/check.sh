# Sourced by the end-to-end tests: a folder of their own, and checks that say what they expected.
# SHAKEDOWN is the program under test.
set -u
: "${SHAKEDOWN:?}"
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
failures=0

# Checks that hold stand in one line, those that don't in lines of their own.
ok() { printf '%s · ' "$1"; }
fail() { printf '\nFAIL  %s\n' "$1"; failures=$((failures + 1)); }

# check NAME COMMAND...: the command must succeed.
check() {
  name=$1
  shift
  if "$@"; then ok "$name"; else fail "$name: $*"; fi
}

# exits NAME CODE COMMAND...: the command must exit with CODE; its output is in $T/out and $T/err.
exits() {
  name=$1 want=$2
  shift 2
  "$@" >"$T/out" 2>"$T/err" </dev/null
  got=$?
  if [ "$got" = "$want" ]; then
    ok "$name"
  else
    fail "$name: exit $got, expected $want: $*"
    sed 's/^/      | /' "$T/out" "$T/err"
  fi
}

# says NAME TEXT: the last command's stdout or stderr holds TEXT.
says() {
  if grep -qF -- "$2" "$T/out" "$T/err"; then
    ok "$1"
  else
    fail "$1: no '$2' in"
    sed 's/^/      | /' "$T/out" "$T/err"
  fi
}

finish() {
  [ "$failures" = 0 ] || { printf '\n%s checks failed\n' "$failures"; exit 1; }
  exit 0
}

# plan_of FILE ID... : a plan whose cases run the shell line in $LINE ('$ID' in it is the case).
plan_of() {
  file=$1
  shift
  {
    printf '{"schema":"shakedown.plan/1","system":"test","cases":['
    comma=
    for id in "$@"; do
      printf '%s{"id":"%s","argv":["/bin/sh","-c","%s"]}' "$comma" "$id" "$LINE"
      comma=,
    done
    printf ']}\n'
  } >"$file"
}
