#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/hpcg/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

using Triple = std::array<std::int64_t, 3>;

std::optional<Triple> triple(const ParsedResult& result, const std::array<const char*, 3>& names) {
  Triple values{};
  constexpr std::int64_t most = 1'000'000'000;
  for (size_t i = 0; i < 3; ++i) {
    const auto value = whole_parameter(result.parameters, names[i]);
    if (!value || *value > most) return std::nullopt;
    values[i] = *value;
  }
  return values;
}
std::optional<Triple> global_of(const ParsedResult& result) {
  return triple(result, {"gnx", "gny", "gnz"});
}
std::optional<Triple> grid_of(const ParsedResult& result) {
  return triple(result, {"npx", "npy", "npz"});
}
std::optional<Triple> local_of(const ParsedResult& result) {
  return triple(result, {"nx", "ny", "nz"});
}

std::string text_of(const Triple& t) {
  return fmt::format("{} x {} x {}", t[0], t[1], t[2]);
}

/// The product, which may be larger than 64 bits hold.
long double hpcg_product(const Triple& t) {
  return static_cast<long double>(t[0]) * static_cast<long double>(t[1]) * static_cast<long double>(t[2]);
}

std::string whole(long double value) {
  return fmt::format("{:.0f}", value);
}

int hpcg_line_of(const ParsedResult& result, std::string_view fact) {
  const Fact* found = result.fact(fact);
  return found == nullptr ? 0 : found->line;
}

Finding grid_is_processes(const Evidence& evidence) {
  const auto grid = grid_of(*evidence.result);
  const auto procs = whole_parameter(evidence.result->parameters, "procs");
  if (!grid || !procs) return unknown("the log does not have the processes and their grid");
  if (evidence.result->fact("procs") == nullptr && evidence.planned == nullptr)
    return unknown("the log does not print the number of processes", text_of(*grid));
  const std::int64_t started = evidence.result->fact("procs") != nullptr ? *procs : evidence.planned->ranks;
  return checked(hpcg_product(*grid) == static_cast<long double>(started),
                 fmt::format("{} for {} processes", text_of(*grid), started),
                 hpcg_line_of(*evidence.result, "procs"), "the process grid does not hold the processes");
}

/// The height of the global domain that "0-0:16 1-1:24" gives; 0: can't be read.
std::int64_t layered_height(std::string_view layers) {
  std::int64_t height = 0;
  for (const std::string_view layer : words(layers)) {
    const size_t dash = layer.find('-');
    const size_t colon = layer.find(':');
    if (dash == std::string_view::npos || colon == std::string_view::npos || dash > colon) return 0;
    const auto lower = parsed_integer(layer.substr(0, dash));
    const auto upper = parsed_integer(layer.substr(dash + 1, colon - dash - 1));
    const auto nz = positive_integer(layer.substr(colon + 1));
    constexpr std::int64_t most = 1'000'000;
    if (!lower || !upper || !nz || *lower < 0 || *upper < *lower || *upper > most || *nz > most) return 0;
    height += (*upper - *lower + 1) * *nz;
  }
  return height;
}

Finding global_is_local_times_grid(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto global = global_of(result);
  const auto grid = grid_of(result);
  const auto nx = whole_parameter(result.parameters, "nx");
  const auto ny = whole_parameter(result.parameters, "ny");
  const auto nz = whole_parameter(result.parameters, "nz");
  if (!global || !grid || !nx || !ny) return unknown("the log does not have all dimensions");
  const Fact* execution = result.fact("execution");
  if (execution != nullptr && execution->value == "GPU+Grace")
    return unknown("GPUs and CPUs have local domains of different size", text_of(*global));
  const Fact* layers = result.fact("layers");
  const std::int64_t height = layers != nullptr ? layered_height(layers->value) : nz ? *nz * (*grid)[2] : 0;
  const std::string value =
      fmt::format("{} for {} domains of {} x {} x {}", text_of(*global), text_of(*grid), *nx, *ny,
                  layers != nullptr ? "(" + layers->value + ")"
                  : nz              ? std::to_string(*nz)
                                    : "?");
  const int line = hpcg_line_of(result, "gnx");
  // If the height is not printed, the processes' heights are equal all the same.
  const bool high_enough = height != 0 ? (*global)[2] == height : (*global)[2] % (*grid)[2] == 0;
  if ((*global)[0] != *nx * (*grid)[0] || (*global)[1] != *ny * (*grid)[1] || !high_enough)
    return failed(value, line, "the global problem is not the local domains put together");
  if (height == 0) return unknown("the log does not have the height of the local domains", value, line);
  return passed(value, line);
}

