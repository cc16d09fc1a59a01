#include "suites/hpcg/reference/operations.hpp"

namespace hpcg {
namespace {

constexpr double kNumber = 8;
constexpr double kIndex = 4;
constexpr double kEntry = kNumber + kIndex;

/// Calls and their lengths: one preamble a set, and as many of each as an iteration has.
double vector_calls(double sets, double iterations) {
  return sets * (3 * iterations + 1);
}
double product_calls(double sets, double iterations) {
  return sets * (iterations + 1);
}

}  // namespace

Count operations(const LevelSizes& levels, double sets, double iterations) {
  const auto rows = static_cast<double>(levels[0].rows);
  const auto entries = static_cast<double>(levels[0].nonzeros);
  Count count;
  count.dot = count.combine = vector_calls(sets, iterations) * 2 * rows;
  count.product = product_calls(sets, iterations) * 2 * entries;
  for (int level = 0; level < kLevels; ++level) {
    // Two smoothing steps of 4 operations an entry and a residual of 2; one step on the coarsest grid.
    const double each = level + 1 < kLevels ? 10 : 4;
    count.multigrid += sets * iterations * each * static_cast<double>(levels[level].nonzeros);
  }
  return count;
}

Count bytes_read(const LevelSizes& levels, double sets, double iterations) {
  const auto rows = static_cast<double>(levels[0].rows);
  const auto entries = static_cast<double>(levels[0].nonzeros);
  Count count;
  count.dot = count.combine = vector_calls(sets, iterations) * 2 * rows * kNumber;
  count.product = product_calls(sets, iterations) * (entries * kEntry + rows * kNumber);
  for (int level = 0; level < kLevels; ++level) {
    const double matrix = static_cast<double>(levels[level].nonzeros) * kEntry;
    const double vector = static_cast<double>(levels[level].rows) * kNumber;
    count.multigrid +=
        sets * iterations * (level + 1 < kLevels ? 5 * matrix + 3 * vector : 2 * matrix + vector);
  }
  return count;
}

Count bytes_written(const LevelSizes& levels, double sets, double iterations) {
  const auto rows = static_cast<double>(levels[0].rows);
  Count count;
  count.dot = vector_calls(sets, iterations) * kNumber;
  count.combine = vector_calls(sets, iterations) * rows * kNumber;
  count.product = product_calls(sets, iterations) * rows * kNumber;
  for (int level = 0; level < kLevels; ++level) {
    const double vector = static_cast<double>(levels[level].rows) * kNumber;
    // HPCG counts entries, not rows, as written by the residual and the second step.
    const double entries = static_cast<double>(levels[level].nonzeros) * kNumber;
    count.multigrid += sets * iterations * (level + 1 < kLevels ? vector + 2 * entries : vector);
  }
  return count;
}

std::array<double, kLevels> problem_bytes(const LevelSizes& levels, double sets) {
  constexpr double geometry = 128;           // sizeof(Geometry)
  constexpr double coarse_structures = 504;  // Geometry, SparseMatrix, three Vectors, MGData
  constexpr double fine_row = 27 * (4 + 8 + 8) + 4 * 8 + 1 + 5 * 8;    // entries, pointers, x b xexact r Ap
  constexpr double coarse_row = 27 * (4 + 8 + 8) + 4 * 8 + 1 + 4 + 8;  // entries, pointers, f2c, rc
  constexpr double column = 2 * 8;                                     // z p, or xc Axf
  std::array<double, kLevels> bytes{};
  for (int level = 0; level < kLevels; ++level) {
    const LevelSize& size = levels[level];
    const auto rows = static_cast<double>(size.rows);
    const auto columns = static_cast<double>(size.columns);
    bytes[level] = level == 0 ? geometry + kNumber * sets + fine_row * rows + column * columns
                              : coarse_structures + coarse_row * rows + column * columns +
                                    kEntry * size.sent + 2.0 * kIndex * size.neighbours;
  }
  return bytes;
}

}  // namespace hpcg
