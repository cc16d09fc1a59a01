#include <algorithm>
#include <map>
#include <utility>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/compare/line_diff.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/page.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

constexpr size_t most_closing_rows = 200;

std::string clock_text(double mhz) {
  return mhz > 0 ? fmt::format("{} GHz", number(mhz / 1000, 3)) : "not readable";
}

Fields node_facts(const NodeGroup& node) {
  const double peak = cpu_peak_gflops(node);
  std::vector<Fields> facts;
  const auto add = [&](std::string_view name, std::string_view value) { facts.push_back(fact(name, value)); };
  add("Processor", fmt::format("{} × {}", node.cpu.sockets, node.cpu.model));
  add("Cores", fmt::format("{}, {} usable; {} threads per core", node.cpu.cores, node.usable.cores,
                           node.cpu.threads_per_core));
  add("Base clock", clock_text(node.cpu.base_mhz));
  add("FP64 FLOP per cycle and core",
      node.cpu.fp64_flop_per_cycle > 0
          ? fmt::format("{} ({})", node.cpu.fp64_flop_per_cycle, node.cpu.vector_extension)
          : "not known");
  add("Theoretical FP64 peak", peak > 0 ? flops_text(peak) + " per node" : "not known");
  add("Memory", fmt::format("{}, {} usable", bytes_text(static_cast<double>(node.memory_bytes)),
                            bytes_text(static_cast<double>(node.usable.memory_bytes))));
  add("GPUs", node.gpus.empty()
                  ? "none"
                  : fmt::format("{} × {}, {}", node.gpus.size(), node.gpus.front().model,
                                bytes_text(static_cast<double>(node.gpus.front().memory_bytes))));
  if (!node.software.gpu_driver.empty()) add("GPU driver", node.software.gpu_driver);
  add("System", fmt::format("{}, kernel {}", node.software.os, node.software.kernel));
  if (!node.software.board.empty()) add("Board", node.software.board);
  if (!node.software.virtualisation.empty()) add("Virtual machine", node.software.virtualisation);
  for (const std::string& limit : node.usable.limited_by) add("Limited by", limit);
  return Fields()
      .text("name", capitalised(node.name))
      .text("hosts", node.hosts)
      .list("facts", std::move(facts));
}

void put_environment(Fields& section, const CampaignRecord& campaign) {
  // Nodes with equal values share a row: that of the first of them.
  struct Shared {
    const EnvironmentRecord* fact;
    std::vector<std::string> nodes;
  };
  std::vector<Shared> facts;
  std::map<std::pair<std::string_view, std::string_view>, size_t> known;
  for (const EnvironmentRecord& fact : campaign.environment) {
    const auto [it, fresh] = known.try_emplace({fact.name, fact.value}, facts.size());
    if (fresh) facts.push_back({&fact, {}});
    facts[it->second].nodes.push_back(fact.node);
  }
  const size_t more = facts.size() - std::min(most_closing_rows, facts.size());
  facts.resize(facts.size() - more);
  section.flag("has_environment", !facts.empty())
      .list("environment", rows_of(facts,
                                   [](const Shared& shared) {
                                     return Fields()
                                         .text("node", folded_hostlist(shared.nodes))
                                         .text("name", shared.fact->name)
                                         .text("value", shared.fact->value);
                                   }))
      .text_if("more_environment", more > 0 ? fmt::format("{} more in results.json.", more) : "");
}

void put_nodes(Fields& section, const CampaignRecord& campaign) {
  const auto seen = seen_settings(campaign);
  section.flag("has_nodes", !seen.empty()).list("nodes", rows_of(seen, [](const SeenSetting& setting) {
                                                  return Fields()
                                                      .text("name", setting.name)
                                                      .text("nodes", fmt::format("{}", setting.nodes))
                                                      .text("usual", setting.usual)
                                                      .flag("uniform", setting.others.empty())
                                                      .list("others",
                                                            rows_of(setting.others, [](const auto& text) {
                                                              return Fields().text("text", text);
                                                            }));
                                                }));
}

