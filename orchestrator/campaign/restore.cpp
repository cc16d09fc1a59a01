#include "orchestrator/campaign/restore.hpp"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/campaign/campaign_list.hpp"
#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/file_comparison.hpp"
#include "orchestrator/campaign/imported_run.hpp"
#include "orchestrator/campaign/lasting_environment.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/record_comparison.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

/// Whether an attempt's end is known here and now. The last attempt of a case may still run, or be about to,
/// unless the journal has it as collected.
bool has_ended(const AttemptPlace& place, int last, const Journal& journal) {
  if (place.index < last || read_finished(place.folder())) return true;
  if (journal.collected(place.planned->id, place.index) != nullptr) return true;
  const auto started = read_started(place.folder());
  if (!started) return false;
  const StartedWhere where = started_where(*started);
  return started->abandoned || where == StartedWhere::rebooted ||
         (where == StartedWhere::here && !is_alive(*started));
}

/// Takes out of the store a campaign that differs there from its folder. Fails where files of the folder are
/// others than they were, or are not here: what can't be stored again stays.
Result<void> clear_differing(Database& database, const std::string& id, const JournalContent& journal,
                             const fs::path& folder) {
  if (const auto changed = changed_files(journal, folder); !changed.empty())
    return tl::unexpected<Error>(changed.front());
  auto stored = database.campaign(id);
  if (!stored) return {};  // not there yet, or not even readable
  const auto compared = compared_record(*stored, folder, Hashing::all, /*with_excerpts=*/true);
  if (!compared) return failure_of(compared);
  if (!compared->files.empty()) return tl::unexpected<Error>(compared->files.front());
  if (compared->rows.empty()) return {};
  if (const auto& missing = compared->comparison.not_here; !missing.empty())
    return fail_environment((folder / missing.front()).string(),
                            fmt::format("is incomplete, and the store differs from what was collected: {} {}",
                                        compared->rows.front().where, compared->rows.front().what),
                            "put the run directory back, then give the same command again");
  return database.remove_campaign(id);
}

/// Stores the attempts of a campaign that was run here.
class Restoration {
 public:
  Restoration(CampaignLock& lock, Database& database, Journal& journal, const CampaignRecord& campaign,
              fs::path folder)
      : lock_(lock),
        database_(database),
        journal_(journal),
        campaign_(campaign),
        folder_(std::move(folder)) {}

  /// The number of attempts that were not stored before.
  Result<int> run() {
    if (auto added = database_.add_campaign(campaign_); !added) return failure_of(added);
    if (const auto environment = file_content(folder_ / environment_file); environment && !has_environments())
      if (auto stored = database_.add_environment(campaign_.id, environment_from_json(*environment).records);
          !stored)
        return failure_of(stored);
    if (auto put = database_.add_criteria_revisions(campaign_.id, campaign_.criteria_revisions); !put)
      return failure_of(put);
    if (auto put = database_.record_exclusions(campaign_.id, campaign_.exclusions); !put)
      return failure_of(put);
    bool finished = true;
    for (const CaseRecord& record : campaign_.cases) {
      const auto state = restore(record.planned);
      if (!state) return failure_of(state);
      finished = finished && (is_done(*state) || !record.not_run.empty());
      if (auto put = database_.record_not_run(campaign_.id, record.planned.id, record.not_run); !put)
        return failure_of(put);
    }
    const CampaignState state = finished          ? CampaignState::finished
                                : last_end_s_ > 0 ? CampaignState::interrupted
                                                  : CampaignState::planned;
    if (auto set = database_.set_state(campaign_.id, state, last_end_s_); !set) return failure_of(set);
    return added_;
  }

 private:
  /// Whether attempts have their nodes' environment, as older versions' have not. A file of the campaign that
  /// no line of the journal binds says nothing beside these.
  [[nodiscard]] bool has_environments() const {
    std::error_code code;
    return std::ranges::any_of(campaign_.cases, [&](const CaseRecord& record) {
      return std::ranges::any_of(attempts_in(folder_ / record.planned.id), [&](int attempt) {
        return fs::exists(AttemptPlace{folder_, &record.planned, attempt}.folder() / environment_file, code);
      });
    });
  }

