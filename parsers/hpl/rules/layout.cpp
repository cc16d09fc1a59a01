#include <fmt/format.h>

#include <array>
#include <string>

#include "orchestrator/core/units.hpp"
#include "parsers/hpl/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

struct Shape {
  std::int64_t N = 0;
  std::int64_t NB = 0;
  std::int64_t P = 0;
  std::int64_t Q = 0;
};

/// The result's parameters, where the log has all four.
std::optional<Shape> shape_of(const Evidence& evidence) {
  const auto& parameters = evidence.result->parameters;
  const auto N = whole_parameter(parameters, "N");
  const auto NB = whole_parameter(parameters, "NB");
  const auto P = whole_parameter(parameters, "P");
  const auto Q = whole_parameter(parameters, "Q");
  if (!N || !NB || !P || !Q) return std::nullopt;
  return Shape{*N, *NB, *P, *Q};
}

int hpl_line_of(const Evidence& evidence) {
  const Metric* rate = evidence.result->metric("rmax_gflops");
  return rate == nullptr ? 0 : rate->line;
}

Finding no_shape() {
  return unknown("the log does not show N, NB, P and Q of the result");
}

Finding hpl_grid_is_ranks(const Evidence& evidence) {
  const auto shape = shape_of(evidence);
  if (!shape) return no_shape();
  const Fact* said = evidence.result->fact("ranks");
  std::optional<std::int64_t> ranks = said == nullptr ? std::nullopt : positive_integer(said->value);
  if (!ranks && evidence.planned != nullptr) ranks = evidence.planned->ranks;
  const std::string grid = fmt::format("{} x {}", shape->P, shape->Q);
  if (!ranks) return unknown("the log does not print the number of ranks", grid, hpl_line_of(evidence));
  return checked(shape->P * shape->Q == *ranks,
                 fmt::format("{} = {}, {} ranks", grid, shape->P * shape->Q, *ranks), hpl_line_of(evidence),
                 "the process grid does not use the ranks that were started");
}

/// The planned order as the program solves it: NVIDIA's whole blocks only.
std::int64_t solved_order(const ParsedResult& result, std::int64_t planned) {
  const auto NB = whole_parameter(result.parameters, "NB");
  return result.implementation == "nvidia" && NB && *NB > 0 ? planned - planned % *NB : planned;
}

Finding hpl_as_planned(const Evidence& evidence) {
  if (evidence.planned == nullptr) return not_applicable("there is no plan");
  std::string differs;
  std::string same;
  for (const char* name : {"N", "NB", "P", "Q"}) {
    const auto planned = whole_parameter(evidence.planned->parameters, name);
    if (!planned) continue;
    const auto run = whole_parameter(evidence.result->parameters, name);
    if (!run) return no_shape();
    const bool is_order = std::string_view(name) == "N";
    if (*run != (is_order ? solved_order(*evidence.result, *planned) : *planned))
      differs += fmt::format("{}{} = {}, planned {}", differs.empty() ? "" : "; ", name, *run, *planned);
    same += fmt::format("{}{} = {}", same.empty() ? "" : ", ", name, *run);
  }
  if (same.empty()) return unknown("the plan names none of N, NB, P and Q");
  if (differs.empty() && !whole_parameter(evidence.planned->parameters, "N"))
    return unknown("the plan does not name N", same, hpl_line_of(evidence));
  return checked(differs.empty(), differs.empty() ? same : differs, hpl_line_of(evidence),
                 "the run is not the one that was planned");
}

Finding mapping_as_planned(const Evidence& evidence) {
  if (evidence.planned == nullptr) return not_applicable("there is no plan");
  const Value* run = find_parameter(evidence.result->parameters, "PMAP");
  if (run == nullptr) return unknown("the log does not show the process mapping");
  const std::string mapping = value_text(*run);
  const Value* planned = find_parameter(evidence.planned->parameters, "PMAP");
  if (planned == nullptr) return unknown("no mapping was planned", mapping, hpl_line_of(evidence));
  return checked(mapping == value_text(*planned), mapping, hpl_line_of(evidence),
                 fmt::format("ranks are placed {}-major, planned {}-major", mapping, value_text(*planned)));
}

/// The group that the case's nodes are of, as far as the inventory has one.
const NodeGroup* group_of(const Evidence& evidence) {
  if (evidence.inventory == nullptr || evidence.inventory->groups.empty()) return nullptr;
  return &evidence.inventory->groups.front();
}

