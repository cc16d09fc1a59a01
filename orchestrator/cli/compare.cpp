#include <CLI/CLI.hpp>
#include <algorithm>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/cli/support/campaigning.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/terminal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/display.hpp"

namespace shakedown::command {
namespace {

constexpr int exit_nothing_to_compare = 3;

struct Options {
  std::string campaign;
  std::string baseline = "sakuraone";
};

std::string value_or_dash(const std::optional<double>& value, const std::string& unit) {
  if (!value) return "–";
  return unit == "GFLOP/s" ? flops_text(*value)
         : unit.empty()    ? number(*value, 4)
                           : fmt::format("{} {}", number(*value, 4), unit);
}

nlohmann::ordered_json row_json(const Comparison& row) {
  nlohmann::ordered_json entry;
  entry["case"] = row.case_id;
  entry["suite"] = row.suite;
  entry["metric"] = row.metric;
  entry["normalisation"] = row.normalisation;
  if (row.measured) entry["measured"] = *row.measured;
  if (row.baseline) entry["baseline"] = *row.baseline;
  if (row.ratio) entry["ratio"] = *row.ratio;
  entry["unit"] = row.unit;
  entry["comparable"] = row.comparable;
  if (row.information) entry["information"] = true;
  entry["condition"] = row.condition;
  entry["source"] = row.source;
  if (!row.baseline_id.empty()) entry["baseline_id"] = row.baseline_id;
  return entry;
}

Result<int> show(const Options& options, const CommonOptions& common) {
  const Layout layout = installed_layout();
  const Workspace workspace{common.workspace};
  const auto id = chosen_campaign(workspace, options.campaign);
  if (!id) return pass_on(id);
  const auto outcome = judged_campaign(workspace, *id, layout);
  if (!outcome) return pass_on(outcome);
  const auto baseline = read_baseline(layout.share / "baselines" / (options.baseline + ".toml"));
  if (!baseline)
    return fail("--baseline", fmt::format("no baseline '{}'", options.baseline),
                "`shakedown baseline list` names them");
  const auto comparability = file_content(layout.share / "comparability.toml");
  if (!comparability) return pass_on(comparability);
  const auto judgement = judge(outcome->campaign, &*baseline, *comparability);
  if (!judgement) return pass_on(judgement);
  const auto& rows = judgement->comparisons;
  const bool any =
      std::any_of(rows.begin(), rows.end(), [](const Comparison& row) { return row.comparable; });
  if (common.json) {
    nlohmann::ordered_json document;
    document["schema"] = "shakedown.comparison/1";
    document["campaign"] = *id;
    document["baseline"] = baseline->name;
    document["comparisons"] = nlohmann::ordered_json::array();
    for (const Comparison& row : rows) document["comparisons"].push_back(row_json(row));
    std::cout << document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) << "\n";
    return any ? 0 : exit_nothing_to_compare;
  }
  std::string text = fmt::format("{} against {}\n\n{:<8} {:<32} {:<30} {:>16} {:>16} {:>9}  \n", *id,
                                 baseline->title, "SUITE", "METRIC", "AS", "MEASURED", "BASELINE", "RATIO");
  const bool several = std::any_of(rows.begin(), rows.end(), [&](const Comparison& row) {
    return row.suite == rows.front().suite && row.case_id != rows.front().case_id;
  });
  std::string last;
  for (const Comparison& row : rows) {
    if (several && row.case_id != std::exchange(last, row.case_id)) text += row.case_id + "\n";
    const bool said = row.comparable || row.information;
    text += fmt::format("{:<8} {:<32} {:<30} {:>16} {:>16} {:>9}  {}\n", row.suite, metric_title(row.metric),
                        row.normalisation, value_or_dash(row.measured, row.unit),
                        value_or_dash(row.baseline, row.unit), row.ratio ? percent_text(*row.ratio) : "–",
                        said ? row.condition : "not comparable: " + row.condition);
  }
  std::cout << shown(text);
  return any ? 0 : exit_nothing_to_compare;
}

}  // namespace

extern const Command compare;
const Command compare = {
    .id = "compare",
    .about = "a campaign beside a baseline",
    .rank = 100,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<Options>();
      app.add_option("campaign", options->campaign, "id or its beginning (default: the newest)")
          ->type_name("CAMPAIGN");
      app.add_option("--baseline", options->baseline, "published values (default: sakuraone)")
          ->type_name("NAME");
      return [options, &common] { return show(*options, common); };
    },
};

}  // namespace shakedown::command
