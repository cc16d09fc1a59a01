#include "orchestrator/campaign/workspace.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>
#include <cerrno>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/campaign/campaign_list.hpp"
#include "orchestrator/campaign/commitment.hpp"
#include "orchestrator/campaign/imported_run.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/core/claim.hpp"
#include "orchestrator/core/document_limits.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/parallel.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/regression.hpp"
#include "reports/compare/baseline.hpp"

namespace shakedown {
namespace {

std::string campaign_json(const CampaignRecord& campaign) {
  nlohmann::ordered_json document;
  document["schema"] = "shakedown.campaign/1";
  document["id"] = campaign.id;
  document["kind"] = campaign.kind;
  document["created_s"] = campaign.created_s;
  document["tool_version"] = campaign.tool_version;
  document["criteria_name"] = campaign.criteria_name;
  document["baseline"] = campaign.baseline_name;
  document["warnings"] = campaign.warnings;
  document["scheduler"] = campaign.scheduler;
  if (!campaign.planned_by.empty())
    document["planned_by"] = json_or_discarded<nlohmann::ordered_json>(campaign.planned_by);
  if (is_external(campaign)) {  // nothing else records these
    document["system"] = campaign.system;
    document["note"] = campaign.note;
    document["source"] = campaign.source;
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

const char* config_file(const CampaignRecord& campaign) {
  return campaign.kind == regression_kind ? "regression.toml" : "acceptance.toml";
}
constexpr const char* lock_file = "lock";
constexpr std::string_view another_workspace = "choose another workspace with -w DIR";

/// The workspace that a campaign's folder lies in.
fs::path workspace_of(const fs::path& campaign_folder) {
  return campaign_folder.parent_path().parent_path();
}

/// `2026-11-21T18-05-09Z-node1`: sorts by time, and is a file name everywhere.
std::string campaign_name(double created_s) {
  const std::string host = host_name();
  std::string name = utc_text(created_s) + "-" + std::string(split(host, '.').front());
  std::replace(name.begin(), name.end(), ':', '-');
  return name;
}

/// What a campaign sorts by: the time in its name, or in campaign.json where it was given another name.
std::string time_key(const fs::path& folder) {
  std::string name = folder.filename().string();
  constexpr std::string_view shape = "dddd-dd-ddTdd-dd-ddZ";
  const bool timed = name.size() > shape.size() &&
                     std::equal(shape.begin(), shape.end(), name.begin(), [](char wanted, char c) {
                       return wanted == 'd' ? c >= '0' && c <= '9' : c == wanted;
                     });
  if (timed) return name;
  const auto header = file_content(folder / "campaign.json");
  const auto document = json_or_discarded<nlohmann::json>(header ? *header : "");
  const bool known =
      document.is_object() && document.contains("created_s") && document["created_s"].is_number();
  std::string key = utc_text(known ? document["created_s"].get<double>() : 0) + "-" + name;
  std::replace(key.begin(), key.end(), ':', '-');
  return key;
}

/// A campaign of runs made elsewhere has no plan, and an inventory only if whoever imported them stated one:
/// its cases are the folders of its runs.
Result<CampaignRecord> with_imported_runs(CampaignRecord campaign, const fs::path& folder) {
  auto runs = imported_runs(folder);
  if (!runs) return failure_of(runs);
  for (ImportedRun& run : *runs) campaign.cases.push_back({std::move(run.planned), {}});
  std::error_code code;
  if (fs::exists(folder / "criteria.toml", code)) {
    auto criteria = file_content(folder / "criteria.toml");
    if (!criteria) return failure_of(criteria);
    campaign.criteria_text = std::move(*criteria);
  }
  const auto journal = read_journal(folder);
  if (!journal) return failure_of(journal);
  campaign.criteria_revisions = criteria_revisions(folder, journal->criteria);
  campaign.state = CampaignState::finished;
  campaign.inventory.system = campaign.system;
  campaign.inventory.source = made_elsewhere;
  if (const fs::path file = folder / "inventory.json"; fs::exists(file, code)) {
    const auto text = file_content(file);
    if (!text) return failure_of(text);
    auto inventory = inventory_from_json(*text, file.string());
    if (!inventory) return failure_of(inventory);
    campaign.inventory = std::move(*inventory);
  }
  return campaign;
}

Result<Plan> read_plan(const fs::path& file) {
  const auto text = file_content(file);
  if (!text) return failure_of(text);
  return plan_from_json(*text, file.string());
}

/// Removes the unfinished folders beside a campaign's folder: creations of it that were killed.
void remove_unfinished(const fs::path& campaigns, const std::string& id) {
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(campaigns, code)) {
    const std::string name = entry.path().filename().string();
    const std::string before = "." + id + ".";
    if (name.starts_with(before) && name.find_first_not_of("0123456789", before.size()) == std::string::npos)
      fs::remove_all(entry.path(), code);
  }
}

}  // namespace

bool is_campaign_name(std::string_view name) {
  const auto plain = [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; };
  return !name.empty() && name.size() <= 100 && plain(static_cast<unsigned char>(name.front())) &&
         std::all_of(name.begin(), name.end(),
                     [&](unsigned char c) { return plain(c) || c == '.' || c == '_' || c == '-'; });
}

Result<void> create_external_folder(const Workspace& workspace, const CampaignRecord& campaign) {
  std::error_code code;
  const fs::path final_folder = workspace.campaign(campaign.id);
  if (fs::exists(final_folder, code)) {
    remove_unfinished(workspace.campaigns(), campaign.id);
    return {};
  }
  if (auto made = make_private_folder(workspace.campaigns()); !made)
    return failure_of(made, another_workspace);
  const fs::path building = workspace.campaigns() / fmt::format(".{}.{}", campaign.id, ::getpid());
  if (auto made = make_private_folder(building); !made) return failure_of(made, another_workspace);
  auto written = write_file(building / "campaign.json", campaign_json(campaign), Durability::power_loss);
  if (written && !campaign.criteria_text.empty())
    written = write_file(building / "criteria.toml", campaign.criteria_text, Durability::power_loss);
  if (written && !campaign.inventory.groups.empty())
    written =
        write_file(building / "inventory.json", inventory_json(campaign.inventory), Durability::power_loss);
  if (written) fs::rename(building, final_folder, code);
  std::error_code ignored;
  fs::remove_all(building, ignored);
  // Another process may have been first, and have removed ours.
  const bool created = fs::exists(final_folder, ignored);
  if (created) remove_unfinished(workspace.campaigns(), campaign.id);
  if (!written && !created) return failure_of(written, another_workspace);
  if (!created)
    return fail_environment(final_folder.string(), fmt::format("cannot be created: {}", code.message()));
  return sync_folder(workspace.campaigns());
}

namespace {

/// Writes files by their names into a folder that nobody reads yet. They are synced once all are written,
/// and the folder last: a filesystem's journal is then written once, not twice for each.
Result<void> write_synced(const fs::path& folder,
                          const std::vector<std::pair<std::string, std::string>>& files) {
  for (const auto& [file, content] : files)
    if (auto written = write_file(folder / file, content); !written) return written;
  for (const auto& [file, content] : files) {
    const fs::path path = folder / file;
    const int fd = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const int failed = fd >= 0 && ::fdatasync(fd) == 0 ? 0 : errno;
    if (fd >= 0) ::close(fd);
    if (failed != 0)
      return fail_environment(path.string(), fmt::format("cannot be synced: {}", std::strerror(failed)));
  }
  return sync_folder(folder);
}

}  // namespace

Result<std::string> create_campaign_folder(const Workspace& workspace, CampaignRecord& campaign) {
  if (auto made = make_private_folder(workspace.campaigns()); !made)
    return failure_of(made, another_workspace);
  const std::string name = campaign_name(campaign.created_s);
  const std::vector<FileStamp> images = image_stamps(campaign);
  for (int suffix = 1; suffix < 10'000; ++suffix) {
    campaign.id = suffix == 1 ? name : fmt::format("{}-{}", name, suffix);
    const fs::path final_folder = workspace.campaign(campaign.id);
    std::error_code code;
    if (fs::exists(final_folder, code)) continue;
    const fs::path building = workspace.campaigns() / fmt::format(".{}.{}", campaign.id, ::getpid());
    if (auto made = make_private_folder(building); !made) return failure_of(made, another_workspace);
    Plan plan;
    plan.system = campaign.system;
    plan.refused = campaign.refused;
    for (const CaseRecord& record : campaign.cases) plan.cases.push_back(record.planned);
    std::vector<std::pair<std::string, std::string>> files = {
        {"plan.json", plan_json(plan)},
        {"inventory.json", inventory_json(campaign.inventory)},
        {"criteria.toml", campaign.criteria_text},
        {"campaign.json", campaign_json(campaign)},
    };
    if (!campaign.config_text.empty()) files.emplace_back(config_file(campaign), campaign.config_text);
    if (!campaign.baseline_text.empty()) files.emplace_back(campaign_baseline_file, campaign.baseline_text);
    campaign.commitment = committed(campaign, files, installed_layout(), list_root(workspace));
    files.emplace_back("journal.jsonl", commitment_line(*campaign.commitment, campaign.created_s, images));
    if (auto written = write_synced(building, files); !written) return failure_of(written, another_workspace);
    fs::rename(building, final_folder, code);
    if (!code) {
      if (auto synced = sync_folder(workspace.campaigns()); !synced) return failure_of(synced);
      return campaign.id;
    }
    std::error_code ignored;
    fs::remove_all(building, ignored);
    if (!fs::exists(final_folder, ignored))
      return fail_environment(final_folder.string(), fmt::format("cannot be created: {}", code.message()));
  }
  return fail_environment(workspace.campaigns().string(), "no free name for a campaign");
}

Result<CampaignRecord> read_campaign_folder(const fs::path& folder) {
  CampaignRecord campaign;
  const auto header = file_content(folder / "campaign.json");
  if (!header)
    return fail(folder.string(), "is no campaign's folder: campaign.json cannot be read",
                fmt::format("`{}` shows the campaigns there", command_for("status", workspace_of(folder))));
  const std::string header_name = (folder / "campaign.json").string();
  if (auto within = json_within_limits(*header, header_name); !within) return failure_of(within);
  const auto document = json_or_discarded<nlohmann::json>(*header);
  if (!document.is_object()) return fail((folder / "campaign.json").string(), "is not a JSON object");
  try {
    campaign.id = document.value("id", folder.filename().string());
    if (!is_campaign_name(campaign.id))
      return fail(header_name, fmt::format("'{}' is no name of a campaign", campaign.id));
    campaign.kind = document.value("kind", "acceptance");
    campaign.created_s = document.value("created_s", 0.0);
    campaign.tool_version = document.value("tool_version", "");
    campaign.criteria_name = document.value("criteria_name", "");
    campaign.baseline_name = document.value("baseline", "");
    campaign.warnings = document.value("warnings", std::vector<std::string>());
    campaign.scheduler = document.value("scheduler", "local");
    std::error_code code;
    if (campaign.scheduler.ends_with(".toml") && fs::exists(folder / copied_file, code))
      campaign.scheduler = "local";
    if (document.contains("planned_by")) campaign.planned_by = document["planned_by"].dump();
    campaign.system = document.value("system", "");
    campaign.note = document.value("note", "");
    campaign.source = document.value("source", "");
  } catch (const nlohmann::json::exception& error) {
    return fail((folder / "campaign.json").string(), error.what());
  }

  if (is_external(campaign)) return with_imported_runs(std::move(campaign), folder);
  // The two files that grow with the number of cases, at the same time.
  Result<Plan> plan;
  Result<JournalContent> journal;
  for_each_index(2, usable_cpus(), [&](std::size_t i) {
    if (i == 0)
      plan = read_plan(folder / "plan.json");
    else
      journal = read_journal(folder);
  });
  if (!plan) return failure_of(plan);
  campaign.system = plan->system;
  campaign.refused = std::move(plan->refused);
  for (Case& planned : plan->cases) campaign.cases.push_back({std::move(planned)});

  const auto inventory_text = file_content(folder / "inventory.json");
  if (!inventory_text) return failure_of(inventory_text);
  auto inventory = inventory_from_json(*inventory_text, (folder / "inventory.json").string());
  if (!inventory) return failure_of(inventory);
  campaign.inventory = std::move(*inventory);
  auto criteria = file_content(folder / "criteria.toml");
  if (!criteria) return failure_of(criteria);
  campaign.criteria_text = std::move(*criteria);
  if (auto config = file_content(folder / config_file(campaign))) {
    auto acceptance = configured_facts(campaign.kind, *config, (folder / config_file(campaign)).string());
    if (!acceptance) return failure_of(acceptance);
    campaign.site = std::move(acceptance->site);
    campaign.settings = std::move(acceptance->settings);
    campaign.config_text = *std::move(config);
  }
  if (!journal) return failure_of(journal);
  for (Case& planned : journal->added) campaign.cases.push_back({std::move(planned)});
  for (CaseRecord& record : campaign.cases)
    if (const auto it = journal->not_run.find(record.planned.id); it != journal->not_run.end())
      record.not_run = it->second;
  campaign.exclusions = std::move(journal->excluded);
  campaign.commitment = read_commitment(folder);
  campaign.criteria_revisions = criteria_revisions(folder, journal->criteria);
  return campaign;
}

Result<void> check_owner(const fs::path& campaign_folder, std::string remedy) {
  constexpr uid_t root = 0;
  constexpr uid_t nobody = 65534;  // who owns root's files on a server that trusts no root
  for (const char* name : {"", "campaign.json", "plan.json", "journal.jsonl"}) {
    struct stat info = {};
    const fs::path path = *name == '\0' ? campaign_folder : campaign_folder / name;
    if (::stat(path.c_str(), &info) != 0) continue;
    if (info.st_uid == ::geteuid() || info.st_uid == root || info.st_uid == nobody) continue;
    return fail_environment(
        path.string(),
        fmt::format("belongs to user {}; only the owner may run the commands and end the processes and jobs "
                    "that it names",
                    info.st_uid),
        std::move(remedy));
  }
  return {};
}

std::vector<std::string> campaign_ids(const Workspace& workspace) {
  std::vector<std::pair<std::string, std::string>> found;  // by time
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(workspace.campaigns(), code)) {
    const std::string name = entry.path().filename().string();
    if (!name.starts_with('.') && entry.is_directory(code)) found.emplace_back(time_key(entry.path()), name);
  }
  std::sort(found.begin(), found.end());
  std::vector<std::string> ids;
  ids.reserve(found.size());
  for (auto& [time, id] : found) ids.push_back(std::move(id));
  return ids;
}

std::vector<int> attempts_in(const fs::path& case_folder) {
  constexpr std::int64_t most = 1'000'000'000;  // a larger number was planted
  std::vector<int> found;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(case_folder, code)) {
    const std::string name = entry.path().filename().string();
    constexpr std::string_view prefix = "attempt-";
    if (!name.starts_with(prefix)) continue;
    const auto k = parsed_integer(std::string_view(name).substr(prefix.size()));
    if (k && *k > 0 && *k <= most) found.push_back(static_cast<int>(*k));
  }
  std::ranges::sort(found);
  return found;
}

