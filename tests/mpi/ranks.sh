# Sourced by the tests of an MPI kernel, which set `kernel` to its name (and `program`, where it isn't the kernel itself
# that runs): a folder of their own, in $place where that is set, the kernel on any number of ranks there, and what all
# kernels do with wrong input.
program=${program:-$LIBEXEC/$kernel}
if ! command -v mpirun >/dev/null; then
  echo "SKIPPED: mpirun is not installed"
  exit 77
fi
if [ ! -x "$program" ]; then
  echo "SKIPPED: $program was not built (it needs MPI and a CBLAS)"
  exit 77
fi

# Open MPI keeps memory until exit, which LeakSanitizer takes for leaks of ours; a refused allocation has to come
# back as null, as it does without the sanitizer; and the libraries that plant faults are loaded before it.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:verify_asan_link_order=0
sanitized=
patience=1
if grep -q __asan_init "$program"; then
  sanitized=yes
  patience=5
fi
export OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 OMP_WAIT_POLICY=passive
# Open MPI gives ranks a second or two to end after one exited with an error; these end by themselves.
export OMPI_MCA_odls_base_sigkill_timeout=0
as_root=
[ "$(id -u)" = 0 ] && as_root=--allow-run-as-root
folder=$(mktemp -d "${place:-${TMPDIR:-/tmp}}/shakedown-test.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

# run RANKS ARGUMENT...: the kernel, with more options of mpirun from $more; what it prints in out and err, its exit
# code in code. One that hangs, or takes longer than $limit seconds, has 124.
more=
run() {
  ranks=$1
  shift
  # shellcheck disable=SC2086
  timeout -k 5 $((${limit:-60} * patience)) mpirun $as_root --oversubscribe --bind-to none $more -np "$ranks" \
    "$program" "$@" >out 2>err
  code=$?
}

# fail WHAT: ends the test with what the last run printed and wrote: the files in $also.
also=
fail() {
  echo "FAILED: $*"
  for file in out err $also; do
    echo "--- $file"
    [ ! -e "$file" ] || tail -n 200 "$file"
  done
  exit 1
}

# Whether the run at hand reported a result.
reported() { [ -s out ]; }

# refuses TEXT RANKS ARGUMENT...: one line that begins with $error and holds TEXT, $hints ways out, exit code 2, and no
# result.
error="$kernel: "
hints=1
refuses() {
  text=$1
  shift
  run "$@"
  [ "$code" = 124 ] && fail "'$*': hangs"
  [ "$code" = 2 ] || fail "'$*': exit code $code"
  [ "$(grep -c "^$error" err)" = 1 ] || fail "'$*': not said exactly once"
  grep "^$error" err | grep -qF -- "$text" || fail "'$*': not said: $text"
  [ "$(grep -c '^hint: ' err)" = "$hints" ] || fail "'$*': not $hints ways out"
  reported && fail "'$*': reports a result"
  echo "refused: $(grep "^$error" err)"
}

# prints_help: on all ranks together once.
prints_help() {
  run 2 --help
  [ "$code" = 0 ] || fail "--help: exit code $code"
  [ "$(grep -c '^usage: ' out)" = 1 ] || fail "--help isn't printed once"
}

# plants NAME WHAT: builds NAME.c, a library that plants a fault, and has the ranks load it. False, and said, where that
# can't be, so that WHAT isn't checked.
plants() {
  if OMPI_CC=cc mpicc -shared -fPIC -D_GNU_SOURCE -o "$1.so" "$1.c" -ldl 2>mpicc.err; then
    more="-x LD_PRELOAD=$folder/$1.so"
  else
    echo "not checked here: that $2 (no library: $(head -n 1 mpicc.err))"
    return 1
  fi
}

# holds_on_any_ranks: what a program of tests/kernels has under [ranks] passes on each of 1, 2, 3, 4 and 8 ranks.
holds_on_any_ranks() {
  export TMPDIR="$folder"
  for ranks in 1 2 3 4 8; do
    run $ranks --use-colour no "[ranks]"
    [ "$code" = 0 ] || fail "on $ranks ranks: exit code $code"
    [ "$(grep -c '^All tests passed' out)" = $ranks ] || fail "not all tests passed on each of $ranks ranks"
    echo "$ranks ranks: $(grep '^All tests passed' out | sort -u)"
  done
}
