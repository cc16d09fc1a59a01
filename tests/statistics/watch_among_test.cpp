#include "reports/statistics/watch_among.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace shakedown;

namespace {

const std::vector<double> like_ones = {100, 101, 99, 100.5, 99.5, 100.2, 99.8, 101.2, 98.8, 100.1};
const WatchLimits of_a_rotation{.series_watched = 4, .checks_per_year = 365};

}  // namespace

TEST_CASE("a node without a history is judged beside the nodes like it") {
  struct Row {
    const char* what;
    double value;
    std::vector<double> repeats;
    WatchState state;
    std::size_t wanted;
  };
  for (const Row& row :
       {Row{"usual", 99, {}, WatchState::in_control, 0},
        Row{"low, not repeated", 93, {}, WatchState::suspect, 4},
        Row{"low, repeated twice", 93, {93, 94}, WatchState::suspect, 2},
        Row{"a slow run", 93, {100, 99, 101, 100}, WatchState::not_confirmed, 0},
        Row{"a slow node", 93, {93, 94, 92, 93}, WatchState::alarm, 0},
        Row{"below by less than is sure", 97, {97, 97, 97, 97}, WatchState::not_confirmed, 0}}) {
    INFO(row.what);
    const WatchedAmong found = watch_among(like_ones, row.value, row.repeats, Better::higher, of_a_rotation);
    CHECK(found.state == row.state);
    CHECK(found.repeats_wanted == row.wanted);
    CHECK(found.expected == Approx(100).margin(0.1));
  }
}

TEST_CASE("of times the longer one is the loss") {
  CHECK(watch_among(like_ones, 108, std::vector<double>{108, 107, 109, 108}, Better::lower, of_a_rotation)
            .state == WatchState::alarm);
  CHECK(watch_among(like_ones, 93, {}, Better::lower, of_a_rotation).state == WatchState::in_control);
}

TEST_CASE("too few like nodes judge nothing, nor do limits without repeats") {
  CHECK(watch_among(std::span(like_ones).first(7), 50, {}, Better::higher, of_a_rotation).state ==
        WatchState::too_few);
  WatchLimits alone = of_a_rotation;
  alone.repeats_at_most = 0;
  CHECK(watch_among(like_ones, 50, {}, Better::higher, alone).state == WatchState::too_few);
}

TEST_CASE("where nodes like it are as slow, a node is no alarm") {
  std::vector<double> with_slow = like_ones;
  with_slow.push_back(92);
  CHECK(
      watch_among(with_slow, 93, std::vector<double>{93, 94, 92, 93}, Better::higher, of_a_rotation).state !=
      WatchState::alarm);
}
