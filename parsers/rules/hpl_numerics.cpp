#include <fmt/format.h>

#include <array>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"
#include "parsers/rules/hpl_rules.hpp"

namespace shakedown {
namespace {

/// netlib's HPL.dat and the check that TOP500 refers to; a threshold that a run loosened does not count.
constexpr double residual_limit = 16.0;

Finding double_precision(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* precision = result.fact("precision"))
    return checked(precision->value.starts_with("FP64"), precision->value, precision->line,
                   fmt::format("the program computes in {}", precision->value));
  const Fact* eps = result.fact("eps");
  if (eps == nullptr) return unknown("the log names no working precision");
  const auto value = finite_number(eps->value);
  if (value && *value > 1e-12)
    return failed("eps = " + eps->value, eps->line,
                  "the machine precision printed is not that of 64-bit numbers");
  if (result.implementation == "reference")
    return passed("eps = " + eps->value, eps->line, "this program has no other arithmetic");
  return unknown(
      "eps is that of 64-bit numbers; how the library multiplies (refinement, Strassen) no log shows",
      "eps = " + eps->value, eps->line);
}

/// The setting's value by any of `names`, from the log or the plan.
struct Setting {
  std::string name;
  std::string value;
  int line = 0;
};
std::optional<Setting> setting(const Evidence& evidence, std::span<const std::string_view> names) {
  for (const std::string_view name : names) {
    if (const Fact* fact = evidence.result->fact(fmt::format("setting {}", name)))
      return Setting{std::string(name), fact->value, fact->line};
    if (evidence.planned == nullptr) continue;
    if (const Value* value = find_parameter(evidence.planned->environment, name))
      return Setting{std::string(name), value_text(*value), 0};
  }
  return std::nullopt;
}

/// Year and month of NVIDIA's version, "25.4.0" -> 2504; 0 for "1.0.0" and what is no such version.
int nvidia_release(std::string_view version) {
  const auto parts = split(version, '.');
  if (parts.size() < 2) return 0;
  const auto year = parsed_integer(parts[0]);
  const auto month = parsed_integer(parts[1]);
  if (!year || !month || *year < 20 || *year > 99 || *month < 1 || *month > 12) return 0;
  return static_cast<int>(*year * 100 + *month);
}

Finding no_emulation(const Evidence& evidence) {
  static constexpr std::array<std::string_view, 3> names = {
      "HPL_EMULATE_DOUBLE_PRECISION", "CUBLAS_EMULATE_DOUBLE_PRECISION", "emulate_double_precision"};
  if (const auto found = setting(evidence, names)) {
    const bool off = found->value == "0" || found->value == "false" || found->value == "off";
    return checked(off, found->name + " = " + found->value, found->line,
                   "64-bit arithmetic is emulated: a class of its own");
  }
  const ParsedResult& result = *evidence.result;
  if (result.implementation == "reference") return passed("FP64 of the CPU");
  if (result.implementation != "nvidia")
    return unknown("the log does not say whether the library emulates FP64");
  constexpr int first_with_emulation = 2504;
  if (result.version.empty())
    return unknown("the log names no version; NVIDIA's HPL can emulate FP64 from 25.04 on");
  if (nvidia_release(result.version) < first_with_emulation) return passed("version " + result.version);
  return unknown("the log does not say whether FP64 emulation was on, which this version offers",
                 "version " + result.version);
}

Finding own_check(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* check = result.fact("residual_check");
  const Metric* residual = result.metric("residual");
  const Fact* printed = result.fact("residual_printed");
  if (check == nullptr)
    return unknown(result.reason.empty() ? "the log has no residual check" : result.reason);
  const std::string shown = printed != nullptr    ? printed->value
                            : residual != nullptr ? number(residual->value, 9)
                                                  : "";
  const std::string value = fmt::format("residual {} {}", shown, check->value);
  if (check->value != "PASSED") return failed(value, check->line, "the run failed its own residual check");
  if (residual == nullptr) return failed(value, check->line, "a residual that is no number can't pass");
  if (residual->value < 0 || residual->value >= residual_limit)
    return failed(value, check->line, "the line says PASSED with a residual that is not below 16.0");
  // Each row is judged by its own line; the footer must bear it out, since a word is easily changed.
  const auto count = [&](const char* name) -> std::optional<std::int64_t> {
    const Fact* fact = result.fact(name);
    if (fact == nullptr) return std::nullopt;
    const auto parsed = parsed_integer(fact->value);
    return parsed ? std::optional(*parsed) : std::nullopt;
  };
  for (const auto& [footer, rows, word] : {std::tuple("tests_passed", "rows_passed", "passed"),
                                           std::tuple("tests_failed", "rows_failed", "failed")}) {
    const auto counted = count(footer);
    const auto seen = count(rows);
    if (counted && seen && *seen > *counted)
      return failed(
          value, result.fact(footer)->line,
          fmt::format("the footer counts {} tests that {}, the log shows {}", *counted, word, *seen));
  }
  return passed(value, check->line);
}

constexpr std::array rules = {
    Rule{"HPL-01", Severity::validity,
         "The system is solved in 64-bit arithmetic, without refinement or Strassen's method",
         "TOP500, rules for HPL; netlib HPL FAQ", double_precision},
    Rule{"HPL-02", Severity::validity, "FP64 is computed by the hardware, not emulated",
         "NVIDIA HPC Benchmarks, release notes 25.04", no_emulation},
    Rule{"HPL-03", Severity::validity,
         "The scaled residual is below 16.0, its line ends in PASSED, and the footer bears it out",
         "netlib HPL 2.3, HPL.dat line 13 and HPL_pdtest.c", own_check},
};

}  // namespace

std::span<const Rule> hpl_numerics_rules() {
  return rules;
}

}  // namespace shakedown
