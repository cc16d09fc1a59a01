#include "orchestrator/regression/rejudged_check.hpp"

#include <fmt/ranges.h>

#include <algorithm>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/regression/check_judgement.hpp"
#include "reports/evidence/json_difference.hpp"

namespace shakedown {
namespace {

constexpr std::size_t most_check_differences = 200;

/// One check, judged again.
class CheckRejudgement {
 public:
  CheckRejudgement(const CampaignRecord& campaign, const CheckVerdict& saved, Regression regression)
      : campaign_(campaign), regression_(std::move(regression)), saved_(saved) {}

  Result<RejudgedCheck> run(const Database& database, CheckRuns runs) {
    auto series = own_series(database, runs.left_out);
    if (!series) return failure_of(series);
    add_missing_floors(runs.missing, *series, campaign_, regression_.floor);
    for (const MissingSeries& each : runs.missing)
      if (std::ranges::find(saved_.missing, each) == saved_.missing.end())
        differs(each.what, fmt::format("is not stated as missing: {}", each.because));
    for (const CheckSeries& each : *series) compare(each);
    for (const JudgedSeries& each : saved_.series)
      if (std::ranges::none_of(*series, [&](const CheckSeries& own) { return own.name == each.series.name; }))
        differs(series_text(each.series.name), "is judged, and the check's logs have no value of it");
    if (!found_.differences.empty()) return std::move(found_);
    if (auto judged = judge_again(); !judged) return failure_of(judged);
    count_unproven();
    return std::move(found_);
  }

 private:
  void differs(const std::string& where, std::string what) {
    found_.differences.push_back(
        {VerifyStep::results, fmt::format("{}: {}", check_verdict_file, where), std::move(what), "", ""});
  }

  /// The series of the check by itself, as if it were the first.
  Result<std::vector<CheckSeries>> own_series(const Database& database,
                                              const std::vector<std::string>& left_out) {
    CheckHistory history;
    history.system = campaign_.system;
    auto checks = database.campaigns_of(campaign_.system, regression_kind);
    if (!checks) return failure_of(checks);
    history.checks = *std::move(checks);
    auto series = database.series_of(campaign_.system);
    if (!series) return failure_of(series);
    history.series = *std::move(series);
    history.log.checks.push_back({campaign_.system, campaign_.id, campaign_.created_s, 3, {}, {}, left_out});
    RegressionFloor floor = regression_.floor;
    floor.relative_to.clear();
    return series_of_check(history, campaign_.id, floor);
  }

  void compare(const CheckSeries& own) {
    const auto saved = std::ranges::find_if(
        saved_.series, [&](const JudgedSeries& each) { return each.series.name == own.name; });
    if (saved == saved_.series.end())
      return differs(series_text(own.name), "is not judged, and the check's logs have values of it");
    const CheckSeries& series = saved->series;
    if (series.better != own.better) differs(series_text(own.name), "is judged in the other direction");
    const std::vector<double> none;
    const bool has = !series.checks.empty() && series.checks.back().campaign == campaign_.id;
    const std::vector<double>& stated = has ? series.checks.back().runs : none;
    if (const std::vector<double>& runs = own.checks.back().runs; stated != runs)
      differs(series_text(own.name), fmt::format("has the runs {} of this check, and its logs give {}",
                                                 fmt::join(stated, ", "), fmt::join(runs, ", ")));
    if (own.floor ? series.floor != own.floor : regression_.floor.relative_to.empty() && series.floor)
      differs(series_text(own.name), "has another floor than regression.toml states");
  }

  /// The statistics over what the verdict states.
  Result<void> judge_again() {
    std::vector<CheckSeries> series;
    series.reserve(saved_.series.size());
    for (const JudgedSeries& each : saved_.series) series.push_back(each.series);
    auto now = judged_check(std::move(series), saved_.missing, check_limits(regression_));
    if (!now) {
      differs(now.error().where, now.error().what);
      return {};
    }
    for (std::size_t i = 0; i < now->series.size(); ++i)
      now->series[i].like_known = saved_.series[i].like_known;
    now->notes = saved_.notes;
    const auto differences =
        json_differences(check_verdict_json(saved_), check_verdict_json(*now), most_check_differences);
    if (!differences) return failure_of(differences);
    for (const JsonDifference& each : *differences)
      found_.differences.push_back(
          {VerifyStep::results, fmt::format("{}: {}", check_verdict_file, each.path), "", each.was, each.is});
    return {};
  }

  void count_unproven() {
    std::size_t values = 0;
    std::size_t checks = 0;
    std::size_t like = 0;
    std::size_t floors = 0;
    bool like_unknown = false;
    for (const JudgedSeries& each : saved_.series) {
      for (const SeriesCheck& check : each.series.checks)
        values += check.campaign == campaign_.id ? 0 : check.runs.size();
      checks = std::max(checks, each.series.checks.size() - 1);
      like += each.series.like.size();
      like_unknown = like_unknown || (!each.like_known && each.learning());
      const bool stated = std::ranges::any_of(regression_.floor.limits, [&](const FloorLimit& limit) {
        return limit.suite == each.series.name.suite && limit.metric == each.series.name.metric;
      });
      floors += each.series.floor && !stated ? 1 : 0;
    }
    const auto number = [](std::size_t n) { return static_cast<std::int64_t>(n); };
    if (values > 0)
      found_.open.push_back(fmt::format(
          "{} of {} are as {} states them: their logs are in those checks' bundles",
          plural(number(values), "value"), plural(number(checks), "earlier check"), check_verdict_file));
    if (like > 0)
      found_.open.push_back(fmt::format("{} of other nodes are as {} states them: their logs are elsewhere",
                                        plural(number(like), "value"), check_verdict_file));
    if (like_unknown)
      found_.open.push_back(
          fmt::format("{} is of a version that did not note the values of other nodes", check_verdict_file));
    if (floors > 0)
      found_.open.push_back(fmt::format("{} of another campaign, as {} states it: its logs are not here",
                                        floors == 1 ? "1 floor is" : fmt::format("{} floors are", floors),
                                        check_verdict_file));
  }

  const CampaignRecord& campaign_;
  Regression regression_;
  const CheckVerdict& saved_;
  RejudgedCheck found_;
};

/// Of a check that was given up: it was not judged.
bool is_closed(const CheckVerdict& verdict) {
  return verdict.series.empty() && verdict.exit_code == 3 && verdict.missing.size() == 1 &&
         verdict.missing.front().what == "the whole check";
}

}  // namespace

Result<RejudgedCheck> rejudged_check(const Workspace& bundle, const Outcome& outcome, const Layout& layout) {
  const std::string& id = outcome.campaign.record.id;
  const std::optional<CheckVerdict>& saved = outcome.judgement.check;
  if (!saved || is_closed(*saved)) return RejudgedCheck();
  const fs::path file = bundle.campaign(id) / "regression.toml";
  const auto text = file_content(file);
  if (!text) return failure_of(text);
  auto regression = regression_from_toml(*text, file.string());
  if (!regression) return failure_of(regression);
  auto runs = check_runs(outcome.campaign, *regression, layout);
  if (!runs) return failure_of(runs);
  const auto database = Database::open_existing(bundle.database());
  if (!database) return failure_of(database);
  return CheckRejudgement(outcome.campaign.record, *saved, *std::move(regression))
      .run(*database, *std::move(runs));
}

}  // namespace shakedown
