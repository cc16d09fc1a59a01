#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/value.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/features.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/identities.hpp"
#include "orchestrator/plan/site.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

// NOLINTBEGIN(readability-redundant-member-init): g++ 12 wants one where an initialiser leaves a member out

/// A metric's unit and direction, by its key.
struct MetricKind {
  std::string_view unit;         ///< "GFLOP/s"; empty: a bare number, or the key names it in words
  std::optional<Better> better;  ///< nothing: neither way, as of a residual, a size, a time that was given
};

/// A metric that has a name, or whose unit or direction the ending of its key does not show.
struct MetricFact {
  std::string_view key;              ///< "score"; one `*` matches any text: "ior_*_time_s"
  std::string_view title{};          ///< within a sentence: "Rmax"; empty: the key without its unit
  std::optional<MetricKind> kind{};  ///< nothing: by the key's ending
};

/// A metric that counts of a suite.
struct Headline {
  std::string_view metric;        ///< "rmax_gflops"
  std::string_view efficiency{};  ///< that it is judged by: "efficiency_gemm"; empty: no peak bounds it
  bool optional = false;          ///< only shown where the log has it
};

/// An efficiency that a suite has: a rate over what the machine can reach.
struct EfficiencyFact {
  std::string_view metric;       ///< "efficiency_gemm"
  std::string_view numerator;    ///< the metric above its line: "rmax_gflops"
  std::string_view name{};       ///< what the field calls it: "MFU"; empty: efficiency
  std::string_view above_one{};  ///< why it can exceed 1, if the screen does not give it
  std::string_view void_by{};    ///< the rule; a result that breaks it has no such efficiency: "HPCG-10b"
  /// Why it has none above 1 either where that rule was not checked; empty: it has.
  std::string_view unproven_above_one{};
};

/// What a screen measures that the efficiencies of other suites refer to.
struct Yardstick {
  std::string_view efficiency;   ///< that has this rate below its line: "efficiency_gemm"
  std::string_view metric;       ///< "triad_mb_s"; `*` is the precision of the case: "*_gflops"
  std::string_view name;         ///< of the rate: "STREAM Triad"
  std::string_view above_one{};  ///< why an efficiency can exceed 1
  double most = 0;               ///< a larger efficiency is a wrong log or a disturbed screen; 0: no limit
  std::string_view why_most{};   ///< why nothing can exceed it; `{suite}` and `{ratio}` are replaced
};

/// A rate of one node from which the plans of other suites begin, as a screen measures it.
struct ScreenedRate {
  std::string_view metric;                    ///< "triad_mb_s"
  double MeasuredRates::*rate = nullptr;      ///< that it is
  double unit = 1;                            ///< of the metric, in the rate's unit
  double MeasuredRates::*gpu_rate = nullptr;  ///< that it is of a run on GPUs; null: no plan begins from it
};

/// Two metrics of one machine and the meaning of their ratio.
struct MetricPair {
  std::string_view name;    ///< "HPCG / HPL"
  std::string_view metric;  ///< of the suite that states the pair, above the line
  std::string_view suite;   ///< below the line
  std::string_view metric_below;
  bool share = false;  ///< to be read in per cent
  std::string_view says;
  /// The row of the first suite in which baselines publish the metric below the line, of one GPU; empty: it
  /// is in rows of the second.
  std::string_view published_per_gpu{};
  double most = 0;  ///< a larger ratio on the same nodes is a disturbed run or a wrong log; 0: no limit
};

/// What is demanded of results that nobody reviewed.
struct UnreviewedResult {
  std::string_view mark;      ///< beside a score: "unverified"
  std::string_view footnote;  ///< below it, a sentence
};

/// What all must know of a suite beside its planner: one constant per suites/<suite>/facts.cpp. A suite that
/// is only parsed has facts and no planner.
struct SuiteFacts {
  std::string_view id;     ///< "hpl"
  std::string_view title;  ///< "HPL"
  /// Of what shakedown's own program measures, which is no result of the suite; empty: the title.
  std::string_view own_title{};
  std::string_view about{};  ///< one sentence for `list`
  int rank = 1000;           ///< its place where suites are in order, the least first
  bool screen = false;       ///< measured before the suites, referred to by their efficiencies

