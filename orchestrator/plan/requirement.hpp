#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/site.hpp"

namespace shakedown {

enum class RequirementKind {
  image,
  pyxis,
  program,
  licence,
  dataset,
  checkpoint,
  tokenizer,
  drop_caches,
  pmix,
  memlock,
  peer_memory,
  space
};
std::string_view to_string(RequirementKind kind);  ///< as it is written here
std::optional<RequirementKind> requirement_kind(std::string_view text);
/// The way out where a requirement of the kind names none.
std::string_view usual_remedy(RequirementKind kind);
/// The same where it is there, and is another one than stated.
std::string_view remedy_of_wrong(RequirementKind kind);

/// Something that must be on a compute node before a case can run there: one `[[requires]]` of an
/// implementation, in the words of a case.
struct Requirement {
  RequirementKind kind = RequirementKind::program;
  std::string what;  ///< for people: "tokenizer", "GPT-3 checkpoint"; empty: the kind names it
  /// A file, a folder, or a program; of `image` empty: the image lies in a registry; of `pmix` what opens the
  /// image, empty: apptainer of PATH. May hold {NAME}s of the case's environment; one that remains means that
  /// the configuration does not state it.
  std::string path;
  std::string sha256;      ///< of a file, 64 hex digits; empty: not stated
  std::int64_t bytes = 0;  ///< of a file: its size; of `space` and `memlock`: at least; 0: not stated
  std::string image;       ///< of `image`: its digest as stated; of `pmix`: the image that has the other half
  std::string remedy;      ///< the way out; empty: the kind has one
  friend bool operator==(const Requirement&, const Requirement&) = default;
};

/// Reads `[[requires]]`: `kind`, and by it `path`, `what`, `bytes`, `sha256`, `remedy`. Wrong values are
/// objections of the table's document.
std::vector<Requirement> requirements_from_toml(TomlTable& table);

/// What a case needs: its implementation's requirements with the case's own image, program and environment
/// in place.
std::vector<Requirement> requirements_of(const Case& planned, const std::vector<Requirement>& stated,
                                         const Site& site);

/// A few words for people: "tokenizer /data/spm.model".
std::string described(const Requirement& requirement);

}  // namespace shakedown
