#pragma once
#include <cmath>
#include <numeric>
#include <vector>

#include "tests/kernels/hpcg/operator.hpp"

namespace hpcg {

/// One symmetric Gauss-Seidel step on a whole grid, by the definition.
inline void smooth(const Sides& sides, const std::vector<double>& r, std::vector<double>& x) {
  const std::vector<Point> points = box({0, 0, 0}, sides);
  const auto relax = [&](std::size_t row) {
    double sum = r[row];
    for_neighbours(sides, points[row], [&](const Point& other) {
      if (other != points[row]) sum += x[static_cast<std::size_t>(place(sides, other))];
    });
    x[row] = sum / 26;
  };
  for (std::size_t row = 0; row < points.size(); ++row) relax(row);
  for (std::size_t row = points.size(); row-- > 0;) relax(row);
}

/// HPCG's V-cycle from zero: a step before and after the coarser grid's correction, which is injected.
inline std::vector<double> cycle(const Sides& sides, const std::vector<double>& r, int level = 1) {
  std::vector<double> x(r.size());
  smooth(sides, r, x);
  if (level == 4) return x;
  const Sides half = {sides[0] / 2, sides[1] / 2, sides[2] / 2};
  const std::vector<double> Ax = product(sides, x);
  std::vector<std::size_t> fine;
  std::vector<double> residual;
  for (const Point& at : box({0, 0, 0}, half)) {
    fine.push_back(static_cast<std::size_t>(place(sides, {2 * at[0], 2 * at[1], 2 * at[2]})));
    residual.push_back(r[fine.back()] - Ax[fine.back()]);
  }
  const std::vector<double> correction = cycle(half, residual, level + 1);
  for (std::size_t i = 0; i < fine.size(); ++i) x[fine[i]] += correction[i];
  smooth(sides, r, x);
  return x;
}

inline double dot(const std::vector<double>& a, const std::vector<double>& b) {
  return std::inner_product(a.begin(), a.end(), b.begin(), 0.0);
}

/// Residuals of conjugate gradients for A x = A 1 from x = 0, over the first one, iteration by iteration.
inline std::vector<double> textbook_history(const Sides& sides, int iterations, bool preconditioned) {
  std::vector<double> r = product(sides, std::vector<double>(box({0, 0, 0}, sides).size(), 1));
  const double first = std::sqrt(dot(r, r));
  std::vector<double> p(r.size());
  std::vector<double> history;
  double before = 1;
  for (int k = 0; k < iterations; ++k) {
    const std::vector<double> z = preconditioned ? cycle(sides, r) : r;
    const double rz = dot(r, z);
    for (std::size_t i = 0; i < p.size(); ++i) p[i] = z[i] + (k > 0 ? rz / before * p[i] : 0);
    before = rz;
    const std::vector<double> Ap = product(sides, p);
    const double alpha = rz / dot(p, Ap);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] -= alpha * Ap[i];
    history.push_back(std::sqrt(dot(r, r)) / first);
  }
  return history;
}

}  // namespace hpcg
