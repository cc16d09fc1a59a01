#include "orchestrator/campaign/dispatcher.hpp"

#include <rapidcheck.h>
#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>
#include <queue>
#include <random>

using namespace shakedown;

namespace {

Work any(int nodes, double time_s = 10) {
  Work work;
  work.nodes = nodes;
  work.time_s = time_s;
  return work;
}

Work bound(int host, double time_s = 10) {
  Work work = any(1, time_s);
  work.hosts = {host};
  return work;
}

std::vector<std::size_t> begun(const std::vector<DispatchedLane>& lanes) {
  std::vector<std::size_t> works;
  for (const DispatchedLane& lane : lanes) works.insert(works.end(), lane.works.begin(), lane.works.end());
  std::ranges::sort(works);
  return works;
}

/// The campaign from its first start to its last end, in virtual time: each work takes what it was expected
/// to.
struct Simulation {
  double makespan_s = 0;
  std::vector<int> runs;  ///< of each work
  bool overlapped = false;
};

Simulation simulated(const std::vector<Work>& works, int nodes, double longest_s = 0) {
  Dispatcher dispatcher(works, nodes);
  Simulation result;
  result.runs.assign(works.size(), 0);
  std::vector<bool> busy(static_cast<std::size_t>(nodes), false);
  struct End {
    double time_s;
    DispatchedLane lane;
    bool operator>(const End& other) const { return time_s > other.time_s; }
  };
  std::priority_queue<End, std::vector<End>, std::greater<>> ends;
  double now_s = 0;
  while (true) {
    for (DispatchedLane& lane : dispatcher.next(longest_s)) {
      double time_s = now_s;
      for (const std::size_t work : lane.works) {
        time_s += works[work].time_s;
        ++result.runs[work];
      }
      for (const int host : lane.hosts) {
        result.overlapped = result.overlapped || busy[static_cast<std::size_t>(host)];
        busy[static_cast<std::size_t>(host)] = true;
      }
      ends.push({time_s, std::move(lane)});
    }
    if (ends.empty()) break;
    now_s = ends.top().time_s;
    while (!ends.empty() && ends.top().time_s <= now_s) {
      for (const std::size_t work : ends.top().lane.works) dispatcher.end(work);
      for (const int host : ends.top().lane.hosts) busy[static_cast<std::size_t>(host)] = false;
      dispatcher.release(ends.top().lane.hosts);
      ends.pop();
    }
  }
  result.makespan_s = now_s;
  return result;
}

/// No schedule ends sooner: all nodes full, or the longest work alone.
double lower_bound_s(const std::vector<Work>& works, int nodes) {
  double area = 0;
  double longest = 0;
  for (const Work& work : works) {
    area += work.nodes * work.time_s;
    longest = std::max(longest, work.time_s);
  }
  return std::max(area / nodes, longest);
}

}  // namespace

TEST_CASE("works begin beside each other as far as nodes are free, the widest first") {
  Dispatcher dispatcher({any(1), any(4), any(2)}, 6);
  const auto lanes = dispatcher.next();
  REQUIRE(lanes.size() == 2);
  CHECK(lanes[0].works == std::vector<std::size_t>{1});
  CHECK(lanes[0].hosts.size() == 4);
  CHECK(lanes[1].works == std::vector<std::size_t>{2});
  CHECK(dispatcher.free_nodes() == 0);
  CHECK(dispatcher.next().empty());
  dispatcher.end(2);
  dispatcher.release(lanes[1].hosts);
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{0});
}

TEST_CASE("a work that is bound to a node runs there and nowhere else") {
  Dispatcher dispatcher({bound(2), bound(2), bound(0)}, 3);
  const auto lanes = dispatcher.next();
  CHECK(begun(lanes) == std::vector<std::size_t>{0, 2});
  for (const DispatchedLane& lane : lanes) CHECK(lane.hosts.front() == (lane.works.front() == 0 ? 2 : 0));
  dispatcher.end(0);
  dispatcher.release({2});
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{1});
}

