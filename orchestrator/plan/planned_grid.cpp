#include "orchestrator/plan/planned_grid.hpp"

#include <cstdint>
#include <optional>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr int longest_good = 4;  // Q / P beyond which row swaps and broadcasts lose balance

/// "4x2" as a grid of exactly `ranks`; anything else is a mistake of the implementation's file.
Result<ProcessGrid> vendor_grid(const std::string& text, int ranks, const std::string& implementation) {
  const auto parts = split(text, 'x');
  const auto P = parsed_integer(parts.front());
  const auto Q = parsed_integer(parts.back());
  if (parts.size() != 2 || !P || !Q || *P < 1 || *Q < 1 || *P * *Q != ranks)
    return fail(implementation,
                fmt::format("tuning one_node_grid_{} = '{}' is no grid of {} ranks", ranks, text, ranks));
  return ProcessGrid{static_cast<int>(*P), static_cast<int>(*Q)};
}

Result<ProcessGrid> grid_for(bool rails, int nodes, int ranks_per_node) {
  return rails ? rail_aligned_grid(nodes * ranks_per_node, ranks_per_node)
               : squarest_grid(nodes * ranks_per_node);
}

bool is_long(const ProcessGrid& grid) {
  return grid.ranks() > longest_good && grid.Q > longest_good * grid.P;
}

struct SmallerGrid {
  int count = 0;  ///< of nodes, or of ranks on one node
  ProcessGrid grid;
};

/// The next smaller number of nodes (or of ranks, on one node) whose grid is good.
std::optional<SmallerGrid> next_good(bool rails, const RankLayout& layout) {
  const bool by_node = layout.nodes > 1;
  for (int less = (by_node ? layout.nodes : layout.ranks_per_node) - 1; less > 0; --less) {
    const auto grid = by_node ? grid_for(rails, less, layout.ranks_per_node) : grid_for(rails, 1, less);
    if (grid && !is_long(*grid)) return SmallerGrid{less, *grid};
  }
  return {};
}

std::string grid_text(const ProcessGrid& grid) {
  return fmt::format("{} x {}", grid.P, grid.Q);
}

/// The grid that the configuration pins, if it pins one: the other side follows from the ranks.
Result<std::optional<ProcessGrid>> pinned_grid(const PlanRequest& request, const RankLayout& layout,
                                               const ProcessGrid& own) {
  const auto P = request.pinned("P");
  if (!P) return failure_of(P);
  const auto Q = request.pinned("Q");
  if (!Q) return failure_of(Q);
  const std::int64_t ranks = layout.ranks();
  std::int64_t rows = P->value_or(0);
  std::int64_t columns = Q->value_or(0);
  if (rows == 0 && columns == 0) return std::optional<ProcessGrid>();
  if (rows == 0) rows = ranks / columns;
  if (columns == 0) columns = ranks / rows;
  if (rows < 1 || columns < 1 || rows > ranks || columns > ranks || rows * columns != ranks)
    return fail("HPL-05",
                fmt::format("the pinned grid {} x {} has {} cells for {} ranks", rows, columns,
                            rows * columns, ranks),
                fmt::format("{} is the rule's own", grid_text(own)));
  return std::optional<ProcessGrid>({static_cast<int>(rows), static_cast<int>(columns)});
}

/// Why a grid on several nodes of GPUs is on the rails.
std::string because_aligned(const PlannedGrid& planned, const RankLayout& layout) {
  const ProcessGrid& grid = planned.grid;
  const int each = layout.ranks_per_node;
  const int ranks = layout.ranks();
  // The row of a column-major grid joins the GPUs of one number only if whole nodes fill the columns.
  const std::string rail =
      planned.column_major ? "so that a process row joins GPUs with one number in their nodes, on one rail"
                           : "as with PMAP = column, where a process row then stays on one rail";
  if (grid.P > grid.Q)
    return fmt::format(
        "the {} GPUs of a node by {} nodes: no multiple of {} is <= sqrt({}), and {} x {} is at most "
        "twice as tall as wide; {}",
        each, layout.nodes, each, ranks, grid.P, grid.Q, rail);
  return fmt::format("largest divisor of {} that is a multiple of {} GPUs per node and <= sqrt({}), {}",
                     ranks, each, ranks, rail);
}

/// Why a grid on several nodes of GPUs is not.
std::string because_square(const PlannedGrid& planned, const RankLayout& layout) {
  const int ranks = layout.ranks();
  std::string text = fmt::format("largest divisor of {} that is <= sqrt({})", ranks, ranks);
  if (layout.nodes > 1 && layout.ranks_per_node > 2 * layout.nodes)
    text += fmt::format("; {} x {} on the rails would be more than twice as tall as wide",
                        layout.ranks_per_node, layout.nodes);
  if (planned.column_major && layout.nodes > 1 && layout.ranks_per_node % planned.grid.P == 0)
    text += ", and a process column stays within a node";
  return text;
}

void explain_rule(PlannedGrid& planned, const std::string& vendor, bool rails, const RankLayout& layout,
                  const Implementation& implementation) {
  const int ranks = layout.ranks();
  const std::int64_t P = planned.grid.P;
  const bool aligned = rails && planned.grid.P % layout.ranks_per_node == 0;
  if (!vendor.empty())
    planned.why.push_back({"P", P,
                           fmt::format("the vendor's sample for {} GPUs of one node is {}", ranks, vendor),
                           implementation.tuned_text("one_node_grid_source")});
  else if (aligned)
    planned.why.push_back({"P", P, because_aligned(planned, layout),
                           P > planned.grid.Q
                               ? "HPL grid, rail-aligned: 8 x 4 on 4 nodes of 8 H100 (aws-samples/"
                                 "awsome-distributed-training, hpc-benchmarks)"
                               : "HPL grid, rail-aligned: SAKURAONE, Tables 5 and 7"});
  else
    planned.why.push_back({"P", P,
                           rails ? because_square(planned, layout)
                                 : fmt::format("largest divisor of {} that is <= sqrt({})", ranks, ranks),
                           "HPL grid, squarest with P <= Q: netlib HPL, Tuning"});
}

