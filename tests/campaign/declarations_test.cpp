#include "orchestrator/campaign/declarations.hpp"

#include <catch2/catch.hpp>

#include <fstream>

#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

const AcceptedCampaign first = {"testbed", "c1", 1767323045.25, "A. Buyer", "post-installation"};
const AcceptedCampaign second = {"testbed", "c2", 1767323046.5, "B. \"Vendor\"", "driver\nchanged"};
const AcceptedCampaign other = {"elsewhere", "c3", 1767323047, "A. Buyer", "x"};
const NodeEvent replaced = {"testbed", "n2", NodeEventKind::replaced, 200, "op", "GPU 3"};

}  // namespace

TEST_CASE("what was declared is read back, in its order; the newest acceptance of a system holds") {
  const TemporaryFolder temporary;
  const Workspace workspace{temporary.path / "w"};
  CHECK(read_acceptances(workspace)->empty());
  CHECK(last_acceptance(workspace, "testbed").value() == std::nullopt);
  for (const AcceptedCampaign& each : {first, second, other}) REQUIRE(append_acceptance(workspace, each));
  REQUIRE(append_node_event(workspace, replaced));
  CHECK(read_acceptances(workspace).value() == std::vector<AcceptedCampaign>{first, second, other});
  CHECK(last_acceptance(workspace, "testbed").value() == second);
  CHECK(last_acceptance(workspace, "nowhere").value() == std::nullopt);
  CHECK(read_node_events(workspace).value() == std::vector<NodeEvent>{replaced});
}

TEST_CASE("a line that a power loss cut is none, and goes when the next is declared") {
  const TemporaryFolder temporary;
  const Workspace workspace{temporary.path};
  REQUIRE(append_acceptance(workspace, first));
  std::ofstream(workspace.accepted(), std::ios::app) << "{\"schema\":\"shakedown.acc";
  CHECK(read_acceptances(workspace).value() == std::vector<AcceptedCampaign>{first});
  REQUIRE(append_acceptance(workspace, second));
  CHECK(read_acceptances(workspace).value() == std::vector<AcceptedCampaign>{first, second});
  std::ofstream(workspace.events()) << "{\"schema\"";
  REQUIRE(append_node_event(workspace, replaced));
  CHECK(read_node_events(workspace).value() == std::vector<NodeEvent>{replaced});
}

TEST_CASE("a damaged line is told with its place: the reference must not silently be an older one") {
  const TemporaryFolder temporary;
  const Workspace workspace{temporary.path};
  REQUIRE(append_acceptance(workspace, first));
  std::ofstream(workspace.accepted(), std::ios::app) << "{\"schema\":\"shakedown.acceptance/1\"}\n";
  const auto read = read_acceptances(workspace);
  REQUIRE_FALSE(read);
  CHECK(read.error().where == workspace.accepted().string() + ":2");
  std::ofstream(workspace.events())
      << "{\"system\":\"a\",\"node\":\"n\",\"event\":\"repaired\",\"at_s\":1,\"by\":\"x\","
         "\"note\":\"\"}\n";
  const auto events = read_node_events(workspace);
  REQUIRE_FALSE(events);
  CHECK(events.error().what.ends_with("'repaired' is no event: reboot, replaced or moved"));
}

TEST_CASE("the store has what the files say, whatever it had before") {
  const TemporaryFolder temporary;
  const Workspace workspace{temporary.path};
  auto database = Database::open(workspace.database());
  REQUIRE(database);
  REQUIRE(database->put_acceptances({other}));
  REQUIRE(append_acceptance(workspace, first));
  REQUIRE(append_node_event(workspace, replaced));
  REQUIRE(store_declarations(workspace, *database));
  CHECK(database->acceptances("testbed").value() == std::vector<AcceptedCampaign>{first});
  CHECK(database->acceptances("elsewhere")->empty());
  CHECK(database->node_events("testbed").value() == std::vector<NodeEvent>{replaced});
}

TEST_CASE("a campaign that is taken over brings what was declared of it and its system, once") {
  const TemporaryFolder temporary;
  const Workspace ours{temporary.path / "ours"};
  const Workspace theirs{temporary.path / "theirs"};
  for (const AcceptedCampaign& each : {first, second, other}) REQUIRE(append_acceptance(theirs, each));
  REQUIRE(append_node_event(theirs, replaced));
  CampaignRecord campaign;
  campaign.id = "c2";
  campaign.system = "testbed";
  for (int i = 0; i < 2; ++i) REQUIRE(adopt_declarations(ours, theirs, campaign));
  CHECK(read_acceptances(ours).value() == std::vector<AcceptedCampaign>{second});
  CHECK(read_node_events(ours).value() == std::vector<NodeEvent>{replaced});
}
