#include "suites/mlperf/reference/pairwise_sum.hpp"

#include <algorithm>
#include <cstddef>

namespace training {
namespace {

void add_before(const std::vector<float>& left, std::span<float> right) {
  for (std::size_t i = 0; i < right.size(); ++i) right[i] = left[i] + right[i];
}

}  // namespace

void PairwiseSum::take(std::span<float> gradients) {
  std::size_t level = 0;
  for (; level < levels_.size() && levels_[level].full; ++level) {
    add_before(levels_[level].sum, gradients);
    levels_[level].full = false;
  }
  if (level == levels_.size()) levels_.emplace_back();
  levels_[level].sum.assign(gradients.begin(), gradients.end());
  levels_[level].full = true;
  std::fill(gradients.begin(), gradients.end(), 0.0F);
}

void PairwiseSum::give(std::span<float> gradients) {
  bool any = false;
  for (Level& level : levels_) {
    if (!level.full) continue;
    if (any)
      add_before(level.sum, gradients);
    else
      std::copy(level.sum.begin(), level.sum.end(), gradients.begin());
    any = true;
    level.full = false;
  }
}

}  // namespace training