  /// How the last attempt of a case ended.
  Result<AttemptState> restore(const Case& planned) {
    const std::vector<int> attempts = attempts_in(folder_ / planned.id);
    AttemptState state = AttemptState::running;
    for (const int attempt_index : attempts) {
      const AttemptPlace place{folder_, &planned, attempt_index};
      if (!has_ended(place, attempts.back(), journal_)) continue;
      const CollectedAttempt* known = journal_.collected(planned.id, place.index);
      if (known != nullptr && known->is_done() && !read_finished(place.folder())) {
        state = known->state.value_or(AttemptState::finished);  // its files vanished: `resume` names them
        continue;
      }
      const AttemptRecord attempt = collected_attempt(place, campaign_.inventory, campaign_.settings);
      if (auto renewed = lock_.renew(); !renewed) return failure_of(renewed);
      if (auto renewed = database_.renew_lock(); !renewed) return failure_of(renewed);
      state = attempt.state;
      last_end_s_ = std::max(last_end_s_, attempt.finished_s);
      const auto hash = database_.stored_hash(campaign_.id, planned.id, place.index);
      if (!hash) return failure_of(hash);
      const std::optional<RecordHash>& stored = *hash;
      const bool ended_later = known != nullptr && known->state && is_without_end(*known->state) &&
                               !is_without_end(attempt.state);  // it ran on after it was given up
      // Without a hash it is of an older version, which journaled none.
      const bool has_line = known != nullptr || (stored && stored->record.empty());
      if (stored && has_line && !ended_later) continue;
      if (auto put = database_.add_environment(campaign_.id, lasting_environment(place)); !put)
        return failure_of(put);
      if (auto put = database_.record_attempt(campaign_.id, planned.id, attempt); !put)
        return failure_of(put);
      if (auto noted = journal_stored(journal_, database_, campaign_.id, planned, attempt, folder_); !noted)
        return failure_of(noted);
      added_ += stored && !ended_later ? 0 : 1;
    }
    return state;
  }

  CampaignLock& lock_;
  Database& database_;
  Journal& journal_;
  const CampaignRecord& campaign_;
  fs::path folder_;
  int added_ = 0;
  double last_end_s_ = 0;
};

/// The verdict of a campaign that was reported on.
Result<void> store_verdict(const Workspace& workspace, const std::string& id, const Layout& layout) {
  std::error_code code;
  const fs::path folder = workspace.campaign(id);
  if (!fs::exists(folder / "results.json", code) && !fs::exists(folder / "report.html", code)) return {};
  const auto reported = reported_campaign(workspace, id, layout, folder, {});
  if (!reported) return failure_of(reported);
  return {};
}

/// Copies one entry of a campaign's folder; lists in `left_out` what it does not copy.
Result<void> copy_entry(const fs::directory_entry& entry, const fs::path& to, const fs::path& top,
                        std::vector<Error>& left_out) {
  std::error_code code;
  const fs::path& from = entry.path();
  const auto leave = [&](std::string what) -> Result<void> {
    left_out.push_back({from.string(), std::move(what), "", Fault::input});
    return {};
  };
  if (from == top / secrets_file) return {};  // its owner's alone: `resume` provides them again
  if (entry.is_symlink(code) && (leads_out(from, top) || entry.is_directory(code)))
    return leave("is a link that leads out of the folder, to a folder, or to nothing: it is not followed");
  if (entry.is_directory(code)) {
    fs::create_directory(to, code);
  } else if (const std::string_view kind = special_file(from); !kind.empty()) {
    return leave(fmt::format("is {}: only regular files are imported", kind));
  } else if (const std::uintmax_t bytes = entry.file_size(code); !code && bytes > largest_imported_file) {
    return leave(fmt::format("has {}: files of at most {} are imported",
                             bytes_text(static_cast<double>(bytes)),
                             bytes_text(static_cast<double>(largest_imported_file))));
  } else {
    // Of a link the bytes that it leads to: its text may lead elsewhere from the new place.
    const fs::path file = fs::canonical(from, code);
    if (!code) fs::copy_file(file, to, code);
    // Of an archive that can only be read: the copy is worked on.
    if (!code) fs::permissions(to, fs::perms::owner_write, fs::perm_options::add, code);
  }
  if (code) return fail_environment(to.string(), fmt::format("cannot be made: {}", code.message()));
  return {};
}

