#include "orchestrator/plan/packing.hpp"

#include <rapidcheck.h>
#include <catch2/catch.hpp>

using namespace shakedown;

TEST_CASE("cases run side by side where they fit, in their order unless the longest first ends sooner") {
  CHECK(packed(std::vector<JobExtent>{{4, 10}, {4, 5}, {2, 1}}, 8) == std::vector<double>{0, 0, 5});
  CHECK(packed(std::vector<JobExtent>{{8, 10}, {1, 5}, {1, 5}}, 8) == std::vector<double>{0, 10, 10});
  CHECK(packed(std::vector<JobExtent>{{1, 10}, {1, 5, true}, {1, 5}}, 8) == std::vector<double>{0, 10, 0});
  CHECK(packed(std::vector<JobExtent>{{1, 10}, {1, 15, true}, {1, 5}}, 8) == std::vector<double>{15, 0, 15});
  CHECK(packed(std::vector<JobExtent>{{100, 1}, {100, 1}}, 8) == std::vector<double>{0, 1});
  CHECK(packed(std::vector<JobExtent>{}, 8).empty());
}

TEST_CASE("the longest case does not wait for the short ones before it") {
  CHECK(packed(std::vector<JobExtent>{{4, 3}, {4, 3}, {4, 6}, {4, 1}}, 8) == std::vector<double>{0, 3, 0, 6});
  // 12 s, and 16 s in their order.
  CHECK(packed(std::vector<JobExtent>{{4, 4}, {8, 2}, {4, 10}, {4, 4}}, 8) ==
        std::vector<double>{0, 10, 0, 4});
  // Equal ends: their own order stays.
  CHECK(packed(std::vector<JobExtent>{{8, 1}, {8, 2}, {8, 3}}, 8) == std::vector<double>{0, 1, 3});
}

TEST_CASE("a screen starts first, however short it is") {
  const std::vector<JobExtent> jobs = {{8, 1, false, true}, {4, 3}, {4, 3}, {4, 6}};
  CHECK(packed(jobs, 8) == std::vector<double>{0, 1, 4, 1});
}

TEST_CASE("packed cases never take more nodes than there are, nor share a filesystem test") {
  const bool held = rc::check([] {
    const int nodes = *rc::gen::inRange(1, 50);
    std::vector<JobExtent> jobs;
    for (int i = 0, count = *rc::gen::inRange(0, 30); i < count; ++i)
      jobs.push_back({*rc::gen::inRange(1, 60), static_cast<double>(*rc::gen::inRange(1, 100)),
                      *rc::gen::inRange(0, 5) == 0, i < 2});
    const auto starts = packed(jobs, nodes);
    RC_ASSERT(starts.size() == jobs.size());
    for (size_t i = 0; i < jobs.size(); ++i) {
      for (size_t j = 0; j < jobs.size(); ++j)
        if (jobs[i].screen && !jobs[j].screen) RC_ASSERT(starts[i] <= starts[j]);
      int busy = 0;
      for (size_t j = 0; j < jobs.size(); ++j) {
        const bool at_once = starts[j] <= starts[i] && starts[i] < starts[j] + jobs[j].time_s;
        if (!at_once) continue;
        busy += std::min(jobs[j].nodes, nodes);
        if (i != j) RC_ASSERT(!(jobs[i].alone || jobs[j].alone));
      }
      RC_ASSERT(busy <= nodes);
    }
  });
  CHECK(held);
}

TEST_CASE("a cost sums what is predicted and says what is not") {
  Plan plan;
  Case hour;
  hour.nodes = 10;
  hour.predicted = {{"wall_time_s", 3600, 3000, 4000}, {"bytes_written", 5e12, 5e12, 5e12}};
  Case unknown;
  unknown.nodes = 10;
  plan.cases = {hour, unknown};
  const Cost cost = plan_cost(plan, 10, 10'000);
  CHECK(cost.jobs == 2);
  CHECK(cost.node_hours == Approx(10));
  CHECK(cost.wall_time_s == 3600);
  CHECK(cost.bytes_written == 5e12);
  CHECK(cost.energy_kwh == Approx(100));
  CHECK(cost.unpredicted == 1);
}

TEST_CASE("a cost counts the nodes that the cases may run on, not all of the inventory") {
  Case hour;
  hour.nodes = 16;
  hour.hosts = "cn[1-16]";
  hour.predicted = {{"wall_time_s", 3600, 3000, 4000}};
  Plan plan;
  plan.cases = {hour, hour, hour};
  CHECK(plan_cost(plan, 2688, 0).wall_time_s == 3 * 3600);
  for (Case& each : plan.cases) each.among = "cn[1-32]";
  CHECK(plan_cost(plan, 2688, 0).wall_time_s == 2 * 3600);
  // Bound to the same hosts beside one that is not.
  plan.cases = {hour, hour, hour, hour};
  plan.cases.back().hosts = "cn[17-32]";
  CHECK(plan_cost(plan, 2688, 0).wall_time_s == 3 * 3600);
}
