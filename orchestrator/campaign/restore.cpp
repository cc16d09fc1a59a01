#include "orchestrator/campaign/restore.hpp"

#include <unistd.h>

#include <algorithm>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/imported_run.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/screens.hpp"
#include "orchestrator/campaign/set_scores.hpp"
#include "orchestrator/core/file.hpp"

namespace shakedown {
namespace {

bool is_done(AttemptState state) {
  return state == AttemptState::finished || state == AttemptState::timed_out;
}

/// Whether an attempt's end is known here and now. The last attempt of a case may still run, or be about to.
bool has_ended(const AttemptPlace& place, int last) {
  if (place.index < last || read_finished(place.folder())) return true;
  const auto started = read_started(place.folder());
  if (!started) return false;
  return started->abandoned || (started->host == host_name() && !is_alive(*started));
}

/// Stores the attempts of a campaign that was run here.
class Restoration {
 public:
  Restoration(CampaignLock& lock, Database& database, const CampaignRecord& campaign, fs::path folder)
      : lock_(lock), database_(database), campaign_(campaign), folder_(std::move(folder)) {}

  /// The number of attempts that were not stored before.
  Result<int> run() {
    if (auto added = database_.add_campaign(campaign_); !added) return pass_on(added);
    if (const auto environment = file_content(folder_ / "environment.json"))
      if (auto stored = database_.add_environment(campaign_.id, environment_from_json(*environment)); !stored)
        return pass_on(stored);
    if (auto put = database_.add_criteria_revisions(campaign_.id, campaign_.criteria_revisions); !put)
      return pass_on(put);
    if (auto put = database_.put_exclusions(campaign_.id, campaign_.exclusions); !put) return pass_on(put);
    bool finished = true;
    for (const CaseRecord& record : campaign_.cases) {
      const auto state = restore(record.planned);
      if (!state) return pass_on(state);
      finished = finished && (is_done(*state) || !record.not_run.empty());
      if (auto put = database_.put_not_run(campaign_.id, record.planned.id, record.not_run); !put)
        return pass_on(put);
    }
    const CampaignState state = finished          ? CampaignState::finished
                                : last_end_s_ > 0 ? CampaignState::interrupted
                                                  : CampaignState::planned;
    if (auto set = database_.set_state(campaign_.id, state, last_end_s_); !set) return pass_on(set);
    return added_;
  }

 private:
  /// How the last attempt of a case ended.
  Result<AttemptState> restore(const Case& planned) {
    const int last = last_attempt(folder_ / planned.id);
    AttemptState state = AttemptState::running;
    for (AttemptPlace place{folder_, &planned, 1}; place.index <= last; ++place.index) {
      std::error_code code;
      if (!fs::exists(place.folder(), code) || !has_ended(place, last)) continue;
      const AttemptRecord attempt =
          collected_attempt(place, campaign_.inventory, screens_.all(), campaign_.settings);
      if (auto kept = lock_.keep(); !kept) return pass_on(kept);
      if (auto kept = database_.keep(); !kept) return pass_on(kept);
      state = attempt.state;
      if (attempt.finished_s > 0) last_end_s_ = attempt.finished_s;
      screens_.remember(planned, attempt);  // rules of later cases refer to it, as they did when it ran
      const auto stored = database_.has_attempt(campaign_.id, planned.id, place.index);
      if (!stored) return pass_on(stored);
      if (*stored) continue;
      if (auto put = database_.put_attempt(campaign_.id, planned.id, attempt); !put) return pass_on(put);
      if (auto put = database_.add_environment(campaign_.id, lasting_environment(place)); !put)
        return pass_on(put);
      ++added_;
    }
    return state;
  }

