#include "reports/statistics/watch.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/control_chart.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/distributions.hpp"
#include "reports/statistics/lasting_gain.hpp"
#include "reports/statistics/mann_whitney.hpp"
#include "reports/statistics/median.hpp"

namespace shakedown {
namespace {

constexpr double suspicion = watch_suspicion;
constexpr double agreement = 0.05;
constexpr std::size_t trend_least = 2 * control_least;
constexpr std::size_t passes_least = 3;  ///< that prove a loss where the runs of one are alike

/// What the fresh runs are set against.
struct Reference {
  std::vector<double> values;
  Moments control;
  double share = 1;  ///< of the significance that this comparison may use up
  std::string_view name;
};

struct Difference {
  double loss = 0;  ///< difference of logarithms
  double error = 0;
  double freedom = 1;
  double p = 1;
};

/// Student's two-sample t, one-sided for a loss, of the mean of passes. The runs of one share `shared` of the
/// variance: theirs shows the rest alone, and their mean keeps that share however many they are.
Difference difference(const Moments& control, std::span<const Moments> passes, double shared) {
  Difference found;
  const double n = static_cast<double>(control.n);
  const double w = static_cast<double>(passes.size());
  double squares = control.deviation * control.deviation * (n - 1);
  double error2 = 1 / n;
  found.freedom = n - 1;
  found.loss = control.mean;
  for (const Moments& pass : passes) {
    const double m = static_cast<double>(pass.n);
    squares += pass.deviation * pass.deviation * (m - 1) / (1 - shared);
    found.freedom += m - 1;
    error2 += (shared + (1 - shared) / m) / (w * w);
    found.loss -= pass.mean / w;
  }
  found.error = std::sqrt(squares / found.freedom * error2);
  if (found.error > 0)
    found.p = student_tail(found.loss / found.error, found.freedom);
  else if (found.loss != 0)
    found.p = found.loss > 0 ? 0 : 1;
  return found;
}

Difference difference(const Moments& control, const Moments& fresh) {
  return difference(control, std::span(&fresh, 1), 0);
}

/// The numbers of repeats after which one looks: 2, 4, 8, ... and the last.
std::vector<std::size_t> looks(std::size_t most) {
  std::vector<std::size_t> found;
  for (std::size_t at = 2; at < most; at *= 2) found.push_back(at);
  if (most > 0) found.push_back(most);
  return found;
}

/// The share of the significance that a look may use up: a tenth each, and what is left at the last; where
/// there are so many that too little would be left, all the same.
double spent(const std::vector<std::size_t>& all, std::size_t look) {
  const double each = std::min(0.1, 1 / static_cast<double>(all.size()));
  return look + 1 < all.size() ? each : 1 - each * static_cast<double>(all.size() - 1);
}

/// A judgement in the making.
struct Judgement {
  const WatchedSeries& series;
  const WatchLimits& limits;
  std::size_t offset = 0;                   ///< the value that the control region begins with
  std::vector<double> turned;               ///< logarithms since then; less is worse
  std::vector<std::vector<double>> passes;  ///< the same of the repeats of the last passes, the newest last
  ControlRegion region;
  Watched said;