/// Whether ranks fill the grid column by column.
Result<bool> column_major(const PlanRequest& request) {
  const std::string pinned = request.pinned_text("PMAP");
  if (!pinned.empty() && pinned != "row" && pinned != "column")
    return fail("pin PMAP", fmt::format("'{}' is no mapping", pinned), "row or column");
  return (pinned.empty() ? request.implementation->tuned_text("PMAP") : pinned) == "column";
}

void explain_mapping(PlannedGrid& planned, const PlanRequest& request, int ranks_per_node) {
  const Implementation& implementation = *request.implementation;
  const std::string pinned = request.pinned_text("PMAP");
  const std::string source = !pinned.empty()        ? "pinned in the configuration"
                             : planned.column_major ? implementation.tuned_text("PMAP_source")
                                                    : "the mapping of HPL's own HPL.dat";
  planned.why.push_back({"PMAP", std::string(planned.column_major ? "column" : "row"),
                         !planned.column_major ? "consecutive ranks fill a row"
                         : planned.grid.P % ranks_per_node == 0
                             ? "consecutive ranks fill a column, so a column is made of whole nodes"
                             : "consecutive ranks fill a column",
                         source});
}

}  // namespace

Result<PlannedGrid> planned_grid(const PlanRequest& request, const RankLayout& layout) {
  const Implementation& implementation = *request.implementation;
  const bool rails = implementation.rank_per == "gpu" && layout.nodes > 1;
  const int ranks = layout.ranks();
  const std::string vendor =
      layout.nodes == 1 ? implementation.tuned_text(fmt::format("one_node_grid_{}", ranks)) : std::string();
  const auto own = vendor.empty() ? grid_for(rails, layout.nodes, layout.ranks_per_node)
                                  : vendor_grid(vendor, ranks, implementation.id);
  if (!own) return failure_of(own);
  const auto pinned = pinned_grid(request, layout, *own);
  if (!pinned) return failure_of(pinned);

  const auto mapping = column_major(request);
  if (!mapping) return failure_of(mapping);
  PlannedGrid planned;
  planned.column_major = *mapping;
  planned.grid = pinned->value_or(*own);
  const ProcessGrid& grid = planned.grid;
  if (*pinned) {
    planned.why.push_back({"P", std::int64_t{grid.P}, fmt::format("the rule gives {}", grid_text(*own)),
                           "pinned in the configuration"});
    if (grid.P > grid.Q)
      planned.warnings.push_back(
          fmt::format("the pinned grid {} has P > Q (HPL-05): P <= Q is faster", grid_text(grid)));
    if (rails && grid.P % layout.ranks_per_node != 0)
      planned.warnings.push_back(
          fmt::format("the pinned P = {} is no multiple of {} GPUs per node (HPL-05): process rows leave "
                      "their rail",
                      grid.P, layout.ranks_per_node));
  } else {
    explain_rule(planned, vendor, rails, layout, implementation);
  }
  planned.why.push_back({"Q", std::int64_t{grid.Q}, fmt::format("{} ranks / P = {}", ranks, grid.P),
                         "P x Q = ranks: netlib HPL, HPL.dat"});
  explain_mapping(planned, request, layout.ranks_per_node);
  if (is_long(grid)) {
    const auto better = next_good(rails, layout);
    planned.warnings.push_back(fmt::format(
        "the grid {} is long and slow{}{}", grid_text(grid),
        grid.P == 1 ? " (the number of ranks is prime)" : "",
        better ? fmt::format("; better: {}: {}", plural(better->count, layout.nodes > 1 ? "node" : "rank"),
                             grid_text(better->grid))
               : ""));
    if (better && layout.nodes > 1) planned.better_nodes = {better->count, planned.warnings.back()};
  }
  return planned;
}

namespace {

/// The largest divisor of `ranks` that is a multiple of `step` and no larger than sqrt(ranks); 0: none.
int largest_row_count(int ranks, int step) {
  int largest = 0;
  for (std::int64_t P = step; P * P <= ranks; P += step)
    if (ranks % P == 0) largest = static_cast<int>(P);
  return largest;
}

}  // namespace

Result<ProcessGrid> squarest_grid(int ranks) {
  if (ranks < 1) return fail("HPL-05", fmt::format("a process grid needs at least one rank, not {}", ranks));
  const int P = largest_row_count(ranks, 1);
  return ProcessGrid{P, ranks / P};
}

Result<ProcessGrid> rail_aligned_grid(int ranks, int ranks_per_node) {
  if (ranks_per_node < 1)
    return fail("HPL-05", fmt::format("a node needs at least one rank, not {}", ranks_per_node));
  if (ranks < 1) return squarest_grid(ranks);
  const int P = largest_row_count(ranks, ranks_per_node);
  if (P > 0) return ProcessGrid{P, ranks / P};
  const int nodes = ranks / ranks_per_node;
  if (ranks % ranks_per_node == 0 && ranks_per_node <= 2 * nodes) return ProcessGrid{ranks_per_node, nodes};
  return squarest_grid(ranks);
}

}  // namespace shakedown
