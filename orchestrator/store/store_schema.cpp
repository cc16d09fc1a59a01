#include "orchestrator/store/store_schema.hpp"

#include <SQLiteCpp/SQLiteCpp.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string_view>
#include <utility>

namespace shakedown {

std::optional<std::string_view> store_file(std::string_view name);  // generated from schema.sql

namespace {

bool is_word(char c) {
  return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// SQL without comments (`-- ...`) and needless spaces. Text in quotes, or hidden otherwise, stays.
std::string plain_sql(std::string_view sql) {
  std::string plain;
  bool parted = false;
  for (std::size_t i = 0; i < sql.size(); ++i) {
    const char c = sql[i];
    if (c == ' ' || c == '\n' || c == '\t' || c == '\r') {
      parted = true;
    } else if (c == '-' && sql.substr(i, 2) == "--") {
      i = std::min(sql.find('\n', i), sql.size());
      parted = true;
    } else {
      if (parted && is_word(c) && !plain.empty() && is_word(plain.back())) plain += ' ';
      parted = false;
      std::size_t end = i;
      if (c == '\'' || c == '"' || c == '`' || c == '[')
        end = std::min(sql.find(c == '[' ? ']' : c, i + 1), sql.size() - 1);
      plain += sql.substr(i, end - i + 1);
      i = end;
    }
  }
  return plain;
}

/// Each object of a schema with what defines it, by its type and name.
using Objects = std::map<std::pair<std::string, std::string>, std::string>;

Objects objects_of(SQLite::Database& database) {
  Objects objects;
  SQLite::Statement rows(database, "SELECT type, name, tbl_name, coalesce(sql, '') FROM sqlite_master");
  while (rows.executeStep())
    objects[{rows.getColumn(0).getString(), rows.getColumn(1).getString()}] =
        fmt::format("{} {}", rows.getColumn(2).getString(), plain_sql(rows.getColumn(3).getString()));
  return objects;
}

/// What `ANALYZE` adds: statistics for SQLite's planner, which change no answer.
bool is_statistics(const std::pair<std::string, std::string>& object, const std::string& definition) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 2> tables = {{
      {"sqlite_stat1", "sqlite_stat1 CREATE TABLE sqlite_stat1(tbl,idx,stat)"},
      {"sqlite_stat4", "sqlite_stat4 CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)"},
  }};
  return object.first == "table" && std::ranges::find(tables, std::pair<std::string_view, std::string_view>(
                                                                  object.second, definition)) != tables.end();
}

void run_schema(SQLite::Database& database) {
  database.exec(std::string(store_file("schema.sql").value_or("")));
  database.exec(fmt::format("PRAGMA user_version = {}", store_version));
}

/// What our schema has. The first call reads it from `made`, which has nothing else; null: from a database
/// in memory.
const Objects& our_objects(SQLite::Database* made) {
  static const Objects ours = [&] {
    if (made != nullptr) return objects_of(*made);
    SQLite::Database in_memory(":memory:", SQLite::OPEN_READWRITE | SQLite::OPEN_CREATE);
    run_schema(in_memory);
    return objects_of(in_memory);
  }();
  return ours;
}

}  // namespace

void make_schema(SQLite::Database& database) {
  const bool empty = objects_of(database).empty();
  run_schema(database);
  if (empty) our_objects(&database);
}

std::string schema_difference(SQLite::Database& database) {
  const bool is_store = database.execAndGet("PRAGMA user_version").getInt() == store_version;
  const Objects none;
  const Objects& wanted = is_store ? our_objects(nullptr) : none;
  const Objects found = objects_of(database);
  for (const auto& [object, definition] : found) {
    if (is_statistics(object, definition)) continue;
    const auto known = wanted.find(object);
    if (known == wanted.end()) return fmt::format("the {} '{}'", object.first, object.second);
    if (known->second != definition)
      return fmt::format("another {} '{}' than shakedown makes", object.first, object.second);
  }
  for (const auto& [object, definition] : wanted)
    if (!found.contains(object)) return fmt::format("no {} '{}'", object.first, object.second);
  return "";
}

}  // namespace shakedown