TEST_CASE("a stage begins when all of the stage below it has ended, whatever became of it") {
  std::vector<Work> works = {any(1), any(1), any(2)};
  works[2].stage = 1;
  Dispatcher dispatcher(works, 4);
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{0, 1});
  dispatcher.end(0);
  dispatcher.release({0});
  CHECK(dispatcher.next().empty());
  dispatcher.again(1);
  dispatcher.release({1});
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{1});
  dispatcher.end(1);
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{2});
}

TEST_CASE("works that have ended begin once more, the lower stage first") {
  std::vector<Work> works = {any(1), any(1)};
  works[1].stage = 1;
  Dispatcher dispatcher(works, 2);
  for (std::size_t work = 0; work < 2; ++work) {
    const auto lanes = dispatcher.next();
    REQUIRE(begun(lanes) == std::vector<std::size_t>{work});
    dispatcher.end(work);
    dispatcher.release(lanes.front().hosts);
  }
  CHECK(dispatcher.next().empty());
  dispatcher.restart(1);
  dispatcher.restart(0);
  CHECK(dispatcher.waiting() == 2);
  for (const std::size_t work : {0, 1}) {
    const auto lanes = dispatcher.next();
    REQUIRE(begun(lanes) == std::vector<std::size_t>{work});
    dispatcher.end(work);
    dispatcher.release(lanes.front().hosts);
  }
  CHECK(dispatcher.waiting() == 0);
}

TEST_CASE("repetitions are spread: the second of a case waits for the first of all others") {
  std::vector<Work> works = {any(1, 10), any(1, 10), any(1, 90), any(1, 90)};
  works[1].repetition = 2;
  works[3].repetition = 2;
  Dispatcher dispatcher(works, 1);
  std::vector<std::size_t> order;
  for (auto lanes = dispatcher.next(); !lanes.empty(); lanes = dispatcher.next()) {
    order.push_back(lanes.front().works.front());
    dispatcher.end(order.back());
    dispatcher.release({0});
  }
  CHECK(order == std::vector<std::size_t>{2, 0, 3, 1});
}

TEST_CASE(
    "a work that measures what all nodes share runs with nothing beside it, after the others of its stage") {
  std::vector<Work> works = {any(2), any(1), any(1)};
  works[0].alone = true;
  Dispatcher dispatcher(works, 4);
  const auto first = dispatcher.next();
  CHECK(begun(first) == std::vector<std::size_t>{1, 2});
  dispatcher.end(1);
  dispatcher.release(first[0].hosts);
  CHECK(dispatcher.next().empty());
  dispatcher.end(2);
  dispatcher.release(first[1].hosts);
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{0});
}

TEST_CASE("short works of one node are chained evenly over the free nodes") {
  const std::vector<Work> works(100, any(1, 3));
  Dispatcher dispatcher(works, 4);
  const auto lanes = dispatcher.next(3600);
  REQUIRE(lanes.size() == 4);
  for (const DispatchedLane& lane : lanes) CHECK(lane.works.size() == 25);
  CHECK(dispatcher.waiting() == 0);
}

TEST_CASE("a chain ends where it gets too long, and behind a work of unknown time") {
  Dispatcher dispatcher({bound(0, 100), bound(0, 90), bound(0, 20), bound(0, 0)}, 1);
  CHECK(begun(dispatcher.next(195)) == std::vector<std::size_t>{0, 1});
  dispatcher.end(0);
  dispatcher.end(1);
  dispatcher.release({0});
  CHECK(begun(dispatcher.next(195)) == std::vector<std::size_t>{2});
  dispatcher.end(2);
  dispatcher.release({0});
  CHECK(begun(dispatcher.next(195)) == std::vector<std::size_t>{3});
}

TEST_CASE("a node that is out gets nothing more, and what only it could run is named") {
  Dispatcher dispatcher({bound(1), any(3), any(2)}, 3);
  dispatcher.exclude(1);
  CHECK(dispatcher.impossible() == std::vector<std::size_t>{0, 1});
  const auto lanes = dispatcher.next();
  CHECK(begun(lanes) == std::vector<std::size_t>{2});
  CHECK(lanes.front().hosts == std::vector<int>{0, 2});
}

