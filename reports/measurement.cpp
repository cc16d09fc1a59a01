#include "reports/measurement.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/bandwidth_efficiency.hpp"
#include "reports/statistics.hpp"

namespace shakedown {
namespace {

/// The denominator of an efficiency.
struct Reference {
  double gflops = 0;
  std::string name;
  std::string missing;
};

constexpr const char* nodes_not_told = "the log does not tell on how many nodes it was made";

/// The median of all usable GEMM rates per node, times the nodes of the case.
Reference measured_gemm(const CampaignRecord& campaign, const CaseRecord& record,
                        const Comparability& comparability) {
  if (record.planned.nodes < 1) return {0, "", nodes_not_told};
  std::vector<double> per_node;
  bool other_device = false;
  for (const CaseRecord& screen : campaign.cases) {
    if (screen.planned.suite != "gemm" || screen.planned.nodes < 1) continue;
    if (comparability.on_gpus(screen.planned.implementation) !=
        comparability.on_gpus(record.planned.implementation)) {
      other_device = true;
      continue;
    }
    for (const CountedResult& counted : counted_results(screen))
      if (const Metric* rate = counted.result->parsed.metric(rate_metric("gemm"));
          rate && usable(*counted.result))
        per_node.push_back(rate->value / screen.planned.nodes);
  }
  if (!per_node.empty() && median(per_node) > 0)
    return {median(per_node) * record.planned.nodes, "measured GEMM", ""};
  if (other_device) return {0, "", "GEMM was measured on other devices than those that ran the case"};
  return {0, "", "no GEMM rate was measured in this campaign"};
}

Reference theoretical_peak(const CampaignRecord& campaign, const CaseRecord& record,
                           const Comparability& comparability) {
  if (comparability.on_gpus(record.planned.implementation))
    return {0, "", "the FP64 FLOP per cycle of the GPUs is not known"};
  const NodeGroup* group = node_group(campaign.inventory, record.planned);
  if (record.planned.nodes < 1) return {0, "", nodes_not_told};
  if (group == nullptr) return {0, "", "the inventory does not hold the case's nodes"};
  const double peak = cpu_peak_gflops(*group);
  if (peak > 0) return {peak * record.planned.nodes, "theoretical peak at the base clock", ""};
  const std::string what = group->cpu.base_mhz > 0 ? "the FP64 FLOP per cycle" : "the base clock";
  return {0, "", fmt::format("{} of '{}' is not known", what, group->cpu.model)};
}

/// A metric of a result: as its parser gives it, or tokens from samples of a known length.
std::optional<double> figure(const ResultRecord& result, const Case& planned, std::string_view name) {
  if (const Metric* found = result.parsed.metric(name)) return found->value;
  if (name != "tokens_per_s") return std::nullopt;
  const Metric* samples = result.parsed.metric("samples_per_s");
  const Value* length = find_parameter(result.parsed.parameters, "sequence_length");
  if (length == nullptr) length = find_parameter(planned.parameters, "sequence_length");
  if (samples == nullptr || length == nullptr) return std::nullopt;
  return samples->value * value_number(*length);
}

Measurement efficiency(const CaseRecord& record, const Reference& reference) {
  Measurement measurement;
  measurement.missing = reference.missing;
  if (!reference.missing.empty()) return measurement;
  measurement.basis = fmt::format("of {} {}", flops_text(reference.gflops), reference.name);
  for (const CountedResult& counted : counted_results(record)) {
    const Metric* rate = counted.result->parsed.metric(rate_metric(record.planned.suite));
    if (rate == nullptr) continue;
    measurement.points.push_back(rate->value / reference.gflops);
    measurement.attempts.push_back(counted.attempt);
  }
  return measurement;
}

}  // namespace

std::vector<CountedResult> counted_results(const CaseRecord& record) {
  std::vector<CountedResult> counted;
  for (const AttemptRecord& attempt : record.attempts) {
    if (attempt.state != AttemptState::finished && attempt.state != AttemptState::imported) continue;
    for (const ResultRecord& result : attempt.results)
      if (!result.parsed.metrics.empty() || result.validity != Validity::unknown)
        counted.push_back({&attempt, &result});
  }
  return counted;
}

bool usable(const ResultRecord& result) {
  if (result.validity == Validity::valid) return true;
  return result.validity == Validity::unknown && result.rules.empty() && result.parsed.complete;
}

std::string_view rate_metric(std::string_view suite) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> rates = {
      {{"hpl", "rmax_gflops"},
       {"gemm", "fp64_gflops"},
       {"hpcg", "rating_gflops"},
       {"hpl-mxp", "rmax_gflops"}}};
  for (const auto& [id, metric] : rates)
    if (id == suite) return metric;
  return {};
}

