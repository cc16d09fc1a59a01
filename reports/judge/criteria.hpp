#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/toml.hpp"
#include "reports/compare/baseline.hpp"

namespace shakedown {

/// On which side of its limit a value must lie.
enum class Direction { at_least, at_most };
std::string_view to_string(Direction direction);  ///< ">=", "<="
/// The sign between a value and its limit: "≥", or "<" where it does not hold.
std::string_view relation(Direction direction, bool holds);

/// How one value is made of the runs that a criterion is judged on.
///
///   every             the worst run: every one must meet the limit
///   median            of all runs
///   lower_confidence  the run that is a lower limit of the median (an upper one of a criterion on "<=") with
///                     `confidence`, whatever the runs' distribution: reports/statistics/order_interval.hpp
///   best_of           the k-th best of n runs, both fixed before the first; runs after the n-th don't count
///   rate              of reliability: attempts that succeeded over those that were started
struct Aggregation {
  /// none: of validity, where every result counts by itself.
  enum class Kind { none, every, median, lower_confidence, best_of, rate };
  Kind kind = Kind::none;
  double confidence = 0.95;  ///< of lower_confidence, one-sided
  int k = 1;                 ///< of best_of
  int n = 1;

  /// The fewest runs that it can be made of: 5 for the lower 95 % limit of a median.
  [[nodiscard]] int fewest_runs() const;
  /// "lowest", "median", "lower 95 % limit of the median", "number 2 of the best": what it takes of runs
  /// where `direction` is the good one.
  [[nodiscard]] std::string text(Direction direction) const;
};

std::string_view to_string(Aggregation::Kind kind);  ///< as criteria write it; empty: none

/// "95 %", "99.9 %": with as many digits as it has, so that none is shown as 100 %.
std::string confidence_text(double confidence);

/// What an aggregation made of runs.
struct Aggregated {
  std::optional<double> value;
  std::string text;     ///< "median of 3 results"; "one result"
  std::string lacking;  ///< why there is no value: a sentence; empty: there is one
};

/// The aggregate of `points`, in the order of their start. No value if there are fewer than it takes.
Aggregated aggregated(const Aggregation& how, std::span<const double> points, Direction direction);

/// That acceptance does not need a mandatory criterion to pass: [[waivers]] of a criteria file. The
/// criterion's own verdict stays; it only no longer stops acceptance.
struct Waiver {
  std::string criterion;  ///< the criterion's id, or "id@case": on that case alone
  std::string reason;
  std::string approver;
  std::string expires;   ///< "2027-03-31": the last day on which it holds, UTC
  double expires_s = 0;  ///< the end of that day, seconds since 1970
  std::string nodes;     ///< hostlist: what else breaks the criterion is not covered; empty: not stated
  std::optional<double> limit;  ///< up to which value it covers, in the metric's unit; none: not stated

  /// Whether it covers a judged criterion: "hpl-rmax" covers "hpl-rmax@hpl-98n" too.
  [[nodiscard]] bool covers(std::string_view judged_id) const;
  /// Whether it is of a criterion, or of one case of it.
  [[nodiscard]] bool is_of(std::string_view criterion_id) const;
  [[nodiscard]] bool expired(double at_s) const { return at_s >= expires_s; }
};

/// Reads the [[waivers]] of a criteria file. Refuses those of no criterion among `ids`, and those without a
/// reason, an approver or a day of expiry.
std::vector<Waiver> waivers_from(TomlTable& file, std::span<const std::string> ids);

/// The waivers as written in a criteria file.
std::string waivers_toml(std::span<const Waiver> waivers);

/// What a contract states, with the place where it does.
struct ContractValue {
  double value = 0;  ///< in the metric's unit
  std::string source;
};

/// What a criterion that does not pass does to acceptance.
enum class CriterionSeverity { mandatory, advisory };
std::string_view to_string(CriterionSeverity severity);  ///< "mandatory", "advisory"

/// A kind of value that a criterion is set beside, and that its limit may be a part of.
enum class ReferenceKind { contract, published, last_accepted };
std::string_view to_string(ReferenceKind kind);  ///< "contract", "published", "last-accepted"

/// One criterion: what must hold of a suite's results.
struct Criterion {
  std::string id;
  std::string title;      ///< a sentence: what must hold
  std::string suite;      ///< of reliability also "campaign": all suites
  std::string benchmark;  ///< within the suite; empty: each
  std::string
      metric;  ///< "validity", "reliability", a metric of the suite's parser, or an efficiency (metrics.md)
  std::string metric_place;  ///< where that is written in the text that was read: "acceptance.toml:23"
  Direction direction = Direction::at_least;  ///< not used for validity
  std::optional<double>
      limit;                 ///< in the metric's unit; none for validity, and where its reference is missing
  std::string limit_source;  ///< where the limit comes from, with its arithmetic
  std::string
      relative_to;    ///< "sakuraone/hpl-rmax", "contract" or "last-accepted": what `factor` is a part of
  double factor = 0;  ///< limit / that value; 0: the limit is absolute
  std::optional<ReferenceKind> limit_of;       ///< of a frozen criterion; none: its limit is absolute
  std::optional<ContractValue> contract;       ///< what the contract states of this metric
  std::optional<BaselineValue> published;      ///< frozen with its conditions, of a criterion that names it
  std::optional<BaselineValue> last_accepted;  ///< frozen: what the last accepted campaign measured
  std::string without_last_accepted;           ///< frozen: why there is none though a campaign was accepted
  std::string approver;                        ///< who agreed to the criterion; empty: not stated
  Aggregation aggregation;      ///< of all runs; none for validity, where every result must be valid
  std::optional<int> runs_min;  ///< with fewer runs it is undecided
  CriterionSeverity severity = CriterionSeverity::mandatory;
  bool if_planned = false;  ///< concerns only campaigns that were to measure the suite; else it is not-run
  std::optional<bool> each_node;      ///< true: on cases that measure one node each; false: on the others
  std::optional<int> nodes;           ///< only on cases planned on exactly as many
  std::optional<int> nodes_required;  ///< that a result must come from
  std::optional<int> exclusions_max;  ///< nodes that the campaign may have excluded, whatever for
  std::optional<int> attempts_max;    ///< that a case may have needed

