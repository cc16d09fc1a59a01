#include "orchestrator/store/store_place.hpp"

#include <sys/stat.h>
#include <unistd.h>
#include <algorithm>
#include <cstdint>
#include <string_view>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/file_lock.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/store/connection.hpp"

namespace shakedown {

StorePlace place_of_store(const std::filesystem::path& folder) {
  StorePlace place;
  if (auto found = filesystem_of(folder))
    place.filesystem = *std::move(found);
  else
    place.filesystem = {"a filesystem of unknown type", true};
  if (place.alone()) place.record_locks = has_record_locks(folder);
  return place;
}

std::string StorePlace::text() const {
  if (!alone()) return filesystem.name + ", of this host: the store keeps a write-ahead log";
  return fmt::format(
      "{}, may be shared with other hosts: rollback journal, one shakedown writes at a time, known by its "
      "signs "
      "of life; {}",
      filesystem.name, record_locks ? "locks work on this host" : "it has no locks");
}

std::filesystem::path store_lock(const std::filesystem::path& folder) {
  return folder / "results.lock";
}

std::optional<LockHolder> store_holder(const std::filesystem::path& store) {
  return lock_holder(store_lock(store.has_parent_path() ? store.parent_path() : "."));
}

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

namespace {

/// The most that is copied of a store, in bytes: what is on the disk, as holes cost whoever planted them
/// nothing, and 64 MiB that a filesystem may yet have to write.
std::size_t most_copied(const fs::path& path) {
  constexpr std::int64_t most = std::int64_t{4} << 30;
  constexpr std::int64_t unwritten = std::int64_t{64} << 20;
  return static_cast<std::size_t>(std::min(most, bytes_on_disk(path) + unwritten));
}

/// Whether nothing is under way: a journal that is over is gone, empty, or has no header. A write-ahead log
/// is merged by whoever has the store, first of all.
bool is_quiet(const fs::path& path) {
  constexpr std::string_view magic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";
  const auto journal = file_head(path.string() + "-journal", magic.size());
  if (journal && *journal == magic) return false;
  std::error_code code;
  const auto log = fs::file_size(path.string() + "-wal", code);
  return code || log == 0;
}

}  // namespace

Result<std::string> settled_copy(const fs::path& path, double patience_s) {
  const double until_s = steady_s() + patience_s;
  const std::size_t most = most_copied(path);
  while (true) {
    if (is_quiet(path)) {
      auto once = file_content_within(path, most);
      if (!once) return failure_of(once, "try again when the process that holds it has ended");
      if (is_quiet(path)) {
        const auto again = file_content_within(path, most);
        if (again && is_quiet(path) && *once == *again) return once;
      }
    }
    if (steady_s() > until_s)
      return fail_environment(path.string(), "is written without a pause by another process",
                              "try again when that is quieter");
    ::usleep(20'000);
  }
}

void load_into(Database::Connection& memory, std::string bytes) {
  // A file of WAL mode can't be opened in memory; its log is merged. Source:
  // sqlite.org/fileformat2.html, 1.3.
  constexpr std::size_t write_version = 18;
  constexpr std::size_t read_version = 19;
  constexpr char rollback = 1;
  if (bytes.size() > read_version) bytes[write_version] = bytes[read_version] = rollback;
  auto* content = static_cast<unsigned char*>(sqlite3_malloc64(bytes.size()));
  if (content == nullptr) throw SQLite::Exception("out of memory", SQLITE_NOMEM);
  std::ranges::copy(bytes, content);
  const auto size = static_cast<sqlite3_int64>(bytes.size());
  memory.restraint.allow_attaching(true);
  const int code = sqlite3_deserialize(memory.database.getHandle(), "main", content, size, size,
                                       SQLITE_DESERIALIZE_FREEONCLOSE | SQLITE_DESERIALIZE_RESIZEABLE);
  memory.restraint.allow_attaching(false);
  if (code != SQLITE_OK) throw SQLite::Exception(memory.database.getHandle(), code);
}

}  // namespace shakedown
