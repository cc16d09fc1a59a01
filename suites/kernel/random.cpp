#include "suites/kernel/random.hpp"

namespace kernel {

Jump Jump::times(std::uint64_t count) const {
  Jump result{1, 0};
  Jump square = *this;
  for (; count > 0; count >>= 1) {
    if (count & 1) result = {square.a * result.a, square.a * result.c + square.c};
    square = {square.a * square.a, square.a * square.c + square.c};
  }
  return result;
}

std::uint64_t random_state(std::uint64_t index) {
  constexpr std::uint64_t seed = 100;
  return Jump{}.times(index + 1)(seed);
}

}  // namespace kernel
