#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Whether `name` can name a campaign and its folder: letters, digits, '.', '_' and '-', at most 100,
/// beginning with a letter or digit.
bool is_campaign_name(std::string_view name);

/// The folder that holds the database and all campaigns.
struct Workspace {
  std::filesystem::path folder;

  [[nodiscard]] std::filesystem::path database() const { return folder / "results.sqlite"; }
  [[nodiscard]] std::filesystem::path accepted() const { return folder / "accepted.jsonl"; }
  [[nodiscard]] std::filesystem::path events() const { return folder / "events.jsonl"; }
  [[nodiscard]] std::filesystem::path campaigns() const { return folder / "campaigns"; }
  [[nodiscard]] std::filesystem::path campaign(const std::string& id) const { return campaigns() / id; }
};

/// The file that marks a campaign's folder as copied from another workspace: a batch system that its
/// campaign.json describes by a path is not asked.
inline constexpr std::string_view copied_file = "copied.json";

/// Makes the campaign's folder with plan.json, inventory.json, criteria.toml, campaign.json and a journal
/// whose first line binds it to them (`campaign.commitment`): all of them or nothing. `campaign.id` is chosen
/// here (UTC time and host) and returned.
Result<std::string> create_campaign_folder(const Workspace& workspace, CampaignRecord& campaign);

/// Makes the folder of a campaign of runs made elsewhere, with campaign.json, and criteria.toml where it has
/// criteria; `campaign.id` is its name. Does not change a folder that exists.
Result<void> create_external_folder(const Workspace& workspace, const CampaignRecord& campaign);

/// Reads a campaign's folder back, without attempts.
Result<CampaignRecord> read_campaign_folder(const std::filesystem::path& folder);

/// Fails (environment) where a campaign's folder, or a file of it, belongs to neither the caller nor root
/// (nobody: root on a server that trusts no root): its owner chose the commands, processes and jobs that it
/// names. `remedy` is the way out.
Result<void> check_owner(const std::filesystem::path& campaign_folder, std::string remedy);

/// The ids of all campaigns with a folder, oldest first.
std::vector<std::string> campaign_ids(const Workspace& workspace);

/// The highest attempt number below a case's folder; 0: none.
int last_attempt(const std::filesystem::path& case_folder);

/// The numbers of all of them, ascending: what is there, not what a number promises.
std::vector<int> attempts_in(const std::filesystem::path& case_folder);

/// Holds a campaign for one orchestrator, as long as it lives; on filesystems with and without locks, as
/// `FileLock` does.
class CampaignLock {
 public:
  /// Fails (environment) if another process holds it, and names that process.
  static Result<CampaignLock> take(const std::filesystem::path& campaign_folder,
                                   const LockOptions& options = {});
  /// A sign of life, due every few seconds. Fails (environment) once another orchestrator has taken over.
  Result<void> renew() { return lock_.renew(); }

 private:
  explicit CampaignLock(FileLock lock) : lock_(std::move(lock)) {}
  FileLock lock_;
};

/// Takes out of a copy of a campaign's folder who held the original.
void forget_locks(const std::filesystem::path& campaign_folder);

/// Who holds a campaign's lock.
struct Holder {
  int pid = 0;  ///< 0: nobody
  std::string host;
  double since_s = 0;    ///< UTC; 0: not reported
  double silent_s = 0;   ///< since its last sign of life
  bool is_here = false;  ///< surely a process of this host that this one can signal by its pid
};
/// The absolute path of a campaign's folder: a batch system's jobs begin elsewhere, and are named after it.
std::filesystem::path settled_folder(const std::filesystem::path& campaign_folder);

Holder campaign_holder(const std::filesystem::path& campaign_folder);

}  // namespace shakedown
