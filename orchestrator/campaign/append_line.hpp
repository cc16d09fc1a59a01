#pragma once
#include <filesystem>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Appends a line (a JSON document without its newline) to an append-only file, the authoritative record. The
/// line survives a power loss once this returns; writers exclude each other. A line that was cut before is
/// removed; one without only its newline stays. Creates the file and its folder. Fails (environment) if it
/// can't be written or locked.
Result<void> append_line(const std::filesystem::path& path, std::string_view line);

/// As above, and the line names the SHA-256 of the one before (`ChainLink`).
Result<void> append_chained_line(const std::filesystem::path& path, std::string_view line);

}  // namespace shakedown
