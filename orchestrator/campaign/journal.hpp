#pragma once
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "orchestrator/campaign/chained_lines.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Criteria that a journal names; their text lies in a file of the campaign's folder.
struct JournaledCriteria {
  int revision = 2;
  std::string name;  ///< of the file that they came from
  std::string file;  ///< that holds them, below the campaign's folder
  std::string sha256;
  std::string reason;
  double at_s = 0;
};

/// The state of an image when the campaign's runs had ended.
struct JournaledImage {
  std::string file;    ///< absolute
  std::string sha256;  ///< that it had then; empty: the one that the campaign was bound to
};

/// That the machine failed an attempt.
struct MachineFailure {
  std::string case_id;
  int attempt = 1;
  std::string job;
  std::vector<std::string> suspected;  ///< nodes
  std::string because;
  bool counts = true;   ///< against what a case may have of them; not what never began
  std::string hosts{};  ///< of the attempt, as a hostlist; NOLINT(readability-redundant-member-init)
};

/// A file of a run directory, as it was when its attempt was collected.
struct CollectedFile {
  std::string name;  ///< relative to the run directory
  std::string sha256;
  std::int64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< of its last change (ctime) then, since 1970: `FileStamp`
  friend bool operator==(const CollectedFile&, const CollectedFile&) = default;
};

/// An ended attempt that was read and stored. Its line states it for good: the attempt is over, whatever
/// becomes of its folder.
struct CollectedAttempt {
  std::string case_id;
  int attempt = 1;
  std::optional<AttemptState> state;  ///< how it ended; none: of an older version's line
  std::string failure;                ///< what was wrong with it; empty: nothing
  RecordHash stored;                  ///< of its rows; empty: collected by an older version
  std::vector<CollectedFile> files;

  /// Whether it finished or ran out of its time. Earlier versions noted no more than what was wrong: nothing
  /// is what a finished attempt has.
  [[nodiscard]] bool is_done() const;
};

/// What a campaign's journal records that no run directory does.
struct JournalContent {
  std::map<std::string, int, std::less<>> intended;          ///< the last attempt of each case
  std::map<std::string, std::string, std::less<>> known_as;  ///< the scheduler's name of each job
  std::vector<Exclusion> excluded;                           ///< in their order
  std::map<std::string, std::string, std::less<>>
      not_run;              ///< why cases will not run, as the last execution saw it
  std::vector<Case> added;  ///< cases that were planned on the way
  std::map<std::pair<std::string, int>, MachineFailure> machine_failures;  ///< by case and attempt
  std::map<std::pair<std::string, int>, std::string>
      failures;  ///< what was wrong with an attempt, if reported
  /// Attempts that were collected, by case and number. Of one that was stored again (`import`) the rows are
  /// those of its last line, the files those of the first that names them.
  std::map<std::pair<std::string, int>, CollectedAttempt> collected;
  /// The last attempt of each case whose disturbed runs somebody asked to measure again: what was measured
  /// until then does not count against how often that is done.
  std::map<std::string, int, std::less<>> measured_again_from;
  /// Disturbed cases may be measured again by themselves: no execution came to its end since the campaign
  /// began, or since somebody asked for that.
  bool measures_again = true;
  std::vector<JournaledCriteria> criteria;  ///< that took the place of those before, in their order
  std::vector<JournaledImage> images;       ///< when its runs had ended
  std::vector<CollectedFile> job_files;     ///< as its last execution left them, when it came to its end
  std::string
      verdict_sha256;    ///< of a scheduled check's verdict file; empty: none yet, or an older version's
  bool is_over = false;  ///< its last execution came to its end, and no case was added since
  bool has_run_since_images = true;  ///< false: nothing was submitted since `images` were looked at

  /// How a case's last attempt ended, where it ended for good: by itself or at its time limit. Such a case is
  /// not run again, whatever became of the attempt's files. Nothing: it did not.
  [[nodiscard]] std::optional<AttemptState> ended_for_good(const std::string& case_id) const;

  /// Takes one line in; ignores one that is not the journal's own.
  void recall(std::string_view line);
};

/// Reads journal.jsonl; a campaign without one has done nothing yet.
Result<JournalContent> read_journal(const std::filesystem::path& campaign_folder);