TEST_CASE("a node that others hold gets work when it comes back, unless it is out by then") {
  Dispatcher dispatcher({bound(0), bound(1)}, 2);
  dispatcher.set_available(0, false);
  dispatcher.set_available(1, false);
  CHECK(dispatcher.next().empty());
  CHECK(dispatcher.impossible().empty());
  dispatcher.exclude(1);
  dispatcher.set_available(0, true);
  dispatcher.set_available(1, true);
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{0});
}

TEST_CASE("what runs already keeps its nodes") {
  Dispatcher dispatcher({any(2), any(1), any(1)}, 3);
  dispatcher.adopt({{0, 2}, {0}});
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{1});
  dispatcher.end(0);
  dispatcher.release({0, 2});
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{2});
}

TEST_CASE("every work runs exactly once, on nodes of its own") {
  rc::check([] {
    const int nodes = *rc::gen::inRange(1, 9);
    std::vector<Work> works;
    for (int i = *rc::gen::inRange(0, 40); i > 0; --i) {
      Work work = any(*rc::gen::inRange(1, nodes + 1), *rc::gen::inRange(0, 50));
      work.stage = *rc::gen::inRange(0, 3);
      work.repetition = *rc::gen::inRange(1, 4);
      work.alone = *rc::gen::inRange(0, 8) == 0;
      if (work.nodes == 1 && *rc::gen::arbitrary<bool>()) work.hosts = {*rc::gen::inRange(0, nodes)};
      works.push_back(work);
    }
    const Simulation result = simulated(works, nodes, *rc::gen::inRange(0, 100));
    RC_ASSERT(std::ranges::count(result.runs, 1) == static_cast<std::ptrdiff_t>(works.size()));
    RC_ASSERT(!result.overlapped);
  });
}

