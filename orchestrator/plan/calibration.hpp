#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/toml.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {

/// By how much a system's runs differ from the model's prediction: one `[[calibration]]` table, as
/// `shakedown model --fit` writes it.
struct Calibration {
  std::string system;
  std::string suite;
  std::string implementation;
  std::string metric;
  double factor = 1;  ///< measured over predicted
  double low = 1;     ///< the least and the greatest of the points that it is fitted to
  double high = 1;
  int points = 0;  ///< campaigns
  friend bool operator==(const Calibration&, const Calibration&) = default;
};

/// Reads a document's `[[calibration]]`. Objections: fewer than two points, which give no degree of freedom,
/// and impossible factors.
std::vector<Calibration> calibrations_from_toml(TomlTable& table);

/// A `[[calibration]]` table.
std::string calibration_toml(const Calibration& calibration);

/// Begins the reason of a factor that `calibrate` wrote: a later fit removes it again.
inline constexpr std::string_view calibration_reason = "calibration ";

/// Multiplies a case's predictions by those calibrations that are of its suite and implementation; they then
/// name the fit, its points and its degrees of freedom as their source. What is slower by them than its model
/// gets a time limit that is as much longer.
void calibrate(Case& planned, std::string_view system, std::span<const Calibration> calibrations);

/// A range wider than this factor is no prediction.
inline constexpr double widest_prediction = 4;

/// Whether a range is no wider than that.
[[nodiscard]] bool is_useful(double low, double high);
[[nodiscard]] bool is_useful(const Prediction& predicted);

/// What the benchmark itself takes, as "time_s": that, else "time_to_train_min" in seconds; nothing: it is
/// not predicted apart from start and end.
[[nodiscard]] std::optional<Prediction> own_time(const Case& planned);

/// Whether a time of the case is predicted within such a range: from start to end, else the benchmark's own.
[[nodiscard]] bool is_time_predicted(const Case& planned);

/// Why a prediction is of no use: "no useful prediction: clock not known"; empty where it is of use. `node`
/// is the kind of node that the case runs on; null: not known.
[[nodiscard]] std::string no_useful_prediction(const Prediction& predicted, const Case& planned,
                                               const NodeGroup* node);

}  // namespace shakedown
