#pragma once
#include <string>
#include <string_view>

namespace shakedown {

/// A file's path as an archive names it: printable ASCII, other bytes and '%' as "%C3", so that any name of a
/// benchmark's file is one that every system and terminal can take.
std::string archive_path(std::string_view path);

/// The path that an archive's name stands for.
std::string path_of_archive(std::string_view name);

/// Why a name can't be that of a file of an archive, as a sentence without its subject; empty: it can.
/// It must be relative, without empty parts, "." and "..", of at most 4096 bytes, of parts of at most 255,
/// and be written as `archive_path` writes it.
std::string wrong_archive_path(std::string_view name);

}  // namespace shakedown