TEST_CASE("a mixed campaign ends within 1.15 times the lower bound of its packing") {
  for (const int nodes : {100, 10'000}) {
    std::mt19937 random(7);  // NOLINT(cert-msc32-c,cert-msc51-cpp): the same campaign each time
    std::vector<Work> works;
    for (int i = 0; i < 3 * nodes; ++i) {
      constexpr int widths[] = {1, 2, 4};
      works.push_back(any(widths[random() % 3], 60.0 + static_cast<double>(random() % 1800)));
    }
    const Simulation result = simulated(works, nodes);
    CHECK(result.makespan_s <= 1.15 * lower_bound_s(works, nodes));
  }
}

TEST_CASE("a work gets nodes of its kind only, and does not keep others from theirs") {
  std::vector<Work> works = {any(2), any(2)};
  works[0].among = std::make_shared<const std::vector<bool>>(std::vector<bool>{true, false, false, true});
  works[1].among = std::make_shared<const std::vector<bool>>(std::vector<bool>{false, true, true, false});
  Dispatcher dispatcher(works, 4);
  const auto lanes = dispatcher.next();
  REQUIRE(lanes.size() == 2);
  CHECK(lanes[0].hosts == std::vector<int>{0, 3});
  CHECK(lanes[1].hosts == std::vector<int>{1, 2});
  dispatcher.again(0);
  dispatcher.release({0, 3});
  dispatcher.exclude(3);
  CHECK(dispatcher.next().empty());
  CHECK(dispatcher.impossible() == std::vector<std::size_t>{0});
  CHECK(dispatcher.add(any(1)) == 2);
  CHECK(begun(dispatcher.next()) == std::vector<std::size_t>{2});
}

TEST_CASE("a lane's limits stay within what a job may ask for") {
  std::vector<Work> works;
  for (int i = 0; i < 7; ++i) {
    works.push_back(bound(0, 300));
    works.back().limit_s = 340;
  }
  Dispatcher dispatcher(works, 1);
  CHECK(dispatcher.next(3600, 1080).front().works.size() == 3);
  dispatcher.release({0});
  CHECK(dispatcher.next(3600, 339).front().works.size() == 1);  // that it fits at all was asked before
  dispatcher.release({0});
  CHECK(dispatcher.next(3600).front().works.size() == 3);

  works[0].limit_s = 0;  // ends when it likes
  Dispatcher endless(works, 1);
  CHECK(endless.next(3600, 1080).front().works == std::vector<std::size_t>{0});
}

TEST_CASE("a node that is somebody else's soon gets what ends before") {
  Work quick = any(1, 10);
  quick.limit_s = 100;
  Work slow = any(1, 50);
  slow.limit_s = 500;
  Work here = bound(0, 50);
  here.limit_s = 500;
  Work endless = any(1, 5);
  Dispatcher dispatcher({slow, quick, here, endless}, 1);
  dispatcher.set_window(0, 120);
  CHECK_FALSE(dispatcher.fits(0, 0));
  CHECK(dispatcher.fits(1, 0));
  CHECK_FALSE(dispatcher.fits(3, 0));
  CHECK(begun(dispatcher.next(3600)) == std::vector<std::size_t>{1});
  dispatcher.end(1);
  dispatcher.release({0});
  CHECK(dispatcher.next(3600).empty());
  dispatcher.set_window(0, Dispatcher::unlimited_s);
  CHECK(begun(dispatcher.next(60)) == std::vector<std::size_t>{2});
}

TEST_CASE("a work that failed on a node goes to another as long as others will do") {
  Dispatcher dispatcher({any(1), any(1)}, 3);
  REQUIRE(dispatcher.next().size() == 2);
  dispatcher.avoid(0, 0);
  dispatcher.again(0);
  dispatcher.release({0});
  const auto lanes = dispatcher.next();
  REQUIRE(lanes.size() == 1);
  CHECK(lanes.front().works == std::vector<std::size_t>{0});
  CHECK(lanes.front().hosts == std::vector<int>{2});
  // The others are taken, and will be free: it waits for them.
  dispatcher.avoid(0, 2);
  dispatcher.again(0);
  dispatcher.release({2});
  CHECK(dispatcher.next().empty());
  dispatcher.exclude(1);
  CHECK(dispatcher.next().front().hosts == std::vector<int>{0});
}

TEST_CASE("a work shares its lane with no others on a node where it failed") {
  Dispatcher dispatcher({any(1), any(1)}, 1);
  dispatcher.avoid(1, 0);
  const auto lanes = dispatcher.next(100);
  REQUIRE(lanes.size() == 1);
  CHECK(lanes.front().works == std::vector<std::size_t>{1});
  dispatcher.end(1);
  dispatcher.release({0});
  CHECK(begun(dispatcher.next(100)) == std::vector<std::size_t>{0});
}

TEST_CASE("a retry goes before what has not failed, while other nodes are left to choose from") {
  Dispatcher dispatcher({any(1, 20), any(1, 10)}, 2);
  dispatcher.avoid(1, 1);
  const auto lanes = dispatcher.next();
  REQUIRE(lanes.size() == 2);
  for (const DispatchedLane& lane : lanes)
    CHECK(lane.hosts == std::vector<int>{lane.works.front() == 1 ? 0 : 1});
}

TEST_CASE("a retry of a work that failed on several nodes together begins on others that are free") {
  Dispatcher dispatcher({any(2)}, 5);
  const auto next_after_failure = [&] {
    const auto lanes = dispatcher.next();
    REQUIRE(lanes.size() == 1);
    dispatcher.suspect(0, lanes.front().hosts);
    dispatcher.again(0);
    dispatcher.release(lanes.front().hosts);
    return lanes.front().hosts;
  };
  CHECK(next_after_failure() == std::vector<int>{0, 1});
  CHECK(next_after_failure() == std::vector<int>{2, 3});
  // Of those where it failed as often, the first: it waits for no other node.
  CHECK(next_after_failure() == std::vector<int>{0, 4});
}

TEST_CASE("idle nodes are given out before those where others run") {
  Dispatcher dispatcher({any(2), any(1)}, 4);
  dispatcher.set_idle(0, false);
  dispatcher.set_idle(2, false);
  const auto lanes = dispatcher.next();
  REQUIRE(lanes.size() == 2);
  CHECK(lanes[0].hosts == std::vector<int>{1, 3});
  CHECK(lanes[1].hosts == std::vector<int>{0});  // it waits in the queue
  CHECK_FALSE(dispatcher.has_idle_nodes(1, lanes[1].hosts));
  dispatcher.set_idle(2, true);
  CHECK(dispatcher.has_idle_nodes(1, lanes[1].hosts));
}
