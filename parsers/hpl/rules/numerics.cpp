#include <fmt/format.h>

#include <array>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/hpl/rules/rules.hpp"
#include "parsers/hpl/words.hpp"
#include "parsers/number.hpp"

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

/// The setting's value by any of `names`, from the log or the plan: the first that is on, if any is.
struct Setting {
  std::string name;
  std::string value;
  int line = 0;
};
std::optional<Setting> setting(const Evidence& evidence, std::span<const std::string_view> names) {
  std::optional<Setting> found;
  const auto take = [&](Setting said) {
    if (!found || (is_off(found->value) && !is_off(said.value))) found = std::move(said);
  };
  for (const std::string_view name : names) {
    if (const Fact* fact = evidence.result->fact(fmt::format("setting {}", name)))
      take({std::string(name), fact->value, fact->line});
    else if (evidence.planned != nullptr)
      if (const Value* value = find_parameter(evidence.planned->environment, name))
        take({std::string(name), value_text(*value), 0});
  }
  return found;
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
    return checked(is_off(found->value), found->name + " = " + found->value, found->line,
                   "64-bit arithmetic is emulated: a class of its own");
  }
  const ParsedResult& result = *evidence.result;
  if (result.implementation == "reference") return passed("FP64 of the CPU");
  if (result.implementation != "nvidia")
    return unknown("the log does not print whether the library emulates FP64");
  constexpr int first_with_emulation = 2504;
  if (result.version.empty())
    return unknown("the log names no version; NVIDIA's HPL can emulate FP64 from 25.04 on");
  if (nvidia_release(result.version) < first_with_emulation) return passed("version " + result.version);
  return unknown("the log does not print whether FP64 emulation, which this version offers, was on",
                 "version " + result.version);
}

std::optional<std::int64_t> count(const ParsedResult& result, const char* name) {
  const Fact* fact = result.fact(name);
  if (fact == nullptr) return std::nullopt;
  const auto parsed = parsed_integer(fact->value);
  return parsed ? std::optional(*parsed) : std::nullopt;
}

/// Each row is judged by its own line; the footer must bear it out, since a word is easily changed and a
/// block easily cut out. Nothing where it does.
std::optional<Finding> footer_finding(const ParsedResult& result, const std::string& value) {
  if (!count(result, "rows_passed")) return std::nullopt;  // of a run with more rows than are stored
  // Without its head a log may be the end of a longer one; a row without its check may be any of them.
  const bool whole = !result.version.empty() && result.fact("rows_unchecked") == nullptr;
  std::int64_t sum = 0;
  for (const auto& [footer, rows, word] : {std::tuple("tests_passed", "rows_passed", "passed"),
                                           std::tuple("tests_failed", "rows_failed", "failed"),
                                           std::tuple("tests_skipped", "rows_skipped", "were skipped")}) {
    const auto counted = count(result, footer);
    const auto seen = count(result, rows);
    if (!counted || !seen) continue;
    sum += *counted;
    const int line = result.fact(footer)->line;
    const std::string text =
        fmt::format("the footer counts {} tests that {}, the log shows {}", *counted, word, *seen);
    if (*seen > *counted || (*seen < *counted && whole)) return failed(value, line, text);
    if (*seen < *counted) return unknown(text, value, line);
  }
  const auto finished = count(result, "tests_finished");
  if (!finished || !count(result, "tests_passed") || !count(result, "tests_failed")) return std::nullopt;
  sum += count(result, "tests_unchecked").value_or(0);
  if (*finished == sum) return std::nullopt;
  return failed(value, result.fact("tests_finished")->line,
                fmt::format("the footer counts {} finished tests, by their results {}", *finished, sum));
}

Finding hpl_own_check(const Evidence& evidence) {
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
    return failed(value, check->line, "the line reads PASSED with a residual that is not below 16.0");
  if (const auto doubt = footer_finding(result, value)) return *doubt;
  return passed(value, check->line);
}

Finding usual_threshold(const Evidence& evidence) {
  const Fact* threshold = evidence.result->fact("threshold");
  if (threshold == nullptr) return unknown("the log does not print the threshold");
  const auto value = finite_number(threshold->value);
  if (!value || !(*value > 0))
    return failed(threshold->value, threshold->line,
                  "this is no usable limit: HPL prints one decimal, so a small one becomes 0.0");
  return checked(*value <= residual_limit, threshold->value, threshold->line,
                 "the run loosened its check: it prints PASSED up to this residual");
}

/// netlib's 2.0 to 2.2 print "%16.7f", 2.3 prints "%16.8e": another form is the check of another program's
/// run.
Finding own_form(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* printed = result.fact("residual_printed");
  if (printed == nullptr || !finite_number(printed->value)) return unknown("the log has no residual");
  const bool fixed = result.version == "2.0" || result.version == "2.1" || result.version == "2.2";
  if (result.implementation != "netlib" || (!fixed && result.version != "2.3"))
    return unknown("how this program prints its residual is not known", printed->value, printed->line);
  const bool exponent = printed->value.find('e') != std::string::npos;
  return checked(exponent != fixed, fmt::format("{}, version {}", printed->value, result.version),
                 printed->line, "this version prints its residual in another form: the check is not its own");
}

constexpr std::array hpl_numerics_table = {
    Rule{"HPL-01", Severity::validity,
         "The system is solved in 64-bit arithmetic, without refinement or Strassen's method",
         "TOP500, rules for HPL; netlib HPL FAQ", double_precision},
    Rule{"HPL-02", Severity::validity, "FP64 is computed by the hardware, not emulated",
         "NVIDIA HPC Benchmarks, release notes 25.04", no_emulation},
    Rule{"HPL-03", Severity::validity,
         "The scaled residual is below 16.0, its line ends in PASSED, and the footer confirms it",
         "netlib HPL 2.3, HPL.dat line 13 and HPL_pdtest.c", hpl_own_check},
    Rule{"HPL-03c", Severity::warning, "The run's own threshold is above 0 and at most 16.0",
         "netlib HPL 2.3, HPL.dat line 13", usual_threshold},
    Rule{"HPL-03d", Severity::validity, "The residual is printed as the banner's version prints it",
         "netlib HPL 2.0 to 2.3, HPL_pdtest.c", own_form},
};

}  // namespace

std::span<const Rule> hpl_numerics_rules() {
  return hpl_numerics_table;
}

}  // namespace shakedown
