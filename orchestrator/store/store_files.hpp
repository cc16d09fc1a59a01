#pragma once
#include <cstdint>
#include <filesystem>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Bytes of a file; 0: it is not there. Holes cost whoever made them nothing, and do not count; on the disk a
/// file may be compressed.
std::int64_t bytes_on_disk(const std::filesystem::path& path);

/// Whether the files of a store may be opened: results.sqlite, its log, its shared memory and its journal are
/// regular files where they are there, and the journal names no other file. SQLite deletes the file that a
/// journal names once it has rolled that back, wherever it lies; no journal of ours names one. Fails
/// (environment) with the one that is none.
///
/// Source: sqlite.org/atomiccommit.html, 5.0 "Multi-file Commit".
Result<void> check_store_files(const std::filesystem::path& store);

}  // namespace shakedown
