#include "orchestrator/campaign/campaign_progress.hpp"

#include <catch2/catch.hpp>
#include <deque>

#include "orchestrator/campaign/case_status.hpp"

using namespace shakedown;

namespace {

struct WatchedCampaign {
  std::deque<Case> cases;
  std::vector<CaseProgress> progress;

  CaseProgress& add(const std::string& id, CaseState state, const std::string& waits_for = "",
                    const std::string& job = "") {
    Case& planned = cases.emplace_back();
    planned.id = id;
    CaseProgress& each = progress.emplace_back();
    each.planned = &planned;
    each.number = static_cast<int>(cases.size());
    each.state = state;
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

TEST_CASE("cases that wait for the same thing are reported together, with their jobs counted") {
  WatchedCampaign campaign;
  campaign.add("a", CaseState::queued, "Resources", "11");
  campaign.add("b", CaseState::queued, "Resources", "11");
  campaign.add("c", CaseState::queued, "Resources", "12").start_s = 1800000000;
  campaign.add("d", CaseState::waiting, "no idle node");
  campaign.add("e", CaseState::queued, "ReqNodeNotAvail", "13");
  campaign.add("f", CaseState::waiting, "no idle node");
  const CampaignProgress progress = campaign_progress(campaign.progress, 4);
  CHECK(progress.waiting == 6);
  REQUIRE(progress.waits.size() == 3);
  CHECK(progress.waits[0].reason == "Resources");
  CHECK(progress.waits[0].cases == 3);
  CHECK(progress.waits[0].jobs == 2);
  CHECK(progress.waits[0].start_s == 1800000000);
  CHECK(progress.waits[1].reason == "no idle node");
  CHECK(progress.waits[1].cases == 2);
  CHECK_FALSE(progress.waits[1].queued);
  CHECK(progress.waits[2].first_job == "13");
}

TEST_CASE("every case of a campaign is counted in exactly one phase") {
  WatchedCampaign campaign;
  for (const CaseState phase : {CaseState::waiting, CaseState::queued, CaseState::running, CaseState::done,
                                CaseState::failed, CaseState::not_run})
    campaign.add("x", phase);
  const CampaignProgress all = campaign_progress(campaign.progress, 4);
  CHECK(all.cases == 6);
  CHECK(all.done + all.failed + all.not_run + all.waiting + static_cast<int>(all.running.size()) ==
        all.cases);
}

TEST_CASE("running cases stand longest first, and in the plan's order where they began together") {
  WatchedCampaign campaign;
  campaign.add("late", CaseState::running).elapsed_s = 5;
  campaign.add("first", CaseState::running).elapsed_s = 60.4;
  campaign.add("second", CaseState::running).elapsed_s = 60.4;
  const CampaignProgress progress = campaign_progress(campaign.progress, 4);
  REQUIRE(progress.running.size() == 3);
  CHECK(progress.running[0].id == "first");
  CHECK(progress.running[1].id == "second");
  CHECK(progress.running[2].id == "late");
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
  const auto running = case_progress(statuses, campaign, true);
  CHECK(running[0].state == CaseState::done);
  CHECK(running[1].waits_for == "Priority");
  CHECK(running[2].waits_for == "stage 1 waits for stage 0");
  CHECK(running[3].waits_for == "stage 2 waits for stage 0");
  const auto left_alone = case_progress(statuses, campaign, false);
  CHECK(left_alone[1].waits_for == "Priority");
  CHECK(left_alone[2].waits_for == "not running; continue with `shakedown resume`");
}

TEST_CASE(
    "a program that ended with an error is not done, and an attempt that was ended waits for the next") {
  const CampaignRecord campaign = planned_as({0, 0, 0});
  std::vector<CaseStatus> statuses = {status("case-1", "finished"), status("case-2", "lost"),
                                      status("case-3", "timed-out")};
  statuses[0].failed = true;
  const auto cases = case_progress(statuses, campaign, true);
  CHECK(cases[0].state == CaseState::failed);
  CHECK(cases[1].state == CaseState::waiting);
  CHECK(cases[1].waits_for == "an idle node");
  CHECK(cases[2].state == CaseState::failed);
}
