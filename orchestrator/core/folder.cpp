#include "orchestrator/core/folder.hpp"

#include <algorithm>
#include <iterator>

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// Links to folders are not followed: they may lead in a circle.
void list(const fs::path& folder, FolderFiles& found) {
  std::vector<std::string> files;
  std::vector<fs::path> folders;
  std::error_code code;
  auto it = fs::directory_iterator(folder, code);
  for (; !code && it != fs::directory_iterator(); it.increment(code)) {
    if (it->path().filename().string().starts_with('.')) continue;
    std::error_code vanished;
    if (it->is_directory(vanished) && !it->is_symlink(vanished))
      folders.push_back(it->path());
    else if (it->is_regular_file(vanished))
      files.push_back(it->path().string());
  }
  if (code)
    found.unreadable.push_back({folder.string(), fmt::format("the folder cannot be read: {}", code.message()),
                                "", Fault::environment});
  std::sort(files.begin(), files.end());
  std::move(files.begin(), files.end(), std::back_inserter(found.files));
  std::sort(folders.begin(), folders.end());
  for (const fs::path& each : folders) list(each, found);
}

}  // namespace

FolderFiles files_below(const std::filesystem::path& folder) {
  FolderFiles found;
  list(folder, found);
  return found;
}

}  // namespace shakedown
