#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/toml.hpp"

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

/// The kinds of files that people write, in the order of the reference page.
std::span<const FileKeys> file_keys();

/// The text within a cell of a table of Markdown.
std::string markdown_cell(std::string_view text);

/// One kind of file as a section of Markdown: a table of keys for each table of the file.
std::string keys_markdown(const FileKeys& file);

/// docs/reference/configuration.md: all kinds.
std::string keys_page();

}  // namespace shakedown
