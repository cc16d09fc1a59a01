#include "orchestrator/campaign/import.hpp"

#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "orchestrator/campaign/imported_run.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/campaign/restore.hpp"
#include "orchestrator/campaign/run_files.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/run_file.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {
namespace {

constexpr std::string_view system_not_named = "System not named";

bool is_campaign_folder(const fs::path& path) {
  std::error_code code;
  return fs::is_regular_file(path / "campaign.json", code);
}

/// `text` with everything but letters, digits, '.', '_' and '-' replaced, and without those at its beginning
/// that a name can't begin with.
std::string plain_name(std::string_view text) {
  std::string name;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    const bool letter = byte < 0x80 && std::isalnum(byte) != 0;
    if (name.empty() && !letter) continue;
    name += letter || c == '.' || c == '_' || c == '-' ? c : '-';
  }
  return name;
}

/// The name of a path's last component; "logs" where it has none.
std::string component_name(const fs::path& path) {
  fs::path whole = fs::absolute(path).lexically_normal();
  if (!whole.has_filename()) whole = whole.parent_path();
  const std::string name = plain_name(whole.filename().string()).substr(0, 80);
  return name.empty() ? "logs" : name;
}

/// The deepest folder that holds all of the paths.
fs::path common_folder(const std::vector<fs::path>& paths) {
  fs::path common = fs::absolute(paths.front()).lexically_normal().parent_path();
  for (const fs::path& path : paths) {
    const fs::path whole = fs::absolute(path).lexically_normal();
    while (common.has_relative_path() && whole.lexically_relative(common).native().starts_with(".."))
      common = common.parent_path();
  }
  return common;
}

std::string default_name(const std::vector<fs::path>& paths) {
  std::error_code code;
  if (paths.size() > 1) return component_name(common_folder(paths));
  if (fs::is_directory(paths.front(), code)) return component_name(paths.front());
  return component_name(paths.front().parent_path() / paths.front().stem());
}

/// A log's name in an attempt's folder: its own, but that it is neither hidden nor one that run directories
/// reserve.
std::string copy_name(const fs::path& source) {
  std::string name = source.filename().string();
  if (name.starts_with('.') || name.starts_with("by-hand-")) name = "log-" + name;
  if (name.ends_with(".tmp")) name += ".log";
  return name;
}

/// One import into one campaign, whose lock it holds.
class Import {
 public:
  Import(const CampaignRecord& campaign, RunStatement stated, fs::path folder, Database& database,
         Journal& journal, Imported& outcome)
      : campaign_(campaign),
        stated_(std::move(stated)),
        folder_(std::move(folder)),
        database_(database),
        journal_(journal),
        outcome_(outcome) {}

  /// Completes or removes the traces of an import that was killed.
  Result<void> tidy() {
    std::error_code code;
    std::vector<fs::path> unfinished;
    for (const auto& entry : fs::directory_iterator(folder_, code))
      if (entry.path().filename().string().starts_with('.')) unfinished.push_back(entry.path());
    for (const fs::path& path : unfinished) fs::remove_all(path, code);
    const auto restored = restored_imports(database_, journal_, campaign_, folder_);
    if (!restored) return failure_of(restored);
    outcome_.restored = *restored;
    const auto runs = imported_runs(folder_);
    if (!runs) return failure_of(runs);
    for (ImportedRun run : *runs) {
      for (ImportedFile& file : run.files)
        if (file.text_hash.empty())
          file.text_hash =
              text_hash_of(folder_ / run.planned.id / "attempt-1" / file.name).value_or(file.sha256);
      known_.emplace(run.key(), run.planned);
      next_ = std::max(next_, run.number + 1);
    }
    return {};
  }

