#include "reports/efficiency.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "reports/conditions.hpp"
#include "reports/statistics.hpp"

namespace shakedown {
namespace {

/// The denominator of an efficiency, in the unit of the suite's rate.
struct Peak {
  double value = 0;
  std::string basis;    ///< "of 111.2 GFLOP/s measured GEMM"
  std::string missing;  ///< why there is none
};

Peak none(std::string why) {
  return {0, "", std::move(why)};
}

constexpr const char* nodes_not_told = "the log does not tell on how many nodes it was made";

/// What the screens of a suite measured per node, on devices like those of a case.
struct Screened {
  std::vector<double> per_node;
  bool other_device = false;
};

template <class Figure>
Screened screened(const CampaignRecord& campaign, const CaseRecord& record,
                  const Comparability& comparability, std::string_view suite, Figure figure) {
  Screened found;
  for (const CaseRecord& screen : campaign.cases) {
    if (screen.planned.suite != suite || screen.planned.nodes < 1) continue;
    if (comparability.on_gpus(screen.planned.implementation) !=
        comparability.on_gpus(record.planned.implementation)) {
      found.other_device = true;
      continue;
    }
    for (const CountedResult& counted : counted_results(screen))
      if (const std::optional<double> rate = figure(*counted.result); rate && usable(*counted.result))
        found.per_node.push_back(*rate / screen.planned.nodes);
  }
  return found;
}

/// The precision of a case's arithmetic in lower case; empty: not known.
std::string precision_of(const CampaignRecord& campaign, const CaseRecord& record,
                         const Comparability& comparability) {
  // The one training that states its model's FLOP is ours, in FP32.
  if (record.planned.suite == "mlperf") return "fp32";
  const auto stated = condition_of("precision", campaign, record, comparability);
  std::string text = stated ? value_text(*stated) : "";
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

/// The median of all usable GEMM rates per node, times the nodes of the case.
Peak measured_gemm(const CampaignRecord& campaign, const CaseRecord& record,
                   const Comparability& comparability) {
  if (record.planned.nodes < 1) return none(nodes_not_told);
  const std::string precision = precision_of(campaign, record, comparability);
  if (precision.empty()) return none("the precision of its arithmetic is not known");
  const bool fp64 = precision == "fp64";
  std::string upper = precision;
  for (char& c : upper) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const Screened found = screened(
      campaign, record, comparability, "gemm", [&](const ResultRecord& result) -> std::optional<double> {
        const Metric* rate = result.parsed.metric(precision + "_gflops");
        return rate == nullptr ? std::nullopt : std::optional(rate->value);
      });
  if (!found.per_node.empty() && median(found.per_node) > 0) {
    const double gflops = median(found.per_node) * record.planned.nodes;
    return {gflops, fmt::format("of {} measured {}GEMM", flops_text(gflops), fp64 ? "" : upper + " "), ""};
  }
  if (found.other_device) return none("GEMM was measured on other devices than those that ran the case");
  return none(fmt::format("no GEMM rate {}was measured in this campaign", fp64 ? "" : "in " + upper + " "));
}

Peak theoretical_peak(const CampaignRecord& campaign, const CaseRecord& record,
                      const Comparability& comparability) {
  if (comparability.on_gpus(record.planned.implementation))
    return none("the FP64 FLOP per cycle of the GPUs is not known");
  const NodeGroup* group = node_group(campaign.inventory, record.planned);
  if (record.planned.nodes < 1) return none(nodes_not_told);
  if (group == nullptr) return none("the inventory does not hold the case's nodes");
  const double gflops = cpu_peak_gflops(*group) * record.planned.nodes;
  if (gflops > 0)
    return {gflops, fmt::format("of {} theoretical peak at the base clock", flops_text(gflops)), ""};
  const std::string what = group->cpu.base_mhz > 0 ? "the FP64 FLOP per cycle" : "the base clock";
  return none(fmt::format("{} of '{}' is not known", what, group->cpu.model));
}

/// STREAM's triad in GB/s (10^9 bytes), whatever unit it is printed in.
std::optional<double> triad_gb_s(const ResultRecord& result) {
  static constexpr std::array<std::pair<std::string_view, double>, 6> units = {
      {{"triad_mb_s", 1e-3},
       {"triad_gb_s", 1},
       {"triad_tb_s", 1e3},
       {"triad_mib_s", 0x1p20 / 1e9},
       {"triad_gib_s", 0x1p30 / 1e9},
       {"triad_tib_s", 0x1p40 / 1e9}}};
  for (const auto& [name, factor] : units)
    if (const Metric* rate = result.parsed.metric(name)) return rate->value * factor;
  return std::nullopt;
}

/// Bytes that HPCG counts for each FLOP of its raw rate. Its model is that of the reference kernels: an optimised
/// kernel moves fewer.
///
/// Source: HPCG 3.1, ReportResults.cpp, "GB/s Summary".
std::optional<double> bytes_per_flop(const ResultRecord& result) {
  const Metric* bandwidth = result.parsed.metric("bandwidth_gb_s");
  const Metric* raw = result.parsed.metric("raw_gflops");
  if (bandwidth == nullptr || raw == nullptr || !(raw->value > 0) || !(bandwidth->value > 0))
    return std::nullopt;
  return bandwidth->value / raw->value;
}

Peak roofline(const CampaignRecord& campaign, const CaseRecord& record, const Comparability& comparability) {
  if (record.planned.nodes < 1) return none(nodes_not_told);
  std::vector<double> bytes;
  for (const CountedResult& counted : own_results(record))
    if (const auto each = bytes_per_flop(*counted.result)) bytes.push_back(*each);
  if (bytes.empty()) return none("the log does not tell how many bytes HPCG counts");
  const Screened found = screened(campaign, record, comparability, "stream", triad_gb_s);
  if (!found.per_node.empty() && median(found.per_node) > 0) {
    const double gb_s = median(found.per_node) * record.planned.nodes;
    const double gflops = gb_s / median(bytes);
    return {gflops,
            fmt::format("of {}: measured triad, {} GB/s, at the {} bytes per FLOP that HPCG counts",
                        flops_text(gflops), number(gb_s), number(median(bytes), 3)),
            ""};
  }
  if (found.other_device) return none("STREAM was measured on other devices than those that ran the case");
  return none("no STREAM triad was measured in this campaign");
}

/// The bandwidth that the memory's makers state, in GB/s.
Peak memory_peak(const CampaignRecord& campaign, const CaseRecord& record,
                 const Comparability& comparability) {
  if (record.planned.nodes < 1) return none(nodes_not_told);
  const NodeGroup* group = node_group(campaign.inventory, record.planned);
  if (group == nullptr) return none("the inventory does not hold the case's nodes");
  if (!comparability.on_gpus(record.planned.implementation))
    return none("what the DIMMs can reach is not readable here");
  double gb_s = 0;
  for (const Gpu& gpu : group->gpus) gb_s += gpu.peak.memory_bandwidth_gb_s.value_or(0);
  if (!(gb_s > 0)) return none("the bandwidth of the GPUs' memory is not known");
  gb_s *= record.planned.nodes;
  return {gb_s, fmt::format("of {} GB/s stated for the memory", number(gb_s)), ""};
}

/// The figure that an efficiency is of.
std::optional<double> rate(const ResultRecord& result, std::string_view suite) {
  if (suite == "stream") return triad_gb_s(result);
  const Metric* found = result.parsed.metric(rate_metric(suite));
  return found == nullptr ? std::nullopt : std::optional(found->value);
}

using Denominator = Peak (*)(const CampaignRecord&, const CaseRecord&, const Comparability&);
constexpr std::array<std::pair<std::string_view, Denominator>, 4> denominators = {
    {{"efficiency_gemm", measured_gemm},
     {"efficiency_rpeak", theoretical_peak},
     {"efficiency_stream", roofline},
     {"efficiency_memory", memory_peak}}};

}  // namespace

bool is_efficiency(std::string_view metric) {
  return std::any_of(denominators.begin(), denominators.end(),
                     [&](const auto& each) { return each.first == metric; });
}

Measurement efficiency(const CampaignRecord& campaign, const CaseRecord& record, std::string_view metric,
                       const Comparability& comparability) {
  Measurement measurement;
  for (const auto& [name, denominator] : denominators) {
    if (name != metric) continue;
    const Peak peak = denominator(campaign, record, comparability);
    measurement.missing = peak.missing;
    measurement.basis = peak.basis;
    if (!peak.missing.empty()) return measurement;
    for (const CountedResult& counted : own_results(record))
      if (const auto figure = rate(*counted.result, record.planned.suite)) {
        measurement.points.push_back(*figure / peak.value);
        measurement.attempts.push_back(counted.attempt);
      }
  }
  return measurement;
}

}  // namespace shakedown
