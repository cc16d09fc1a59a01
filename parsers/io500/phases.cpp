#include "parsers/io500/phases.hpp"

#include <algorithm>
#include <cctype>

namespace shakedown {

const Io500Official* io500_official_phase(std::string_view name) {
  const auto* it = std::find_if(io500_official.begin(), io500_official.end(),
                                [&](const Io500Official& phase) { return phase.name == name; });
  return it == io500_official.end() ? nullptr : it;
}

std::optional<std::string> io500_phase_name(std::string_view printed) {
  constexpr size_t longest = 40;
  if (printed.size() > longest) return std::nullopt;
  std::string name(printed);
  std::replace(name.begin(), name.end(), '_', '-');
  const bool known = name == "find" || name == "timestamp" || name.starts_with("ior-") ||
                     name.starts_with("mdtest-") || name.starts_with("find-") ||
                     name.starts_with("mdworkbench-");
  const bool clean = std::all_of(name.begin(), name.end(), [](char c) {
    return c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  });
  if (!known || !clean) return std::nullopt;
  return name;
}

std::optional<std::string_view> io500_unit(std::string_view printed) {
  if (printed == "GiB/s" || printed == "GB/s") return "GiB/s";
  if (printed == "kIOPS" || printed == "kiops") return "kIOPS";
  return std::nullopt;
}

std::string_view io500_unit_of_phase(std::string_view name) {
  return name.starts_with('i') ? "GiB/s" : "kIOPS";
}

bool io500_counts_in_extended(std::string_view name) {
  return name != "timestamp" && name != "mdworkbench-create" && name != "mdworkbench-delete" &&
         name != "ior-rnd4K-easy-read";
}

std::string io500_metric(std::string_view phase, std::string_view unit) {
  std::string name;
  for (const char c : phase)
    name += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (unit == "GiB/s") return name + "_gib_s";
  if (unit == "kIOPS") return name + "_kiops";
  return name + "_" + std::string(unit);
}

}  // namespace shakedown
