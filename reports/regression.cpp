#include "reports/regression.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "reports/display.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/pass_share.hpp"

namespace shakedown {
namespace {

constexpr std::size_t newest_left_out = 4;  // as `watch` leaves them out of its control region
constexpr double almost_all = 0.999;        // shared: repeats tell nothing
constexpr std::size_t floor_runs = 3;       // the fewest whose median one slow run does not move

using Passes = std::vector<std::vector<double>>;

/// The logarithms of the runs of the control region's passes, turned so that less is worse; passes of a
/// single run, which tell nothing of what their runs share, are left out.
Passes control_passes(const PassSeries& series, double effect) {
  const auto passes = std::span(series.passes).subspan(series.control_from);
  const double sign = series.better == Better::higher ? 1 : -1;
  std::vector<double> turned;
  for (const SeriesPass& pass : passes) turned.push_back(sign * std::log(pass.runs.front()));
  std::vector<bool> kept_out(turned.size(), false);
  if (turned.size() > 3) kept_out = control_region(turned, watch_suspicion, -std::log1p(-effect)).kept_out;
  const std::size_t first = std::min(control_least, turned.size());
  const std::size_t end = std::max(first, turned.size() - std::min(turned.size(), newest_left_out));
  Passes found;
  for (std::size_t i = 0; i < std::min(end, turned.size()); ++i) {
    if (passes[i].runs.size() < 2 || kept_out[i]) continue;
    auto& logarithms = found.emplace_back();
    for (const double run : passes[i].runs) logarithms.push_back(sign * std::log(run));
  }
  return found;
}

/// What the runs of a pass share, of each series; nothing where too few passes tell.
std::vector<std::optional<double>> shares(std::span<const PassSeries> all, double effect) {
  std::vector<std::optional<double>> own(all.size());
  std::size_t passes = 0;
  double sum = 0;
  std::size_t known = 0;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const Passes control = control_passes(all[i], effect);
    passes += control.size();
    const auto share = pass_share(control);
    if (!share) continue;
    own[i] = *share;
    sum += *share;
    ++known;
  }
  if (passes < control_least || known == 0) return std::vector<std::optional<double>>(all.size());
  const double mean = sum / static_cast<double>(known);
  for (auto& share : own) share = std::max(share.value_or(0), mean);
  return own;
}

std::string plural(std::size_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 || noun == "series" ? "" : "s");
}

/// What decides, in one sentence.
void conclude(PassVerdict& verdict, bool has_floor) {
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
    if (each.watched.state == WatchState::suspect) add(open, fmt::format("{}: {}", name, each.watched.text));
    learning += each.learning() ? 1 : 0;
  }
  for (const MissingSeries& missing : verdict.missing)
    add(open, fmt::format("{}: {}", missing.what, missing.because));
  verdict.exit_code = !alarms.empty() || !below.empty() ? 1 : !open.empty() || verdict.series.empty() ? 3 : 0;
  std::string& sentence = verdict.sentence;
  sentence = "regression pass: ";
  if (!below.empty()) sentence += "below the contract's floor: " + below;
  if (!alarms.empty()) sentence += fmt::format("{}alarm: {}", below.empty() ? "" : "; ", alarms);
  if (verdict.exit_code == 1) return;
  if (verdict.exit_code == 3) {
    sentence += "undecided: " + (open.empty() ? "nothing was measured" : open);
    return;
  }
  sentence += fmt::format("no alarm in {}", plural(verdict.series.size(), "series"));
  if (has_floor) sentence += ", all above their floors";
  if (learning > 0)
    sentence += fmt::format("; still learning {}: an alarm takes {} passes", plural(learning, "series"),
                            control_least + 1);
}

/// Every series has a pass, and every pass a run of it.
Result<void> check(std::span<const PassSeries> all) {
  for (const PassSeries& series : all) {
    if (series.passes.empty() || series.control_from >= series.passes.size())
      return fail(series_text(series.name), "has no pass");
    for (const SeriesPass& pass : series.passes)
      if (pass.runs.empty())
        return fail(series_text(series.name), fmt::format("pass {} has no run of it", pass.campaign));
  }
  return {};
}

}  // namespace

std::string floor_value_name(const Watched& watched) {
  if (watched.floor_value_of == 1) return "the only run of this pass";
  return fmt::format("the median of {} runs of this pass", watched.floor_value_of);
}

std::string series_text(const SeriesName& name) {
  return fmt::format("{}/{} {} on {}", name.suite, name.implementation, name.metric, name.nodes);
}

bool JudgedSeries::learning() const {
  return watched.control < control_least;
}

std::string JudgedSeries::state() const {
  std::string text;
  if (alarm())
    text = "alarm";
  else if (learning())
    text = fmt::format("learning ({} of {}){}", watched.control, control_least,
                       watched.state == WatchState::warning ? ", warning" : "");
  else
    text = to_string(watched.state);
  if (watched.below_floor) text += ", below floor";
  if (watched.floor_open) text += ", below floor by too few runs";
  return text;
}

Result<PassVerdict> judged_pass(std::vector<PassSeries> series, std::vector<MissingSeries> missing,
                                const PassLimits& limits) {
  PassVerdict verdict;
  if (auto good = check(series); !good) return pass_on(good);
  verdict.missing = std::move(missing);
  const auto shared = shares(series, limits.effect);
  for (std::size_t i = 0; i < series.size(); ++i) {
    PassSeries& each = series[i];
    std::vector<double> values;
    for (const SeriesPass& pass : each.passes) values.push_back(pass.runs.front());
    const auto repeats = std::span(each.passes.back().runs).subspan(1);
    const double share = shared[i].value_or(1);
    const bool confirms = share < almost_all;
    WatchLimits watched_by{.magnitude = limits.effect,
                           .false_alarms_per_year = limits.false_alarms_per_year,
                           .series_watched = series.size(),
                           .passes_per_year = limits.passes_per_year,
                           .repeats_at_most = confirms ? limits.repeats_at_most : 0,
                           .floor = each.floor,
                           .floor_runs = std::min(floor_runs, 1 + limits.repeats_at_most)};
    auto watched = watch({.values = values,
                          .repeats = repeats,
                          .better = each.better,
                          .control_from = each.control_from,
                          .shared = confirms ? share : 0},
                         watched_by);
    if (!watched) {
      Error error = watched.error();
      error.where = series_text(each.name);
      return tl::unexpected<Error>(std::move(error));
    }
    const double value = values.back();
    verdict.series.push_back({std::move(each), *std::move(watched), value, shared[i]});
  }
  conclude(verdict, limits.has_floor);
  return verdict;
}

}  // namespace shakedown