  /// Stores a run, unless its content is there: null then. If it can't be stored, it fails, and nothing of
  /// the run remains.
  Result<const ImportedCase*> store(const FoundRun& found) {
    ImportedRun run;
    run.number = next_;
    for (const std::string& file : found.files) {
      auto hash = sha256_of_file(file);
      if (!hash) return failure_of(hash);
      auto text_hash = text_hash_of(file);
      if (!text_hash) return failure_of(text_hash);
      run.files.push_back({copy_name(file), fs::absolute(file).lexically_normal().string(), std::move(*hash),
                           std::move(*text_hash)});
    }
    run.planned.suite = found.suite;
    if (const auto known = known_.find(run.key()); known != known_.end()) {
      Case again = known->second;
      if (auto fits = add_statement(again, stated_, stated_inventory(campaign_)); !fits)
        return failure_of(fits);
      if (again != known->second)
        return fail(found.file,
                    fmt::format("is in campaign {} already, without what is stated now", campaign_.id),
                    "import it under another name: --campaign NAME");
      ++outcome_.known;
      return nullptr;
    }
    run.planned.implementation = found.implementation;
    run.planned.benchmark = found.benchmark;
    run.planned.parser = found.grammar;
    run.planned.result_file = copy_name(found.file);
    run.planned.origin = fs::absolute(found.file).lexically_normal().string();
    run.planned.id = free_id(found);
    const fs::path building = folder_ / fmt::format(".{}.{}", run.planned.id, ::getpid());
    auto stored = stored_in(building, std::move(run));
    std::error_code ignored;
    fs::remove_all(building, ignored);
    if (!stored) return failure_of(stored);
    outcome_.added.push_back(std::move(*stored));
    return &outcome_.added.back();
  }

 private:
  /// "hpl-nvidia-HPL" after suite, implementation and file; with the names of folders above the file, then a
  /// number, until no other case has it.
  [[nodiscard]] std::string free_id(const FoundRun& found) const {
    std::string begin = plain_name(found.suite);
    for (const std::string& part : {found.implementation, found.benchmark})
      if (const std::string name = plain_name(part).substr(0, 40); !name.empty()) begin += "-" + name;
    const fs::path file = fs::absolute(found.file).lexically_normal();
    std::string tail = plain_name(file.stem().string()).substr(0, 60);
    std::error_code code;
    const auto is_free = [&](const std::string& id) { return !fs::exists(folder_ / id, code); };
    std::string id = tail.empty() ? begin : begin + "-" + tail;
    fs::path above = file.parent_path();
    for (int level = 0; level < 2 && !is_free(id) && above.has_relative_path(); ++level) {
      tail = fmt::format("{}-{}", plain_name(above.filename().string()).substr(0, 40), tail);
      id = fmt::format("{}-{}", begin, tail);
      above = above.parent_path();
    }
    const std::string whole = id;
    for (int number = 2; !is_free(id); ++number) id = fmt::format("{}-{}", whole, number);
    return id;
  }

  /// Copies the logs, reads the copies, and puts folder and rows in place: the folder first, which is the
  /// truth.
  Result<ImportedCase> stored_in(const fs::path& building, ImportedRun run) {
    const fs::path attempt = building / "attempt-1";
    if (auto made = make_private_folder(attempt); !made) return failure_of(made);
    for (const ImportedFile& file : run.files) {
      if (auto copied = shakedown::copy_file(file.source, attempt / file.name); !copied)
        return failure_of(copied);
    }
    std::vector<FileRecord> files = run_files(attempt);
    for (const ImportedFile& file : run.files) {
      const auto copy = std::ranges::find(files, file.name, &FileRecord::name);
      if (copy == files.end() || copy->sha256 != file.sha256)
        return fail_environment(file.source, "changed while it was being copied",
                                "import it again when nothing writes to it any more");
    }
    auto results = results_made_elsewhere(run, attempt, stated_.conditions, stated_inventory(campaign_));
    if (!results) return failure_of(results);
    describe(run.planned, *results);
    if (auto added = add_statement(run.planned, stated_, stated_inventory(campaign_)); !added)
      return failure_of(added);
    if (auto written = write_file(building / imported_file, imported_json(run), Durability::power_loss);
        !written)
      return failure_of(written);
    if (auto synced = sync_folder(attempt); !synced) return failure_of(synced);
    const fs::path place = folder_ / run.planned.id;
    std::error_code code;
    fs::rename(building, place, code);
    if (code) return fail_environment(place.string(), fmt::format("cannot be created: {}", code.message()));
    if (auto synced = sync_folder(folder_); !synced) return failure_of(synced);
    known_.emplace(run.key(), run.planned);
    next_ = run.number + 1;
    const CaseRecord record = imported_case(run, std::move(*results), std::move(files));
    if (auto put = database_.add_case(campaign_.id, record); !put) return failure_of(put);
    if (auto noted =
            journal_stored(journal_, database_, campaign_.id, run.planned, record.attempts.front(), folder_);
        !noted)
      return failure_of(noted);
    return reported(record);
  }

