#include "orchestrator/campaign/campaign_standing.hpp"

#include <catch2/catch.hpp>
#include <deque>

#include "orchestrator/campaign/case_status.hpp"

using namespace shakedown;

namespace {

using Where = CaseStanding::Phase;

struct CampaignStandingCampaign {
  std::deque<Case> cases;
  std::vector<CaseStanding> standings;

  CaseStanding& add(const std::string& id, Where phase, const std::string& waits_for = "",
                    const std::string& job = "") {
    Case& planned = cases.emplace_back();
    planned.id = id;
    CaseStanding& each = standings.emplace_back();
    each.planned = &planned;
    each.number = static_cast<int>(cases.size());
    each.phase = phase;
    each.waits_for = waits_for;
    each.job = job;
    return each;
  }
};

CampaignRecord planned_as(const std::vector<int>& stages) {
  CampaignRecord campaign;
  campaign.scheduler = "slurm";
  for (const int stage : stages) {
    CaseRecord& record = campaign.cases.emplace_back();
    record.planned.id = "case-" + std::to_string(campaign.cases.size());
    record.planned.suite = "hpl";
    record.planned.stage = stage;
  }
  return campaign;
}

CaseStatus status(const std::string& id, const std::string& state, const std::string& text = "") {
  CaseStatus made;
  made.id = id;
  made.state = state;
  made.text = text;
  return made;
}

}  // namespace

TEST_CASE("cases that wait for the same thing are told together, with their jobs counted") {
  CampaignStandingCampaign campaign;
  campaign.add("a", Where::queued, "Resources", "11");
  campaign.add("b", Where::queued, "Resources", "11");
  campaign.add("c", Where::queued, "Resources", "12").start_s = 1800000000;
  campaign.add("d", Where::waiting, "no idle node");
  campaign.add("e", Where::queued, "ReqNodeNotAvail", "13");
  campaign.add("f", Where::waiting, "no idle node");
  const CampaignStanding standing = campaign_standing(campaign.standings, 4);
  CHECK(standing.waiting == 6);
  REQUIRE(standing.waits.size() == 3);
  CHECK(standing.waits[0].reason == "Resources");
  CHECK(standing.waits[0].cases == 3);
  CHECK(standing.waits[0].jobs == 2);
  CHECK(standing.waits[0].start_s == 1800000000);
  CHECK(standing.waits[1].reason == "no idle node");
  CHECK(standing.waits[1].cases == 2);
  CHECK_FALSE(standing.waits[1].queued);
  CHECK(standing.waits[2].first_job == "13");
}

TEST_CASE("every case of a campaign is counted in exactly one phase") {
  CampaignStandingCampaign campaign;
  for (const Where phase :
       {Where::waiting, Where::queued, Where::running, Where::done, Where::failed, Where::not_run})
    campaign.add("x", phase);
  const CampaignStanding all = campaign_standing(campaign.standings, 4);
  CHECK(all.cases == 6);
  CHECK(all.done + all.failed + all.not_run + all.waiting + static_cast<int>(all.running.size()) ==
        all.cases);
}

TEST_CASE("running cases stand longest first, and in the plan's order where they began together") {
  CampaignStandingCampaign campaign;
  campaign.add("late", Where::running).elapsed_s = 5;
  campaign.add("first", Where::running).elapsed_s = 60.4;
  campaign.add("second", Where::running).elapsed_s = 60.4;
  const CampaignStanding standing = campaign_standing(campaign.standings, 4);
  REQUIRE(standing.running.size() == 3);
  CHECK(standing.running[0].id == "first");
  CHECK(standing.running[1].id == "second");
  CHECK(standing.running[2].id == "late");
}

TEST_CASE("time past a prediction counts from the end of its band") {
  RunningCase running;
  running.elapsed_s = 150;
  CHECK(running.past_s() == 0);  // nothing was predicted
  running.predicted_s = 100;
  running.predicted_high_s = 120;
  CHECK(running.past_s() == Approx(30));
  running.elapsed_s = 110;
  CHECK(running.past_s() == 0);
}

TEST_CASE("from outside it is known which stage a case waits for, and whether anybody orchestrates") {
  const CampaignRecord campaign = planned_as({0, 0, 1, 2});
  const std::vector<CaseStatus> statuses = {status("case-1", "finished"),
                                            status("case-2", "queued", "Priority"),
                                            status("case-3", "waiting"), status("case-4", "waiting")};
  const auto orchestrated = case_standings(statuses, campaign, true);
  CHECK(orchestrated[0].phase == Where::done);
  CHECK(orchestrated[1].waits_for == "Priority");
  CHECK(orchestrated[2].waits_for == "stage 1 waits for stage 0");
  CHECK(orchestrated[3].waits_for == "stage 2 waits for stage 0");
  const auto left_alone = case_standings(statuses, campaign, false);
  CHECK(left_alone[1].waits_for == "Priority");
  CHECK(left_alone[2].waits_for == "nobody orchestrates it");
}

TEST_CASE(
    "a program that ended with an error is not done, and an attempt that was ended waits for the next") {
  const CampaignRecord campaign = planned_as({0, 0, 0});
  std::vector<CaseStatus> statuses = {status("case-1", "finished"), status("case-2", "lost"),
                                      status("case-3", "timed-out")};
  statuses[0].failed = true;
  const auto standings = case_standings(statuses, campaign, true);
  CHECK(standings[0].phase == Where::failed);
  CHECK(standings[1].phase == Where::waiting);
  CHECK(standings[1].waits_for == "an idle node");
  CHECK(standings[2].phase == Where::failed);
}
