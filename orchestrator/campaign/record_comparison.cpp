#include "orchestrator/campaign/record_comparison.hpp"

#include <algorithm>
#include <future>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/file_comparison.hpp"
#include "orchestrator/campaign/imported_run.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/lasting_environment.hpp"
#include "orchestrator/campaign/workspace.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/parallel.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/launch/environment.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {
namespace {

using Key = std::pair<std::string, int>;

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

/// The difference between a stored attempt and its folder; the first of several.
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
      return "its parameters differ from its log";
  if (stored.wall_s != read.wall_s) return "its duration is another in its finished.json";
  return "";
}

/// One comparison of a campaign.
class FolderComparison {
 public:
  FolderComparison(const CampaignRecord& stored, const fs::path& folder, Hashing hashing)
      : stored_(stored), folder_(settled_folder(folder)), hashing_(hashing), reading_(hashing) {
    const fs::path workspace = folder_.parent_path().parent_path();
    restore_ = fmt::format("`{}` stores the campaign again from its run directories",
                           command_for("import " + shell_quoted(folder_.string()), workspace));
  }

  Result<ComparedRecord> run(bool with_excerpts) {
    std::error_code code;
    has_journal_ = fs::exists(folder_ / "journal.jsonl", code);
    auto journal = read_journal(folder_);
    if (!journal) return failure_of(journal);
    journal_ = *std::move(journal);
    journal_has_hashes_ = std::ranges::any_of(
        journal_.collected, [](const auto& each) { return !each.second.stored.record.empty(); });
    const bool hashed = std::ranges::any_of(stored_.cases, [](const CaseRecord& record) {
      return std::ranges::any_of(record.attempts,
                                 [](const AttemptRecord& each) { return !each.stored.record.empty(); });
    });
    if (!has_journal_ && hashed) found_.comparison.not_here.emplace_back("journal.jsonl");
    auto folder = std::async(std::launch::async, [this] { return read_campaign_folder(folder_); });
    read_attempts(with_excerpts);
    if (auto planned = folder.get()) planned_ = *std::move(planned);
    if (planned_ && is_as_bound(*planned_)) compare_campaign(*planned_);
    if (has_journal_ && !is_external(stored_)) compare_state();
    for (AttemptHere& each : attempts_) compare(each);
    for (const auto& [key, journaled] : journal_.collected)
      if (!stored_attempts_.contains(key) && is_one_name(key.first)) add_lost(key);
    compare_end();
    if (hashing_ == Hashing::all && found_.comparison.not_here.empty() && found_.lacking.empty())
      compare_environment();
    return std::move(found_);
  }

