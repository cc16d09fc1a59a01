#pragma once
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "reports/evidence/manifest.hpp"
#include "reports/evidence/signatures.hpp"

namespace shakedown {

/// A file that a bundle shall hold.
struct BundledFile {
  std::string path;                                       ///< as `archive_path`
  std::variant<std::string, std::filesystem::path> from;  ///< its content, or the file that has it
};

/// How a manifest lists a file. Fails (environment) where it can't be read.
Result<ManifestFile> listed_file(const BundledFile& file);

/// Writes an archive (tar, zstd): the manifest, the signatures, then the files by path. `header` states what
/// `files` does not; its `files` and `root` are filled here. `sign` gives the lines of signatures for a root;
/// none: it stays unsigned. Whatever happens, `target` is the whole new archive, or what it was before.
/// Returns the manifest with its root.
///
/// Fails (environment) where a file can't be read, or changes meanwhile, and where the archive can't be
/// written.
Result<Manifest> write_bundle(const std::filesystem::path& target, Manifest header,
                              std::vector<BundledFile> files,
                              const std::function<std::string(const std::string& root)>& sign);

/// Where an archive is not what its manifest states.
struct BundleFinding {
  std::string path;  ///< of the file
  std::string what;  ///< a sentence without its subject
  friend bool operator==(const BundleFinding&, const BundleFinding&) = default;
};

/// An archive that was read from its beginning to its end.
struct BundleContent {
  Manifest manifest;                    ///< with its root as it is, `manifest_root`
  std::vector<Signature> signatures;    ///< that it holds; not checked
  std::vector<BundleFinding> findings;  ///< files that are others, missing or too many
  std::uint64_t bytes = 0;              ///< of all files
};

/// Reads an archive once, hashes each file, and unpacks it below `folder`, an empty one; no folder: nothing
/// is written. A file is written only if the manifest lists it with its size.
///
/// Fails (input) where it is no bundle: another compression, no manifest at its beginning, anything but
/// regular files, names that lead out of the folder or are odd, a name twice, more bytes than the manifest
/// announces, a cut or damaged archive, anything behind its end; (environment) where files can't be written,
/// or there is not enough space for them.
Result<BundleContent> read_bundle(const std::filesystem::path& archive,
                                  const std::optional<std::filesystem::path>& folder);

/// The same of the tar archive within, whose bytes `source` gives piece by piece; empty: their end.
Result<BundleContent> read_bundle_tar(std::function<Result<std::string>()> source, const std::string& name,
                                      const std::optional<std::filesystem::path>& folder);

/// The file beside an archive that holds further signatures of it: "x.tar.zst.sig".
std::filesystem::path countersignature_file(const std::filesystem::path& archive);

}  // namespace shakedown
