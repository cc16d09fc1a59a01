#include "orchestrator/campaign/campaign_progress.hpp"

#include <sys/stat.h>
#include <utime.h>

#include <catch2/catch.hpp>
#include <deque>
#include <fstream>

#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// Cases that stay where they are while standings point at them.
struct NodeHoursCampaign {
  std::deque<Case> cases;
  std::vector<CaseProgress> standings;

  Case& add(CaseState phase, int nodes, double predicted_s, double elapsed_s = 0) {
    Case& planned = cases.emplace_back();
    planned.nodes = nodes;
    if (predicted_s > 0)
      planned.predicted.push_back({"wall_time_s", predicted_s, 0.9 * predicted_s, 1.1 * predicted_s});
    CaseProgress& each = standings.emplace_back();
    each.planned = &planned;
    each.state = phase;
    each.elapsed_s = elapsed_s;
    return planned;
  }
};

}  // namespace

TEST_CASE("node-hours spent are those of all attempts, of running ones so far") {
  NodeHoursCampaign campaign;
  campaign.add(CaseState::done, 4, 3600);
  campaign.standings.back().spent_s = 1800;  // 2 node-hours
  campaign.add(CaseState::failed, 1, 3600);
  campaign.standings.back().spent_s = 7200;  // 2
  campaign.add(CaseState::running, 2, 3600, 900);
  campaign.standings.back().spent_s = 900;  // an attempt before this one: 0.5 and 0.5
  campaign.add(CaseState::not_run, 8, 3600);
  CHECK(node_hours(campaign.standings).spent == Approx(5));
}

TEST_CASE("node-hours left are those predicted of what has not ended") {
  NodeHoursCampaign campaign;
  campaign.add(CaseState::done, 4, 3600);
  campaign.add(CaseState::running, 2, 3600, 900);   // 1.5
  campaign.add(CaseState::running, 2, 3600, 5000);  // past its prediction: no known remainder
  campaign.add(CaseState::queued, 1, 1800);         // 0.5
  campaign.add(CaseState::waiting, 8, 900);         // 2
  campaign.add(CaseState::not_run, 8, 900);
  const NodeHours hours = node_hours(campaign.standings);
  CHECK(hours.left == Approx(4));
  CHECK_FALSE(hours.at_most);
  CHECK(hours.unknown == 0);
}

TEST_CASE("a time limit stands in for a prediction and says so; without either a case is counted apart") {
  NodeHoursCampaign campaign;
  campaign.add(CaseState::waiting, 2, 0).time_limit_s = 1800;
  campaign.add(CaseState::waiting, 2, 0);
  const NodeHours hours = node_hours(campaign.standings);
  CHECK(hours.left == Approx(1));
  CHECK(hours.at_most);
  CHECK(hours.unknown == 1);
  CHECK(time_left(campaign.standings, 4).at_most);
  CHECK(time_left(campaign.standings, 4).unknown == 1);
}

TEST_CASE("what is left takes as long as its area on all nodes, its longest case, and what must be alone") {
  NodeHoursCampaign campaign;
  for (int i = 0; i < 8; ++i) campaign.add(CaseState::waiting, 1, 100);
  CHECK(time_left(campaign.standings, 4).seconds == Approx(200));
  campaign.add(CaseState::running, 1, 1000, 100);
  CHECK(time_left(campaign.standings, 4).seconds == Approx(900));
  campaign.add(CaseState::waiting, 4, 50).predicted.push_back({"bytes_written", 1, 1, 1});
  CHECK(time_left(campaign.standings, 4).seconds == Approx(950));
  campaign.add(CaseState::waiting, 4, 300).stage = 1;
  CHECK(time_left(campaign.standings, 4).seconds == Approx(1250));
}

TEST_CASE("a case past its prediction is said to be") {
  NodeHoursCampaign campaign;
  campaign.add(CaseState::running, 1, 100, 105);  // within the band
  CHECK(time_left(campaign.standings, 1).overdue == 0);
  campaign.add(CaseState::running, 1, 100, 111);
  CHECK(time_left(campaign.standings, 1).overdue == 1);
}

TEST_CASE("an attempt held its nodes as long as it says, or until its last sign of life") {
  const TemporaryFolder folder;
  CHECK(ended_wall_s(folder.path) == 0);
  std::ofstream(folder.path / "started.json")
      << R"({"host":"cn1","pid":7,"start_ticks":1,"boot_id":"b","started_s":1700000000.0})";
  CHECK(ended_wall_s(folder.path) == 0);
  std::ofstream(folder.path / "stdout.log") << "died here\n";
  const utimbuf died{1700000090, 1700000090};
  REQUIRE(::utime((folder.path / "stdout.log").c_str(), &died) == 0);
  CHECK(ended_wall_s(folder.path) == Approx(90));
  std::ofstream(folder.path / "finished.json")
      << R"({"state":"finished","exit_code":0,"started_s":1700000000.0,"finished_s":1700000100.0,"wall_s":99.5})";
  CHECK(ended_wall_s(folder.path) == Approx(99.5));
}
