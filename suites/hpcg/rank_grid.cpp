#include "suites/hpcg/rank_grid.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace shakedown::hpcg {
namespace {

using PrimePower = std::pair<std::int64_t, int>;

/// Ascending; 1 counts as one factor, as HPCG has it.
std::vector<PrimePower> prime_factors(std::int64_t number) {
  std::vector<PrimePower> factors;
  for (std::int64_t prime = 2; prime * prime <= number; ++prime) {
    int count = 0;
    for (; number % prime == 0; number /= prime) ++count;
    if (count > 0) factors.emplace_back(prime, count);
  }
  if (number > 1 || factors.empty()) factors.emplace_back(number, 1);
  return factors;
}

std::int64_t power(std::int64_t base, int exponent) {
  std::int64_t value = 1;
  for (int i = 0; i < exponent; ++i) value *= base;
  return value;
}

/// All divisors in the order of HPCG's mixed-base counter: the exponent of the smallest prime runs fastest.
std::vector<std::int64_t> divisors(const std::vector<PrimePower>& factors) {
  std::vector<std::int64_t> list = {1};
  for (const auto& [prime, count] : factors) {
    const size_t lower = list.size();
    for (int exponent = 1; exponent <= count; ++exponent)
      for (size_t i = 0; i < lower; ++i) list.push_back(list[i] * power(prime, exponent));
  }
  return list;
}

Box searched_grid(std::int64_t ranks, const std::vector<PrimePower>& factors) {
  const std::vector<std::int64_t> list = divisors(factors);
  Box best = {ranks, 1, 1};
  std::int64_t least = 2 * ranks + 1;
  for (const std::int64_t x : list) {
    if (x == 1) continue;
    for (const std::int64_t y : list) {
      if (y == 1 || (ranks / x) % y != 0) continue;
      const std::int64_t z = ranks / x / y;
      if (const std::int64_t surface = x * y + y * z + x * z; surface < least) {
        least = surface;
        best = {x, y, z};
      }
    }
  }
  return best;
}

/// The next smaller number of nodes, or of ranks on one node, that HPCG runs on.
std::string next_good(const RankLayout& layout) {
  const auto text = [](int count, std::string_view noun, int ranks) {
    return fmt::format("{} {}{}: {}", count, noun, count == 1 ? "" : "s",
                       box_text(minimal_surface_grid(ranks)));
  };
  for (int nodes = layout.nodes - 1; nodes > 0; --nodes)
    if (is_good_rank_count(nodes * layout.ranks_per_node))
      return text(nodes, "node", nodes * layout.ranks_per_node);
  int ranks = layout.ranks() - 1;
  while (ranks > 1 && !is_good_rank_count(ranks)) --ranks;
  return text(ranks, "rank", ranks);
}

bool is_good(const Box& grid) {
  return aspect(grid) >= least_aspect;
}

std::string flatness(const Box& grid) {
  return fmt::format("its shortest side is {:.3f} of its longest, and HPCG aborts below {}", aspect(grid),
                     least_aspect);
}

/// What to do about a pinned grid that breaks the rule.
std::string other_pin(const Box& own, const RankLayout& layout) {
  if (is_good(own)) return fmt::format("change the pin or drop it: HPCG's own grid is {}", box_text(own));
  return fmt::format("change the pin; HPCG's own grid {} is too flat, too: {}", box_text(own),
                     next_good(layout));
}

/// The third side where two are pinned; nothing where none is.
Result<std::optional<Box>> pinned_grid(const PlanRequest& request, const RankLayout& layout, const Box& own) {
  const std::int64_t ranks = layout.ranks();
  const std::string remedy = other_pin(own, layout);
  std::array<std::int64_t, 3> sides = {};
  constexpr std::array<std::string_view, 3> names = {"npx", "npy", "npz"};
  size_t pinned = 0;
  std::int64_t cells = 1;
  for (size_t i = 0; i < 3; ++i) {
    const auto pin = request.pinned(names[i]);
    if (!pin) return failure_of(pin);
    const std::int64_t side = pin->value_or(0);
    if (side == 0) continue;
    if (side > ranks)
      return fail("HPCG-04",
                  fmt::format("the pinned {} = {} is more than the {} ranks", names[i], side, ranks), remedy);
    sides[i] = side;
    cells *= side;
    if (cells > ranks)
      return fail("HPCG-04",
                  fmt::format("the pinned sides' product {} is more than the {} ranks", cells, ranks),
                  remedy);
    ++pinned;
  }
  if (pinned == 0) return std::optional<Box>();
  if (pinned == 1)
    return fail("HPCG-04", "one side of the process grid is pinned: two others are open",
                "pin two or three of npx, npy, npz; or " + remedy);
  if (pinned == 2 && ranks % cells == 0)
    for (std::int64_t& side : sides)
      if (side == 0) side = ranks / cells;
  const Box grid = {sides[0], sides[1], sides[2]};
  if (grid.cells() != ranks)
    return fail("HPCG-04",
                pinned == 3
                    ? fmt::format("the pinned npx x npy x npz = {} = {}, but the case has {} ranks",
                                  box_text(grid), grid.cells(), ranks)
                    : fmt::format("{} ranks are no multiple of the pinned sides' product {}", ranks, cells),
                remedy);
  if (!is_good(grid))
    return fail(
        "HPCG-04",
        fmt::format("the pinned npx x npy x npz = {} is too flat: {}", box_text(grid), flatness(grid)),
        remedy);
  return std::optional<Box>(grid);
}

}  // namespace

