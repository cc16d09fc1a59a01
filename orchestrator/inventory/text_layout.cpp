#include "orchestrator/inventory/text_layout.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

constexpr size_t label_width = 12;
constexpr size_t text_width = 96 - label_width;
constexpr const char* nothing = "–";

/// Columns on a screen, each code point being one.
size_t columns(std::string_view text) {
  return static_cast<size_t>(std::count_if(
      text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0u) != 0x80; }));
}

std::string padded(const std::string& text, size_t width) {
  return text + std::string(width - std::min(width, columns(text)), ' ');
}

/// The pieces in as few lines as hold them, none of them broken.
Lines filled(const Row& pieces, std::string_view separator) {
  Lines lines(1);
  for (const std::string& piece : pieces) {
    if (piece.empty()) continue;
    if (!lines.back().empty()) {
      const bool fits = columns(lines.back()) + separator.size() + columns(piece) <= text_width;
      lines.back() += fits ? separator : trimmed(separator);
      if (!fits) lines.emplace_back();
    }
    lines.back() += piece;
  }
  return lines;
}

bool all_empty_from(const Row& row, size_t first) {
  return std::all_of(row.begin() + static_cast<std::ptrdiff_t>(first), row.end(),
                     [](const std::string& cell) { return cell.empty(); });
}

}  // namespace

std::string list(const Row& pieces) {
  Row said;
  for (const std::string& piece : pieces)
    if (!piece.empty()) said.push_back(piece);
  return joined(said, ", ");
}

Lines wrapped(std::string_view text) {
  const auto pieces = words(text);
  return filled({pieces.begin(), pieces.end()}, " ");
}

Lines wrapped_list(const Row& pieces) {
  return filled(pieces, ", ");
}

Lines aligned(const std::vector<Row>& rows) {
  std::vector<size_t> widths;
  for (const Row& row : rows) {
    widths.resize(std::max(widths.size(), row.size()), 0);
    for (size_t i = 0; i < row.size(); ++i) widths[i] = std::max(widths[i], columns(row[i]));
  }
  Lines lines;
  for (const Row& row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i)
      if (widths[i] > 0)
        line += padded(row[i].empty() && !all_empty_from(row, i) ? nothing : row[i], widths[i] + 2);
    line.erase(line.find_last_not_of(' ') + 1);
    lines.push_back(line);
  }
  return lines;
}

std::string block(std::string_view label, const Lines& lines) {
  std::string text;
  for (const std::string& line : lines) {
    const std::string_view head = text.empty() ? label : "";
    text += fmt::format("  {:<{}}{}\n", head, label_width - 2, line);
  }
  return text;
}

}  // namespace shakedown
