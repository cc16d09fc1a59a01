#include "reports/compare/model_bias.hpp"

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/statistics/order_interval.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

constexpr double normal_mad = 1.4826;

using Key = std::tuple<std::string, std::string, std::string>;  // suite, implementation, metric

struct Gathered {
  std::map<std::string, std::vector<double>> ratios;  ///< by node, or nodes
  double first_s = 0;
  std::size_t runs = 0;
};

/// Of the nodes' medians: a node that was repeated, as slow ones are, counts once.
double middle_of(const Gathered& gathered) {
  std::vector<double> medians;
  medians.reserve(gathered.ratios.size());
  for (const auto& [hosts, ratios] : gathered.ratios) medians.push_back(median(ratios));
  return median(std::move(medians));
}

void conclude(ModelBias& bias) {
  std::sort(bias.points.begin(), bias.points.end(),
            [](const ModelPoint& a, const ModelPoint& b) { return a.at_s < b.at_s; });
  std::vector<double> ratios;
  ratios.reserve(bias.points.size());
  for (const ModelPoint& point : bias.points) ratios.push_back(point.ratio);
  bias.bias = median(ratios);
  const auto [low, high] = std::minmax_element(ratios.begin(), ratios.end());
  bias.low = *low;
  bias.high = *high;
  bias.spread = normal_mad * median_absolute_deviation(ratios) / bias.bias;
  if (const auto interval = median_interval(ratios)) bias.interval = {interval->low, interval->high};
}

}  // namespace

std::string ModelBias::claim() const {
  const std::string from = fmt::format("1 factor from {} point{}: {} degree{} of freedom", points.size(),
                                       points.size() == 1 ? "" : "s", freedom(), freedom() == 1 ? "" : "s");
  return freedom() == 0 ? from + ": nothing is claimed" : from;
}

std::vector<ModelBias> model_biases(const SystemSeries& series,
                                    std::span<const StoredPrediction> predictions) {
  std::map<std::tuple<std::string_view, std::string_view, std::string_view>, const StoredPrediction*>
      predicted;
  for (const StoredPrediction& each : predictions)
    predicted[{each.campaign, each.case_id, each.metric}] = &each;
  std::map<Key, std::map<std::string, Gathered>> found;
  for (const MetricSeries& shape : series.series)
    for (const SeriesPoint& point : shape.points) {
      const SeriesRun& run = series.runs[point.run];
      if (!run.complete || run.validity == Validity::invalid || !(point.value > 0)) continue;
      const auto at = predicted.find({run.campaign, run.case_id, shape.metric});
      if (at == predicted.end() || !(at->second->value > 0)) continue;
      Gathered& gathered = found[{shape.suite, shape.implementation, shape.metric}][run.campaign];
      if (gathered.runs == 0 || run.at_s < gathered.first_s) gathered.first_s = run.at_s;
      gathered.ratios[run.hosts].push_back(point.value / at->second->value);
      ++gathered.runs;
    }
  std::vector<ModelBias> biases;
  for (auto& [key, campaigns] : found) {
    ModelBias& bias = biases.emplace_back();
    std::tie(bias.suite, bias.implementation, bias.metric) = key;
    for (auto& [campaign, gathered] : campaigns)
      bias.points.push_back({campaign, gathered.first_s, middle_of(gathered), gathered.runs});
    conclude(bias);
  }
  return biases;
}

std::optional<Calibration> fitted(const ModelBias& bias, const std::string& system) {
  if (bias.freedom() == 0) return std::nullopt;
  return Calibration{system,    bias.suite, bias.implementation, bias.metric,
                     bias.bias, bias.low,   bias.high,           static_cast<int>(bias.points.size())};
}

}  // namespace shakedown
