#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "orchestrator/campaign/reference.hpp"
#include "orchestrator/cli/campaign_run.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/comparison_page.hpp"
#include "orchestrator/cli/text/comparison_text.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/judge/baseline_comparison.hpp"
#include "reports/judge/deviations.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/measure/display.hpp"

namespace shakedown::command {
namespace {

constexpr int exit_nothing_to_compare = 3;

struct CompareOptions {
  std::string campaign;
  std::string after;     ///< the second campaign; empty: compared with a baseline
  std::string baseline;  ///< empty: `default_published`
  std::string format = "text";
  std::string folder;  ///< of the page; empty: the campaign's
};

constexpr std::string_view default_published = "sakuraone";
constexpr std::string_view accepted_baseline = "accepted";  ///< in place of published values

nlohmann::ordered_json baseline_comparison_json(const BaselineComparison& compared) {
  const Comparison& row = compared.row;
  nlohmann::ordered_json entry;
  entry["case"] = row.case_id;
  entry["cases"] = compared.cases;
  entry["suite"] = row.suite;
  entry["metric"] = row.metric;
  entry["normalisation"] = row.normalisation;
  entry["n"] = compared.runs.size();
  entry["values"] = compared.runs;
  if (row.measured) entry["measured"] = *row.measured;
  if (!compared.runs.empty()) {
    entry["low"] = compared.low;
    entry["high"] = compared.high;
  }
  if (compared.coverage) entry["coverage"] = *compared.coverage;
  if (row.baseline) entry["baseline"] = *row.baseline;
  if (row.ratio) entry["ratio"] = *row.ratio;
  entry["unit"] = row.unit;
  if (compared.better) entry["better"] = *compared.better == Better::higher ? "higher" : "lower";
  if (!compared.mark.empty()) entry["mark"] = compared.mark;
  entry["comparable"] = row.comparable;
  if (row.information) entry["information"] = true;
  entry["condition"] = row.condition;
  entry["source"] = row.source;
  if (!row.baseline_id.empty()) entry["baseline_id"] = row.baseline_id;
  if (row.set_runs > 0) entry["score_of_runs"] = row.set_runs;
  entry["verdict"] = compared.verdict;
  return entry;
}

/// Two lines: the values, and their verdict.
std::string baseline_comparison_text(const BaselineComparison& compared, std::size_t title_width) {
  const Comparison& row = compared.row;
  const std::string mark = compared.mark.empty() || !row.measured ? "" : ", " + compared.mark;
  std::string text = fmt::format("{:<{}} {:<32} {:<30} {:>16} {:>16} {:>9}\n", compared.title, title_width,
                                 metric_title(row.metric), row.normalisation,
                                 published_value_text(row.measured, row.unit) + mark,
                                 published_value_text(row.baseline, row.unit),
                                 row.ratio && !row.published_log ? percent_text(*row.ratio) : "–");
  text += fmt::format("         {}\n",
                      row.published_log ? "same log: the value of the baseline itself, no second measurement"
                                        : compared.verdict);
  if (row.comparable || row.information)
    text += fmt::format("         {}\n         beside {}\n", row.condition, row.source);
  return text;
}

/// The baseline that the option names, of "mlperf-v5.1:lora-dell-xe9680" the one run.
Result<Baseline> chosen_baseline(const std::string& option, const Layout& layout) {
  const size_t colon = option.rfind(':');
  const std::string name = option.substr(0, colon);
  auto baseline = named_baseline(name.empty() ? std::string(default_published) : name, layout.share);
  if (!baseline || colon == std::string::npos) return baseline;
  const std::string run = option.substr(colon + 1);
  std::vector<std::string> runs;
  for (const BaselineValue& value : baseline->values)
    if (std::ranges::find(runs, value.run) == runs.end()) runs.push_back(value.run);
  if (std::ranges::find(runs, run) == runs.end())
    return fail("--baseline", fmt::format("{} has no run '{}'{}", name, run, did_you_mean(run, runs)),
                fmt::format("`shakedown baseline show {}` lists them", name));
  std::erase_if(baseline->values, [&](const BaselineValue& value) { return value.run != run; });
  return baseline;
}

/// The suites of a campaign's cases: "HPL, STREAM".
std::string measured_suites(const CampaignRecord& campaign) {
  std::vector<std::string> titles;
  for (const CaseRecord& each : campaign.cases)
    if (std::string title = suite_title(each.planned.suite); std::ranges::find(titles, title) == titles.end())
      titles.push_back(std::move(title));
  return joined(titles, ", ");
}

/// Writes the page where one is asked for, by `write`, and names it on standard output; with --json, whose
/// document is all that stands there, on standard error.
template <class Write>
Result<void> page_written(const CompareOptions& options, const CommonOptions& common, Write write) {
  if (options.format != "html") return {};
  const Workspace workspace{common.workspace};
  const auto path = write(PagePlace{workspace, options.folder});
  if (!path) return failure_of(path);
  (common.json ? std::cerr : std::cout) << "wrote    " << path->string() << "\n";
  return {};
}

Result<int> beside_baseline(const CompareOptions& options, const CommonOptions& common) {
  const Layout layout = installed_layout();
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, options.campaign);
  if (!id) return failure_of(id);
  const auto outcome = judged_campaign(workspace, *id, layout);
  if (!outcome) return failure_of(outcome);
  const auto baseline = chosen_baseline(options.baseline, layout);
  if (!baseline) return failure_of(baseline);
  const auto comparability = file_content(layout.share / "comparability.toml");
  if (!comparability) return failure_of(comparability);
  const auto judgement = judge(outcome->campaign, &*baseline, *comparability);
  if (!judgement) return failure_of(judgement);
  const auto table = read_comparability(*comparability, "comparability.toml");
  if (!table) return failure_of(table);
  const auto rows = baseline_comparisons(outcome->campaign, judgement->comparisons, *table);
  const bool any = std::any_of(rows.begin(), rows.end(),
                               [](const BaselineComparison& each) { return each.row.comparable; });
  const auto page = page_written(options, common, [&](const PagePlace& place) {
    return write_comparison_page(rows, *baseline, *outcome, place);
  });
  if (!page) return failure_of(page);
  if (common.json) {
    nlohmann::ordered_json document;
    document["schema"] = "shakedown.comparison/1";
    document["campaign"] = *id;
    document["baseline"] = baseline->name;
    document["comparisons"] = nlohmann::ordered_json::array();
    for (const BaselineComparison& row : rows)
      document["comparisons"].push_back(baseline_comparison_json(row));
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return any ? 0 : exit_nothing_to_compare;
  }
  if (rows.empty()) {
    std::cout << shown(fmt::format("nothing to compare: {} publishes no value of {}\n", baseline->title,
                                   measured_suites(outcome->campaign.record)));
    return exit_nothing_to_compare;
  }
  std::size_t title_width = 8;
  for (const BaselineComparison& each : rows) title_width = std::max(title_width, each.title.size());
  std::string text =
      fmt::format("{} against {}\n\n{:<{}} {:<32} {:<30} {:>16} {:>16} {:>9}\n", *id, baseline->title,
                  "SUITE", title_width, "METRIC", "AS", "MEASURED", "BASELINE", "RATIO");
  std::vector<Comparison> plain;
  plain.reserve(rows.size());
  for (const BaselineComparison& each : rows) plain.push_back(each.row);
  const bool several = of_several_cases(plain);
  std::string last;
  std::int64_t without_value = 0;
  for (const BaselineComparison& each : rows) {
    // A row of no published value states by which rule nothing is compared.
    if (!each.row.measured && !each.row.baseline_id.empty() && common.verbose == 0) {
      ++without_value;
      continue;
    }
    if (several && each.row.case_id != std::exchange(last, each.row.case_id)) text += each.subject + "\n";
    text += baseline_comparison_text(each, title_width);
  }
  if (without_value > 0)
    text +=
        fmt::format("\n{} with {} without a value here (-v shows {}).\n", plural(without_value, "comparison"),
                    baseline->name, without_value == 1 ? "it" : "them");
  if (!any)
    text += fmt::format("\nnothing to compare: no value was published under these conditions{}\n",
                        without_value < std::ssize(rows) ? "; the rows state why" : "");
  if (const std::string notice = reference_notice(*judgement); !notice.empty()) text += "\n" + notice + ".\n";
  std::cout << shown(text);
  return any ? 0 : exit_nothing_to_compare;
}

Result<MeasuredCampaign> stored_campaign(const Database& database, const Workspace& workspace,
                                         const std::string& given, const Comparability& table) {
  const auto id = chosen_campaign(workspace, given);
  if (!id) return failure_of(id);
  auto campaign = database.campaign(*id);
  if (!campaign) return failure_of(campaign);
  return without_disturbed(*std::move(campaign), table);
}

/// The campaign that was accepted last as a whole of the system that another is of.
Result<MeasuredCampaign> accepted_before(const Database& database, const Workspace& workspace,
                                         const std::string& system, const Comparability& table) {
  auto reference = last_accepted(workspace, database, system);
  if (!reference) return failure_of(reference);
  std::optional<Reference>& found = *reference;
  if (!found)
    return fail("--baseline accepted", fmt::format("no campaign of '{}' is accepted yet", system),
                "`shakedown accept` makes one the reference; or name the campaign before");
  return without_disturbed(std::move(found->campaign), table);
}

/// Which programs of two campaigns are shakedown's own: one line where both are alike.
std::string reference_notices(const std::string& before, const std::string& after) {
  if (before == after) return before.empty() ? "" : fmt::format("\n{}.\n", before);
  std::string text;
  if (!before.empty()) text += fmt::format("\nbefore: {}.\n", before);
  if (!after.empty()) text += fmt::format("\nafter: {}.\n", after);
  return text;
}

Result<int> beside_campaign(const CompareOptions& options, const CommonOptions& common) {
  const bool accepted = options.baseline == accepted_baseline;
  const Workspace workspace{common.workspace};
  const auto text = file_content(installed_layout().share / "comparability.toml");
  if (!text) return failure_of(text);
  const auto table = read_comparability(*text, "comparability.toml");
  if (!table) return failure_of(table);
  // A store that can't be opened must not hide that a campaign is misspelt.
  const std::string& last = accepted ? options.campaign : options.after;
  for (const std::string* given : {&options.campaign, &last})
    if (auto id = chosen_campaign(workspace, *given); !id) return failure_of(id);
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database);
  const auto after = stored_campaign(*database, workspace, last, *table);
  if (!after) return failure_of(after);
  const auto before = accepted ? accepted_before(*database, workspace, after->record.system, *table)
                               : stored_campaign(*database, workspace, options.campaign, *table);
  if (!before) return failure_of(before);
  const CampaignRecord& old = before->record;
  const CampaignRecord& fresh = after->record;
  if (old.id == fresh.id)
    return fail(old.id, accepted ? "is the accepted campaign itself" : "is both of the campaigns",
                "name another; `shakedown campaigns` lists them");
  const auto past = database->series_of(fresh.system);
  if (!past) return failure_of(past);
  const ComparedCampaigns compared = compared_campaigns(*before, *after, *table, &*past);
  const auto page = page_written(
      options, common, [&](const PagePlace& place) { return write_comparison_page(compared, place); });
  if (!page) return failure_of(page);
  if (common.json)
    std::cout << comparison_json(compared);
  else
    std::cout << shown(comparison_text(compared, common.verbose > 0) +
                       reference_notices(reference_notice(*before), reference_notice(*after)));
  return comparison_exit_code(compared.metrics);
}