  /// The kind of value that `relative_to` names; nothing: the limit is absolute.
  [[nodiscard]] std::optional<ReferenceKind> relative_kind() const;
  /// The runs without which the criterion is undecided, by its own word and by what its aggregation takes.
  [[nodiscard]] int fewest_runs() const;
};

/// A limit beyond which a run counts as disturbed, and why it lies there.
struct DisturbanceLimit {
  double limit = 0;
  std::string reason;
};

/// A criteria file: the criteria, what is waived of them, and from when on a run is disturbed.
struct Criteria {
  std::string title;
  std::optional<DisturbanceLimit> steal;        ///< CPU time taken by the hypervisor / all CPU time
  std::optional<DisturbanceLimit> load;         ///< (CPUs of the job + CPUs of others) / CPUs
  std::optional<DisturbanceLimit> gemm_spread;  ///< of the GEMM run's repetitions, per cent
  std::vector<Criterion> criteria;
  std::vector<Waiver> waivers;
};

/// Reads one [[criteria]] table; its objections are the file's.
Criterion criterion_from(TomlTable table);

/// Reads a criteria file's text, or the criteria of a configuration; errors name `name`. Unknown keys,
/// doubled ids, waivers of no criterion, and criteria without a limit or its source are refused. A criterion
/// relative to a reference has no limit yet: `frozen_criteria` gives it one.
Result<Criteria> read_criteria(std::string_view text, std::string_view name);

/// What the campaign that was last accepted of a system measured by a criterion, with its conditions.
struct AcceptedValue {
  std::optional<BaselineValue> value;
  std::string lacking;  ///< why an accepted campaign has none; empty: it has, or none was accepted

  AcceptedValue() = default;
  AcceptedValue(std::optional<BaselineValue> found) : value(std::move(found)) {}  // NOLINT: it is one
};

/// The value of a criterion; an error if it is not known. `accepted_value` makes one.
using LastAccepted = std::function<Result<AcceptedValue>(const Criterion& criterion)>;

/// The criteria of `text` as a criteria file of their own, with each limit that is relative to a reference as
/// a number with its arithmetic, and that reference beside it: what a campaign is judged by must not move
/// with a baseline's file, nor with what is accepted later. A criterion relative to the last accepted
/// campaign stays without a limit where there is none, and is undecided then.
///
/// Fails where the baseline or the value is not there, or the value's status does not allow a limit.
Result<std::string> frozen_criteria(std::string_view text, std::string_view name,
                                    std::span<const Baseline> baselines,
                                    const LastAccepted& last_accepted = {});

/// The criteria that a campaign is judged by; no text: none.
struct ChosenCriteria {
  std::string name;  ///< of the file
  std::string text;  ///< TOML, limits that are relative to a baseline as numbers
};

/// A file that criteria are read from.
struct CriteriaFile {
  std::string path;
  std::string text;
};

/// The file `wanted`: a TOML file with [[criteria]], a shipped campaign's name, or the name of shipped
/// criteria ("quick").
Result<CriteriaFile> criteria_file(const std::string& wanted, const Layout& layout);

/// The criteria of a configuration's text, which may hold none. `file`: its name. `last_accepted`: what the
/// system's last accepted campaign measured.
Result<ChosenCriteria> configured_criteria(const std::string& text, const std::string& file,
                                           const Layout& layout, const LastAccepted& last_accepted = {});

/// Reads `wanted` as `criteria_file` does. Nothing where it is empty.
Result<ChosenCriteria> chosen_criteria(const std::string& wanted, const Layout& layout,
                                       const LastAccepted& last_accepted = {});

}  // namespace shakedown
