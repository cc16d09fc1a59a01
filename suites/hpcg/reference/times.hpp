#pragma once

#include <mpi.h>

namespace hpcg {

/// Seconds by kernel, as HPCG's report lists them.
struct Times {
  double total = 0;
  double dot = 0;      ///< dot products, with their sum over ranks
  double combine = 0;  ///< linear combinations of two vectors: WAXPBY
  double product = 0;  ///< matrix times vector, with its halo exchange: SpMV
  double multigrid = 0;
  double allreduce = 0;  ///< the part of `dot` in MPI_Allreduce
};

/// Adds its own life time to a time.
class Timed {
 public:
  explicit Timed(double& seconds) : seconds_(seconds) {}
  ~Timed() { seconds_ += MPI_Wtime() - begin_; }
  Timed(const Timed&) = delete;
  Timed& operator=(const Timed&) = delete;

 private:
  double& seconds_;
  double begin_ = MPI_Wtime();
};

}  // namespace hpcg
