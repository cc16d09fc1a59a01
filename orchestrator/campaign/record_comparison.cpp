#include "orchestrator/campaign/record_comparison.hpp"

#include <algorithm>
#include <optional>
#include <set>
#include <tuple>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/collected_files.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/criteria_revision.hpp"
#include "orchestrator/campaign/imported_run.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/command_line.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/readers.hpp"
#include "orchestrator/store/record_hash.hpp"

namespace shakedown {
namespace {

using Key = std::pair<std::string, int>;

/// Whether `name` stays below the folder that it is relative to. Names come from a file that anybody may have
/// written.
bool stays_below(const std::string& name) {
  const fs::path path(name);
  return !path.empty() && path.is_relative() &&
         std::ranges::none_of(path, [](const fs::path& part) { return part == ".."; });
}

bool is_one_name(const std::string& name) {
  return stays_below(name) && name != "." && name.find('/') == std::string::npos;
}

/// How a file stands against what was collected.
enum class FileState { same, other, not_here, too_long };

/// Reads files, as many as it may.
class Files {
 public:
  explicit Files(Hashing hashing) : hashing_(hashing) {}

  /// `grows`: more at the file's end is no difference.
  FileState state(const fs::path& path, const CollectedFile& file, bool grows) {
    const auto stamp = stamp_of(path.string());
    if (!stamp) return FileState::not_here;
    if (stamp->bytes < file.bytes || (stamp->bytes > file.bytes && !grows)) return FileState::other;
    const bool unchanged = stamp->bytes == file.bytes && stamp->changed_ns == file.changed_ns;
    if (hashing_ == Hashing::changed) {
      if (unchanged) return FileState::same;
      if (file.bytes > left_) return FileState::too_long;
      left_ -= file.bytes;
    }
    const auto hash = sha256_of_file(path, static_cast<std::uint64_t>(file.bytes));
    if (!hash) return FileState::not_here;
    return *hash == file.sha256 ? FileState::same : FileState::other;
  }

 private:
  Hashing hashing_;
  std::int64_t left_ = 64 << 20;  // bytes: a quarter of a second
};

bool has_end(const std::vector<CollectedFile>& files) {
  return std::ranges::find(files, "finished.json", &CollectedFile::name) != files.end();
}

/// Files of an attempt that was collected without its end are still written by what is left of it.
bool may_change(const CollectedFile& file) {
  return file.name == "started.json" || (file.name.starts_with("node-") && file.name.ends_with(".json"));
}

struct AttemptFiles {
  std::vector<Error> others;
  std::vector<std::string> too_long;
  bool all_here = true;
};

AttemptFiles compared_files(const std::vector<CollectedFile>& files, const fs::path& folder, bool imported,
                            Files& reading) {
  AttemptFiles compared;
  const bool ended = imported || has_end(files);
  for (const CollectedFile& file : files) {
    if (!ended && may_change(file)) continue;
    const fs::path path = folder / file.name;
    switch (stays_below(file.name) ? reading.state(path, file, /*grows=*/!ended) : FileState::other) {
      case FileState::same:
        break;
      case FileState::other:
        compared.others.push_back(
            {path.string(), "is not the file that was collected",
             fmt::format("put back the file of {} bytes with SHA-256 {}; without it this result proves "
                         "nothing: measure the case again in a new campaign",
                         file.bytes, file.sha256),
             Fault::environment});
        break;
      case FileState::not_here:
        compared.all_here = false;
        break;
      case FileState::too_long:
        compared.too_long.push_back(path.string());
        break;
    }
  }
  return compared;
}

std::string metric_difference(const ResultRecord& stored, const ResultRecord& read) {
  for (const Metric& metric : stored.parsed.metrics) {
    const Metric* proved = read.parsed.metric(metric.name);
    if (proved == nullptr)
      return fmt::format("the store has {} = {}, its log has none", metric.name, metric.value);
    if (proved->value != metric.value)
      return fmt::format("{} is {} in the store and {} in its log{}", metric.name, metric.value,
                         proved->value, read.file.empty() ? "" : " " + read.file);
  }
  for (const Metric& metric : read.parsed.metrics)
    if (stored.parsed.metric(metric.name) == nullptr)
      return fmt::format("its log has {} = {}, the store has none", metric.name, metric.value);
  return "";
}

/// What tells a stored attempt from what its folder gives; of several things the first.
std::string value_difference(const AttemptRecord& stored, const AttemptRecord& read) {
  if (stored.state != read.state)
    return fmt::format("it is {} in the store and {} by its run directory", to_string(stored.state),
                       to_string(read.state));
  if (stored.exit_code != read.exit_code) return "its exit code is another in its finished.json";
  if (stored.results.size() != read.results.size())
    return fmt::format("the store has {} of its results, its logs have {}", stored.results.size(),
                       read.results.size());
  for (std::size_t i = 0; i < stored.results.size(); ++i)
    if (std::string text = metric_difference(stored.results[i], read.results[i]); !text.empty()) return text;
  for (std::size_t i = 0; i < stored.results.size(); ++i)
    if (stored.results[i].parsed.complete != read.results[i].parsed.complete ||
        stored.results[i].parsed.parameters != read.results[i].parsed.parameters)
      return "its parameters are others in its log";
  if (stored.wall_s != read.wall_s) return "its duration is another in its finished.json";
  return "";
}

/// One comparison of a campaign.
class Comparison {
 public:
  Comparison(const CampaignRecord& stored, const fs::path& folder, Hashing hashing)
      : stored_(stored), folder_(settled_folder(folder)), reading_(hashing) {
    const fs::path workspace = folder_.parent_path().parent_path();
    restore_ = fmt::format("`{}` stores the campaign again from its run directories",
                           command_for("import " + shell_quoted(folder_.string()), workspace));
  }

