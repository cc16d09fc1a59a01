#pragma once
#include <initializer_list>
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
  std::string text;   ///< why: a sentence for fail, unknown and n/a
};

/// A row of a rule book.
struct Rule {
  std::string_view id;
  Severity severity = Severity::validity;
  std::string_view title;   ///< a sentence: what the rule demands
  std::string_view source;  ///< where it comes from
  Finding (*find)(const Evidence&) = nullptr;
};

/// `room`: results that are no longer needed, whose memory is used again.
std::vector<RuleResult> applied(std::span<const Rule> rules, const Evidence& evidence,
                                std::vector<RuleResult> room = {});
/// The rules of several tables, in their order.
std::vector<RuleResult> applied(std::initializer_list<std::span<const Rule>> tables, const Evidence& evidence,
                                std::vector<RuleResult> room = {});

Finding passed(std::string value, int line = 0, std::string text = {});
Finding failed(std::string value, int line, std::string text);
Finding unknown(std::string text, std::string value = {}, int line = 0);
/// `passed` where `holds`, else `failed` with `text`.
Finding checked(bool holds, std::string value, int line, std::string_view text);
/// A rule that concerns other runs than this one; `text` names which.
Finding not_applicable(std::string text);

/// Whether the rates of an implementation are those of GPUs: `gpu_implementations` of comparability.toml.
bool computes_on_gpus(std::string_view implementation);

/// A rate that the screen of `suite` measured, for as many nodes as the case has; nothing where no such
/// screen was run with it on the devices that the case runs on, or the number of its nodes is not known.
std::optional<double> screened_rate(const Evidence& evidence, std::string_view suite,
                                    std::string_view metric);

/// The nodes' group: the one that the plan's hosts are of, else the inventory's only one; else null.
const NodeGroup* group_of_case(const Evidence& evidence);

/// The whole-number parameter `name` of a result or a case; nothing where it is absent or a text.
std::optional<std::int64_t> whole_parameter(std::span<const Parameter> parameters, std::string_view name);

}  // namespace shakedown
