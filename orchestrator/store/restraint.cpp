#include "orchestrator/store/restraint.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

#include "orchestrator/core/time.hpp"

namespace shakedown {
namespace {

constexpr int counted_steps = 1000;         // between two looks at them
constexpr std::int64_t of_statement = 100;  // steps: of one too short to be looked at
constexpr std::int64_t of_any_file = 2'000'000;
constexpr std::int64_t of_a_byte = 4;  // a row of 20 bytes is read in some 20 steps

void forbid(sqlite3* handle) {
  constexpr std::array<std::pair<int, int>, 5> settings = {{
      {SQLITE_DBCONFIG_DEFENSIVE, 1},
      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
      {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
      {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
      {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
  }};
  // What an older SQLite does not know it does not do: the schema is compared all the same.
  for (const auto& [setting, value] : settings)
    static_cast<void>(sqlite3_db_config(handle, setting, value, nullptr));
  constexpr std::array<std::pair<int, int>, 8> limits = {{
      {SQLITE_LIMIT_LENGTH, 64 << 20},
      {SQLITE_LIMIT_SQL_LENGTH, 100'000},
      {SQLITE_LIMIT_COLUMN, 100},
      {SQLITE_LIMIT_EXPR_DEPTH, 100},
      {SQLITE_LIMIT_COMPOUND_SELECT, 5},
      {SQLITE_LIMIT_ATTACHED, 0},
      {SQLITE_LIMIT_LIKE_PATTERN_LENGTH, 100},
      {SQLITE_LIMIT_TRIGGER_DEPTH, 20},  // deletions go through seven tables
  }};
  for (const auto& [limit, value] : limits) sqlite3_limit(handle, limit, value);
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::ranges::find(names, name) != names.end();
}

}  // namespace

Restraint::Restraint(SQLite::Database& database, std::string path)
    : database_(database), path_(std::move(path)) {
  sqlite3* const handle = database.getHandle();
  forbid(handle);
  // 8 MiB of pages: the series of a large store jump between tables, and SQLite's own 2 MB forget them. More
  // cost more than they save: a page that is new in memory costs as much as a few that are read again.
  database.exec("PRAGMA cell_size_check = ON; PRAGMA mmap_size = 0; PRAGMA cache_size = -8192");
  sqlite3_set_authorizer(handle, &Restraint::authorize, this);
  sqlite3_progress_handler(handle, counted_steps, &Restraint::progressed, this);
}

Restraint::~Restraint() {
  sqlite3_set_authorizer(database_.getHandle(), nullptr, nullptr);
  sqlite3_progress_handler(database_.getHandle(), 0, nullptr, nullptr);
}

int Restraint::authorize(void* self, int action, const char* first, const char* second, const char*,
                         const char*) {
  return static_cast<const Restraint*>(self)->is_allowed(action, first, second) ? SQLITE_OK : SQLITE_DENY;
}

bool Restraint::is_allowed(int action, const char* first, const char* second) const {
  const std::string_view name = first == nullptr ? "" : first;
  switch (action) {
    case SQLITE_ATTACH:
      return attaching_;
    case SQLITE_DETACH:
    case SQLITE_CREATE_TRIGGER:
    case SQLITE_CREATE_TEMP_TRIGGER:
    case SQLITE_CREATE_VTABLE:
    case SQLITE_DROP_VTABLE:
      return false;
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_TRANSACTION:
      return true;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
      return making_ || !name.starts_with("sqlite_");
    case SQLITE_PRAGMA:
      return making_ || is_one_of(name, {"user_version", "foreign_keys", "journal_mode", "locking_mode",
                                         "synchronous", "integrity_check"});
    case SQLITE_FUNCTION: {
      const std::string_view function = second == nullptr ? "" : second;
      return making_ ? function != "load_extension"
                     : is_one_of(function, {"coalesce", "count", "max", "min"});
    }
    default:
      return making_;
  }
}

int Restraint::progressed(void* self) {
  auto* restraint = static_cast<Restraint*>(self);
  restraint->steps_ += counted_steps;
  return restraint->exceeded() ? 1 : 0;  // SQLITE_INTERRUPT
}

Restraint::Size Restraint::size() const {
  Size size;
  for (const char* ending : {"", "-wal"}) {
    struct stat file = {};
    constexpr std::int64_t block = 512;
    constexpr std::int64_t compression = 16;
    constexpr double late_s = 6;  // ZFS writes, and counts, at least every 5 s
    if (::stat((path_ + ending).c_str(), &file) != 0) continue;
    const std::int64_t allocated = file.st_blocks * block * compression;
    size.bytes += std::min<std::int64_t>(file.st_size, allocated);
    const double age_s = now_s() - static_cast<double>(file.st_ctim.tv_sec);
    size.may_grow = size.may_grow || (allocated < file.st_size && std::abs(age_s) < late_s);
  }
  return size;
}

bool Restraint::exceeded() {
  const auto explained = [this] {
    const std::int64_t allowed = of_any_file + of_a_byte * seen_bytes_;
    return steps_ <= allowed && bytes_ <= allowed + of_any_file * of_a_byte * 2;
  };
  while (!explained()) {
    const Size file = size();
    seen_bytes_ = file.bytes;
    if (explained()) return false;
    if (!file.may_grow) return true;
    ::usleep(100'000);
  }
  return false;
}

void Restraint::count_statement() {
  steps_ += of_statement;
  if (exceeded())
    throw SQLite::Exception("the file is damaged: it returns more rows than its size allows", SQLITE_CORRUPT);
}

void Restraint::count_bytes(std::int64_t bytes) {
  bytes_ += bytes;
  if (exceeded())
    throw SQLite::Exception("the file is damaged: it returns more text than its size allows", SQLITE_CORRUPT);
}

}  // namespace shakedown