Result<void> copy_tree(const fs::path& from, const fs::path& to, std::vector<Error>& left_out) {
  if (auto made = make_private_folder(to); !made) return made;
  std::error_code code;
  auto it = fs::recursive_directory_iterator(from, code);
  for (; !code && it != fs::recursive_directory_iterator(); it.increment(code))
    if (auto copied = copy_entry(*it, to / it->path().lexically_relative(from), from, left_out); !copied)
      return copied;
  if (code) return fail_environment(from.string(), fmt::format("cannot be read: {}", code.message()));
  return {};
}

/// Notes of a campaign that was copied that what would choose commands here is not read: whoever wrote
/// campaign.json would choose those that are executed. The file itself stays as the commitment binds it.
Result<void> distrust_template(const fs::path& building, const fs::path& from, std::vector<Error>& left_out) {
  const auto text = file_content(building / "campaign.json");
  if (!text) return failure_of(text);
  const auto document = json_or_discarded<nlohmann::json>(*text);
  const bool is_path = document.is_object() && document.contains("scheduler") &&
                       document["scheduler"].is_string() &&
                       document["scheduler"].get_ref<const std::string&>().ends_with(".toml");
  if (!is_path) return {};
  left_out.push_back({(from / "campaign.json").string(),
                      "names a file that describes its batch system: it is not asked here", "",
                      Fault::input});
  return write_file(building / copied_file, "{\"schema\":\"shakedown.copied/1\"}\n");
}

/// Copies a campaign's folder into the workspace, whole or not at all.
Result<void> copy_campaign(const fs::path& from, const fs::path& to, std::vector<Error>& left_out) {
  if (auto made = make_private_folder(to.parent_path()); !made) return made;
  const fs::path building = to.parent_path() / fmt::format(".{}.{}", to.filename().string(), ::getpid());
  std::error_code code;
  auto copied = copy_tree(from, building, left_out);
  if (copied) copied = distrust_template(building, from, left_out);
  if (copied) forget_locks(building);
  if (copied) fs::permissions(building, fs::perms::others_all, fs::perm_options::remove, code);
  if (copied && !code) fs::rename(building, to, code);
  if (copied && !code) return sync_folder(to.parent_path());
  std::error_code ignored;
  fs::remove_all(building, ignored);
  return copied ? fail_environment(to.string(), fmt::format("cannot be created: {}", code.message()))
                : copied;
}

/// What describes a campaign must lie in its folder: it is read before it is copied.
Result<void> described_within(const fs::path& folder) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(folder, code))
    if (leads_out(entry.path(), folder) && entry.path().has_extension())
      return fail(entry.path().string(),
                  "is a link that leads out of the campaign's folder, or to nothing: it is not followed",
                  "put the file itself there");
  return {};
}

/// What shakedown writes in a run directory is no link: one that was planted is read, and quoted, from
/// elsewhere.
Result<void> written_within(const fs::path& folder) {
  std::error_code code;
  auto it = fs::recursive_directory_iterator(folder, code);
  for (; !code && it != fs::recursive_directory_iterator(); it.increment(code)) {
    const std::string name = it->path().filename().string();
    std::error_code vanished;
    if (it->is_symlink(vanished) && !name.starts_with('.') && !wrong_input_file(name).empty() &&
        leads_out(it->path(), folder))
      return fail(it->path().string(),
                  "is a link that leads out of the campaign's folder, or to nothing: it is not followed",
                  "put the file itself there");
  }
  return {};
}

bool same_campaign(const fs::path& a, const fs::path& b) {
  const auto one = file_content(a);
  const auto other = file_content(b);
  return one && other && *one == *other;
}

}  // namespace

Result<void> journal_stored(Journal& journal, const Database& database, const std::string& campaign,
                            const Case& planned, const AttemptRecord& attempt, const fs::path& folder) {
  const auto stored = journaled_attempt(database, campaign, planned, attempt, folder);
  if (!stored) return failure_of(stored);
  const CollectedAttempt* known = journal.collected(planned.id, attempt.index);
  if (known != nullptr && known->stored == stored->stored) return {};
  return journal.collected(*stored);
}

