#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/acceptance.hpp"

namespace shakedown {

/// When a loss is an alarm: the statistical one of two limits.
struct RegressionAlarm {
  double effect = 0.02;                ///< a smaller loss is none, however sure; 0.02 at least
  double false_alarms_per_year = 0.2;  ///< over all series of the system together
  int runs = 2;  ///< of each case in a check; from two on, what a check's runs have in common is known
  /// At most, to confirm a suspicion within the check; 0, as with a single run: the checks themselves
  /// confirm.
  int repeats = 12;
};

/// An absolute limit of a metric.
struct FloorLimit {
  std::string suite;
  std::string metric;
  double limit = 0;  ///< in the metric's unit; the lowest, or the highest where lower is better
};

/// From when on a run of a check counts as disturbed from outside, and is no value of a series; a limit that
/// is not stated is that of `quick`.
struct RegressionDisturbance {
  std::optional<double> steal;  ///< CPU time taken by the hypervisor / all CPU time
  std::optional<double> load;   ///< (CPUs of the job + CPUs of others) / CPUs
};

/// What a contract demands, whatever the noise: the other limit.
struct RegressionFloor {
  std::string relative_to;  ///< "accepted" (the last accepted campaign) or a campaign's id; empty: none
  double factor = 0;        ///< of that one's median, 0.9: 90 %
  std::vector<FloorLimit> limits;
  [[nodiscard]] bool stated() const { return !relative_to.empty() || !limits.empty(); }
};

/// Who gets a check's notification.
struct RegressionNotice {
  std::vector<std::string> command;      ///< argv; the notification is its standard input
  std::string url;                       ///< of a webhook
  std::string url_file;                  ///< that holds it, where it is itself a secret
  std::string url_environment;           ///< a variable's name, that holds it
  std::string header = "Authorization";  ///< that carries the webhook's secret
  std::string secret_file;
  std::string secret_environment;  ///< a variable's name
  double timeout_s = 20;
  bool always = false;  ///< after each check, not only after those that are no success
  [[nodiscard]] bool has_webhook() const {
    return !url.empty() || !url_file.empty() || !url_environment.empty();
  }
  [[nodiscard]] bool notifies_anyone() const { return !command.empty() || has_webhook(); }
};

/// A `regression.toml`: what a scheduled check measures, and by what it is judged.
struct Regression {
  Acceptance facts;  ///< title, system, site, settings; `runs` with the time of one run of each in `minutes`
  double checks_per_week = 7;
  double minutes = 0;  ///< that a check may take, but for the repeats that a suspicion asks for
  int nodes = 1;       ///< that a check may use
  int days = 0;        ///< within which each node is measured again; 0: no promise
  RegressionAlarm alarm;
  RegressionDisturbance disturbance;
  RegressionFloor floor;
  RegressionNotice notice;
};

/// Reads `regression.toml`; `name` is shown in errors. A run without `minutes` gets an equal part of the
/// budget, the same in each check, since another size would be another series. Unknown keys, impossible
/// values, repetitions and stages, and a full IO500 are refused with file and line.
Result<Regression> regression_from_toml(std::string_view text, std::string_view name);

/// The kind of the campaigns that checks are.
inline constexpr std::string_view regression_kind = "regression";

/// What the configuration of a campaign of this kind states of system, site, settings and runs.
Result<Acceptance> configured_facts(std::string_view kind, std::string_view text, std::string_view name);

}  // namespace shakedown
