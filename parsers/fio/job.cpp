#include "parsers/fio/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/lines.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// Where the digits end.
size_t digits_of(std::string_view text) {
  return std::min(text.find_first_not_of("0123456789."), text.size());
}

void add_fio_metric(ParsedResult& result, std::string name, std::optional<double> value, int line) {
  if (value) result.metrics.push_back({std::move(name), *value, line});
}

void add_fio_fact(ParsedResult& result, std::string name, const std::string& value, int line) {
  if (!value.empty()) result.facts.push_back({std::move(name), value, line});
}

}  // namespace

FioDirection& FioJob::direction(std::string_view direction_name, int line_number) {
  const auto at = std::find_if(directions.begin(), directions.end(),
                               [&](const FioDirection& d) { return d.name == direction_name; });
  if (at != directions.end()) return *at;
  directions.emplace_back();
  directions.back().name = direction_name;
  directions.back().line = line_number;
  return directions.back();
}

std::optional<FioRate> fio_rate(std::string_view printed) {
  printed = trimmed(printed);
  const size_t length = digits_of(printed);
  const auto value = finite_number(printed.substr(0, length));
  const std::string_view unit = trimmed(printed.substr(length));
  if (!value || !unit.ends_with("B/s") || unit.size() > 5) return std::nullopt;
  FioRate rate;
  rate.value = *value;
  for (const char c : unit.substr(0, unit.size() - 2))
    rate.unit += static_cast<char>(c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c);
  rate.unit += "_s";
  return rate;
}

std::optional<double> fio_count(std::string_view printed) {
  const size_t length = digits_of(printed);
  const auto value = finite_number(printed.substr(0, length));
  const std::string_view unit = printed.substr(length);
  if (!value) return std::nullopt;
  if (unit.empty()) return value;
  if (unit == "k" || unit == "K") return *value * 1e3;
  if (unit == "M" || unit == "m") return *value * 1e6;
  return std::nullopt;
}

ParsedResult fio_result(FioJob&& job, std::string_view version, std::string reason) {
  ParsedResult result;
  result.suite = "fio";
  result.implementation = "fio";
  result.version = version;
  result.parameters.push_back({"job", job.name});
  for (const auto& [name, text] : {std::pair{"group", &job.group}, {"jobs", &job.members}})
    if (const auto value = count_of(*text))
      result.parameters.push_back({name, static_cast<std::int64_t>(*value)});
  for (Parameter& option : job.options) result.parameters.push_back(std::move(option));
  add_fio_fact(result, "error", job.error, job.line);
  add_fio_fact(result, "short", job.issued_short, job.issued_line);
  if (job.old_units) result.facts.push_back({"units", "KB is 1024 bytes", job.line});
  for (const FioDirection& direction : job.directions) {
    const std::string& name = direction.name;
    if (const auto rate = fio_rate(direction.bw))
      result.metrics.push_back({fmt::format("{}_bw_{}", name, rate->unit), rate->value, direction.line});
    add_fio_metric(result, name + "_iops", fio_count(direction.iops), direction.line);
    if (!direction.lat_unit.empty())
      add_fio_metric(result, fmt::format("{}_lat_mean_{}", name, direction.lat_unit),
                     finite_number(direction.lat_mean), direction.lat_line);
    if (!direction.clat_unit.empty())
      add_fio_metric(result, fmt::format("{}_clat_p99_{}", name, direction.clat_unit),
                     finite_number(direction.clat_p99), direction.clat_line);
    add_fio_fact(result, name + " bw", direction.bw, direction.line);
    add_fio_fact(result, name + " bw other", direction.bw_other, direction.line);
    add_fio_fact(result, name + " iops", direction.iops, direction.line);
    add_fio_fact(result, name + " io", direction.io, direction.line);
    for (size_t i = 0; i < fio_latency_kinds.size(); ++i)
      if (const FioLatency& kind = direction.latencies[i]; kind.line != 0)
        add_fio_fact(result, fmt::format("{} {}", name, fio_latency_kinds[i]),
                     fmt::format("{} {} {}", kind.least, kind.mean, kind.largest), kind.line);
    add_fio_fact(result, name + " runtime", direction.runtime, direction.line);
    add_fio_fact(result, name + " ios", direction.ios, direction.ios_line);
  }
  result.reason = std::move(reason);
  if (result.reason.empty() && result.metrics.empty())
    result.reason = fmt::format("line {}: job '{}' did no I/O", job.line, job.name);
  result.complete = result.reason.empty();
  return result;
}

}  // namespace shakedown
