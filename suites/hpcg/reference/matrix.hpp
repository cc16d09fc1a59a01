#pragma once
#include <mpi.h>

#include <cstdint>
#include <vector>

#include "suites/hpcg/reference/array.hpp"
#include "suites/hpcg/reference/geometry.hpp"

namespace hpcg {

/// A row of another rank that a row of this one refers to.
struct Reference {
  int owner = 0;
  std::int64_t column = 0;  ///< global
  int row = 0;              ///< local, that refers to it
  std::size_t entry = 0;    ///< of the matrix, where the reference is
};

/// What a vector needs of other ranks: the values of their rows, behind those of this rank, by owner and then
/// by global row.
class Halo {
 public:
  Halo() = default;
  /// Sorts the references and writes the place of each value, from `rows` on, to columns[entry]. With a
  /// symmetric matrix no message is needed for what the neighbours want: the rows that refer to theirs.
  Halo(std::vector<Reference> references, int rows, int* columns);

  /// Fills the halo of x with the neighbours' current values.
  void exchange(double* x);
  /// The halo alone.
  void zero(double* x) const;
  /// Values in it.
  [[nodiscard]] int size() const { return size_; }
  /// Values that an exchange sends.
  [[nodiscard]] int sent() const { return static_cast<int>(sent_rows_.size()); }
  [[nodiscard]] int neighbours() const { return static_cast<int>(neighbours_.size()); }

 private:
  struct OtherProcess {
    int rank = 0;
    int first_received = 0;
    int received = 0;
    int first_sent = 0;
    int sent = 0;
  };
  int rows_ = 0;
  int size_ = 0;
  std::vector<OtherProcess> neighbours_;
  std::vector<int> sent_rows_;
  std::vector<double> buffer_;
  std::vector<MPI_Request> requests_;
};

/// This rank's rows of a sparse matrix, compressed, with local columns: those of the halo are behind the
/// rows. Entries of a row ascend by global column.
struct SparseMatrix {
  int rows = 0;
  std::int64_t all_rows = 0;      ///< of all ranks
  std::int64_t all_nonzeros = 0;  ///< of all ranks
  Array<int> start;               ///< of each row in `column` and `value`, and the end
  Array<int> column;
  Array<double> value;
  Array<int> diagonal;  ///< of each row in `value`

  [[nodiscard]] int nonzeros() const { return start[rows]; }
  [[nodiscard]] std::size_t bytes() const {
    return start.bytes() + column.bytes() + value.bytes() + diagonal.bytes();
  }
};

/// One grid's matrix with what its vectors exchange. The halo outlives the matrix where that was rearranged.
struct System {
  Geometry geometry;
  SparseMatrix matrix;
  Halo halo;

  [[nodiscard]] int rows() const { return matrix.rows; }
  [[nodiscard]] int columns() const { return matrix.rows + halo.size(); }
};

/// The 27-point operator: 26 on the diagonal, -1 for each neighbour in the global grid. Collective.
///
/// Source: HPCG 3.1, GenerateProblem_ref.cpp, SetupHalo_ref.cpp.
System generate(const Geometry& geometry);

/// The right-hand side whose solution is 1 everywhere: the sum of each row.
Vector right_hand_side(const SparseMatrix& matrix);

}  // namespace hpcg
