#include "reports/judge/regression.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "reports/measure/display.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/variance_components.hpp"
#include "reports/statistics/watch.hpp"
#include "reports/statistics/watch_among.hpp"

namespace shakedown {
namespace {

constexpr double almost_all = 0.999;   // shared: repeats add no information
constexpr std::size_t floor_runs = 3;  // the fewest whose median one slow run does not move

using Checks = std::vector<std::vector<double>>;

/// The logarithms of the runs of the control region's checks, turned so that less is worse, without checks of
/// a single run, which don't show what their runs share.
Checks control_checks(const CheckSeries& series, const WatchLimits& limits) {
  auto checks = std::span(series.checks).subspan(series.control_from);
  const double sign = series.better == Better::higher ? 1 : -1;
  std::vector<double> turned;
  for (const SeriesCheck& check : checks) turned.push_back(sign * std::log(check.runs.front()));
  const auto gain =
      lasting_gain(turned, watch_least_gain(series.better, limits.magnitude), limits.significance());
  if (gain) {
    checks = checks.subspan(gain->from);
    turned.erase(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(gain->from));
  }
  std::vector<bool> kept_out(turned.size(), false);
  if (turned.size() > 3)
    kept_out =
        control_region(turned, watch_suspicion, watch_least_loss(series.better, limits.magnitude)).kept_out;
  const std::size_t first = std::min(control_least, turned.size());
  const std::size_t end = std::max(first, turned.size() - std::min(turned.size(), control_newest));
  Checks found;
  for (std::size_t i = 0; i < std::min(end, turned.size()); ++i) {
    if (checks[i].runs.size() < 2 || kept_out[i]) continue;
    auto& logarithms = found.emplace_back();
    for (const double run : checks[i].runs) logarithms.push_back(sign * std::log(run));
  }
  return found;
}

/// What the runs of a check of one series share.
struct Shared {
  std::optional<double> share;  ///< nothing if too few checks show it
  bool sure = false;            ///< that anything is shared at all
};

/// By a series' own share, drawn to the mean of all (`shrunk`), but never below that mean. A share by chance
/// below 0 counts in the mean as it is: else chance alone would make one.
Result<std::vector<Shared>> shares(std::span<const CheckSeries> all, const WatchLimits& limits) {
  std::vector<Shared> found(all.size());
  std::vector<std::size_t> known;
  std::vector<Estimate> own;
  std::size_t checks = 0;
  double sum = 0;
  double errors_squared = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Checks control = control_checks(all[i], limits);
    checks += control.size();
    const auto share = check_share(control);
    if (!share) continue;
    known.push_back(i);
    own.push_back({share->share, share->error});
    sum += share->share;
    errors_squared += share->error * share->error;
  }
  if (checks < control_least || known.empty()) return found;
  const double limit = normal_limit(watch_suspicion);
  const double mean = std::max(0.0, sum / static_cast<double>(known.size()));
  const bool all_sure = sum > limit * std::sqrt(errors_squared);
  for (Shared& each : found) each = {mean, all_sure};
  const auto drawn = shrunk(own);
  if (!drawn) return failure_of(drawn);
  for (std::size_t k = 0; k < known.size(); ++k) {
    const bool alike = own[k].value >= almost_all;
    const double share = alike ? own[k].value : std::max(mean, (*drawn)[k]);
    found[known[k]] = {share, all_sure || own[k].value > limit * own[k].error};
  }
  return found;
}

/// The repeats of the checks before the newest that it may be judged with; where a check was not repeated,
/// its run.
Checks repeats_before(const CheckSeries& series) {
  Checks found;
  const std::size_t count = series.checks.size();
  for (std::size_t i = count - std::min(count, control_newest); i + 1 < count; ++i) {
    const std::vector<double>& runs = series.checks[i].runs;
    found.emplace_back(runs.begin() + (runs.size() > 1 ? 1 : 0), runs.end());
  }
  return found;
}

/// Judges a series that is still learning beside the nodes like its own.
void judge_among(const CheckSeries& series, const WatchLimits& limits, Watched& watched) {
  if (watched.begun_with >= control_least || watched.state == WatchState::alarm) return;
  const std::vector<double>& runs = series.checks.back().runs;
  const WatchedAmong among =
      watch_among(series.like, runs.front(), std::span(runs).subspan(1), series.better, limits);
  const bool open = among.state == WatchState::suspect && watched.repeats_wanted < among.repeats_wanted;
  const bool closed = among.state == WatchState::alarm ||
                      (among.state == WatchState::not_confirmed && watched.state != WatchState::suspect);
  if (!open && !closed) return;
  watched.state = among.state;
  watched.repeats_wanted = among.repeats_wanted;
  watched.evidence = among.evidence;
  watched.text = among.text;
}

/// Every series has a check, and every check a run of it.
Result<void> check(std::span<const CheckSeries> all) {
  for (const CheckSeries& series : all) {
    if (series.checks.empty() || series.control_from >= series.checks.size())
      return fail(series_text(series.name), "has no check");
    for (const SeriesCheck& check : series.checks)
      if (check.runs.empty())
        return fail(series_text(series.name), fmt::format("check {} has no run of it", check.campaign));
  }
  return {};
}

/// That a series is judged by the values since it got better, and nobody declared the reason.
std::string gain_text(const CheckSeries& series, const UndeclaredGain& gain) {
  return fmt::format(
      "{}: since check {} ({}) {} better, Student's t p = {:.2g}, and judged by what came since: declare a "
      "change "
      "if you made one",
      series_text(series.name), gain.since + 1, series.checks[gain.since].campaign, percent_text(gain.share),
      gain.p);
}

}  // namespace

