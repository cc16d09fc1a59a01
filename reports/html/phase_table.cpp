#include "reports/html/phase_table.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {
namespace {

std::string said(const ParsedResult& result, const Phase& phase) {
  const bool cached = std::any_of(result.facts.begin(), result.facts.end(), [&](const Fact& fact) {
    return fact.name == "cached" && fact.value == phase.name;
  });
  if (!phase.valid) return "[INVALID]";
  return cached ? "cached: may come from the client's own memory; compares with nothing" : "";
}

}  // namespace

std::vector<Fields> phase_rows(const CaseRecord& record) {
  const auto results = own_results(record);
  std::vector<Fields> rows;
  if (results.empty()) return rows;
  const ParsedResult& result = results.back().result->parsed;
  for (const Phase& phase : result.phases)
    if (phase.scored)
      rows.push_back(Fields()
                         .text("name", phase.name)
                         .text("rate", fmt::format("{} {}", number(phase.value), phase.unit))
                         .text("time", fmt::format("{} s", number(phase.time_s)))
                         .text("said", said(result, phase)));
  return rows;
}

}  // namespace shakedown
