// Which nodes may work.
#include "orchestrator/campaign/node_watch.hpp"

#include <catch2/catch.hpp>

#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

TEST_CASE("a node that is down is short to its case, and overdue when the site's wait is over") {
  Bench bench({on_this("there", "cn2"), on_this("other", "cn3")});
  bench.cluster.down = {"cn2"};
  SECTION("while it is waited for it is not excluded") {
    bench.options.pauses.down_s = 1000;
    Parts parts(bench);
    REQUIRE(parts.nodes.look());
    CHECK_FALSE(parts.nodes.any_overdue());
    CHECK(parts.nodes.shortage(0).down == std::vector<int>{1});
    CHECK(parts.nodes.shortage(1).there == 1);
    CHECK(parts.nodes.shortage_text({1}).starts_with("cn2 gets no jobs: DOWN*; waiting up to "));
    CHECK(bench.said("node_unavailable cn2 DOWN*; excluded if still down in 16m 40s and a case needs it") ==
          1);
  }
  SECTION("then it is, where a case needs it") {
    bench.options.pauses.down_s = 0;
    Parts parts(bench);
    REQUIRE(parts.nodes.look());
    REQUIRE(parts.nodes.any_overdue());
    REQUIRE(parts.nodes.exclude_down({1}));
    CHECK(bench.journal().excluded.empty());
    REQUIRE(parts.nodes.exclude_down({0, 1}));
    REQUIRE(bench.journal().excluded.size() == 1);
    CHECK(bench.journal().excluded[0].node == "cn2");
    CHECK(parts.context.dispatcher.is_excluded(1));
  }
}

TEST_CASE("where more than half of the nodes in use are down none of them is excluded") {
  Bench bench({on_this("a", "cn1"), on_this("b", "cn2"), on_this("c", "cn3")});
  bench.options.pauses.down_s = 0;
  bench.cluster.down = {"cn1", "cn2"};
  Parts parts(bench);
  REQUIRE(parts.nodes.look());
  CHECK(parts.nodes.is_outage());
  REQUIRE(parts.nodes.exclude_down({0, 1, 2}));
  CHECK(bench.journal().excluded.empty());
  CHECK(parts.nodes.why_blocked(0).find("More than half of the campaign's nodes are down") !=
        std::string::npos);
  CHECK(parts.nodes.why_blocked(2).empty());
}

TEST_CASE("the second job that failed on a node excludes it, however many attempts of one job did") {
  Bench bench({on_any("a")});
  Parts parts(bench);
  for (int i = 0; i < 3; ++i) REQUIRE(parts.nodes.suspect("cn1", "job-1", "node failure"));
  CHECK(bench.journal().excluded.empty());
  REQUIRE(parts.nodes.suspect("cn1", "job-2", "preempted twice"));
  REQUIRE(bench.journal().excluded.size() == 1);
  CHECK(bench.journal().excluded[0].because == "preempted twice");
  CHECK(bench.reported == Texts{"node_excluded cn1 preempted twice"});
}

TEST_CASE("a scheduler must answer once about nodes; later its last answer stays") {
  Bench bench({on_any("a")});
  bench.cluster.answers = false;
  Parts parts(bench);
  CHECK_FALSE(parts.nodes.look());
  bench.cluster.answers = true;
  REQUIRE(parts.nodes.look());
  bench.cluster.answers = false;
  for (int i = 0; i < 2; ++i) REQUIRE(parts.nodes.look());
  CHECK(parts.nodes.node(0).kind == SchedulerNode::Kind::idle);
  CHECK(bench.reported == Texts{"scheduler_silent  scontrol: Unable to contact"});
}
