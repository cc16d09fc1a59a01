#include "orchestrator/regression/node_rotation.hpp"
#include "orchestrator/core/time.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "orchestrator/regression/check_plan.hpp"

using namespace shakedown;

namespace {

Regression two_nodes_a_pass() {
  Regression regression;
  regression.minutes = 10;
  regression.nodes = 2;
  regression.facts.runs.emplace_back().suite = "gemm";
  return regression;
}

std::vector<SchedulerNode> idle(const std::vector<std::string>& hosts) {
  std::vector<SchedulerNode> known_nodes;
  for (const std::string& host : hosts) known_nodes.push_back({host, SchedulerNode::Kind::idle, ""});
  return known_nodes;
}

using Names = std::vector<std::string>;

/// A partition of some hosts, which bounds jobs once it was asked for.
class Partition final : public Scheduler {
 public:
  explicit Partition(std::set<std::string> hosts) : hosts_(std::move(hosts)) {}
  [[nodiscard]] SchedulerTraits traits() const override { return {}; }
  Result<void> query_limits() override {
    learned_ = true;
    return {};
  }
  [[nodiscard]] std::string objection(const JobRequest& demand) const override {
    for (const std::string& host : demand.hosts)
      if (learned_ && !hosts_.contains(host)) return host + " is not in partition 'batch'";
    return demand.nodes < fewest ? "has MinNodes" : "";
  }
  Result<std::vector<SchedulerNode>> nodes(std::span<const std::string> hosts) override {
    asked.assign(hosts.begin(), hosts.end());
    std::vector<SchedulerNode> known_nodes;
    for (const std::string& host : hosts)
      known_nodes.push_back({host, SchedulerNode::Kind::busy, "ALLOCATED"});
    return known_nodes;
  }
  Result<Submission> submit(const Job&) override { return JobLater{}; }
  Result<bool> adopt(const Job&, const std::string&) override { return false; }
  JobState state(const Job&, bool) override { return {}; }
  bool wait(double) override { return false; }
  Result<void> end(const Job&, bool) override { return {}; }

  int fewest = 1;
  Names asked;

 private:
  std::set<std::string> hosts_;
  bool learned_ = false;
};

}  // namespace

TEST_CASE("a node that stays free for as long as a check may take has its turn, others don't") {
  auto known_nodes = idle({"cn1", "cn2", "cn3", "cn4"});
  known_nodes[0].free_until_s = 5000 + 9 * 60;  // a reservation begins before a check of 10 minutes could end
  known_nodes[1].free_until_s = 5000 + 10 * 60;  // one that begins late enough
  known_nodes[2].kind = SchedulerNode::Kind::out;
  CHECK(next_in_rotation(two_nodes_a_pass(), known_nodes, {}, 5000) == Names{"cn2", "cn4"});
}

TEST_CASE("nodes that never had a turn come before one whose runs failed in the very first check") {
  CheckHistory history;
  history.system = "sys";
  CampaignSummary first;
  first.id = "c1";
  first.created_s = 1000;
  history.checks = {first};
  history.log.checks.push_back({"sys", "c1", 1000, 3, {}, {"cn1", "cn2"}, {}});
  CHECK(next_in_rotation(two_nodes_a_pass(), idle({"cn1", "cn2", "cn3", "cn4"}), history, 2000) ==
        Names{"cn3", "cn4"});
}

TEST_CASE("a check is planned for the nodes of its partition only, which is asked for first") {
  Inventory inventory;
  inventory.system = "sys";
  NodeGroup group;
  group.name = "nodes";
  group.hosts = "cn[1-4]";
  inventory.groups = {group};
  Partition batch({"cn3", "cn4"});
  const auto each = planned_check(two_nodes_a_pass(), "r.toml", inventory, {}, batch);
  REQUIRE(each);
  CHECK(batch.asked == Names{"cn3", "cn4"});
  CHECK(each->hosts == Names{"cn3", "cn4"});
  CHECK(each->busy == "none of 2 nodes is idle (cn3: ALLOCATED, ...)");
  Partition elsewhere({"gn1"});
  CHECK(planned_check(two_nodes_a_pass(), "r.toml", inventory, {}, elsewhere)->busy ==
        "none of 4 nodes is in the partition, or reservation, of [site]");
}

TEST_CASE("what is refused to a job of one node says nothing of where it runs") {
  Partition batch({"cn3"});
  batch.fewest = 2;
  REQUIRE(batch.query_limits());
  CHECK(reachable_hosts(batch, Names{"cn1", "cn3"}) == Names{"cn1", "cn3"});
}

TEST_CASE("coverage names the nodes that were promised and not seen in time") {
  CheckHistory history;
  history.system = "sys";
  CampaignSummary first;
  first.id = "c1";
  history.checks = {first};
  history.series.runs.push_back({"c1", "gemm", 1, 3 * day_s, "cn1", Validity::valid, true});
  Regression regression = two_nodes_a_pass();
  const Names hosts = {"cn1", "cn2"};
  CHECK(coverage_of(regression, hosts, history, 4 * day_s).text() ==
        "coverage: 1 of 2 nodes seen; longest not seen: cn2, for 4.0 days");
  regression.days = 3;
  CHECK(
      coverage_of(regression, hosts, history, 4 * day_s).text() ==
      "coverage: 1 of 2 nodes seen within 3 days; longest not seen: cn2, for 4.0 days; later than promised: "
      "cn2");
  CHECK(coverage_of(regression, hosts, history, 2 * day_s).late.empty());
}

TEST_CASE("a rotation says when a node's own series can alarm") {
  Regression regression = two_nodes_a_pass();
  CHECK(
      learning_remark(regression, 50) ==
      "rotation: each of 50 nodes is measured every 25 days, so that a node's own series can alarm after 200 "
      "days (8 checks); until then it is judged beside the nodes like it, from its first check on");
  regression.alarm.repeats = 0;
  CHECK(learning_remark(regression, 50).ends_with("200 days (8 checks)"));
  CHECK(learning_remark(regression, 2).empty());
}

TEST_CASE("a promise that a round takes longer than is remarked") {
  Regression regression = two_nodes_a_pass();
  CHECK(promise_remark(regression, 100).empty());
  regression.days = 50;
  CHECK(promise_remark(regression, 100).empty());
  regression.checks_per_week = 1;
  CHECK(promise_remark(regression, 100) ==
        "[coverage] promises each node within 50 days, and a round of 100 nodes, 2 a check and 1 checks a "
        "week, "
        "takes 350: more nodes a check ([budget] nodes), or more checks");
}
