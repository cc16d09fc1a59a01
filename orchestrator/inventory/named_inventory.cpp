#include "orchestrator/inventory/named_inventory.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <limits>
#include <unordered_map>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/accelerators.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

std::vector<std::string> shipped_systems(const Layout& layout) {
  std::vector<std::string> names;
  std::error_code code;
  for (const auto& entry : fs::directory_iterator(layout.share / "systems", code))
    if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
  std::sort(names.begin(), names.end());
  return names;
}

namespace {

Result<Inventory> with_catalogue(Result<Inventory> inventory) {
  if (inventory) fill_from_catalogue(*inventory);
  return inventory;
}

}  // namespace

Result<Inventory> named_inventory(const std::string& name, const Layout& layout) {
  const bool is_name = name.find_first_of("/.") == std::string::npos;
  std::error_code code;
  if (fs::exists(name, code)) return with_catalogue(read_inventory(name));
  const auto names = shipped_systems(layout);
  if (!is_name) {
    auto read = read_inventory(name);  // in the words of a file that can't be opened
    if (!read && read.error().hint.empty())
      read.error().hint = fmt::format("`shakedown inventory discover -o {}` writes one; shipped systems: {}",
                                      name, joined(names, ", "));
    return with_catalogue(std::move(read));
  }
  if (std::find(names.begin(), names.end(), name) == names.end())
    return fail("inventory",
                fmt::format("no file and no shipped system '{}'{}", name, did_you_mean(name, names)),
                fmt::format("shipped systems: {}", joined(names, ", ")));
  return with_catalogue(read_inventory(layout.share / "systems" / (name + ".toml")));
}

Result<Inventory> read_inventory(const std::filesystem::path& path) {
  const auto content = named_file_content(path);
  if (!content) return failure_of(content);
  if (path.extension() == ".json") return inventory_from_json(*content, path.string());
  return inventory_from_toml(*content, path.string());
}

namespace {

constexpr std::array<std::string_view, 5> slot_words = {"slots", "slot", "count", "cpus", "cpu"};
constexpr std::array<std::string_view, 4> limit_words = {"max_slots", "max-slots", "slots_max", "slots-max"};

template <size_t n>
bool is_one_of(std::string_view word, const std::array<std::string_view, n>& words) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

/// The line without its comment, with blanks around every '='.
std::string spaced(std::string_view line) {
  std::string text;
  for (const char c : line.substr(0, line.find('#')))
    text += c == '=' ? std::string(" = ") : std::string(1, c);
  return text;
}

Result<std::string> host_of(std::string_view word, const std::string& place) {
  const std::string_view host = word.substr(word.rfind('@') == word.npos ? 0 : word.rfind('@') + 1);
  if (host.find_first_of("[],") != host.npos)
    return fail(place, fmt::format("Open MPI's hostfiles have no ranges or lists, as in '{}'", word),
                "write one host a line");
  const bool relative = host.starts_with('+');
  const auto hosts = expanded_hostlist(host);
  if (relative || !hosts || hosts->size() != 1)
    return fail(place, fmt::format("'{}' is no host name", word), "write hosts as: cn001 slots=8");
  return std::string(host);
}

Result<HostfileEntry> entry_of(const std::vector<std::string_view>& pieces, const std::string& place) {
  const auto host = host_of(pieces.front(), place);
  if (!host) return failure_of(host);
  HostfileEntry entry{*host, 0};
  for (size_t i = 1; i < pieces.size(); i += 3) {
    const std::string_view word = pieces[i];
    const bool is_slots = is_one_of(word, slot_words);
    if (!is_slots && !is_one_of(word, limit_words))
      return fail(place, fmt::format("'{}' is neither 'slots' nor 'max_slots'", word),
                  "write hosts as: cn001 slots=8");
    if (i + 2 >= pieces.size() || pieces[i + 1] != "=")
      return fail(place, fmt::format("'{}' has no value", word), "write hosts as: cn001 slots=8");
    const auto value = parsed_integer(pieces[i + 2]);
    if (!value || *value < 0 || *value > std::numeric_limits<int>::max())
      return fail(place, fmt::format("'{}' must be a whole number, not '{}'", word, pieces[i + 2]));
    if (is_slots) entry.slots = static_cast<int>(*value);
  }
  return entry;
}

}  // namespace

Result<std::vector<HostfileEntry>> hostfile_entries(std::string_view text, std::string_view name) {
  std::vector<HostfileEntry> entries;
  std::unordered_map<std::string, size_t> known;
  size_t number = 0;
  for (const std::string_view line : split(text, '\n')) {
    ++number;
    const std::string content = spaced(line);
    const auto pieces = words(content);
    if (pieces.empty()) continue;
    auto entry = entry_of(pieces, fmt::format("{}:{}", name, number));
    if (!entry) return failure_of(entry);
    const auto [it, fresh] = known.try_emplace(entry->host, entries.size());
    if (fresh)
      entries.push_back(std::move(*entry));
    else
      entries[it->second].slots = std::max(entries[it->second].slots, 1) + std::max(entry->slots, 1);
  }
  if (entries.empty())
    return fail(std::string(name), "the hostfile names no host", "write one host a line: cn001 slots=8");
  return entries;
}

}  // namespace shakedown
