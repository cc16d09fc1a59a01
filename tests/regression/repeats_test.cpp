#include "orchestrator/regression/check_judgement.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

const SeriesName hpl_on_cn1{"hpl", "reference", "rmax_gflops", "cn1", "", "N=8000"};

/// A case run so often, the last times in vain.
CampaignRecord campaign_of(int runs, int failed) {
  CampaignRecord campaign;
  for (int i = 1; i <= runs; ++i) {
    CaseRecord record;
    record.planned.id = i == 1 ? "hpl-1n" : "hpl-1n-r" + std::to_string(i);
    record.planned.suite = "hpl";
    record.planned.hosts = "cn1";
    AttemptRecord attempt;
    if (i > runs - failed) attempt.failure = "exit code 3: broken";
    record.attempts.push_back(attempt);
    campaign.cases.push_back(record);
  }
  return campaign;
}

}  // namespace

TEST_CASE("repeats go on while each round gives the series a value more") {
  std::vector<WantedRepeats> wanted = {{hpl_on_cn1, "hpl-1n", 2, 3}};
  CHECK(given_up_repeats(wanted, {}, campaign_of(3, 0), {}).empty());
  CHECK(given_up_repeats(wanted, {{hpl_on_cn1, "hpl-1n", 2, 2}}, campaign_of(4, 1), {}).empty());
  CHECK(wanted.size() == 1);
}

TEST_CASE("repeats that all failed are not asked for again, and the check says so") {
  std::vector<WantedRepeats> wanted = {{hpl_on_cn1, "hpl-1n", 2, 2}};
  const auto given_up = given_up_repeats(wanted, {{hpl_on_cn1, "hpl-1n", 2, 2}}, campaign_of(4, 2), {});
  CHECK(wanted.empty());
  REQUIRE(given_up.size() == 1);
  CHECK(given_up.front() ==
        MissingSeries{"hpl/reference Rmax on cn1",
                      "its repeats failed, and the suspicion stays open: hpl-1n-r4: exit code 3: broken"});
}

TEST_CASE("no more repeats are made than the configuration allows, failed ones included") {
  RegressionAlarm alarm;
  alarm.runs = 2;
  alarm.repeats = 4;
  std::vector<WantedRepeats> wanted = {{hpl_on_cn1, "hpl-1n", 1, 4}};
  const std::vector<WantedRepeats> asked = {{hpl_on_cn1, "hpl-1n", 2, 3}};
  CHECK(given_up_repeats(wanted, asked, campaign_of(5, 1), alarm).empty());
  CHECK(given_up_repeats(wanted, asked, campaign_of(6, 2), alarm).size() == 1);
  CHECK(wanted.empty());
}