/// "on 100 nodes, at most 2 excluded, at most 2 attempts": what a criterion asks for beside its limit; empty:
/// nothing.
std::string conditions_text(const CriterionResult& result) {
  std::string text;
  const auto add = [&](const std::string& condition) { text += (text.empty() ? "" : ", ") + condition; };
  if (result.runs_min > 1) add(fmt::format("{} runs at least", result.runs_min));
  if (result.nodes_required) add(fmt::format("on {} nodes", *result.nodes_required));
  if (result.exclusions_max) add(fmt::format("at most {} excluded", *result.exclusions_max));
  if (result.attempts_max)
    add(fmt::format("at most {} attempt{}", *result.attempts_max, *result.attempts_max == 1 ? "" : "s"));
  return text;
}

/// "contract 34.00 PFLOP/s (contract 4.2), 0.998 of it; published ...": the references of a criterion.
std::string beside(const CriterionResult& result) {
  std::string text;
  for (const ReferenceResult& each : result.references) {
    text += fmt::format("{}{} {} ({}{}{})", text.empty() ? "" : "; ", to_string(each.kind),
                        metric_text(result.metric, each.value, 1), each.id, each.id.empty() ? "" : ", ",
                        each.source);
    if (each.status.value_or(BaselineStatus::ok) != BaselineStatus::ok)
      text += fmt::format(", its status is {}", to_string(*each.status));
    if (each.ratio) text += fmt::format(": {} of it", number(*each.ratio, 4));
    if (!each.unlike.empty()) text += ": not comparable, " + each.unlike;
  }
  return text;
}

/// "waived by the board until 2027-03-31: the switch is on order"; also of a waiver that lifts nothing.
std::string waiver_text(const CriterionResult& result) {
  if (!result.waiver) return "";
  return fmt::format("{} by {} until {}: {}", result.waived ? "waived" : "a waiver without effect,",
                     result.waiver->approver, result.waiver->expires, result.waiver->reason);
}

/// How many attempts of a row ran, and were short of the official rules alone.
int short_attempts(const ReliabilityRow& row, const CampaignRecord& campaign) {
  int count = 0;
  for (const CaseRecord& record : campaign.cases) {
    if (row.suite != whole_campaign && row.suite != record.planned.suite) continue;
    for (const AttemptRecord& attempt : record.attempts)
      count += std::ranges::any_of(
                   attempt.results,
                   [&](const ResultRecord& result) { return valid_but_for_length(campaign, result); })
                   ? 1
                   : 0;
  }
  return count;
}

Fields reliability_row(const ReliabilityRow& row, const CampaignRecord& campaign) {
  std::vector<Fields> endings = rows_of(row.unsuccessful, [](const UnsuccessfulAttempt& each) {
    return Fields().text("text", fmt::format("{}, attempt {} {}", each.case_id, each.index, each.ending));
  });
  if (row.suite == whole_campaign) endings.clear();  // its suites list them
  if (const int few = short_attempts(row, campaign); few > 0 && row.suite != whole_campaign)
    endings.push_back(Fields().text("text", fmt::format("{} ran, short of the official rules", few)));
  return Fields()
      .text("suite", suite_title(row.suite))
      .text("started", fmt::format("{}", row.started))
      .text("succeeded", fmt::format("{}", row.succeeded))
      .text("failed", fmt::format("{}", row.failed))
      .text("stopped", fmt::format("{}", row.stopped))
      .text("rate", percent_text(row.rate.rate))
      .text("interval",
            row.started < fewest_for_interval
                ? std::string(dash)
                : fmt::format("{} to {}", percent_text(row.rate.low), percent_text(row.rate.high)))
      .list("endings", std::move(endings));
}

Fields criterion(const CriterionResult& result) {
  static constexpr size_t most_points = 20;
  std::string points;
  // As many digits as the point needs that lies nearest to it, so that none reads as on its other side.
  std::string limit = result.limit ? metric_text(result.metric, *result.limit, 1) : "";
  for (size_t i = 0; i < std::min(most_points, result.points.size()); ++i) {
    const ShownPair shown = result.limit ? shown_beside(result.metric, result.points[i], *result.limit)
                                         : ShownPair{metric_text(result.metric, result.points[i], 1), ""};
    points += (i == 0 ? "" : ", ") + shown.value;
    if (shown.limit.size() > limit.size()) limit = shown.limit;
  }
  if (result.points.size() > most_points) points += ", ...";
  if (!points.empty()) points = (result.nodes.empty() ? "every result: " : "every node: ") + points;
  Fields row;
  row.text("id", result.id)
      .text("severity", to_string(result.severity))
      .text("n", fmt::format("{}", result.n))
      .text_if("aggregate", result.n > 1 ? result.aggregate : "")
      .text_if("beside", beside(result))
      .text_if("waiver", waiver_text(result))
      .text("metric", capitalised(metric_title(result.metric)))
      .text("limit", result.limit ? fmt::format("{} {}", relation(result.direction, true), limit)
                                  : "every result valid")
      .text_if("asks_for", conditions_text(result))
      .text("source", result.limit_source)
      .text_if("points", points)
      .text_if("path", result.evidence_path)
      .text("sha256", result.evidence_sha256);
  return row;
}

