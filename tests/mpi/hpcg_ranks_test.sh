# HPCG's halos, products, cycles and solves on any number of ranks: the cases of tests/kernels/hpcg under [ranks].
kernel=hpcg
program=$BUILD/tests/test_kernel_hpcg
. "$PROJECT/tests/mpi/ranks.sh"
limit=120
holds_on_any_ranks
