#include "orchestrator/cli/text/criteria_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/judge/joint_chance.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

std::string margin_text(double margin) {
  return (margin > 0 ? "+" : "") + percent_text(margin, 2);
}

/// "lowest of 3, on each of 98 nodes".
std::string number_with_unit(const CriterionCheck& check) {
  const Criterion& criterion = *check.criterion;
  if (!check.risk) return "";
  std::string text =
      check.risk->runs == 1
          ? std::string("one run")
          : fmt::format("{} of {}", criterion.aggregation.text(criterion.direction), check.risk->runs);
  if (check.risk->machines > 1) text += fmt::format(", each of {} nodes", check.risk->machines);
  return text;
}

std::string limit_text(const Criterion& criterion) {
  if (criterion.metric == "validity") return "valid";
  if (!criterion.limit) return "no limit yet";
  return fmt::format("{} {}", to_string(criterion.direction),
                     metric_text(criterion.metric, *criterion.limit));
}

constexpr const char* all_together = "ALL MANDATORY";

std::string risks_text(const CriteriaCheck& check, const std::optional<JointChance>& joint) {
  std::size_t id = joint ? std::string_view(all_together).size() : 9;
  std::size_t limit = 5;
  std::size_t value = 6;
  for (const CriterionCheck& each : check.criteria) {
    id = std::max(id, each.criterion->id.size());
    limit = std::max(limit, limit_text(*each.criterion).size());
    value = std::max(value, number_with_unit(each).size());
  }
  std::string text =
      fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>8}  {:>8}  {:>8}  {:>17}  {:>16}\n", "CRITERION", id, "LIMIT",
                  limit, "VALUE", value, "GOOD", "AT LIMIT", "BAD", "MEAN TO PASS 95 %", "MEAN TO PASS 5 %");
  for (const CriterionCheck& each : check.criteria) {
    text += fmt::format("{:<{}}  {:<{}}  ", each.criterion->id, id, limit_text(*each.criterion), limit);
    if (each.risk) {
      const double side = each.criterion->direction == Direction::at_most ? -1 : 1;
      text += fmt::format("{:<{}}  {:>8}  {:>8}  {:>8}  {:>17}  {:>16}", number_with_unit(each), value,
                          percent_text(1 - each.risk->vendor), percent_text(each.risk->even),
                          percent_text(each.risk->customer), margin_text(side * each.risk->vendor_margin),
                          margin_text(side * each.risk->customer_margin));
    } else {
      text += each.no_risk;
    }
    text += each.criterion->severity == CriterionSeverity::mandatory ? "\n" : "  (advisory)\n";
  }
  if (joint)
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>8}  {:>8}  {:>8}  {:>17}\n", all_together, id, "", limit,
                        fmt::format("{} together", joint->criteria), value, percent_text(joint->good),
                        percent_text(joint->even), percent_text(joint->bad),
                        fmt::format("{} better", percent_text(joint->margin, 2)));
  return text;
}

std::string joint_text(const JointChance& joint) {
  return fmt::format(
      "{}: the chance that the {} mandatory criteria which runs decide by their spread pass together: the "
      "product of the single\nchances, as if independent of each other, each true mean equally far from its "
      "limit. {}\n{}",
      all_together, joint.criteria,
      joint.share.empty()
          ? std::string("Criteria on the same runs pass\ntogether more often.")
          : fmt::format("Criteria on the same runs pass\ntogether more often, but {} is a share of what {} "
                        "asks for: these two pass together less often.",
                        joint.share, joint.denominator),
      joint.by_rules == 0
          ? std::string()
          : fmt::format("The other {}, which rules or counts of attempts decide, {} taken as passed.\n",
                        joint.by_rules, joint.by_rules == 1 ? "is" : "are"));
}

/// What no criterion judges, the largest first line.
std::string unjudged_text(const CriteriaCheck& check, const CheckScene& scene) {
  std::string text;
  double all = 0;
  double none = 0;
  for (const Case& planned : scene.cases)
    if (const Prediction* time = predicted_wall_time(planned)) all += planned.nodes * time->value / 3600;
  for (const UnjudgedWork& each : check.unjudged) {
    none += each.node_hours;
    text +=
        fmt::format("\nnot judged  {}: {}{}", each.what, plural(each.cases, "case"),
                    each.node_hours > 0 ? fmt::format(", {} node-hours", number(each.node_hours, 2)) : "");
  }
  if (!text.empty() && all > 0)
    text += fmt::format("\n{} of {} planned node-hours decide nothing", number(none, 3), number(all, 3));
  return text.empty() ? text : text + "\n";
}

nlohmann::ordered_json risk_json(const CriterionRisk& risk) {
  return {{"runs", risk.runs},
          {"machines", risk.machines},
          {"one_sigma_good_passes", 1 - risk.vendor},
          {"vendor_risk", risk.vendor},
          {"at_limit_passes", risk.even},
          {"customer_risk", risk.customer},
          {"margin_passed_by_95_pct", risk.vendor_margin},
          {"margin_passed_by_5_pct", risk.customer_margin}};
}

}  // namespace

std::string draft_text(std::size_t edits, std::size_t predicted) {
  std::vector<std::string> parts;
  if (edits > 0)
    parts.push_back(edits == 1 ? std::string("1 line is still to be edited")
                               : fmt::format("{} lines are still to be edited", edits));
  if (predicted > 0)
    parts.push_back((predicted == 1
                         ? std::string("1 mandatory limit is the plan's own prediction")
                         : fmt::format("{} mandatory limits are the plan's own predictions", predicted)) +
                    ", which no contract states");
  return joined(parts, "; ");
}

