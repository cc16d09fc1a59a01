#include "orchestrator/store/history.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/store/database.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

CampaignRecord campaign_at(const std::string& id, double created_s) {
  CampaignRecord record;
  record.id = id;
  record.system = "cluster";
  record.kind = "acceptance";
  record.state = CampaignState::finished;
  record.created_s = created_s;
  record.criteria_name = "a.toml";
  record.criteria_text = "title = 'A'\n";
  Case planned;
  planned.id = "case-1n";
  planned.suite = "hpl";
  planned.implementation = "reference";
  record.cases.push_back({planned, {}});
  return record;
}

}  // namespace

TEST_CASE(
    "the history holds campaigns of all systems, oldest first, with what judges them and what they ran on") {
  const TemporaryFolder temporary;
  auto database = Database::open(temporary.path / "results.sqlite");
  REQUIRE(database);
  CampaignRecord late = campaign_at("late", 2000);
  late.criteria_revisions = {{2, "b.toml", "title = 'B'\n", "amendment", 2100}};
  REQUIRE(database->add_campaign(late));
  REQUIRE(database->add_environment(
      "late", {{"cn1", "kernel", "6.1.0-25"}, {"cn2", "kernel", "6.1.0-25"}, {"cn3", "kernel", "6.1.0-26"}}));
  CampaignRecord early = campaign_at("early", 1000);
  early.system = "another";
  REQUIRE(database->add_campaign(early));
  REQUIRE(database->record_verdict("late",
                                   {"fail",
                                    "not accepted",
                                    1,
                                    {{"hpl-rmax", "rmax_gflops", "mandatory", "fail", 3, 80.0, 90.0, "below"},
                                     {"hpl-valid", "validity", "mandatory", "pass", 3, {}, {}, ""}}}));
  const auto history = database->history();
  REQUIRE(history);
  REQUIRE(history->size() == 2);
  CHECK(history->front().id == "early");
  CHECK(history->front().overall.empty());
  CHECK(history->front().criteria_name == "a.toml");
  const HistoryCampaign& found = history->back();
  CHECK(found.system == "cluster");
  CHECK(found.overall == "fail");
  CHECK(found.sentence == "not accepted");
  CHECK(found.criteria_name == "b.toml");
  CHECK(found.criteria_text == "title = 'B'\n");
  CHECK(found.cases == 1);
  CHECK(found.ended_cases == 0);
  REQUIRE(found.criteria.size() == 2);
  CHECK(found.criteria[0].limit == 90.0);
  CHECK(found.criteria[0].because == "below");
  CHECK(!found.criteria[1].measured);
  REQUIRE(found.environment.size() == 2);
  CHECK(found.environment[0].value == "6.1.0-25");
  CHECK(found.environment[0].nodes == 2);
}
