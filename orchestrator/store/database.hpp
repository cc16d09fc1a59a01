#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/store/declaration.hpp"
#include "orchestrator/store/history.hpp"
#include "orchestrator/store/record.hpp"
#include "orchestrator/store/series.hpp"

namespace shakedown {

/// A campaign in one line, for lists.
struct CampaignSummary {
  std::string id;
  std::string system;
  std::string kind;
  std::string state;
  double created_s = 0;
  int cases = 0;           ///< as reports count them: without repeats of suspects and replaced ones
  int finished_cases = 0;  ///< with a finished, timed-out or imported attempt
  std::string sentence;    ///< of the verdict; empty: none yet
};

/// A verdict as it is stored.
struct VerdictRow {
  std::string overall;
  std::string sentence;
  int exit_code = 3;
  struct Criterion {
    std::string id;
    std::string metric;
    std::string severity;
    std::string verdict;  ///< "invalid"; of a waived one "invalid, waived"
    int n = 0;
    std::optional<double> measured;
    std::optional<double> limit;
    std::string because;
  };
  std::vector<Criterion> criteria;
};

/// Whether the excerpts of an attempt's files are read too: most of what a campaign holds.
enum class Excerpts { read, skip };

/// Whether the cases of campaigns are counted too: most of the time that a list of thousands takes.
enum class CaseCounts { read, skip };

/// results.sqlite of a workspace. Each call that writes is one transaction that survives a power loss when it
/// returns. All failures are of the environment and carry the file's path.
class Database {
 public:
  /// Opens or creates the file. A file of another version is refused. On a filesystem that
  /// other hosts may share (`StorePlace`) this process has it alone until it is closed, and one that another
  /// process has is refused with that one's name; `lock` is how it is locked there. A file whose journal is
  /// of the other kind is converted.
  static Result<Database> open(const std::filesystem::path& path, const LockOptions& lock = {});
  /// Opens the file that is there, and makes none. Where file or folder can't be written it is only read, as
  /// an archive is. Where another process has it alone, what that one last committed is read, into memory:
  /// readers beside a running campaign wait for nobody, and take no lock. Fails as `open` does, and where
  /// there is no file.
  static Result<Database> open_existing(const std::filesystem::path& path);
  /// Whether it can only be read: calls that write fail.
  [[nodiscard]] bool read_only() const;
  /// Why, as a sentence without its subject: "can only be read"; empty: it can be written.
  [[nodiscard]] std::string why_read_only() const;
  /// A sign of life of who has the file alone, due every few seconds. Fails (environment) once another
  /// process has taken it: nothing may be written any more.
  Result<void> renew_lock();
  /// From now on a power loss may take the last changes with it, never the store's consistency: for one who
  /// can record them again. Back to full durability with `false`.
  Result<void> defer_sync(bool deferred);
  Database(Database&&) noexcept;
  Database& operator=(Database&&) noexcept;
  ~Database();