Result<int> show(const CompareOptions& options, const CommonOptions& common) {
  if (!options.after.empty() && !options.baseline.empty())
    return fail("--baseline", "would do nothing beside two campaigns",
                "leave it out, or the second campaign");
  if (auto known = check_comparison_format(options.format, options.folder); !known) return failure_of(known);
  const bool campaigns = !options.after.empty() || options.baseline == accepted_baseline;
  return campaigns ? beside_campaign(options, common) : beside_baseline(options, common);
}

}  // namespace

extern const Command compare;
const Command compare = {
    .id = "compare",
    .about = "two campaigns beside each other, or one beside a baseline",
    .rank = 83,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<CompareOptions>();
      app.add_option("campaign", options->campaign,
                     "id or its beginning; of two the one before (default: the newest)")
          ->type_name("A");
      app.add_option("after", options->after, "the campaign after; without it A stands beside a baseline")
          ->type_name("B");
      app.add_option("--baseline", options->baseline,
                     "published values (default: sakuraone), a baseline file of your own, or one run of "
                     "either (NAME:RUN); or 'accepted': the campaign accepted last")
          ->type_name("NAME|F");
      app.add_option("--format", options->format,
                     "text, or html: a page with a forest plot, all metrics and what else differs")
          ->type_name("FORMAT");
      app.add_option("-o,--output", options->folder, "folder of the page (default: that of the campaign)")
          ->type_name("DIR");
      app.footer(
          "Example: shakedown compare 2026-11-01 2026-11-22\n"
          "Exit code of two campaigns: 0 nothing worse, 1 worse beyond noise and by 2 % or more, 3 "
          "undecided:\n"
          "too few runs or nodes, too much noise, attempts lost on one side, nothing alike. Of published\n"
          "values: 0, or 3 where nothing can be compared.");
      return [options, &common] { return show(*options, common); };
    },
};

}  // namespace shakedown::command