std::string change_text(const JudgedSeries& judged, const ChangePoint& point) {
  const auto shown = shown_beside(judged.series.name.metric, point.before, point.after);
  return fmt::format("changed at check {} ({}) by {}, from {} to {}, Student's t at the cut p = {:.2g}",
                     point.index + 1, judged.series.checks[point.index].campaign,
                     percent_text(point.change()), shown.value, shown.limit, point.p);
}

std::string floor_value_name(const Watched& watched) {
  if (watched.floor_value_of == 1) return "the only run of this check";
  return fmt::format("the median of {} runs of this check", watched.floor_value_of);
}

std::string series_text(const SeriesName& name) {
  return fmt::format("{}/{} {} on {}", name.suite, name.implementation, metric_title(name.metric),
                     name.nodes);
}

bool JudgedSeries::learning() const {
  return watched.begun_with < control_least;
}

std::string JudgedSeries::state() const {
  std::string text;
  if (alarm())
    text = "alarm";
  else if (learning())
    text = fmt::format("learning ({} of {}){}", watched.begun_with, control_least,
                       watched.state == WatchState::warning ? ", warning" : "");
  else
    text = to_string(watched.state);
  if (watched.below_floor) text += ", below floor";
  if (watched.floor_open) text += ", below floor by too few runs";
  if (floor_unknown()) text += ", floor not known";
  return text;
}

