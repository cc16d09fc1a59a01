#include "suites/mlperf/reference/random.hpp"

#include <cmath>
#include <numbers>

namespace training {
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

}  // namespace training
