#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// A kind of value that options and arguments take, and which of them take it.
struct ValueKind {
  std::string_view id;      ///< "suites"
  std::string_view takers;  ///< options and names of arguments, between blanks: "--config --from"
  bool or_file = false;     ///< they take a file, too
  std::vector<std::string> (*values)(const std::string& workspace) = nullptr;

  [[nodiscard]] bool is_taken_by(std::string_view name) const;
};

/// All kinds, from what is built in, what is shipped, and a workspace's campaigns.
std::span<const ValueKind> value_kinds();

}  // namespace shakedown
