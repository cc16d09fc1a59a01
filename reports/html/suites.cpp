#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/case_text.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/file_system.hpp"
#include "reports/html/front_rows.hpp"
#include "reports/html/page.hpp"
#include "reports/html/suite_runs.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/set_score.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_settings = 7;

std::string suite_anchor(std::string_view suite) {
  return fmt::format("suite-{}", suite);
}

/// The case whose configuration stands for the suite: that of the first page, else the first.
const MeasuredCase* shown_case(const FrontRow& row) {
  for (const MeasuredCase* each : row.cases)
    if (row.result != nullptr && each->planned.id == row.result->case_id) return each;
  return row.cases.empty() ? nullptr : row.cases.front();
}

/// What the suite measures; of shakedown's own program without the benchmark's name.
std::string about_sentence(const SuiteFacts& facts, bool own) {
  const std::size_t name = own ? facts.about.find(": ") : std::string_view::npos;
  std::string text = capitalised(name == std::string_view::npos ? facts.about : facts.about.substr(name + 2));
  if (!text.empty() && text.back() != '.') text += '.';
  return text;
}

/// The metric of the table of runs: that of the first page.
std::string shown_metric(const FrontRow& row) {
  if (row.result != nullptr && !row.result->metric.empty()) return row.result->metric;
  return std::string(rate_metric(row.suite));
}

/// "unverified": what must stand beside the suite's results; empty: nothing.
std::string_view mark_of_suite(const FrontRow& row) {
  const MeasuredCase* shown = shown_case(row);
  return shown == nullptr ? "" : unreviewed_mark(shown->planned);
}

/// "time to train, unverified".
std::string title_with_mark(const FrontRow& row, const std::string& metric) {
  const std::string title = metric.empty() ? "result" : metric_title(metric);
  const std::string_view mark = mark_of_suite(row);
  return mark.empty() ? title : fmt::format("{}, {}", title, mark);
}

std::vector<Figure> marked_figures(const ReportInput& input, const FrontRow& row) {
  std::vector<Figure> figures = suite_figures(input, row.suite);
  const std::string_view mark = mark_of_suite(row);
  if (!mark.empty())
    for (Figure& figure : figures)
      figure.caption += fmt::format("{}{}", figure.caption.empty() ? "" : "; ", mark);
  return figures;
}

/// "N = 2 706 432, NB = 1024, P = 16": what the one log of a suite shows of how it ran. Empty: a plan says
/// it, or there are several logs.
std::string logged_settings(const FrontRow& row) {
  if (row.cases.size() != 1 || row.cases.front()->planned.origin.empty()) return "";
  std::vector<std::string> settings;
  for (const Parameter& each : row.cases.front()->planned.parameters)
    settings.push_back(fmt::format("{} = {}", each.name, value_shown(each.value)));
  return joined(settings, ", ");
}

void put_settings(Fields& section, const FrontRow& row) {
  const MeasuredCase* shown = shown_case(row);
  section.text_if("logged", logged_settings(row));
  std::vector<Fields> settings = shown == nullptr ? std::vector<Fields>() : reason_rows(shown->planned.why);
  const std::size_t more = settings.size() - std::min(most_settings, settings.size());
  settings.resize(settings.size() - more);
  section.flag("has_settings", !settings.empty())
      .list("settings", std::move(settings))
      .text_if("of", row.cases.size() > 1 && shown != nullptr ? "of " + shown->planned.id : "")
      .text_if("more_settings",
               more > 0
                   ? fmt::format(
                         "{} more: on the screen under Runs in full, and in results.json (see Provenance).",
                         plural(static_cast<std::int64_t>(more), "setting"))
                   : "");
}

/// The scores of the suite's sets, or why one has none. Sets of shakedown's own programs are listed only with
/// a score: a screening makes too few runs for one.
void put_scores(Fields& section, const ReportInput& input, const FrontRow& row) {
  std::vector<Fields> scores;
  std::set<const SetScore*> known;
  std::string_view footnote;
  for (const MeasuredCase* each : row.cases) {
    const SetScore* set = set_of_case(input.campaign, *each);
    if (set == nullptr || !known.insert(set).second) continue;
    const SuiteFacts* facts = suite_facts(set->suite);
    const std::string_view mark = unreviewed_mark(each->planned);
    if (!mark.empty() && facts != nullptr && facts->unreviewed) footnote = facts->unreviewed->footnote;
    Fields fields;
    fields.text("name", fmt::format("{} ({})", short_set_name(input.campaign, *set), set->benchmark));
    if (facts != nullptr && score_of_case(input.campaign, *each, facts->set_metric) != nullptr)
      scores.push_back(fields.text("score", metric_text(facts->set_metric, set->score_min.value_or(0)))
                           .text("text", score_words(each->planned, *set)));
    else if (!mark.empty())
      scores.push_back(fields.text("score", "no score").text("text", why_no_score(*set)));
  }
  section.flag("has_scores", !scores.empty()).list("scores", std::move(scores)).text_if("footnote", footnote);
}

