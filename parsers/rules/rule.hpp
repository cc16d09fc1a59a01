#pragma once
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestrator/core/kept_text.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/settings.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

enum class RuleStatus { pass, fail, unknown, not_applicable };

/// What is lost where a rule is broken.
enum class Severity : char {
  validity = 'F',     ///< the result
  eligibility = 'L',  ///< a place on a public list
  warning = 'W',      ///< advice: the result stays valid
};

/// One rule's evaluation.
struct RuleResult {
  KeptText id;      ///< "HPL-03", with a letter where one id has several parts: "HPL-05a"
  KeptText title;   ///< a sentence: what the rule demands
  KeptText source;  ///< where the rule comes from
  Severity severity = Severity::validity;
  RuleStatus status = RuleStatus::unknown;
  std::string value;  ///< what was found, with numbers
  int line = 0;       ///< of the log; 0: no line
  std::string text;   ///< why: for fail, unknown and n/a a sentence
  friend bool operator==(const RuleResult&, const RuleResult&) = default;
};

/// "HPL-02 (FP64 is computed by the hardware, not emulated)": a rule as sentences name it.
std::string rule_name(std::string_view id, std::string_view title);

/// What a screen measured before on the same machine.
struct Screen {
  ParsedResult result;
  int nodes = 1;  ///< that it ran on: its rates are those of all of them together
};

/// What the nodes of a run were like, and should have been.
struct NodeEvidence {
  std::span<const NodeState> states;          ///< of the nodes that reported
  std::span<const std::string> hosts;         ///< of the run; empty: not known
  std::span<const ExpectedSetting> settings;  ///< of all nodes, as delivered
};

/// What a rule may look at. Only the result is always there; what is null makes rules unknown.
struct Evidence {
  const ParsedResult* result = nullptr;
  const Case* planned = nullptr;
  const Inventory* inventory = nullptr;
  std::span<const Screen> screens;  ///< one of each implementation at most
  /// Null: the run was made elsewhere, and nothing is known about its nodes.
  const NodeEvidence* nodes = nullptr;
  /// From the attempt's start to its end by the orchestrator's clock; nothing: the run was made elsewhere.
  std::optional<double>
      wall_s{};  // NOLINT(readability-redundant-member-init): evidence is made of the others
  /// When the attempt began and ended, seconds since 1970, by its node's clock; nothing: as above.
  struct Period {
    double started_s = 0;
    double finished_s = 0;
  };
  std::optional<Period> period{};  // NOLINT(readability-redundant-member-init): as above
  /// CPU seconds that its one node was not idle from its start to its end, other processes and what the
  /// hypervisor took included; nothing: several nodes, or not recorded.
  std::optional<double> busy_s{};  // NOLINT(readability-redundant-member-init): as above
  /// What whoever imported the log stated of its run: "fp64_mode" is "native".
  std::span<const Parameter> stated{};  // NOLINT(readability-redundant-member-init): as above
  bool bare = false;                    ///< the log is described, and no campaign rests on it
};

enum class Validity { valid, invalid, unknown };

/// What follows from `SetScore::overlap`, behind it.
inline constexpr std::string_view overlap_means =
    ": the logs do not say whether such runs shared nodes; those that did may have slowed each other, so "
    "that the score need not be that of one set of nodes alone; no rule that is checked here forbids it, and "
    "no run is left out for it";

/// What several runs of one benchmark prove together, scored by its rules (MLPerf Training).
struct SetScore {
  std::string schema;               ///< "shakedown.mlperf-score/1"
  std::string suite;                ///< "mlperf"
  std::string benchmark;            ///< "llama2_70b_lora"
  std::string name;                 ///< the folder, or what distinguishes this set
  std::optional<double> score_min;  ///< minutes; nothing where the set has no score
  /// What the organisation makes of the score where its runs converge faster than the reference. Not stored.
  std::optional<double> normalised_min{};  // NOLINT(readability-redundant-member-init)
  int runs = 0;
  int converged = 0;
  std::vector<std::string> files;
  std::vector<std::string> dropped;  ///< the files that the score drops
  Validity validity = Validity::unknown;
  std::vector<RuleResult> rules;
  std::vector<std::string> warnings;
  std::string overlap;  ///< which of its runs overlap in time; empty: none
};

/// A rule that asks how long a benchmark ran, or how many times: the lists' demand, which no screening meets
/// on any machine.
struct RunLengthRule {
  std::string_view id;
  /// Whether a result that breaks it was too short, and nothing else the rule looks at is wrong. Null: the
  /// rule asks for nothing but length or number.
  bool (*only_length)(const ParsedResult& result) = nullptr;
};

