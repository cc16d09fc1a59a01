// Which campaigns of other systems a workspace's list tells to be on the same nodes.
#include "orchestrator/campaign/campaign_list.hpp"

#include <catch2/catch.hpp>
#include <filesystem>

#include "orchestrator/campaign/append_line.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

struct ListScene {
  TemporaryFolder temporary;
  Workspace workspace{temporary.path};
  std::vector<CampaignSummary> stored;
  std::vector<std::string> asked;  ///< ids whose nodes the store was asked for

  CampaignRecord listed(const std::string& id, const std::string& system, const std::string& hosts) {
    CampaignRecord campaign;
    campaign.id = id;
    campaign.system = system;
    campaign.kind = "acceptance";
    campaign.created_s = 1;
    campaign.cases.emplace_back().planned.hosts = hosts;
    REQUIRE(list_campaign(workspace, campaign));
    return campaign;
  }
  std::vector<EarlierCampaign> before(const CampaignRecord& campaign) {
    asked.clear();
    return other_systems_before(
               workspace, campaign, stored,
               [&](const std::string& id) {
                 asked.push_back(id);
                 return id == "old" ? std::vector<std::string>{"n[2-3]", "n9"} : std::vector<std::string>();
               })
        .value();
  }
};

}  // namespace

TEST_CASE("a campaign of another system counts where the list has one of the same nodes of it") {
  ListScene scene;
  scene.listed("2026-01", "others", "n[1-4]");
  scene.listed("2026-02", "others", "m[1-4]");
  const CampaignRecord ours = scene.listed("2026-03", "ours", "n[4-8]");
  scene.listed("2026-04", "others", "n[4-8]");  // later
  const auto found = scene.before(ours);
  REQUIRE(found.size() == 1);
  CHECK(found.front().id == "2026-01");
  CHECK(found.front().other_system);
  CHECK(found.front().removed);
  CHECK(found.front().gone);
  CHECK_FALSE(found.front().nodes_unknown);
  CHECK(scene.asked.empty());
  // What a bundle states without it lacks it.
  CHECK(
      history_differences(scene.workspace, ours, {}).value() ==
      std::vector<std::string>{"lacks 2026-01 (not judged), which campaigns.jsonl has before this campaign"});
}

TEST_CASE("of a campaign that the list has no nodes of the store is asked, and else they are not known") {
  ListScene scene;
  for (const char* id : {"old", "gone"})
    REQUIRE(append_chained_line(scene.workspace.folder / "campaigns.jsonl",
                                std::string(R"({"event":"begun","campaign":")") + id +
                                    R"(","system":"others","kind":"acceptance","began_s":1,"criteria":""})"));
  const CampaignRecord ours = scene.listed("2026-03", "ours", "n[3-4]");
  const auto found = scene.before(ours);
  REQUIRE(found.size() == 2);
  CHECK_FALSE(found[0].nodes_unknown);
  CHECK(found[1].id == "gone");
  CHECK(found[1].nodes_unknown);
  CHECK(scene.asked == std::vector<std::string>{"old", "gone"});
  const CampaignRecord elsewhere = scene.listed("2026-04", "theirs", "n5");
  CHECK(scene.before(elsewhere).size() == 1);  // the one whose nodes are not known
}

TEST_CASE("logs of an older day that are imported later set no clock back") {
  ListScene scene;
  CampaignRecord first;
  first.id = "new";
  first.kind = "acceptance";
  first.created_s = 1'000'000;
  REQUIRE(list_campaign(scene.workspace, first));
  CampaignRecord later;
  later.created_s = 1'000;
  for (const char* kind : {"external", "acceptance"}) {
    later.id = kind;
    later.kind = kind;
    REQUIRE(list_campaign(scene.workspace, later));
    const auto history = campaign_history(scene.workspace, later, {}).value();
    CHECK(history.faults.empty() == (later.kind == "external"));
  }
}
