#include "orchestrator/campaign/change.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "orchestrator/campaign/change_configuration.hpp"
#include "reports/judge/criteria.hpp"

using namespace shakedown;

namespace {

struct Planned {
  std::string suite;
  int nodes = 1;
  bool bound = false;
  double seconds = 0;
  int repetition = 1;
};

Case planned(const Planned& like, const std::string& hosts) {
  Case one;
  one.id = fmt::format("{}-{}n-{}-r{}", like.suite, like.nodes, hosts, like.repetition);
  one.suite = like.suite;
  one.implementation = "reference";
  one.program = "/opt/" + like.suite;
  one.nodes = like.nodes;
  one.bound = like.bound;
  one.hosts = hosts;
  one.stage = like.nodes == 1 ? 1 : 2;
  one.repetition = like.repetition;
  if (like.seconds > 0) one.predicted = {{"wall_time_s", like.seconds, like.seconds, like.seconds}};
  return one;
}

Inventory inventory(const std::string& hosts) {
  Inventory found;
  found.system = "testbed";
  NodeGroup group;
  group.hosts = hosts;
  group.gpus.resize(8);
  group.nics.resize(1);
  found.groups = {group};
  return found;
}

/// A campaign of four nodes: HPL and HPCG on each, then on two and on four, HPL three times; IO500 on two.
CampaignRecord reference() {
  CampaignRecord campaign;
  campaign.id = "c1";
  campaign.system = "testbed";
  campaign.inventory = inventory("n[1-4]");
  for (const char* suite : {"gemm", "hpl", "hpcg"})
    for (const char* host : {"n1", "n2", "n3", "n4"})
      campaign.cases.push_back({planned({suite, 1, true, 60}, host)});
  for (int repetition = 1; repetition <= 3; ++repetition) {
    campaign.cases.push_back({planned({"hpl", 2, false, 600, repetition}, "n[1-2]")});
    campaign.cases.push_back({planned({"hpl", 4, false, 600, repetition}, "n[1-4]")});
  }
  Case again = planned({"hpl", 1, true, 60, 4}, "n3");  // since n3 was suspect: no repetition of the others
  again.confirms = true;
  campaign.cases.push_back({again});
  campaign.cases.push_back({planned({"hpcg", 2, false, 1800}, "n[1-2]")});
  campaign.cases.push_back({planned({"io500", 2, false, 900}, "n[1-2]")});
  campaign.config_text = R"(title = "Contract"  # of all
system = "cluster.toml"

# Our site.
[site]
partition = "gpu"
[site.environment]
A = "1"

[[runs]]
suite = "hpl"
nodes = [2, 4]
[runs.pins]
NB = 1024
fraction = 0.5

[settings]
governor = "performance"

[[criteria]]
id = "x"
)";
  const auto read = acceptance_from_toml(campaign.config_text, "c1");
  REQUIRE(read);
  campaign.site = read->site;
  campaign.settings = read->settings;
  campaign.criteria_name = "contract.toml";
  campaign.criteria_text = R"(title = "Contract"
[disturbance.steal]
limit = 0.02
reason = "quiet"

# Clause 4.1
[[criteria]]
id = "hpl-valid"
title = "HPL is valid"
suite = "hpl"
metric = "validity"
severity = "mandatory"
limit_source = "contract 4.1"

[[criteria]]
id = "hpl-total"
title = "HPL is fast"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = 1000
aggregation = "median"
severity = "mandatory"
limit_source = "contract 4.2"

[[criteria]]
id = "io-valid"
title = "IO500 is valid"
suite = "io500"
metric = "validity"
severity = "mandatory"
limit_source = "contract 4.3"
)";
  return campaign;
}

NodeEvent event(const std::string& node, NodeEventKind kind) {
  return {"testbed", node, kind, 1767323045, "ops", "GPU 3"};
}

ChangeProposal proposed(const Inventory& today, const std::vector<NodeEvent>& events = {}) {
  const CampaignRecord campaign = reference();
  return proposed_campaign(campaign, today, found_changes(campaign.inventory, today, events));
}

