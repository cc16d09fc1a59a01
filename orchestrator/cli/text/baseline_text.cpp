#include "orchestrator/cli/text/baseline_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

using nlohmann::ordered_json;

ordered_json json_value(const Value& value) {
  return std::visit([](const auto& held) { return ordered_json(held); }, value);
}

std::string conditions_text(const BaselineValue& value) {
  std::vector<std::string> words;
  words.reserve(value.conditions.size());
  for (const Parameter& condition : value.conditions)
    words.push_back(fmt::format("{} {}", condition.name, value_text(condition.value)));
  return joined(words, ", ");
}

std::string heading(const BaselineValue& value) {
  const std::string runs = value.runs == "1"         ? "one run"
                           : value.runs == "unknown" ? "number of runs unknown"
                                                     : value.runs + " runs";
  if (value.runs == "1" && value.score_rule.starts_with("one"))
    return fmt::format("\n{} ({})\n", value.title, value.score_rule);
  return fmt::format("\n{} ({}; {})\n", value.title, runs, value.score_rule);
}

/// Nine digits, as many as an exact integer of these tables needs, without trailing zeros.
std::string figure(double value) {
  return std::abs(value) < 1e15 && value == std::round(value) ? fmt::format("{:.0f}", value)
                                                              : fmt::format("{:.9g}", value);
}

/// "holds"; "fails" where the row is ok; else what the row or the identity says of the failure.
std::string_view outcome(const IdentityCheck& check) {
  if (check.holds) return "holds";
  return check.contradicts() ? "FAILS" : "fails";
}

/// Why a failure is no surprise: the row's status, or the identity's own reason.
std::string reason(const IdentityCheck& check) {
  if (check.holds) return "";
  if (!check.explanation.empty()) return "no error: " + check.explanation;
  return check.status == "ok" ? "the row is marked ok" : "the row is marked " + check.status;
}

std::string summary(const Baseline& baseline, const std::vector<IdentityCheck>& checks) {
  const auto held =
      std::count_if(checks.begin(), checks.end(), [](const auto& check) { return check.holds; });
  const auto wrong =
      std::count_if(checks.begin(), checks.end(), [](const auto& check) { return check.contradicts(); });
  const auto failing = static_cast<std::ptrdiff_t>(checks.size()) - held;
  return fmt::format("\n{}: {} of {} identities hold; of the {} that fail, {} contradict{} a row marked ok\n",
                     baseline.name, held, checks.size(), failing, wrong == 0 ? "none" : std::to_string(wrong),
                     wrong > 1 ? "" : "s");
}

}  // namespace

std::string baseline_text(const Baseline& baseline) {
  std::string text = fmt::format("{}\n{}\n", baseline.title, baseline.source);
  std::string run;
  for (const BaselineValue& value : baseline.values) {
    if (value.run != run) {
      run = value.run;
      text += heading(value) + "  " + conditions_text(value) + "\n";
    }
    text += fmt::format("  {:<8} {:<32} {:>24}  {:<12}  {}\n", value.suite, value.metric, value.printed,
                        value.status, value.source);
    if (!value.note.empty()) text += fmt::format("{:>11}{}\n", "", value.note);
  }
  return text;
}

ordered_json baseline_json(const Baseline& baseline) {
  ordered_json document;
  document["schema"] = "shakedown.baseline/1";
  document["name"] = baseline.name;
  document["title"] = baseline.title;
  document["source"] = baseline.source;
  document["sha256"] = baseline.sha256;
  document["values"] = ordered_json::array();
  for (const BaselineValue& value : baseline.values) {
    ordered_json entry;
    entry["id"] = value.id;
    entry["run"] = value.run;
    entry["suite"] = value.suite;
    entry["metric"] = value.metric;
    entry["value"] = value.value;
    entry["unit"] = value.unit;
    entry["printed"] = value.printed;
    entry["runs"] = value.runs == "unknown" ? ordered_json(value.runs)
                                            : ordered_json(parsed_integer(value.runs).value_or(0));
    entry["score_rule"] = value.score_rule;
    entry["conditions"] = ordered_json::object();
    for (const Parameter& condition : value.conditions)
      entry["conditions"][condition.name] = json_value(condition.value);
    entry["source"] = value.source;
    entry["status"] = value.status;
    if (!value.note.empty()) entry["note"] = value.note;
    document["values"].push_back(entry);
  }
  return document;
}

std::string identities_text(const Baseline& baseline, const std::vector<IdentityCheck>& checks) {
  std::string text = fmt::format("{}\n\n  {:<5}  {:<42} {:>14} {:>14}  {}\n", baseline.title, "", "ROW",
                                 "PUBLISHED", "RECOMPUTED", "IDENTITY, OR BOUND");
  std::string run;
  for (const IdentityCheck& check : checks) {
    const auto row = std::find_if(baseline.values.begin(), baseline.values.end(),
                                  [&](const BaselineValue& value) { return value.id == check.value_id; });
    if (row != baseline.values.end() && row->run != run) {
      run = row->run;
      text += fmt::format("\n{}\n", row->title);
    }
    text += fmt::format("  {}  {:<42} {:>14} {:>14}  {}\n", outcome(check), check.value_id,
                        figure(check.published), figure(check.recomputed), check.identity);
    if (!check.holds) text += fmt::format("{:>9}{}\n", "", reason(check));
  }
  return text + summary(baseline, checks);
}

ordered_json identity_json(const Baseline& baseline, const IdentityCheck& check) {
  ordered_json entry = {
      {"baseline", baseline.name},  {"suite", check.suite},         {"value", check.value_id},
      {"identity", check.identity}, {"published", check.published}, {"recomputed", check.recomputed},
      {"holds", check.holds},       {"status", check.status},       {"contradicts", check.contradicts()}};
  if (!check.explanation.empty()) entry["explanation"] = check.explanation;
  return entry;
}

}  // namespace shakedown