  /// A difference of logarithms as a loss of the metric itself.
  [[nodiscard]] double share(double loss) const {
    return series.better == Better::higher ? -std::expm1(-loss) : std::expm1(loss);
  }
  /// Whether the runs of a pass are so much alike that it takes several.
  [[nodiscard]] bool by_passes() const { return series.by_passes && series.shared > 0; }
  [[nodiscard]] double least_loss() const { return watch_least_loss(series.better, limits.magnitude); }
  [[nodiscard]] double least_gain() const { return watch_least_gain(series.better, limits.magnitude); }
  [[nodiscard]] std::string place(double loss) const {
    const bool more = (loss < 0) == (series.better == Better::higher);
    return fmt::format("{} {}", percent_text(std::abs(share(loss))), more ? "above" : "below");
  }
  [[nodiscard]] std::string control_text(std::string_view name) const {
    return control_text(name, region.control);
  }
  [[nodiscard]] std::string control_text(std::string_view name, const Moments& of) const {
    return fmt::format("{} of {} runs ({})", name, of.n,
                       number(std::exp(series.better == Better::higher ? of.mean : -of.mean)));
  }
  /// The values that the control region is made of.
  [[nodiscard]] std::vector<double> control() const {
    std::vector<double> found;
    for (std::size_t i = 0; found.size() < region.control.n; ++i)
      if (!region.kept_out[i]) found.push_back(turned[i]);
    return found;
  }
  [[nodiscard]] LossInterval interval(const Difference& comparison) const {
    const double half = student_limit(0.025, comparison.freedom) * comparison.error;
    return {share(comparison.loss - half), share(comparison.loss + half)};
  }
  /// The newest value, itself, against what it is expected to be.
  void put_newest() {
    const Moments& of = region.control;
    const double newest = turned.back();
    said.loss = share(of.mean - newest);
    if (const auto next = prediction_limits(of, 0.025))
      said.interval = {share(next->low - newest), share(next->high - newest)};
    said.control = of.n;
    said.begun_with = region.begin;
    said.expected = std::exp(series.better == Better::higher ? of.mean : -of.mean);
  }
  void put(const Difference& comparison, std::string of) {
    said.evidence = {std::move(of), share(comparison.loss), std::nullopt, comparison.p};
  }
};

Result<void> check(const WatchedSeries& series, const WatchLimits& limits) {
  std::vector<std::pair<std::span<const double>, const char*>> all = {{series.values, "the series"},
                                                                      {series.repeats, "the repeats"}};
  for (const std::vector<double>& runs : series.earlier) {
    if (auto good = check_sample(runs, 1, "a pass before"); !good) return good;
    all.emplace_back(runs, "the repeats of earlier passes");
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
      limits.series_watched == 0 || !(limits.passes_per_year > 0) || std::isinf(limits.passes_per_year))
    return fail("", "limits of an alarm that mean nothing",
                "a magnitude from 0 to 1, and false alarms, series and passes above 0");
  return {};
}

Judgement begun(const WatchedSeries& series, const WatchLimits& limits) {
  Judgement judgement{series, limits, series.control_from, {}, {}, {}, {}};
  const double sign = series.better == Better::higher ? 1 : -1;
  std::vector<double>& turned = judgement.turned;
  for (const double value : series.values.subspan(series.control_from))
    turned.push_back(sign * std::log(value));
  const auto turn = [&](std::span<const double> runs) {
    auto& found = judgement.passes.emplace_back();
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

void judge_floor(Judgement& judgement) {
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

/// A floor that only few runs are beyond is a suspicion, whatever else the pass is; but an alarm stays one.
void ask_for_floor(const WatchLimits& limits, Watched& said) {
  if (!said.floor_open) return;
  if (said.state != WatchState::alarm) said.state = WatchState::suspect;
  said.repeats_wanted = std::max(said.repeats_wanted, limits.floor_runs - said.floor_value_of);
  said.text = fmt::format("the median of {} {} of this pass ({}) is beyond the floor ({}): {} more {}; {}",
                          said.floor_value_of, said.floor_value_of == 1 ? "run" : "runs",
                          number(said.floor_value), number(limits.floor.value_or(0)), said.repeats_wanted,
                          said.repeats_wanted == 1 ? "run decides" : "runs decide", said.text);
}

/// Where what is suspect began: the first of the suspected values that lead up to the newest.
std::size_t since(const Judgement& judgement) {
  std::size_t first = judgement.turned.size() - 1;
  while (first > 0 && judgement.region.kept_out[first - 1]) --first;
  return judgement.offset + first;
}

/// Whether the whole region falls along a line.
bool falls(const Judgement& judgement) {
  if (judgement.turned.size() < trend_least) return false;
  const auto trend = linear_trend(judgement.turned);
  return trend && -trend->total >= judgement.least_loss() && trend->p_falling <= suspicion;
}

/// Whether the fresh runs lie below `centre` by their own spread, too: a single slow one among them does not
/// stand for the machine.
bool agree(const Moments& fresh, double centre, double level) {
  const double loss = centre - fresh.mean;
  if (fresh.n < 2 || !(fresh.deviation > 0)) return loss > 0;
  const double m = static_cast<double>(fresh.n);
  return student_tail(loss / fresh.deviation * std::sqrt(m), m - 1) <= level;
}

/// The same of ranks, which holds whatever the distribution is: Student's limits, so far out, lean on a
/// normal one. Where the values are too few for it and no more are to come (`last`), all of the fresh ones
/// must lie below all others.
bool below_by_ranks(std::span<const double> control, std::span<const double> fresh, double significance,
                    bool last) {
  const auto test = mann_whitney_test(control, fresh, Alternative::is_less);
  return test && (test->p <= significance || (last && test->statistic == 0));
}

/// The means of the last 2 and 4 passes, each at half of the significance. One value alone is never an alarm:
/// nothing tells a slow machine from a slow run. Whether they settle it.
bool judge_windows(Judgement& judgement) {
  const double significance = judgement.limits.significance() / 2;
  Watched& said = judgement.said;
  said.state = WatchState::not_confirmed;
  const ControlRegion& region = judgement.region;
  said.text =
      fmt::format("one run alone lies {} {}", judgement.place(region.control.mean - judgement.turned.back()),
                  judgement.control_text("the control region"));
  for (const std::size_t w : {std::size_t{2}, std::size_t{4}}) {
    if (region.begin + w > judgement.turned.size()) continue;
    const Moments last = moments(std::span(judgement.turned).last(w));
    const Difference found = difference(judgement.region.control, last);
    judgement.put(found, fmt::format("the last {} runs", w));
    said.text =
        fmt::format("the last {} runs lie {} {}, Student's t p = {:.2g} (alarm from {:.2g} and {} on)", w,
                    judgement.place(found.loss), judgement.control_text("the control region"), found.p,
                    significance, percent_text(judgement.limits.magnitude, 1));
    if (said.evidence.loss < judgement.limits.magnitude || found.p > significance ||
        !agree(last, judgement.region.control.mean, agreement) ||
        !below_by_ranks(judgement.control(), std::span(judgement.turned).last(w),
                        judgement.limits.significance(), w == 4))
      continue;
    said.state = WatchState::alarm;
    return true;
  }
  return false;
}

/// What is to prove a loss.
struct Proof {
  std::string of;  ///< "8 repeats"
  Difference found;
  double level = 0;  ///< the p from which on it proves one
  bool sure = false;
};

/// The repeats of the newest pass by themselves.
Proof proof_of_repeats(const Judgement& judgement, const Reference& reference, double level, bool last) {
  const std::vector<double>& repeats = judgement.passes.back();
  const Moments fresh = moments(repeats);
  Proof proof{fmt::format("{} repeats", repeats.size()),
              difference(reference.control, std::span(&fresh, 1), judgement.series.shared), level, false};
  proof.sure =
      proof.found.p <= level && agree(fresh, reference.control.mean, agreement) &&
      below_by_ranks(reference.values, repeats, last ? judgement.limits.significance() : level, last);
  return proof;
}

/// The same where the runs of a pass have so much in common that those of one tell of its day: the means of
/// the last 3 or 4 passes, at half of the level each, which must lie below by their own spread, too; or those
/// of one, where they prove as much as two days that don't know of each other would. Where nothing does, it
/// is the newest pass that is told of.
Proof proof_of_passes(const Judgement& judgement, const Reference& reference, double level) {
  std::vector<Moments> passes;
  std::vector<double> means;
  for (const std::vector<double>& runs : judgement.passes) {
    passes.push_back(moments(runs));
    means.push_back(passes.back().mean);
  }
  const auto last = [&](std::size_t count) {
    return difference(reference.control, std::span(passes).last(count), judgement.series.shared);
  };
  const double centre = reference.control.mean;
  Proof newest{fmt::format("{} repeats", passes.back().n), last(1), level * level, false};
  newest.sure = newest.found.p <= newest.level && agree(passes.back(), centre, agreement);
  for (std::size_t count = passes_least; count <= passes.size() && !newest.sure; ++count) {
    Proof several{fmt::format("the repeats of the last {} passes", count), last(count), level / 2, true};
    if (several.found.p <= several.level && several.found.loss >= judgement.least_loss() &&
        agree(moments(std::span(means).last(count)), centre, suspicion))
      return several;
  }
  return newest;
}

/// The fresh runs against one reference; whether they settle it.
bool judge_repeats(Judgement& judgement, const Reference& reference) {
  const auto all = looks(judgement.limits.repeats_at_most);
  const std::size_t made = judgement.passes.back().size();
  Watched& said = judgement.said;
  const auto due = std::find_if(all.begin(), all.end(), [&](std::size_t look) { return look >= made; });
  const std::size_t look = due == all.end() ? all.size() - 1 : static_cast<std::size_t>(due - all.begin());
  const bool last_look = look + 1 == all.size();
  const double level = judgement.limits.significance() * reference.share * spent(all, look);
  const double own_loss = judgement.share(reference.control.mean - moments(judgement.passes.back()).mean);
  const Proof proof = judgement.by_passes() ? proof_of_passes(judgement, reference, level)
                                            : proof_of_repeats(judgement, reference, level, last_look);
  judgement.put(proof.found, proof.of);
  const LossInterval interval = judgement.interval(proof.found);
  said.evidence.interval = interval;
  const std::string figures = fmt::format(
      "{} lie {} {}, 95 % interval {} to {}, Student's t p = {:.2g} (alarm from {:.2g} and {} on)", proof.of,
      judgement.place(proof.found.loss), judgement.control_text(reference.name, reference.control),
      percent_text(interval.low), percent_text(interval.high), proof.found.p, proof.level,
      percent_text(judgement.limits.magnitude, 1));
  const std::string began = said.since ? fmt::format("since run {}: ", *said.since + 1) : "";
  if (made >= all[look] && own_loss >= judgement.limits.magnitude && proof.sure) {
    said.state = said.begun_with < control_least ? WatchState::warning : WatchState::alarm;
    said.text = began + figures;
    if (said.state == WatchState::warning)
      said.text +=
          fmt::format("; a warning, since an alarm takes {} runs in the control region", control_least);
    return true;
  }
  const bool hopeless = made >= all[look] && own_loss < judgement.limits.magnitude / 2;
  if ((last_look && made >= all[look]) || hopeless) {
    said.state = WatchState::not_confirmed;
    said.text = "not confirmed: " + figures;
    if (judgement.by_passes() && own_loss >= judgement.limits.magnitude)
      said.text += fmt::format("; {} of the variance is common to the runs of a pass, so {} passes decide",
                               percent_text(judgement.series.shared), passes_least);
    return false;
  }
  said.state = WatchState::suspect;
  said.repeats_wanted = made >= all[look] ? all[look + 1] - made : all[look] - made;
  said.text = fmt::format("{}{}; {} more runs decide", began, figures, said.repeats_wanted);
  return true;
}

/// The alarm.
void judge_loss(Judgement& judgement) {
  const WatchLimits& limits = judgement.limits;
  Watched& said = judgement.said;
  if (judgement.turned.size() < 4) {
    said.control = said.begun_with = judgement.turned.size() - 1;
    said.text = fmt::format("{} {} in the control region: judged from 3 on", said.control,
                            said.control == 1 ? "run" : "runs");
    return;
  }
  judgement.region = control_region(judgement.turned, suspicion, judgement.least_loss());
  const ControlRegion& region = judgement.region;
  auto& passes = judgement.passes;
  const std::size_t after = std::min(control_newest, judgement.turned.size() - region.begin);
  if (passes.size() > after) passes.erase(passes.begin(), passes.end() - static_cast<std::ptrdiff_t>(after));
  const bool falling = falls(judgement);
  const auto furthest = std::span(judgement.turned).last(region.window);
  judgement.put_newest();
  judgement.put(difference(region.control, moments(furthest)),
                region.window == 1 ? "the last run" : fmt::format("the last {} runs", region.window));
  if (!region.newest_suspect && !falling) {
    said.state = WatchState::in_control;
    said.text = fmt::format("in control: the last {} {} {}",
                            region.window == 1 ? "run lies" : fmt::format("{} runs lie", region.window),
                            judgement.place(region.loss), judgement.control_text("the control region"));
    return;
  }
  said.since = region.newest_suspect ? since(judgement) : judgement.offset;
  if (limits.repeats_at_most == 0) {
    if (region.newest_suspect && judge_windows(judgement)) return;
    said.state = WatchState::not_confirmed;
    said.text = fmt::format("not confirmed, since no run is repeated: {}",
                            region.newest_suspect ? said.text : "a line through all runs falls");
    return;
  }
  const Reference step{judgement.control(), region.control, falling ? 0.5 : 1.0, "the control region"};
  std::vector<double> first = step.values;
  first.resize(std::min(control_least, first.size()));
  const Moments of_first = moments(first);
  const Reference start{std::move(first), of_first, region.newest_suspect ? 0.5 : 1.0, "the first runs"};
  if (judgement.passes.back().empty()) {
    said.state = WatchState::suspect;
    said.repeats_wanted = looks(limits.repeats_at_most).front();
    said.text = fmt::format(
        "suspect: {} {}; {} more runs decide",
        region.newest_suspect
            ? fmt::format("the last {} {}",
                          region.window == 1 ? "run lies" : fmt::format("{} runs lie", region.window),
                          judgement.place(region.loss))
            : "a line through all runs falls away from",
        judgement.control_text("the control region"), said.repeats_wanted);
    return;
  }
  if (region.newest_suspect && judge_repeats(judgement, step)) return;
  if (falling) judge_repeats(judgement, start);
}

}  // namespace

double watch_least_loss(Better better, double magnitude) {
  return better == Better::higher ? -std::log1p(-magnitude) : std::log1p(magnitude);
}

double watch_least_gain(Better better, double magnitude) {
  return better == Better::higher ? std::log1p(magnitude) : -std::log1p(-magnitude);
}

double WatchLimits::significance() const {
  return std::min(0.05, false_alarms_per_year / (static_cast<double>(series_watched) * passes_per_year));
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
  if (auto good = check(series, limits); !good) return pass_on(good);
  Judgement judgement = begun(series, limits);
  judge_loss(judgement);
  judge_floor(judgement);
  ask_for_floor(limits, judgement.said);
  return judgement.said;
}

}  // namespace shakedown
