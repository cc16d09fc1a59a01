# Sourced by the tests of the io500 kernel: sets up $folder and runs the kernel there.
if ! command -v mpirun >/dev/null; then
  echo "SKIPPED: mpirun is not installed"
  exit 77
fi
if [ ! -x "$LIBEXEC/io500" ]; then
  echo "SKIPPED: $LIBEXEC/io500 was not built (it needs MPI and a CBLAS)"
  exit 77
fi

# Open MPI keeps memory until exit, which LeakSanitizer takes for leaks of ours.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1:verify_asan_link_order=0
# Disks that discard what is freed remove a few hundred files a second.
place=${TMPDIR:-/tmp}
[ -w /dev/shm ] && place=/dev/shm
folder=$(mktemp -d "$place/io500-test.XXXXXX") || exit 1
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1
as_root=
[ "$(id -u)" = 0 ] && as_root=--allow-run-as-root

# ini EASY_N HARD_N [LINE...]: writes t.ini; further lines are added to [global].
ini() {
  easy_n=$1 hard_n=$2
  shift 2
  {
    printf '[global]\ndatadir = ./data\ntimestamp-datadir = FALSE\nresultdir = ./results\ntimestamp-resultdir = FALSE\n'
    [ $# = 0 ] || printf '%s\n' "$@"
    printf '[debug]\nstonewall-time = 1\n[ior-easy]\ntransferSize = 64k\nblockSize = %s\n' "${block:-1m}"
    printf '[mdtest-easy]\nn = %s\n[ior-hard]\nsegmentCount = %s\n[mdtest-hard]\nn = %s\n' "$easy_n" "${segments:-20}" "$hard_n"
  } >t.ini
}

# io500 RANKS ARGUMENT...: its exit code in code.
io500() {
  ranks=$1
  shift
  # shellcheck disable=SC2086
  timeout -k 5 120 mpirun $as_root --oversubscribe --bind-to none -np "$ranks" "$LIBEXEC/io500" "$@" >out 2>err
  code=$?
}

fail() {
  echo "FAILED: $*"
  cat out err
  exit 1
}