namespace {

/// The verdict's first line on a draft: what is open, with the lines and the criteria; empty: it is none.
std::string draft_line(const CriteriaCheck& check, std::span<const int> edits) {
  const std::string draft = draft_text(edits.size(), check.predicted.size());
  if (draft.empty()) return "";
  std::string text = "\nnot ready  " + draft;
  std::vector<std::string> numbers;
  for (const int line : edits) numbers.push_back(fmt::format("{}", line));
  if (!edits.empty()) text += "\n  lines marked EDIT: " + joined(numbers, ", ");
  if (!check.predicted.empty()) text += "\n  predictions: " + joined(check.predicted, ", ");
  return text;
}

}  // namespace

std::string check_text(const CriteriaCheck& check, const CheckScene& scene, std::span<const int> edits) {
  std::string text = fmt::format(
      "{}, at a CoV of {} between runs (--cov)\n\n",
      check.criteria.size() == 1 ? "1 criterion" : fmt::format("{} criteria", check.criteria.size()),
      percent_text(scene.cov, 2));
  const std::optional<JointChance> joint = joint_chance(check.criteria, scene.cov);
  text += risks_text(check, joint);
  text +=
      "\nGOOD, AT LIMIT, BAD: the chance to pass of a machine whose true mean lies one standard deviation of "
      "single runs\non the good side of the limit, at it, and on the bad side. 100 % - GOOD is the vendor's "
      "risk, "
      "BAD the customer's.\nMEAN TO PASS: the distance of the true mean from the limit. Runs are taken as "
      "normal.\n";
  if (joint) text += joint_text(*joint);
  text += unjudged_text(check, scene);
  for (const CriteriaConflict& each : check.conflicts)
    text += fmt::format("\ncontradiction  {}, {}: {}", each.first, each.second, each.because);
  for (const CriterionCheck& each : check.criteria)
    for (const std::string& why : each.undecidable)
      text += fmt::format("\ncan't be decided  {}: {}", each.criterion->id, why);
  if (joint)
    text += fmt::format(
        "\nchance  a machine whose true means lie one standard deviation ({}) better than the limits (GOOD) "
        "passes all {} mandatory criteria with {}, one {} better with 95 %: that is how tight the criteria "
        "are, and says nothing of a machine",
        percent_text(scene.cov, 2), joint->criteria, percent_text(joint->good),
        percent_text(joint->margin, 2));
  for (const std::string& remark : check.remarks) text += fmt::format("\nremark  {}", remark);
  const std::string draft = draft_line(check, edits);
  text += draft;
  if (check.sound())
    text +=
        fmt::format("\n{}{}", draft.empty() ? "" : "else ",
                    scene.planned == nullptr
                        ? "no contradictions; no [[runs]] name what the campaign runs (--config), so what "
                          "it can't decide is not known"
                        : "no contradictions, and the campaign can decide every criterion");
  return text + "\n";
}

nlohmann::ordered_json check_json(const CriteriaCheck& check, const CheckScene& scene,
                                  std::span<const int> edits) {
  nlohmann::ordered_json document = {{"schema", "shakedown.criteria-check/1"},
                                     {"cov", scene.cov},
                                     {"campaign_known", scene.planned != nullptr},
                                     {"sound", check.sound()},
                                     {"lines_to_edit", edits},
                                     {"predicted_limits", check.predicted},
                                     {"criteria", nlohmann::ordered_json::array()},
                                     {"contradictions", nlohmann::ordered_json::array()},
                                     {"remarks", check.remarks}};
  for (const CriterionCheck& each : check.criteria) {
    const Criterion& criterion = *each.criterion;
    nlohmann::ordered_json entry = {{"id", criterion.id},
                                    {"suite", criterion.suite},
                                    {"metric", criterion.metric},
                                    {"severity", to_string(criterion.severity)},
                                    {"aggregation", to_string(criterion.aggregation.kind)},
                                    {"runs_min", criterion.fewest_runs()}};
    if (criterion.limit) {
      entry["direction"] = to_string(criterion.direction);
      entry["limit"] = *criterion.limit;
    }
    if (each.risk)
      entry["risk"] = risk_json(*each.risk);
    else
      entry["no_risk"] = each.no_risk;
    entry["undecidable"] = each.undecidable;
    document["criteria"].push_back(std::move(entry));
  }
  if (const auto joint = joint_chance(check.criteria, scene.cov))
    document["all_mandatory"] = {{"criteria", joint->criteria},
                                 {"decided_by_rules", joint->by_rules},
                                 {"model", "independent criteria, true means equally far from their limits"},
                                 {"one_sigma_good_pass", joint->good},
                                 {"at_limit_pass", joint->even},
                                 {"one_sigma_bad_pass", joint->bad},
                                 {"margin_passed_by_95_pct", joint->margin}};
  document["not_judged"] = nlohmann::ordered_json::array();
  for (const UnjudgedWork& each : check.unjudged)
    document["not_judged"].push_back(
        {{"what", each.what}, {"cases", each.cases}, {"node_hours", each.node_hours}});
  for (const CriteriaConflict& each : check.conflicts)
    document["contradictions"].push_back(
        {{"criteria", {each.first, each.second}}, {"because", each.because}});
  return document;
}

}  // namespace shakedown