bool on_gpus(const Evidence& evidence) {
  const NodeGroup* group = group_of(evidence);
  const std::string& implementation = evidence.result->implementation;
  return group != nullptr && !group->gpus.empty() && (implementation == "nvidia" || implementation == "amd");
}

/// P > Q spreads the panel factorisation over more processes than the update likes, but for columns within
/// one node, whose GPUs are near to each other.
Finding flat_grid(const Evidence& evidence) {
  const auto shape = shape_of(evidence);
  if (!shape) return no_shape();
  const bool within_node =
      on_gpus(evidence) && shape->P <= static_cast<std::int64_t>(group_of(evidence)->gpus.size());
  const std::string grid = fmt::format("{} x {}", shape->P, shape->Q);
  if (shape->P > shape->Q && within_node)
    return passed(grid + ", a column within a node of GPUs", hpl_line_of(evidence));
  return checked(shape->P <= shape->Q, grid, hpl_line_of(evidence),
                 "P > Q: the panel factorisation is spread over more processes than the update likes");
}

Finding rail_aligned(const Evidence& evidence) {
  const auto shape = shape_of(evidence);
  if (!shape) return no_shape();
  const auto nodes = hpl_nodes(evidence);
  if (!nodes || group_of(evidence) == nullptr) return unknown("nodes and GPUs of the run are not known");
  if (*nodes < 2) return not_applicable("one node");
  if (!on_gpus(evidence)) return not_applicable("no GPUs");
  const auto gpus = static_cast<std::int64_t>(group_of(evidence)->gpus.size());
  return checked(shape->P % gpus == 0 || gpus % shape->P == 0,
                 fmt::format("P = {}, {} GPUs in a node", shape->P, gpus), hpl_line_of(evidence),
                 "a process column is neither made of whole nodes nor within one");
}

Finding hpl_was_announced(const Evidence& evidence) {
  const Fact* echoed = evidence.result->fact("echoed");
  if (echoed == nullptr) return unknown("the log does not list the parameters that the run used");
  return checked(echoed->value == "yes", echoed->value, echoed->line,
                 "the row is not among the tests that the run announced");
}

/// Vendors' builds repeat their tests (rocHPL's --it, NVIDIA's TEST_LOOPS), NVIDIA's ignores most lists, and
/// rocHPL has the banner of 2.2.
Finding all_tests_finished(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* finished = result.fact("tests_finished");
  const Fact* announced = result.fact("tests_announced");
  const auto ended = finished == nullptr ? std::nullopt : positive_integer(finished->value);
  const auto expected = announced == nullptr ? std::nullopt : positive_integer(announced->value);
  constexpr std::string_view not_shown =
      "the log does not show how many tests the run announced and finished";
  if (announced == nullptr || !expected) return unknown(std::string(not_shown));
  if (finished == nullptr || !ended) return unknown(std::string(not_shown));
  const Fact* banner = result.fact("hplinpack");
  const bool repeats = result.implementation == "nvidia" || result.implementation == "amd" ||
                       (banner != nullptr && banner->value == "2.2");
  if (result.implementation == "nvidia" && *expected > 1)
    return unknown("NVIDIA's HPL ignores lists that it announces", {}, finished->line);
  return checked(repeats ? *ended % *expected == 0 : *ended == *expected,
                 fmt::format("{} announced, {} finished", *expected, *ended), finished->line,
                 "the run did not finish the tests that it announced: the log was edited");
}

/// A log without a footer has all tests, or is cut: a slower one may have followed.
Finding all_tests_in_log(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (result.fact("tests_finished") != nullptr) return not_applicable("the footer counts the tests");
  const Fact* announced = result.fact("tests_announced");
  const auto expected = announced == nullptr ? std::nullopt : positive_integer(announced->value);
  if (announced == nullptr || !expected)
    return not_applicable("the log does not list what the run announced");
  if (result.implementation == "nvidia" && *expected > 1)
    return not_applicable("NVIDIA's HPL ignores lists that it announces");
  std::int64_t rows = 0;
  for (const char* name : {"rows_passed", "rows_failed", "rows_skipped", "rows_unchecked"})
    if (const Fact* fact = result.fact(name)) rows += positive_integer(fact->value).value_or(0);
  const std::string value = fmt::format("{} announced, {} in the log, which has no footer", *expected, rows);
  if (rows < *expected)
    return unknown("the log ends before the tests that the run announced", value, announced->line);
  return passed(value, announced->line);
}

