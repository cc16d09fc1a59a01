#include "suites/mlperf/scaling.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

namespace shakedown::mlperf {
namespace {

constexpr std::string_view time_metric = "time_to_train_min";

/// The logarithm of the GPUs in its parts below and above the knee, and of the rate.
struct ScalePoint {
  double below = 0;
  double above = 0;
  double rate = 0;
};

ScalePoint scale_point(const PublishedResult& run, double knee) {
  const double gpus = run.gpus;
  return {std::log(std::min(gpus, knee)), std::log(std::max(gpus, knee) / knee), -std::log(run.value)};
}

}  // namespace

double Scaling::operator()(double gpus) const {
  return std::pow(std::min(gpus, knee), up_to) * std::pow(std::max(gpus, knee) / knee, beyond);
}

double scale_uncertainty(std::span<const PublishedResult> results, const Scaling& scaling, double gpus) {
  double least = gpus;
  double most = gpus;
  for (bool first = true; const PublishedResult& run : results) {
    if (run.metric != time_metric) continue;
    least = first ? run.gpus : std::min<double>(least, run.gpus);
    most = first ? run.gpus : std::max<double>(most, run.gpus);
    first = false;
  }
  const double exponent = gpus > scaling.knee ? scaling.beyond : scaling.up_to;
  return doublings_outside(gpus, least, most) * std::abs(1 - exponent) * std::log(2);
}

double network_uncertainty(const Scaling& scaling, double nodes, double slower) {
  const double waits = 1 - std::pow(nodes, scaling.up_to - 1);
  return std::abs(std::log(1 + (slower - 1) * std::clamp(waits, 0.0, 1.0)));
}

Scaling fitted_scaling(std::span<const PublishedResult> results, double knee) {
  std::map<std::string_view, std::vector<ScalePoint>> models;
  for (const PublishedResult& run : results)
    if (run.metric == time_metric) models[run.gpu].push_back(scale_point(run, knee));
  double bb = 0;
  double ba = 0;
  double aa = 0;
  double br = 0;
  double ar = 0;
  for (const auto& [gpu, points] : models) {
    ScalePoint middle;
    for (const ScalePoint& each : points) {
      middle.below += each.below / static_cast<double>(points.size());
      middle.above += each.above / static_cast<double>(points.size());
      middle.rate += each.rate / static_cast<double>(points.size());
    }
    for (const ScalePoint& each : points) {
      const double below = each.below - middle.below;
      const double above = each.above - middle.above;
      const double rate = each.rate - middle.rate;
      bb += below * below;
      ba += below * above;
      aa += above * above;
      br += below * rate;
      ar += above * rate;
    }
  }
  const double determinant = bb * aa - ba * ba;
  if (!(determinant > 0)) return {knee, 1, 1};
  return {knee, (br * aa - ar * ba) / determinant, (ar * bb - br * ba) / determinant};
}

std::vector<Observation> observed(std::span<const PublishedResult> results, const Scaling& scaling) {
  std::vector<Observation> list;
  for (const PublishedResult& run : results)
    if (run.metric == time_metric)
      list.push_back({run.system, run.make, run.gpu, static_cast<double>(run.gpus),
                      1 / (run.value * run.basis * scaling(run.gpus))});
  return list;
}

}  // namespace shakedown::mlperf
