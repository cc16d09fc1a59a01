#include "reports/html/compare_page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/core/version.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/page.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/tally.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {

std::optional<std::string_view> report_file(std::string_view name);

namespace {

constexpr std::size_t most_moved = 6;
constexpr std::size_t most_environment = 150;

std::string style() {
  return std::string(report_file("report.css").value_or("")) +
         std::string(report_file("compare_page.css").value_or(""));
}

std::string period_of(const CampaignRecord& campaign) {
  const std::string from = utc_text(campaign.created_s);
  if (is_external(campaign)) return "imported " + from;
  return campaign.finished_s > 0 ? fmt::format("{} to {}", from, utc_text(campaign.finished_s)) : from;
}

/// The facts of a campaign, in the order of `fact_names`.
std::vector<std::string> facts_of(const ComparedSide& side) {
  const CampaignRecord& campaign = side.measured.record;
  const CriteriaRevision judging = judging_criteria(campaign);
  return {campaign.id,
          campaign.system,
          period_of(campaign),
          fmt::format("{}, {}", campaign.kind, to_string(campaign.state)),
          machine_text(campaign.inventory),
          judging.text.empty() ? "none" : criteria_file_text(judging),
          judging.text.empty() ? "" : criteria_sha256(judging),
          campaign.commitment ? campaign.commitment->root : "",
          side.results_sha256,
          campaign.tool_version};
}

constexpr std::array<std::string_view, 10> fact_names = {
    "Campaign",          "System",     "Time",
    "Kind, state",       "Machine",    "Criteria",
    "Criteria, SHA-256", "Commitment", "results.json, SHA-256",
    "shakedown"};

bool is_hash(std::string_view name) {
  return name.ends_with("SHA-256") || name == "Commitment";
}

Fields provenance_row(std::string_view name, std::string_view before, std::string_view after) {
  return Fields()
      .text("name", name)
      .text_if("before", before)
      .text_if("after", after)
      .text("css", is_hash(name) ? "mono hash" : "");
}

Fields verdict_of_side(std::string_view when, const Judgement& judgement) {
  return Fields()
      .text("when", when)
      .text("class", verdict_class(judgement.overall))
      .markup("icon", verdict_icon(judgement.overall))
      .text("sentence", capitalised(judgement.sentence))
      .text_if("counts", criteria_counts(judgement));
}

Fields criterion_cell(const CriterionResult& result) {
  return Fields()
      .text("class", verdict_class(result.verdict))
      .markup("icon", verdict_icon(result.verdict))
      .text("word", capitalised(verdict_text(result)))
      .text("value", result.measured && !result.withheld ? metric_text(result.metric, *result.measured)
                                                         : std::string(dash))
      .text("limit", result.limit      ? fmt::format("{} {}", relation(result.direction, true),
                                                     metric_text(result.metric, *result.limit))
                     : result.is_short ? "every result correct"
                                       : "every result valid");
}

/// The criteria of both by their ids, in the order of the campaign after.
std::vector<Fields> criteria_rows(const Judgement* before, const Judgement& after) {
  std::map<std::string, const CriterionResult*> old;
  if (before != nullptr)
    for (const CriterionResult& each : before->criteria) old[each.id] = &each;
  std::vector<Fields> rows;
  const auto add = [&](const CriterionResult* left, const CriterionResult* right) {
    const CriterionResult& any = right != nullptr ? *right : *left;
    Fields row;
    row.text("id", any.id).text("severity", to_string(any.severity));
    const auto cell = [&](const char* name, const CriterionResult* result) {
      std::vector<Fields> one;
      if (result != nullptr) one.push_back(criterion_cell(*result));
      row.list(name, std::move(one));
    };
    cell("before", left);
    cell("after", right);
    rows.push_back(std::move(row));
  };
  for (const CriterionResult& each : after.criteria) {
    const auto found = old.find(each.id);
    add(found == old.end() ? nullptr : found->second, &each);
    if (found != old.end()) old.erase(found);
  }
  if (before != nullptr)
    for (const CriterionResult& each : before->criteria)
      if (old.contains(each.id)) add(&each, nullptr);
  return rows;
}

void put_rows(Fields& page, ComparedRows rows, std::string_view what) {
  rows.plot.label = fmt::format("{}, shift of {} with its interval; the table has all values", what,
                                plural(static_cast<std::int64_t>(rows.plot.rows.size()), "metric"));
  const bool any = !rows.plot.rows.empty();
  page.flag("has_plot", any)
      .markup("plot", any ? forest_plot(rows.plot) : "")
      .text_if("not_drawn", rows.not_drawn > 0
                                ? fmt::format("{} more in the table.",
                                              plural(static_cast<std::int64_t>(rows.not_drawn), "metric"))
                                : "")
      .list("metrics", std::move(rows.table));
}

/// That programs of shakedown's own are among the results, once.
std::string notice_of(std::initializer_list<const Judgement*> sides) {
  std::vector<std::string> notices;
  for (const Judgement* side : sides)
    if (std::string notice = reference_notice(*side);
        !notice.empty() && std::ranges::find(notices, notice) == notices.end())
      notices.push_back(std::move(notice));
  return notices.empty() ? "" : joined(notices, ". ") + ".";
}

std::vector<Fields> sentences(const std::vector<std::string>& all) {
  return rows_of(all, [](const std::string& text) { return Fields().text("text", text); });
}

/// The metrics that moved, the leading ones first, each with its words.
std::vector<std::string> moved(const std::vector<MetricComparison>& metrics) {
  std::vector<std::string> texts;
  std::size_t more = 0;
  for (const bool leading : {true, false})
    for (const MetricComparison& each : metrics) {
      const bool changed = each.change == ChangeVerdict::worse || each.change == ChangeVerdict::better;
      if (!changed || each.leading != leading) continue;
      if (texts.size() < most_moved)
        texts.push_back(fmt::format("{} {}, {}: {}", benchmark_title(each.suite, each.implementation),
                                    compared_title(each), case_text(each), each.verdict));
      else
        ++more;
    }
  if (more > 0) texts.push_back(fmt::format("{} more, in the table", more));
  return texts;
}

Verdict drawn_as(ChangeVerdict change) {
  if (change == ChangeVerdict::worse) return Verdict::fail;
  if (change == ChangeVerdict::better || change == ChangeVerdict::same) return Verdict::pass;
  return change == ChangeVerdict::undecided ? Verdict::undecided : Verdict::not_comparable;
}

std::string across_days_text(const std::vector<MetricComparison>& metrics) {
  if (std::string text = assumption_text(metrics); !text.empty()) return text;
  const auto with_days = std::ranges::find_if(
      metrics, [](const auto& each) { return each.statistics && each.statistics->days; });
  return with_days == metrics.end() ? ""
                                    : "Intervals include by how much earlier days differ without a known "
                                      "cause.";
}

void put_environment(Fields& page, const ComparedCampaigns& compared) {
  const auto said = [](const std::string& value) { return value.empty() ? std::string("not there") : value; };
  std::vector<Fields> rows;
  for (const EnvironmentDifference& each : compared.environment)
    if (rows.size() < most_environment)
      rows.push_back(Fields()
                         .text("what", each.what)
                         .text_if("hosts", each.hosts)
                         .text("before", said(each.before))
                         .text("after", said(each.after)));
  const std::size_t more = compared.environment.size() - rows.size();
  page.flag("has_environment", !rows.empty())
      .list("environment", std::move(rows))
      .text_if("more_environment", more > 0 ? fmt::format("{} more: `shakedown compare`.", more) : "")
      .text_if("looked_at", joined(compared.known.on_both_sides, "; "))
      .text_if("unknown", joined(compared.known.unknown, "; "));
}

void put_head(Fields& page, const ComparedSide& side, std::string_view document, std::string_view beside) {
  page.markup("css", style())
      .text("tool_version", tool_version)
      .text("document", document)
      .text("system", side.measured.record.system)
      .text("id", side.measured.record.id)
      .text("beside", beside);
}

}  // namespace

