#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"
#include "parsers/rules/finding.hpp"

namespace shakedown::rules {
namespace {

Finding nvbandwidth_no_error(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* error = result.fact("error"))
    return failed(error->value, error->line, "a test failed, or its copy did not hold what it must");
  if (!result.complete) return unknown(result.reason);
  if (const Fact* test = result.fact("no_matrix"))
    return unknown(fmt::format("{} has a sum and no matrix, which nvbandwidth always prints", test->value),
                   test->value, test->line);
  return passed(fmt::format("{} tests", whole_parameter(result.parameters, "tests").value_or(0)));
}

Finding sums(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  int checks = 0;
  int line = 0;
  for (const Fact& sum : result.facts) {
    if (!sum.name.starts_with("sum ")) continue;
    const std::string test = sum.name.substr(4);
    if (result.fact("rows_left_out " + test) != nullptr) continue;
    double low = 0;
    double high = 0;
    bool any = false;
    for (const Fact& row : result.facts) {
      if (row.name != "cells " + test) continue;
      for (const std::string_view cell : words(row.value))
        if (const auto value = printed_number(cell)) {
          if (value->high < 0)
            return failed(std::string(cell), row.line, fmt::format("{} has a rate below 0", test));
          low += value->low;
          high += value->high;
          any = true;
        }
    }
    const auto printed = printed_number(sum.value);
    if (!any || !printed) continue;
    if (!overlap(printed->low, printed->high, low, high))
      return failed(fmt::format("{}; the matrix gives {} to {}", sum.value, number(low, 7), number(high, 7)),
                    sum.line, fmt::format("the sum of {} is not that of its matrix", test));
    ++checks;
    line = sum.line;
  }
  return checks == 0 ? unknown("the log has no matrix with its sum")
                     : passed(fmt::format("{} sums", checks), line);
}

Finding nothing_waived(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* waived = result.fact("waived");
  const auto devices = whole_parameter(result.parameters, "devices");
  if (waived == nullptr || !devices) return unknown("the log does not list the devices");
  if (*devices < 2) return not_applicable("one GPU has no other to copy to");
  return checked(waived->value == "0", fmt::format("{} tests waived on {} GPUs", waived->value, *devices),
                 waived->line, "tests were not run: the GPUs may not reach each other");
}

constexpr std::array nvbandwidth_table = {
    Rule{"NVB-01", Severity::validity, "No test ends with an error", "nvbandwidth, output.cpp",
         nvbandwidth_no_error},
    Rule{"NVB-02", Severity::validity, "A sum is that of its matrix, whose rates are not below 0",
         "nvbandwidth, inline_common.h", sums},
    Rule{"NVB-03", Severity::warning, "With several GPUs no test is waived", "nvbandwidth, testcase.cpp",
         nothing_waived},
};

std::vector<RuleResult> judge_nvbandwidth(const Evidence& evidence, std::vector<RuleResult> room) {
  return applied(nvbandwidth_table, evidence, std::move(room));
}

}  // namespace

extern const RuleBook nvbandwidth;
const RuleBook nvbandwidth = {.suite = "nvbandwidth", .own_check = "NVB-01", .judge = judge_nvbandwidth};

}  // namespace shakedown::rules
