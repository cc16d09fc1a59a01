#include "orchestrator/campaign/reference.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/declarations.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

struct ReferencePlace {
  TemporaryFolder temporary;
  Workspace workspace{temporary.path};
  Database database = Database::open(workspace.database()).value();

  void add(const std::string& id) {
    CampaignRecord campaign;
    campaign.id = id;
    campaign.system = "testbed";
    campaign.kind = "acceptance";
    campaign.inventory.system = "testbed";
    NodeGroup group;
    group.hosts = "n1";
    group.memory_bytes = group.usable.memory_bytes = std::int64_t{16} << 30;
    campaign.inventory.groups = {group};
    REQUIRE(database.add_campaign(campaign));
  }
  void accept(const std::string& id, bool part = false) {
    REQUIRE(append_acceptance(workspace, {"testbed", id, 100, "A. Buyer", "why", part}));
  }
};

}  // namespace

TEST_CASE("the reference of a system is the campaign that was accepted last") {
  ReferencePlace place;
  place.add("c1");
  place.add("c2");
  CHECK_FALSE(last_accepted(place.workspace, place.database, "testbed")->has_value());
  place.accept("c2");
  place.accept("c1");
  const auto reference = last_accepted(place.workspace, place.database, "testbed");
  REQUIRE(reference);
  REQUIRE(*reference);
  CHECK((*reference)->campaign.id == "c1");
  CHECK((*reference)->newest.id == "c1");
  CHECK((*reference)->acceptances.back().by == "A. Buyer");
}

TEST_CASE("a part that was accepted since stands beside the whole one") {
  ReferencePlace place;
  for (const char* id : {"c1", "c2", "c3"}) place.add(id);
  place.accept("c1");
  place.accept("c2", true);
  const auto reference = last_accepted(place.workspace, place.database, "testbed");
  REQUIRE(reference);
  REQUIRE(*reference);
  CHECK((*reference)->campaign.id == "c1");
  CHECK((*reference)->newest.id == "c2");
  place.accept("c3");
  CHECK((*last_accepted(place.workspace, place.database, "testbed"))->campaign.id == "c3");
}

TEST_CASE("a reference that the store has lost is an error, never the one before it") {
  ReferencePlace place;
  place.add("c1");
  place.accept("c1");
  place.accept("gone");
  const auto reference = last_accepted(place.workspace, place.database, "testbed");
  REQUIRE_FALSE(reference);
  CHECK(reference.error().what.find("the reference of testbed is gone (by A. Buyer") != std::string::npos);
}

TEST_CASE("who and why must be said before anything is looked at") {
  ReferencePlace place;
  CHECK(accept_campaign(place.workspace, {"c1", " ", "why"}, {}).error().where == "--by");
  CHECK(accept_campaign(place.workspace, {"c1", "A. Buyer", ""}, {}).error().where == "--why");
  CHECK_FALSE(std::filesystem::exists(place.workspace.accepted()));
}