Result<std::string> comparison_page(const ComparedCampaigns& compared, const ComparedSide& before,
                                    const ComparedSide& after) {
  const ChangeVerdict overall = overall_change(compared.metrics);
  const std::string sentence = overall_text(compared.metrics);
  const std::size_t colon = sentence.find(": ");
  Fields page;
  put_head(page, after, "Comparison of two campaigns", "against " + compared.before);
  page.text("headline", capitalised(sentence.substr(0, colon)))
      .text_if("detail", colon == std::string::npos ? "" : capitalised(sentence.substr(colon + 2)) + ".")
      .text("verdict_class", verdict_class(drawn_as(overall)))
      .markup("verdict_icon", verdict_icon(drawn_as(overall)))
      .list("moved", sentences(moved(compared.metrics)))
      .text_if("assumption", across_days_text(compared.metrics))
      .text_if("notice", notice_of({&before.judgement, &after.judgement}))
      .text("there", "Before")
      .text("here", "After")
      .flag("is_pair", true)
      .flag("is_published", false);
  put_rows(page, compared_rows(compared), "After against before");
  put_environment(page, compared);
  std::vector<Fields> nodes = differing_nodes(compared.metrics, &before.judgement, after.judgement);
  page.flag("has_nodes", !nodes.empty())
      .list("nodes", std::move(nodes))
      .text_if("alone", nodes_of_one_side(before.measured.record, after.measured.record));
  std::vector<Fields> criteria = criteria_rows(&before.judgement, after.judgement);
  page.list("verdicts",
            {verdict_of_side("Before", before.judgement), verdict_of_side("After", after.judgement)})
      .flag("has_criteria", !criteria.empty())
      .list("criteria", std::move(criteria));
  const auto old = facts_of(before);
  const auto fresh = facts_of(after);
  std::vector<Fields> facts;
  facts.reserve(fact_names.size());
  for (std::size_t i = 0; i < fact_names.size(); ++i)
    facts.push_back(provenance_row(fact_names.at(i), old.at(i), fresh.at(i)));
  page.list("provenance", std::move(facts));
  return filled("compare_page.mustache", page);
}

