#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/case_text.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/front_rows.hpp"
#include "reports/html/page.hpp"
#include "reports/html/suite_table.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/overall.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {

std::optional<std::string_view> report_file(std::string_view name);

namespace {

/// `term`: of the glossary, that explains the label; empty: none does.
Fields counter(std::string_view value, std::string_view label, std::string_view term = {}) {
  return Fields().text("value", value).text("label", label).text_if("term", term);
}

/// How many ran correctly, how many limits could be decided, how many are official results.
std::vector<Fields> counters(const Tally& tally) {
  const CriteriaTally& limits = tally.limits;
  const int decided = limits.passed + limits.failed + limits.waived;
  std::string judged = "performance limits";
  judged +=
      decided > 0 ? fmt::format(" decided: {} pass, {} fail", limits.passed, limits.failed) : " decided";
  if (limits.waived > 0) judged += fmt::format(", {} waived", limits.waived);
  return {counter(fmt::format("{} of {}", tally.ran, tally.cases), ran_words(tally), "correct"),
          limits.all == 0 ? counter("None", "performance limits stated")
                          : counter(fmt::format("{} of {}", decided, limits.all), judged),
          counter(fmt::format("{} of {}", tally.eligible, tally.candidates),
                  fmt::format("results{} {}", tally.has_sets ? " (a score’s runs are one)" : "",
                              tally.eligibility_open > 0
                                  ? fmt::format("known to be eligible for lists, {} not decided",
                                                tally.eligibility_open)
                                  : std::string("eligible for official lists")),
                  "eligible")};
}

std::string some_of(std::vector<std::string> names) {
  constexpr std::size_t shown = 4;
  const std::size_t more = names.size() - std::min(shown, names.size());
  names.resize(names.size() - more);
  return joined(names, ", ") + (more > 0 ? fmt::format(" and {} more", more) : "");
}

/// " (cn042 excluded; retried: hpl-1n-cn063)": of the exceptions, the nodes that were excluded
/// and the cases that a first attempt did not end. Empty: neither.
std::string exceptions_named(const MeasuredCampaign& campaign) {
  std::vector<std::string> nodes;
  nodes.reserve(campaign.record.exclusions.size());
  for (const Exclusion& each : campaign.record.exclusions) nodes.push_back(each.node);
  std::vector<std::string> again;
  for (const MeasuredCase& each : campaign.cases)
    if (was_retried(each)) again.push_back(each.planned.id);
  std::vector<std::string> parts;
  if (!nodes.empty()) parts.push_back(some_of(std::move(nodes)) + " excluded");
  if (!again.empty()) parts.push_back("retried: " + some_of(std::move(again)));
  return parts.empty() ? "" : fmt::format(" ({})", joined(parts, "; "));
}

/// "2 exceptions (cn042 excluded), 9 warnings: see Results.", beside alarms "2 more exceptions
/// (cn042 ...". Empty: there are none.
std::string listed_elsewhere(const ReportInput& input) {
  std::vector<std::string> counts;
  if (const int found = input.judgement.tally.exceptions; found > 0)
    counts.push_back(plural(found, input.judgement.alarms.empty() ? "exception" : "more exception") +
                     exceptions_named(input.measured));
  if (const auto warnings = warnings_before(input.measured); !warnings.empty())
    counts.push_back(plural(static_cast<std::int64_t>(warnings.size()), "warning"));
  return counts.empty() ? "" : joined(counts, ", ") + ": see Results.";
}

/// What was out of the ordinary, counted: a sentence each. The section on exceptions has the words.
std::vector<Fields> counted_exceptions(const ReportInput& input) {
  const Judgement& judgement = input.judgement;
  const CampaignRecord& campaign = input.campaign;
  std::vector<std::string> all;
  const Tally& tally = judgement.tally;
  all.reserve(judgement.alarms.size() + 3);
  for (const std::string& alarm : judgement.alarms)
    all.push_back(capitalised(short_origins(campaign, alarm)) + ".");
  if (tally.disturbed == 0 && tally.disturbances > 0)
    all.emplace_back("Whether runs were disturbed is not recorded.");
  if (std::string elsewhere = listed_elsewhere(input); !elsewhere.empty())
    all.push_back(std::move(elsewhere));
  std::vector<Fields> rows =
      rows_of(all, [](const std::string& text) { return Fields().text("text", text); });
  if (rows.empty()) rows.push_back(Fields().text("text", "None."));
  return rows;
}

/// Who and what it is about, as the configuration states it; a screening of one machine states nothing.
std::vector<Fields> parties(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  const ReportParties stated = stated_parties(campaign);
  std::vector<Fields> rows;
  const auto add = [&](std::string_view name, std::string_view value) {
    rows.push_back(Fields().text("name", name).text_if("value", value));
  };
  if (campaign.config_text.empty()) {
    if (campaign.kind != "screening") add("Vendor, customer, site, contract", "");
  } else {
    add("Vendor", stated.vendor);
    add("Customer", stated.customer);
    add("Site", stated.site);
    add("Contract", stated.contract);
    add("Tester", stated.tester);
  }
  add("Machine",
      machine_text(campaign.inventory) +
          (is_external(campaign) && campaign.inventory.groups.empty() ? named_in_logs(campaign) : ""));
  if (!campaign.note.empty()) add("Note", campaign.note);
  return rows;
}

/// What the verdict is bound to.
std::vector<Fields> bound_facts(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  std::vector<Fields> rows;
  const CriteriaRevision judging = judging_criteria(campaign);
  const auto criteria = read_criteria(judging.text, judging.name);
  if (judging.text.empty()) {
    rows.push_back(fact("Criteria", "none"));
  } else {
    const bool revised = judging.number > 1;
    const std::string title = !criteria || criteria->title.empty() ? criteria_file_text(judging)
                              : revised
                                  ? fmt::format("“{}” ({})", criteria->title, criteria_file_text(judging))
                                  : fmt::format("“{}”", criteria->title);
    rows.push_back(fact("Criteria", revised ? fmt::format("{}, revision {}", title, judging.number) : title,
                        criteria_sha256(judging).substr(0, 16)));
  }
  const bool noted = campaign.journal && !campaign.journal->first_root.empty();  // beside the signatures
  if (campaign.commitment && (!noted || !campaign.breaches.empty()))
    rows.push_back(fact("Commitment",
                        campaign.breaches.empty()
                            ? "Fixed by hash before the first run"
                            : "Broken: what was fixed by hash before the first run has changed",
                        campaign.commitment->root.substr(0, 16)));
  return rows;
}

std::vector<Fields> contents(const ReportInput& input) {
  std::vector<Fields> rows;
  for (const ReportSection* section : sections_in_order()) {
    if (section->contents == nullptr) continue;
    for (const ContentsLine& line : section->contents(input))
      rows.push_back(Fields().text("anchor", line.anchor).text("title", line.title));
  }
  return rows;
}

/// Letters that may be used in a style sheet's string.
std::string page_id(std::string_view id) {
  std::string kept;
  for (const char c : id)
    if (std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.') kept += c;
  return kept;
}

std::string period(const CampaignRecord& campaign) {
  const std::string from = utc_text(campaign.created_s);
  if (is_external(campaign)) return "imported " + from;
  return campaign.finished_s > 0 ? fmt::format("{} to {}", from, utc_text(campaign.finished_s)) : from;
}

/// "7m 19s, 3m 01s of it waiting before the first run": for calm, or in a queue.
std::string duration(const CampaignRecord& campaign) {
  if (campaign.finished_s <= campaign.created_s || is_external(campaign)) return "";
  double first_s = campaign.finished_s;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      if (attempt.started_s > 0) first_s = std::min(first_s, attempt.started_s);
  // As the time stamps beside it, which are cut to seconds.
  const double whole_s = std::floor(campaign.finished_s) - std::floor(campaign.created_s);
  const double before_s = first_s - campaign.created_s;
  constexpr double worth_saying = 0.1;
  return duration_text(whole_s) +
         (before_s > worth_saying * whole_s && before_s < whole_s
              ? fmt::format(", {} of it waiting before the first run", duration_text(before_s))
              : "");
}

/// A headline and what follows its first colon.
void put_sentence(Fields& page, const Judgement& judgement) {
  const std::string& sentence = judgement.sentence;
  const size_t colon = sentence.find(": ");
  page.text("headline", capitalised(sentence.substr(0, colon)));
  std::string detail = colon == std::string::npos ? "" : sentence.substr(colon + 2) + ".";
  if (sentence.substr(0, colon).ends_with("repeat the test")) detail = capitalised(detail);
  page.text_if("detail", detail);
}

/// Criteria that took the place of others, with the verdict by each of those beside it.
void put_revisions(Fields& page, const Judgement& judgement) {
  const auto& all = judgement.revisions;
  page.flag("is_revised", !all.empty());
  if (all.empty()) return;
  const CriteriaRevision& judging = all.back().criteria;
  page.text("revised", fmt::format("Criteria: revision {}, given at {}: {}", judging.number,
                                   utc_text(judging.at_s), judging.reason))
      .list("revisions", rows_of(std::span(all).first(all.size() - 1), [](const RevisionVerdict& each) {
              return Fields()
                  .text("by", fmt::format("By revision {} ({})", each.criteria.number,
                                          each.criteria.text.empty() ? "no criteria" : each.criteria.name))
                  .text("verdict", capitalised(each.sentence));
            }));
}

/// A sentence without what follows its first semicolon.
std::string first_clause(const std::string& sentence) {
  const size_t end = sentence.find(';');
  return end == std::string::npos ? sentence : sentence.substr(0, end) + ".";
}

/// "HPCG, IO500": suites with criteria that the campaign was not to measure.
std::string left_out_suites(const Judgement& judgement) {
  std::vector<std::string> names;
  for (const CriterionResult& each : judgement.left_out)
    if (const std::string name = suite_title(each.suite); std::ranges::find(names, name) == names.end())
      names.push_back(name);
  return joined(names, ", ");
}

Result<std::string> front_section(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  const Judgement& judgement = input.judgement;
  const std::vector<FrontRow> rows = rows_by_size(input);
  const std::string reference = reference_notice(judgement);
  const NextStep next = next_step(input);
  const CriteriaTally& limits = judgement.tally.limits;
  const bool any_decided = limits.passed + limits.failed > 0 || limits.all == 0;  // else the counter says it
  const bool has_roots = campaign.journal && !campaign.journal->first_root.empty();
  Fields page;
  page.markup("css", std::string(report_file("report.css").value_or("")))
      .text("tool_version", campaign.tool_version)
      .text("system", campaign.system)
      .text("id", campaign.id)
      .text("page_id", page_id(campaign.id))
      .text("document", document_title(campaign))
      .text("period", period(campaign))
      .flag("external", is_external(campaign))
      .text("results_sha256", input.results_sha256.get())
      .flag("has_roots", has_roots)
      .text_if("duration", duration(campaign))
      .text("first_root", has_roots ? campaign.journal->first_root : "")
      .text("last_root", has_roots ? campaign.journal->last_root : "")
      .text("verdict_class", verdict_class(judgement.overall))
      .markup("verdict_icon", verdict_icon(judgement.overall))
      .text_if("mandatory", mandatory_text(judgement))
      .flag("next", !next.first.empty() || !next.command.empty())
      .text("next_first", before_command(next))
      .list("next_command", next.command.empty()
                                ? std::vector<Fields>()
                                : rows_of(split(next.command, ' '),
                                          [](std::string_view word) { return Fields().text("word", word); }))
      .flag("notice", !reference.empty() || campaign.kind == "screening")
      .text("screening",
            campaign.kind == "screening" && any_decided ? first_clause(speed_judged(judgement)) : "")
      .flag("boxes", campaign.kind != "screening" && !judgement.criteria.empty())
      .flag("unjudged", campaign.kind != "screening" && judgement.criteria.empty())
      .flag("screened", campaign.kind == "screening")
      .text_if("left_out", left_out_suites(judgement))
      .text_if("reference", reference)
      .list("parties", parties(input))
      .list("counters", counters(judgement.tally))
      .text_if("derived", derived_counts(judgement.tally))
      .flag("has_rows", !rows.empty())
      .list("rows", rows_of(rows, [&](const FrontRow& row) { return front_row(input, row); }))
      .text("no_rows", judgement.check ? "A scheduled check is judged by the checks before it, below."
                                       : "Nothing was planned and nothing judged.")
      .list("counted", counted_exceptions(input))
      .list("bound", bound_facts(input))
      .list("contents", contents(input));
  put_sentence(page, judgement);
  put_revisions(page, judgement);
  return filled("front.mustache", page);
}

}  // namespace

namespace report_section {
extern const ReportSection front;
const ReportSection front = {.rank = 0, .html = front_section};  // with the head of the page
}  // namespace report_section

}  // namespace shakedown
