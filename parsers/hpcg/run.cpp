#include "parsers/hpcg/run.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

const HpcgText nothing;

/// A report is known by its beginning, its verdict, or so many of its lines that nobody's notes hold them.
constexpr size_t lines_of_a_report = 8;

}  // namespace

const HpcgText& HpcgRun::value(std::string_view fact) const {
  const auto keys = hpcg_keys();
  for (size_t i = 0; i < keys.size(); ++i)
    if (keys[i].fact == fact && values[i].line != 0) return values[i];
  return nothing;
}

bool HpcgRun::evidence() const {
  if (header || begun || invalid.line != 0 || value("rating").line != 0) return true;
  if (!console.vendor.empty() || console.bare.line != 0 || count >= lines_of_a_report) return true;
  return !program.empty() && failure.has_value();
}

namespace {

using enum HpcgSection;

struct Section {
  HpcgSection section;
  std::string_view text;
};
constexpr std::array sections = {
    Section{machine, "Machine Summary"},
    Section{global, "Global Problem Dimensions"},
    Section{processor, "Processor Dimensions"},
    Section{local, "Local Domain Dimensions"},
    Section{setup, "Setup Information"},
    Section{system, "Linear System Information"},
    Section{multigrid, "Multigrid Information"},
    Section{memory, "Memory Use Information"},
    Section{spectral, "Spectral Convergence Tests"},
    Section{symmetry, "Departure from Symmetry |x'Ay-y'Ax|/(2*||x||*||A||*||y||)/epsilon"},
    Section{iterations, "Iteration Count Information"},
    Section{reproducibility, "Reproducibility Information"},
    Section{times, "Benchmark Time Summary"},
    Section{operations, "Floating Point Operations Summary"},
    Section{bandwidth, "GB/s Summary"},
    Section{rates, "GFLOP/s Summary"},
    Section{ddot, "DDOT Timing Variations"},
    Section{final, "Final Summary"},
};

struct Group {
  HpcgGroup group;
  std::string_view text;
};
constexpr std::array groups = {
    Group{HpcgGroup::coarse_grids, "Coarse Grids"},
    Group{HpcgGroup::unpreconditioned, "Unpreconditioned"},
    Group{HpcgGroup::preconditioned, "Preconditioned"},
};

constexpr auto plain = HpcgGroup::none;
constexpr auto coarse = HpcgGroup::coarse_grids;
constexpr std::string_view overhead = "Total with convergence overhead";
constexpr std::string_view overheads = "Total with convergence and optimization phase overhead";

constexpr std::array keys = {
    HpcgKey{machine, plain, "Distributed Processes", "procs"},
    HpcgKey{machine, plain, "Threads per processes", "threads"},
    HpcgKey{global, plain, "Global nx", "gnx"},
    HpcgKey{global, plain, "Global ny", "gny"},
    HpcgKey{global, plain, "Global nz", "gnz"},
    HpcgKey{processor, plain, "npx", "npx"},
    HpcgKey{processor, plain, "npy", "npy"},
    HpcgKey{processor, plain, "npz", "npz"},
    HpcgKey{local, plain, "nx", "nx"},
    HpcgKey{local, plain, "ny", "ny"},
    HpcgKey{local, plain, "Lower ipz", "lower_ipz"},
    HpcgKey{local, plain, "Upper ipz", "upper_ipz"},
    HpcgKey{local, plain, "nz", "nz"},
    HpcgKey{setup, plain, "Setup Time", "setup_time"},
    HpcgKey{system, plain, "Number of Equations", "equations"},
    HpcgKey{system, plain, "Number of Nonzero Terms", "nonzeros"},
    HpcgKey{multigrid, plain, "Number of coarse grid levels", "coarse_levels"},
    HpcgKey{multigrid, coarse, "Grid Level", "coarse_level"},
    HpcgKey{multigrid, coarse, "Number of Equations", "coarse_equations"},
    HpcgKey{multigrid, coarse, "Number of Nonzero Terms", "coarse_nonzeros"},
    HpcgKey{multigrid, coarse, "Number of Presmoother Steps", "coarse_presmoother_steps"},
    HpcgKey{multigrid, coarse, "Number of Postsmoother Steps", "coarse_postsmoother_steps"},
    HpcgKey{memory, plain, "Total memory used for data (Gbytes)", "memory_total"},
    HpcgKey{memory, plain, "Memory used for OptimizeProblem data (Gbytes)", "memory_optimize"},
    HpcgKey{memory, plain, "Bytes per equation (Total memory / Number of Equations)", "bytes_per_equation"},
    HpcgKey{memory, plain, "Memory used for linear system and CG (Gbytes)", "memory_system"},
    HpcgKey{memory, coarse, "Grid Level", "coarse_memory_level"},
    HpcgKey{memory, coarse, "Memory used", "coarse_memory"},
    HpcgKey{spectral, plain, "Result", "spectral_test"},
    HpcgKey{spectral, HpcgGroup::unpreconditioned, "Maximum iteration count", "unpreconditioned_iterations"},
    HpcgKey{spectral, HpcgGroup::unpreconditioned, "Expected iteration count", "unpreconditioned_expected"},
    HpcgKey{spectral, HpcgGroup::preconditioned, "Maximum iteration count", "preconditioned_iterations"},
    HpcgKey{spectral, HpcgGroup::preconditioned, "Expected iteration count", "preconditioned_expected"},
    HpcgKey{symmetry, plain, "Result", "symmetry_test"},
    HpcgKey{symmetry, plain, "Departure for SpMV", "departure_spmv"},
    HpcgKey{symmetry, plain, "Departure for MG", "departure_mg"},
    HpcgKey{iterations, plain, "Result", "iteration_test"},
    HpcgKey{iterations, plain, "Reference CG iterations per set", "reference_iterations"},
    HpcgKey{iterations, plain, "Optimized CG iterations per set", "optimized_iterations"},
    HpcgKey{iterations, plain, "Total number of reference iterations", "reference_iterations_total"},
    HpcgKey{iterations, plain, "Total number of optimized iterations", "optimized_iterations_total"},
    HpcgKey{reproducibility, plain, "Result", "reproducibility_test"},
    HpcgKey{reproducibility, plain, "Scaled residual mean", "residual_mean"},
    HpcgKey{reproducibility, plain, "Scaled residual variance", "residual_variance"},
    HpcgKey{times, plain, "Optimization phase", "time_optimization"},
    HpcgKey{times, plain, "DDOT", "time_ddot"},
    HpcgKey{times, plain, "WAXPBY", "time_waxpby"},
    HpcgKey{times, plain, "SpMV", "time_spmv"},
    HpcgKey{times, plain, "MG", "time_mg"},
    HpcgKey{times, plain, "Total", "time_total"},
    HpcgKey{operations, plain, "Raw DDOT", "operations_ddot"},
    HpcgKey{operations, plain, "Raw WAXPBY", "operations_waxpby"},
    HpcgKey{operations, plain, "Raw SpMV", "operations_spmv"},
    HpcgKey{operations, plain, "Raw MG", "operations_mg"},
    HpcgKey{operations, plain, overhead, "operations_convergence"},
    HpcgKey{operations, plain, "Total", "operations_total"},
    HpcgKey{bandwidth, plain, "Raw Read B/W", "bandwidth_read"},
    HpcgKey{bandwidth, plain, "Raw Write B/W", "bandwidth_write"},
    HpcgKey{bandwidth, plain, "Raw Total B/W", "bandwidth_total"},
    HpcgKey{bandwidth, plain, overheads, "bandwidth_final"},
    HpcgKey{rates, plain, "Raw DDOT", "rate_ddot"},
    HpcgKey{rates, plain, "Raw WAXPBY", "rate_waxpby"},
    HpcgKey{rates, plain, "Raw SpMV", "rate_spmv"},
    HpcgKey{rates, plain, "Raw MG", "rate_mg"},
    HpcgKey{rates, plain, "Raw Total", "rate_total"},
    HpcgKey{rates, plain, overheads, "rate_final"},
    HpcgKey{rates, plain, overhead, "rate_convergence"},
    HpcgKey{ddot, plain, "Min DDOT MPI_Allreduce time", "allreduce_min"},
    HpcgKey{ddot, plain, "Max DDOT MPI_Allreduce time", "allreduce_max"},
    HpcgKey{ddot, plain, "Avg DDOT MPI_Allreduce time", "allreduce_avg"},
    HpcgKey{final, plain, "HPCG result is VALID with a GFLOP/s rating of", "rating"},
    HpcgKey{final, plain, "HPCG result is INVALID", "invalid"},
    HpcgKey{final, plain, "HPCG result is", "invalid"},
    HpcgKey{final, plain, "HPCG 2.4 rating for historical reasons is", "rating_2_4"},
    HpcgKey{final, plain, "HPCG 2.4 Rating (for historical value) is", "rating_2_4"},
    HpcgKey{final, plain, "Reference version of ", "reference_kernel"},
    HpcgKey{final, plain, "Results are valid but execution time (sec) is", "execution_time"},
    HpcgKey{final, plain, "Official results execution time (sec) must be at least", "official_minimum"},
    HpcgKey{final, plain, "You have selected the QuickPath option", "quick_path"},
    HpcgKey{final, plain, "After confirmation please upload results", "end_of_report"},
    HpcgKey{final, plain, "Please upload results", "official"},
    HpcgKey{final, plain, "Please send the YAML file", "official"},
    HpcgKey{final, plain, "Please review the YAML file", "end_of_report"},
};

constexpr bool is_separator(char c) {
  return c == ':' || c == '=' || c == ' ' || c == '\t';
}

/// What may be between a section's name and its keys: "::", " ::", blanks.
std::string_view without_separators(std::string_view text) {
  while (!text.empty() && (text.front() == ':' || text.front() == ' ' || text.front() == '\t'))
    text.remove_prefix(1);
  return text;
}

const Section* section_at(std::string_view text) {
  for (const Section& section : sections)
    if (section.text.front() == text.front() && text.starts_with(section.text)) return &section;
  return nullptr;
}

const Group* group_at(std::string_view text) {
  for (const Group& group : groups)
    if (text.starts_with(group.text)) return &group;
  return nullptr;
}

HpcgEntry entry_of(HpcgSection section, HpcgGroup group, std::string_view text) {
  for (size_t i = 0; i < keys.size(); ++i) {
    const HpcgKey& key = keys[i];
    if (key.section != section || key.group != group || !text.starts_with(key.text)) continue;
    std::string_view value = text.substr(key.text.size());
    // The words of the last section are followed by more words; a value's name is not.
    if (section != final && (value.empty() || !is_separator(value.front()))) continue;
    if (value.empty()) continue;
    if (is_separator(value.front())) value.remove_prefix(1);
    return {&key, i, trimmed(value)};
  }
  return {};
}

/// Takes the name of a group and what follows it off `text`.
HpcgGroup take_group(std::string_view& text) {
  const Group* group = group_at(text);
  if (group == nullptr) return HpcgGroup::none;
  text = without_separators(text.substr(group->text.size()));
  return group->group;
}

}  // namespace