Finding divisible(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto local = local_of(result);
  if (!local) return unknown("the log does not have the local domain");
  const auto levels = whole_fact(result, "coarse_levels");
  constexpr std::int64_t usual_levels = 3;
  constexpr std::int64_t most_levels = 20;
  const std::int64_t halvings = std::min(levels.value_or(usual_levels), most_levels);
  const std::int64_t unit = std::int64_t{1} << halvings;
  const bool holds = std::all_of(local->begin(), local->end(), [&](std::int64_t n) { return n % unit == 0; });
  return checked(holds && halvings == usual_levels,
                 fmt::format("{}, {} coarse grids", text_of(*local), halvings), hpcg_line_of(result, "nx"),
                 "HPCG's multigrid halves the local domain three times");
}

constexpr double least_ratio = 0.125;

Finding shaped(const std::optional<Triple>& box, const ParsedResult& result, int line,
               std::string_view what) {
  if (!box) return unknown(fmt::format("the log does not have the {}", what));
  if (result.fact("release") != nullptr && result.fact("release")->value.starts_with("2"))
    return not_applicable("HPCG 2 did not ask for it");
  const auto [least, most] = std::minmax_element(box->begin(), box->end());
  const double ratio = static_cast<double>(*least) / static_cast<double>(*most);
  return checked(ratio >= least_ratio, fmt::format("{}: {}", text_of(*box), number(ratio, 3)), line,
                 fmt::format("HPCG ends at once where the {} is this flat", what));
}

Finding local_aspect(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (result.fact("layers") != nullptr) return unknown("the local domains have different heights");
  return shaped(local_of(result), result, hpcg_line_of(result, "nx"), "local domain");
}

Finding grid_aspect(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  return shaped(grid_of(result), result, hpcg_line_of(result, "npx"), "process grid");
}

Finding hpcg_as_planned(const Evidence& evidence) {
  if (evidence.planned == nullptr) return unknown("there is no plan to compare with");
  std::string differs;
  std::string same;
  for (const char* name : {"npx", "npy", "npz", "nx", "ny", "nz", "gnx", "gny", "gnz"}) {
    const auto planned = whole_parameter(evidence.planned->parameters, name);
    const auto run = whole_parameter(evidence.result->parameters, name);
    if (!planned || !run) continue;
    if (*run != *planned)
      differs += fmt::format("{}{} = {}, planned {}", differs.empty() ? "" : "; ", name, *run, *planned);
    same += fmt::format("{}{} = {}", same.empty() ? "" : ", ", name, *run);
  }
  if (same.empty()) return unknown("plan and log have no dimension in common");
  return checked(differs.empty(), differs.empty() ? same : differs, hpcg_line_of(*evidence.result, "gnx"),
                 "the run is not the one that was planned");
}

Finding equations(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto global = global_of(result);
  const auto rows = whole_fact(result, "equations");
  if (!global || !rows) return unknown("the log does not have the equations and the global problem");
  return checked(static_cast<long double>(*rows) == hpcg_product(*global),
                 fmt::format("{} for {}", *rows, text_of(*global)), hpcg_line_of(result, "equations"),
                 fmt::format("the global problem has {} equations", whole(hpcg_product(*global))));
}

/// A row has an entry for each of its 27 neighbours within the domain.
long double nonzeros_of(Triple global, int halvings = 0) {
  for (std::int64_t& n : global) n = 3 * (n >> halvings) - 2;
  return hpcg_product(global);
}

Finding nonzeros(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto global = global_of(result);
  const auto terms = whole_fact(result, "nonzeros");
  if (!global || !terms) return unknown("the log does not have the nonzero terms and the global problem");
  return checked(static_cast<long double>(*terms) == nonzeros_of(*global),
                 fmt::format("{} for {}", *terms, text_of(*global)), hpcg_line_of(result, "nonzeros"),
                 fmt::format("a 27-point stencil there has {} nonzero terms", whole(nonzeros_of(*global))));
}

