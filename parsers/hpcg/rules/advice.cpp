#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/hpcg/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// Main memory in the sense of HPCG's rules, in bytes; 0: not known.
struct MainMemory {
  double bytes = 0;
  std::string name;
};

/// Whether the GPUs do the work, and no processor beside them.
bool gpus_compute(const ParsedResult& result) {
  const Fact* execution = result.fact("execution");
  return computes_on_gpus(result.implementation) && (execution == nullptr || execution->value == "GPU-Only");
}

MainMemory main_memory(const Evidence& evidence) {
  const NodeGroup* group = group_of_case(evidence);
  if (group == nullptr) return {};
  if (gpus_compute(*evidence.result) && !group->gpus.empty()) {
    const auto procs = whole_parameter(evidence.result->parameters, "procs");
    if (!procs) return {};
    // Both programs run one process on each GPU.
    return {static_cast<double>(*procs) * static_cast<double>(group->gpus.front().memory_bytes),
            fmt::format("memory of {}", plural(*procs, "GPU"))};
  }
  if (evidence.planned == nullptr || evidence.planned->nodes < 1) return {};
  const std::int64_t node = std::max(group->memory_bytes, group->usable.memory_bytes);
  return {static_cast<double>(node) * evidence.planned->nodes,
          fmt::format("host memory of {}", plural(evidence.planned->nodes, "node"))};
}

/// ", after OptimizeProblem saved 0.0276 GB": a plan counts the data before. Empty: it saved nothing.
std::string saved_text(const ParsedResult& result) {
  const Fact* optimised = result.fact("memory_optimize");
  const double gb = optimised == nullptr ? 0 : parsed_number(optimised->value).value_or(0);
  return gb < 0 ? fmt::format(", after OptimizeProblem saved {} GB", number(-gb, 3)) : "";
}

Finding hpcg_fills_memory(const Evidence& evidence) {
  constexpr double least = 0.25;
  const Metric* total = evidence.result->metric("memory_total_gb");
  if (total == nullptr) return unknown("the log does not print the memory of the problem");
  const MainMemory main = main_memory(evidence);
  if (!(main.bytes > 0))
    return unknown("neither a plan nor an inventory gives the memory of the nodes that ran",
                   fmt::format("{} GB", number(total->value, 6)), total->line);
  const double share = total->value * 1e9 / main.bytes;
  return checked(share >= least,
                 fmt::format("{} GB, {} of the {}{}", number(total->value, 6), percent_text(share), main.name,
                             saved_text(*evidence.result)),
                 total->line, "an official problem takes at least a quarter of the main memory");
}

Finding optimised(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* kernels = result.fact("reference_kernels"))
    return failed(kernels->value, kernels->line,
                  "these kernels are the reference's: the rate is likely suboptimal");
  // These follow on the list of such kernels.
  const bool listed = result.fact("official") != nullptr || result.fact("execution_time") != nullptr;
  if (!listed) return unknown("the report's end, which names kernels that are not optimised, is missing");
  return passed("no unoptimised kernel");
}

Finding few_iterations(const Evidence& evidence) {
  constexpr std::int64_t most = 60;
  for (const char* fact : {"optimized_iterations", "console_iterations"})
    if (const auto iterations = whole_fact(*evidence.result, fact))
      return checked(*iterations <= most, fmt::format("{} a set", *iterations),
                     evidence.result->fact(fact)->line,
                     "so many iterations lose much of the raw rate: the smoother converges badly");
  return unknown("the log does not have the iterations of a set");
}

/// HPCG counts a process's 27 nonzeros a row with 32 bits; NVIDIA's program converges worse near that.
Finding indexable(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  double rows = 1;
  for (const char* name : {"nx", "ny", "nz"}) {
    const auto n = whole_parameter(result.parameters, name);
    if (!n) return unknown("the log does not have the local domain");
    rows *= static_cast<double>(*n);
  }
  if (result.fact("int64_indexing") != nullptr) return not_applicable("this build counts with 64 bits");
  constexpr double largest_of_nvidia = 512.0 * 512.0 * 288.0;
  constexpr double largest = 2147483648.0 / 27.0;
  const double most = result.implementation == "nvidia" ? largest_of_nvidia : largest;
  return checked(rows <= most, fmt::format("{:.0f} rows a process, at most {:.0f}", rows, most),
                 result.fact("nx") == nullptr ? 0 : result.fact("nx")->line,
                 "the local domain is larger than 32-bit indices serve well");
}

Finding steady_allreduce(const Evidence& evidence) {
  constexpr double most = 3;
  const ParsedResult& result = *evidence.result;
  const Fact* least = result.fact("allreduce_min");
  const Fact* largest = result.fact("allreduce_max");
  const auto low = least == nullptr ? std::nullopt : finite_number(least->value);
  const auto high = largest == nullptr ? std::nullopt : finite_number(largest->value);
  if (!low || !high) return unknown("the log does not have the times in MPI_Allreduce");
  if (whole_parameter(result.parameters, "procs") == std::int64_t{1}) return not_applicable("one process");
  if (*low <= 0) return unknown("the shortest time in MPI_Allreduce is none", least->value, least->line);
  return checked(*high / *low <= most,
                 fmt::format("{} to {} s, ratio {}", least->value, largest->value, number(*high / *low, 3)),
                 largest->line, "processes wait for stragglers, or the network jitters");
}

