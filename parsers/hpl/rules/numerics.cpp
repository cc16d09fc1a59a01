#include <fmt/format.h>

#include <algorithm>
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
  if (value && (*value > 1e-12 || *value < 0))
    return failed("eps = " + eps->value, eps->line,
                  "the machine precision printed is not that of 64-bit numbers");
  if (result.implementation == "reference")
    return passed("eps = " + eps->value, eps->line, "this program has no other arithmetic");
  return unknown(
      "eps is that of 64-bit numbers; how the library multiplies (refinement, Strassen) no log shows",
      "eps = " + eps->value, eps->line);
}

/// The fact "setting NAME", or null.
const Fact* setting_fact(const ParsedResult& result, std::string_view name) {
  constexpr std::string_view label = "setting ";
  const auto it = std::ranges::find_if(result.facts, [&](const Fact& fact) {
    return fact.name.starts_with(label) && std::string_view(fact.name).substr(label.size()) == name;
  });
  return it == result.facts.end() ? nullptr : &*it;
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
    if (const Fact* fact = setting_fact(*evidence.result, name))
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

/// What is stated of the arithmetic: by the log, by the plan, or by whoever imported the log.
std::optional<Finding> stated_arithmetic(const Evidence& evidence) {
  static constexpr std::array<std::string_view, 3> names = {
      "HPL_EMULATE_DOUBLE_PRECISION", "CUBLAS_EMULATE_DOUBLE_PRECISION", "emulate_double_precision"};
  constexpr std::string_view emulated = "64-bit arithmetic is emulated: a class of its own";
  if (const auto found = setting(evidence, names))
    return checked(is_off(found->value), found->name + " = " + found->value, found->line,
                   std::string(emulated));
  if (const Value* mode = find_parameter(evidence.stated, "fp64_mode"))
    return checked(value_text(*mode) == "native",
                   fmt::format("fp64_mode = {}, as stated at the import", value_text(*mode)), 0,
                   std::string(emulated));
  return std::nullopt;
}

constexpr int first_with_emulation = 2504;

/// Whether the solver's own stamp is older than the first version that can emulate FP64.
bool ran_before_emulation(const ParsedResult& result) {
  const Fact* started = result.fact("started");
  const auto time = started == nullptr ? std::nullopt : calendar_time(started->value);
  return time && (time->tm_year - 100) * 100 + time->tm_mon + 1 < first_with_emulation;
}

Finding no_emulation(const Evidence& evidence) {
  if (const auto stated = stated_arithmetic(evidence)) return *stated;
  const ParsedResult& result = *evidence.result;
  if (result.implementation == "reference") return passed("FP64 of the CPU");
  if (result.implementation != "nvidia")
    return unknown("the log does not print whether the library emulates FP64");
  if (result.version.empty() && ran_before_emulation(result))
    return passed("run on " + result.fact("started")->value + ", before version 25.04",
                  result.fact("started")->line);
  if (result.version.empty())
    return unknown("the log names no version; NVIDIA's HPL can emulate FP64 from 25.04 on");
  if (nvidia_release(result.version) < first_with_emulation) return passed("version " + result.version);
  return unknown("the log does not print whether FP64 emulation, which this version offers, was on",
                 "version " + result.version);
}

/// A program that can emulate FP64 must be known not to have done so.
Finding emulation_is_known(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (result.implementation != "nvidia") return not_applicable("only NVIDIA's HPL can emulate FP64 itself");
  const Finding found = no_emulation(evidence);
  if (found.status != RuleStatus::unknown) return passed(found.value, found.line);
  return unknown(
      found.text +
          ": run it with HPL_EMULATE_DOUBLE_PRECISION=0 in the plan or printed in the log, or state "
          "the mode where the log is imported: `shakedown import --state fp64_mode=native`",
      found.value);
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
  if (const Fact* second = result.fact("second_footer"))
    return failed(value, second->line, fmt::format("a second footer counts otherwise: '{}'", second->value));
  if (const Fact* second = result.fact("second_end"))
    return unknown("the log has a second 'End of Tests.', and whose tests are between the two is not known",
                   value, second->line);
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
  const Fact* threshold = result.fact("threshold");
  const auto limit = threshold == nullptr ? std::nullopt : finite_number(threshold->value);
  if (threshold != nullptr && limit && *limit < 0)
    return failed(value, threshold->line, "HPL checks nothing with a threshold below 0");
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

/// How a program prints its residuals: digits behind the point, with an exponent of two digits or without.
struct ResidualForm {
  size_t decimals = 0;
  bool exponent = false;
};

/// The form of the version that the banner names; nothing where it is not known.
std::optional<ResidualForm> residual_form(const ParsedResult& result) {
  constexpr ResidualForm fixed = {7, false};      // "%16.7f"
  constexpr ResidualForm scientific = {8, true};  // "%16.8e"
  if (result.implementation == "reference") return scientific;
  if (result.implementation == "nvidia") {
    if (result.version == "1.0.0") return fixed;
    const int release = nvidia_release(result.version);
    if (release >= 2300 && release < 2600) return ResidualForm{12, false};
    return std::nullopt;
  }
  const Fact* banner = result.fact("hplinpack");
  if (banner == nullptr) return std::nullopt;
  for (const std::string_view version : {"1.0", "1.0a", "2.0", "2.1", "2.2"})
    if (banner->value == version) return fixed;
  if (banner->value == "2.3") return scientific;
  return std::nullopt;
}

bool is_of_form(std::string_view printed, const ResidualForm& form) {
  const auto all_digits = [](std::string_view text) {
    return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
  };
  const size_t e = std::min(printed.find('e'), printed.size());
  if ((e < printed.size()) != form.exponent) return false;
  if (form.exponent && (printed.size() - e < 4 || (printed[e + 1] != '+' && printed[e + 1] != '-') ||
                        !all_digits(printed.substr(e + 2))))
    return false;
  const std::string_view mantissa = printed.substr(0, e);
  const size_t point = std::min(mantissa.find('.'), mantissa.size());
  if (!all_digits(mantissa.substr(0, point)) || (form.exponent && point != 1)) return false;
  return point < mantissa.size() && all_digits(mantissa.substr(point + 1)) &&
         mantissa.size() - point - 1 == form.decimals;
}

/// A residual in another form was printed by another program, or typed.
Finding own_form(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* printed = result.fact("residual_printed");
  if (printed == nullptr || !finite_number(printed->value)) return unknown("the log has no residual");
  const auto form = residual_form(result);
  if (!form)
    return unknown("how this program prints its residual is not known", printed->value, printed->line);
  return checked(
      is_of_form(printed->value, *form),
      result.version.empty() ? printed->value : fmt::format("{}, version {}", printed->value, result.version),
      printed->line, "this version prints its residual in another form: the check is not its own");
}

constexpr std::array hpl_numerics_table = {
    Rule{"HPL-01", Severity::validity,
         "The system is solved in 64-bit arithmetic, without refinement or Strassen's method",
         "TOP500, rules for HPL; netlib HPL FAQ", double_precision},
    Rule{"HPL-02", Severity::validity, "FP64 is computed by the hardware, not emulated",
         "NVIDIA HPC Benchmarks, release notes 25.04", no_emulation},
    Rule{"HPL-02b", Severity::validity,
         "It is known whether FP64 was emulated, where the program can emulate it",
         "NVIDIA HPC Benchmarks, release notes 25.04", emulation_is_known},
    Rule{"HPL-03", Severity::validity,
         "The scaled residual is below 16.0, its line ends in PASSED, and the footer confirms it",
         "netlib HPL 2.3, HPL.dat line 13 and HPL_pdtest.c", hpl_own_check},
    Rule{"HPL-03c", Severity::warning, "The run's own threshold is above 0 and at most 16.0",
         "netlib HPL 2.3, HPL.dat line 13", usual_threshold},
    Rule{"HPL-03d", Severity::validity, "The residual is printed as the banner's version prints it",
         "netlib HPL 1.0 to 2.3, HPL_pdtest.c: %16.7f, from 2.3 on %16.8e; NVIDIA's from 23.3 on %.12f",
         own_form},
};

}  // namespace

std::span<const Rule> hpl_numerics_rules() {
  return hpl_numerics_table;
}

}  // namespace shakedown
