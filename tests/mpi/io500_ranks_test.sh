# IO500's phases, what they write and what they find wrong, on any number of ranks: the cases of tests/kernels/io500 under [ranks].
# Disks that discard what is freed remove a few hundred files a second.
[ -w /dev/shm ] && place=/dev/shm
kernel=io500
program=$BUILD/tests/test_kernel_io500
. "$PROJECT/tests/mpi/ranks.sh"
limit=120
holds_on_any_ranks
