#include "suites/io500/reference/ini.hpp"

#include <algorithm>
#include <charconv>
#include <cstdlib>

#include "suites/io500/reference/text.hpp"

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
  std::abort();  // a name that default_sections() doesn't have
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

namespace {

Key word(std::string_view name, std::string value = "") {
  return {name, Kind::text, std::move(value)};
}
Key whole(std::string_view name, std::string value = "") {
  return {name, Kind::whole, std::move(value)};
}
Key truth(std::string_view name, std::string value = "") {
  return {name, Kind::truth, std::move(value)};
}

std::vector<Key> find_keys() {
  return {word("external-script"),
          {"external-mpi-args", Kind::text, "", 0, true},
          {"external-extra-args", Kind::text, "", 0, true},
          whole("nproc"),
          truth("run", "TRUE"),
          whole("pfind-queue-length", "10000"),
          truth("pfind-steal-next", "FALSE"),
          truth("pfind-parallelize-single-dir-access-using-hashing", "FALSE")};
}

}  // namespace

std::vector<Section> default_sections() {
  const std::vector<Key> phase = {word("API"), truth("run", "TRUE")};
  const std::vector<Key> hard_phase = {word("API"), truth("collective"), truth("run", "TRUE")};
  const std::vector<Key> run = {truth("run", "TRUE")};
  return {
      {"global",
       {word("datadir", "./datafiles"), truth("timestamp-datadir", "TRUE"), word("resultdir", "./results"),
        truth("timestamp-resultdir", "TRUE"), word("api", "POSIX"), truth("drop-caches", "FALSE"),
        word("drop-caches-cmd", "sudo -n bash -c \"echo 3 > /proc/sys/vm/drop_caches\""),
        truth("io-buffers-on-gpu", "FALSE"), whole("verbosity", "1"), truth("scc", "FALSE"),
        word("dataPacketType", "timestamp")}},
      {"debug", {whole("stonewall-time", "300"), word("pause-dir")}},
      {"ior-easy",
       {word("API"), word("transferSize", "2m"), word("blockSize", "9920000m"), truth("filePerProc", "TRUE"),
        truth("uniqueDir", "FALSE"), truth("run", "TRUE"), whole("verbosity")}},
      {"ior-easy-write", phase},
      {"mdtest-easy", {word("API"), whole("n", "1000000"), truth("run", "TRUE")}},
      {"mdtest-easy-write", phase},
      {"mdworkbench",
       {word("API"),
        {"waitingTime", Kind::number, "0.0"},
        whole("precreatePerSet"),
        whole("filesPerProc"),
        truth("run", "TRUE"),
        whole("verbosity")}},
      {"mdworkbench-create", run},
      {"timestamp", {}},
      {"find-easy", find_keys()},
      {"ior-hard",
       {word("API"), whole("segmentCount", "10000000"), truth("collective"), truth("run", "TRUE"),
        whole("verbosity")}},
      {"ior-hard-write", hard_phase},
      {"mdtest-hard", {word("API"), whole("n", "1000000"), whole("files-per-dir"), truth("run", "TRUE")}},
      {"mdtest-hard-write", phase},
      {"find", find_keys()},
      {"find-hard", find_keys()},
      {"mdworkbench-bench", run},
      {"ior-easy-read", phase},
      {"mdtest-easy-stat", phase},
      {"ior-hard-read", hard_phase},
      {"mdtest-hard-stat", phase},
      {"mdworkbench-delete", run},
      {"mdtest-easy-delete", phase},
      {"mdtest-hard-read", phase},
      {"mdtest-hard-delete", phase},
      {"ior-rnd4K-easy-read", phase},
  };
}

}  // namespace io500
