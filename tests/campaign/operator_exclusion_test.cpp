// Nodes that an operator takes out of a campaign.
#include "orchestrator/campaign/node_declaration.hpp"

#include <catch2/catch.hpp>

#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

TEST_CASE("nodes that the operator excludes get no more work, and what needed them is planned again") {
  Bench bench({on_this("there", "cn2"), on_any("wide", 4), on_this("other", "cn3")});
  bench.options.replan = [](const CampaignRecord&, const Texts& without) -> Result<std::vector<Case>> {
    CHECK(without == Texts{"cn2"});
    Case fresh = on_any("wide-on-3", 3);
    fresh.hosts = fresh.among = "cn1,cn3,cn4";
    return std::vector<Case>{fresh};
  };
  const auto excluded = exclude_by_operator(bench.workspace, bench.id, {"cn2", "bad fan"});
  REQUIRE(excluded);
  CHECK(*excluded == Texts{"cn2"});
  bench.cluster.at_wait = ScriptedCluster::run_all;
  bench.ends();
  CHECK(std::ranges::none_of(bench.cluster.offered,
                             [](const std::string& hosts) { return hosts.find("cn2") != hosts.npos; }));
  const JournalContent journal = bench.journal();
  REQUIRE(journal.excluded.size() == 1);
  CHECK(journal.excluded[0].because.starts_with("by the operator ("));
  CHECK(journal.excluded[0].because.ends_with("): bad fan"));
  CHECK(journal.not_run.at("there") == "cn2 is excluded: " + journal.excluded[0].because);
  CHECK(journal.added.size() == 1);
  const auto stored = Database::open(bench.workspace.database())->campaign(bench.id);
  REQUIRE(stored);
  CHECK(stored->exclusions == journal.excluded);
  // Once is enough.
  CHECK(exclude_by_operator(bench.workspace, bench.id, {"cn2", ""}).value().empty());
  CHECK(bench.journal().excluded.size() == 1);
}

TEST_CASE("a job on a node that the operator excludes ends if it runs, and goes elsewhere if it waits") {
  const bool runs = GENERATE(false, true);
  Bench bench({on_any("a")});
  bench.options.pauses.shared_s = 1000;
  bench.cluster.at_wait = dies;
  bench.is_killed();
  REQUIRE(bench.cluster.offered == Texts{"cn1"});
  if (runs) {
    ScriptedCluster::begin(bench.cluster.jobs[0].job.lanes[0].steps[0]);
    bench.cluster.jobs[0].state.phase = JobPhase::running;
  }
  REQUIRE(exclude_by_operator(bench.workspace, bench.id, {"cn1", ""}));
  bench.cluster.at_wait = [](ScriptedCluster& cluster) {
    if (cluster.waits > 3) ScriptedCluster::run_all(cluster);
  };
  bench.ends();
  CHECK(bench.cluster.offered == (runs ? Texts{"cn1"} : Texts{"cn1", "cn2"}));
  CHECK(bench.journal().not_run.empty());
}

TEST_CASE("nodes that can't be excluded are named in a sentence, and nothing is changed") {
  Bench bench({on_any("a", 4)});
  const auto refusal = [&](const std::string& hosts, const std::string& reason = "") {
    const auto done = exclude_by_operator(bench.workspace, bench.id, {hosts, reason});
    CHECK(bench.journal().excluded.size() < 4);
    return done ? std::string() : to_string(done.error());
  };
  CHECK(refusal("cn[1-").starts_with("--exclude: hostlist 'cn[1-': "));
  CHECK(refusal("").starts_with("--exclude: the hostlist is empty"));
  CHECK(refusal("cn[4-5]") ==
        "--exclude: cn5 is no node of " + bench.id + " (did you mean 'cn1'?)\nhint: its nodes are cn[1-4]");
  CHECK(refusal("cn[1-4]").starts_with("--exclude: cn[1-4] would exclude every node\nhint: exclude fewer"));
  CHECK(refusal("cn1", "bad\nfan").starts_with("--reason: holds a line break"));
  CHECK(bench.journal().excluded.empty());
  // The remaining nodes count: two and two are all.
  REQUIRE(exclude_by_operator(bench.workspace, bench.id, {"cn[1-2]", ""}));
  CHECK(refusal("cn[2-4]").starts_with("--exclude: cn[2-4] would exclude every node"));
  CHECK(bench.journal().excluded.size() == 2);
  const auto held = CampaignLock::take(bench.folder());
  REQUIRE(held);
  CHECK(refusal("cn3").find("is being run by another shakedown") != std::string::npos);
  CHECK(bench.journal().excluded.size() == 2);
}
