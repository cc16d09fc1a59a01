#include "reports/statistics/watch.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/change_points.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/mann_whitney.hpp"
#include "reports/statistics/sample.hpp"
#include "reports/statistics/watch_judgement.hpp"

namespace shakedown {
namespace {

Result<void> check(const WatchedSeries& series, const WatchLimits& limits) {
  std::vector<std::pair<std::span<const double>, const char*>> all = {{series.values, "the series"},
                                                                      {series.repeats, "the repeats"}};
  for (const std::vector<double>& runs : series.earlier) {
    if (auto good = check_sample(runs, 1, "a check before"); !good) return good;
    all.emplace_back(runs, "the repeats of earlier checks");
  }
  for (const auto& [values, what] : all) {
    if (auto good = check_sample(values, 0, what); !good) return good;
    const auto wrong = std::find_if(values.begin(), values.end(), [](double value) { return !(value > 0); });
    if (wrong != values.end())
      return fail("", fmt::format("{} hold {}: rates and times lie above 0", what, *wrong),
                  "leave out runs without a result, and count them in the success rate");
  }
  if (series.values.empty() || series.control_from >= series.values.size())
    return fail("",
                fmt::format("no value since the control region began (at {} of {})", series.control_from,
                            series.values.size()),
                "judge after the first run since the change");
  if (!(series.shared >= 0) || !(series.shared < 1))
    return fail("", fmt::format("{} is no share of the variance", series.shared),
                "it lies from 0 to below 1");
  if (!(limits.magnitude >= 0) || !(limits.magnitude < 1) || !(limits.false_alarms_per_year > 0) ||
      limits.series_watched == 0 || !(limits.checks_per_year > 0) || std::isinf(limits.checks_per_year))
    return fail("", "limits of an alarm that mean nothing",
                "a magnitude from 0 to 1, and false alarms, series and checks above 0");
  return {};
}

WatchJudgement begun(const WatchedSeries& series, const WatchLimits& limits) {
  WatchJudgement judgement{series, limits, series.control_from, {}, {}, {}, {}};
  const double sign = series.better == Better::higher ? 1 : -1;
  std::vector<double>& turned = judgement.turned;
  for (const double value : series.values.subspan(series.control_from))
    turned.push_back(sign * std::log(value));
  const auto turn = [&](std::span<const double> runs) {
    auto& found = judgement.checks.emplace_back();
    for (const double value : runs) found.push_back(sign * std::log(value));
  };
  for (const std::vector<double>& runs : series.earlier) turn(runs);
  turn(series.repeats);
  if (const auto gain = lasting_gain(turned, judgement.least_gain(), limits.significance())) {
    judgement.offset += gain->from;
    judgement.said.gain = {judgement.offset, -judgement.share(-gain->gain), gain->p};
    turned.erase(turned.begin(), turned.begin() + static_cast<std::ptrdiff_t>(gain->from));
  }
  return judgement;
}

void judge_floor(WatchJudgement& judgement) {
  if (!judgement.limits.floor) return;
  std::vector<double> runs(judgement.series.repeats.begin(), judgement.series.repeats.end());
  runs.push_back(judgement.series.values.back());
  Watched& said = judgement.said;
  said.floor_value_of = runs.size();
  said.floor_value = median(std::move(runs));
  const bool below = judgement.series.better == Better::higher ? said.floor_value < *judgement.limits.floor
                                                               : said.floor_value > *judgement.limits.floor;
  said.floor_open = below && said.floor_value_of < judgement.limits.floor_runs;
  said.below_floor = below && !said.floor_open;
}

/// A floor that only few runs are beyond is a suspicion, whatever else the check is; but an alarm stays
/// one.
void ask_for_floor(const WatchLimits& limits, Watched& said) {
  if (!said.floor_open) return;
  if (said.state != WatchState::alarm) said.state = WatchState::suspect;
  said.repeats_wanted = std::max(said.repeats_wanted, limits.floor_runs - said.floor_value_of);
  said.text = fmt::format("the median of {} {} of this check ({}) is beyond the floor ({}): {} more {}; {}",
                          said.floor_value_of, said.floor_value_of == 1 ? "run" : "runs",
                          number(said.floor_value), number(limits.floor.value_or(0)), said.repeats_wanted,
                          said.repeats_wanted == 1 ? "run decides" : "runs decide", said.text);
}

using Values = std::span<const double>;

double middle(Values values) {
  return median({values.begin(), values.end()});
}

double p_above(const Moments& low, const Moments& high) {
  const double n = static_cast<double>(low.n);
  const double m = static_cast<double>(high.n);
  const double freedom = n + m - 2;
  const double squares = low.deviation * low.deviation * (n - 1) + high.deviation * high.deviation * (m - 1);
  const double error = std::sqrt(squares / freedom * (1 / n + 1 / m));
  return error > 0 ? student_tail((high.mean - low.mean) / error, freedom) : 0;
}

/// The gain of `fresh` over `level`, where it is clear.
std::optional<LastingGain> clear_gain(Values level, Values fresh, double least, double significance) {
  if (middle(fresh) - middle(level) < least) return std::nullopt;
  const Moments before = moments(level);
  const Moments after = moments(fresh);
  const LastingGain found{0, after.mean - before.mean, p_above(before, after)};
  if (found.gain < least || found.p > significance) return std::nullopt;
  const auto ranks = mann_whitney_test(level, fresh, Alternative::is_greater);
  const double pairs = static_cast<double>(level.size() * fresh.size());
  if (!ranks || (ranks->p > significance && ranks->statistic < pairs)) return std::nullopt;
  return found;
}

}  // namespace

double watch_least_loss(Better better, double magnitude) {
  return better == Better::higher ? -std::log1p(-magnitude) : std::log1p(magnitude);
}

double watch_least_gain(Better better, double magnitude) {
  return better == Better::higher ? std::log1p(magnitude) : -std::log1p(-magnitude);
}

double WatchLimits::significance() const {
  return std::min(0.05, false_alarms_per_year / (static_cast<double>(series_watched) * checks_per_year));
}

std::string_view to_string(WatchState state) {
  switch (state) {
    case WatchState::too_few:
      return "too few runs";
    case WatchState::in_control:
      return "in control";
    case WatchState::suspect:
      return "suspect";
    case WatchState::not_confirmed:
      return "not confirmed";
    case WatchState::warning:
      return "warning";
    case WatchState::alarm:
      return "alarm";
  }
  return "";
}

Result<Watched> watch(const WatchedSeries& series, const WatchLimits& limits) {
  if (auto good = check(series, limits); !good) return failure_of(good);
  WatchJudgement judgement = begun(series, limits);
  judge_loss(judgement);
  judge_floor(judgement);
  ask_for_floor(limits, judgement.said);
  return judgement.said;
}

std::optional<LastingGain> lasting_gain(std::span<const double> turned, double least, double significance) {
  if (turned.size() < 2 * control_least) return std::nullopt;
  std::vector<double> ratios;
  ratios.reserve(turned.size());
  for (const double value : turned) ratios.push_back(std::exp(value - turned.front()));
  const auto points = hunter_change_points(ratios, weekly_hunter);
  if (!points) return std::nullopt;
  std::optional<LastingGain> last;
  Values level;
  std::size_t begin = 0;
  for (std::size_t i = 0; i < points->size(); ++i) {
    const std::size_t at = (*points)[i].index;
    const Values segment = turned.subspan(begin, at - begin);
    if (level.empty() || middle(segment) > middle(level)) level = segment;
    begin = at;
    const std::size_t next = i + 1 < points->size() ? (*points)[i + 1].index : turned.size();
    const std::size_t end = std::max(next, at + control_least);
    if (end > turned.size()) continue;
    auto gain =
        clear_gain(level, turned.subspan(at, end - at), least, std::min(significance, weekly_hunter.p));
    if (!gain) continue;
    gain->from = at;
    last = gain;
    level = {};
  }
  return last;
}

}  // namespace shakedown
