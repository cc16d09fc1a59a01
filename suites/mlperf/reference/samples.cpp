#include "suites/mlperf/reference/samples.hpp"

#include <numeric>
#include <utility>

namespace training {

Text Samples::sample(int i) const {
  Random random(part_, static_cast<std::uint64_t>(i));
  return grammar_.text(random, length_);
}

std::vector<int> Samples::tokens(const std::vector<int>& numbers) const {
  std::vector<int> all;
  all.reserve(numbers.size() * (static_cast<std::size_t>(length_) + 1));
  for (const int number : numbers) {
    const Text text = sample(number);
    all.insert(all.end(), text.tokens.begin(), text.tokens.end());
  }
  return all;
}

double Samples::floor(int count) const {
  double surprise = 0;
  for (int i = 0; i < count; ++i) surprise += sample(i).surprise;
  return surprise / (static_cast<double>(count) * length_);
}

std::vector<int> shuffled(int count, std::uint64_t seed, int epoch) {
  constexpr std::uint64_t epochs = 0x65706f6368;  // apart from the streams of the weights
  std::vector<int> order(static_cast<std::size_t>(count));
  std::iota(order.begin(), order.end(), 0);
  Random random(seed, epochs + static_cast<std::uint64_t>(epoch));
  for (int i = count - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(random.below(i + 1))]);
  return order;
}

}  // namespace training
