#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/control_region.hpp"
#include "reports/statistics/watch_judgement.hpp"

namespace shakedown {
namespace {

constexpr std::size_t trend_least = 2 * control_least;

/// The numbers of repeats after which one looks: 2, 4, 8, ... and the last.
std::vector<std::size_t> looks(std::size_t most) {
  std::vector<std::size_t> found;
  for (std::size_t at = 2; at < most; at *= 2) found.push_back(at);
  if (most > 0) found.push_back(most);
  return found;
}

/// The share of the significance that a look may use up: a tenth each, and the rest at the last; if there are
/// so many that the rest would be too little, equal shares.
double spent(const std::vector<std::size_t>& all, std::size_t look) {
  const double each = std::min(0.1, 1 / static_cast<double>(all.size()));
  return look + 1 < all.size() ? each : 1 - each * static_cast<double>(all.size() - 1);
}

/// Where what is suspect began: the first of the suspected values that lead up to the newest.
std::size_t since(const WatchJudgement& judgement) {
  std::size_t first = judgement.turned.size() - 1;
  while (first > 0 && judgement.region.kept_out[first - 1]) --first;
  return judgement.offset + first;
}

/// Whether the whole region falls along a line.
bool falls(const WatchJudgement& judgement) {
  if (!judgement.limits.parts.trend || judgement.turned.size() < trend_least) return false;
  const auto trend = linear_trend(judgement.turned);
  return trend && -trend->total >= judgement.least_loss() && trend->p_falling <= watch_suspicion;
}

/// The means of the last 2 and 4 checks, each at half of the significance. One value alone is never an alarm:
/// nothing distinguishes a slow machine from a slow run. Returns whether they settle it.
bool judge_windows(WatchJudgement& judgement) {
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
    const LossTest found = loss_test(judgement.region.control, last);
    judgement.put(found, fmt::format("the last {} runs", w));
    said.text =
        fmt::format("the last {} runs lie {} {}, Student's t p = {:.2g} (alarm from {:.2g} and {} on)", w,
                    judgement.place(found.loss), judgement.control_text("the control region"), found.p,
                    significance, percent_text(judgement.limits.magnitude, 1));
    if (said.evidence.loss < judgement.limits.magnitude || found.p > significance ||
        !agree(last, judgement.region.control.mean, watch_agreement) ||
        !below_by_ranks(judgement.control(), std::span(judgement.turned).last(w),
                        judgement.limits.significance(), w == 4))
      continue;
    said.state = WatchState::alarm;
    return true;
  }
  return false;
}

/// The fresh runs against one reference; whether they settle it.
bool judge_repeats(WatchJudgement& judgement, const WatchReference& reference) {
  const auto all = looks(judgement.limits.repeats_at_most);
  const std::size_t made = judgement.checks.back().size();
  Watched& said = judgement.said;
  const auto due = std::find_if(all.begin(), all.end(), [&](std::size_t look) { return look >= made; });
  const std::size_t look = due == all.end() ? all.size() - 1 : static_cast<std::size_t>(due - all.begin());
  const bool last_look = look + 1 == all.size();
  const double level = judgement.limits.significance() * reference.share * spent(all, look);
  const double own_loss = judgement.share(reference.control.mean - moments(judgement.checks.back()).mean);
  const LossProof proof = judgement.by_checks() ? proof_of_checks(judgement, reference, level)
                                                : proof_of_repeats(judgement, reference, level, last_look);
  judgement.put(proof.found, proof.of);
  const LossInterval interval = judgement.interval(proof.found);
  said.evidence.interval = interval;
  const std::string statistics = fmt::format(
      "{} lie {} {}, 95 % interval {} to {}, Student's t p = {:.2g} (alarm from {:.2g} and {} on)", proof.of,
      judgement.place(proof.found.loss), judgement.control_text(reference.name, reference.control),
      percent_text(interval.low), percent_text(interval.high), proof.found.p, proof.level,
      percent_text(judgement.limits.magnitude, 1));
  const std::string began = said.since ? fmt::format("since run {}: ", *said.since + 1) : "";
  if (made >= all[look] && own_loss >= judgement.limits.magnitude && proof.sure) {
    said.state = said.begun_with < control_least ? WatchState::warning : WatchState::alarm;
    said.text = began + statistics;
    if (said.state == WatchState::warning)
      said.text +=
          fmt::format("; a warning, since an alarm takes {} runs in the control region", control_least);
    return true;
  }
  const bool hopeless = made >= all[look] && own_loss < judgement.limits.magnitude / 2;
  if ((last_look && made >= all[look]) || hopeless) {
    said.state = WatchState::not_confirmed;
    said.text = "not confirmed: " + statistics;
    if (judgement.by_checks() && own_loss >= judgement.limits.magnitude)
      said.text += fmt::format("; {} of the variance is common to the runs of a check, so {} checks decide",
                               percent_text(judgement.series.shared), checks_least);
    return false;
  }
  said.state = WatchState::suspect;
  said.repeats_wanted = made >= all[look] ? all[look + 1] - made : all[look] - made;
  said.text = fmt::format("{}{}; {} more runs decide", began, statistics, said.repeats_wanted);
  return true;
}

}  // namespace

void judge_loss(WatchJudgement& judgement) {
  const WatchLimits& limits = judgement.limits;
  Watched& said = judgement.said;
  if (judgement.turned.size() < 4) {
    said.control = said.begun_with = judgement.turned.size() - 1;
    said.text = fmt::format("{} {} in the control region: judged from 3 on", said.control,
                            said.control == 1 ? "run" : "runs");
    return;
  }
  judgement.region = control_region(judgement.turned, watch_suspicion, judgement.least_loss());
  const ControlRegion& region = judgement.region;
  auto& checks = judgement.checks;
  const std::size_t after = std::min(control_newest, judgement.turned.size() - region.begin);
  if (checks.size() > after) checks.erase(checks.begin(), checks.end() - static_cast<std::ptrdiff_t>(after));
  const bool falling = falls(judgement);
  const auto furthest = std::span(judgement.turned).last(region.window);
  judgement.put_newest();
  judgement.put(loss_test(region.control, moments(furthest)),
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
  const WatchReference step{judgement.control(), region.control, falling ? 0.5 : 1.0, "the control region"};
  std::vector<double> first = step.values;
  first.resize(std::min(control_least, first.size()));
  const Moments of_first = moments(first);
  const WatchReference start{std::move(first), of_first, region.newest_suspect ? 0.5 : 1.0, "the first runs"};
  if (judgement.checks.back().empty()) {
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

}  // namespace shakedown
