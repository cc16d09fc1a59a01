#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/requirement.hpp"

namespace shakedown {

/// Whether a requirement is met. What is unknown never counts as yes or no.
enum class Met { yes, no, wrong, unknown };
std::string_view to_string(Met met);  ///< "met", "missing", "wrong", "unknown"

/// Whether it blocks cases: it is not there, or is not the one that is stated.
constexpr bool is_unmet(Met met) {
  return met == Met::no || met == Met::wrong;
}

/// A requirement as a node has it.
struct CheckedRequirement {
  Requirement requirement;
  Met met = Met::unknown;
  std::string found;  ///< what is there, or why that is unknown
  friend bool operator==(const CheckedRequirement&, const CheckedRequirement&) = default;
};

/// Looks at this machine, with `root` before what it reads of the kernel ("/" for this one). Reads files that
/// have a hash to their end.
CheckedRequirement checked(const Requirement& requirement, const std::filesystem::path& root = "/");

/// The way out where it is not met.
std::string remedy_of(const CheckedRequirement& each);

/// `shakedown.requirements/1`, and back: what a node is asked, and what it answers.
std::string requirements_json(const std::vector<CheckedRequirement>& list, std::string_view node = {});
Result<std::vector<CheckedRequirement>> requirements_from_json(std::string_view text, std::string_view name);

}  // namespace shakedown
