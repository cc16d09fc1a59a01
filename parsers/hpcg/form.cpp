#include "parsers/hpcg/form.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// Figures that are printed as whole numbers.
constexpr std::array<std::string_view, 17> whole_numbers = {"procs",
                                                            "threads",
                                                            "gnx",
                                                            "gny",
                                                            "gnz",
                                                            "npx",
                                                            "npy",
                                                            "npz",
                                                            "nx",
                                                            "ny",
                                                            "equations",
                                                            "nonzeros",
                                                            "coarse_levels",
                                                            "reference_iterations",
                                                            "optimized_iterations",
                                                            "reference_iterations_total",
                                                            "optimized_iterations_total"};

bool in_every_report(const HpcgKey& key, bool version_2) {
  using enum HpcgSection;
  if (key.section == final || key.section == ddot || key.group == HpcgGroup::coarse_grids) return false;
  if (key.fact == "nz" || key.fact.ends_with("_ipz")) return false;
  return !version_2 || (key.section != setup && key.section != memory && key.section != bandwidth);
}

bool readable(const HpcgKey& key, std::string_view printed) {
  if (key.fact.ends_with("_test")) return !printed.empty();
  if (std::find(whole_numbers.begin(), whole_numbers.end(), key.fact) != whole_numbers.end())
    return positive_integer(printed).has_value();
  return finite_number(printed).has_value();
}

}  // namespace

std::string missing_in_report(const HpcgRun& run) {
  const bool version_2 = run.release.text.starts_with('2');
  const auto keys = hpcg_keys();
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!in_every_report(keys[i], version_2)) continue;
    const HpcgText& value = run.values[i];
    if (value.line == 0 || (run.invalid.line == 0 && !readable(keys[i], value.text)))
      return fmt::format("{}::{}", hpcg_section_name(keys[i].section), keys[i].text);
  }
  const auto levels = positive_integer(run.value("coarse_levels").text);
  const bool grids = std::all_of(run.coarse.begin(), run.coarse.end(), [&](const HpcgCoarseGrid& grid) {
    return grid.equations.line != 0 && grid.nonzeros.line != 0 && (version_2 || grid.memory.line != 0);
  });
  if (!levels || static_cast<std::int64_t>(run.coarse.size()) != *levels || !grids)
    return fmt::format("{}::Coarse Grids", hpcg_section_name(HpcgSection::multigrid));
  return {};
}

}  // namespace shakedown
