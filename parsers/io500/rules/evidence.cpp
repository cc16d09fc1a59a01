#include <algorithm>
#include <cctype>

#include "orchestrator/core/text.hpp"
#include "parsers/io500/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {}  // namespace

std::optional<Io500Printed> io500_printed(const ParsedResult& result, std::string_view fact) {
  const Fact* found = result.fact(fact);
  if (found == nullptr) return std::nullopt;
  const auto value = finite_number(found->value);
  if (!value) return std::nullopt;
  return Io500Printed{*value, half_unit(found->value) * (1 + 1e-9), found->line, found->value};
}

std::optional<std::string_view> io500_command(const ParsedResult& result, std::string_view phase) {
  const Fact* fact = result.fact(std::string(phase) + ".exe");
  if (fact == nullptr || fact->value.empty()) return std::nullopt;
  return fact->value;
}

std::int64_t io500_clients(const Evidence& evidence) {
  if (const auto clients = whole_parameter(evidence.result->parameters, "clients")) return *clients;
  return evidence.planned == nullptr ? 0 : evidence.planned->nodes;
}

std::string io500_planned_setting(const Evidence& evidence, std::string_view section, std::string_view key) {
  if (evidence.planned == nullptr) return {};
  std::string value;
  for (const TextFile& file : evidence.planned->files) {
    if (!file.name.ends_with(".ini")) continue;
    bool inside = false;
    for (const std::string_view whole : split(file.content, '\n')) {
      const std::string_view line = trimmed(whole);
      if (line.starts_with('[')) inside = lower(line) == lower("[" + std::string(section) + "]");
      const size_t equals = line.find('=');
      if (inside && equals != std::string_view::npos && lower(trimmed(line.substr(0, equals))) == lower(key))
        value = lower(trimmed(line.substr(equals + 1)));
    }
  }
  return value;
}

}  // namespace shakedown
