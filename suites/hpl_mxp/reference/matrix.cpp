#include "suites/hpl_mxp/reference/matrix.hpp"

#include <algorithm>

namespace hpl_mxp {

std::size_t leading_dimension(int rows) {
  constexpr std::size_t line = 16;
  const std::size_t lines = (static_cast<std::size_t>(rows) + line - 1) / line;
  return (lines | 1) * line;
}

Matrix::Matrix(const Entries& entries)
    : N(entries.N),
      NB(entries.NB),
      row(entries.row),
      column(entries.column),
      p(entries.p),
      q(entries.q),
      rows(entries.rows),
      columns(entries.columns),
      ld(leading_dimension(entries.rows)) {}

bool Matrix::allocate() {
  storage_ = kernel::Buffer<float>(floats());
  if (storage_) std::fill_n(storage_.data(), floats(), 0.0F);
  return static_cast<bool>(storage_);
}

}  // namespace hpl_mxp
