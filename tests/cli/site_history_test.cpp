#include "orchestrator/cli/site_history.hpp"

#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

AttemptRecord site_hpl_attempt(int index, double gflops, double foreign_cores) {
  AttemptRecord attempt = fixture::attempt(index, "hpl-reference-1n", fixture::hpl_result(gflops, 35));
  attempt.conditions->foreign_cores = foreign_cores;
  return attempt;
}

void store(const Workspace& workspace, CampaignRecord campaign) {
  for (CaseRecord& record : campaign.cases) record.planned.argv = {"/bin/true"};
  auto database = Database::open(workspace.database());
  REQUIRE(database);
  REQUIRE(database->add_campaign(campaign));
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      REQUIRE(database->record_attempt(campaign.id, record.planned.id, attempt));
}

/// The values of HPL that the page counts.
std::vector<double> counted_hpl(const Workspace& workspace) {
  const auto history = gathered_history(workspace, {{}, 0, workspace.folder});
  REQUIRE(history);
  const SiteSystem& system = history->systems.front();
  std::vector<double> values;
  for (const MetricSeries& series : system.series.series)
    for (const SeriesPoint& point : series.points)
      if (series.suite == "hpl" && series.metric == "rmax_gflops" && system.counts[point.run])
        values.push_back(point.value);
  return values;
}

}  // namespace

TEST_CASE("the history page counts what reports count: no disturbed attempt that was measured again") {
  const TemporaryFolder temporary;
  CampaignRecord campaign = fixture::quick_campaign();
  fixture::hpl(campaign).attempts = {site_hpl_attempt(1, 93, 1.0), site_hpl_attempt(2, 80, 0.03)};
  store({temporary.path}, campaign);
  CHECK(counted_hpl({temporary.path}) == std::vector<double>{80});
}

TEST_CASE("the history page counts no disturbed attempt that was measured again on other nodes") {
  const TemporaryFolder temporary;
  CampaignRecord campaign = fixture::quick_campaign();
  fixture::hpl(campaign).attempts = {site_hpl_attempt(1, 93, 1.0), site_hpl_attempt(2, 80, 0.03)};
  fixture::hpl(campaign).attempts[1].hosts = "cn7";
  store({temporary.path}, campaign);
  CHECK(counted_hpl({temporary.path}) == std::vector<double>{80});
}

TEST_CASE("the history page counts disturbed attempts where none is undisturbed") {
  const TemporaryFolder temporary;
  CampaignRecord campaign = fixture::quick_campaign();
  fixture::hpl(campaign).attempts = {site_hpl_attempt(1, 93, 1.0), site_hpl_attempt(2, 80, 1.0)};
  store({temporary.path}, campaign);
  CHECK(counted_hpl({temporary.path}).size() == 2);
}

TEST_CASE("the history page does not count the repeats of a suspect, as reports do not") {
  const TemporaryFolder temporary;
  CampaignRecord campaign = fixture::quick_campaign();
  CaseRecord repeat = fixture::hpl(campaign);
  repeat.planned.id += "-r2";
  repeat.planned.confirms = true;
  repeat.attempts = {site_hpl_attempt(1, 70, 0.03)};
  fixture::hpl(campaign).attempts = {site_hpl_attempt(1, 93, 0.03)};
  campaign.cases.push_back(repeat);
  store({temporary.path}, campaign);
  CHECK(counted_hpl({temporary.path}) == std::vector<double>{93});
}
