// Nodes that are down: waited for, then excluded.
#include <catch2/catch.hpp>

#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

namespace {

/// Plans the case "wide" on the remaining nodes of cn1 to cn4.
auto plans_wide_again() {
  return [](const CampaignRecord&, const Texts& without) -> Result<std::vector<Case>> {
    std::string hosts;
    int nodes = 0;
    for (const char* host : {"cn1", "cn2", "cn3", "cn4"})
      if (std::ranges::find(without, host) == without.end()) {
        hosts += (nodes++ == 0 ? "" : ",") + std::string(host);
      }
    Case fresh = on_any("wide-on-" + std::to_string(nodes), nodes);
    fresh.hosts = fresh.among = hosts;
    return std::vector<Case>{fresh};
  };
}

void passes_a_millisecond() {
  const timespec pause = {0, 1'000'000};
  ::nanosleep(&pause, nullptr);
}

}  // namespace

TEST_CASE("a node that stays down is excluded after the wait, and what needs all is planned on the others") {
  Bench bench({on_any("wide", 4), on_this("there", "cn2"), on_this("other", "cn3")});
  bench.options.replan = plans_wide_again();
  bench.options.pauses.down_s = 0.03;
  bench.cluster.down = {"cn2"};
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    ScriptedCluster::run_all(cluster);
    passes_a_millisecond();
  };
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn3", "cn1,cn3,cn4"});
  const JournalContent journal = bench.journal();
  REQUIRE(journal.excluded.size() == 1);
  CHECK(journal.excluded[0].node == "cn2");
  CHECK(journal.excluded[0].because.starts_with("was still down after "));
  CHECK(journal.excluded[0].because.ends_with(": DOWN*"));
  CHECK(journal.not_run.at("there") == "cn2 is excluded: " + journal.excluded[0].because);
  CHECK(journal.not_run.at("wide").ends_with("wide-on-3 on 3 nodes took its place"));
  CHECK(bench.said("node_unavailable cn2 DOWN*; excluded if still down in 0.030 s and a case needs it") == 1);
  // It has its place for good.
  bench.cluster.down.clear();
  bench.ends();
  CHECK(bench.cluster.offered.size() == 2);
  CHECK(bench.journal().not_run.size() == 2);
}

TEST_CASE("a node that comes back while it is waited for is used") {
  Bench bench({on_any("wide", 4), on_this("there", "cn2")});
  bench.options.replan = plans_wide_again();
  bench.options.pauses.down_s = 1000;
  bench.cluster.down = {"cn2"};
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.waits > 5) cluster.down.clear();
    ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  CHECK(bench.journal().excluded.empty());
  CHECK(bench.journal().not_run.empty());
  CHECK(bench.cluster.jobs.size() == 2);
}

TEST_CASE("a node that no case needs may be down for as long as it likes") {
  Bench bench({on_any("narrow", 2)});
  bench.options.pauses.down_s = 0;
  bench.cluster.down = {"cn1"};
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn2,cn3"});
  CHECK(bench.journal().excluded.empty());
}

TEST_CASE("where most nodes are down none is excluded: their cases are not run, and a resume runs them") {
  Bench bench({on_this("a", "cn1"), on_this("b", "cn2"), on_this("c", "cn3"), on_any("wide", 4)});
  bench.options.replan = plans_wide_again();
  bench.options.pauses.down_s = 0.01;
  bench.cluster.down = {"cn1", "cn2", "cn4"};
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    ScriptedCluster::run_all(cluster);
    passes_a_millisecond();
  };
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn3"});
  CHECK(bench.journal().excluded.empty());
  const auto not_run = bench.journal().not_run;
  REQUIRE(not_run.size() == 3);
  CHECK(not_run.at("wide").starts_with("cn[1-2,4] get no jobs: DOWN*; waited 0.010 s. More than half"));
  bench.cluster.down.clear();
  bench.ends();
  CHECK(bench.cluster.jobs.size() == 4);
  CHECK(bench.journal().not_run.empty());
}

TEST_CASE("a job that waits for a node which stays down is taken out of the queue") {
  const bool all = GENERATE(false, true);
  Bench bench(all ? std::vector{on_any("waits", 4)}
                  : std::vector{on_this("waits", "cn2"), on_this("other", "cn1")});
  if (all) bench.options.replan = plans_wide_again();
  bench.options.pauses.down_s = 0;
  bench.options.pauses.shared_s = all ? 0 : 1000;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    cluster.down = {"cn2"};
    for (ScriptedCluster::Queued& queued : cluster.jobs)
      if (queued.state.phase == JobPhase::pending && std::ranges::count(queued.job.hosts(), "cn2") == 0)
        ScriptedCluster::run(queued);
  };
  bench.ends();
  CHECK(bench.journal().excluded.size() == 1);
  CHECK(bench.journal().not_run.contains("waits"));
  CHECK(bench.cluster.offered == (all ? Texts{"cn1,cn2,cn3,cn4", "cn1,cn3,cn4"} : Texts{"cn1", "cn2"}));
  for (const ScriptedCluster::Queued& queued : bench.cluster.jobs)
    CHECK(queued.withdrawn == (std::ranges::count(queued.job.hosts(), "cn2") == 1));
}

TEST_CASE("jobs that wait in the queue for nodes of an outage are withdrawn after the wait") {
  const bool shared = GENERATE(false, true);
  Bench bench({on_this("a", "cn1"), on_this("b", "cn2"), on_this("c", "cn3"), on_this("d", "cn4")});
  bench.cluster.shares = shared;
  bench.options.pauses.down_s = 0.02;
  bench.options.pauses.shared_s = 1000;
  bench.cluster.at_wait = [&](ScriptedCluster& cluster) {
    cluster.down = {"cn1", "cn2", "cn3", "cn4"};
    passes_a_millisecond();
  };
  bench.ends();
  const JournalContent journal = bench.journal();
  CHECK(journal.excluded.empty());
  REQUIRE(journal.not_run.size() == 4);
  CHECK(journal.not_run.at("a").find("More than half of the campaign's nodes are down") != std::string::npos);
  CHECK(bench.cluster.jobs.size() == (shared ? 1 : 4));
  for (const ScriptedCluster::Queued& queued : bench.cluster.jobs) CHECK(queued.withdrawn);
}

TEST_CASE("a node that went down below a case is planned around, by a resume as well") {
  const bool killed = GENERATE(false, true);
  Bench bench({on_any("wide", 4)});
  bench.options.replan = plans_wide_again();
  bench.options.pauses.down_s = 0;
  const auto fails = [](ScriptedCluster& cluster) {
    if (cluster.jobs.size() > 1) return ScriptedCluster::run_all(cluster);
    cluster.down = {"cn2"};
    ScriptedCluster::begin(cluster.jobs[0].job.lanes[0].steps[0]);
    cluster.jobs[0].state = {JobPhase::gone, "NODE_FAIL", {}, JobEnd::node_failed, "", {"cn2"}};
  };
  bench.cluster.at_wait = fails;
  if (killed) {
    bench.cluster.at_wait = dies;
    bench.is_killed();
    fails(bench.cluster);
    bench.cluster.at_wait = ScriptedCluster::run_all;
  }
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1,cn2,cn3,cn4", "cn1,cn3,cn4"});
  REQUIRE(bench.journal().excluded.size() == 1);
  CHECK(bench.journal().excluded[0].because.starts_with("was still down after "));
}
