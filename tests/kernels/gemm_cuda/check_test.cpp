#include "suites/gemm/cuda/host/check.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <functional>
#include <limits>

using namespace gemm_cuda;

namespace {

constexpr int order = 256;

const Precision& precision(std::string_view name) {
  for (const Precision& each : precisions)
    if (each.name == name) return each;
  throw std::runtime_error("no such precision");
}

/// The product by columns, its terms added by `add`, each entry written by `write`.
struct Arithmetic {
  std::function<double(double)> factor = [](double value) { return value; };
  std::function<double(double, double)> add = [](double sum, double term) { return sum + term; };
  std::function<double(double)> write = [](double sum) { return sum; };
};

std::vector<double> product(const Factors& factors, const Arithmetic& arithmetic) {
  std::vector<double> c(static_cast<size_t>(order) * order);
  for (int j = 0; j < order; ++j)
    for (int i = 0; i < order; ++i) {
      double sum = 0;
      for (int k = 0; k < order; ++k)
        sum = arithmetic.add(sum, arithmetic.factor(factors.a(i, k)) * arithmetic.factor(factors.b(k, j)));
      c[static_cast<size_t>(j) * order + static_cast<size_t>(i)] = arithmetic.write(sum);
    }
  return c;
}

/// The product's error in its bound: at most 1 is right.
double share_of_bound(const Precision& each, const std::vector<double>& c) {
  const Expected expected{Factors(order, each.digits)};
  ProductCheck check(expected);
  for (int j = 0; j < order; ++j) check.add(j, c.data() + static_cast<size_t>(j) * order);
  return check.error() / ProductCheck::bound(each, order);
}

double share_of_bound(std::string_view name, const Arithmetic& arithmetic) {
  const Precision& each = precision(name);
  return share_of_bound(each, product(Factors(order, each.digits), arithmetic));
}

/// `digits` significant bits, cut or rounded.
double cut(double value, int digits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::trunc(std::ldexp(fraction, digits)), exponent - digits);
}
double rounded(double value, int digits) {
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  return std::ldexp(std::nearbyint(std::ldexp(fraction, digits)), exponent - digits);
}

double in_float(double sum, double term) {
  return static_cast<double>(static_cast<float>(sum) + static_cast<float>(term));
}

}  // namespace

TEST_CASE("a product that is computed as its precision says is right, whichever it is") {
  CHECK(share_of_bound("FP64", {}) <= 1);
  CHECK(share_of_bound("TF32", {.add = in_float}) <= 1);
  CHECK(share_of_bound("BF16", {.add = in_float, .write = [](double v) { return rounded(v, 8); }}) <= 1);
  CHECK(share_of_bound("FP16", {.add = in_float, .write = [](double v) { return rounded(v, 11); }}) <= 1);
  // Sums of 14 bits, cut once for each 32 products: fast accumulation.
  double block = 0;
  int terms = 0;
  CHECK(share_of_bound("FP8", {.add =
                                   [&](double sum, double term) {
                                     block += term;
                                     if (++terms % 32 != 0) return sum;
                                     sum = cut(sum + block, 14);
                                     block = 0;
                                     return sum;
                                   },
                               .write = [](double v) { return rounded(v, 8); }}) <= 1);
}

TEST_CASE("fewer bits than the precision's are found out") {
  CHECK(share_of_bound("FP64", {.add = in_float}) > 1);
  CHECK(share_of_bound("TF32", {.factor = [](double v) { return rounded(v, 8); }, .add = in_float}) > 1);
  CHECK(share_of_bound("FP16", {.add = in_float, .write = [](double v) { return rounded(v, 5); }}) > 1);
  CHECK(share_of_bound("BF16", {.add = in_float, .write = [](double v) { return rounded(v, 4); }}) > 1);
  CHECK(share_of_bound("FP8", {.write = [](double v) { return rounded(v, 2); }}) > 1);
}

TEST_CASE("a wrong part of a product is found out in every precision") {
  for (const Precision& each : precisions) {
    INFO(each.name);
    const std::vector<double> right = product(Factors(order, each.digits), {});
    CHECK(share_of_bound(each, right) <= 1);
    std::vector<double> tile = right;
    for (size_t j = 64; j < 128; ++j)
      for (size_t i = 64; i < 128; ++i) tile[j * order + i] = right[(j + 64) * order + i];
    CHECK(share_of_bound(each, tile) > 1);
    std::vector<double> column = right;
    for (size_t i = 0; i < order; ++i) column[7 * order + i] = 0;
    CHECK(share_of_bound(each, column) > 1);
    std::vector<double> nan = right;
    nan[9999] = std::numeric_limits<double>::quiet_NaN();
    CHECK(std::isinf(share_of_bound(each, nan)));
    std::vector<double> twice = right;
    for (double& value : twice) value *= 2;
    CHECK(share_of_bound(each, twice) > 1);
  }
}

TEST_CASE("in FP64 and TF32 a single wrong entry is found out") {
  for (const char* name : {"FP64", "TF32"}) {
    const Precision& each = precision(name);
    std::vector<double> one = product(Factors(order, each.digits), {});
    one[4711] += 1;
    CHECK(share_of_bound(each, one) > 1);
  }
}

TEST_CASE("the factors are random, of full length and exact in their formats") {
  for (const Precision& each : precisions) {
    INFO(each.name);
    const Factors factors(order, each.digits);
    double sum = 0;
    double squares = 0;
    double least = 1;
    for (int i = 0; i < order; ++i)
      for (int k = 0; k < order; ++k) {
        const double a = factors.a(i, k);
        CHECK(cut(a, each.digits) == a);
        sum += a;
        squares += a * a;
        if (a != 0) least = std::min(least, std::fabs(a));
      }
    constexpr double count = static_cast<double>(order) * order;
    CHECK(std::fabs(sum / count + std::ldexp(1.0, -each.digits - 2)) < 0.005);
    CHECK(squares / count == Approx(1.0 / 12).epsilon(0.02));
    CHECK(factors.a(3, 5) != factors.b(5, 3));
    if (each.digits <= 11) CHECK(least == std::ldexp(1.0, -each.digits - 1));
  }
}
