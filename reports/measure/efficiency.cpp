#include "reports/measure/efficiency.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/measure/bandwidth_efficiency.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/statistics/median.hpp"

namespace shakedown {
namespace {

/// The denominator of an efficiency, in the unit of the suite's rate.
struct Peak {
  double value = 0;
  std::string basis;    ///< "of 111.2 GFLOP/s measured GEMM"
  std::string missing;  ///< why there is none
  /// The cases that measured it; empty: none did.
  std::vector<std::string> screens{};  // NOLINT(readability-redundant-member-init): g++ 12 warns without it
  std::string
      doubt{};  // NOLINT(readability-redundant-member-init): why it may be too large; empty: it is not
};

Peak none(std::string why) {
  return {0, "", std::move(why)};
}

/// The precision of a case's arithmetic in lower case; empty: not known.
std::string precision_of(const CampaignRecord& campaign, const CaseRecord& record,
                         const Comparability& comparability) {
  // The one training that states its model's FLOP is ours, in FP32.
  if (record.planned.suite == "mlperf") return "fp32";
  const auto stated = condition_of("precision", campaign, record, comparability);
  return stated ? lower(value_text(*stated)) : "";
}

/// The median of all usable GEMM rates per node, times the nodes of the case.
Peak measured_gemm(const CampaignRecord& campaign, const CaseRecord& record,
                   const Comparability& comparability) {
  if (record.planned.nodes < 1) return none(nodes_not_told);
  const std::string precision = precision_of(campaign, record, comparability);
  if (precision.empty()) return none("the precision of its arithmetic is not known");
  std::vector<double> per_node;
  std::vector<std::string> screens;
  bool other_device = false;
  for (const CaseRecord& screen : campaign.cases) {
    if (screen.planned.suite != "gemm" || screen.planned.nodes < 1 || screen.planned.confirms) continue;
    if (comparability.on_gpus(screen.planned.implementation) !=
        comparability.on_gpus(record.planned.implementation)) {
      other_device = true;
      continue;
    }
    for (const CountedResult& counted : counted_results(screen))
      if (const Metric* rate = counted.result->parsed.metric(precision + "_gflops");
          rate != nullptr && usable(*counted.result))
        per_node.push_back(rate->value / screen.planned.nodes);
    screens.push_back(screen.planned.id);
  }
  std::string named;  // FP64 is what GEMM is without a word
  if (precision != "fp64") {
    named = precision + " ";
    for (char& c : named) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  }
  if (!per_node.empty() && median(per_node) > 0) {
    const double gflops = median(per_node) * record.planned.nodes;
    return {gflops, fmt::format("of {} measured {}GEMM", flops_text(gflops), named), "", std::move(screens)};
  }
  if (other_device) return none("GEMM was measured on other devices than those that ran the case");
  return none(fmt::format("no GEMM rate {}was measured in this campaign",
                          named.empty() ? "" : fmt::format("in {}", named)));
}

/// A virtual machine has the cores that its hypervisor states, and that one commonly states a hardware thread
/// as a core: two of them then share the units that the peak counts twice.
std::string doubt_of_cores(const NodeGroup& group) {
  if (group.software.virtualisation.empty() || group.cpu.threads_per_core > 1) return "";
  return fmt::format(
      "what the hypervisor ({}) calls a core may be one thread of one, and the peak then lower",
      group.software.virtualisation);
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
    return {gflops,
            fmt::format("of {} theoretical peak at the base clock", flops_text(gflops)),
            "",
            {},
            doubt_of_cores(*group)};
  const std::string what = group->cpu.base_mhz > 0 ? "the FP64 FLOP per cycle" : "the base clock";
  return none(fmt::format("{} of '{}' is not known", what, group->cpu.model));
}

using Denominator = Peak (*)(const CampaignRecord&, const CaseRecord&, const Comparability&);
constexpr std::array<std::pair<std::string_view, Denominator>, 2> denominators = {
    {{"efficiency_gemm", measured_gemm}, {"efficiency_rpeak", theoretical_peak}}};

}  // namespace

bool is_efficiency(std::string_view metric) {
  return metric.starts_with("efficiency_");
}

std::string_view efficiency_numerator(std::string_view name, std::string_view suite) {
  if (name == "efficiency_stream") return suite == "hpcg" ? hpcg_bandwidth : "";
  if (name == "efficiency_memory") return suite == "stream" ? stream_triad : "";
  const bool known =
      std::ranges::find(denominators, name, [](const auto& row) { return row.first; }) != denominators.end();
  return known ? rate_metric(suite) : "";
}

Measurement efficiency(const CampaignRecord& campaign, const CaseRecord& record, std::string_view metric,
                       const Comparability& comparability) {
  if (metric == "efficiency_stream") return stream_efficiency(campaign, record, comparability);
  if (metric == "efficiency_memory") return memory_efficiency(campaign, record);
  Measurement measurement;
  for (const auto& [name, denominator] : denominators) {
    if (name != metric) continue;
    const Peak peak = denominator(campaign, record, comparability);
    measurement.missing = peak.missing;
    measurement.basis = peak.basis;
    measurement.screens = peak.screens;
    measurement.doubt = peak.doubt;
    if (!peak.missing.empty()) return measurement;
    for (const CountedResult& counted : own_results(record))
      if (const Metric* rate =
              counted.result->parsed.metric(efficiency_numerator(metric, record.planned.suite))) {
        measurement.points.push_back(rate->value / peak.value);
        measurement.attempts.push_back(counted.attempt);
      }
  }
  return measurement;
}

}  // namespace shakedown
