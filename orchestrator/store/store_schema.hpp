#pragma once

#include <string>

namespace SQLite {
class Database;
}

namespace shakedown {

/// The version of schema.sql, which each store has as its `user_version`. Until 1.0 nothing is migrated: a
/// store of another version is refused, and is made again from the run directories.
constexpr int store_version = 10;

/// Makes the tables of a new store. Throws as SQLiteCpp does.
void make_schema(SQLite::Database& database);

/// What a file's schema has in addition to ours, or has not: "the trigger 'audit'". Of a file of version 0:
/// anything that it has. Empty: it is that schema, word for word except comments and spaces. Throws as
/// SQLiteCpp does.
///
/// A file that somebody else wrote may hold triggers, views in a table's place, columns that are computed,
/// and checks that call functions: they would run with every statement of ours.
///
/// Source: sqlite.org/security.html.
std::string schema_difference(SQLite::Database& database);

}  // namespace shakedown
