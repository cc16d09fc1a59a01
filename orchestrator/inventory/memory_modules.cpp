#include "orchestrator/inventory/memory_modules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr std::uint8_t memory_device = 17;
constexpr std::uint8_t end_of_table = 127;
constexpr std::uint64_t in_extended_field = 0xffff;  // of a 16-bit speed; as a width it is "unknown"

/// One structure of the table: a formatted part of `length` bytes, then its strings.
class Structure {
 public:
  /// `bytes` begins with the structure; if they are fewer than its length, it is the last one.
  explicit Structure(std::string_view bytes) {
    if (bytes.size() < 4) return;
    const size_t length = std::min<size_t>(static_cast<std::uint8_t>(bytes[1]), bytes.size());
    if (length < 4) return;
    formatted_ = bytes.substr(0, length);
    const size_t end = bytes.find(std::string_view("\0\0", 2), length);
    if (end == std::string_view::npos) return;
    strings_ = bytes.substr(length, end - length);
    size_ = end + 2;
  }

  [[nodiscard]] bool whole() const { return size_ > 0; }
  [[nodiscard]] size_t size() const { return size_; }
  [[nodiscard]] std::uint64_t type() const { return number(0, 1); }

  /// The little-endian number at `offset`; 0 where the structure is of a version without it.
  [[nodiscard]] std::uint64_t number(size_t offset, size_t bytes) const {
    if (offset + bytes > formatted_.size()) return 0;
    std::uint64_t value = 0;
    for (size_t i = bytes; i > 0; --i)
      value = value << 8 | static_cast<std::uint8_t>(formatted_[offset + i - 1]);
    return value;
  }
  /// The string whose number, from 1, is at `offset`.
  [[nodiscard]] std::string_view text(size_t offset) const {
    const auto wanted = static_cast<size_t>(number(offset, 1));
    const auto all = split(strings_, '\0');
    return wanted == 0 || wanted > all.size() ? std::string_view() : trimmed(all[wanted - 1]);
  }

 private:
  std::string_view formatted_;
  std::string_view strings_;
  size_t size_ = 0;
};

struct Module {
  std::int64_t bytes = 0;
  std::string name;  ///< "DDR5-4800"
  std::uint64_t width_bits = 0;
  std::uint64_t mega_transfers = 0;  ///< as configured
  std::string channel;               ///< what the modules of one channel have alike; empty: not reported
};

std::string_view type_name(std::uint64_t type) {
  constexpr std::array<std::pair<std::uint64_t, std::string_view>, 9> names = {{{0x13, "DDR2"},
                                                                                {0x18, "DDR3"},
                                                                                {0x1a, "DDR4"},
                                                                                {0x1e, "LPDDR4"},
                                                                                {0x20, "HBM"},
                                                                                {0x21, "HBM2"},
                                                                                {0x22, "DDR5"},
                                                                                {0x23, "LPDDR5"},
                                                                                {0x24, "HBM3"}}};
  for (const auto& [code, name] : names)
    if (code == type) return name;
  return "memory";
}

/// Locators up to the channel's number or letter: "P0 CHANNEL A", "CPU1_Channel0" of "CPU1_Channel0_Dimm0".
/// Only a board's manual explains what "DIMM_A1" is.
std::string channel_in(std::string_view locator) {
  std::string lower;
  for (const char c : locator) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  constexpr std::string_view word = "channel";
  const size_t at = lower.find(word);
  if (at == std::string::npos) return "";
  const auto is_alnum = [&](size_t i) {
    return i < lower.size() && std::isalnum(static_cast<unsigned char>(lower[i])) != 0;
  };
  size_t end = at + word.size();
  while (end < lower.size() && !is_alnum(end)) ++end;
  const size_t name = end;
  while (is_alnum(end) && lower.compare(end, 4, "dimm") != 0) ++end;
  return end == name ? "" : lower.substr(0, end);
}

