#include "reports/statistics/watch_among.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "reports/statistics/sample.hpp"
#include "reports/statistics/watch_judgement.hpp"

namespace shakedown {

WatchedAmong watch_among(std::span<const double> like, double value, std::span<const double> repeats,
                         Better better, const WatchLimits& limits) {
  WatchedAmong said;
  const std::size_t wanted = std::min(like_nodes_repeats, limits.repeats_at_most);
  if (like.size() < like_nodes_least || wanted == 0) return said;
  const double sign = better == Better::higher ? 1 : -1;
  std::vector<double> others;
  others.reserve(like.size());
  for (const double each : like) others.push_back(sign * std::log(each));
  const Moments control = moments(others);
  const double least = watch_least_loss(better, limits.magnitude);
  const auto share = [&](double loss) {
    return better == Better::higher ? -std::expm1(-loss) : std::expm1(loss);
  };
  const auto put = [&](const LossTest& found, std::string of) {
    said.evidence = {std::move(of), share(found.loss), std::nullopt, found.p};
    said.text = fmt::format("{} lies {} {} {} nodes like it ({}), Student's t p = {:.2g}", said.evidence.of,
                            percent_text(std::abs(said.evidence.loss)),
                            (found.loss > 0) == (better == Better::higher) ? "below" : "above", like.size(),
                            number(said.expected), found.p);
  };
  said.expected = std::exp(sign * control.mean);
  const LossTest first = loss_test(control, Moments{1, sign * std::log(value), 0});
  put(first, "the value");
  if (first.loss < least || first.p > watch_suspicion) {
    said.state = WatchState::in_control;
    return said;
  }
  if (repeats.size() < wanted) {
    said.state = WatchState::suspect;
    said.repeats_wanted = wanted - repeats.size();
    said.text += fmt::format("; {} more runs decide", said.repeats_wanted);
    return said;
  }
  double mean = 0;
  for (const double each : repeats) mean += sign * std::log(each) / static_cast<double>(repeats.size());
  const LossTest again = loss_test(control, Moments{1, mean, 0});
  put(again, fmt::format("the mean of {} repeats", repeats.size()));
  const bool lowest = mean < *std::ranges::min_element(others);
  const bool sure = again.loss >= least && again.p <= limits.significance() && lowest;
  said.state = sure ? WatchState::alarm : WatchState::not_confirmed;
  said.text = fmt::format("{}{} (alarm from {:.2g}, {} and below each of them on)",
                          sure ? "" : "not confirmed: ", said.text, limits.significance(),
                          percent_text(limits.magnitude, 1));
  return said;
}

}  // namespace shakedown