/// "hpl each n3", "hpl 2 n[1,3]", with repetitions where there are several.
std::vector<std::string> runs(const ChangeProposal& proposal) {
  std::vector<std::string> list;
  for (const ProposedRun& each : proposal.runs) {
    std::string text =
        each.run.suite + " " + (each.run.each_node ? "each" : std::to_string(each.run.nodes.at(0)));
    text += " " + each.hosts;
    if (each.run.repetitions > 1) text += fmt::format(" x{}", each.run.repetitions);
    list.push_back(text);
  }
  return list;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("nothing changed: nothing is proposed") {
  const ChangeProposal proposal = proposed(inventory("n[1-4]"));
  CHECK(proposal.changes.empty());
  CHECK(proposal.runs.empty());
  CHECK(proposal.not_covered.empty());
}

TEST_CASE("one GPU replaced: that node's runs and the cheapest run on several nodes that has it") {
  const ChangeProposal proposal = proposed(inventory("n[1-4]"), {event("n3", NodeEventKind::replaced)});
  CHECK(runs(proposal) == Lines{"gemm each n3", "hpl each n3", "hpcg each n3", "hpl 2 n[1,3] x3"});
  CHECK_FALSE(proposal.everywhere);
  CHECK(proposal.runs[0].run.hosts == "n3");
  CHECK(proposal.runs[3].run.hosts == "n[1,3]");
  CHECK(proposal.changes[0].what == "replaced, declared by ops at 2026-01-02T03:04:05Z: GPU 3");
}

TEST_CASE("a reboot moves nothing that a node does with others; a move nothing that it does alone") {
  CHECK(runs(proposed(inventory("n[1-4]"), {event("n3", NodeEventKind::reboot)})) ==
        Lines{"gemm each n3", "hpl each n3", "hpcg each n3"});
  CHECK(runs(proposed(inventory("n[1-4]"), {event("n3", NodeEventKind::moved)})) == Lines{"hpl 2 n[1,3] x3"});
}

TEST_CASE("three changed nodes go into one run that holds them all") {
  const ChangeProposal proposal =
      proposed(inventory("n[1-4]"), {event("n2", NodeEventKind::moved), event("n3", NodeEventKind::moved),
                                     event("n4", NodeEventKind::moved)});
  CHECK(runs(proposal) == Lines{"hpl 4 n[1-4] x3"});
}

TEST_CASE("a driver that changed everywhere: every run of the suites that it moves") {
  Inventory today = inventory("n[1-4]");
  today.groups[0].software.gpu_driver = "575";
  const ChangeProposal proposal = proposed(today);
  CHECK(proposal.everywhere);
  CHECK(runs(proposal) == Lines{"gemm each n[1-4]", "hpl each n[1-4]", "hpcg each n[1-4]", "hpl 2 n[1-4] x3",
                                "hpl 4 n[1-4] x3", "hpcg 2 n[1-4]"});
}

TEST_CASE("a switch: the runs on several nodes alone") {
  Inventory today = inventory("n[1-4]");
  today.fabric.switch_software = "4.2";
  CHECK(runs(proposed(today)) ==
        Lines{"hpl 2 n[1-4] x3", "hpl 4 n[1-4] x3", "hpcg 2 n[1-4]", "io500 2 n[1-4]"});
}

TEST_CASE("storage: the suite that writes to it") {
  Inventory today = inventory("n[1-4]");
  today.groups[0].mounts.resize(1);
  today.groups[0].mounts[0].path = "/lustre";
  CHECK(runs(proposed(today)) == Lines{"io500 2 n[1-4]"});
}

TEST_CASE("a node that is new is measured, one that is gone is said to be") {
  const ChangeProposal more = proposed(inventory("n[1-5]"));
  CHECK(runs(more) == Lines{"gemm each n5", "hpl each n5", "hpcg each n5", "hpl 2 n[1,5] x3"});
  const ChangeProposal fewer = proposed(inventory("n[1-3]"));
  CHECK(fewer.runs.empty());
  REQUIRE(fewer.not_covered.size() == 1);
  CHECK(fewer.not_covered[0].find("what is gone can't be measured") != std::string::npos);
}

TEST_CASE("what the reference has no run for is not covered, and said so") {
  CampaignRecord small = reference();
  std::erase_if(small.cases, [](const CaseRecord& record) { return record.planned.nodes > 1; });
  small.cases.push_back({planned({"probe", 1, false, 0}, "n1")});
  small.cases.back().planned.program.clear();
  const auto changes = found_changes(small.inventory, small.inventory, {event("n3", NodeEventKind::moved)});
  const ChangeProposal proposal = proposed_campaign(small, small.inventory, changes);
  CHECK(proposal.runs.empty());
  REQUIRE(proposal.not_covered.size() == 2);
  CHECK(proposal.not_covered[0] == "n3: the reference has no run on several nodes that holds it");
  CHECK(proposal.not_covered[1].find("planned by hand") != std::string::npos);
}

TEST_CASE(
    "the configuration has the site, the runs and the criteria that they can decide, letter for letter") {
  const CampaignRecord campaign = reference();
  const auto changes =
      found_changes(campaign.inventory, campaign.inventory, {event("n3", NodeEventKind::replaced)});
  const ChangeProposal proposal = proposed_campaign(campaign, campaign.inventory, changes);
  const auto written = change_configuration(campaign, {"testbed", "c1", 1767323045, "A. Buyer", "x"},
                                            proposal, "/data/cluster.toml");
  INFO((written ? "" : to_string(written.error())));
  REQUIRE(written);
  const auto read = acceptance_from_toml(written->text, "written");
  REQUIRE(read);
  CHECK(read->system == "/data/cluster.toml");
  CHECK(read->site == campaign.site);
  CHECK(read->settings == campaign.settings);
  REQUIRE(read->runs.size() == 4);
  CHECK(read->runs[0].each_node);
  CHECK(read->runs[0].hosts == "n3");
  CHECK(read->runs[3].nodes == std::vector<int>{2});
  CHECK(read->runs[3].repetitions == 3);
  CHECK(read->runs[3].stage == 2);
  CHECK(read->runs[3].pins == std::vector<Parameter>{{"NB", std::int64_t{1024}}, {"fraction", 0.5}});
  const auto criteria = read_criteria(written->text, "written");
  REQUIRE(criteria);
  REQUIRE(criteria->criteria.size() == 1);
  CHECK(criteria->criteria[0].id == "hpl-valid");
  CHECK(criteria->steal);
  CHECK(written->text.find("# Clause 4.1\n[[criteria]]\nid = \"hpl-valid\"\n") != std::string::npos);
  CHECK(written->text.find("# Our site.\n[site]\n") != std::string::npos);
  CHECK(written->not_asked == Lines{"hpl-total: its limit belongs to sizes that are not all run again",
                                    "io-valid: no run of io500 is proposed"});
}

TEST_CASE("where every size is run again, totals keep their criteria") {
  const CampaignRecord campaign = reference();
  Inventory today = campaign.inventory;
  today.groups[0].software.kernel = "6.2";
  const ChangeProposal proposal =
      proposed_campaign(campaign, today, found_changes(campaign.inventory, today, {}));
  const auto written = change_configuration(campaign, {"testbed", "c1", 0, "A", "x"}, proposal, "");
  REQUIRE(written);
  CHECK(written->not_asked.empty());
  CHECK(read_criteria(written->text, "written")->criteria.size() == 3);
}

TEST_CASE("a limit that is a part of what was accepted is asked anew, of what is accepted now") {
  // As it was stated: a product is not its factor times the value to the last digit.
  const auto [factor, limit] =
      GENERATE(std::pair<std::string, std::string>{"0.95", "46.55"},
               std::pair<std::string, std::string>{"0.3333333333333333", "16.333333333333332"});
  CampaignRecord campaign = reference();
  campaign.criteria_text = R"x(title = "Contract"

[[criteria]]
id = "kept"
title = "HPL is as fast as accepted"
suite = "hpl"
metric = "rmax_gflops"
direction = ">="
limit = )x" + limit + R"x(
limit_of = "last-accepted"
limit_source = "0.95 x what was accepted, contract 5; )x" +
                           factor + R"x( x 49 GFLOP/s = 46.55 GFLOP/s (c0, hpl, median of 3)"
last_accepted = { id = "c0", value = 49.0, unit = "GFLOP/s", source = "hpl", status = "ok", runs = "3", score_rule = "median", conditions = { "nodes" = 1 } }
aggregation = "median"
severity = "mandatory"
each_node = true

[[waivers]]
criterion = "kept"
reason = "n3's memory is on its way"
approver = "A. Buyer"
expires = "2099-12-31"

[[waivers]]
criterion = "kept@hpl-4n"
reason = "its switch, too"
approver = "A. Buyer"
expires = "2099-12-31"
)x";
  const auto changes =
      found_changes(campaign.inventory, campaign.inventory, {event("n3", NodeEventKind::replaced)});
  const auto written = change_configuration(campaign, {"testbed", "c1", 0, "A", "x"},
                                            proposed_campaign(campaign, campaign.inventory, changes), "");
  INFO((written ? "" : to_string(written.error())));
  REQUIRE(written);
  const auto criteria = read_criteria(written->text, "written");
  INFO(written->text);
  REQUIRE(criteria);
  REQUIRE(criteria->criteria.size() == 1);
  const Criterion& criterion = criteria->criteria[0];
  CHECK(criterion.relative_kind() == ReferenceKind::last_accepted);
  CHECK(criterion.factor == std::stod(factor));
  CHECK(criterion.limit_source == "0.95 x what was accepted, contract 5");
  CHECK_FALSE(criterion.limit);
  CHECK_FALSE(criterion.last_accepted);
  CHECK(criteria->waivers.empty());
  CHECK(written->not_asked == Lines{"kept: its waiver until 2099-12-31 (n3's memory is on its way) is not "
                                    "carried over: agree on it again",
                                    "kept@hpl-4n: its waiver until 2099-12-31 (its switch, too) is not "
                                    "carried over: agree on it again"});
}

