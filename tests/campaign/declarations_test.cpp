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
  for (const AcceptedCampaign& each : {first, second, other}) REQUIRE(append_acceptance(workspace, each));
  REQUIRE(append_node_event(workspace, replaced));
  CHECK(read_acceptances(workspace).value() == std::vector<AcceptedCampaign>{first, second, other});
  const auto all = read_acceptances(workspace).value();
  CHECK(holding(all, "testbed", 2e9) == std::vector<AcceptedCampaign>{second});
  CHECK(holding(all, "testbed", first.at_s) == std::vector<AcceptedCampaign>{first});
  CHECK(holding(all, "nowhere", 2e9).empty());
  CHECK(read_node_events(workspace).value() == std::vector<NodeEvent>{replaced});
}

TEST_CASE("a part holds beside the whole acceptance before it, until the next whole one") {
  AcceptedCampaign part = second;
  part.part = true;
  const AcceptedCampaign next = {"testbed", "c4", 1767323050, "A. Buyer", "again"};
  CHECK(holding({first, part, other}, "testbed", 2e9) == std::vector<AcceptedCampaign>{first, part});
  CHECK(holding({first, part, other, next}, "testbed", 2e9) == std::vector<AcceptedCampaign>{next});
  CHECK(holding({part}, "testbed", 2e9).empty());  // as where only the part was imported
  const TemporaryFolder temporary;
  const Workspace workspace{temporary.path};
  REQUIRE(append_acceptance(workspace, part));
  CHECK(read_acceptances(workspace).value() == std::vector<AcceptedCampaign>{part});
  auto database = Database::open(workspace.database());
  REQUIRE(store_declarations(workspace, *database));
  CHECK(database->acceptances("testbed").value() == std::vector<AcceptedCampaign>{part});
}

TEST_CASE("an older acceptance that comes from another workspace takes nothing from a newer one of ours") {
  const TemporaryFolder temporary;
  const Workspace ours{temporary.path / "ours"};
  const Workspace theirs{temporary.path / "theirs"};
  REQUIRE(append_acceptance(ours, second));
  REQUIRE(append_acceptance(theirs, first));
  CampaignRecord campaign;
  campaign.id = first.campaign;
  campaign.system = "testbed";
  REQUIRE(import_declarations(ours, theirs, campaign));
  const auto all = read_acceptances(ours).value();
  CHECK(all == std::vector<AcceptedCampaign>{first, second});
  CHECK(holding(all, "testbed", 2e9) == std::vector<AcceptedCampaign>{second});
}

TEST_CASE("a line that lacks just its end is none that was cut") {
  const TemporaryFolder temporary;
  const Workspace workspace{temporary.path};
  REQUIRE(append_acceptance(workspace, first));
  fs::resize_file(workspace.accepted(), fs::file_size(workspace.accepted()) - 1);
  REQUIRE(append_acceptance(workspace, second));
  CHECK(read_acceptances(workspace).value() == std::vector<AcceptedCampaign>{first, second});
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

TEST_CASE("a damaged line is reported with its place: the reference must not silently be an older one") {
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
  REQUIRE(database->record_acceptances({other}));
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
  for (int i = 0; i < 2; ++i) REQUIRE(import_declarations(ours, theirs, campaign));
  CHECK(read_acceptances(ours).value() == std::vector<AcceptedCampaign>{second});
  CHECK(read_node_events(ours).value() == std::vector<NodeEvent>{replaced});
}
