#include "orchestrator/store/declaration.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/store/database.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

TEST_CASE("acceptances are read back in their order, those of one system") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database);
  const AcceptedCampaign first = {"testbed", "c1", 200, "A. Buyer", "post-installation"};
  const AcceptedCampaign second = {"testbed", "c2", 100, "B. Vendor", "clock set back since"};
  const AcceptedCampaign other = {"elsewhere", "c3", 300, "A. Buyer", "x"};
  REQUIRE(database->record_acceptances({first, other, second}));
  CHECK(database->acceptances("testbed").value() == std::vector<AcceptedCampaign>{first, second});
  CHECK(database->acceptances("elsewhere").value() == std::vector<AcceptedCampaign>{other});
  CHECK(database->acceptances("nowhere")->empty());
  REQUIRE(database->record_acceptances({other}));
  CHECK(database->acceptances("testbed")->empty());
}

TEST_CASE("events of nodes are read back by system, after a time") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database);
  const NodeEvent rebooted = {"testbed", "n1", NodeEventKind::reboot, 100, "op", ""};
  const NodeEvent replaced = {"testbed", "n2", NodeEventKind::replaced, 200, "op", "GPU 3"};
  const NodeEvent moved = {"elsewhere", "n1", NodeEventKind::moved, 150, "op", "rack 7"};
  REQUIRE(database->record_node_events({replaced, moved, rebooted}));
  CHECK(database->node_events("testbed").value() == std::vector<NodeEvent>{rebooted, replaced});
  CHECK(database->node_events("testbed", 100).value() == std::vector<NodeEvent>{replaced});
  CHECK(database->node_events("elsewhere").value() == std::vector<NodeEvent>{moved});
}

TEST_CASE("each kind of event has its word") {
  for (const NodeEventKind kind : {NodeEventKind::reboot, NodeEventKind::replaced, NodeEventKind::moved})
    CHECK(node_event_kind(to_string(kind)) == kind);
  CHECK_FALSE(node_event_kind("repaired"));
}