  std::span<const Headline> headlines{};  ///< the metrics that count, its best known first
  /// Shown instead of a run that was too short for those.
  std::span<const Headline> short_headlines{};
  std::string_view rate{};  ///< in GFLOP/s: "rmax_gflops"; empty: it has none
  /// Of the arithmetic of its rate, in lower case, whatever the implementation; empty: by a case's
  /// conditions.
  std::string_view precision{};
  bool counts_arithmetic = true;  ///< its metrics have a precision
  /// The problem size of a run in words, `{name}` being its parameter: "N = {N}". Words whose parameter is
  /// not known are left out.
  std::span<const std::string_view> size{};
  std::span<const EfficiencyFact> efficiencies{};
  std::optional<Yardstick> yardstick{};
  std::optional<ScreenedRate> node_rate{};  ///< of a screen on one node
  std::span<const MetricFact> metrics{};

  /// The metrics that scheduled checks watch instead of the headlines, the first that the runs have; empty:
  /// the headlines.
  std::span<const std::string_view> watched{};
  /// Its metric of the spread of repetitions within a run, per cent: it shows whether other processes
  /// disturbed the run.
  std::string_view spread{};
  std::span<const MetricPair> pairs{};
  /// The metric that several of its runs have one score of, in the unit of that score; empty: it scores no
  /// sets.
  std::string_view set_metric{};
  std::optional<UnreviewedResult> unreviewed{};
  /// What its results depend on; a screen is measured with the suites that refer to it.
  std::span<const Resource> resources{};

  /// Reads `[site.<id>]`; null: there is no such table.
  SuiteSite (*site)(TomlTable table) = nullptr;
  /// The table `[site.<id>]` of a starting configuration, as TOML: `shipped` gives examples, `folder` is on
  /// the shared file system. Null: none is written.
  std::string (*starting_site)(const Site& shipped, const Inventory& inventory,
                               const std::string& folder) = nullptr;
  double full_run_min = 0;  ///< a check makes only runs shorter than this, minutes; 0: any
  /// Recomputes the identities of a published run. `baseline` is for values of another experiment. Null: none
  /// are known.
  void (*identities)(const PublishedRun& run, const Baseline& baseline, IdentityList& found) = nullptr;
};

// NOLINTEND(readability-redundant-member-init)

/// The facts of all suites in the order of their ranks, from suites/*/facts.cpp.
std::span<const SuiteFacts* const> suites_in_order();

/// The place of a suite in reports and comparisons, the least first: what is of all suites, then by ranks,
/// the screens behind the others.
int reported_place(std::string_view suite);

/// The facts of a suite, or null where none are known.
const SuiteFacts* suite_facts(std::string_view id);

/// Stands for a suite where all of a campaign are meant.
inline constexpr std::string_view whole_campaign = "campaign";

/// "HPL" for "hpl", "All suites" for `whole_campaign`; the id in capitals where no facts are known.
std::string suite_title(std::string_view suite);

/// The suite's rate in GFLOP/s that its efficiencies are of: "rmax_gflops"; empty: it has none.
std::string_view rate_metric(std::string_view suite);

/// Whether a suite is a screen.
bool is_screen(std::string_view suite);

/// The screen whose rate an efficiency has below its line, or null.
const SuiteFacts* screen_of(std::string_view efficiency);

/// An efficiency of a suite, or null where it has none of that name.
const EfficiencyFact* efficiency_fact(std::string_view suite, std::string_view metric);

/// The screens that the efficiencies of a suite's headlines refer to: they are measured with it.
std::vector<std::string_view> screens_of(std::string_view suite);

/// What is known of a metric; an exact key goes before one with `*`. Null: nothing beside its ending.
const MetricFact* metric_fact(std::string_view metric);

/// Whether `text` is `pattern`, in which one `*` matches any text.
bool fits(std::string_view text, std::string_view pattern);

/// The suites whose results such a change can move, so that they are worth running again, in the order of
/// their ranks.
std::vector<std::string_view> suites_to_run_again(FeatureKind kind);

/// The suites that any of the changes makes worth running again, in the order of their ranks.
std::vector<std::string> suites_to_run_again(const std::vector<Change>& changes);

}  // namespace shakedown