std::span<const HpcgKey> hpcg_keys() {
  return keys;
}

std::string_view hpcg_section_name(HpcgSection section) {
  for (const Section& each : sections)
    if (each.section == section) return each.text;
  return {};
}

std::optional<HpcgEntry> HpcgLayout::read(std::string_view text) {
  // "__________ Final Summary __________", "********** Final Summary **********"
  const bool decorated = text.starts_with("____") || text.starts_with("****");
  if (decorated) {
    text.remove_prefix(std::min(text.find_first_not_of("_* "), text.size()));
    if (text.empty()) return std::nullopt;
  }
  const Section* section = section_at(text);
  if (section == nullptr) return decorated ? std::nullopt : read_nested(text);
  std::string_view rest = text.substr(section->text.size());
  if (decorated) rest.remove_prefix(std::min(rest.find_first_not_of("_* "), rest.size()));
  group_ = HpcgGroup::none;
  open_.reset();
  if (trimmed(rest) == ":") open_ = section->section;
  if (trimmed(rest) == ":" || trimmed(rest) == "=" || rest.empty()) return HpcgEntry{};
  rest = without_separators(rest);
  const HpcgGroup group = take_group(rest);
  const HpcgEntry entry = entry_of(section->section, group, rest);
  // A section's name before other words may be anybody's sentence.
  if (entry.key == nullptr && !text.substr(section->text.size()).starts_with("::")) return std::nullopt;
  return entry;
}

std::optional<HpcgEntry> HpcgLayout::read_nested(std::string_view text) {
  if (!open_ || text.find(':') == std::string_view::npos) return std::nullopt;
  if (const Group* group = group_at(text); group != nullptr && text.substr(group->text.size()) == ":") {
    group_ = group->group;
    return HpcgEntry{};
  }
  const HpcgEntry entry = entry_of(*open_, group_, text);
  if (entry.key == nullptr) return std::nullopt;
  const char separator = text[entry.key->text.size()];
  if (*open_ != final && separator != ':') return std::nullopt;
  return entry;
}

}  // namespace shakedown