std::uint64_t speed(const Structure& device, size_t offset, size_t extended) {
  const std::uint64_t short_form = device.number(offset, 2);
  return short_form == in_extended_field ? device.number(extended, 4) & 0x7fffffff : short_form;
}

/// The module in a socket; no bytes: none is in it, or its speed is not reported.
Module module_in(const Structure& device) {
  Module module;
  const std::uint64_t size = device.number(0x0c, 2);
  const bool in_kib = (size & 0x8000) != 0;
  const std::uint64_t mebibytes = size == 0x7fff ? device.number(0x1c, 4) & 0x7fffffff : size;
  const std::uint64_t rated = speed(device, 0x15, 0x54);
  const std::uint64_t configured = speed(device, 0x20, 0x58);
  module.mega_transfers = configured > 0 ? configured : rated;
  if (size == 0xffff || module.mega_transfers == 0) return module;
  module.bytes = static_cast<std::int64_t>(in_kib ? (size & 0x7fff) << 10 : mebibytes << 20);
  module.name = fmt::format("{}-{}", type_name(device.number(0x12, 1)), rated > 0 ? rated : configured);
  if (rated > 0 && module.mega_transfers != rated)
    module.name += fmt::format(" at {} MT/s", module.mega_transfers);
  if (const std::uint64_t width = device.number(0x0a, 2); width != in_extended_field)
    module.width_bits = width;
  std::string channel = channel_in(device.text(0x11));
  if (channel.empty()) channel = channel_in(device.text(0x10));
  if (!channel.empty()) module.channel = fmt::format("{} {}", device.number(0x04, 2), channel);
  return module;
}

std::vector<Module> modules_in(std::string_view table) {
  std::vector<Module> modules;
  while (true) {
    const Structure structure(table);
    if (!structure.whole() || structure.type() == end_of_table) return modules;
    if (structure.type() == memory_device)
      if (Module module = module_in(structure); module.bytes > 0) modules.push_back(std::move(module));
    table.remove_prefix(structure.size());
  }
}

/// "16 x 64 GiB DDR5-4800", equal ones together.
std::string described(const std::vector<Module>& modules) {
  std::vector<std::pair<std::string, int>> kinds;
  for (const Module& module : modules) {
    const std::string kind =
        fmt::format("{:.6g} GiB {}", static_cast<double>(module.bytes) / gibi, module.name);
    const auto known = std::ranges::find(kinds, kind, &std::pair<std::string, int>::first);
    if (known == kinds.end())
      kinds.emplace_back(kind, 1);
    else
      ++known->second;
  }
  std::vector<std::string> pieces;
  pieces.reserve(kinds.size());
  for (const auto& [kind, count] : kinds) pieces.push_back(fmt::format("{} x {}", count, kind));
  return joined(pieces, ", ");
}

}  // namespace

MemoryModules read_memory_modules(const std::filesystem::path& root) {
  MemoryModules found;
  const fs::path path = root / "sys/firmware/dmi/tables/DMI";
  std::error_code code;
  if (!fs::exists(path, code)) return found;
  const auto table = file_content(path);
  if (!table) {
    found.note =
        "only root can read the memory modules: state memory_bandwidth_gb_s if STREAM is to be judged";
    return found;
  }
  const std::vector<Module> modules = modules_in(*table);
  if (modules.empty()) return found;
  found.text = described(modules);
  std::map<std::string, double> channels;  // 10^9 bytes per second of each
  for (const Module& module : modules) {
    if (module.channel.empty() || module.width_bits == 0) return found;
    const double rate = static_cast<double>(module.width_bits * module.mega_transfers) / 8 / 1000;
    const auto [channel, fresh] = channels.try_emplace(module.channel, rate);
    if (!fresh) channel->second = std::min(channel->second, rate);
  }
  found.text += fmt::format(" in {} channel{}", channels.size(), channels.size() == 1 ? "" : "s");
  double sum = 0;
  for (const auto& [name, rate] : channels) sum += rate;
  found.bandwidth_gb_s = sum;
  return found;
}

}  // namespace shakedown
