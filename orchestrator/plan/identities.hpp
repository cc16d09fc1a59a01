#pragma once
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/value.hpp"

namespace shakedown {

/// What is known of a published value: whether it follows from the others, and who checked it.
enum class BaselineStatus { ok, rounding, unit_suspect, inconsistent, legacy_rule, unverified };
inline constexpr std::array baseline_statuses = {BaselineStatus::ok,           BaselineStatus::rounding,
                                                 BaselineStatus::unit_suspect, BaselineStatus::inconsistent,
                                                 BaselineStatus::legacy_rule,  BaselineStatus::unverified};
std::string_view to_string(BaselineStatus status);  ///< "ok", "rounding", "unit-suspect", ...
/// Whether the value contradicts itself, so that nothing may be compared with it.
bool is_doubtful(BaselineStatus status);

/// One published or accepted value.
struct BaselineValue {
  std::string id;     ///< "hpl-rmax"
  std::string run;    ///< the experiment it belongs to: "hpl", "io500-10n"
  std::string title;  ///< of that experiment
  std::string suite;
  std::string metric;  ///< "rmax_gflops"
  double value = 0;
  std::string unit;     ///< "GFLOP/s", as the benchmark prints
  std::string printed;  ///< as published: "33.95 PFLOP/s"
  std::string source;   ///< "Table 5, row 'Sustained performance (Rmax)'"
  BaselineStatus status = BaselineStatus::ok;
  std::string note;
  std::string runs;                   ///< how many runs the value represents: "1", "unknown"
  std::string score_rule;             ///< how one value was derived from them: "one published run", "unknown"
  std::string bound_by;               ///< what limits the experiment: "memory bandwidth"; empty: not stated
  std::vector<Parameter> conditions;  ///< nodes, gpus, precision, implementation, N, NB, P, Q, ...
};

/// The published values of one system, in the order of their file.
struct Baseline {
  std::string name;  ///< "sakuraone"
  std::string title;
  std::string source;  ///< citation
  std::string sha256;  ///< of the file
  std::vector<BaselineValue> values;

  /// The first row of a suite's metric, or null.
  [[nodiscard]] const BaselineValue* find(std::string_view suite, std::string_view metric) const;
  /// All rows of a suite's metric (several scales, several sources), in the order of the file.
  [[nodiscard]] std::vector<const BaselineValue*> rows(std::string_view suite, std::string_view metric) const;
};

/// The positive values that a printed number may represent: half a unit of its last digit to either side.
/// Arithmetic on intervals carries the rounding along, so that an identity fails only if no unrounded values
/// could satisfy it.
struct Interval {
  double low = 0;
  double high = 0;

  [[nodiscard]] bool meets(const Interval& other) const { return low <= other.high && other.low <= high; }
  [[nodiscard]] bool holds(double value) const { return low <= value && value <= high; }
  [[nodiscard]] double middle() const { return (low + high) / 2; }
};

Interval exactly(double value);

/// `value` with a relative tolerance to either side.
Interval within(double value, double tolerance);

Interval operator*(const Interval& a, const Interval& b);
Interval operator/(const Interval& a, const Interval& b);
Interval operator+(const Interval& a, const Interval& b);
Interval square_root(const Interval& a);

/// (a1 a2 ... an)^(1/n).
Interval geometric_mean(std::span<const Interval> values);

/// The interval of a row, from the digits of `printed` scaled to the row's unit. A number without digits
/// represents its value alone.
Interval printed_interval(const BaselineValue& value);

/// An identity of a baseline recomputed: "Rmax = (2/3 N^3 + 3/2 N^2) / t".
struct IdentityCheck {
  std::string suite;
  std::string value_id;
  std::string identity;
  double published = 0;
  double recomputed = 0;
  bool holds = false;                          ///< within the rounding of the printed numbers
  BaselineStatus status = BaselineStatus::ok;  ///< of the row
  std::string explanation;                     ///< why it need not hold; empty: it must

  /// Whether it contradicts a row that is marked `ok`.
  [[nodiscard]] bool contradicts() const {
    return !holds && status == BaselineStatus::ok && explanation.empty();
  }
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
  /// Whether `recomputed` can be the row's printed value.
  void row(const BaselineValue& row, std::string identity, const Interval& recomputed);
  /// Whether two exact values, conditions for example, are equal. A row carries the status.
  void equal(const BaselineValue& row, std::string identity, double published, double recomputed);
  /// Whether a value is in its range; `recomputed` is the bound or the value it is compared with.
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
