#pragma once

#include <string>

namespace SQLite {
class Database;
}

namespace shakedown {

/// The newest version of the schema: that of every store that is opened to be written.
int newest_schema();

/// Makes version `version` + 1 of the schema from version `version`. Throws as SQLiteCpp does.
void step_schema(SQLite::Database& database, int version);

/// What a file's schema holds beside, or lacks of, the schema of its version: "the trigger 'audit'". Empty:
/// it is that schema, to the word but for comments and spaces. Throws as SQLiteCpp does.
///
/// A file that somebody else wrote may hold triggers, views in a table's place, columns that are computed,
/// and checks that call functions: they would run with every statement of ours.
///
/// Source: sqlite.org/security.html.
std::string schema_difference(SQLite::Database& database, int version);

}  // namespace shakedown
