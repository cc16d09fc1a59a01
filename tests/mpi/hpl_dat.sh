# Sourced by the HPL tests: write_hpl_dat, mpi and their own folder.

if ! command -v mpirun >/dev/null; then
  echo "SKIPPED: mpirun is not installed"
  exit 77
fi
if [ ! -x "$LIBEXEC/hpl" ]; then
  echo "SKIPPED: $LIBEXEC/hpl was not built (it needs MPI and a CBLAS)"
  exit 77
fi

# Open MPI keeps memory until exit, which LeakSanitizer takes for leaks of ours; and a refused
# allocation has to come back as null, as it does without the sanitizer.
export ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1
export OPENBLAS_NUM_THREADS=1

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

# Open MPI gives ranks a second or two to end after one exited with an error; these end by themselves.
export OMPI_MCA_odls_base_sigkill_timeout=0
as_root=
[ "$(id -u)" = 0 ] && as_root=--allow-run-as-root

# mpi RANKS: hpl on that many ranks, in out and err; its exit code in code. A hang is 124.
mpi() {
  # shellcheck disable=SC2086
  timeout -k 5 "${limit:-100}" mpirun $as_root --oversubscribe --bind-to none -np "$1" "$LIBEXEC/hpl" >out 2>err
  code=$?
}

count() { echo $#; }

# write_hpl_dat NS NBS PMAP PS QS THRESHOLD: lists are blank-separated.
write_hpl_dat() {
  cat >HPL.dat <<DAT
HPLinpack benchmark input file
Innovative Computing Laboratory, University of Tennessee
HPL.out      output file name (if any)
6            device out (6=stdout,7=stderr,file)
$(count $1)            # of problems sizes (N)
$1           Ns
$(count $2)            # of NBs
$2           NBs
$3            PMAP process mapping (0=Row-,1=Column-major)
$(count $4)            # of process grids (P x Q)
$4           Ps
$5           Qs
$6           threshold
1            # of panel fact
2            PFACTs (0=left, 1=Crout, 2=Right)
1            # of recursive stopping criterium
4            NBMINs (>= 1)
1            # of panels in recursion
2            NDIVs
1            # of recursive panel fact.
1            RFACTs (0=left, 1=Crout, 2=Right)
1            # of broadcast
1            BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)
1            # of lookahead depth
1            DEPTHs (>=0)
2            SWAP (0=bin-exch,1=long,2=mix)
64           swapping threshold
0            L1 in (0=transposed,1=no-transposed) form
0            U  in (0=transposed,1=no-transposed) form
1            Equilibration (0=no,1=yes)
8            memory alignment in double (> 0)
DAT
}

fail() {
  echo "FAILED: $*"
  echo "--- HPL.dat"; sed -n 3,13p HPL.dat
  echo "--- stdout"; tail -n 30 out
  echo "--- stderr"; head -n 30 err
  exit 1
}