/// The criteria of a text without comments and layout, so that a diff shows their content.
std::string criteria_of(const CriteriaRevision& criteria) {
  const auto frozen = frozen_criteria(criteria.text, criteria.name, {});
  return frozen ? *frozen : criteria.text;
}

/// What each revision of the criteria changed.
std::vector<Fields> revision_diffs(const std::vector<RevisionVerdict>& all) {
  std::vector<Fields> rows;
  for (size_t i = 1; i < all.size(); ++i) {
    const CriteriaRevision& now = all[i].criteria;
    const CriteriaRevision& before = all[i - 1].criteria;
    rows.push_back(Fields()
                       .text("number", fmt::format("{}", now.number))
                       .text("before", fmt::format("{}", before.number))
                       .text("when", utc_text(now.at_s))
                       .text("reason", now.reason)
                       .text("sha256", criteria_sha256(now))
                       .text("before_sha256", criteria_sha256(before))
                       .text("diff", line_diff(criteria_of(before), criteria_of(now))));
  }
  return rows;
}

void put_criteria(Fields& section, const ReportInput& input) {
  const CriteriaRevision judging = judging_criteria(input.campaign);
  std::vector<Fields> rows;
  for (const CriterionResult& result : input.judgement.criteria)
    if (rows.size() < most_closing_rows) rows.push_back(criterion(result));
  section.flag("has_reliability", !input.judgement.reliability.empty())
      .list("reliability", rows_of(input.judgement.reliability, [&](const ReliabilityRow& row) {
              return reliability_row(row, input.campaign);
            }));
  section.flag("has_criteria", !rows.empty())
      .list("criteria", std::move(rows))
      .text("criteria_name", criteria_file_text(judging))
      .text("criteria_when", judging.number == 1
                                 ? std::string("as it was when the run was planned")
                                 : fmt::format("revision {} of {}", judging.number, utc_text(judging.at_s)))
      .text("criteria_sha256", criteria_sha256(judging))
      .text_if("criteria_text", judging.text)
      .list("revisions", revision_diffs(input.judgement.revisions));
}

std::string identity_outcome(const IdentityCheck& check) {
  if (check.holds) return "holds";
  if (!check.explanation.empty()) return "does not hold, no error: " + check.explanation;
  return check.contradicts() ? "does not hold"
                             : fmt::format("does not hold; the row is marked {}", to_string(check.status));
}

Fields identity(const IdentityCheck& check) {
  const Verdict drawn = check.holds           ? Verdict::pass
                        : check.contradicts() ? Verdict::fail
                                              : Verdict::undecided;
  return Fields()
      .text("id", check.value_id)
      .text("identity", check.identity)
      .text("stated", grouped(check.published, 8))
      .text("recomputed", grouped(check.recomputed, 8))
      .text("class", verdict_class(drawn))
      .markup("icon", verdict_icon(drawn))
      .text("word", identity_outcome(check));
}

Fields published_value(const BaselineValue& value) {
  return Fields()
      .text("id", value.id)
      .text("printed", value.printed)
      .text("source", value.source)
      .text_if("note", value.note)
      .text("status", to_string(value.status));
}

/// Those of `all` that belong to a suite of the campaign.
template <class T>
std::vector<T> of_the_campaign(std::vector<T> all, const CampaignRecord& campaign) {
  std::erase_if(all, [&](const T& each) {
    return std::none_of(campaign.cases.begin(), campaign.cases.end(),
                        [&](const CaseRecord& record) { return record.planned.suite == each.suite; });
  });
  return all;
}

