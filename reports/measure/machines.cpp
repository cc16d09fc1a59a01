#include "reports/measure/machines.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string_view>

#include "orchestrator/core/text.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {
namespace {

/// "osk-gpu" for "osk-gpu01.cluster", "cnode-" for "cnode3-002".
std::string host_stem(std::string_view host) {
  host = host.substr(0, host.find('.'));
  std::string stem;
  for (const char c : host)
    if (c < '0' || c > '9') stem += c;
  return stem;
}

/// The stems of "cn001:4,cn002:4"; nothing where they differ from each other.
std::optional<std::string> stem_of_hosts(std::string_view hosts) {
  std::set<std::string> stems;
  for (const std::string_view each : split(hosts, ','))
    stems.insert(host_stem(each.substr(0, each.find(':'))));
  return stems.size() == 1 && !stems.begin()->empty() ? std::optional(*stems.begin()) : std::nullopt;
}

/// "NVIDIA DGX H100" for "32xNVIDIA DGX H100".
std::string without_number(const std::string& platform) {
  const size_t end = platform.find_first_not_of("0123456789");
  const bool counted = end != std::string::npos && end > 0 && platform[end] == 'x';
  return counted ? platform.substr(end + 1) : platform;
}

/// What a fill-in of a logger stands for: nothing.
bool is_placeholder(std::string_view text) {
  return text.empty() || text.find("PLACEHOLDER") != text.npos;
}

}  // namespace

std::map<std::string, std::string> stated_machine(const MeasuredCase& record) {
  std::map<std::string, std::string> found;
  for (const CountedResult& counted : record.own) {
    const ParsedResult& parsed = counted.result->parsed;
    if (const Value* gpu = find_parameter(parsed.parameters, "gpu"))
      found.try_emplace("GPU", value_text(*gpu));
    if (const Fact* gpu = parsed.fact("gpu")) found.try_emplace("GPU", gpu->value);
    for (const char* name : {"platform", "organization"})
      if (const Value* value = find_parameter(parsed.parameters, name)) {
        const std::string text = without_number(value_text(*value));
        if (!is_placeholder(text)) found.try_emplace(name, text);
      }
    for (const char* name : {"hosts", "host"})
      if (const Fact* hosts = parsed.fact(name))
        if (auto stem = stem_of_hosts(hosts->value)) found.try_emplace("hosts called", *stem);
  }
  return found;
}

std::vector<MachineMark> differing_machines(const std::vector<MeasuredCase>& cases) {
  std::map<std::string, MachineMark> marks;
  for (const MeasuredCase& record : cases)
    for (const auto& [what, value] : stated_machine(record)) {
      marks[what].what = what;
      marks[what].values[value].push_back(record.planned.id);
    }
  std::vector<MachineMark> found;
  for (auto& [what, mark] : marks)
    if (mark.values.size() > 1) found.push_back(std::move(mark));
  return found;
}

std::string several_machines(const MeasuredCampaign& campaign) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> marks;
  for (const MachineMark& mark : campaign.machines) {
    std::vector<std::string> values;
    for (const auto& [value, cases] : mark.values) {
      std::vector<std::string> named(
          cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(std::min(cases.size(), most_named)));
      if (cases.size() > most_named) named.push_back(fmt::format("{} more", cases.size() - most_named));
      values.push_back(fmt::format("{} ({})", value, joined(named, ", ")));
    }
    marks.push_back(fmt::format("{} {}", mark.what, joined(values, " and ")));
  }
  return marks.empty() ? "" : "the logs are of several machines: " + joined(marks, "; ");
}

}  // namespace shakedown
