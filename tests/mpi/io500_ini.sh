# Sourced by the tests of the io500 kernel: its configuration.
# Disks that discard what is freed remove a few hundred files a second.
[ -w /dev/shm ] && place=/dev/shm
kernel=io500
. "$PROJECT/tests/mpi/ranks.sh"
limit=120
# Ranks that are ended get the time to clean up that Open MPI gives them by default.
unset OMPI_MCA_odls_base_sigkill_timeout

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