Result<int> restored_imports(Database& database, Journal& journal, const CampaignRecord& campaign,
                             const fs::path& folder) {
  CampaignRecord bare = campaign;
  bare.cases.clear();
  if (auto added = database.add_campaign(bare); !added) return failure_of(added);
  if (auto put = database.add_criteria_revisions(campaign.id, campaign.criteria_revisions); !put)
    return failure_of(put);
  const auto runs = imported_runs(folder);
  if (!runs) return failure_of(runs);
  const auto stored = database.case_ids(campaign.id);
  if (!stored) return failure_of(stored);
  int added = 0;
  for (const ImportedRun& run : *runs) {
    const bool there = std::find(stored->begin(), stored->end(), run.planned.id) != stored->end();
    if (there) {
      if (journal.collected(run.planned.id, 1) != nullptr) continue;
      const auto hash = database.stored_hash(campaign.id, run.planned.id, 1);
      if (!hash) return failure_of(hash);
      const std::optional<RecordHash>& known = *hash;
      if (!known || known->record.empty()) continue;  // of an older version
    }
    const auto record = collected_import(run, folder, campaign);
    if (!record) return failure_of(record);
    const AttemptRecord& attempt = record->attempts.front();
    if (auto put = there ? database.record_attempt(campaign.id, run.planned.id, attempt)
                         : database.add_case(campaign.id, *record);
        !put)
      return failure_of(put);
    if (auto noted = journal_stored(journal, database, campaign.id, run.planned, attempt, folder); !noted)
      return failure_of(noted);
    added += there ? 0 : 1;
  }
  return added;
}

Result<Restored> restored_campaign(const Workspace& workspace, const std::string& id, const Layout& layout) {
  const fs::path folder = workspace.campaign(id);
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  auto lock = CampaignLock::take(folder);
  if (!lock) return failure_of(lock);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  auto database = Database::open(workspace.database());
  if (!database) return failure_of(database);
  if (auto cleared = clear_differing(*database, id, journal->content(), folder); !cleared)
    return failure_of(cleared);
  const auto added = is_external(*campaign)
                         ? restored_imports(*database, *journal, *campaign, folder)
                         : Restoration(*lock, *database, *journal, *campaign, folder).run();
  if (!added) return failure_of(added);
  if (auto stored = store_declarations(workspace, *database); !stored) return failure_of(stored);
  if (*added > 0) {
    if (auto scored = store_set_scores(*database, id); !scored) return failure_of(scored);
    {
      const Database closed = *std::move(database);
    }  // the verdict's may be the one that has the store alone
    if (auto judged = store_verdict(workspace, id, layout); !judged) return failure_of(judged);
  }
  return Restored{id, false, static_cast<int>(campaign->cases.size()), *added};
}

Result<Restored> adopted_campaign(const Workspace& workspace, const fs::path& folder, const Layout& layout) {
  if (auto within = described_within(folder); !within) return failure_of(within);
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  const std::string& id = campaign->id;
  if (!is_campaign_name(id))
    return fail((folder / "campaign.json").string(), fmt::format("'{}' is no name of a campaign", id));
  const fs::path here = workspace.campaign(id);
  std::error_code code;
  bool copied = false;
  std::vector<Error> left_out;
  if (!fs::exists(here, code)) {
    if (auto copy = copy_campaign(folder, here, left_out); !copy) return failure_of(copy);
    copied = true;
  } else if (!fs::equivalent(folder, here, code) &&
             !same_campaign(folder / "campaign.json", here / "campaign.json")) {
    return fail(folder.string(), fmt::format("the workspace has another campaign called {}", id),
                "give it another workspace with -w DIR");
  }
  if (!copied)
    if (auto within = written_within(here); !within) return failure_of(within);
  const Workspace theirs{fs::absolute(folder, code).lexically_normal().parent_path().parent_path()};
  if (!fs::equivalent(theirs.folder, workspace.folder, code))
    if (auto listed = import_campaign_list(workspace, theirs, campaign->system); !listed)
      return failure_of(listed);
  if (!fs::equivalent(theirs.folder, workspace.folder, code))
    if (auto adopted = import_declarations(workspace, theirs, *campaign); !adopted)
      return failure_of(adopted);
  auto restored = restored_campaign(workspace, id, layout);
  if (restored) restored->copied = copied;
  if (restored) restored->left_out = std::move(left_out);
  return restored;
}

}  // namespace shakedown
