#include "suites/io500/reference/ini.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "suites/io500/reference/hash.hpp"

namespace io500 {
namespace {

constexpr std::string_view blanks = " \t\r";

std::string_view trimmed(std::string_view word) {
  const size_t first = word.find_first_not_of(blanks);
  if (first == std::string_view::npos) return {};
  return word.substr(first, word.find_last_not_of(blanks) - first + 1);
}

bool same(std::string_view a, std::string_view b) {
  const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [&](char x, char y) { return lower(x) == lower(y); });
}

bool is_name(std::string_view word) {
  return !word.empty() &&
         word.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-") ==
             std::string_view::npos;
}

std::string_view without_comment(std::string_view word) {
  return word.substr(0, std::min(word.find('#'), word.find(';')));
}

/// What a value of this kind is; nothing where `value` is one.
std::string_view mismatch(Kind kind, std::string_view value) {
  if (kind == Kind::whole) {
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (status != std::errc{} || end != value.data() + value.size() || number < 0)
      return "a whole number, 0 or more";
  }
  if (kind == Kind::number && value.find_first_not_of("0123456789e.+-") != std::string_view::npos)
    return "a number";
  if (kind == Kind::truth && value != "TRUE" && value != "FALSE") return "TRUE or FALSE";
  return {};
}

std::string normal(Kind kind, std::string_view value) {
  if (kind == Kind::truth && (same(value, "true") || value == "1")) return "TRUE";
  if (kind == Kind::truth && (same(value, "false") || value == "0")) return "FALSE";
  return std::string(value);
}

std::string quoted(std::string_view word) {
  return "'" + std::string(word) + "'";
}

/// Reads one line into the sections. `current` is the section that it lies in.
Result<void> read_line(std::string_view line, int number, std::vector<Section>& sections, Section*& current) {
  const std::string_view content = trimmed(line);
  if (content.empty() || content.front() == '#' || content.front() == ';') return {};
  if (content.front() == '[') {
    const size_t close = content.find(']');
    const std::string_view name =
        close == std::string_view::npos ? std::string_view() : trimmed(content.substr(1, close - 1));
    if (!is_name(name) || !trimmed(without_comment(content.substr(close + 1))).empty())
      return tl::unexpected(quoted(content) + " is no section");
    const auto found =
        std::find_if(sections.begin(), sections.end(), [&](const Section& s) { return same(s.name, name); });
    if (found == sections.end()) return tl::unexpected("IO500 has no section " + quoted(name));
    current = &*found;
    return {};
  }
  const size_t equals = content.find('=');
  const std::string_view name =
      equals == std::string_view::npos ? std::string_view() : trimmed(content.substr(0, equals));
  if (!is_name(name)) return tl::unexpected(quoted(content) + " is neither a section nor 'key = value'");
  const std::string_view value = trimmed(without_comment(content.substr(equals + 1)));
  if (current == nullptr) return tl::unexpected(quoted(name) + " stands before the first section");
  const auto key = std::find_if(current->keys.begin(), current->keys.end(),
                                [&](const Key& k) { return same(k.name, name); });
  if (key == current->keys.end())
    return tl::unexpected("IO500 has no key " + quoted(name) + " in [" + std::string(current->name) + "]");
  if (value.empty()) return {};
  std::string text = normal(key->kind, value);
  if (const std::string_view wanted = mismatch(key->kind, text); !wanted.empty())
    return tl::unexpected(std::string(key->name) + " must be " + std::string(wanted) + ", but is " +
                          quoted(value));
  key->value = std::move(text);
  key->line = number;
  return {};
}

}  // namespace

Result<std::vector<Section>> read_ini(std::string_view content, const std::string& file) {
  std::vector<Section> sections = default_sections();
  Section* current = nullptr;
  int number = 0;
  while (!content.empty()) {
    ++number;
    const size_t end = std::min(content.find('\n'), content.size());
    if (const auto ok = read_line(content.substr(0, end), number, sections, current); !ok)
      return tl::unexpected(file + ":" + std::to_string(number) + ": " + ok.error());
    content.remove_prefix(std::min(end + 1, content.size()));
  }
  return sections;
}

const Key& key_of(const std::vector<Section>& sections, std::string_view section, std::string_view key) {
  for (const Section& each : sections)
    if (each.name == section)
      for (const Key& candidate : each.keys)
        if (candidate.name == key) return candidate;
  std::abort();  // a name that default_sections() lacks
}

std::uint32_t config_hash(const std::vector<Section>& sections) {
  std::uint32_t hash = 0;
  for (const Section& section : sections)
    for (const Key& key : section.keys)
      if (key.empty_text || !key.value.empty()) add_pair(hash, key.name, key.value);
  return hash;
}

std::string ini_text(const std::vector<Section>& sections) {
  std::string out;
  for (const Section& section : sections) {
    out += text("[%s]\n", std::string(section.name).c_str());
    for (const Key& key : section.keys)
      out += text("%s = %s\n", std::string(key.name).c_str(), key.value.c_str());
    out += "\n";
  }
  return out;
}

}  // namespace io500