 private:
  static bool has_environment(const AttemptRecord& attempt) {
    return std::ranges::find(attempt.files, environment_file, &FileRecord::name) != attempt.files.end();
  }
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
      add_lacking(attempt_name(key), "is missing from the store");
    else
      found_.comparison.not_here.push_back(place);
  }

  /// Older versions journaled neither all attempts nor their ends: of those nothing is known.
  void compare_state() {
    if (stored_.state != CampaignState::finished || journal_.is_over || !journal_has_hashes_) return;
    if (campaign_holder(folder_).pid != 0) return;  // it was resumed just now
    const bool settled = std::ranges::all_of(stored_.cases, [](const CaseRecord& each) {
      if (!each.not_run.empty()) return true;
      const AttemptState last = each.attempts.empty() ? AttemptState::lost : each.attempts.back().state;
      return is_done(last);
    });
    if (!settled) add_row(stored_.id, "is finished in the store and interrupted by the campaign's journal");
  }

  /// What the report prints of the nodes comes from environment.json of the run directories.
  void compare_environment() {
    std::set<std::tuple<std::string, std::string, std::string>> known;
    const auto add = [&](const std::vector<EnvironmentRecord>& records) {
      for (const EnvironmentRecord& each : records) known.emplace(each.node, each.name, each.value);
    };
    std::set<std::pair<std::string, std::string>> in_store;
    for (const EnvironmentRecord& each : stored_.environment) in_store.emplace(each.node, each.name);
    bool of_attempts = false;
    for (const AttemptHere& here : attempts_) {
      if (!has_environment(*here.attempt)) continue;
      if (!here.environment) return;
      of_attempts = true;
      add(*here.environment);
      const AttemptPlace place{folder_, here.planned, here.attempt->index};
      for (const EnvironmentRecord& each : *here.environment)
        if (is_lasting(each, *here.planned) && !in_store.contains({each.node, each.name}))
          return add_row(each.node, fmt::format("lacks {} = {} in the store, which {}/{} states", each.name,
                                                each.value, place.relative(), environment_file));
    }
    if (!of_attempts)  // of an older version
      if (const auto text = file_content(folder_ / environment_file))
        add(environment_from_json(*text).records);
    for (const EnvironmentRecord& each : stored_.environment)
      if (!known.contains({each.node, each.name, each.value}))
        return add_row(each.node, fmt::format("has {} = {} in the store, which no environment.json states",
                                              each.name, each.value));
  }

  /// Whether the folder is what its own journal bound: else its files prove nothing against the store, and
  /// the breach is stated. The store's own commitment does not matter here.
  [[nodiscard]] bool is_as_bound(const CampaignRecord& planned) const {
    if (!planned.commitment) return !stored_.commitment;
    const Commitment& bound = *planned.commitment;
    return commitment_root(bound.parts) == bound.root && file_breaches(bound, folder_).empty();
  }

  void compare_commitment(const CampaignRecord& planned) {
    if (stored_.commitment == planned.commitment) return;
    add_row(stored_.id, "has another commitment in the store than in its journal's first line");
    found_.rows.back().hint +=
        fmt::format("; compare the journal's with the hash noted before the first run: {}",
                    planned.commitment ? planned.commitment->root : "none");
  }

  /// Revisions whose files differ from the journal are breaches, and reported as such.
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
        add_row(each.node, "is excluded in the store but not in the campaign's journal");
    for (const Exclusion& each : planned.exclusions)
      if (settled && !has(stored_.exclusions, each))
        add_row(each.node, "is excluded in the campaign's journal but not in the store");
    if (!settled) return;
    const auto planned_cases = cases_by_id(planned);
    for (const CaseRecord& each : stored_.cases) {
      const auto known = planned_cases.find(each.planned.id);
      if (known != planned_cases.end() && known->second->not_run != each.not_run)
        add_row(each.planned.id,
                "was not run for another reason in the store than by the campaign's journal");
    }
  }

  /// As campaign.json has them, without what is no UTF-8.
  static std::vector<std::string> as_written(const std::vector<std::string>& texts) {
    using nlohmann::json;
    const std::string text = json(texts).dump(-1, ' ', false, json::error_handler_t::replace);
    const auto read = json_or_discarded<json>(text);
    return read.is_array() ? read.get<std::vector<std::string>>() : texts;
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
      add_row(stored_.id, "has other refused cases in the store than in its plan.json");
    if (stored_.system != planned.system || stored_.kind != planned.kind)
      add_row(stored_.id, fmt::format("is a campaign ({}) of {} in the store, and ({}) of {} in its folder",
                                      stored_.kind, stored_.system, planned.kind, planned.system));
    compare_times(planned);
    if (inventory_json(stored_.inventory) != inventory_json(planned.inventory))
      add_row(stored_.id, "has another inventory in the store than in its inventory.json");
    if (stored_.criteria_text != planned.criteria_text)
      add_row(stored_.id, "has other criteria in the store than in its criteria.toml");
    if (stored_.criteria_name != planned.criteria_name)
      add_row(stored_.id, "names another file of criteria in the store than in its campaign.json");
    if (stored_.baseline_name != planned.baseline_name)
      add_row(stored_.id, "names other published values in the store than in its campaign.json");
    if (as_written(stored_.warnings) != planned.warnings ||
        as_written({stored_.tool_version, stored_.note}) !=
            std::vector<std::string>{planned.tool_version, planned.note})
      add_row(stored_.id, "has other warnings, note or version in the store than in its campaign.json");
    const auto planned_cases = cases_by_id(planned);
    const auto stored_cases = cases_by_id(stored_);
    for (const CaseRecord& each : stored_.cases) {
      const auto known = planned_cases.find(each.planned.id);
      if (known == planned_cases.end())
        add_row(each.planned.id, "is a case of the store that its campaign's folder does not have");
      else if (known->second->planned != each.planned &&
               case_json(known->second->planned) != case_json(each.planned))
        add_row(each.planned.id, "has another plan in the store than in its campaign's folder");
    }
    for (const CaseRecord& each : planned.cases)
      if (!stored_cases.contains(each.planned.id))
        add_lacking(each.planned.id, "is a case of its campaign's folder that the store does not have");
  }

  /// Waivers are judged as of these.
  void compare_times(const CampaignRecord& planned) {
    if (stored_.created_s != planned.created_s)
      add_row(stored_.id, fmt::format("was created at {} in the store and at {} by its campaign.json",
                                      utc_text(stored_.created_s), utc_text(planned.created_s)));
  }

  /// The campaign's end is that of an attempt.
  void compare_end() {
    if (is_external(stored_) || stored_.state != CampaignState::finished || !found_.lacking.empty()) return;
    bool any = false;
    bool is_an_end = false;
    for (const CaseRecord& record : stored_.cases)
      for (const AttemptRecord& attempt : record.attempts) {
        any = any || attempt.finished_s > 0;
        is_an_end = is_an_end || attempt.finished_s == stored_.finished_s;
      }
    if (!any) return;
    if (!is_an_end)
      add_row(stored_.id, fmt::format("ended at {} in the store, when none of its attempts did",
                                      utc_text(stored_.finished_s)));
  }

  static const std::string& case_id(const CaseRecord& record) { return record.planned.id; }
  /// The first case of each id.
  static std::map<std::string_view, const CaseRecord*> cases_by_id(const CampaignRecord& campaign) {
    std::map<std::string_view, const CaseRecord*> all;
    for (const CaseRecord& each : campaign.cases) all.emplace(each.planned.id, &each);
    return all;
  }

  /// An attempt, with what takes time to read, apart from the others'.
  struct AttemptHere {
    const Case* planned = nullptr;
    const AttemptRecord* attempt = nullptr;
    AttemptFiles files;
    bool has_folder = false;
    std::string record;    ///< hash of what is stored
    std::string excerpts;  ///< hash of those that are stored; empty: they are not compared
    /// Of its environment.json; nothing: it has none, or none is compared.
    std::optional<std::vector<EnvironmentRecord>> environment;
  };

  [[nodiscard]] const CollectedAttempt* journaled(const Key& key) const {
    const auto line = journal_.collected.find(key);
    return line == journal_.collected.end() ? nullptr : &line->second;
  }

  void read(AttemptHere& here, bool with_excerpts) {
    const AttemptRecord& attempt = *here.attempt;
    if (!is_one_name(here.planned->id)) return;
    const fs::path folder = AttemptPlace{folder_, here.planned, attempt.index}.folder();
    const CollectedAttempt* line = journaled({here.planned->id, attempt.index});
    const auto files = line != nullptr && !line->files.empty() ? line->files : evidence_files(attempt);
    here.files = compared_files(files, folder, attempt.state == AttemptState::imported, reading_);
    std::error_code code;
    here.has_folder = fs::is_directory(folder, code);
    here.record = record_sha256(attempt);
    if (with_excerpts) here.excerpts = excerpts_sha256(attempt);
    if (hashing_ == Hashing::all && has_environment(attempt))
      if (const auto text = file_content(folder / environment_file))
        here.environment = environment_from_json(*text).records;
  }

  void read_attempts(bool with_excerpts) {
    for (const CaseRecord& record : stored_.cases)
      for (const AttemptRecord& attempt : record.attempts) {
        AttemptHere& here = attempts_.emplace_back();
        here.planned = &record.planned;
        here.attempt = &attempt;
      }
    // Where only a number of bytes may be read, the order says which.
    for_each_index(attempts_.size(), hashing_ == Hashing::all ? usable_cpus() : 1,
                   [&](std::size_t i) { read(attempts_[i], with_excerpts); });
  }

  void compare(AttemptHere& here) {
    const Case& planned = *here.planned;
    const AttemptRecord& attempt = *here.attempt;
    const Key key{planned.id, attempt.index};
    stored_attempts_.insert(key);
    ++found_.comparison.attempts;
    const CollectedAttempt* line = journaled(key);
    if (!is_one_name(planned.id)) return add_row(planned.id, "is no name of a case");
    const bool whole = here.has_folder && here.files.all_here;
    if (!whole)
      found_.comparison.not_here.push_back(AttemptPlace{folder_, &planned, attempt.index}.relative());
    const bool unchanged = here.files.others.empty();
    std::ranges::move(here.files.others, std::back_inserter(found_.files));
    std::ranges::move(here.files.too_long, std::back_inserter(found_.unread));
    const bool hashed = !attempt.stored.record.empty() || journal_has_hashes_;
    if (line == nullptr && has_journal_ && hashed && !(whole && may_lack_line(planned, attempt)))
      return add_row(attempt_name(key), "is in the store, and the campaign's journal does not have it");
    compare_values(here, unchanged);
  }

  /// Whether an attempt whose run directory is here can honestly have no line in the journal: it is of an
  /// older version, which wrote none where it imported; or a crash came between store and journal, and the
  /// next execution records it again. Its directory then proves its values.
  bool may_lack_line(const Case& planned, const AttemptRecord& attempt) const {
    if (attempt.stored.record.empty()) return true;
    return stored_.state != CampaignState::finished && folder_difference(planned, attempt).empty();
  }

  void compare_values(const AttemptHere& here, bool files_unchanged) {
    const Case& planned = *here.planned;
    const AttemptRecord& attempt = *here.attempt;
    const Key key{planned.id, attempt.index};
    const CollectedAttempt* line = journaled(key);
    const RecordHash& wanted =
        line != nullptr && !line->stored.record.empty() ? line->stored : attempt.stored;
    if (wanted.record.empty()) {
      ++found_.comparison.without_hash;
    } else if (here.record != wanted.record) {
      constexpr int most = 3;  // attempts that are read once more, to name a value that differs
      const bool named = files_unchanged && ++named_ <= most;
      const std::string what = named ? folder_difference(planned, attempt) : "";
      add_row(attempt_name(key), fmt::format("is not what was collected: {}",
                                             what.empty() ? "its rows in the store were changed" : what));
    } else if (!here.excerpts.empty() && here.excerpts != wanted.excerpts) {
      add_row(attempt_name(key), "is not what was collected: the store has other excerpts of its files");
    }
  }

  /// The difference between a stored attempt and its run directory; empty: none.
  std::string folder_difference(const Case& planned, const AttemptRecord& attempt) const {
    if (!planned_) return "";
    const auto found = std::ranges::find(planned_->cases, planned.id, case_id);
    if (found == planned_->cases.end()) return "";
    const Case* known = &found->planned;
    if (attempt.state == AttemptState::imported || is_external(*planned_)) {
      const auto runs = imported_runs(folder_);
      if (!runs) return "";
      for (const ImportedRun& run : *runs) {
        if (run.planned.id != planned.id) continue;
        const auto read = collected_import(run, folder_, *planned_);
        return read ? value_difference(attempt, read->attempts.front()) : "";
      }
      return "";
    }
    return value_difference(
        attempt, collected_attempt({folder_, known, attempt.index}, planned_->inventory, planned_->settings));
  }

  const CampaignRecord& stored_;
  fs::path folder_;
  Hashing hashing_;
  FileReader reading_;
  std::string restore_;
  JournalContent journal_;
  bool has_journal_ = true;
  bool journal_has_hashes_ = false;        ///< of any attempt: this version, or a later one, collected it
  std::optional<CampaignRecord> planned_;  ///< as the folder has it; none: it can't be read
  std::vector<AttemptHere> attempts_;      ///< of the store, in its order
  ComparedRecord found_;
  std::set<Key> stored_attempts_;
  int named_ = 0;
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
  return FolderComparison(stored, folder, hashing).run(with_excerpts);
}

}  // namespace shakedown
