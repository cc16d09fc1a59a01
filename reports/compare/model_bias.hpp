#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/store/record.hpp"
#include "orchestrator/store/series.hpp"

namespace shakedown {

/// A campaign's runs over what the model predicted of them.
struct ModelPoint {
  std::string campaign;
  double at_s = 0;    ///< of its first run, seconds since 1970
  double ratio = 1;   ///< measured over predicted, the median of the campaign's runs
  std::size_t n = 0;  ///< runs
};

/// How far a model's predictions of one metric of a system are off, over time. What a calibration had
/// corrected is taken out again: the ratios are to the model itself.
struct ModelBias {
  std::string suite;
  std::string implementation;
  std::string metric;
  std::vector<ModelPoint> points;  ///< one a campaign, oldest first: runs of one share too much to count each
  double bias = 1;                 ///< median of the points
  double low = 1;                  ///< the least and the greatest of them
  double high = 1;
  double spread = 0;  ///< 1.4826 MAD of the points over the bias
  std::optional<std::pair<double, double>>
      interval;  ///< 95 % of the median; nothing with fewer than 6 points
  /// Points less the one factor that is fitted; 0: nothing is claimed.
  [[nodiscard]] std::size_t freedom() const { return points.size() - 1; }
  /// "1 factor from 7 points: 6 degrees of freedom".
  [[nodiscard]] std::string claim() const;
};

/// The bias of each metric that was both predicted and measured by a complete run that is not invalid.
std::vector<ModelBias> model_biases(const SystemSeries& series,
                                    std::span<const StoredPrediction> predictions);

/// What `plan --config` takes; nothing without a degree of freedom.
std::optional<Calibration> fitted(const ModelBias& bias, const std::string& system);

}  // namespace shakedown