  Result<ComparedRecord> run(bool with_excerpts) {
    std::error_code code;
    has_journal_ = fs::exists(folder_ / "journal.jsonl", code);
    auto journal = read_journal(folder_);
    if (!journal) return pass_on(journal);
    journal_ = *std::move(journal);
    journal_has_hashes_ = std::ranges::any_of(
        journal_.collected, [](const auto& each) { return !each.second.stored.record.empty(); });
    const bool hashed = std::ranges::any_of(stored_.cases, [](const CaseRecord& record) {
      return std::ranges::any_of(record.attempts,
                                 [](const AttemptRecord& each) { return !each.stored.record.empty(); });
    });
    if (!has_journal_ && hashed) found_.comparison.not_here.emplace_back("journal.jsonl");
    if (auto planned = read_campaign_folder(folder_)) planned_ = *std::move(planned);
    if (planned_ && is_as_bound(*planned_)) compare_campaign(*planned_);
    for (const CaseRecord& record : stored_.cases)
      for (const AttemptRecord& attempt : record.attempts) compare(record.planned, attempt, with_excerpts);
    for (const auto& [key, journaled] : journal_.collected)
      if (!stored_attempts_.contains(key) && is_one_name(key.first)) add_lost(key);
    return std::move(found_);
  }

 private:
  static std::string attempt_name(const Key& key) {
    return fmt::format("{}, attempt {}", key.first, key.second);
  }
  void add_row(std::string where, std::string what) {
    found_.rows.push_back({std::move(where), std::move(what), restore_, Fault::environment});
  }
  void add_lacking(std::string where, std::string what) {
    found_.lacking.push_back({std::move(where), std::move(what), restore_, Fault::environment});
  }

  /// An attempt that was collected, and that the store does not have.
  void add_lost(const Key& key) {
    std::error_code code;
    const std::string place = fmt::format("{}/attempt-{}", key.first, key.second);
    if (fs::exists(folder_ / place, code))
      add_lacking(attempt_name(key), "was collected, and the store does not have it");
    else
      found_.comparison.not_here.push_back(place);
  }

  /// Whether the folder is what its own journal bound: else its files prove nothing against the store, and
  /// the breach is stated. What the store says of its commitment is no matter here.
  [[nodiscard]] bool is_as_bound(const CampaignRecord& planned) const {
    if (!planned.commitment) return !stored_.commitment;
    const Commitment& bound = *planned.commitment;
    return commitment_root(bound.parts) == bound.root && file_breaches(bound, folder_).empty();
  }

  void compare_commitment(const CampaignRecord& planned) {
    if (stored_.commitment == planned.commitment) return;
    add_row(stored_.id, "is bound to something else in the store than by its journal's first line");
    found_.rows.back().hint += fmt::format(
        "; that the journal's is the one printed when the campaign began, {}, is for those who "
        "noted it to say",
        planned.commitment ? planned.commitment->root : "none");
  }

