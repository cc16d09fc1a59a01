// The campaigns of the golden reports and of the gallery.
#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "orchestrator/inventory/hostlist.hpp"
#include "tests/reports/hundred_nodes.hpp"

using namespace shakedown;

namespace {

void check_logs(const CampaignRecord& campaign) {
  std::set<std::string> logs;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      INFO(record.planned.id);
      for (const FileRecord& file : attempt.files)
        if (file.name == "stdout.log") CHECK(logs.insert(file.sha256).second);
      for (const ResultRecord& result : attempt.results)
        if (const Metric* time = result.parsed.metric("time_s")) CHECK(time->value < attempt.wall_s);
    }
}

/// Attempts lie within their campaign, and a node runs one at a time.
void check_times(const CampaignRecord& campaign) {
  std::map<std::string, std::vector<std::pair<double, double>>> busy;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      INFO(record.planned.id);
      CHECK(attempt.started_s >= campaign.created_s);
      CHECK(attempt.finished_s <= campaign.finished_s);
      CHECK(attempt.finished_s == Approx(attempt.started_s + attempt.wall_s));
      const auto nodes = expanded_hostlist(record.planned.hosts);
      REQUIRE(nodes);
      CHECK(nodes->size() == static_cast<std::size_t>(record.planned.nodes));
      for (const std::string& node : *nodes) {
        for (const auto& [from, to] : busy[node])
          CHECK((attempt.finished_s <= from || attempt.started_s >= to));
        busy[node].emplace_back(attempt.started_s, attempt.finished_s);
      }
    }
}

}  // namespace

TEST_CASE("the made-up campaigns do not contradict themselves") {
  for (const CampaignRecord& campaign : {fixture::five_suites(), fixture::hundred_nodes()}) {
    INFO(campaign.id);
    check_logs(campaign);
    check_times(campaign);
  }
}

TEST_CASE("an excluded node runs nothing afterwards") {
  const CampaignRecord campaign = fixture::hundred_nodes();
  REQUIRE(campaign.exclusions.size() == 1);
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      const auto nodes = expanded_hostlist(record.planned.hosts);
      REQUIRE(nodes);
      INFO(record.planned.id);
      if (attempt.started_s > campaign.exclusions[0].at_s)
        CHECK(std::ranges::find(*nodes, campaign.exclusions[0].node) == nodes->end());
    }
}
