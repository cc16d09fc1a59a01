#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/plan/printed_interval.hpp"
#include "orchestrator/plan/published.hpp"

namespace shakedown {

/// An identity of a baseline recomputed: "Rmax = (2/3 N^3 + 3/2 N^2) / t".
struct IdentityCheck {
  std::string suite;
  std::string value_id;
  std::string identity;
  double published = 0;
  double recomputed = 0;
  bool holds = false;       ///< within the rounding of the printed figures
  std::string status;       ///< of the row
  std::string explanation;  ///< why it need not hold; empty: it must

  /// Whether it contradicts a row that is marked `ok`.
  [[nodiscard]] bool contradicts() const { return !holds && status == "ok" && explanation.empty(); }
};

/// The rows of one published experiment.
struct PublishedRun {
  std::string id;
  std::string suite;
  std::vector<const BaselineValue*> values;  ///< at least one

  /// The row of a metric, or null.
  [[nodiscard]] const BaselineValue* value(std::string_view metric) const;
  /// A numeric condition of the experiment; NaN where it states none.
  [[nodiscard]] double condition(std::string_view name) const;
  /// A textual condition; empty where it states none.
  [[nodiscard]] std::string word(std::string_view name) const;
};

/// The experiments of a baseline, in the order of its file.
std::vector<PublishedRun> published_runs(const Baseline& baseline);

/// Identities as they are recomputed. One with an input that is missing (NaN) gives no entry.
class IdentityList {
 public:
  /// Whether `recomputed` can be the row's printed figure.
  void row(const BaselineValue& row, std::string identity, const Interval& recomputed);
  /// Whether two exact figures, conditions for example, are equal. A row carries the status.
  void equal(const BaselineValue& row, std::string identity, double published, double recomputed);
  /// Whether a figure lies where it must; `recomputed` is the bound or the value it is seen beside.
  void demand(const BaselineValue& row, std::string identity, bool holds, double published,
              double recomputed);
  /// Gives the last entry the reason why it need not hold.
  void explain(std::string explanation);

  [[nodiscard]] std::vector<IdentityCheck> taken() && { return std::move(entries_); }

 private:
  void put(const BaselineValue& row, std::string identity, IdentityCheck check);
  std::vector<IdentityCheck> entries_;
};

}  // namespace shakedown
