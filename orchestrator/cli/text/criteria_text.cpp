#include "orchestrator/cli/text/criteria_text.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

std::string margin_text(double margin) {
  return (margin > 0 ? "+" : "") + percent_text(margin, 2);
}

/// "lowest of 3, on each of 98 nodes".
std::string figure_text(const ClauseCheck& check) {
  const Criterion& clause = *check.clause;
  if (!check.risk) return "";
  std::string text =
      check.risk->runs == 1
          ? std::string("one run")
          : fmt::format("{} of {}", clause.aggregation.text(clause.direction), check.risk->runs);
  if (check.risk->machines > 1) text += fmt::format(", each of {} nodes", check.risk->machines);
  return text;
}

std::string limit_text(const Criterion& clause) {
  if (clause.metric == "validity") return "valid";
  if (!clause.limit) return "no limit yet";
  return fmt::format("{} {}", to_string(clause.direction), metric_text(clause.metric, *clause.limit));
}

std::string risks_text(const CriteriaCheck& check) {
  std::size_t id = 6;
  std::size_t limit = 5;
  std::size_t figure = 6;
  for (const ClauseCheck& each : check.clauses) {
    id = std::max(id, each.clause->id.size());
    limit = std::max(limit, limit_text(*each.clause).size());
    figure = std::max(figure, figure_text(each).size());
  }
  std::string text =
      fmt::format("{:<{}}  {:<{}}  {:<{}}  {:>8}  {:>8}  {:>8}  {:>12}  {:>12}\n", "CRITERION", id, "LIMIT",
                  limit, "VALUE", figure, "GOOD", "AT LIMIT", "BAD", "95 % FROM", "5 % STILL");
  for (const ClauseCheck& each : check.clauses) {
    text += fmt::format("{:<{}}  {:<{}}  ", each.clause->id, id, limit_text(*each.clause), limit);
    if (each.risk) {
      const double side = each.clause->direction == Direction::at_most ? -1 : 1;
      text += fmt::format("{:<{}}  {:>8}  {:>8}  {:>8}  {:>12}  {:>12}", figure_text(each), figure,
                          percent_text(1 - each.risk->vendor), percent_text(each.risk->even),
                          percent_text(each.risk->customer), margin_text(side * each.risk->vendor_margin),
                          margin_text(side * each.risk->customer_margin));
    } else {
      text += each.no_risk;
    }
    text += each.clause->severity == CriterionSeverity::mandatory ? "\n" : "  (advisory)\n";
  }
  return text;
}

nlohmann::ordered_json risk_json(const ClauseRisk& risk) {
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

std::string check_text(const CriteriaCheck& check, const CheckScene& scene) {
  std::string text = fmt::format(
      "{}, at a CoV of {} between runs (--cov)\n\n",
      check.clauses.size() == 1 ? "1 criterion" : fmt::format("{} criteria", check.clauses.size()),
      percent_text(scene.cov, 2));
  text += risks_text(check);
  text +=
      "\nGOOD, AT LIMIT, BAD: the chance to pass of a machine whose true mean lies one standard deviation of "
      "single runs\non the good side of the limit, at it, and on the bad side. 100 % - GOOD is the vendor's "
      "risk, "
      "BAD the customer's.\n95 % FROM, 5 % STILL: where the true mean must lie, from the limit, to pass so "
      "often. "
      "Runs are taken as normal.\n";
  for (const ClauseConflict& each : check.conflicts)
    text += fmt::format("\ncontradiction  {}, {}: {}", each.first, each.second, each.because);
  for (const ClauseCheck& each : check.clauses)
    for (const std::string& why : each.undecidable)
      text += fmt::format("\ncan't be decided  {}: {}", each.clause->id, why);
  for (const std::string& remark : check.remarks) text += fmt::format("\nremark  {}", remark);
  if (check.sound())
    text += scene.planned == nullptr ? "\nno contradictions; no [[runs]] name what the campaign runs "
                                       "(--config), so what it can't decide "
                                       "is not known"
                                     : "\nno contradictions, and the campaign can decide every criterion";
  return text + "\n";
}

nlohmann::ordered_json check_json(const CriteriaCheck& check, const CheckScene& scene) {
  nlohmann::ordered_json document = {{"schema", "shakedown.criteria-check/1"},
                                     {"cov", scene.cov},
                                     {"campaign_known", scene.planned != nullptr},
                                     {"sound", check.sound()},
                                     {"clauses", nlohmann::ordered_json::array()},
                                     {"contradictions", nlohmann::ordered_json::array()},
                                     {"remarks", check.remarks}};
  for (const ClauseCheck& each : check.clauses) {
    const Criterion& clause = *each.clause;
    nlohmann::ordered_json entry = {{"id", clause.id},
                                    {"suite", clause.suite},
                                    {"metric", clause.metric},
                                    {"severity", to_string(clause.severity)},
                                    {"aggregation", to_string(clause.aggregation.kind)},
                                    {"runs_min", clause.fewest_runs()}};
    if (clause.limit) {
      entry["direction"] = to_string(clause.direction);
      entry["limit"] = *clause.limit;
    }
    if (each.risk)
      entry["risk"] = risk_json(*each.risk);
    else
      entry["no_risk"] = each.no_risk;
    entry["undecidable"] = each.undecidable;
    document["clauses"].push_back(std::move(entry));
  }
  for (const ClauseConflict& each : check.conflicts)
    document["contradictions"].push_back({{"clauses", {each.first, each.second}}, {"because", each.because}});
  return document;
}

}  // namespace shakedown
