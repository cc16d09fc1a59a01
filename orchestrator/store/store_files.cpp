#include "orchestrator/store/store_files.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <string_view>

#include "orchestrator/core/file.hpp"

namespace shakedown {
namespace {

/// Whether a rollback journal ends with the name of a file that several databases share.
bool names_another_file(const fs::path& journal) {
  constexpr std::string_view magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  constexpr std::size_t trailer = 16;  // length of the name, its checksum, the magic
  const auto end = file_tail(journal, trailer);
  return end && end->size() == trailer && end->ends_with(magic);
}

}  // namespace

std::int64_t bytes_on_disk(const fs::path& path) {
  struct stat file = {};
  constexpr std::int64_t block = 512;
  constexpr std::int64_t compression = 16;
  if (::stat(path.c_str(), &file) != 0) return 0;
  return std::min<std::int64_t>(file.st_size, file.st_blocks * block * compression);
}

Result<void> check_store_files(const fs::path& store) {
  for (const char* ending : {"", "-wal", "-shm", "-journal"}) {
    const std::string path = store.string() + ending;
    struct stat file = {};
    if (::lstat(path.c_str(), &file) != 0 || S_ISREG(file.st_mode)) continue;
    return fail_environment(
        path, S_ISLNK(file.st_mode) ? "is a symbolic link: it could write to any file" : "is no regular file",
        *ending == '\0' ? "name the workspace that it leads to with -w DIR, or put the file itself here"
                        : "remove it");
  }
  if (names_another_file(store.string() + "-journal"))
    return fail_environment(store.string() + "-journal",
                            "names another file, which SQLite would delete: it is not shakedown's",
                            "remove it");
  return {};
}

}  // namespace shakedown