/// "1 to 99 nodes", "N 16 896 to 168 000": what differs among cases; of one value that value alone.
std::string range_text(const std::set<double>& values, std::string_view noun, bool in_front) {
  const std::string low = grouped(*values.begin());
  const std::string text = values.size() == 1 ? low : fmt::format("{} to {}", low, grouped(*values.rbegin()));
  if (in_front) return fmt::format("{} {}", noun, text);
  return fmt::format("{} {}{}", text, noun, *values.rbegin() == 1 ? "" : "s");
}

/// "106 cases: implementation netlib, 1 to 99 nodes, 4 sizes (N 16 896 to 168 000).": of several cases what
/// they have in common and the ranges of what they have not.
std::string cases_lead(const FrontRow& row) {
  std::set<std::string> implementations;
  std::set<double> nodes;
  std::set<double> sizes;
  std::set<std::string> other_sizes;
  for (const MeasuredCase* each : row.cases) {
    implementations.insert(each->planned.implementation);
    nodes.insert(each->planned.nodes);
    if (const Value* order = find_parameter(each->planned.parameters, "N"))
      sizes.insert(value_number(*order));
    else if (std::string size = size_text(*each); !size.empty())
      other_sizes.insert(std::move(size));
  }
  std::string text =
      fmt::format("{}: implementation{} {}, {}", plural(static_cast<std::int64_t>(row.cases.size()), "case"),
                  implementations.size() == 1 ? "" : "s",
                  joined(std::vector<std::string>(implementations.begin(), implementations.end()), ", "),
                  range_text(nodes, "node", false));
  if (sizes.size() > 1)
    text += fmt::format(", {} sizes ({})", sizes.size(), range_text(sizes, "N", true));
  else if (!sizes.empty())
    text += ", " + range_text(sizes, "N", true);
  if (other_sizes.size() > 1)
    text += fmt::format(", {} sizes", other_sizes.size());
  else if (!other_sizes.empty())
    text += ", " + *other_sizes.begin();
  return text + ".";
}

/// How the suite was run: of several cases what they span; of logs made elsewhere where they lie, as each may
/// have run in its own way.
std::string suite_lead(const CampaignRecord& campaign, const FrontRow& row, const Case& shown) {
  if (row.cases.size() < 2) return case_lead(shown);
  if (shown.origin.empty()) return cases_lead(row);
  const std::string folder = origins_folder(campaign);
  return fmt::format("Made elsewhere, {} logs{}.", row.cases.size(),
                     folder.empty() ? "" : ", named by their path in " + folder);
}

Result<std::string> suite_section(const ReportInput& input, const FrontRow& row) {
  const SuiteFacts* facts = suite_facts(row.suite);
  const MeasuredCase* shown = shown_case(row);
  const std::string metric = shown_metric(row);
  const bool own = shown != nullptr && is_own_program(shown->planned) && !is_screen(row.suite);
  auto figures = figures_markup(marked_figures(input, row));
  if (!figures) return figures;
  Fields section;
  section.text("anchor", suite_anchor(row.suite))
      .text("title", shown == nullptr ? suite_title(row.suite) : benchmark_title(shown->planned))
      .text("about", facts == nullptr ? "" : about_sentence(*facts, own))
      .text("lead", shown == nullptr ? "" : suite_lead(input.campaign, row, shown->planned))
      .text("when", is_external(input.campaign) ? "When, by its log" : "Wall time of the whole run")
      .text_if("file_system", file_system_text(input, row.suite))
      .flag("own", own)
      .markup("figures", *figures)
      .text("metric", capitalised(title_with_mark(row, metric)));
  put_scores(section, input, row);
  put_settings(section, row);
  SuiteRuns runs = suite_runs(input, row.suite, metric);
  section.list("runs", std::move(runs.rows))
      .text_if("more_runs",
               runs.left_out > 0
                   ? fmt::format(
                         "{} more: on the screen under Runs in full, and in results.json (see Provenance).",
                         plural(static_cast<std::int64_t>(runs.left_out), "run"))
                   : "");
  std::vector<Fields> broken = broken_rules(input, row.suite);
  UncheckedRules unchecked = unchecked_rules(input, row.suite);
  section.flag("has_broken", !broken.empty())
      .list("broken", std::move(broken))
      .flag("has_unchecked", !unchecked.rows.empty())
      .text("unchecked", unchecked.text)
      .list("unchecked_rules", std::move(unchecked.rows));
  return filled("suites.mustache", section);
}

/// The rows of the first page that have cases.
std::vector<FrontRow> suites_with_cases(const ReportInput& input) {
  std::vector<FrontRow> rows = front_rows(input);
  std::erase_if(rows, [](const FrontRow& row) { return row.cases.empty(); });
  return rows;
}

std::vector<ContentsLine> suites_contents(const ReportInput& input) {
  std::vector<ContentsLine> lines;
  for (const FrontRow& row : suites_with_cases(input))
    lines.push_back({suite_anchor(row.suite), benchmark_title(shown_case(row)->planned)});
  return lines;
}

Result<std::string> suites_section(const ReportInput& input) {
  std::string all;
  for (const FrontRow& row : suites_with_cases(input)) {
    const auto section = suite_section(input, row);
    if (!section) return section;
    all += *section;
  }
  return all;
}

}  // namespace

namespace report_section {
extern const ReportSection suites;
const ReportSection suites = {.rank = 12, .contents = suites_contents, .html = suites_section};
}  // namespace report_section

}  // namespace shakedown
