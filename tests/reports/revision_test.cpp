// Criteria that were changed after the campaign began.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/compare/line_diff.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::judged;

namespace {

std::string revision_contract(int limit) {
  return "title = 'Contract'\n\n[[criteria]]\nid = 'rate'\ntitle = 'HPL is fast'\nsuite = 'hpl'\n"
         "metric = 'rmax_gflops'\ndirection = '>='\nlimit = " +
         std::to_string(limit) +
         "\naggregation = 'median'\nseverity = 'mandatory'\nlimit_source = 'contract 4.2'\n";
}

/// 93 GFLOP/s, where 100 were agreed on at first and 90 afterwards.
CampaignRecord revised_campaign() {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  campaign.criteria_name = "contract.toml";
  campaign.criteria_text = revision_contract(100);
  campaign.criteria_revisions = {
      {2, "amended.toml", revision_contract(90), "the vendor asked for it", 1795290000}};
  return campaign;
}

std::string revision_rendered(std::string_view id, const CampaignRecord& campaign) {
  return fixture::rendered(id, MeasuredCampaign(campaign), judged(campaign));
}

}  // namespace

TEST_CASE("the newest criteria judge, and the verdict by each revision stands beside it") {
  CampaignRecord campaign = revised_campaign();
  const Judgement judgement = judged(campaign);
  CHECK(judgement.sentence ==
        "accepted by revision 2 of the criteria (the vendor asked for it): a median of one run (rate)");
  CHECK(judgement.exit_code == 0);
  REQUIRE(judgement.revisions.size() == 2);
  CHECK(judgement.revisions[0].criteria.number == 1);
  CHECK(judgement.revisions[0].overall == Verdict::fail);
  CHECK(judgement.revisions[0].sentence == "not accepted: rate: 93.18 GFLOP/s < 100.0 GFLOP/s (one result)");
  CHECK(judgement.revisions[1].overall == Verdict::pass);
  campaign.criteria_revisions.clear();
  CHECK(judged(campaign).revisions.empty());
  CHECK(judged(campaign).exit_code == 1);
}

TEST_CASE("the first page says that the criteria were revised, why, and the verdict by the old ones") {
  const CampaignRecord campaign = revised_campaign();
  const std::string page = revision_rendered("html", campaign);
  const std::string first = page.substr(0, page.find("</section>"));
  CHECK(first.find("Criteria: revision 2, given at 2026-11-21T19:40:00Z: the vendor asked for "
                   "it.") != std::string::npos);
  CHECK(first.find("By revision 1 (contract.toml): <b>Not accepted: rate: 93.18 GFLOP/s &lt; 100.0 GFLOP/s "
                   "(one result)</b>.") != std::string::npos);
  CHECK(first.find("(amended.toml), revision 2") != std::string::npos);
  CHECK(page.find("- limit = 100\n+ limit = 90\n") != std::string::npos);
  CHECK(revision_rendered("html", fixture::quick_campaign()).find("revision 2") == std::string::npos);
}

TEST_CASE("results.json lists the revisions with their hashes and verdicts") {
  const auto document = nlohmann::json::parse(revision_rendered("json", revised_campaign()));
  CHECK(document["verdict"] == "pass");
  CHECK(document["criteria_file"]["name"] == "amended.toml");
  CHECK(document["criteria_file"]["sha256"] == sha256(revision_contract(90)));
  const auto& revisions = document["criteria_revisions"];
  REQUIRE(revisions.size() == 2);
  CHECK(revisions[0]["verdict"] == "fail");
  CHECK(revisions[0]["sha256"] == sha256(revision_contract(100)));
  CHECK_FALSE(revisions[0].contains("reason"));
  CHECK(revisions[1]["revision"] == 2);
  CHECK(revisions[1]["reason"] == "the vendor asked for it");
  CHECK(revisions[1]["since"] == "2026-11-21T19:40:00Z");
  CHECK_FALSE(nlohmann::json::parse(revision_rendered("json", fixture::quick_campaign()))
                  .contains("criteria_revisions"));
}

TEST_CASE("a broken commitment stands on the first page and in results.json") {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.commitment = Commitment{"5a5a", {{"plan.json", "11"}, {"program /opt/xhpl", "22"}}, {"program x"}};
  std::string page = revision_rendered("html", campaign);
  CHECK(page.find("5a5a") != std::string::npos);
  CHECK(page.find("could not be read where the campaign was started") != std::string::npos);
  CHECK(page.substr(0, page.find("</section>")).find("Fixed by hash before the first run") !=
        std::string::npos);
  CHECK(page.find("is broken") == std::string::npos);
  campaign.breaches = {"plan.json in the campaign's folder is gone"};
  page = revision_rendered("html", campaign);
  const std::string first = page.substr(0, page.find("</section>"));
  CHECK(first.find("the commitment is broken: plan.json in the campaign&apos;s folder is gone.") !=
        std::string::npos);
  const auto document = nlohmann::json::parse(revision_rendered("json", campaign));
  CHECK(document["commitment"]["root"] == "5a5a");
  CHECK(document["commitment"]["parts"][1]["name"] == "program /opt/xhpl");
  CHECK(document["commitment"]["unread"][0] == "program x");
  CHECK(document["commitment"]["breaches"].size() == 1);
  CHECK_FALSE(
      nlohmann::json::parse(revision_rendered("json", fixture::quick_campaign())).contains("commitment"));
}

TEST_CASE("a diff shows the lines that went and came, with those around them") {
  CHECK(line_diff("a\nb\n", "a\nb\n").empty());
  CHECK(line_diff("", "").empty());
  CHECK(line_diff("", "a\n") == "+ a\n");
  CHECK(line_diff("a\n", "") == "- a\n");
  CHECK(line_diff("1\n2\n3\n4\n5\n6\n7\n", "1\n2\n3\n4\nfive\n6\n7\n") ==
        "...\n  3\n  4\n- 5\n+ five\n  6\n  7\n");
  CHECK(line_diff("a\nb\nc\nd\ne\nf\ng\nh\n", "b\nc\nd\ne\nf\ng\nh\ni\n") ==
        "- a\n  b\n  c\n...\n  g\n  h\n+ i\n");
}
