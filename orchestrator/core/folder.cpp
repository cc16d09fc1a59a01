#include "orchestrator/core/folder.hpp"

#include <algorithm>
#include <iterator>

#include "orchestrator/core/bounded_file.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

/// One walk below a folder.
class Walk {
 public:
  Walk(const fs::path& top, FolderFiles& found) : top_(top), found_(found) {}

  /// Links to folders are not followed: they may lead in a circle.
  void list(const fs::path& folder) {
    std::vector<std::string> files;
    std::vector<fs::path> folders;
    std::error_code code;
    auto it = fs::directory_iterator(folder, code);
    for (; !code && it != fs::directory_iterator(); it.increment(code)) {
      if (it->path().filename().string().starts_with('.')) continue;
      std::error_code vanished;
      if (it->is_directory(vanished) && !it->is_symlink(vanished))
        folders.push_back(it->path());
      else if (is_log(*it))
        files.push_back(it->path().string());
    }
    if (code)
      found_.unreadable.push_back({folder.string(),
                                   fmt::format("the folder cannot be read: {}", code.message()), "",
                                   Fault::environment});
    std::sort(files.begin(), files.end());
    std::move(files.begin(), files.end(), std::back_inserter(found_.files));
    std::sort(folders.begin(), folders.end());
    for (const fs::path& each : folders) list(each);
  }

 private:
  void refuse(const fs::path& path, std::string what, std::string hint = {}) {
    found_.refused.push_back({path.string(), std::move(what), std::move(hint), Fault::input});
  }

  bool is_log(const fs::directory_entry& entry) {
    std::error_code code;
    if (entry.is_symlink(code) && leads_out(entry.path(), top_)) {
      refuse(entry.path(), "is a link that leads out of the folder, or to nothing: it is not followed",
             "name the file itself");
      return false;
    }
    if (const std::string_view kind = special_file(entry.path()); !kind.empty())
      refuse(entry.path(), fmt::format("is {}: only regular files are read", kind));
    if (!entry.is_regular_file(code)) return false;
    const std::uintmax_t bytes = entry.file_size(code);
    if (code || bytes <= largest_log_in_folder) return true;
    refuse(entry.path(),
           fmt::format("has {}: in a folder, files of at most {} are read",
                       bytes_text(static_cast<double>(bytes)),
                       bytes_text(static_cast<double>(largest_log_in_folder))),
           "name the file itself to read it");
    return false;
  }

  const fs::path& top_;
  FolderFiles& found_;
};

}  // namespace

FolderFiles files_below(const fs::path& folder) {
  FolderFiles found;
  Walk(folder, found).list(folder);
  return found;
}

bool leads_out(const fs::path& path, const fs::path& folder) {
  std::error_code code;
  if (!fs::is_symlink(path, code)) return false;
  const fs::path target = fs::canonical(path, code);
  if (code) return true;
  const fs::path whole = fs::canonical(folder, code);
  if (code) return true;
  const auto [end, rest] = std::mismatch(whole.begin(), whole.end(), target.begin(), target.end());
  return end != whole.end();
}

}  // namespace shakedown
