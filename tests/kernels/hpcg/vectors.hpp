#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "suites/hpcg/reference/array.hpp"

namespace hpcg {

template <class Distribution>
Vector drawn(std::size_t size, unsigned seed, Distribution numbers) {
  std::mt19937 engine(seed);
  Vector v(size);
  for (std::size_t i = 0; i < size; ++i) v[i] = static_cast<double>(numbers(engine));
  return v;
}

/// Numbers from -1 to 1.
inline Vector noise(std::size_t size, unsigned seed) {
  return drawn(size, seed, std::uniform_real_distribution<double>(-1, 1));
}

/// Whole numbers from -9 to 9: products and sums of them are exact.
inline Vector integers(std::size_t size, unsigned seed) {
  return drawn(size, seed, std::uniform_int_distribution<int>(-9, 9));
}

inline Vector copy_of(const Vector& v) {
  Vector twin(v.size());
  std::copy(v.data(), v.data() + v.size(), twin.data());
  return twin;
}

/// The first `count` numbers.
inline std::vector<double> first(const Vector& v, std::size_t count) {
  return {v.data(), v.data() + count};
}

/// The largest difference over the largest number; nan where one is.
inline double difference(const std::vector<double>& a, const std::vector<double>& b) {
  double most = 0;
  double scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double off = std::fabs(a[i] - b.at(i));
    if (std::isnan(off)) return off;
    most = std::max(most, off);
    scale = std::max(scale, std::fabs(b[i]));
  }
  return scale > 0 ? most / scale : most;
}

}  // namespace hpcg
