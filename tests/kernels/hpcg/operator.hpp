#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "suites/hpcg/reference/geometry.hpp"

namespace hpcg {

/// A point of a global grid.
using Point = std::array<std::int64_t, 3>;
using Sides = std::array<std::int64_t, 3>;

/// The 27-point operator by its definition: 26 of a point with itself, -1 of two that touch, else 0.
inline double entry(const Point& a, const Point& b) {
  for (std::size_t d = 0; d < 3; ++d)
    if (std::abs(a[d] - b[d]) > 1) return 0;
  return a == b ? 26 : -1;
}

/// The place of a point in vectors of the whole grid: the x-direction runs fastest.
inline std::int64_t place(const Sides& sides, const Point& at) {
  return (at[2] * sides[1] + at[1]) * sides[0] + at[0];
}

inline std::vector<Point> box(const Point& first, const Sides& sides) {
  std::vector<Point> points;
  for (std::int64_t z = 0; z < sides[2]; ++z)
    for (std::int64_t y = 0; y < sides[1]; ++y)
      for (std::int64_t x = 0; x < sides[0]; ++x)
        points.push_back({first[0] + x, first[1] + y, first[2] + z});
  return points;
}

inline Sides sides_of(const Box& box) {
  return {box.x, box.y, box.z};
}

/// The points of a rank in the order of its rows.
inline std::vector<Point> own_points(const Geometry& g) {
  return box(g.origin, sides_of(g.local));
}

/// The points of other ranks that touch those of this one, in the order of its halo: by owner, then by place.
inline std::vector<Point> halo_points(const Geometry& g) {
  std::vector<Point> points;
  for (const Point& at : box({0, 0, 0}, g.global)) {
    bool inside = true;
    bool touches = true;
    for (std::size_t d = 0; d < 3; ++d) {
      const std::int64_t end = g.origin[d] + sides_of(g.local)[d];
      inside = inside && at[d] >= g.origin[d] && at[d] < end;
      touches = touches && at[d] >= g.origin[d] - 1 && at[d] <= end;
    }
    if (touches && !inside) points.push_back(at);
  }
  std::stable_sort(points.begin(), points.end(), [&](const Point& a, const Point& b) {
    return g.owner(a[0], a[1], a[2]) < g.owner(b[0], b[1], b[2]);
  });
  return points;
}

/// Visits the points of the grid that a point's row refers to, the point itself among them, in order.
template <class Visit>
void for_neighbours(const Sides& sides, const Point& at, Visit visit) {
  for (std::int64_t z = std::max<std::int64_t>(0, at[2] - 1); z < std::min(at[2] + 2, sides[2]); ++z)
    for (std::int64_t y = std::max<std::int64_t>(0, at[1] - 1); y < std::min(at[1] + 2, sides[1]); ++y)
      for (std::int64_t x = std::max<std::int64_t>(0, at[0] - 1); x < std::min(at[0] + 2, sides[0]); ++x)
        visit(Point{x, y, z});
}

inline std::vector<Point> neighbours(const Sides& sides, const Point& at) {
  std::vector<Point> found;
  for_neighbours(sides, at, [&](const Point& other) { found.push_back(other); });
  return found;
}

/// A x on the whole grid.
inline std::vector<double> product(const Sides& sides, const std::vector<double>& x) {
  std::vector<double> y;
  for (const Point& at : box({0, 0, 0}, sides)) {
    double sum = 0;
    for_neighbours(sides, at, [&](const Point& other) {
      sum += entry(at, other) * x[static_cast<std::size_t>(place(sides, other))];
    });
    y.push_back(sum);
  }
  return y;
}

}  // namespace hpcg
