#pragma once
#include <filesystem>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// A database file as it was between two transactions of a process that goes on writing it, without locks. It
/// is read twice; equal bytes, and a journal that is empty before, between and after, are of one moment,
/// since SQLite changes the file only while the journal holds what was there. Fails (environment) where the
/// writer is never that quiet for `patience_s`.
///
/// Source: sqlite.org/fileformat2.html, "The Rollback Journal"; sqlite.org/atomiccommit.html.
Result<std::string> settled_copy(const std::filesystem::path& path, double patience_s = 10);

/// Makes a connection to memory hold the bytes of a file. Throws as SQLiteCpp does.
void load_into(Database::Connection& memory, std::string bytes);

}  // namespace shakedown