Finding hpl_whole_blocks(const Evidence& evidence) {
  const auto shape = shape_of(evidence);
  if (!shape) return no_shape();
  return checked(shape->N % shape->NB == 0, fmt::format("N = {}, NB = {}", shape->N, shape->NB),
                 hpl_line_of(evidence), "N is not a multiple of NB: the last block is smaller");
}

/// The matrix's bytes over the memory of all nodes of the case: HBM where GPUs do the work.
struct MatrixShare {
  double fraction = 0;
  double memory = 0;  ///< of a node, bytes

  /// "9.0 % of 23.5 GiB a node".
  [[nodiscard]] std::string text() const {
    return fmt::format("{} of {} a node", percent_text(fraction), bytes_text(memory));
  }
};

std::optional<MatrixShare> matrix_share(const Evidence& evidence) {
  const auto N = whole_parameter(evidence.result->parameters, "N");
  const NodeGroup* group = group_of(evidence);
  const auto nodes = hpl_nodes(evidence);
  if (!N || group == nullptr || !nodes || *nodes < 1) return std::nullopt;
  double bytes = 0;
  if (on_gpus(evidence))
    for (const Gpu& gpu : group->gpus) bytes += static_cast<double>(gpu.memory_bytes);
  else
    bytes = static_cast<double>(group->usable.memory_bytes > 0 ? group->usable.memory_bytes
                                                               : group->memory_bytes);
  if (bytes <= 0) return std::nullopt;
  return MatrixShare{8.0 * static_cast<double>(*N) * static_cast<double>(*N) / (bytes * *nodes), bytes};
}

Finding hpl_fits_memory(const Evidence& evidence) {
  constexpr double most = 0.90;
  const auto share = matrix_share(evidence);
  if (!share) return unknown("the memory of the nodes that ran is not known");
  return checked(share->fraction <= most, share->text(), hpl_line_of(evidence),
                 "the matrix takes more than 90 % of the memory");
}

Finding hpl_fills_memory(const Evidence& evidence) {
  constexpr double least = 0.70;
  const auto share = matrix_share(evidence);
  if (!share) return unknown("the memory of the nodes that ran is not known");
  return checked(share->fraction >= least, share->text(), hpl_line_of(evidence),
                 "the matrix takes less than 70 % of the memory: a larger N gives a higher rate");
}

constexpr std::array hpl_layout_table = {
    Rule{"HPL-05a", Severity::validity, "P x Q is the number of ranks", "netlib HPL FAQ", hpl_grid_is_ranks},
    Rule{"HPL-05b", Severity::validity, "N, NB, P and Q are those of the plan", "the plan", hpl_as_planned},
    Rule{"HPL-05c", Severity::warning, "Ranks are mapped to the grid as planned", "the plan; HPL.dat line 9",
         mapping_as_planned},
    Rule{"HPL-05d", Severity::warning, "P is not larger than Q", "netlib HPL FAQ", flat_grid},
    Rule{"HPL-05e", Severity::warning, "On several nodes P is a multiple of the GPUs in a node",
         "SAKURAONE, Tables 5 and 7", rail_aligned},
    Rule{"HPL-05f", Severity::validity, "The row is one of the tests that the run announced",
         "netlib HPL 2.3, HPL_pdinfo.c; HPL_pdtest.c: what T/V encodes", hpl_was_announced},
    Rule{"HPL-05g", Severity::validity, "As many tests finished as the run announced",
         "netlib HPL 2.3, HPL_pdinfo.c and the loops of its main program", all_tests_finished},
    Rule{"HPL-05h", Severity::validity, "A log without a footer has all tests that the run announced",
         "netlib HPL 2.3, HPL_pdinfo.c", all_tests_in_log},
    Rule{"HPL-06a", Severity::warning, "N is a multiple of NB", "netlib HPL FAQ", hpl_whole_blocks},
    Rule{"HPL-06b", Severity::warning, "The matrix takes at most 90 % of the memory", "netlib HPL FAQ",
         hpl_fits_memory},
    Rule{"HPL-06c", Severity::warning, "The matrix takes at least 70 % of the memory", "netlib HPL FAQ",
         hpl_fills_memory},
};

}  // namespace

std::span<const Rule> hpl_layout_rules() {
  return hpl_layout_table;
}

}  // namespace shakedown
