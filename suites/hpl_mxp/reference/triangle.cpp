#include "suites/hpl_mxp/reference/triangle.hpp"

#include <cblas.h>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace hpl_mxp {
namespace {

constexpr int kBlock = 32;
/// Columns of B, or rows of A, that stay in a core's cache from the first block to the last.
constexpr int kCached = 256;

/// The inverses of the blocks on the diagonal of L or U, one after the other, each by columns.
std::vector<float> inverses(const DiagonalBlock& block, CBLAS_UPLO part) {
  std::vector<float> all(static_cast<std::size_t>(block.width) * kBlock);
  for (int i = 0; i < block.width; i += kBlock) {
    const int width = std::min(kBlock, block.width - i);
    float* inverse = all.data() + static_cast<std::size_t>(i) * kBlock;
    for (int k = 0; k < width; ++k) inverse[k * width + k] = 1.0F;
    cblas_strsm(CblasColMajor, CblasLeft, part, CblasNoTrans, part == CblasLower ? CblasUnit : CblasNonUnit,
                width, width, 1.0F, block.data + static_cast<std::size_t>(i) * block.ld + i, block.ld,
                inverse, width);
  }
  return all;
}

void copy(const Part& from, float* to) {
  for (int j = 0; j < from.columns; ++j)
    std::copy_n(from.data + static_cast<std::size_t>(j) * from.ld, from.rows,
                to + static_cast<std::size_t>(j) * from.rows);
}

/// C := beta C + alpha A B.
void multiply(float alpha, const float* A, int lda, const float* B, int ldb, int depth, float beta,
              const Part& C) {
  cblas_sgemm(CblasColMajor, CblasNoTrans, CblasNoTrans, C.rows, C.columns, depth, alpha, A, lda, B, ldb,
              beta, C.data, C.ld);
}

}  // namespace

void solve_by_L(const DiagonalBlock& block, const Part& B) {
  const std::vector<float> inverse = inverses(block, CblasLower);
  std::vector<float> before(static_cast<std::size_t>(kBlock) * kCached);
  for (int j = 0; j < B.columns; j += kCached) {
    float* slice = B.data + static_cast<std::size_t>(j) * B.ld;
    const int columns = std::min(kCached, B.columns - j);
    for (int i = 0; i < block.width; i += kBlock) {
      const int width = std::min(kBlock, block.width - i);
      const Part rows{slice + i, B.ld, width, columns};
      if (i > 0) multiply(-1.0F, block.data + i, block.ld, slice, B.ld, i, 1.0F, rows);
      copy(rows, before.data());
      multiply(1.0F, inverse.data() + static_cast<std::size_t>(i) * kBlock, width, before.data(), width,
               width, 0.0F, rows);
    }
  }
}

void solve_by_U(const DiagonalBlock& block, const Part& A) {
  const std::vector<float> inverse = inverses(block, CblasUpper);
  std::vector<float> before(static_cast<std::size_t>(kBlock) * kCached);
  for (int i = 0; i < A.rows; i += kCached) {
    float* slice = A.data + i;
    const int rows = std::min(kCached, A.rows - i);
    for (int j = 0; j < block.width; j += kBlock) {
      const int width = std::min(kBlock, block.width - j);
      const std::size_t column = static_cast<std::size_t>(j);
      const Part columns{slice + column * A.ld, A.ld, rows, width};
      if (j > 0) multiply(-1.0F, slice, A.ld, block.data + column * block.ld, block.ld, j, 1.0F, columns);
      copy(columns, before.data());
      multiply(1.0F, before.data(), rows, inverse.data() + column * kBlock, width, width, 0.0F, columns);
    }
  }
}

}  // namespace hpl_mxp
