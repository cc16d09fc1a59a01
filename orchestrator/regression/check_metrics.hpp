#pragma once
#include <set>
#include <string>
#include <vector>

#include "orchestrator/regression/check.hpp"
#include "orchestrator/regression/check_judgement.hpp"
#include "orchestrator/regression/check_log.hpp"
#include "orchestrator/regression/node_rotation.hpp"
#include "reports/formats/prometheus.hpp"

namespace shakedown {

/// The metrics of a system's checks for Prometheus: the state of each series when it was last measured, with
/// that time, since a check of other nodes proves nothing about an alarm on these.
class CheckMetrics {
 public:
  /// As the last check stored them in `<workspace>/regression-metrics.json`. A file that is not there, or
  /// can't be read, holds none: it is not the authoritative record, and the next checks fill it again.
  static CheckMetrics read(const Workspace& workspace);
  /// Fails (environment) where it can't be written.
  [[nodiscard]] Result<void> write(const Workspace& workspace) const;

  /// Whether the last check that was taken over is that one: false where its end was cut off before.
  [[nodiscard]] bool has_check(const std::string& system, double began_s) const;
  /// Drops the series of a system that no check will measure again: those whose run the configuration no
  /// longer has, and those that a check measured with other parameters, or on nodes of another kind. Where
  /// not all runs of a series' suite were measured there, it stays: it may be of the one that was not.
  void drop_ended(const Regression& regression, const CheckState& standing);
  /// Takes over the verdict of a check, and not what else is known of it.
  void record_verdict(const std::string& system, double began_s, const CheckVerdict& verdict,
                      const std::set<std::string>& hosts);
  /// Takes over what a check found. Series on single nodes other than `hosts`, those of the inventory, go.
  void record_check(const CheckState& standing, const Coverage& coverage, const std::set<std::string>& hosts);
  /// Counts verdicts, skips and failures of a system.
  void record_counts(const CheckLog& log, const std::string& system);

  [[nodiscard]] const std::vector<MetricFamily>& families() const { return families_; }

 private:
  void put(const std::string& name, const std::string& help, MetricSample sample, bool counter = false);
  std::vector<MetricFamily> families_;
};

/// Writes the textfile that the user asked for: `metrics`, with the counts of now. Complains where it can't
/// be written.
void write_textfile(const Check& check, CheckMetrics metrics);

/// Stores in the workspace what the next checks start from, and writes the textfile.
void record_and_write_textfile(const Check& check, CheckMetrics metrics);

/// Makes up for the metrics of a check that was cut short behind its verdict.
void recover_textfile(const Check& check, const CheckLog& log);

}  // namespace shakedown