const NodeGroup* node_group(const Inventory& inventory, const Case& planned) {
  if (inventory.groups.size() == 1) return &inventory.groups.front();
  for (const NodeGroup& group : inventory.groups) {
    if (group.hosts == planned.hosts) return &group;
    const auto hosts = expanded_hostlist(group.hosts);
    const auto wanted = expanded_hostlist(planned.hosts);
    if (hosts && wanted && !wanted->empty() &&
        std::find(hosts->begin(), hosts->end(), wanted->front()) != hosts->end())
      return &group;
  }
  return nullptr;
}

int gpus_used(const Case& planned, const Comparability& comparability) {
  if (const Value* stated = find_parameter(planned.parameters, "gpus")) {
    const double gpus = value_number(*stated);
    if (gpus >= 0 && gpus <= std::numeric_limits<int>::max()) return static_cast<int>(gpus);
  }
  return comparability.on_gpus(planned.implementation) ? planned.ranks : 0;
}

bool device_known(const Case& planned, const Comparability& comparability) {
  return planned.origin.empty() || comparability.on_gpus(planned.implementation) ||
         planned.implementation == "reference";  // our own kernels run on CPUs
}

bool gpus_known(const Case& planned, const Comparability& comparability) {
  if (planned.origin.empty() || gpus_used(planned, comparability) > 0) return true;
  return device_known(planned, comparability) && !comparability.on_gpus(planned.implementation);
}

Measurement measured(const CampaignRecord& campaign, const CaseRecord& record, std::string_view metric,
                     const Comparability& comparability) {
  if (metric == "efficiency_gemm") return efficiency(record, measured_gemm(campaign, record, comparability));
  if (metric == "efficiency_rpeak")
    return efficiency(record, theoretical_peak(campaign, record, comparability));
  if (metric == "efficiency_stream") return stream_efficiency(campaign, record, comparability);
  if (metric == "efficiency_memory") return memory_efficiency(campaign, record);

  static constexpr std::string_view per_gpu = "_per_gpu";
  const int gpus = gpus_used(record.planned, comparability);
  const bool divide = metric.ends_with(per_gpu);
  Measurement measurement;
  if (divide && gpus == 0) {
    measurement.missing = gpus_known(record.planned, comparability)
                              ? "the case ran on no GPU"
                              : "the log does not tell on how many GPUs it was made";
    return measurement;
  }
  const std::string_view name = divide ? metric.substr(0, metric.size() - per_gpu.size()) : metric;
  for (const CountedResult& counted : counted_results(record)) {
    const auto found = figure(*counted.result, record.planned, name);
    if (!found) continue;
    measurement.points.push_back(divide ? *found / gpus : *found);
    measurement.attempts.push_back(counted.attempt);
  }
  return measurement;
}

LogReference log_reference(const CaseRecord& record, const AttemptRecord& attempt) {
  std::string name = record.planned.result_file.empty() ? "stdout.log" : record.planned.result_file;
  if (!attempt.results.empty() && !attempt.results.front().file.empty()) name = attempt.results.front().file;
  for (const FileRecord& file : attempt.files)
    if (file.name == name) return {attempt.run_folder + "/" + name, file.sha256};
  return {attempt.run_folder + "/" + name, ""};
}

}  // namespace shakedown