  static ImportedCase reported(const CaseRecord& record) {
    ImportedCase added{record.planned.id, record.planned.origin, record.planned.suite, {}, {}};
    for (const ResultRecord& result : record.attempts.front().results) {
      added.validity.push_back(result.validity);
      if (!added.metric && !result.parsed.metrics.empty()) added.metric = result.parsed.metrics.front();
    }
    return added;
  }

  const CampaignRecord& campaign_;
  RunStatement stated_;
  fs::path folder_;
  Database& database_;
  Journal& journal_;
  Imported& outcome_;
  std::map<std::string, Case> known_;  ///< by key
  int next_ = 0;
};

Result<CampaignLock> lock_of(const fs::path& folder, const ImportListener& listener) {
  constexpr int most_unheld = 5;  // the holder may have released it between the two questions
  bool reported = false;
  for (int unheld = 0;;) {
    auto lock = CampaignLock::take(folder);
    if (lock || Interrupts::count() > 0) return lock;
    const Holder holder = campaign_holder(folder);
    unheld = holder.pid == 0 ? unheld + 1 : 0;
    if (unheld > most_unheld) return lock;  // not for being held
    if (holder.pid != 0 && !std::exchange(reported, true) && listener.waiting) listener.waiting(holder);
    ::usleep(100'000);
  }
}

/// A name of its own for what came from `source`: that of the campaign that has its logs, else a free one.
std::string campaign_for(const Workspace& workspace, const std::string& name, const std::string& source) {
  std::error_code code;
  for (int number = 1;; ++number) {
    std::string id = number == 1 ? name : fmt::format("{}-{}", name, number);
    if (!fs::exists(workspace.campaign(id), code)) return id;
    const auto there = read_campaign_folder(workspace.campaign(id));
    if (there && is_external(*there) && there->source == source) return id;
  }
}

/// The campaign that is meant, as it is on disk after this.
Result<CampaignRecord> made_campaign(const Workspace& workspace, const ImportRequest& request,
                                     Imported& outcome) {
  const std::string source =
      fs::absolute(request.paths.size() == 1 ? request.paths.front() : common_folder(request.paths))
          .lexically_normal()
          .string();
  CampaignRecord campaign;
  campaign.id = request.campaign.empty() ? campaign_for(workspace, default_name(request.paths), source)
                                         : request.campaign;
  campaign.source = source;
  campaign.kind = "external";
  campaign.system = !request.system.empty()                                   ? request.system
                    : request.inventory && !request.inventory->system.empty() ? request.inventory->system
                                                                              : std::string(system_not_named);
  campaign.note = request.note;
  campaign.created_s = now_s();
  campaign.tool_version = request.tool_version;
  campaign.baseline_name = request.baseline;
  if (request.inventory) campaign.inventory = *request.inventory;
  std::error_code code;
  outcome.created = !fs::exists(workspace.campaign(campaign.id), code);
  if (!outcome.created)
    if (const auto known = read_campaign_folder(workspace.campaign(campaign.id))) {
      campaign.system = request.system.empty() ? known->system : request.system;
      campaign.created_s = known->created_s;
    }
  if (request.criteria) {
    auto criteria = request.criteria(campaign.system, campaign.created_s);
    if (!criteria) return failure_of(criteria);
    campaign.criteria_name = std::move(criteria->name);
    campaign.criteria_text = std::move(criteria->text);
  }
  if (auto made = create_external_folder(workspace, campaign); !made) return failure_of(made);
  auto there = read_campaign_folder(workspace.campaign(campaign.id));
  if (!there) return there;
  const std::string another = "choose another name with --campaign NAME";
  if (!is_external(*there))
    return fail(campaign.id, "is a campaign that was run here: logs made elsewhere do not belong in it",
                another);
  if (!request.system.empty() && there->system != request.system)
    return fail(campaign.id, fmt::format("holds logs of '{}', not of '{}'", there->system, request.system),
                another);
  if (request.inventory && inventory_json(there->inventory) != inventory_json(*request.inventory))
    return fail(campaign.id,
                there->inventory.groups.empty() ? "has logs without an inventory"
                                                : "has another inventory: " + there->inventory.source,
                another);
  if (!request.note.empty() && there->note != request.note)
    return fail(campaign.id, fmt::format("has another note already: '{}'", there->note),
                "leave --note out, or " + another);
  if (const CriteriaRevision judging = judging_criteria(*there);
      !campaign.criteria_text.empty() && judging.text != campaign.criteria_text)
    return fail(
        campaign.id,
        fmt::format("is judged by other criteria already: {}", judging.name.empty() ? "none" : judging.name),
        fmt::format(
            "leave --criteria out; `{}` opens a revision of them; or {}",
            command_for(fmt::format("report {} --criteria F --reason TEXT", campaign.id), workspace.folder),
            another));
  return there;
}

}  // namespace

