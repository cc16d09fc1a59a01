#include <nlohmann/json.hpp>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/time.hpp"
#include "parsers/rules/result_json.hpp"
#include "reports/formats/format.hpp"
#include "reports/json/objects.hpp"

namespace shakedown {
namespace {

using namespace results_json;

std::string results_text(const ReportSource& source) {
  const MeasuredCampaign& measured = source.campaign;
  const Judgement& judgement = source.judgement;
  const Baseline* baseline = source.baseline;
  const CampaignRecord& campaign = measured.record;
  json document = {{"schema", "shakedown.results/1"},    {"campaign", campaign.id},
                   {"system", campaign.system},          {"kind", campaign.kind},
                   {"state", to_string(campaign.state)}, {"created", utc_text(campaign.created_s)}};
  if (campaign.finished_s > 0) document["finished"] = utc_text(campaign.finished_s);
  document["tool_version"] = campaign.tool_version;
  put_if(document, "note", campaign.note);
  document["verdict"] = to_string(judgement.overall);
  document["sentence"] = judgement.sentence;
  document["exit_code"] = judgement.exit_code;
  if (judgement.check) document["regression"] = json_or_thrown<json>(check_verdict_json(*judgement.check));
  document["counts"] = tally_object(judgement.tally);
  document["alarms"] = judgement.alarms;
  document["criteria"] = json::array();
  for (const CriterionResult& result : judgement.criteria)
    document["criteria"].push_back(criterion_object(result, judgement.comparisons));
  document["criteria_left_out"] = json::array();
  for (const CriterionResult& result : judgement.left_out)
    document["criteria_left_out"].push_back({{"id", result.id}, {"suite", result.suite}});
  for (const EarlierCampaign& each : campaign.earlier) {
    document["earlier_campaigns"].push_back({{"id", each.id},
                                             {"verdict", each.verdict},
                                             {"same_criteria", each.same_criteria},
                                             {"removed", each.removed}});
    if (each.gone) document["earlier_campaigns"].back()["gone"] = true;
    if (each.other_system) document["earlier_campaigns"].back()["other_system"] = true;
    if (each.nodes_unknown) document["earlier_campaigns"].back()["nodes_unknown"] = true;
  }
  if (!campaign.history_faults.empty()) document["earlier_campaigns_unknown"] = campaign.history_faults;
  document["waivers"] = judgement.waivers;
  if (!judgement.waiver_remarks.empty()) document["waiver_remarks"] = judgement.waiver_remarks;
  document["reliability"] = json::array();
  for (const ReliabilityRow& row : judgement.reliability)
    document["reliability"].push_back(reliability_object(row));
  ElementsByKey elements;
  const auto add_long = [&](const char* key, std::size_t count, std::function<json(std::size_t)> of) {
    document[key] = json::array();
    elements[key] = {count, std::move(of)};
  };
  add_long("comparisons", judgement.comparisons.size(),
           [&](std::size_t i) { return json::array({comparison_object(judgement.comparisons[i])}); });
  add_long("suite_results", judgement.suite_results.size(),
           [&](std::size_t i) { return json::array({suite_result_object(judgement.suite_results[i])}); });
  if (judgement.orientation) document["orientation"] = orientation_object(*judgement.orientation);
  for (const NodeScreen& screen : judgement.node_screens)
    document["node_screens"].push_back(node_screen_object(screen));
  document["disturbances"] = json::array();
  for (const Disturbance& each : judgement.disturbances) document["disturbances"].push_back(each.sentence);
  document["set_aside"] = json::array();
  for (const Disturbance& each : judgement.set_aside)
    document["set_aside"].push_back(
        {{"case", each.case_id}, {"attempt", each.attempt}, {"because", each.sentence}});
  document["deviations"] = judgement.deviations;
  document["warnings"] = campaign.warnings;
  for (const Exclusion& exclusion : campaign.exclusions)
    document["exclusions"].push_back(
        {{"node", exclusion.node}, {"because", exclusion.because}, {"at", utc_text(exclusion.at_s)}});
  add_long("cases", measured.cases.size(),
           [&](std::size_t i) { return json::array({case_object(campaign, measured.cases[i])}); });
  if (!campaign.set_scores.empty()) {
    document["set_scores"] = json::array();
    for (const SetScore& score : campaign.set_scores)
      document["set_scores"].push_back(json_or_thrown<json>(score_json(score)));
  }
  add_long("rules", campaign.cases.size(), [&](std::size_t i) { return rules(campaign, campaign.cases[i]); });
  document["environment"] = json::array();
  for (const EnvironmentRecord& fact : campaign.environment)
    document["environment"].push_back({{"node", fact.node}, {"name", fact.name}, {"value", fact.value}});
  document["inventory"] = inventory_object(campaign.inventory);
  if (campaign.commitment)
    document["commitment"] = commitment_object(*campaign.commitment, campaign.breaches);
  if (campaign.journal) document["journal"] = journal_object(*campaign.journal);
  if (campaign.compared)
    document["run_directories"] = {{"attempts", campaign.compared->attempts},
                                   {"not_here", campaign.compared->not_here},
                                   {"without_hash", campaign.compared->without_hash}};
  if (const CriteriaRevision judging = judging_criteria(campaign); !judging.text.empty())
    document["criteria_file"] = {{"name", judging.name}, {"sha256", criteria_sha256(judging)}};
  for (const RevisionVerdict& revision : judgement.revisions)
    document["criteria_revisions"].push_back(revision_object(revision));
  if (baseline != nullptr)
    document["baseline_file"] = {{"name", baseline->name},
                                 {"title", baseline->title},
                                 {"source", baseline->source},
                                 {"sha256", baseline->sha256}};
  if (const auto& redaction = judgement.redaction)
    document["redaction"] = {{"what", redaction->what},
                             {"replaced", redaction->replaced},
                             {"results_sha256", redaction->results_sha256}};
  return document_text(document, elements) + "\n";
}

Result<std::string> render_json(const ReportSource& source) {
  return source.results();
}

}  // namespace

const std::string& ReportSource::results() const {
  if (results_.empty()) results_ = results_text(*this);
  return results_;
}

const std::string& ReportSource::results_sha256() const {
  if (results_sha256_.empty()) results_sha256_ = sha256(results());
  return results_sha256_;
}

namespace report_format {
extern const ReportFormat json;
const ReportFormat json = {.id = "json", .file_name = "results.json", .render = render_json};
}  // namespace report_format

}  // namespace shakedown