/// journal.jsonl of a campaign: what was about to be done, one JSON object a line, before it is done. Each
/// line names the SHA-256 of the one before (`ChainLink`), also where two processes append.
class Journal {
 public:
  /// Opens or creates it. A line that a full disk cut is closed, so that the next one is a line of its own.
  static Result<Journal> open(const std::filesystem::path& campaign_folder);
  Journal(Journal&& other) noexcept;
  Journal& operator=(Journal&& other) noexcept;
  ~Journal();

  [[nodiscard]] const JournalContent& content() const { return content_; }
  /// The highest attempt of a case that was ever about to start; 0: none. Its folder may be missing: a power
  /// loss can remove what the journal recorded.
  [[nodiscard]] int last_intended(std::string_view case_id) const;
  /// Records that a job with these attempts (case, number) is about to be submitted. Survives a power loss
  /// when it returns.
  Result<void> intend(std::string_view job, const std::vector<std::pair<std::string, int>>& attempts);
  /// Records the scheduler's name of a job; not synced: a job that nobody knows of is found by its own name.
  Result<void> submitted(std::string_view job, std::string_view known_as);
  /// The scheduler's name of a job; empty: it was not reported.
  [[nodiscard]] std::string known_as(std::string_view job) const;
  /// Records that a node gets no more work, and why. Survives a power loss.
  Result<void> exclude(std::string_view node, std::string_view because);
  [[nodiscard]] const std::vector<Exclusion>& excluded() const { return content_.excluded; }
  /// Records that the machine failed an attempt; once of each. Survives a power loss.
  Result<void> failed_by_machine(const MachineFailure& failure);
  [[nodiscard]] const std::map<std::pair<std::string, int>, MachineFailure>& machine_failures() const {
    return content_.machine_failures;
  }
  /// Records that these disturbed attempts (case, number) are to be measured again. Survives a power loss.
  Result<void> measure_again(const std::vector<std::pair<std::string, int>>& attempts);
  /// Adds a case that the plan did not have. Survives a power loss.
  Result<void> add(const Case& planned);
  /// Records that other criteria judge from now on. Survives a power loss.
  Result<void> revise(const JournaledCriteria& criteria);
  /// Records the state of the images after all has run. Survives a power loss.
  Result<void> ended_with(const std::vector<JournaledImage>& images);
  /// Whether anything was submitted since that was last recorded.
  [[nodiscard]] bool has_run_since_images() const { return content_.has_run_since_images; }
  /// Journals the SHA-256 of a scheduled check's verdict file. Survives a power loss.
  Result<void> judged(std::string_view verdict_sha256);
  /// Records why a case will not run in this execution.
  Result<void> give_up(std::string_view case_id, std::string_view because);
  /// Records that an execution begins: what was given up may run in it.
  Result<void> begin_execution();
  /// Records that an attempt is in the store; not synced: an attempt that is stored and not recorded here is
  /// stored again.
  Result<void> collected(const CollectedAttempt& attempt);
  /// That record of an attempt; null: there is none.
  [[nodiscard]] const CollectedAttempt* collected(const std::string& case_id, int attempt) const;
  /// As `JournalContent` has it.
  [[nodiscard]] std::optional<AttemptState> ended_for_good(const std::string& case_id) const {
    return content_.ended_for_good(case_id);
  }
  /// Whether anything was wrong with it.
  [[nodiscard]] bool has_failed(const std::string& case_id, int attempt) const {
    return content_.failures.contains({case_id, attempt});
  }
  /// Records that an execution came to its end, and the files of the campaign's jobs as they are then.
  Result<void> finished(const std::vector<CollectedFile>& job_files);
  /// Notes something that the run directories prove anyway ("interrupted"); not synced.
  Result<void> note(std::string_view event, std::string_view case_id = {}, int attempt = 0);

 private:
  Journal(int fd, std::filesystem::path path) : fd_(fd), path_(std::move(path)) {}
  Result<void> put(std::string_view text);
  Result<void> close_cut_line();
  Result<void> find_end();
  Result<void> append(std::string_view line);
  Result<void> sync();
  Result<void> write(const std::string& line);
  int fd_ = -1;
  std::filesystem::path path_;
  ChainEnd end_;
  JournalContent content_;
};

}  // namespace shakedown