TEST_CASE("sizes of the reference are proposed again, each for itself, where the node is what it was") {
  CampaignRecord campaign = reference();
  std::erase_if(campaign.cases, [](const CaseRecord& record) { return record.planned.suite != "hpl"; });
  const auto sized = [](std::int64_t NB) {
    Case one = planned({"hpl", 1, true, 60}, "n3");
    one.id += fmt::format("-{}", NB);
    one.parameters = {{"N", std::int64_t{8000}}, {"NB", NB}, {"seed", std::int64_t{7}}};
    return one;
  };
  campaign.cases = {{sized(128), {}}, {sized(256), {}}};
  const auto replaced =
      found_changes(campaign.inventory, campaign.inventory, {event("n3", NodeEventKind::replaced)});
  const ChangeProposal proposal = proposed_campaign(campaign, campaign.inventory, replaced);
  REQUIRE(proposal.runs.size() == 2);
  CHECK(proposal.runs[0].run.pins ==
        std::vector<Parameter>{{"N", std::int64_t{8000}}, {"NB", std::int64_t{128}}});
  CHECK(proposal.runs[1].run.pins ==
        std::vector<Parameter>{{"N", std::int64_t{8000}}, {"NB", std::int64_t{256}}});
  Inventory today = inventory("n[1-2,4]");
  today.groups.push_back(inventory("n3").groups[0]);
  today.groups[1].memory_bytes = std::int64_t{60} << 30;
  const ChangeProposal smaller =
      proposed_campaign(campaign, today, found_changes(campaign.inventory, today, {}));
  REQUIRE(smaller.runs.size() == 1);
  CHECK(smaller.runs[0].run.pins.empty());
  CHECK(smaller.runs[0].because.ends_with("its size is planned again: the node has changed"));
}