  CampaignLock& lock_;
  Database& database_;
  const CampaignRecord& campaign_;
  fs::path folder_;
  int added_ = 0;
  double last_end_s_ = 0;
  MeasuredScreens screens_;
};

/// The verdict of a campaign that was reported on.
Result<void> store_verdict(const Workspace& workspace, const std::string& id, const Layout& layout) {
  std::error_code code;
  const fs::path folder = workspace.campaign(id);
  if (!fs::exists(folder / "results.json", code) && !fs::exists(folder / "report.html", code)) return {};
  const auto reported = reported_campaign(workspace, id, layout, folder, {});
  if (!reported) return pass_on(reported);
  return {};
}

/// Copies a campaign's folder into the workspace, whole or not at all.
Result<void> copy_campaign(const fs::path& from, const fs::path& to) {
  if (auto made = make_folder(to.parent_path()); !made) return made;
  const fs::path building = to.parent_path() / fmt::format(".{}.{}", to.filename().string(), ::getpid());
  std::error_code code;
  fs::copy(from, building, fs::copy_options::recursive | fs::copy_options::copy_symlinks, code);
  if (!code) forget_locks(building);
  if (!code) fs::rename(building, to, code);
  if (!code) return sync_folder(to.parent_path());
  std::error_code ignored;
  fs::remove_all(building, ignored);
  return fail_environment(from.string(),
                          fmt::format("cannot be copied to {}: {}", to.string(), code.message()),
                          code == std::errc::no_space_on_device ? "free some space there" : "");
}

bool same_text(const fs::path& a, const fs::path& b) {
  const auto one = file_content(a);
  const auto other = file_content(b);
  return one && other && *one == *other;
}

}  // namespace

Result<int> restored_imports(Database& database, const CampaignRecord& campaign, const fs::path& folder) {
  CampaignRecord bare = campaign;
  bare.cases.clear();
  if (auto added = database.add_campaign(bare); !added) return pass_on(added);
  if (auto put = database.add_criteria_revisions(campaign.id, campaign.criteria_revisions); !put)
    return pass_on(put);
  const auto runs = imported_runs(folder);
  if (!runs) return pass_on(runs);
  const auto stored = database.case_ids(campaign.id);
  if (!stored) return pass_on(stored);
  int added = 0;
  for (const ImportedRun& run : *runs) {
    if (std::find(stored->begin(), stored->end(), run.planned.id) != stored->end()) continue;
    const auto record = collected_import(run, folder);
    if (!record) return pass_on(record);
    if (auto put = database.add_case(campaign.id, *record); !put) return pass_on(put);
    ++added;
  }
  return added;
}

Result<Restored> restored_campaign(const Workspace& workspace, const std::string& id, const Layout& layout) {
  const fs::path folder = workspace.campaign(id);
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return pass_on(campaign);
  auto lock = CampaignLock::take(folder);
  if (!lock) return pass_on(lock);
  auto database = Database::open(workspace.database());
  if (!database) return pass_on(database);
  const auto added = is_external(*campaign) ? restored_imports(*database, *campaign, folder)
                                            : Restoration(*lock, *database, *campaign, folder).run();
  if (!added) return pass_on(added);
  if (auto stored = store_declarations(workspace, *database); !stored) return pass_on(stored);
  if (*added > 0) {
    if (auto scored = store_set_scores(*database, id); !scored) return pass_on(scored);
    {
      const Database closed = *std::move(database);
    }  // the verdict's may be the one that has the store alone
    if (auto judged = store_verdict(workspace, id, layout); !judged) return pass_on(judged);
  }
  return Restored{id, false, static_cast<int>(campaign->cases.size()), *added};
}

Result<Restored> adopted_campaign(const Workspace& workspace, const fs::path& folder, const Layout& layout) {
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return pass_on(campaign);
  const std::string& id = campaign->id;
  if (!is_campaign_name(id))
    return fail((folder / "campaign.json").string(), fmt::format("'{}' is no name of a campaign", id));
  const fs::path here = workspace.campaign(id);
  std::error_code code;
  bool copied = false;
  if (!fs::exists(here, code)) {
    if (auto copy = copy_campaign(folder, here); !copy) return pass_on(copy);
    copied = true;
  } else if (!fs::equivalent(folder, here, code) &&
             !same_text(folder / "campaign.json", here / "campaign.json")) {
    return fail(folder.string(), fmt::format("the workspace has another campaign called {}", id),
                "give it another workspace with -w DIR");
  }
  const Workspace theirs{fs::absolute(folder, code).lexically_normal().parent_path().parent_path()};
  if (!fs::equivalent(theirs.folder, workspace.folder, code))
    if (auto adopted = adopt_declarations(workspace, theirs, *campaign); !adopted) return pass_on(adopted);
  auto restored = restored_campaign(workspace, id, layout);
  if (restored) restored->copied = copied;
  return restored;
}

}  // namespace shakedown
