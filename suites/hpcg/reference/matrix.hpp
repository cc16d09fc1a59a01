#pragma once

#include <cstdint>

#include "suites/hpcg/reference/array.hpp"
#include "suites/hpcg/reference/geometry.hpp"
#include "suites/hpcg/reference/halo.hpp"

namespace hpcg {

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
