// What may not happen to a campaign though an orchestrator dies, somebody interferes or nothing starts.
#include <catch2/catch.hpp>

#include "orchestrator/core/time.hpp"
#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

TEST_CASE("what was adopted of a later stage is not begun again when that stage opens") {
  const auto later = [](Case planned) {
    planned.stage = 1;
    return planned;
  };
  Case elsewhere = later(on_any("elsewhere"));
  elsewhere.among = "cn[3-4]";
  elsewhere.hosts = "cn3";
  Bench bench({on_this("screen", "cn1"), later(on_this("b", "cn2")), elsewhere, later(on_this("d", "cn2")),
               later(on_this("f", "cn2"))});
  // The screen is given up for a missing requirement, its stage is over, and the orchestrator dies in the
  // next.
  bench.options.lacking = {{"screen", "no licence"}};
  bench.cluster.at_wait = dies;
  bench.is_killed();
  bench.options.lacking.clear();
  bench.cluster.most_waits = 400;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs) {
      const JobStep& step = queued.job.lanes[0].steps[0];
      if (queued.state.phase == JobPhase::gone) continue;
      if (step.case_id == "screen" || cluster.waits > 30) {
        ScriptedCluster::run(queued);
      } else if (queued.state.phase == JobPhase::pending) {
        ScriptedCluster::begin(step);
        queued.state.phase = JobPhase::running;
      }
    }
  };
  bench.ends();
  CHECK(bench.cluster.jobs.size() == 5);
  for (const char* id : {"b", "d", "elsewhere"}) CHECK(last_attempt(bench.folder() / id) == 1);
}

TEST_CASE("an attempt whose job was divided belongs to the later job") {
  Bench bench({on_this("a", "cn1"), on_this("b", "cn2"), on_this("c", "cn3")});
  bench.cluster.shares = true;
  bench.options.pauses.shared_s = 0;
  bench.options.pauses.fresh_s = 1e9;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    cluster.nodes["cn3"] = SchedulerNode::Kind::busy;
    if (cluster.jobs.size() < 2) return;
    for (const JobLane& lane : cluster.jobs[1].job.lanes) ScriptedCluster::begin(lane.steps[0]);
    cluster.jobs[1].state.phase = JobPhase::running;
    throw Killed();
  };
  bench.is_killed();
  bench.cluster.jobs[0].state.end = JobEnd::unknown;  // the batch system has forgotten it
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.waits <= 20) return;
    cluster.nodes.clear();
    ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  CHECK(bench.journal().machine_failures.empty());
  for (const char* id : {"a", "b", "c"}) CHECK(last_attempt(bench.folder() / id) == 1);
}

TEST_CASE("a job that completes though nothing of it began is not submitted for ever") {
  Bench bench({on_this("a", "cn1"), on_this("b", "cn2")});
  bench.cluster.shares = true;
  bench.cluster.most_waits = 300;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs)
      queued.state = {JobPhase::gone, "COMPLETED", {}, JobEnd::completed, "", {}};
  };
  bench.ends();
  CHECK(bench.cluster.offered.size() == 3);
  CHECK(bench.journal().excluded.empty());
}

TEST_CASE("who cancels a screen excludes no node, and a resume repeats it") {
  Case behind = on_any("behind");
  behind.stage = 1;
  Bench bench({on_this("screen", "cn1"), behind});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    ScriptedCluster::Queued& first = cluster.jobs[0];
    if (first.state.phase == JobPhase::gone) return ScriptedCluster::run_all(cluster);
    ScriptedCluster::begin(first.job.lanes[0].steps[0]);
    first.state = {JobPhase::gone, "CANCELLED", {}, JobEnd::cancelled, "user 0", {}};
  };
  bench.ends();
  CHECK(bench.journal().excluded.empty());
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  for (const char* id : {"screen", "behind"}) {
    const fs::path folder = bench.folder() / id;
    CHECK(fs::exists(folder / ("attempt-" + std::to_string(last_attempt(folder))) / "finished.json"));
  }
}

