#pragma once
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "reports/compare/baseline.hpp"
#include "reports/compare/comparison.hpp"
#include "reports/compare/orientation.hpp"
#include "reports/judge/accepted_history.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/regression.hpp"
#include "reports/measure/node_screen.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/measure/suite_metrics.hpp"

namespace shakedown {

enum class Verdict { pass, fail, invalid, not_run, not_comparable, undecided };
std::string_view to_string(
    Verdict verdict);  ///< "pass", "fail", "invalid", "not-run", "not-comparable", "undecided"

/// A node's part in a criterion on every node.
struct NodeResult {
  std::string node;
  Verdict verdict = Verdict::not_run;
  std::optional<double> measured;  ///< by the criterion's aggregation
  int n = 0;                       ///< results that went in
  std::string because;
};

/// A value beside a criterion. It decides nothing but the criterion whose limit is a part of it.
struct ReferenceResult {
  ReferenceKind kind = ReferenceKind::contract;
  std::string id;    ///< "sakuraone/hpl-rmax", a campaign; empty: it has none
  double value = 0;  ///< in the metric's unit
  std::string source;
  std::optional<BaselineStatus> status;  ///< of a published row
  std::optional<double> ratio;           ///< measured / value, only where they may be compared
  std::string unlike;                    ///< why they may not; empty: they may
};

/// One criterion judged.
struct CriterionResult {
  std::string id;       ///< "hpl-efficiency"; "hpl-efficiency@<case>" where several cases are judged by it
  std::string case_id;  ///< the case it was judged on; empty: there is none of its suite
  std::string title;    ///< a sentence: what must hold
  std::string
      covers;  ///< what it was judged on where the title does not show it: "10 of 12 nodes"; else empty
  std::string suite;
  std::string metric;  ///< "efficiency_gemm"
  CriterionSeverity severity = CriterionSeverity::mandatory;
  Verdict verdict = Verdict::not_run;
  Direction direction = Direction::at_least;
  Aggregation::Kind aggregation = Aggregation::Kind::none;
  bool waived = false;    ///< it does not pass, and thanks to the waiver does not stop acceptance
  bool is_short = false;  ///< it passes by results that are correct, and too short for an official one
  bool withheld = false;  ///< the measured ratio is not printed: it is impossible, or its reference disturbed
  int n = 0;              ///< results that went in
  int runs_min = 1;       ///< runs without which it is undecided
  std::string because;    ///< a sentence with the numbers
  std::string remedy;  ///< what would make a criterion without a reference comparable; empty: nothing known
  std::vector<double> points;      ///< every one of them, in order; of a criterion on every node one a node
  std::optional<double> measured;  ///< by the criterion's aggregation; on every node that of the worst
  std::string aggregate;           ///< what it made: "lowest of 3 results"; empty: nothing
  std::string unit;                ///< "", "GFLOP/s"
  std::optional<double> limit;
  std::string limit_source;
  std::optional<ReferenceKind> limit_of;    ///< that the limit is a part of; none: it is absolute
  std::vector<ReferenceResult> references;  ///< contract, published, last-accepted: those that there are
  std::optional<Waiver> waiver;             ///< that covers it, be it expired or not needed
  std::optional<int> nodes_required;        ///< what the criterion asks for beside its limit
  std::optional<int> exclusions_max;
  std::optional<int> attempts_max;
  std::string unmet;          ///< of these, the first that does not hold, as a sentence; empty: all do
  std::string disturbed;      ///< what disturbed the runs that it was judged on, or those of its reference;
                              ///< empty: nothing
  std::string evidence_path;  ///< relative to the campaign's folder
  std::string evidence_sha256;
  std::vector<NodeResult> nodes;  ///< of a criterion on every node, in the plan's order; then `case_id` is
                                  ///< the worst one's