void put_baseline(Fields& section, const ReportInput& input) {
  const Baseline* baseline = input.baseline;
  // Values that are for orientation are in their own section alone.
  const bool shown = baseline != nullptr && !input.judgement.orientation;
  section.flag("has_baseline", shown);
  if (!shown) return;
  section.text("baseline_title", baseline->title)
      .text("baseline_source", baseline->source)
      .list("values", rows_of(of_the_campaign(baseline->values, input.campaign), published_value))
      .list("identities", rows_of(of_the_campaign(checked_identities(*baseline), input.campaign), identity));
}

/// What the campaign was bound to, and where it no longer is that.
void put_commitment(Fields& section, const CampaignRecord& campaign) {
  section.flag("has_commitment", campaign.commitment.has_value());
  if (!campaign.commitment) return;
  const Commitment& bound = *campaign.commitment;
  std::vector<Fields> parts = rows_of(bound.parts, [](const CommittedPart& part) {
    return Fields().text("name", part.name).text("sha256", part.sha256);
  });
  for (const std::string& name : bound.unread)
    parts.push_back(
        Fields().text("name", name).text("sha256", "could not be read where the campaign was started"));
  const size_t more = parts.size() > most_closing_rows ? parts.size() - most_closing_rows : 0;
  parts.resize(parts.size() - more);
  section.text("root", bound.root)
      .list("parts", std::move(parts))
      .text_if("more_parts", more > 0 ? fmt::format("{} more in results.json.", more) : "")
      .flag("has_breaches", !campaign.breaches.empty())
      .list("breaches", rows_of(campaign.breaches, [](const std::string& breach) {
              return Fields().text("text", capitalised(breach) + ".");
            }));
}

std::vector<Fields> provenance(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  std::vector<Fields> facts;
  facts.push_back(fact("Program", "shakedown " + campaign.tool_version));
  facts.push_back(fact("Run", fmt::format("{}, {}", campaign.id, to_string(campaign.state))));
  const bool external = is_external(campaign);
  facts.push_back(fact(external ? "Imported" : "Planned", utc_text(campaign.created_s)));
  if (external)
    facts.push_back(fact("Plan and environment", made_elsewhere));
  else
    facts.push_back(
        fact("Last attempt ended", campaign.finished_s > 0 ? utc_text(campaign.finished_s) : "not finished"));
  facts.push_back(fact("Inventory", campaign.inventory.source));
  if (campaign.compared) {
    const std::string lacking = not_compared(campaign);
    facts.push_back(fact("Run directories", lacking.empty()
                                                ? "every attempt’s log and values are as they were collected"
                                                : capitalised(lacking)));
  }
  if (const CriteriaRevision judging = judging_criteria(campaign); !judging.text.empty())
    facts.push_back(fact("Criteria", criteria_file_text(judging), criteria_sha256(judging)));
  if (input.baseline != nullptr)
    facts.push_back(fact("Published values", input.baseline->name, input.baseline->sha256));
  facts.push_back(fact("results.json", "the same content for programs", input.results_sha256));
  return facts;
}

std::vector<ContentsLine> closing_contents(const ReportInput& /*input*/) {
  return {{"machine", "Machine and environment"},
          {"limits", "Criteria and limits"},
          {"method", "Method and limits of this report"},
          {"provenance", "Provenance"}};
}

Result<std::string> closing_section(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  Fields section;
  const Inventory& inventory = campaign.inventory;
  section
      .text_if("unknown_machine", !is_external(campaign)     ? ""
                                  : inventory.groups.empty() ? capitalised(made_elsewhere)
                                                             : "As stated by whoever imported the logs")
      .list("groups", rows_of(inventory.groups, node_facts))
      .flag("has_notes", !inventory.notes.empty())
      .list("notes", rows_of(inventory.notes, [](const auto& note) { return Fields().text("text", note); }));
  put_nodes(section, campaign);
  put_environment(section, campaign);
  put_criteria(section, input);
  put_baseline(section, input);
  put_commitment(section, campaign);
  section.list("provenance", provenance(input))
      .text("document", document_title(campaign))
      .text("system", campaign.system)
      .text("id", campaign.id)
      .text("report_id", report_id(input))
      .text("tool_version", campaign.tool_version);
  return filled("provenance.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection closing;
const ReportSection closing = {.rank = 1000, .contents = closing_contents, .html = closing_section};
}  // namespace report_section

}  // namespace shakedown