/// The last-level caches of all devices of a run, in bytes; 0: not known. Those of GPUs are their L2 caches,
/// which the STREAM screen prints.
double last_level_caches(const Evidence& evidence) {
  if (!computes_on_gpus(evidence.result->implementation)) {
    const NodeGroup* group = group_of_case(evidence);
    if (group == nullptr || evidence.planned == nullptr) return 0;
    return static_cast<double>(last_level_cache_bytes(*group)) * evidence.planned->nodes;
  }
  const auto processes = whole_parameter(evidence.result->parameters, "procs");
  if (!gpus_compute(*evidence.result) || !processes) return 0;
  for (const Screen& screen : evidence.screens)
    if (const auto l2 = whole_parameter(screen.result.parameters, "l2_bytes");
        l2 && screen.result.suite == "stream")
      return static_cast<double>(*l2) * static_cast<double>(*processes);  // one process runs on each GPU
  return 0;
}

/// As STREAM asks for of an array. Of the bytes that HPCG counts the timed part touches about a half.
Finding hpcg_larger_than_caches(const Evidence& evidence) {
  const Metric* total = evidence.result->metric("memory_total_gb");
  if (total == nullptr) return unknown("the log does not print the memory of the problem");
  const double caches = last_level_caches(evidence);
  if (!(caches > 0)) return unknown("the last-level caches of the devices that ran are not known");
  const double bytes = total->value * 1e9;
  return checked(
      bytes >= least_times_caches * caches,
      fmt::format("{} of data, {} times the {} of last-level caches", bytes_text(bytes),
                  number(bytes / caches, 3), bytes_text(caches)),
      total->line,
      "caches hold a part of the problem, so that its rate says little of the memory: measure a larger "
      "one (nx, ny, nz)");
}

/// HPCG counts a FLOP as 7.6 bytes, most of them the matrix: six times over the finest grid in an iteration,
/// 12 bytes a nonzero. An optimised program reads fewer: its sweeps share what they read, down to 3.1 times
/// (1.9), indices shrink, down to the values' 8 bytes (1.5); and STREAM without streaming stores moves a
/// third more than it counts (1.3). All three together are a factor of 3.8.
Finding carried_by_memory(const Evidence& evidence) {
  constexpr double most = 4;
  const ParsedResult& result = *evidence.result;
  if (hpcg_larger_than_caches(evidence).status == RuleStatus::fail)
    return not_applicable("caches hold a part of the problem (HPCG-10b)");
  const Metric* implied = result.metric("bandwidth_gb_s");
  if (implied == nullptr) return unknown("the log does not have HPCG's bandwidths");
  const auto triad = screened_rate(evidence, "stream", "triad_mb_s");
  if (!triad || !(*triad > 0))
    return unknown(computes_on_gpus(result.implementation)
                       ? "no STREAM reference run on the GPUs in this campaign"
                       : "no STREAM reference run in this campaign");
  const double sustained = *triad / 1000;
  return checked(
      implied->value <= most * sustained,
      fmt::format("{} GB/s by HPCG's count, {} of the {} GB/s of STREAM Triad", number(implied->value, 4),
                  percent_text(implied->value / sustained, 0), number(sustained, 4)),
      implied->line,
      "no program reads so little that the memory could carry this rate: the problem lies in the "
      "caches, or the STREAM reference run was disturbed");
}

constexpr std::array hpcg_advice_table = {
    Rule{"HPCG-03", Severity::eligibility, "The problem takes at least a quarter of the main memory",
         "HPCG 3.1, README; the memory is the GPUs' where they do the work", hpcg_fills_memory},
    Rule{"HPCG-08a", Severity::warning, "No kernel is HPCG's unoptimised code", "HPCG 3.1, ReportResults.cpp",
         optimised},
    Rule{"HPCG-08b", Severity::warning, "The optimised solver needs at most 60 iterations a set",
         "SAKURAONE, Table 6: 54", few_iterations},
    Rule{"HPCG-08c", Severity::warning, "32 bits count a process's nonzero terms",
         "HPCG 3.1, Geometry.hpp; NVIDIA/nvidia-hpcg, run_sample.sh: 512 x 512 x 288", indexable},
    Rule{"HPCG-09", Severity::warning,
         "The longest time in MPI_Allreduce is at most three times the shortest",
         "HPCG 3.1, ReportResults.cpp: DDOT Timing Variations", steady_allreduce},
    Rule{"HPCG-10", Severity::warning, "The bandwidth that the rate implies is one that memory can carry",
         "HPCG 3.1, ReportResults.cpp: GB/s Summary; the STREAM reference run", carried_by_memory},
    Rule{"HPCG-10b", Severity::warning,
         "The problem is at least four times as large as all last-level caches in use",
         "HPCG 3.1, README; STREAM 5.10, stream.c, instruction (a): four times", hpcg_larger_than_caches},
};

}  // namespace

std::span<const Rule> hpcg_advice_rules() {
  return hpcg_advice_table;
}

}  // namespace shakedown
