#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "parsers/rules/rule.hpp"

namespace shakedown {

/// What a rule found in the evidence.
struct Finding {
  RuleStatus status = RuleStatus::unknown;
  std::string value;  ///< with numbers
  int line = 0;       ///< of the log; 0: no line
  std::string text;   ///< why: a sentence for fail and unknown
};

/// A row of a rule book.
struct Rule {
  std::string_view id;
  Severity severity = Severity::validity;
  std::string_view title;   ///< a sentence: what the rule demands
  std::string_view source;  ///< where it comes from
  Finding (*find)(const Evidence&) = nullptr;
};

std::vector<RuleResult> applied(std::span<const Rule> rules, const Evidence& evidence);

Finding passed(std::string value, int line = 0, std::string text = {});
Finding failed(std::string value, int line, std::string text);
Finding unknown(std::string text, std::string value = {}, int line = 0);
/// `passed` where `holds`, else `failed` with `text`.
Finding checked(bool holds, std::string value, int line, std::string text);
/// A rule that does not apply here is not broken: it passes and says why.
Finding not_applicable(std::string text);

/// The whole-number parameter `name` of a result or a case; nothing where it is absent or a text.
std::optional<std::int64_t> whole_parameter(std::span<const Parameter> parameters, std::string_view name);

}  // namespace shakedown
