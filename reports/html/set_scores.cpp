#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/case_text.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/page.hpp"
#include "reports/html/rule_table.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/screening.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {
namespace {

/// What is demanded beside a score that nobody reviewed.
UnreviewedResult demanded(const SetScore& score) {
  const SuiteFacts* facts = suite_facts(score.suite);
  return facts == nullptr ? UnreviewedResult() : facts->unreviewed.value_or(UnreviewedResult());
}

std::vector<Fields> notes(const CampaignRecord& campaign, const SetScore& score) {
  std::vector<Fields> rows;
  rows.reserve(score.dropped.size() + score.warnings.size());
  for (const std::string& file : score.dropped)
    rows.push_back(Fields().text(
        "text", fmt::format("The score leaves out {}: its rule drops the fastest and the slowest.",
                            short_origins(campaign, file))));
  for (const std::string& warning : score.warnings)
    rows.push_back(Fields().text("text", capitalised(short_origins(campaign, warning)) + "."));
  return rows;
}

/// Whether nothing is wrong with a set but that a screening makes too few runs.
bool only_short(const CampaignRecord& campaign, const SetScore& score) {
  return score.validity == Validity::invalid &&
         std::all_of(score.rules.begin(), score.rules.end(), [&](const RuleResult& rule) {
           return rule.severity != Severity::validity || rule.status != RuleStatus::fail ||
                  short_by_design(campaign, score, rule);
         });
}

bool fails(const RuleResult& rule) {
  return rule.status == RuleStatus::fail;
}

std::vector<Fields> broken_rows(const CampaignRecord& campaign, const SetScore& score) {
  std::vector<Fields> rows;
  for (const RuleResult& rule : score.rules)
    if (fails(rule))
      rows.push_back(rule_row(rule, short_by_design(campaign, score, rule) ? short_of_rules : ""));
  return rows;
}

/// Whether all runs of the sets are of shakedown's own programs.
bool is_all_own(const CampaignRecord& campaign) {
  return std::ranges::all_of(campaign.set_scores, [&](const SetScore& score) {
    const auto is_of_set = [&](const CaseRecord& record) { return record.planned.suite == score.suite; };
    return std::ranges::any_of(campaign.cases, is_of_set) &&
           std::ranges::all_of(campaign.cases, [&](const CaseRecord& record) {
             return !is_of_set(record) || is_own_program(record.planned);
           });
  });
}

/// "unverified": what must stand beside the scores of benchmarks that nobody reviewed.
std::string_view scores_mark(const CampaignRecord& campaign) {
  for (const SetScore& score : campaign.set_scores)
    if (!demanded(score).mark.empty()) return demanded(score).mark;
  return "";
}

std::string scores_title(const CampaignRecord& campaign) {
  if (is_all_own(campaign)) return "Scores of several runs, not official";
  const std::string_view mark = scores_mark(campaign);
  return mark.empty() ? "Scores of several runs" : fmt::format("Scores of several runs, {}", mark);
}

Fields set(const CampaignRecord& campaign, const SetScore& score) {
  const Verdict verdict = score.validity == Validity::valid     ? Verdict::pass
                          : score.validity == Validity::invalid ? Verdict::invalid
                                                                : Verdict::undecided;
  std::vector<Fields> remarks = notes(campaign, score);
  Fields row;
  row.text("name", short_set_name(campaign, score))
      .text("suite", suite_title(score.suite))
      .text("benchmark", score.benchmark)
      .text("score", score.score_min ? metric_text("score_min", *score.score_min, 2) : "–")
      .text_if("mark", score.score_min ? demanded(score).mark : "")
      .text("runs", fmt::format("{}", score.runs))
      .text("converged", fmt::format("{}", score.converged))
      .text("validity", to_string(score.validity))
      .text("class", only_short(campaign, score) ? "v-open" : verdict_class(verdict))
      .markup("icon", verdict_icon(verdict))
      .flag("has_notes", !remarks.empty())
      .list("notes", std::move(remarks))
      .flag("has_broken", std::ranges::any_of(score.rules, fails))
      .list("broken", broken_rows(campaign, score))
      .flag("has_rules", !score.rules.empty())
      .list("rules", rows_of(score.rules,
                             [&](const RuleResult& rule) {
                               return rule_row(rule,
                                               short_by_design(campaign, score, rule) ? short_of_rules : "");
                             }))
      .list("files", rows_of(score.files, [](const auto& file) { return Fields().text("text", file); }));
  return row;
}

std::vector<ContentsLine> set_scores_contents(const ReportInput& input) {
  if (input.campaign.set_scores.empty()) return {};
  return {{"set-scores", scores_title(input.campaign)}};
}

Result<std::string> set_scores_section(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  static constexpr size_t most_sets = 50;
  const auto& all = campaign.set_scores;
  if (all.empty()) return std::string();
  const auto shown = std::span(all).first(std::min(most_sets, all.size()));
  std::string_view footnote;
  for (const SetScore& score : all)
    if (footnote.empty()) footnote = demanded(score).footnote;
  Fields section;
  section.text("title", scores_title(campaign))
      .text(
          "about",
          is_all_own(campaign)
              ? "The score that several runs of shakedown's own program would have by the benchmark's rules."
              : "The score of several runs of one benchmark, by its own rules: the mean of the runs that "
                "count. Official is only what the benchmark's organisation has verified.")
      .list("sets", rows_of(shown, [&](const SetScore& score) { return set(campaign, score); }))
      .text_if("footnote", footnote)
      .text_if("more",
               all.size() > most_sets ? fmt::format("{} more in results.json.", all.size() - most_sets) : "");
  return filled("set_scores.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection set_scores;
const ReportSection set_scores = {.rank = 60, .contents = set_scores_contents, .html = set_scores_section};
}  // namespace report_section

}  // namespace shakedown
