#include "orchestrator/campaign/case_status.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/campaign/job_book.hpp"
#include "tests/campaign/execution_bench.hpp"

using namespace shakedown;

TEST_CASE("a job that was submitted after the jobs were read is asked about by its own name") {
  Bench bench({on_this("a", "cn2")});
  bench.cluster.at_wait = [](ScriptedCluster&) { throw Killed(); };
  bench.is_killed();
  REQUIRE(bench.cluster.jobs.size() == 1);
  CampaignRecord campaign = read_campaign_folder(bench.folder()).value();
  const TemporaryFolder site;
  campaign.scheduler = (site.path / "ours.toml").string();
  REQUIRE(write_file(campaign.scheduler, R"(title = "ours"
tested = "rendered"
[submit]
command = ["false", "{script}"]
id = '^([0-9]+)$'
[poll]
command = ["echo", "{ids} R"]
record = '^([0-9]+) ([A-Z])'
running = ["R"]
[cancel]
command = ["false", "{id}"]
)"));
  const JobBook read_before;
  const CaseStatus status = case_statuses(bench.folder(), campaign, bench.options.layout, read_before).at(0);
  CHECK(status.job == bench.cluster.jobs[0].number);
  CHECK(status.hosts == "cn2");
  CHECK(status.state == "queued");
}
