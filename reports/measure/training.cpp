#include "reports/measure/training.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "reports/measure/display.hpp"

namespace shakedown {

std::string ended_without_target(const ResultRecord& result) {
  static constexpr std::string_view metric = "time_to_train_min";
  const Metric* time = result.parsed.metric(metric);
  if (time == nullptr) return "";
  const std::string lasted = metric_text(metric, time->value);
  const Fact* status = result.parsed.fact("status");
  if (status != nullptr && status->value != "success") return fmt::format("aborted after {}", lasted);
  const bool missed = std::any_of(result.rules.begin(), result.rules.end(), [](const RuleResult& rule) {
    return rule.id == "ML-02" && rule.status == RuleStatus::fail;
  });
  return missed ? fmt::format("target missed after {}", lasted) : "";
}

}  // namespace shakedown
