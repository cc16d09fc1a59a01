#include <catch2/catch.hpp>
#include <vector>

#include "suites/mlperf/reference/replicas.hpp"

using namespace training;

namespace {

float sum_of(PairwiseSum& sum, const std::vector<float>& summands) {
  std::vector<float> place(1);
  for (const float summand : summands) {
    place[0] = summand;
    sum.take(place);
    CHECK(place[0] == 0);
  }
  sum.give(place);
  return place[0];
}

}  // namespace

TEST_CASE("summands are added up in pairs, and pairs of pairs") {
  // In FP32 1e8 + 1 is 1e8: only sums of ones among themselves count.
  PairwiseSum sum;
  CHECK(sum_of(sum, {1e8F, 1, 3, 4}) == (1e8F + 1.0F) + (3.0F + 4.0F));
  CHECK(sum_of(sum, {1e8F, 0, 3, 3, 3, 3, 3, 3}) == (1e8F + 6.0F) + 12.0F);
  CHECK(sum_of(sum, {3, 3, 1e8F}) == 6.0F + 1e8F);
  CHECK(sum_of(sum, {1, 2, 3, 4, 5, 6, 7}) == 28);
  CHECK(sum_of(sum, {5}) == 5);
}

TEST_CASE("two halves added up apart and then together are the whole, bit for bit") {
  std::vector<float> summands;
  for (int i = 0; i < 8; ++i) summands.push_back(1.0F / static_cast<float>(3 + 7 * i * i));
  PairwiseSum sum;
  const std::vector<float> left(summands.begin(), summands.begin() + 4);
  const std::vector<float> right(summands.begin() + 4, summands.end());
  CHECK(sum_of(sum, left) + sum_of(sum, right) == sum_of(sum, summands));
}
