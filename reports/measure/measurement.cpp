#include "reports/measure/measurement.hpp"

#include <algorithm>
#include <limits>

#include "orchestrator/inventory/hostlist.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/metric_units.hpp"

namespace shakedown {
namespace {

/// A metric of a result: as its parser gives it, or tokens from samples of a known length.
std::optional<double> metric_value(const ResultRecord& result, const Case& planned, std::string_view name) {
  if (const Metric* found = result.parsed.metric(name)) return found->value;
  if (name != "tokens_per_s") return std::nullopt;
  const Metric* samples = result.parsed.metric("samples_per_s");
  const Value* length = find_parameter(result.parsed.parameters, "sequence_length");
  if (length == nullptr) length = find_parameter(planned.parameters, "sequence_length");
  if (samples == nullptr || length == nullptr) return std::nullopt;
  return samples->value * value_number(*length);
}

}  // namespace

bool usable(const ResultRecord& result) {
  if (result.validity == Validity::valid) return true;
  return result.validity == Validity::unknown && result.rules.empty() && result.parsed.complete;
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

bool computed_on_gpus(const Case& planned, const Comparability& comparability) {
  return comparability.on_gpus(planned.implementation) ||
         (!planned.origin.empty() && find_parameter(planned.parameters, "gpu") != nullptr);
}

bool device_known(const Case& planned, const Comparability& comparability) {
  return planned.origin.empty() || computed_on_gpus(planned, comparability) ||
         planned.implementation == "reference";  // our own kernels run on CPUs
}

bool gpus_known(const Case& planned, const Comparability& comparability) {
  if (planned.origin.empty() || gpus_used(planned, comparability) > 0) return true;
  return device_known(planned, comparability) && !computed_on_gpus(planned, comparability);
}

Measurement measured(const MeasuredCampaign& campaign, const MeasuredCase& record, std::string_view metric,
                     const Comparability& comparability) {
  if (is_efficiency(metric)) return efficiency(campaign, record, metric, comparability);

  static constexpr std::string_view per_gpu = "_per_gpu";
  const int gpus = gpus_used(record.planned, comparability);
  const bool divide = metric.ends_with(per_gpu);
  const std::string_view name = divide ? metric.substr(0, metric.size() - per_gpu.size()) : metric;
  Measurement measurement;
  if (divide && direction_of(name) != Better::higher) {
    measurement.missing = fmt::format("{} is no rate, so there is none per GPU", name);
    return measurement;
  }
  if (divide && gpus == 0) {
    measurement.missing = gpus_known(record.planned, comparability) ? "the case ran on no GPU"
                                                                    : "the number of GPUs is not in the log";
    return measurement;
  }
  for (const CountedResult& counted : record.own) {
    // What the log prints per GPU has more digits than a total that is rounded and divided.
    const auto printed = divide ? metric_value(*counted.result, record.planned, metric) : std::nullopt;
    const auto found = printed ? printed : metric_value(*counted.result, record.planned, name);
    if (!found) continue;
    measurement.points.push_back(divide && !printed ? derived_value(*found / gpus) : *found);
    measurement.attempts.push_back(counted.attempt);
  }
  return measurement;
}

LogReference log_reference(const Case& planned, const AttemptRecord& attempt) {
  std::string name = planned.result_file.empty() ? "stdout.log" : planned.result_file;
  if (!attempt.results.empty() && !attempt.results.front().file.empty()) name = attempt.results.front().file;
  for (const FileRecord& file : attempt.files)
    if (file.name == name) return {attempt.run_folder + "/" + name, file.sha256};
  return {attempt.run_folder + "/" + name, ""};
}

}  // namespace shakedown