  /// Revisions whose files are not what the journal says are breaches, and stated as such.
  void compare_revisions(const CampaignRecord& planned) {
    if (!revision_breaches(planned, folder_).empty()) return;
    const auto same = [](const CriteriaRevision& a, const CriteriaRevision& b) {
      return a.number == b.number && a.name == b.name && a.text == b.text && a.reason == b.reason;
    };
    if (!std::ranges::equal(stored_.criteria_revisions, planned.criteria_revisions, same))
      add_row(stored_.id, "has other revisions of its criteria in the store than in its folder");
  }

  /// The journal has an exclusion before the store does. A crash between the two is recovered by the next
  /// execution; what is in the store alone never was.
  void compare_exclusions(const CampaignRecord& planned, bool settled) {
    const auto has = [](const std::vector<Exclusion>& all, const Exclusion& wanted) {
      return std::ranges::any_of(all, [&](const Exclusion& each) {
        return each.node == wanted.node && each.because == wanted.because;
      });
    };
    for (const Exclusion& each : stored_.exclusions)
      if (!has(planned.exclusions, each))
        add_row(each.node, "is excluded in the store, and the campaign's journal does not say so");
    for (const Exclusion& each : planned.exclusions)
      if (settled && !has(stored_.exclusions, each))
        add_row(each.node, "was excluded by the campaign's journal, and the store does not say so");
    if (!settled) return;
    for (const CaseRecord& each : stored_.cases) {
      const auto known = std::ranges::find(planned.cases, each.planned.id, case_id);
      if (known != planned.cases.end() && known->not_run != each.not_run)
        add_row(each.planned.id,
                "was not run for another reason in the store than by the campaign's journal");
    }
  }

  /// `by_name` is in no document.
  static bool same_refusal(const Refusal& a, const Refusal& b) {
    return std::tie(a.suite, a.benchmark, a.rule, a.because, a.next_good) ==
           std::tie(b.suite, b.benchmark, b.rule, b.because, b.next_good);
  }

  void compare_campaign(const CampaignRecord& planned) {
    compare_commitment(planned);
    compare_revisions(planned);
    const bool settled = stored_.state == CampaignState::finished && campaign_holder(folder_).pid == 0;
    if (has_journal_ && !is_external(stored_)) compare_exclusions(planned, settled);
    if (!std::ranges::equal(stored_.refused, planned.refused, same_refusal))
      add_row(stored_.id, "refuses other cases in the store than in its plan.json");
    if (stored_.system != planned.system || stored_.kind != planned.kind)
      add_row(stored_.id, fmt::format("is a campaign ({}) of {} in the store, and ({}) of {} in its folder",
                                      stored_.kind, stored_.system, planned.kind, planned.system));
    if (!is_external(stored_) && inventory_json(stored_.inventory) != inventory_json(planned.inventory))
      add_row(stored_.id, "has another inventory in the store than in its inventory.json");
    if (stored_.criteria_text != planned.criteria_text)
      add_row(stored_.id, "has other criteria in the store than in its criteria.toml");
    if (stored_.baseline_name != planned.baseline_name)
      add_row(stored_.id, "is set beside other published values in the store than in its campaign.json");
    for (const CaseRecord& each : stored_.cases) {
      const Case* known = case_of(planned, each.planned.id);
      if (known == nullptr)
        add_row(each.planned.id, "is a case of the store that its campaign's folder does not have");
      else if (case_json(*known) != case_json(each.planned))
        add_row(each.planned.id, "is planned otherwise in the store than in its campaign's folder");
    }
    for (const CaseRecord& each : planned.cases)
      if (case_of(stored_, each.planned.id) == nullptr)
        add_lacking(each.planned.id, "is a case of its campaign's folder that the store does not have");
  }

  static const std::string& case_id(const CaseRecord& record) { return record.planned.id; }
  static const Case* case_of(const CampaignRecord& campaign, const std::string& id) {
    const auto it = std::ranges::find(campaign.cases, id, case_id);
    return it == campaign.cases.end() ? nullptr : &it->planned;
  }

  void compare(const Case& planned, const AttemptRecord& attempt, bool with_excerpts) {
    const Key key{planned.id, attempt.index};
    stored_attempts_.insert(key);
    ++found_.comparison.attempts;
    const auto line = journal_.collected.find(key);
    const CollectedAttempt* journaled = line == journal_.collected.end() ? nullptr : &line->second;
    if (!is_one_name(planned.id)) return add_row(planned.id, "is no name of a case");
    const fs::path folder = AttemptPlace{folder_, &planned, attempt.index}.folder();
    const auto files = journaled != nullptr && !journaled->files.empty() ? journaled->files
                                                                         : evidence_files(planned, attempt);
    AttemptFiles here = compared_files(files, folder, attempt.state == AttemptState::imported, reading_);
    std::error_code code;
    if (!fs::is_directory(folder, code) || !here.all_here)
      found_.comparison.not_here.push_back(AttemptPlace{folder_, &planned, attempt.index}.relative());
    const bool unchanged = here.others.empty();
    std::ranges::move(here.others, std::back_inserter(found_.files));
    std::ranges::move(here.too_long, std::back_inserter(found_.unread));
    compare_values(planned, attempt, journaled, with_excerpts, unchanged);
  }