namespace {

/// "12 of 17 values can be compared: 10 better than the published value, 2 worse; 1 more is drawn for
/// information": all that have a ratio, so that the numbers are those of the picture.
std::string published_sentence(const std::vector<BaselineComparison>& rows) {
  std::size_t better = 0;
  std::size_t worse = 0;
  std::size_t others = 0;  // equal, or of a metric of which neither is better
  std::size_t information = 0;
  for (const BaselineComparison& each : rows) {
    if (!each.row.ratio) continue;
    const double ratio = *each.row.ratio;
    if (each.row.information)
      ++information;
    else if (!each.better || ratio == 1)
      ++others;
    else
      ++((ratio > 1) == (*each.better == Better::higher) ? better : worse);
  }
  const std::size_t set_beside = better + worse + others;
  std::vector<std::string> parts;
  if (better > 0) parts.push_back(fmt::format("{} better than the published value", better));
  if (worse > 0) parts.push_back(fmt::format("{} worse than it", worse));
  if (others > 0) parts.push_back(fmt::format("{} neither", others));
  const std::string more = information == 0 ? ""
                                            : fmt::format("{} more {} drawn for information", information,
                                                          information == 1 ? "is" : "are");
  if (set_beside == 0)
    return "nothing can be compared: no value was published under these conditions" +
           (more.empty() ? "" : "; " + more);
  return fmt::format("{} of {} can be compared: {}{}{}", set_beside,
                     plural(static_cast<std::int64_t>(rows.size()), "value"), joined(parts, ", "),
                     more.empty() ? "" : "; ", more);
}

/// The rows that are furthest from the published value on either side.
std::vector<std::string> furthest(const std::vector<BaselineComparison>& rows) {
  const BaselineComparison* most = nullptr;
  const BaselineComparison* least = nullptr;
  double highest = 1;
  double lowest = 1;
  for (const BaselineComparison& each : rows) {
    const double ratio = each.row.information ? 1 : each.row.ratio.value_or(1);
    if (ratio > highest) most = &each;
    if (ratio < lowest) least = &each;
    highest = std::max(highest, ratio);
    lowest = std::min(lowest, ratio);
  }
  std::vector<std::string> texts;
  for (const BaselineComparison* each : {most, least})
    if (each != nullptr)
      texts.push_back(fmt::format("{} {}{}: {}", each->title, metric_title(each->row.metric),
                                  each->row.normalisation == "absolute" ? "" : ", " + each->row.normalisation,
                                  each->verdict));
  return texts;
}

}  // namespace

Result<std::string> comparison_page(const std::vector<BaselineComparison>& rows, const Baseline& baseline,
                                    const ComparedSide& side) {
  const std::string sentence = published_sentence(rows);
  const bool any = std::ranges::any_of(rows, [](const auto& each) { return each.row.ratio.has_value(); });
  const std::size_t colon = sentence.find(": ");
  Fields page;
  put_head(page, side, "Comparison with published values", "against " + baseline.title);
  page.text("headline", capitalised(sentence.substr(0, colon)))
      .text_if("detail", colon == std::string::npos ? "" : capitalised(sentence.substr(colon + 2)) + ".")
      .text("verdict_class", "v-open")
      .markup("verdict_icon", any ? "" : verdict_icon(Verdict::not_comparable))
      .list("moved", sentences(furthest(rows)))
      .text("assumption",
            "A published value is one value without a spread of its own, so no significance is claimed. An "
            "interval is that of the median here; with fewer than six runs it is their range.")
      .text_if("notice", notice_of({&side.judgement}))
      .text("there", "Published")
      .text("here", "Here")
      .flag("is_pair", false)
      .flag("is_published", true);
  put_rows(page, compared_rows(rows), "Here against the published value");
  std::vector<Fields> nodes = differing_nodes({}, nullptr, side.judgement);
  page.flag("has_nodes", !nodes.empty()).list("nodes", std::move(nodes)).flag("alone", false);
  std::vector<Fields> criteria = criteria_rows(nullptr, side.judgement);
  page.list("verdicts", {verdict_of_side("Here", side.judgement)})
      .flag("has_criteria", !criteria.empty())
      .list("criteria", std::move(criteria));
  const auto facts = facts_of(side);
  std::vector<Fields> provenance;
  provenance.reserve(fact_names.size() + 2);
  for (std::size_t i = 0; i < fact_names.size(); ++i)
    provenance.push_back(provenance_row(fact_names.at(i), i == 0 ? baseline.name : "", facts.at(i)));
  provenance.push_back(provenance_row("Published in", baseline.source, ""));
  provenance.push_back(provenance_row("Published values, SHA-256", baseline.sha256, ""));
  page.list("provenance", std::move(provenance));
  return filled("compare_page.mustache", page);
}

}  // namespace shakedown
