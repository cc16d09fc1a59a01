#include "orchestrator/campaign/commitment.hpp"

#include <algorithm>
#include <catch2/catch.hpp>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/restore.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/store/database.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

std::string contract(const std::string& limit) {
  return "title = 'Contract'\n\n[[criteria]]\nid = 'rate'\ntitle = 'HPL is fast'\nsuite = 'hpl'\n"
         "metric = 'rmax_gflops'\ndirection = '>='\nlimit = " +
         limit + "\naggregation = 'median'\nseverity = 'mandatory'\nlimit_source = 'contract 4.2'\n";
}

/// A campaign that is judged by a limit of 50 GFLOP/s.
struct CriteriaRevisionScene {
  TemporaryFolder temporary;
  Workspace workspace{temporary.path / "w"};
  std::string id;

  CriteriaRevisionScene() {
    CampaignRecord campaign;
    campaign.system = "n1";
    campaign.kind = "acceptance";
    campaign.created_s = 1795284309;
    campaign.inventory.system = "n1";
    NodeGroup group;
    group.hosts = "n1";
    group.memory_bytes = group.usable.memory_bytes = std::int64_t{16} << 30;
    campaign.inventory.groups.push_back(group);
    campaign.criteria_name = "contract.toml";
    campaign.criteria_text = contract("50.0");
    Case planned;
    planned.id = "hpl";
    planned.suite = "hpl";
    planned.argv = {"/bin/true"};
    campaign.cases.push_back({planned});
    id = start_campaign(workspace, campaign).value();
  }
  [[nodiscard]] fs::path folder() const { return workspace.campaign(id); }
  std::optional<CriteriaRevision> revised(const std::string& text, const std::string& reason) const {
    CriteriaRevision wanted;
    wanted.name = "softer.toml";
    wanted.text = text;
    wanted.reason = reason;
    auto revision = revised_criteria(workspace, id, wanted);
    INFO((revision ? "" : to_string(revision.error())));
    REQUIRE(revision);
    return *revision;
  }
  [[nodiscard]] CampaignRecord stored() const {
    const auto database = Database::open_existing(workspace.database());
    REQUIRE(database);
    auto record = database->campaign(id);
    REQUIRE(record);
    return *record;
  }
  [[nodiscard]] std::vector<std::string> breaches() const {
    return commitment_breaches(stored(), folder(), installed_layout());
  }
};

}  // namespace

TEST_CASE("a revision of the criteria is a file, a line and a row beside the old ones") {
  const CriteriaRevisionScene scene;
  const auto second = scene.revised(contract("45.0"), "agreed on 24 November");
  REQUIRE(second);
  CHECK(second->number == 2);
  CHECK(second->at_s > 1795284309);
  CHECK(file_content(scene.folder() / "criteria.toml").value() == contract("50.0"));
  CHECK(file_content(scene.folder() / "criteria-2.toml").value() == contract("45.0"));
  const CampaignRecord record = scene.stored();
  CHECK(record.criteria_text == contract("50.0"));
  REQUIRE(record.criteria_revisions.size() == 1);
  CHECK(record.criteria_revisions[0] == *second);
  CHECK(judging_criteria(record).text == contract("45.0"));

  const auto third = scene.revised(contract("48.0"), "agreed on 25 November");
  REQUIRE(third);
  CHECK(third->number == 3);
  CHECK(scene.stored().criteria_revisions.size() == 2);
  CHECK(file_content(scene.folder() / "criteria-2.toml").value() == contract("45.0"));
  CHECK(scene.breaches().empty());
}

TEST_CASE("criteria that say the same are no revision, whatever their comments") {
  const CriteriaRevisionScene scene;
  CHECK_FALSE(scene.revised("# a comment\n" + contract("50"), "none"));
  CHECK(scene.stored().criteria_revisions.empty());
  CHECK_FALSE(fs::exists(scene.folder() / "criteria-2.toml"));
}

TEST_CASE("a file that a crash left without its line in the journal is not overwritten") {
  const CriteriaRevisionScene scene;
  REQUIRE(write_file(scene.folder() / "criteria-2.toml", "whatever\n"));
  CHECK(scene.revised(contract("45.0"), "r")->number == 3);
  CHECK(file_content(scene.folder() / "criteria-2.toml").value() == "whatever\n");
}

TEST_CASE("a store that is made again from the folder holds all revisions") {
  const CriteriaRevisionScene scene;
  scene.revised(contract("45.0"), "agreed on 24 November");
  scene.revised(contract("48.0"), "and on 25 November");
  const CampaignRecord before = scene.stored();
  for (const auto& entry : fs::directory_iterator(scene.workspace.folder))
    if (entry.path().filename().string().starts_with("results.sqlite")) fs::remove(entry.path());
  REQUIRE(restored_campaign(scene.workspace, scene.id, installed_layout()));
  CHECK(scene.stored().criteria_revisions == before.criteria_revisions);
  CHECK(read_campaign_folder(scene.folder())->criteria_revisions == before.criteria_revisions);

  const Workspace other{scene.temporary.path / "other"};
  REQUIRE(adopted_campaign(other, scene.folder(), installed_layout()));
  const auto database = Database::open_existing(other.database());
  REQUIRE(database);
  CHECK(database->campaign(scene.id)->criteria_revisions == before.criteria_revisions);
}

TEST_CASE("a revision that was changed or removed on disk, or only stored, is named") {
  const CriteriaRevisionScene scene;
  scene.revised(contract("45.0"), "r");
  SECTION("changed") {
    REQUIRE(write_file(scene.folder() / "criteria-2.toml", contract("40.0")));
    CHECK(
        scene.breaches() ==
        std::vector<std::string>{"criteria-2.toml in the campaign's folder differs from the journal's line"});
  }
  SECTION("removed") {
    fs::remove(scene.folder() / "criteria-2.toml");
    CHECK(scene.breaches() == std::vector<std::string>{"criteria-2.toml in the campaign's folder is gone"});
  }
  SECTION("stored alone") {
    CampaignRecord record = scene.stored();
    record.criteria_revisions.push_back({3, "x.toml", contract("1.0"), "r", 0});
    CHECK(commitment_breaches(record, scene.folder(), installed_layout()) ==
          std::vector<std::string>{"revision 3 of the criteria in the store is not in the journal"});
  }
}

TEST_CASE("criteria of a campaign that runs can't be changed") {
  const CriteriaRevisionScene scene;
  const auto lock = CampaignLock::take(scene.folder());
  REQUIRE(lock);
  CriteriaRevision wanted;
  wanted.text = contract("45.0");
  const auto revision = revised_criteria(scene.workspace, scene.id, wanted);
  REQUIRE_FALSE(revision);
  CHECK(revision.error().fault == Fault::environment);
}