  /// Stores a campaign with its cases, without attempts. A campaign that is there already is not changed.
  Result<void> add_campaign(const CampaignRecord& campaign);
  Result<void> set_state(const std::string& campaign, CampaignState state, double finished_s);
  /// Stores what is known of a node's software; known names are not changed.
  Result<void> add_environment(const std::string& campaign, const std::vector<EnvironmentRecord>& records);
  /// Removes a campaign with all that belongs to it, so that it can be stored again from its folder. Does
  /// nothing if it is not there.
  Result<void> remove_campaign(const std::string& campaign);
  /// Stores an attempt with its results, replacing what was stored of that attempt.
  Result<void> record_attempt(const std::string& campaign, const std::string& case_id,
                              const AttemptRecord& attempt);
  /// Stores a case with its attempts behind the campaign's other cases, all of it or nothing. A case that is
  /// there already, by its id, is not changed.
  Result<void> add_case(const std::string& campaign, const CaseRecord& record);
  /// Stores why a case is not run; empty: it may be.
  Result<void> record_not_run(const std::string& campaign, const std::string& case_id,
                              const std::string& because);
  /// Stores the nodes that get no more work, replacing those that were there.
  Result<void> record_exclusions(const std::string& campaign, const std::vector<Exclusion>& exclusions);
  /// Stores criteria that took the place of others; a revision that is there stays as it is.
  Result<void> add_criteria_revisions(const std::string& campaign,
                                      const std::vector<CriteriaRevision>& revisions);
  /// Stores the scores of a campaign's sets, replacing those that were there.
  Result<void> record_set_scores(const std::string& campaign, const std::vector<SetScore>& scores);
  Result<void> record_verdict(const std::string& campaign, const VerdictRow& verdict);
  /// Stores what was accepted and what happened to nodes, of all systems and in their order, replacing what
  /// was there: files of the workspace are their truth.
  Result<void> record_acceptances(const std::vector<AcceptedCampaign>& acceptances);
  Result<void> record_node_events(const std::vector<NodeEvent>& events);

  [[nodiscard]] Result<bool> has_attempt(const std::string& campaign, const std::string& case_id,
                                         int k) const;
  /// The hash of an attempt's rows when they were stored. None if there is no such attempt.
  [[nodiscard]] Result<std::optional<RecordHash>> stored_hash(const std::string& campaign,
                                                              const std::string& case_id, int k) const;
  /// The ids of a campaign's cases, in order; none where there is no such campaign.
  [[nodiscard]] Result<std::vector<std::string>> case_ids(const std::string& campaign) const;
  /// The suites that a campaign has results of, by name.
  [[nodiscard]] Result<std::vector<std::string>> result_suites(const std::string& campaign) const;
  /// The hostlists of a campaign's cases, as planned, each once; none where there is no such campaign.
  [[nodiscard]] Result<std::vector<std::string>> planned_hosts(const std::string& campaign) const;
  /// Without excerpts the text of job.sh is not there either.
  [[nodiscard]] Result<CampaignRecord> campaign(const std::string& id,
                                                Excerpts excerpts = Excerpts::read) const;
  /// Newest first; with `CaseCounts::skip` each with no cases.
  [[nodiscard]] Result<std::vector<CampaignSummary>> campaigns(CaseCounts counts = CaseCounts::read) const;
  /// All campaigns with their verdicts, criteria and what was noted of their nodes, oldest first.
  [[nodiscard]] Result<std::vector<HistoryCampaign>> history() const;
  /// A system's campaigns of one kind, oldest first, without their counts of cases.
  [[nodiscard]] Result<std::vector<CampaignSummary>> campaigns_of(std::string_view system,
                                                                  std::string_view kind) const;
  /// The verdict on a campaign as it was last stored; nothing where none was.
  [[nodiscard]] Result<std::optional<VerdictRow>> verdict(const std::string& campaign) const;
  /// The acceptances of a system, oldest first; its reference is the last.
  [[nodiscard]] Result<std::vector<AcceptedCampaign>> acceptances(std::string_view system) const;
  /// What happened to nodes of a system after a time, oldest first.
  [[nodiscard]] Result<std::vector<NodeEvent>> node_events(std::string_view system, double after_s = 0) const;
  /// What plans predicted of the cases of a system.
  [[nodiscard]] Result<std::vector<StoredPrediction>> predictions_of(std::string_view system) const;
  /// The metrics of a system over time, all or those that are wanted, found by index: values of all results,
  /// of whatever validity, which each run states. None of an unknown system.
  [[nodiscard]] Result<SystemSeries> series_of(std::string_view system,
                                               const WantedMetrics& wanted = {}) const;

  struct Connection;  ///< SQLite's side, known to the store's own files only

 private:
  explicit Database(std::unique_ptr<Connection> connection);
  std::unique_ptr<Connection> connection_;
};

}  // namespace shakedown