void conclude(CheckVerdict& verdict, bool has_floor) {
  std::string alarms, below, open;
  std::size_t learning = 0;
  const auto add = [](std::string& list, const std::string& text) {
    list += (list.empty() ? "" : "; ") + text;
  };
  for (const JudgedSeries& each : verdict.series) {
    const std::string name = series_text(each.series.name);
    if (each.alarm()) add(alarms, fmt::format("{}: {}", name, each.watched.text));
    if (each.watched.below_floor) {
      const auto shown =
          shown_beside(each.series.name.metric, each.watched.floor_value, each.series.floor.value_or(0));
      add(below, fmt::format("{}: {}, {}, where {} is the floor ({})", name, shown.value,
                             floor_value_name(each.watched), shown.limit, each.series.floor_source));
    }
    if (has_floor && !each.series.floor)
      add(open, fmt::format("{}: its floor is not known: {}", name, each.series.floor_source));
    if (each.watched.state == WatchState::suspect || each.watched.floor_open)
      add(open, fmt::format("{}: {}", name, each.watched.text));
    learning += each.learning() ? 1 : 0;
  }
  for (const MissingSeries& missing : verdict.missing)
    add(open, fmt::format("{}: {}", missing.what, missing.because));
  verdict.exit_code = !alarms.empty() || !below.empty() ? 1 : !open.empty() || verdict.series.empty() ? 3 : 0;
  std::string& sentence = verdict.sentence;
  sentence = "regression check: ";
  if (!below.empty()) sentence += "below the contract's floor: " + below;
  if (!alarms.empty()) sentence += fmt::format("{}alarm: {}", below.empty() ? "" : "; ", alarms);
  if (verdict.exit_code == 1) return;
  if (verdict.exit_code == 3) {
    sentence += "undecided: " + (open.empty() ? "nothing was measured" : open);
    return;
  }
  sentence += fmt::format("no alarm in {}",
                          plural(static_cast<std::int64_t>(verdict.series.size()), "series", "series"));
  if (has_floor) sentence += ", all above their floors";
  std::string unsure;
  for (const JudgedSeries& each : verdict.series)
    if (each.watched.state == WatchState::not_confirmed || each.watched.state == WatchState::warning)
      add(unsure, fmt::format("{}: {}", series_text(each.series.name), each.watched.text));
  if (!unsure.empty()) sentence += "; worse than expected, without an alarm: " + unsure;
  if (learning > 0)
    sentence +=
        fmt::format("; still learning {}: an alarm by its own history takes {} checks",
                    plural(static_cast<std::int64_t>(learning), "series", "series"), control_least + 1);
}

Result<CheckVerdict> judged_check(std::vector<CheckSeries> series, std::vector<MissingSeries> missing,
                                  const CheckLimits& limits) {
  CheckVerdict verdict;
  if (auto good = check(series); !good) return failure_of(good);
  verdict.missing = std::move(missing);
  const WatchLimits for_all{.magnitude = limits.effect,
                            .false_alarms_per_year = limits.false_alarms_per_year,
                            .series_watched = series.size(),
                            .checks_per_year = limits.checks_per_year,
                            .repeats_at_most = limits.repeats_at_most,
                            .parts = limits.parts,
                            .floor_runs = std::min(floor_runs, 1 + limits.repeats_at_most)};
  const auto shared = shares(series, for_all);
  if (!shared) return failure_of(shared);
  for (std::size_t i = 0; i < series.size(); ++i) {
    CheckSeries& each = series[i];
    std::vector<double> values;
    values.reserve(each.checks.size());
    for (const SeriesCheck& check : each.checks) values.push_back(check.runs.front());
    const auto repeats = std::span(each.checks.back().runs).subspan(1);
    const double share = (*shared)[i].share.value_or(1);
    const bool confirms = share < almost_all;
    WatchLimits watched_by = for_all;
    if (!confirms) watched_by.repeats_at_most = 0;
    watched_by.floor = each.floor;
    const auto earlier = repeats_before(each);
    auto watched = watch({.values = values,
                          .repeats = repeats,
                          .earlier = earlier,
                          .better = each.better,
                          .control_from = each.control_from,
                          .shared = confirms ? share : 0,
                          .by_checks = (*shared)[i].sure},
                         watched_by);
    if (!watched) {
      Error error = watched.error();
      error.where = series_text(each.name);
      return tl::unexpected<Error>(std::move(error));
    }
    judge_among(each, for_all, *watched);
    const double value = values.back();
    std::vector<ChangePoint> changes;
    if (values.size() >= control_least) {
      auto points = hunter_change_points(values, weekly_hunter);
      if (!points) return failure_of(points);
      changes = *std::move(points);
    }
    const std::optional<UndeclaredGain>& gain = watched->gain;
    if (gain) verdict.notes.push_back(gain_text(each, gain.value()));
    verdict.series.push_back(
        {std::move(each), *std::move(watched), value, (*shared)[i].share, std::move(changes)});
  }
  conclude(verdict, limits.has_floor);
  return verdict;
}

}  // namespace shakedown
