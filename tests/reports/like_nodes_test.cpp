// Many nodes, each measured by itself: what the page shows of them.
#include "reports/html/other_cases.hpp"

#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

CaseRecord on_node(int node, double rmax_gflops) {
  CaseRecord record = fixture::hpl_case(rmax_gflops);
  record.planned.hosts = "cn" + std::to_string(node);
  record.planned.id = "hpl-each-" + record.planned.hosts;
  record.planned.bound = true;
  return record;
}

/// HPL on each of 20 nodes at 50 GFLOP/s, on cn7 at 48.
CampaignRecord campaign_of_nodes() {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.cases.clear();
  for (int node = 1; node <= 20; ++node) campaign.cases.push_back(on_node(node, node == 7 ? 48 : 50));
  return campaign;
}

std::string page_of(const CampaignRecord& campaign) {
  return fixture::rendered("html", MeasuredCampaign(campaign), fixture::judged(campaign));
}

std::size_t like_nodes_count(const std::string& text, std::string_view wanted) {
  std::size_t n = 0;
  for (std::size_t at = text.find(wanted); at != std::string::npos; at = text.find(wanted, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("of like nodes the first and the slowest have a section, and each that is not like them") {
  CampaignRecord campaign = campaign_of_nodes();
  campaign.cases[11].attempts[0].results[0].validity = Validity::invalid;
  campaign.cases[14].attempts.push_back(campaign.cases[14].attempts[0]);
  campaign.cases[14].attempts[1].index = 2;
  campaign.cases[16].attempts.clear();
  const auto sections = sections_of(MeasuredCampaign(campaign));
  for (std::size_t i = 0; i < sections.size(); ++i) {
    INFO(campaign.cases[i].planned.id);
    CHECK(sections[i] == (i == 0 || i == 6 || i == 11 || i == 14));
  }
}

TEST_CASE("what a scheduled check repeated to confirm is one row, by its median, and one metric") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.cases.clear();
  for (int repetition = 1; repetition <= 5; ++repetition) {
    CaseRecord record = on_node(3, 46 + repetition);
    record.planned.repetition = repetition;
    if (repetition > 1) record.planned.id += "-r" + std::to_string(repetition);
    campaign.cases.push_back(record);
  }
  CHECK(like_nodes(MeasuredCampaign(campaign)).empty());  // of an acceptance each run has its row
  campaign.kind = "regression";
  const auto groups = like_nodes(MeasuredCampaign(campaign));
  REQUIRE(groups.size() == 1);
  CHECK(groups[0].repeated);
  CHECK(sections_of(MeasuredCampaign(campaign)) == std::vector<bool>{true, false, false, false, false});
  const std::string page = page_of(campaign);
  CHECK(like_nodes_count(page, "Rmax, 5 runs") == 1);
  CHECK(like_nodes_count(page, ", median of 5 cases") == 1);
  CHECK(page.find("the least is 47.00 GFLOP/s (hpl-each-cn3)") != std::string::npos);
}

TEST_CASE("two cases on a node each, and those whose names differ otherwise, are no like nodes") {
  CampaignRecord campaign = campaign_of_nodes();
  campaign.cases.resize(2);
  CHECK(like_nodes(MeasuredCampaign(campaign)).empty());
  campaign = campaign_of_nodes();
  campaign.cases.resize(4);
  for (std::size_t i = 0; i < 4; ++i) campaign.cases[i].planned.id = "other-" + std::to_string(i);
  CHECK(like_nodes(MeasuredCampaign(campaign)).empty());
  CHECK(sections_of(MeasuredCampaign(campaign)) == std::vector<bool>(4, true));
}

TEST_CASE("the page has one row for the metric of all like nodes, with the least and its node") {
  const std::string page = page_of(campaign_of_nodes());
  CHECK(like_nodes_count(page, "Rmax, each of 20 nodes") == 1);
  CHECK(page.find("median; the least is 48.00 GFLOP/s (hpl-each-cn7)") != std::string::npos);
  CHECK(like_nodes_count(page, ">hpl-each-cn9<") == 1);  // a row among the other cases
}

TEST_CASE("nodes that measured nothing are counted in that row") {
  CampaignRecord campaign = campaign_of_nodes();
  campaign.cases[3].attempts.clear();
  CHECK(like_nodes_count(page_of(campaign), "Rmax, each of 19 of 20 nodes") == 1);
}
