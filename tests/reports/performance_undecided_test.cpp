#include <algorithm>
#include <catch2/catch.hpp>

#include "reports/judge/next_step.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::judged;

namespace {

/// An acceptance by the criteria `quick` of STREAM alone, whose only criterion on performance is advisory.
CampaignRecord of_stream_alone() {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  campaign.cases = {fixture::case_of("stream", "triad_mb_s", 45'000)};
  campaign.inventory.groups.front().memory_bandwidth_gb_s = 60;
  return campaign;
}

}  // namespace

TEST_CASE("nothing is accepted where the only result on performance was disturbed, though it advises") {
  CampaignRecord campaign = of_stream_alone();
  CHECK(judged(campaign).sentence == "accepted: not planned: HPL, HPCG, HPL-MxP and 3 more");
  campaign.cases[0].attempts[0].conditions->foreign_cores = 1.5;
  const Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "stream-valid").verdict == Verdict::pass);
  CHECK(criterion(judgement, "stream-memory").severity == CriterionSeverity::advisory);
  CHECK(criterion(judgement, "stream-memory").verdict == Verdict::undecided);
  CHECK(judgement.overall == Verdict::undecided);
  CHECK(judgement.exit_code == 3);
  CHECK(judgement.sentence.starts_with("acceptance undecided – repeat the test: "));
  CHECK(judgement.sentence.ends_with("; nothing failed"));
  const NextStep step = next_step(MeasuredCampaign(campaign), judgement, "w", "w/campaigns/" + campaign.id);
  CHECK(step.command.starts_with("shakedown resume --disturbed " + campaign.id));
}

TEST_CASE("a decided criterion on performance is enough: a disturbed one that advises decides nothing then") {
  CampaignRecord campaign = of_stream_alone();
  campaign.cases[0].attempts[0].conditions->foreign_cores = 1.5;
  CampaignRecord both = fixture::quick_campaign();
  both.cases.push_back(campaign.cases[0]);
  both.inventory = campaign.inventory;
  const Judgement judgement = judged(both);
  CHECK(criterion(judgement, "stream-memory").verdict == Verdict::undecided);
  CHECK(judgement.sentence == "screening passed");
  CHECK(judgement.exit_code == 0);
}

TEST_CASE("an acceptance beside a criterion that failed and only advises says so") {
  CampaignRecord campaign = of_stream_alone();
  campaign.cases = {fixture::case_of("stream", "triad_mb_s", 30'000)};
  const Judgement judgement = judged(campaign);
  CHECK(judgement.exit_code == 0);
  CHECK(judgement.sentence ==
        "accepted: 1 advisory criterion failed (stream-memory); not planned: HPL, HPCG, HPL-MxP and 3 more");
}

TEST_CASE("an acceptance without a decided criterion on performance says so") {
  CampaignRecord campaign = of_stream_alone();
  SECTION("its reference is not known") {
    campaign.inventory.groups.front().memory_bandwidth_gb_s.reset();
    CHECK(judged(campaign).sentence ==
          "accepted: no criterion on performance was decided (stream-memory: no peak to compare with: the "
          "memory channels are not known); not planned: HPL, HPCG, HPL-MxP and 3 more");
    CHECK(criterion(judged(campaign), "stream-memory").remedy.find("`memory_bandwidth_gb_s = ") !=
          std::string::npos);
  }
  SECTION("there is none") {
    campaign.criteria_text =
        "title = 'Contract'\n[[criteria]]\nid = \"stream-valid\"\ntitle = \"STREAM is valid\"\nsuite = "
        "\"stream\"\n"
        "metric = \"validity\"\nseverity = \"mandatory\"\nlimit_source = \"STREAM\"\n";
    CHECK(judged(campaign).sentence == "accepted: no criterion judges performance");
  }
  CHECK(judged(campaign).exit_code == 0);
}
