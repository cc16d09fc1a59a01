#include "orchestrator/campaign/bundled_folder.hpp"

#include <algorithm>
#include <map>

#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/secrets_file.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "orchestrator/core/text.hpp"
#include "reports/evidence/archive_path.hpp"
#include "reports/formats/format.hpp"

namespace shakedown {
namespace {

/// Of the campaign's folder itself: what is written anew, or of this moment.
bool is_passing(const std::string& name) {
  if (name == "lock" || name.starts_with("lock.")) return true;
  return std::ranges::any_of(report_formats(),
                             [&](const ReportFormat* each) { return each->file_name == name; });
}

/// Why nothing of this name is bundled, at its depth below the campaign's folder; empty: it is.
std::string unbundled_name(const std::string& name, int depth) {
  if (name == secrets_file) return "holds secrets";
  if (name.starts_with('.') || name.ends_with(".tmp")) return "is hidden or temporary";
  if (depth > 1 && name.starts_with("by-hand-")) return "was run by hand";
  return "";
}

/// Collects the files below a campaign's folder.
class FolderWalk {
 public:
  FolderWalk(const fs::path& top, std::string place) : top_(top), place_(std::move(place)) {}

  Result<BundledFolder> run() {
    auto journal = read_journal(top_);
    if (!journal) return failure_of(journal);
    for (const auto& [key, attempt] : journal->collected)
      attempts_.emplace(fmt::format("{}/attempt-{}", key.first, key.second), attempt.files);
    if (auto walked = walk(top_, 0); !walked) return failure_of(walked);
    std::ranges::sort(found_.folders);
    std::ranges::sort(found_.left_out, {}, &OmittedFile::path);
    return std::move(found_);
  }

 private:
  [[nodiscard]] std::string name_of(const fs::path& path) const {
    return archive_path(place_ + "/" + path.lexically_relative(top_).string());
  }
  void leave_out(const fs::path& path, std::string because) {
    found_.left_out.push_back({name_of(path), std::move(because)});
  }

  Result<void> walk(const fs::path& folder, int depth) {
    std::error_code code;
    std::vector<fs::path> entries;
    auto it = fs::directory_iterator(folder, code);
    for (; !code && it != fs::directory_iterator(); it.increment(code)) entries.push_back(it->path());
    if (code) return fail_environment(folder.string(), fmt::format("cannot be read: {}", code.message()));
    std::ranges::sort(entries);
    const std::size_t before = found_.files.size() + found_.folders.size();
    for (const fs::path& entry : entries) {
      if (depth == 0 && is_passing(entry.filename().string())) continue;
      if (auto taken = take(entry, depth); !taken) return taken;
    }
    if (depth > 0 && found_.files.size() + found_.folders.size() == before)
      found_.folders.push_back(name_of(folder));
    return {};
  }

  Result<void> take(const fs::path& entry, int depth) {
    const std::string name = entry.filename().string();
    std::error_code code;
    if (std::string because = unbundled_name(name, depth); !because.empty()) {
      leave_out(entry, std::move(because));
    } else if (fs::is_symlink(entry, code) &&
               (fs::is_directory(entry, code) || leads_out(entry, within(entry)))) {
      leave_out(entry, "is a link that leads out of its folder, to a folder, or to nothing");
    } else if (fs::is_directory(entry, code)) {
      return walk(entry, depth + 1);
    } else if (!fs::is_regular_file(entry, code)) {
      const std::string_view kind = special_file(entry);
      leave_out(entry, fmt::format("is {}, no regular file", kind.empty() ? "of an unknown kind" : kind));
    } else if (const std::string wrong = wrong_archive_path(name_of(entry)); !wrong.empty()) {
      leave_out(entry, wrong);
    } else if (was_added(entry)) {
      leave_out(entry, "was not there when its attempt was collected");
    } else {
      found_.files.push_back({name_of(entry), entry});
    }
    return {};
  }

  /// The folder that a link may not leave: the run directory <case>/attempt-<k>, or the campaign's.
  [[nodiscard]] fs::path within(const fs::path& entry) const {
    const fs::path relative = entry.lexically_relative(top_);
    fs::path folder = top_;
    int part = 0;
    for (const fs::path& each : relative.parent_path())
      if (part++ < 2) folder /= each;
    return part < 2 ? top_ : folder;
  }

  /// Whether the journal has the files of its attempt, and this one is not among them.
  [[nodiscard]] bool was_added(const fs::path& entry) const {
    const fs::path folder = within(entry);
    const auto files = attempts_.find(folder.lexically_relative(top_).string());
    return files != attempts_.end() && !files->second.empty() &&
           std::ranges::find(files->second, entry.lexically_relative(folder).string(),
                             &CollectedFile::name) == files->second.end();
  }

  fs::path top_;
  std::string place_;
  std::map<std::string, std::vector<CollectedFile>> attempts_;  ///< by their folder
  BundledFolder found_;
};

}  // namespace

std::string unbundled_because(const fs::path& below) {
  int depth = 0;
  for (const fs::path& part : below) {
    const std::string name = part.string();
    if (depth == 0 && is_passing(name)) return "is a lock, or a report that is written anew";
    if (std::string because = unbundled_name(name, depth); !because.empty()) return because;
    ++depth;
  }
  return "";
}

Result<BundledFolder> bundled_folder(const fs::path& campaign_folder, const std::string& place) {
  return FolderWalk(campaign_folder, place).run();
}

}  // namespace shakedown