  void compare_values(const Case& planned, const AttemptRecord& attempt, const CollectedAttempt* journaled,
                      bool with_excerpts, bool files_unchanged) {
    const Key key{planned.id, attempt.index};
    const bool has_hash = !attempt.stored.record.empty();
    // A crash between store and journal leaves it like that; the next execution records it again.
    const bool is_over = stored_.state == CampaignState::finished;
    if (journaled == nullptr && (has_hash || journal_has_hashes_) && has_journal_ && is_over)
      return add_row(attempt_name(key), "is in the store, and the campaign's journal does not have it");
    const RecordHash& wanted =
        journaled != nullptr && !journaled->stored.record.empty() ? journaled->stored : attempt.stored;
    if (wanted.record.empty()) {
      ++found_.comparison.without_hash;
    } else if (record_sha256(attempt) != wanted.record) {
      const std::string what = files_unchanged ? told_difference(planned, attempt) : "";
      add_row(attempt_name(key), fmt::format("is not what was collected: {}",
                                             what.empty() ? "its rows in the store were changed" : what));
    } else if (with_excerpts && record_hash(attempt).excerpts != wanted.excerpts) {
      add_row(attempt_name(key), "is not what was collected: the store has other excerpts of its files");
    }
  }

  /// Reads a few attempts once more, to name a value that differs.
  std::string told_difference(const Case& planned, const AttemptRecord& attempt) {
    constexpr int most = 3;
    if (!planned_ || ++told_ > most) return "";
    const Case* known = case_of(*planned_, planned.id);
    if (known == nullptr) return "";
    if (attempt.state == AttemptState::imported || is_external(*planned_)) {
      const auto runs = imported_runs(folder_);
      if (!runs) return "";
      for (const ImportedRun& run : *runs) {
        if (run.planned.id != planned.id) continue;
        const auto read = collected_import(run, folder_);
        return read ? value_difference(attempt, read->attempts.front()) : "";
      }
      return "";
    }
    return value_difference(attempt, collected_attempt({folder_, known, attempt.index}, planned_->inventory,
                                                       {}, planned_->settings));
  }

  const CampaignRecord& stored_;
  fs::path folder_;
  Files reading_;
  std::string restore_;
  JournalContent journal_;
  bool has_journal_ = true;
  bool journal_has_hashes_ = false;        ///< of any attempt: this version, or a later one, collected it
  std::optional<CampaignRecord> planned_;  ///< as the folder has it; none: it can't be read
  ComparedRecord found_;
  std::set<Key> stored_attempts_;
  int told_ = 0;
};

}  // namespace

Error ComparedRecord::failure(const std::string& where) const {
  const Error& first = !files.empty() ? files.front() : !rows.empty() ? rows.front() : lacking.front();
  const std::size_t more = files.size() + rows.size() + lacking.size() - 1;
  return {where,
          fmt::format("the store and the run directories differ: {} {}{}", first.where, first.what,
                      more > 0 ? fmt::format("; and {} more difference{}", more, more == 1 ? "" : "s") : ""),
          first.hint, Fault::environment};
}

Result<ComparedRecord> compared_record(const CampaignRecord& stored, const fs::path& folder, Hashing hashing,
                                       bool with_excerpts) {
  return Comparison(stored, folder, hashing).run(with_excerpts);
}

std::vector<Error> changed_files(const JournalContent& journal, const fs::path& folder) {
  std::vector<Error> changed;
  Files reading(Hashing::all);
  for (const auto& [key, attempt] : journal.collected) {
    if (!is_one_name(attempt.case_id)) continue;
    const fs::path place =
        settled_folder(folder) / attempt.case_id / fmt::format("attempt-{}", attempt.attempt);
    AttemptFiles found =
        compared_files(attempt.files, place, attempt.state == AttemptState::imported, reading);
    std::ranges::move(found.others, std::back_inserter(changed));
  }
  return changed;
}

}  // namespace shakedown
