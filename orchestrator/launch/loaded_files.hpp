#pragma once
#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// A file that a program reads beside its inputs, as a node found it before the program was started.
struct LoadedFile {
  std::string path;  ///< absolute
  std::string sha256;
  std::int64_t bytes = 0;
  std::int64_t changed_ns = 0;  ///< of its last change (ctime), since 1970
  std::string before;       ///< its SHA-256 in the campaign's attempts before on that node; empty: the same
  std::string needed_by;    ///< the program whose shared library it is; empty: it is none
  bool written = false;     ///< it changed while the campaign's programs ran: they write it
  bool is_program = false;  ///< the executable itself: on nodes that are not the case's first
  friend bool operator==(const LoadedFile&, const LoadedFile&) = default;
};

/// The file `environment-<host>.json` of a campaign's folder, from which a node knows hashes that it need not
/// compute again. Whoever can edit it between two attempts could hide another file: so each attempt states
/// what it read and what it left.
struct KnownHashes {
  std::string file;               ///< its name; empty: nothing is stated
  std::vector<std::string> read;  ///< its SHA-256, each time that it was read; none: it was not there
  std::string left;               ///< its SHA-256 for later attempts; empty: none was left
  friend bool operator==(const KnownHashes&, const KnownHashes&) = default;
};

/// What is known to be loaded when `named` files are: each regular file among them, of a script its
/// interpreter and the files that its text names by an absolute path, and of those that are scripts the same;
/// each once, at most 64. Without `program`, whose hash the attempt's record has.
std::vector<std::string> loaded_paths(std::span<const std::string> named, std::string_view program);

/// Paths of the shared libraries that its dynamic linker lists for an executable, and of that linker; none of
/// a script, a static executable, or one of another kind of machine.
std::vector<std::string> linked_libraries(const std::string& program);

/// The compilers that an executable's section `.comment` names, "GCC: (Debian 12.2.0-14) 12.2.0"; none of a
/// script, or where it was removed, as in Debian's packages.
std::vector<std::string> compilers_of(const std::string& program);

/// The `linked_libraries` of what starts first among `named` (of a script its interpreter): as `known`
/// has them, else listed now.
std::vector<LoadedFile> needed_libraries(std::span<const std::string> named,
                                         std::span<const LoadedFile> known);

/// The files of `paths`, and `libraries`, as they are now. One whose size and time of change are those in
/// `known` is not read again; neither is one of more than 2 GiB (it is omitted).
std::vector<LoadedFile> loaded_files(std::span<const std::string> paths,
                                     std::span<const LoadedFile> libraries,
                                     std::span<const LoadedFile> known);

/// Marks the files that changed since as written by the program, and takes their new state for later
/// attempts. Returns what later attempts on this node must find.
std::vector<LoadedFile> after_run(std::vector<LoadedFile>& loaded);

/// As `known`, with the state of `now` in place of theirs.
std::vector<LoadedFile> renewed(std::vector<LoadedFile> known, std::span<const LoadedFile> now);

/// The members `files` and `known` of an environment.json or node-<host>.json.
struct LoadedRecord {
  std::vector<LoadedFile> files;
  KnownHashes known;
  friend bool operator==(const LoadedRecord&, const LoadedRecord&) = default;
};

/// Empty where the document has none.
LoadedRecord loaded_in(const nlohmann::ordered_json& document);
LoadedRecord loaded_from_json(std::string_view text);
/// Adds the members, or replaces those that the document has.
void put_loaded(nlohmann::ordered_json& document, const LoadedRecord& loaded);
/// The same in a document's text.
std::string with_loaded(std::string_view document, const LoadedRecord& loaded);

}  // namespace shakedown
