#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// The first file of a bundle; it lists all others but the signatures.
inline constexpr std::string_view manifest_file = "MANIFEST.json";
/// The second one, if whoever made the bundle signed it.
inline constexpr std::string_view signatures_file = "SIGNATURES.jsonl";

/// A file of a bundle.
struct ManifestFile {
  std::string path;  ///< as `archive_path`
  std::uint64_t bytes = 0;
  std::string sha256;
  friend bool operator==(const ManifestFile&, const ManifestFile&) = default;
};

/// What lies in the campaign's folder, and the bundle does not hold.
struct OmittedFile {
  std::string path;  ///< as `archive_path`
  std::string because;
  friend bool operator==(const OmittedFile&, const OmittedFile&) = default;
};

/// What a bundle holds.
struct Manifest {
  std::string tool_version;  ///< of shakedown, that made the bundle
  std::string campaign;
  std::string first_root;             ///< of the campaign's journal: the commitment; empty: it has none
  std::string last_root;              ///< SHA-256 of the journal's last line; empty: it has no line
  std::vector<ManifestFile> files;    ///< by path
  std::vector<std::string> folders;   ///< those without a file, by path
  std::vector<OmittedFile> left_out;  ///< by path
  /// Of a redacted bundle: files of the whole one that it does not hold, under redacted names, and the whole
  /// one's root. Else empty.
  std::vector<ManifestFile> withheld;
  std::string redacted_of;
  std::string root;  ///< that the manifest states; `manifest_root` is the true one
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

/// The bundle's root: SHA-256 over these lines, each with its end, sorted by their bytes:
///
///     campaign NAME        first_root HEX        last_root HEX        tool_version VERSION
///     file PATH BYTES SHA-256
///     folder PATH          (without a file)
///     left_out PATH BECAUSE
///     withheld PATH BYTES SHA-256      redacted_of HEX     (of a redacted bundle)
std::string manifest_root(const Manifest& manifest);

/// The document. Its `root` is computed.
std::string manifest_json(const Manifest& manifest);

/// Reads it. Fails where it is no manifest, names a file twice, a file as a folder too, or a path that
/// `wrong_archive_path` refuses. Its root is not compared.
Result<Manifest> manifest_from_json(std::string_view text, const std::string& name);

/// The file called `path`, or null.
const ManifestFile* file_of(const Manifest& manifest, std::string_view path);

}  // namespace shakedown