TEST_CASE("an excluded node beside one that gets no jobs leaves too few: the wide case is given up") {
  Bench bench({on_this("x", "cn1"), on_this("y", "cn1"), on_any("wide", 3)});
  bench.cluster.nodes["cn2"] = SchedulerNode::Kind::out;
  bench.cluster.most_waits = 300;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs)
      if (queued.state.phase != JobPhase::gone) ScriptedCluster::run(queued, 1, node_failure);
  };
  bench.ends();
  CHECK(bench.journal().excluded.size() == 1);
  CHECK(bench.journal().not_run.contains("wide"));
}

TEST_CASE("a job asks for no node longer than the node is free") {
  Case longer = on_this("longer", "cn2");
  longer.time_limit_s = 3000;
  Bench bench({on_this("short", "cn1"), longer});
  bench.cluster.shares = true;
  const double free_s = 1200;
  bench.cluster.free_until_s["cn1"] = now_s() + free_s;
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.jobs.size() == 2);
  for (const ScriptedCluster::Queued& queued : bench.cluster.jobs)
    for (const std::string& host : queued.job.hosts())
      CHECK((host != "cn1" || queued.job.time_limit_s(0) <= free_s));
}

TEST_CASE("a job whose node is drained while it waits goes elsewhere, where other nodes will do") {
  Bench bench({on_any("free"), on_this("bound", "cn2")});
  bench.options.pauses.shared_s = 0;
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.jobs.size() < 3 &&
        cluster.waits < 20) {  // nothing begins, since both nodes are being drained
      for (const char* host : {"cn1", "cn2"}) cluster.nodes[host] = SchedulerNode::Kind::out;
      return;
    }
    ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  REQUIRE(bench.cluster.jobs.size() == 3);
  for (const ScriptedCluster::Queued& queued : bench.cluster.jobs)
    CHECK(queued.withdrawn ==
          (queued.job.lanes[0].steps[0].case_id == "free" && queued.job.hosts() == Texts{"cn1"}));
  CHECK(bench.cluster.jobs[2].job.lanes[0].steps[0].case_id == "free");
  CHECK(bench.cluster.jobs[2].job.hosts() == Texts{"cn3"});
  CHECK(last_attempt(bench.folder() / "free") == 1);
}

TEST_CASE("no resume grants an attempt beyond those that a case may have") {
  Bench bench({on_any("a")});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs) {
      if (queued.state.phase == JobPhase::gone) continue;
      ScriptedCluster::begin(queued.job.lanes[0].steps[0]);
      queued.state = {JobPhase::gone, "NODE_FAIL", {}, JobEnd::node_failed, "", {}};
    }
  };
  for (int k = 0; k < 3; ++k) {
    bench.ends();
    CHECK(bench.cluster.offered.size() == 3);
  }
}

TEST_CASE("a retry of several nodes begins on others, though nothing shows which of them failed") {
  const auto fails_on = [](const std::string& first) {
    return [first](ScriptedCluster& cluster) {
      for (ScriptedCluster::Queued& queued : cluster.jobs) {
        if (queued.state.phase == JobPhase::gone) continue;
        if (queued.job.hosts().front() != first) {
          ScriptedCluster::run(queued);
          continue;
        }
        ScriptedCluster::begin(queued.job.lanes[0].steps[0]);
        queued.state = {JobPhase::gone, "NODE_FAIL", {}, JobEnd::node_failed, "", {}};
      }
    };
  };
  SECTION("in one execution") {
    Bench bench({on_any("wide", 2)});
    bench.cluster.at_wait = fails_on("cn1");
    bench.ends();
    CHECK(bench.cluster.offered == Texts{"cn1,cn2", "cn3,cn4"});
  }
  SECTION("after a resume") {
    Bench bench({on_any("wide", 2)});
    bench.cluster.at_wait = fails_on("cn1");
    bench.options.listener = [&](const Event& event) {
      if (event.kind == Event::Kind::case_again) throw Killed();
    };
    bench.is_killed();
    bench.options.listener = nullptr;
    bench.ends();
    CHECK(bench.cluster.offered == Texts{"cn1,cn2", "cn3,cn4"});
  }
}

