#pragma once
#include <span>
#include <string>

#include "orchestrator/core/file_key.hpp"

namespace shakedown {

/// The kinds of files that people write, in the order of the reference page.
std::span<const FileKeys> file_keys();

/// One kind of file as a section of Markdown: a table of keys for each table of the file.
std::string keys_markdown(const FileKeys& file);

/// docs/reference/configuration.md: all kinds.
std::string keys_page();

}  // namespace shakedown