int last_attempt(const fs::path& case_folder) {
  const std::vector<int> found = attempts_in(case_folder);
  return found.empty() ? 0 : found.back();
}

Result<CampaignLock> CampaignLock::take(const fs::path& campaign_folder, const LockOptions& options) {
  auto lock = FileLock::take(campaign_folder / lock_file, options);
  if (lock) return CampaignLock(*std::move(lock));
  const LockRefusal& refusal = lock.error();
  if (!refusal.holder) return tl::unexpected<Error>(refusal.error);
  const LockHolder& holder = *refusal.holder;
  const fs::path workspace = workspace_of(campaign_folder);
  const bool here = life_of(holder.process) == Life::runs;
  std::string who = fmt::format("(process {} on {})", holder.process.pid, holder.process.host);
  if (holder.process.pid == 0) who = "that has not identified itself yet";
  if (holder.since_s > 0) who += " since " + utc_text(holder.since_s);
  if (!here) who += fmt::format(", last heartbeat {} ago", duration_text(std::max(0.0, holder.silent_s)));
  std::string remedy = fmt::format("`{}` shows how far it is; `{}` stops it",
                                   command_for("status", workspace), command_for("cancel", workspace));
  const auto filesystem = filesystem_of(campaign_folder);
  if (!here && filesystem && !filesystem->shared && holder.process.boot == this_process().boot)
    remedy += ". It holds the lock of a filesystem of this machine: it runs, perhaps in another container";
  else if (!here && holder.process.pid != 0)
    remedy += fmt::format(
        ". If it is gone (a host that crashed, was renamed and booted, or is never coming back): its lock is "
        "free once it has been silent for {}; `{}` takes the lock at once, and retries what that host had "
        "running. If it is not gone, both run the same cases: make sure on {}",
        duration_text(options.times.stale_s), command_for("resume --break-lock", workspace),
        holder.process.host);
  return fail_environment(campaign_folder.filename().string(), "is being run by another shakedown " + who,
                          remedy);
}

void forget_locks(const fs::path& campaign_folder) {
  remove_claims_below(campaign_folder / lock_file, std::numeric_limits<int>::max());
}

fs::path settled_folder(const fs::path& campaign_folder) {
  std::error_code code;
  const fs::path whole = fs::absolute(campaign_folder, code);
  return (code ? campaign_folder : whole).lexically_normal();
}

Holder campaign_holder(const fs::path& campaign_folder) {
  const auto holder = lock_holder(campaign_folder / lock_file);
  if (!holder) return {};
  return {holder->process.pid, holder->process.host, holder->since_s, holder->silent_s,
          life_of(holder->process) == Life::runs};
}

}  // namespace shakedown