TEST_CASE("what was preempted begins again on another node while others idle") {
  Bench bench({on_any("a")});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.jobs.size() > 1) return ScriptedCluster::run_all(cluster);
    ScriptedCluster::begin(cluster.jobs[0].job.lanes[0].steps[0]);
    cluster.jobs[0].state = {JobPhase::gone, "PREEMPTED", {}, JobEnd::preempted, "", {}};
  };
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn1", "cn2"});
}

TEST_CASE("a case goes to an idle node rather than into the queue for one that others hold") {
  Bench bench({on_any("a")});
  bench.cluster.nodes["cn1"] = SchedulerNode::Kind::busy;
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn2"});
}

TEST_CASE("a job whose node others took while it waited goes to idle ones") {
  Bench bench({on_any("free"), on_this("bound", "cn3")});
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.jobs.size() < 3 && cluster.waits < 20) {
      for (const char* host : {"cn1", "cn3"}) cluster.nodes[host] = SchedulerNode::Kind::busy;
      return;
    }
    cluster.nodes.clear();
    ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  CHECK(bench.cluster.offered == Texts{"cn3", "cn1", "cn2"});
  CHECK(last_attempt(bench.folder() / "free") == 1);
}

TEST_CASE("a node that alone fails a wide case is left out, and the stage above runs on the others") {
  Case wide = on_any("wide", 3);
  wide.launcher = "srun";
  wide.program = "/bin/true";
  wide.ranks = 3;
  Case above = on_any("above", 3);
  above.stage = 1;
  Bench bench({wide, above});
  bench.cluster.at_wait = [&](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs) {
      if (queued.state.phase == JobPhase::gone) continue;
      const bool crashes = queued.job.lanes[0].steps[0].case_id == "wide";
      ScriptedCluster::run(
          queued, crashes ? 143 : 0,
          crashes ? "bad word\nsrun: error: cn2: task 1: Exited with exit code 7\n"
                    "slurmstepd: error: *** STEP 1.0 ON cn1 CANCELLED AT 2026-11-23T19:26:53 ***\n"
                    "srun: error: cn1: task 0: Terminated\n"
                  : "");
    }
  };
  for (int execution = 0; execution < 2; ++execution) {  // a resume changes nothing
    bench.ends();
    REQUIRE(bench.journal().excluded.size() == 1);
    CHECK(bench.journal().excluded[0].node == "cn2");
    CHECK(bench.journal().excluded[0].because.find("rank 1 on cn2 ended with exit code 7") !=
          std::string::npos);
    CHECK(bench.journal().excluded[0].because.ends_with("stderr.log ends with 'bad word'"));
    CHECK(bench.cluster.offered == Texts{"cn1,cn2,cn3", "cn1,cn3,cn4"});
    CHECK(bench.journal().machine_failures.empty());
  }
}

TEST_CASE("a node that fails two wide cases is left out of the third") {
  std::vector<Case> cases;
  for (const char* id : {"a", "b", "c"}) {
    cases.push_back(on_any(id, 3));
    cases.back().launcher = "srun";
    cases.back().program = "/bin/true";
  }
  Bench bench(cases);
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    for (ScriptedCluster::Queued& queued : cluster.jobs)
      if (queued.state.phase != JobPhase::gone) {
        const Texts hosts = queued.job.hosts();
        const bool crashes = std::ranges::find(hosts, "cn2") != hosts.end();
        ScriptedCluster::run(queued, crashes ? 139 : 0,
                             crashes ? "srun: error: cn2: task 1: Segmentation fault\n" : "");
      }
  };
  bench.ends();
  REQUIRE(bench.journal().excluded.size() == 1);
  CHECK(bench.journal().excluded[0].node == "cn2");
  CHECK(bench.cluster.offered == Texts{"cn1,cn2,cn3", "cn1,cn2,cn3", "cn1,cn3,cn4"});
}
