#include "orchestrator/campaign/more_runs.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/store/database.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// A campaign with two repetitions of one case, stored and not run.
std::string stored(const Workspace& workspace) {
  CampaignRecord campaign;
  campaign.system = "sys";
  campaign.kind = "screening";
  campaign.inventory.system = "sys";
  NodeGroup group;
  group.hosts = "n1";
  group.memory_bytes = group.usable.memory_bytes = std::int64_t{16} << 30;
  campaign.inventory.groups.push_back(group);
  for (int repetition = 1; repetition <= 2; ++repetition) {
    Case planned;
    planned.id = repetition == 1 ? "gemm-1n" : "gemm-1n-r2";
    planned.suite = "gemm";
    planned.repetition = repetition;
    planned.argv = {"/bin/true"};
    campaign.cases.push_back({planned});
  }
  return start_campaign(workspace, campaign).value();
}

std::vector<std::string> ids(const CampaignRecord& campaign) {
  std::vector<std::string> found;
  for (const CaseRecord& record : campaign.cases) found.push_back(record.planned.id);
  return found;
}

}  // namespace

TEST_CASE("more runs are further repetitions of a case, in the folder and in the store") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path};
  const std::string id = stored(workspace);
  REQUIRE(add_runs(workspace, id, {{"gemm-1n", 2}}));
  const std::vector<std::string> expected = {"gemm-1n", "gemm-1n-r2", "gemm-1n-r3", "gemm-1n-r4"};
  const auto kept = read_campaign_folder(workspace.campaign(id));
  REQUIRE(kept);
  CHECK(ids(*kept) == expected);
  CHECK(kept->cases.back().planned.repetition == 4);
  CHECK(kept->cases.back().planned.argv == std::vector<std::string>{"/bin/true"});
  CHECK(Database::open_existing(workspace.database())->case_ids(id).value() == expected);
}

TEST_CASE("any repetition names its case") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path};
  const std::string id = stored(workspace);
  REQUIRE(add_runs(workspace, id, {{"gemm-1n-r2", 1}}));
  CHECK(ids(*read_campaign_folder(workspace.campaign(id))).back() == "gemm-1n-r3");
}

TEST_CASE("runs that are to confirm a node are bound to it, and marked wherever the campaign is read from") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path};
  const std::string id = stored(workspace);
  REQUIRE(add_runs(workspace, id, {{"gemm-1n", 1, "n1"}}));
  for (const auto& kept : {read_campaign_folder(workspace.campaign(id)),
                           Database::open_existing(workspace.database())->campaign(id)}) {
    REQUIRE(kept);
    const Case& added = kept->cases.back().planned;
    CHECK(added.confirms);
    CHECK(added.bound);
    CHECK(added.hosts == "n1");
    CHECK_FALSE(kept->cases.front().planned.confirms);
  }
}

TEST_CASE("a case that is not there, and a campaign that somebody runs, get no more runs") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path};
  const std::string id = stored(workspace);
  CHECK(add_runs(workspace, id, {{"hpl", 1}}).error().what == "has no case 'hpl'");
  const auto lock = CampaignLock::take(workspace.campaign(id));
  REQUIRE(lock);
  const auto refused = add_runs(workspace, id, {{"gemm-1n", 1}});
  REQUIRE_FALSE(refused);
  CHECK(refused.error().fault == Fault::environment);
}

TEST_CASE("repeats that show more of a node are added once, though two ask for them") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path};
  const std::string id = stored(workspace);
  for (int who = 0; who < 2; ++who) REQUIRE(add_runs(workspace, id, {{"gemm-1n", 3, "n1"}}));
  CHECK(read_campaign_folder(workspace.campaign(id))->cases.size() == 5);
  REQUIRE(Journal::open(workspace.campaign(id))
              ->intend("job", {{"gemm-1n-r3", 1}, {"gemm-1n-r4", 1}, {"gemm-1n-r5", 1}}));
  REQUIRE(add_runs(workspace, id, {{"gemm-1n", 3, "n1"}}));
  CHECK(read_campaign_folder(workspace.campaign(id))->cases.size() == 8);
}
