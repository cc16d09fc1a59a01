#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/plots.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/set_score.hpp"
#include "reports/measure/suite_metrics.hpp"

namespace shakedown {
namespace {

/// The result of a file that a set lists.
const ResultRecord* result_of_file(const ReportInput& input, std::string_view file, std::string_view suite) {
  for (const CaseRecord& record : input.campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (const ResultRecord& result : attempt.results)
        if (result.parsed.suite == suite &&
            (record.planned.origin == file || attempt.run_folder + "/" + result.file == file))
          return &result;
  return nullptr;
}

std::string last_part(const std::string& file) {
  const std::size_t slash = file.rfind('/');
  return slash == std::string::npos ? file : file.substr(slash + 1);
}

/// The file's name where that distinguishes it from the others, else the end of its folder's.
std::string short_name(const SetScore& score, const std::string& file) {
  static constexpr std::size_t longest = 18;
  const auto same = std::ranges::count(score.files, last_part(file), last_part);
  std::string name = same > 1 ? file.substr(0, file.size() - last_part(file).size() - 1) : last_part(file);
  return name.size() <= longest ? name : "…" + name.substr(name.size() - longest);
}

/// A run of the set: without the metric that the score is of it has no bar, and the reason.
Bar run_bar(const ReportInput& input, const SetScore& score, const std::string& file,
            std::string_view metric) {
  const bool dropped = std::ranges::find(score.dropped, file) != score.dropped.end();
  Bar bar{.name = short_name(score, file), .value = 0, .shown = "no result", .marked = dropped};
  const ResultRecord* result = result_of_file(input, file, score.suite);
  if (result == nullptr) return bar;
  const Metric* value = result->parsed.metric(metric);
  const std::string early = ended_without_target(*result);
  if (!early.empty()) {
    bar.shown = early;
    bar.marked = true;
  } else if (value != nullptr) {
    bar.value = value->value;
    bar.shown = metric_text(metric, value->value) + (dropped ? ", dropped" : "");
  }
  return bar;
}

}  // namespace

std::vector<Figure> set_figures(const ReportInput& input, std::string_view suite) {
  std::vector<Figure> figures;
  const SuiteFacts* facts = suite_facts(suite);
  if (facts == nullptr || facts->set_metric.empty()) return figures;
  for (const SetScore& score : input.campaign.set_scores) {
    if (score.suite != suite || score.files.size() < 2) continue;
    std::vector<Bar> bars;
    bars.reserve(score.files.size());
    for (const std::string& file : score.files)
      bars.push_back(run_bar(input, score, file, facts->set_metric));
    Figure figure{.title = fmt::format("{}, runs of the set {}", score.benchmark,
                                       short_set_name(input.campaign, score)),
                  .caption = score.dropped.empty() ? "" : "outlines do not count in the score",
                  .drawn = bar_chart(bars, fmt::format("{} runs of {}", bars.size(), score.benchmark)),
                  .columns = {"Run", metric_title(facts->set_metric)},
                  .rows = {}};
    for (const Bar& bar : bars) figure.rows.push_back({bar.name, bar.shown});
    if (score.score_min) figure.rows.push_back({"score", metric_text("score_min", *score.score_min, 2)});
    figures.push_back(std::move(figure));
  }
  return figures;
}

}  // namespace shakedown
