#include "suites/gemm/cuda/host/precision.hpp"

#include <cmath>
#include <limits>

namespace gemm_cuda {

std::uint16_t encoded(SmallFormat format, double value) {
  if (value == 0) return 0;
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  int exponent = 0;
  const double fraction = std::frexp(std::fabs(value), &exponent);  // 0.5 <= fraction < 1
  const auto digits = static_cast<unsigned>(std::ldexp(fraction, format.fraction_bits + 1));
  const unsigned low = digits & ((1U << format.fraction_bits) - 1);
  const auto high = static_cast<unsigned>(exponent - 1 + bias) << format.fraction_bits;
  const unsigned sign = value < 0 ? 1U << (format.exponent_bits + format.fraction_bits) : 0;
  return static_cast<std::uint16_t>(sign | high | low);
}

double decoded(SmallFormat format, std::uint16_t bits) {
  const int bias = (1 << (format.exponent_bits - 1)) - 1;
  const int most = (1 << format.exponent_bits) - 1;
  const int exponent = bits >> format.fraction_bits & most;
  const int fraction = bits & ((1 << format.fraction_bits) - 1);
  const bool negative = (bits >> (format.exponent_bits + format.fraction_bits) & 1) != 0;
  const bool no_number = format == e4m3 ? exponent == most && fraction == (1 << format.fraction_bits) - 1
                                        : exponent == most;  // an infinity is as wrong
  if (no_number) return std::numeric_limits<double>::quiet_NaN();
  const double size = exponent == 0 ? std::ldexp(fraction, 1 - bias - format.fraction_bits)
                                    : std::ldexp(fraction + (1 << format.fraction_bits),
                                                 exponent - bias - format.fraction_bits);
  return negative ? -size : size;
}

}  // namespace gemm_cuda