Finding coarse_grids(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto global = global_of(result);
  if (!global || result.fact("coarse_equations_1") == nullptr)
    return unknown("the log does not have the coarse grids");
  int level = 1;
  for (;; ++level) {
    const Fact* rows = result.fact(fmt::format("coarse_equations_{}", level));
    if (rows == nullptr) break;
    Triple coarse = *global;
    for (std::int64_t& n : coarse) n >>= level;
    const Fact* terms = result.fact(fmt::format("coarse_nonzeros_{}", level));
    for (const auto& [fact, expected] :
         {std::pair{rows, hpcg_product(coarse)}, {terms, nonzeros_of(*global, level)}}) {
      if (fact == nullptr) continue;
      const auto value = positive_integer(fact->value);
      if (!value || static_cast<long double>(*value) != expected)
        return failed(fmt::format("{} on coarse grid {}", fact->value, level), fact->line,
                      fmt::format("half the resolution gives {}", whole(expected)));
    }
  }
  return passed(fmt::format("{} coarse grids", level - 1), hpcg_line_of(result, "coarse_equations_1"));
}

Finding memory(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* total = result.fact("memory_total");
  const auto rows = whole_fact(result, "equations");
  const Fact* each = result.fact("bytes_per_equation");
  const auto bytes = six_digit_range(result, "memory_total");
  if (total == nullptr || !rows || each == nullptr || !bytes)
    return unknown("the log does not have HPCG's account of its memory");
  Finding per_row =
      follows(*each, (1e9 / static_cast<double>(*rows)) * *bytes, "the total over the equations",
              "the bytes of an equation do not follow from the total");
  auto sum = six_digit_range(result, "memory_system");
  const auto optimized = six_digit_range(result, "memory_optimize");
  if (per_row.status != RuleStatus::pass || !sum || !optimized) return per_row;
  sum = *sum + *optimized;
  for (int level = 1; result.fact(fmt::format("coarse_equations_{}", level)) != nullptr; ++level) {
    const auto coarse = six_digit_range(result, fmt::format("coarse_memory_{}", level));
    if (!coarse) return per_row;
    sum = *sum + *coarse;
  }
  return follows(*total, *sum, "its parts", "the total is not the sum of its parts");
}

constexpr std::array hpcg_shape_table = {
    Rule{"HPCG-04a", Severity::validity, "npx x npy x npz is the number of processes",
         "HPCG 3.1, GenerateGeometry.cpp", grid_is_processes},
    Rule{"HPCG-04b", Severity::validity, "The global problem is the local domains put together",
         "HPCG 3.1, GenerateGeometry.cpp", global_is_local_times_grid},
    Rule{"HPCG-04c", Severity::validity, "nx, ny and nz are multiples of 8, for three coarse grids",
         "HPCG 3.1, GenerateCoarseProblem.cpp", divisible},
    Rule{"HPCG-04d", Severity::validity,
         "The local domain's shortest side is at least an eighth of the longest",
         "HPCG 3.1, CheckAspectRatio.cpp", local_aspect},
    Rule{"HPCG-04e", Severity::validity,
         "The process grid's shortest side is at least an eighth of the longest",
         "HPCG 3.1, CheckAspectRatio.cpp", grid_aspect},
    Rule{"HPCG-04f", Severity::validity, "Process grid and domains are those of the plan", "the plan",
         hpcg_as_planned},
    Rule{"HPCG-05a", Severity::validity, "The equations are gnx x gny x gnz",
         "HPCG 3.1, GenerateProblem_ref.cpp", equations},
    Rule{"HPCG-05b", Severity::validity, "The nonzero terms are (3 gnx - 2)(3 gny - 2)(3 gnz - 2)",
         "HPCG 3.1, GenerateProblem_ref.cpp", nonzeros},
    Rule{"HPCG-05c", Severity::validity, "Each coarse grid has half the resolution of the next finer one",
         "HPCG 3.1, GenerateCoarseProblem.cpp", coarse_grids},
    Rule{"HPCG-05d", Severity::validity,
         "The memory is the sum of its parts, and that of an equation times their number",
         "HPCG 3.1, ReportResults.cpp", memory},
};

}  // namespace

std::span<const Rule> hpcg_shape_rules() {
  return hpcg_shape_table;
}

}  // namespace shakedown
