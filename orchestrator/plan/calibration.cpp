#include "orchestrator/plan/calibration.hpp"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

constexpr std::int64_t least_points = 2;

double factor_of(TomlTable& table, std::string_view key) {
  const double value = table.required_real(key);
  if (value > 0 && std::isfinite(value)) return value;
  table.reject(key, fmt::format("'{}' is {}, and must be above 0", key, value));
  return 1;
}

/// What a model would need of a node to predict the case's metric.
std::string_view lacking(const Prediction& predicted, const Case& planned, const NodeGroup* node) {
  if (predicted.metric == "wall_time_s") {
    if (const auto own = own_time(planned); own && is_useful(*own))
      return "its start is assumed, not measured, and long beside the benchmark's own time";
    if (is_screen(planned.suite) && planned.gpus_per_node > 0) return "its length is assumed, not measured";
  }
  if (node == nullptr) return "the node is not described";
  if (planned.gpus_per_node > 0 && !node->gpus.empty())
    return node->gpus.front().peak == GpuPeak{} ? "the peak of its GPUs is not known"
                                                : "published results of such GPUs and networks are too few";
  if (node->cpu.base_mhz <= 0) return "clock not known";
  if (node->cpu.fp64_flop_per_cycle <= 0) return "processor model not identified";
  return "its inputs are assumed, not measured";
}

bool is_time(std::string_view metric) {
  return metric == "wall_time_s" || metric == "time_s" || metric == "time_to_train_min";
}

/// What was measured to be slower than its model gets as much more time.
void lengthen_limit(Case& planned, double slower) {
  if (planned.time_limit_s <= 0 || slower <= 1) return;
  planned.time_limit_s = std::ceil(planned.time_limit_s * slower);
  for (Reason& reason : planned.why) {
    if (reason.what != "time_limit_s") continue;
    reason.value = static_cast<std::int64_t>(planned.time_limit_s);
    reason.because += fmt::format("; x {:.4g}, as [[calibration]] has it slower", slower);
  }
}

}  // namespace

std::vector<Calibration> calibrations_from_toml(TomlTable& table) {
  std::vector<Calibration> found;
  for (TomlTable& each : table.tables("calibration")) {
    Calibration calibration;
    calibration.system = each.required_text("system");
    calibration.suite = each.required_text("suite");
    calibration.implementation = each.required_text("implementation");
    calibration.metric = each.required_text("metric");
    calibration.factor = factor_of(each, "factor");
    calibration.low = factor_of(each, "low");
    calibration.high = factor_of(each, "high");
    if (calibration.low > calibration.factor || calibration.factor > calibration.high)
      each.reject("factor", "'factor' lies outside of 'low' to 'high'");
    const std::int64_t points = each.required_integer("points");
    if (points < least_points)
      each.reject("points",
                  fmt::format("1 factor from {} point{} has no degree of freedom: it claims nothing", points,
                              points == 1 ? "" : "s"),
                  "measure once more, and let `shakedown model --fit` write it");
    calibration.points = static_cast<int>(std::min<std::int64_t>(points, 1'000'000'000));
    found.push_back(std::move(calibration));
  }
  return found;
}

std::string calibration_toml(const Calibration& calibration) {
  return fmt::format(
      "[[calibration]]\nsystem = {}\nsuite = {}\nimplementation = {}\nmetric = {}\nfactor = {:.6f}\nlow = "
      "{:.6f}\nhigh = {:.6f}\npoints = {}\n",
      toml_quoted(calibration.system), toml_quoted(calibration.suite),
      toml_quoted(calibration.implementation), toml_quoted(calibration.metric), calibration.factor,
      calibration.low, calibration.high, calibration.points);
}

void calibrate(Case& planned, std::string_view system, std::span<const Calibration> calibrations) {
  double slower = 1;
  for (const Calibration& each : calibrations) {
    if (each.system != system || each.suite != planned.suite || each.implementation != planned.implementation)
      continue;
    for (Prediction& prediction : planned.predicted) {
      if (prediction.metric != each.metric) continue;
      const double raw = prediction.value;
      slower = std::max(slower, is_time(each.metric) ? each.factor : 1 / each.factor);
      prediction = {each.metric, raw * each.factor, raw * each.low, raw * each.high};
      const std::string fit =
          fmt::format("{} x {:.4g} as measured: 1 factor from {} points: {} degree{} of freedom", each.metric,
                      each.factor, each.points, each.points - 1, each.points == 2 ? "" : "s");
      planned.why.push_back({std::string(calibration_reason) + each.metric, each.factor, fit,
                             fmt::format("[[calibration]] of {}", each.system)});
      planned.model.text += (planned.model.text.empty() ? "" : "; ") + fit;
      planned.model.source = "fit";
      planned.model.parameters += 1;
      planned.model.points = std::max(planned.model.points, each.points);
    }
  }
  lengthen_limit(planned, slower);
}

std::optional<Prediction> own_time(const Case& planned) {
  if (const Prediction* seconds = find_prediction(planned, "time_s")) return *seconds;
  const Prediction* minutes = find_prediction(planned, "time_to_train_min");
  if (minutes == nullptr) return std::nullopt;
  return Prediction{"time_s", 60 * minutes->value, 60 * minutes->low, 60 * minutes->high};
}

bool is_useful(double low, double high) {
  return low > 0 && high <= widest_prediction * low;
}

bool is_useful(const Prediction& predicted) {
  return is_useful(predicted.low, predicted.high);
}

bool is_time_predicted(const Case& planned) {
  const Prediction* wall = predicted_wall_time(planned);
  if (wall == nullptr) return false;
  const auto own = own_time(planned);
  return is_useful(*wall) || (own && is_useful(*own));
}

std::string no_useful_prediction(const Prediction& predicted, const Case& planned, const NodeGroup* node) {
  if (is_useful(predicted)) return "";
  return "no useful prediction: " + std::string(lacking(predicted, planned, node));
}

}  // namespace shakedown