/// The rules of one suite: one constant per parsers/rules/<suite>.cpp.
struct RuleBook {
  std::string_view suite;
  std::string_view own_check;  ///< id of the benchmark's own check: HPL-03
  /// Its rules applied. `room`: results that are no longer needed, whose memory is used again.
  std::vector<RuleResult> (*judge)(const Evidence&, std::vector<RuleResult> room) = nullptr;
  /// The scores of the sets among the results of one folder and its subfolders. Null: the suite has none.
  std::vector<SetScore> (*score)(std::span<const FileResult> results) = nullptr;
  std::span<const RunLengthRule> run_length{};  // NOLINT(readability-redundant-member-init)
  /// Ids of validity rules that a result must be known to meet: unknown, they leave its validity unknown.
  std::span<const std::string_view> decisive{};  // NOLINT(readability-redundant-member-init)
  /// As `decisive`, where a campaign rests on the log: of what no log tells, or what its end would. They do
  /// not spoil the validity of a bare log.
  std::span<const std::string_view> decisive_in_campaigns{};  // NOLINT(readability-redundant-member-init)
  /// Ids of rules that change no verdict, and are in the sentence of an acceptance unless they are met.
  std::span<const std::string_view> noted{};  // NOLINT(readability-redundant-member-init)
  /// Ids of warnings that hold a result against what screens of its campaign measured. They are judged with
  /// the campaign, by the screens that count then: one may be measured again after the result.
  std::span<const std::string_view> by_screens{};  // NOLINT(readability-redundant-member-init)
  /// Ids of validity rules that the owner of the suite's public list states: unknown, they leave open whether
  /// it takes a result. The other ones hold a log against itself, its plan and its machine.
  std::span<const std::string_view> of_list{};  // NOLINT(readability-redundant-member-init)
};

/// All rule books, from parsers/rules/*.cpp.
std::span<const RuleBook* const> rule_books();

/// The suite's book; null where it has none.
const RuleBook* rule_book(std::string_view suite);

/// The suite's rule `id` as one of run length; null where it is none.
const RunLengthRule* run_length_rule(std::string_view suite, std::string_view id);

/// `invalid` if a validity rule fails; `valid` if the benchmark's own check passes and none fails; else
/// `unknown`.
Validity validity(std::span<const RuleResult> rules, std::string_view own_check);

/// Whether a rule of a result of `suite` leaves open whether the result is valid: it is unknown, and must be
/// known.
bool leaves_open(std::string_view suite, const RuleResult& rule);

/// Whether a rule of a result of `suite` is neither met nor n/a, and a verdict that rests on the result names
/// it.
bool must_be_noted(std::string_view suite, const RuleResult& rule);

/// Whether the owner of the suite's public list asks for a rule: it is one of eligibility, or of its validity
/// rules one that the owner states.
bool is_of_list(std::string_view suite, const RuleResult& rule);

/// The suite's rules applied, and those of the nodes' conditions where these are evidence: a campaign's run
/// then, whose `by_screens` are left to its judgement. None where the suite has no book (validity is then
/// unknown). `room`: rules of another result that are no longer needed, whose memory is used again.
struct Judged {
  std::vector<RuleResult> rules;
  Validity validity = Validity::unknown;
};
Judged judged(const Evidence& evidence, std::vector<RuleResult> room = {});

std::string_view to_string(RuleStatus status);  ///< "pass", "fail", "unknown", "n/a"
std::string_view to_string(Validity validity);  ///< "valid", "invalid", "unknown"

/// A result of a set of logs, and the files of its run.
struct FoundResult {
  const Parser* grammar = nullptr;
  std::string file;                ///< the one that the result is reported under
  std::vector<std::string> files;  ///< all of its run: `file` alone, but for joined ones
  ParsedResult result;
};

/// The logs of one set: a folder with all below it, or files that were named together.
///
/// A result goes out as it comes, unless its grammar joins the files of a folder: those wait until the folder
/// is over. Results of a suite that scores sets are copied for the score; nothing else is stored but the
/// names of files of a run which is not there.
class LogSet {
 public:
  using Sink = std::function<void(FoundResult&&)>;
  /// `sink` is called by `add` and `end_folders`.
  explicit LogSet(Sink sink, std::span<const RuleBook* const> books = rule_books());

  void add(const Parser& grammar, FileResult&& found);
  /// No more files come of the folders so far: joins what waits and gives it to the sink.
  void end_folders();
  /// The files that belong to no result of the set, each with what it is, since the last call. `end_folders`
  /// comes first.
  [[nodiscard]] std::vector<Error> left_alone() { return std::exchange(alone_, {}); }
  /// The scores of all results so far, by the suites' rules. `end_folders` comes first.
  [[nodiscard]] std::vector<SetScore> scores() const;

 private:
  void give(FoundResult&& found);

  Sink sink_;
  std::span<const RuleBook* const> books_;
  /// What waits for the folder's other files, by folder and the grammar's id.
  struct Waiting {
    const Parser* grammar = nullptr;
    std::vector<FileResult> results;
  };
  std::map<std::pair<std::string, std::string_view>, Waiting> waiting_;
  std::vector<Error> alone_;
  std::map<const RuleBook*, std::vector<FileResult>> scored_;
};

}  // namespace shakedown
