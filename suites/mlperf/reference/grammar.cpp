#include "suites/mlperf/reference/grammar.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>
#include <utility>

namespace training {
namespace {

constexpr double kOpens = 0.10;
constexpr double kCloses = 0.20;
constexpr std::array<double, 4> kOdds = {0.55, 0.25, 0.15, 0.05};  // of a word's successors

int opening(int kind) {
  return 1 + kind;
}
int closing(int kind) {
  return 1 + Grammar::kinds + kind;
}
int token_of(int word) {
  return 1 + 2 * Grammar::kinds + word;
}

/// A clause that is open, or the text itself.
struct Level {
  int chain = 0;
  int row = Grammar::words;  ///< the last word, or the row that begins
};

}  // namespace

Grammar::Grammar(std::uint64_t seed) {
  Random random(seed, 0);
  for (Chain& chain : chains_)
    for (Row& row : chain) draw(row, random);
}

void Grammar::draw(Row& row, Random& random) {
  for (auto next = row.begin(); next != row.end(); ++next) {
    do *next = random.below(words);
    while (std::find(row.begin(), next, *next) != next);
  }
}

Grammar Grammar::dialect(std::uint64_t seed, double share) const {
  Grammar other = *this;
  Random random(seed, 1);
  for (Chain& chain : other.chains_)
    for (Row& row : chain)
      if (random.uniform() < share) draw(row, random);
  return other;
}

Text Grammar::text(Random& random, int length) const {
  Text text;
  text.tokens.reserve(static_cast<std::size_t>(length) + 1);
  text.tokens.push_back(beginning);
  std::vector<Level> levels = {{}};
  const auto emit = [&](int token, double probability) {
    text.tokens.push_back(token);
    text.surprise -= std::log(probability);
  };
  for (int i = 0; i < length; ++i) {
    const double opens = levels.size() <= deepest ? kOpens : 0;
    const double closes = levels.size() > 1 ? kCloses : 0;
    const double u = random.uniform();
    if (u < opens) {
      const int kind = random.below(kinds);
      emit(opening(kind), opens / kinds);
      levels.push_back({kind + 1, words});
    } else if (u < opens + closes) {
      emit(closing(levels.back().chain - 1), closes);
      levels.pop_back();
    } else {
      double v = random.uniform();
      std::size_t choice = 0;
      while (choice + 1 < kOdds.size() && v >= kOdds[choice]) v -= kOdds[choice++];
      Level& level = levels.back();
      const int word =
          chains_[static_cast<std::size_t>(level.chain)][static_cast<std::size_t>(level.row)][choice];
      emit(token_of(word), (1 - opens - closes) * kOdds[choice]);
      level.row = word;
    }
  }
  return text;
}

namespace {

constexpr std::uint64_t kStep = 0x9e3779b97f4a7c15;

std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

}  // namespace

// Streams start at hashed places of one long sequence, so that neighbouring numbers have nothing in common.
Random::Random(std::uint64_t seed, std::uint64_t stream) : state_(mixed(mixed(seed + kStep) + stream)) {}

std::uint64_t Random::bits() {
  return mixed(state_ += kStep);
}

double Random::uniform() {
  return static_cast<double>(bits() >> 11) * 0x1p-53;
}

int Random::below(int limit) {
  return static_cast<int>(uniform() * limit);
}

double Random::normal() {
  const double radius = std::sqrt(-2 * std::log(1 - uniform()));
  return radius * std::cos(2 * std::numbers::pi * uniform());
}

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
