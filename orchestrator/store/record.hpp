#pragma once
#include <optional>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/launch/environment.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/settings.hpp"
#include "orchestrator/plan/site.hpp"
#include "parsers/failures.hpp"
#include "parsers/parser.hpp"
#include "parsers/rules/rule.hpp"

namespace shakedown {

/// How an attempt ended.
enum class AttemptState {
  running,      ///< started, not finished
  finished,     ///< the command ended by itself, with whatever exit code
  timed_out,    ///< ended by us at the time limit
  interrupted,  ///< ended by us on the user's request
  lost,         ///< died without a word: wrapper or machine went away
  cancelled,    ///< its job was ended from outside, and with it the wrapper: its end is not recorded
  not_started,  ///< the program did not begin: the command or its launcher could not be started
  imported,     ///< run elsewhere: only its logs show how it ended
};
std::string_view to_string(AttemptState state);
std::optional<AttemptState> attempt_state(std::string_view text);
/// Whether the command came to its end, or to its time limit: such an attempt is not repeated.
bool is_done(AttemptState state);
/// Whether it began, or should have, and did not record its end: its wrapper may yet do it.
bool is_without_end(AttemptState state);

/// The load of the machine by others and by the job during an attempt, from /proc/stat before and after.
struct Conditions {
  double cores = 0;          ///< online CPUs
  double steal_ratio = 0;    ///< CPU time taken by the hypervisor / all CPU time
  double foreign_cores = 0;  ///< mean number of CPUs busy with other processes than the job
  double job_cores = 0;      ///< mean number of CPUs busy with the job
  double load_before = 0;    ///< runnable processes besides us just before the start (1-minute load average)
  friend bool operator==(const Conditions&, const Conditions&) = default;
};

/// A result of an attempt with its rules.
struct ResultRecord {
  ParsedResult parsed;
  std::vector<RuleResult> rules;
  Validity validity = Validity::unknown;
  std::string file;  ///< the log that it was read from, relative to the run directory; empty: not known
};

/// What is stored of a file of the run directory: hash of the whole, head and tail of the text.
struct FileRecord {
  std::string name;  ///< relative to the run directory
  std::string sha256;
  std::int64_t bytes = 0;
  std::string excerpt;  ///< for logs and inputs; capped, the cut is marked in the text
};

/// SHA-256 of an attempt's rows (`record_hash`). Both empty: stored by a version that had none.
struct RecordHash {
  std::string record;    ///< all but the excerpts of its files
  std::string excerpts;  ///< of its files
  friend bool operator==(const RecordHash&, const RecordHash&) = default;
};

struct AttemptRecord {
  int index = 1;
  AttemptState state = AttemptState::running;
  std::optional<int> exit_code;
  std::optional<int> signal;
  double started_s = 0;  ///< seconds since 1970, of the command
  double finished_s = 0;
  double wall_s = 0;  ///< of the command, monotonic clock
  std::string host;
  std::string run_folder;  ///< relative to the campaign's folder: "hpl-reference-1n/attempt-1"
  std::string failure;     ///< why there is no result; empty: there is one
  std::optional<FailureKind> failure_kind;  ///< of `failure`, if its text or the scheduler's shows it
  std::string hosts;                        ///< hostlist of its nodes; empty: those planned
  std::string job;                          ///< that it was part of: "job-7"; empty: not known
  std::string program;         ///< path of the executable, as the node found it; empty: not known
  std::string program_sha256;  ///< of its content; empty: not known
  std::optional<Conditions> conditions;
  std::vector<NodeState> nodes;  ///< the state of its nodes, as far as reported
  std::vector<ResultRecord> results;
  std::vector<FileRecord> files;
  RecordHash stored;  ///< of the rows as they were stored; set where it is read back
  /// Why its values do not count, though it left some: it was disturbed, and another attempt at its case was
  /// not. Empty: they count. Derived by the limits of the criteria, not stored.
  std::string set_aside;
};

struct CaseRecord {
  Case planned;
  // g++ 12 warns of members that an initialiser omits, unless they have one of their own.
  /// By index.
  std::vector<AttemptRecord> attempts{};  // NOLINT(readability-redundant-member-init)
  /// Why it was not run, or not again; empty: it was, or still may be.
  std::string not_run{};  // NOLINT(readability-redundant-member-init)
};

/// A node that got no more work from some time on.
struct Exclusion {
  std::string node;
  std::string because;
  double at_s = 0;  ///< seconds since 1970
  friend bool operator==(const Exclusion&, const Exclusion&) = default;
};

/// Criteria that took the place of those before, which stay.
struct CriteriaRevision {
  int number = 2;      ///< those that a campaign began with are the first
  std::string name;    ///< of the file: "contract.toml"
  std::string text;    ///< TOML
  std::string reason;  ///< in the words of who gave them
  double at_s = 0;     ///< seconds since 1970
  /// Of the text as it was given, where names in it were redacted since; empty: it is as it was.
  std::string given_sha256{};  // NOLINT(readability-redundant-member-init)
  friend bool operator==(const CriteriaRevision&, const CriteriaRevision&) = default;
};

/// A file, executable or image with its SHA-256.
struct CommittedPart {
  std::string name;    ///< "plan.json", "program /usr/bin/xhpl", "image hpl.sif"
  std::string sha256;  ///< of an image also the digest as the site states it
  friend bool operator==(const CommittedPart&, const CommittedPart&) = default;
};

/// What a campaign was bound to before its first attempt.
struct Commitment {
  std::string root;                  ///< one SHA-256 over the parts: what both parties write down
  std::vector<CommittedPart> parts;  ///< by name
  std::vector<std::string> unread;   ///< names of what could not be read where the campaign was started
  friend bool operator==(const Commitment&, const Commitment&) = default;
};

/// How far a campaign's rows were compared with its run directories, without a difference.
struct RecordComparison {
  int attempts = 0;                   ///< of the store
  std::vector<std::string> not_here;  ///< run directories that are not here as a whole: "hpl-1n/attempt-1"
  int without_hash = 0;  ///< stored by a version without hashes of values: only their files were compared
  [[nodiscard]] bool complete() const { return not_here.empty() && without_hash == 0; }
};

/// A campaign of the same kind that began before another, in the same store: of the same system, or on the
/// same nodes.
struct EarlierCampaign {
  std::string id;
  std::string verdict;         ///< the sentence up to its first colon: "not accepted"; empty: not judged
  bool same_criteria = false;  ///< it began with the same
  bool removed = false;        ///< its folder is gone
  bool gone = false;           ///< and `remove` did not note that
  bool other_system = false;   ///< it was called another system
  bool nodes_unknown = false;  ///< of another system: perhaps not on the same nodes
};

/// What a campaign's journal binds, and where it is not whole.
struct JournalRecord {
  int lines = 0;
  std::string first_root;            ///< the commitment; empty: there is none
  std::string last_root;             ///< SHA-256 of the last line; empty: there is no journal
  std::vector<std::string> faults;   ///< a sentence each: an acceptance is undecided
  std::vector<std::string> remarks;  ///< a sentence each, beside the verdict
};

enum class CampaignState { planned, running, interrupted, finished };
std::string_view to_string(CampaignState state);

/// All that is stored of a campaign: what judging and reporting read.
struct CampaignRecord {
  std::string id;  ///< "2026-11-21T18-05-09Z-hostname"
  std::string system;
  std::string kind;  ///< "screening" (quick), "acceptance", or "external": logs of runs made elsewhere
  CampaignState state = CampaignState::planned;
  double created_s = 0;
  double finished_s = 0;  ///< of the last attempt; 0: not finished
  std::string tool_version;
  Inventory inventory;
  std::string criteria_text;          ///< the criteria file that it began with, TOML; empty: none
  std::string criteria_name;          ///< "quick.toml"
  std::string criteria_given_sha256;  ///< of the text before names were redacted; empty: it is as it was
  std::string baseline_name;          ///< "sakuraone"; empty: none
  std::string baseline_text;  ///< of one that is not shipped, TOML; only to create the folder, not stored
  std::string scheduler = "local";        ///< that gets its nodes
  std::string config_text;                ///< the configuration that it was planned from, TOML; empty: none
  Site site;                              ///< what that states of the site
  std::vector<ExpectedSetting> settings;  ///< what that states of the nodes
  std::string planned_by;  ///< the options that it was planned by, JSON; empty: its plan was given
  std::vector<CaseRecord> cases;
  std::vector<Refusal> refused;
  std::vector<Exclusion> exclusions;                 ///< in their order
  std::optional<Commitment> commitment;              ///< none: of an older version, or of logs made elsewhere
  std::vector<CriteriaRevision> criteria_revisions;  ///< after the first, by number; the last one judges
  std::vector<std::string> breaches;  ///< where it no longer is what it was bound to; derived, not stored
  std::optional<RecordComparison> compared;  ///< with its run directories; derived, not stored
  std::optional<JournalRecord> journal;      ///< none: nobody looked; derived, not stored
  std::vector<EarlierCampaign> earlier;      ///< oldest first; derived, not stored
  std::vector<std::string> history_faults;   ///< why some of them may be missing; derived, not stored
  bool first_known = false;  ///< an acceptance, and there are none of these; derived, not stored
  std::vector<EnvironmentRecord> environment;
  std::vector<std::string> warnings;
  std::string note;                  ///< the user's own words on it; empty: none
  std::string source;                ///< of an external campaign: the folder or file that its logs came from
  std::vector<SetScore> set_scores;  ///< what several results prove together
};

/// Replaces the plan, the inventory and the environment that a campaign of logs from elsewhere does not have.
inline constexpr std::string_view made_elsewhere = "not known: logs made elsewhere";

/// The criteria that judge a campaign: its newest.
inline CriteriaRevision judging_criteria(const CampaignRecord& campaign) {
  if (!campaign.criteria_revisions.empty()) return campaign.criteria_revisions.back();
  return {1,  campaign.criteria_name, campaign.criteria_text,
          "", campaign.created_s,     campaign.criteria_given_sha256};
}

/// SHA-256 of the criteria as they were given.
std::string criteria_sha256(const CriteriaRevision& criteria);

/// The nodes that a campaign was planned for, sorted by name.
std::vector<std::string> planned_nodes(const CampaignRecord& campaign);

/// Whether a campaign's logs were made elsewhere.
inline bool is_external(const CampaignRecord& campaign) {
  return campaign.kind == "external";
}

/// What a plan predicted of a case, by the model alone: a calibration's factor is taken out.
struct StoredPrediction {
  std::string campaign;
  std::string case_id;
  std::string metric;
  double value = 0;
};

/// SHA-256 over the text of an attempt as the store returns it (not as it was recorded: the store has no
/// infinities, and each metric of a result once). Equal rows give equal hashes in every version: what a later
/// one adds to an attempt must add nothing to the text where it is empty.
RecordHash record_hash(const AttemptRecord& attempt);

/// The first of them alone, which needs no excerpt.
std::string record_sha256(const AttemptRecord& attempt);
/// The second.
std::string excerpts_sha256(const AttemptRecord& attempt);

}  // namespace shakedown