std::vector<fs::path> campaign_folders(const fs::path& path) {
  if (is_campaign_folder(path)) return {path};
  for (const fs::path& parent : {path / "campaigns", path}) {
    std::vector<fs::path> found;
    std::error_code code;
    auto it = fs::directory_iterator(parent, code);
    for (; !code && it != fs::directory_iterator(); it.increment(code))
      if (!it->path().filename().string().starts_with('.') && is_campaign_folder(it->path()))
        found.push_back(it->path());
    std::sort(found.begin(), found.end());
    if (!found.empty()) return found;
  }
  return {};
}

Result<Imported> import_logs(const Workspace& workspace, const ImportRequest& request,
                             const ImportListener& listener) {
  const Interrupts interrupts;
  Imported outcome;
  FoundRuns found = found_runs(request.paths, [] { return Interrupts::count() > 0; });
  outcome.no_logs = static_cast<int>(found.left_out.size());
  outcome.left_out = std::move(found.left_out);
  outcome.refused = std::move(found.refused);
  outcome.failures = std::move(found.failures);
  for (Error& error : outcome.failures) error.fault = Fault::input;  // of what was given, not of the store
  if (found.stopped) outcome.signal = Interrupts::last_signal();
  if (found.runs.empty() || found.stopped) return outcome;

  auto database = Database::open(workspace.database());
  if (!database) return failure_of(database);
  const auto campaign = made_campaign(workspace, request, outcome);
  if (!campaign) return failure_of(campaign);
  outcome.campaign = campaign->id;
  const fs::path folder = workspace.campaign(campaign->id);
  auto lock = lock_of(folder, listener);
  if (!lock) return failure_of(lock);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  Import import(*campaign, request.stated, folder, *database, *journal, outcome);
  if (auto tidy = import.tidy(); !tidy) return failure_of(tidy);
  for (const FoundRun& run : found.runs) {
    if (Interrupts::count() > 0) {
      outcome.signal = Interrupts::last_signal();
      break;
    }
    if (auto renewed = lock->renew(); !renewed) return failure_of(renewed);
    if (auto renewed = database->renew_lock(); !renewed) return failure_of(renewed);
    const auto stored = import.store(run);
    if (!stored) {
      outcome.failures.push_back(stored.error());
      if (stored.error().fault == Fault::environment) break;  // the next would meet the same full disk
    } else if (*stored != nullptr && listener.added) {
      listener.added(**stored);
    }
  }
  if (!outcome.added.empty() || outcome.restored > 0)
    if (auto scored = store_set_scores(*database, campaign->id); !scored)
      outcome.failures.push_back(scored.error());
  if (auto record = database->campaign(campaign->id))
    outcome.machines = several_machines(MeasuredCampaign(*std::move(record)));
  return outcome;
}

}  // namespace shakedown