Box minimal_surface_grid(int ranks) {
  const std::vector<PrimePower> factors = prime_factors(ranks);
  const auto [p, count] = factors.front();
  if (factors.size() == 1)
    return {power(p, count / 3 + (count % 3 >= 1 ? 1 : 0)), power(p, count / 3 + (count % 3 >= 2 ? 1 : 0)),
            power(p, count / 3)};
  const auto [q, other] = factors[1];
  if (factors.size() == 2 && count == 1 && other == 1) return {p, q, 1};
  if (factors.size() == 2 && count + other == 3) return {p, q, count == 2 ? p : q};
  if (factors.size() == 3 && count == 1 && other == 1 && factors[2].second == 1)
    return {p, q, factors[2].first};
  return searched_grid(ranks, factors);
}

bool is_good_rank_count(int ranks) {
  return is_good(minimal_surface_grid(ranks));
}

Result<RankGrid> rank_grid(const PlanRequest& request, const RankLayout& layout) {
  const int ranks = layout.ranks();
  const Box own = minimal_surface_grid(ranks);
  const auto pinned = pinned_grid(request, layout, own);
  if (!pinned) return failure_of(pinned);
  RankGrid planned;
  planned.pinned = pinned->has_value();
  planned.grid = pinned->value_or(own);
  if (!is_good(planned.grid))
    return fail("HPCG-04",
                fmt::format("{} ranks give the process grid {}: {}", ranks, box_text(planned.grid),
                            flatness(planned.grid)),
                next_good(layout));
  const std::string because =
      planned.pinned ? fmt::format("HPCG's own choice is {}", box_text(own))
                     : fmt::format("{} has the smallest surface of all products of three factors of {}",
                                   box_text(own), ranks);
  const std::string rule =
      planned.pinned ? "pinned in the configuration" : "HPCG 3.1, ComputeOptimalShapeXYZ.cpp";
  planned.why = {{"npx", planned.grid.x, because, rule},
                 {"npy", planned.grid.y, because, rule},
                 {"npz", planned.grid.z, because, rule}};
  return planned;
}

double aspect(const Box& box) {
  return static_cast<double>(std::min({box.x, box.y, box.z})) /
         static_cast<double>(std::max({box.x, box.y, box.z}));
}

std::string box_text(const Box& box) {
  return fmt::format("{} x {} x {}", box.x, box.y, box.z);
}

}  // namespace shakedown::hpcg