  /// "HPL is valid on all nodes (10 of 12 nodes)": no other criterion of the campaign reads so.
  [[nodiscard]] std::string full_title() const {
    return covers.empty() ? title : title + " (" + covers + ")";
  }
};

/// What disturbed a case while it was measured.
struct Disturbance {
  enum class Cause { processes, gpus, hypervisor, repetitions, left_over, refuted, not_recorded };
  std::string case_id;
  std::string
      sentence;  ///< "hpl-reference-1n, attempt 1: the hypervisor took 3.4 % of the CPU time (limit 2.0 %)"
  std::string suite;
  /// "the HPL run", where the suite has several "the HPL run on cn063" or "the HPL run hpl-25n".
  std::string run;
  int attempt = 0;
  Cause cause = Cause::not_recorded;
  double amount = 0;     ///< cores, share of CPU time or per cent, by `cause`
  double cores = 0;      ///< of the node; 0: not known
  std::string measured;  ///< "0.92 of 2 cores"; empty: not known
  std::string limit;     ///< "0.10 cores"; empty: none
  std::string program;   ///< the busiest of others: "python3 (pid 4242, uid 1000)"; empty: not known
  std::string programs;  ///< "python3 (pid 4242, uid 1000), up to 0.67 cores"; empty: not known
};

/// The verdict by one revision of the criteria.
struct RevisionVerdict {
  CriteriaRevision criteria;
  Verdict overall = Verdict::undecided;
  std::string sentence;
  int exit_code = 3;
};

/// What was replaced in a report that shows no names.
struct Redaction {
  std::string what;                     ///< a sentence for readers
  std::map<std::string, int> replaced;  ///< names of each kind: "node", "user", "path", ...
  std::string results_sha256;           ///< of results.json with the names
};

/// How many criteria of one severity there are, and what became of them. The parts add up to `all`.
struct CriteriaTally {
  int all = 0;
  int passed = 0;
  int waived = 0;  ///< they do not pass, and a waiver lifts them
  int failed = 0;
  int invalid = 0;
  int without_result = 0;
  int not_comparable = 0;
  int undecided = 0;
  friend bool operator==(const CriteriaTally&, const CriteriaTally&) = default;
};

/// What a report counts.
struct Tally {
  int cases = 0;  ///< that were to run: without those that another replaced, and without confirmations
  int ran = 0;    ///< of those, with a result that may be used
  bool made_elsewhere = false;  ///< the cases are runs of logs: nothing ran here
  int attempts = 0;             ///< that were started and have ended
  int succeeded = 0;            ///< of those
  int failed = 0;
  int not_valid = 0;         ///< ended without an error, with a result that may not be used
  int unknown = 0;           ///< of `not_valid`, those of unknown validity
  int stopped = 0;           ///< by hand
  int not_run = 0;           ///< cases without an attempt that has ended
  int repeats = 0;           ///< attempts beyond the first of each case: retries, repeats, confirmations
  int without_result = 0;    ///< attempts that left no result that counts
  int set_aside = 0;         ///< attempts whose values do not count, as others of their case do
  int results = 0;           ///< of benchmarks, screens left out: that a log states and that count
  int screens = 0;           ///< such results of screens
  int candidates = 0;        ///< for an official list: `results`, a set of runs that make one score as one
  bool has_sets = false;     ///< there is such a set among them
  int eligible = 0;          ///< of `candidates`
  int eligibility_open = 0;  ///< of `candidates`, those of which no rule decided it that the log shows
  /// Why the others are not eligible, each with its number: "5 by shakedown's own programs; 1 invalid".
  std::string ineligible;
  std::string open_rules;  ///< of `eligibility_open`, what the logs do not show: "IO5-07 (One run ...)"
  CriteriaTally mandatory;
  CriteriaTally advisory;
  CriteriaTally limits;  ///< the criteria of either severity on performance
  int exceptions = 0;    ///< what was out of the ordinary: `exceptions`
  int disturbances = 0;  ///< of runs that count
  int disturbed = 0;     ///< runs that count and were disturbed beyond the limits of the criteria
  int runs = 0;          ///< attempts with a result that counts: those without one and set aside left out
  friend bool operator==(const Tally&, const Tally&) = default;
};

/// The verdict on a campaign.
struct Judgement {
  Verdict overall = Verdict::undecided;
  std::string sentence;  ///< "screening passed", "not accepted: hpl-efficiency 0.61 < 0.70", ...
  int exit_code = 3;     ///< 0, 1 or 3; 4 where the machine could not start the program of any case
  std::vector<CriterionResult> criteria;
  std::vector<CriterionResult> left_out;  ///< criteria of suites that the campaign was not to measure
  std::vector<Comparison> comparisons;
  std::vector<SuiteResult> suite_results;  ///< what was measured, beside prediction and peak
  std::optional<Orientation> orientation;  ///< in place of comparisons where none may be made
  std::vector<Disturbance> disturbances;   ///< what disturbed the runs that count; empty: nothing
  std::vector<Disturbance> set_aside;   ///< what disturbed those that don't: others of their cases were not
  std::vector<std::string> weaknesses;  ///< of criteria and results: in the sentence of what is accepted
  std::vector<std::string> deviations;
  std::vector<NodeScreen> node_screens;     ///< like nodes beside each other; they decide nothing
  std::optional<CheckVerdict> check;        ///< of a scheduled check: that verdict is the campaign's
  std::vector<ReliabilityRow> reliability;  ///< of the campaign, then of each suite that was started
  std::vector<std::string> waiver_remarks;  ///< of waivers that are expired or do nothing: sentences
  std::vector<AcceptedBefore> history;      ///< oldest first; the store has it, judging leaves it empty
  int waivers = 0;                          ///< that lifted a criterion which does not pass
  /// By each revision of the criteria, oldest first; the verdict above is the last one's. Empty where the
  /// criteria were never revised.
  std::vector<RevisionVerdict> revisions;
  std::optional<Redaction> redaction;  ///< none: names are as they were
  /// What a reader of the verdict must not miss, whatever the criteria ask for: a sentence each.
  std::vector<std::string> alarms;
  Tally tally;
};

/// Judges by the newest criteria, validity first, performance second. `campaign`: as `without_disturbed`
/// makes it; where nothing is set aside in it, disturbed attempts leave criteria undecided. Fails only where
/// the criteria text is wrong. `comparability` is the text of comparability.toml, `past` what the nodes gave
/// in earlier campaigns.
Result<Judgement> judge(const MeasuredCampaign& campaign, const Baseline* baseline,
                        std::string_view comparability, const NodePast& past = {});

}  // namespace shakedown