TEST_CASE("a run of all nodes at two of them need not hold the node that changed") {
  Inventory today = inventory("n[1-4]");
  today.fabric.switch_software = "4.2";
  const auto found = runs(proposed(today, {event("n4", NodeEventKind::moved)}));
  CHECK(std::ranges::find(found, "hpl 2 n[1-4] x3") != found.end());
  CHECK(std::ranges::find(found, "hpl 2 n[1,4] x3") != found.end());
}

TEST_CASE("nodes on which the reference never ran are not in question") {
  CampaignRecord campaign = reference();
  Inventory today = inventory("n[1-4]");
  today.groups.push_back(inventory("login[1-2]").groups[0]);
  campaign.inventory = today;
  const auto changes = found_changes(today, today, {event("n3", NodeEventKind::moved)});
  const ChangeProposal proposal = proposed_campaign(campaign, today, changes);
  REQUIRE(proposal.runs.size() == 1);
  CHECK(proposal.runs[0].run.hosts == "n[1,3]");
  today.groups[0].software.kernel = "6.2";
  const ChangeProposal everywhere =
      proposed_campaign(campaign, today, found_changes(campaign.inventory, today, {}));
  CHECK(everywhere.everywhere);
  REQUIRE_FALSE(everywhere.runs.empty());
  CHECK(everywhere.runs[0].run.hosts.empty());
}

TEST_CASE("a table's header within a text of several lines is not taken for one") {
  CampaignRecord campaign = reference();
  campaign.config_text = "[site]\npartition = \"\"\"\n[runs]\n\"\"\"\n";
  campaign.site = acceptance_from_toml(campaign.config_text, "x")->site;
  const auto changes =
      found_changes(campaign.inventory, campaign.inventory, {event("n3", NodeEventKind::moved)});
  const auto written =
      change_configuration(campaign, {}, proposed_campaign(campaign, campaign.inventory, changes), "");
  REQUIRE_FALSE(written);
}
