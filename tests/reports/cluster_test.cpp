// The report on a cluster that lost nodes on the way.
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/judge/deviations.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

AttemptRecord failed(int index, const std::string& case_id) {
  AttemptRecord attempt = fixture::attempt(index, case_id, {});
  attempt.state = AttemptState::lost;
  attempt.exit_code.reset();
  attempt.results.clear();
  attempt.files = {fixture::job_script(case_id)};
  attempt.failure = "node failure, on cn7";
  attempt.failure_kind = FailureKind::node_failure;
  attempt.hosts = "cn[5-8]";
  attempt.job = "job-3";
  return attempt;
}

/// HPL planned for four nodes of eight: cn7 fails twice, and the case is planned again for three.
CampaignRecord campaign_that_lost_a_node() {
  CampaignRecord campaign = fixture::quick_campaign();
  CaseRecord planned = fixture::hpl_case();
  planned.planned.id = "hpl-4n";
  planned.planned.nodes = 4;
  planned.planned.hosts = "cn[1-4]";
  planned.planned.among = "cn[1-8]";
  planned.attempts = {failed(1, "hpl-4n"), failed(2, "hpl-4n")};
  planned.not_run = "needs 4 nodes, and cn7 is excluded (node failure): hpl-3n on 3 nodes took its place";
  CaseRecord replacement = fixture::hpl_case();
  replacement.planned.id = "hpl-3n";
  replacement.planned.nodes = 3;
  replacement.planned.hosts = "cn[1-3]";
  replacement.planned.stands_for = "hpl-4n";
  replacement.attempts[0].hosts = "cn[4-6]";
  campaign.cases[1] = planned;
  campaign.cases.push_back(replacement);
  campaign.exclusions = {{"cn7", "node failure", 1795284400}, {"dn1", "of another kind", 1795284401}};
  return campaign;
}

bool has(const std::vector<std::string>& sentences, const std::string& wanted) {
  for (const std::string& each : sentences) UNSCOPED_INFO(each);
  return std::find(sentences.begin(), sentences.end(), wanted) != sentences.end();
}

std::string cluster_rendered(std::string_view id, const CampaignRecord& campaign) {
  return fixture::rendered(id, MeasuredCampaign(campaign), fixture::judged(campaign));
}

}  // namespace

TEST_CASE("a run on fewer nodes than planned is a deviation that names the nodes that were lost") {
  const auto said = deviations(MeasuredCampaign(campaign_that_lost_a_node()));
  CHECK(has(said, "hpl-4n was planned for 4 nodes and ran on 3, as hpl-3n, without cn7"));
  CHECK(has(said, "cn7 was excluded at 2026-11-21T18:06:40Z: node failure"));
  CHECK(has(said, "hpl-4n, attempt 1 lost: node failure, on cn7; it does not count"));
  for (const std::string& sentence : said) CHECK(sentence.find("hpl-4n was not run") == std::string::npos);
}

TEST_CASE("an attempt that failed before another counted is said as the number that it took") {
  CampaignRecord campaign = fixture::quick_campaign();
  CaseRecord& record = fixture::hpl(campaign);
  record.attempts.insert(record.attempts.begin(), failed(1, record.planned.id));
  record.attempts[1].index = 2;
  const auto said = deviations(MeasuredCampaign(campaign));
  CHECK(has(said, "hpl-reference-1n needed 2 attempts: attempt 1 lost: node failure, on cn7"));
  for (const std::string& sentence : said) CHECK(sentence.find("it does not count") == std::string::npos);
}

TEST_CASE("an attempt that failed after one that counts is no attempt that the case needed") {
  CampaignRecord campaign = fixture::quick_campaign();
  CaseRecord& record = fixture::hpl(campaign);
  record.attempts.push_back(failed(2, record.planned.id));
  const auto said = deviations(MeasuredCampaign(campaign));
  CHECK(has(said, "hpl-reference-1n, attempt 2 lost: node failure, on cn7; it does not count"));
  for (const std::string& sentence : said) CHECK(sentence.find(" needed ") == std::string::npos);
}

TEST_CASE("a lost node is named once, and its case was not run again") {
  CampaignRecord campaign = fixture::quick_campaign();
  CaseRecord& record = fixture::hpl(campaign);
  record.planned.hosts = "cn[7-8]";
  record.attempts = {failed(1, record.planned.id)};
  record.attempts[0].failure = "node cn7 was lost";
  record.attempts[0].failure_kind = FailureKind::node_failure;
  record.not_run = "cn7 is excluded: stayed down";
  const auto said = deviations(MeasuredCampaign(campaign));
  CHECK(has(said, "hpl-reference-1n, attempt 1 lost: node cn7 was lost; it does not count"));
  CHECK(has(said, "hpl-reference-1n was not run again: cn7 is excluded: stayed down"));
}

TEST_CASE("what excluded a node is said in a few words where the exceptions have the whole") {
  const CampaignRecord campaign = fixture::quick_campaign();
  const auto brief = [&](std::string because) {
    return brief_cause({"cn7", std::move(because), 1795284400}, campaign);
  };
  CHECK(brief("hpl-reference-1n: rank 0 on cn7 ended with exit code 1; line 36: HPL skipped this test; "
              "stderr.log ends with 'x'") == "HPL skipped this test");
  CHECK(brief("hpl-reference-1n: rank 0 on cn7 ended with exit code 1; stderr.log ends with 'x'") ==
        "rank 0 ended with exit code 1");
  CHECK(
      brief(
          "was still down after 45.1 s: DOWN+NOT_RESPONDING, 'Not responding [root@2026-11-28T09:10:16]'") ==
      "was still down after 45.1 s");
  CHECK(brief("by the operator (root on vm): a fan is broken") ==
        "by the operator (root on vm): a fan is broken");
}

TEST_CASE("cases that were not run for one reason share a sentence") {
  CampaignRecord campaign = fixture::quick_campaign();
  for (int i = 1; i <= 40; ++i) {
    CaseRecord record = fixture::hpl_case();
    record.planned.id = "stream-cn" + std::to_string(i);
    record.attempts.clear();
    record.not_run = i <= 38 ? "stage 0 did not pass: gemm: exit code 1" : "cn39 is excluded: node failure";
    campaign.cases.push_back(record);
  }
  const auto said = deviations(MeasuredCampaign(campaign));
  CHECK(has(said,
            "stream-cn1, stream-cn2, stream-cn3, stream-cn4, stream-cn5 and 33 more were not run: stage 0 "
            "did not pass: gemm: exit code 1"));
  CHECK(has(said, "stream-cn39, stream-cn40 were not run: cn39 is excluded: node failure"));
}

TEST_CASE("many excluded nodes leave room for the other deviations") {
  CampaignRecord campaign = fixture::quick_campaign();
  for (int i = 1; i <= 30; ++i)
    campaign.exclusions.push_back({"cn" + std::to_string(i), "node failure", 1795284400});
  const auto said = deviations(MeasuredCampaign(campaign));
  CHECK(has(said, "22 more nodes were excluded, for reasons that stand in results.json: cn[9-30]"));
  CHECK(said.size() < 12);
}

TEST_CASE("results.json holds exclusions, reasons, stand-ins, and of each attempt its nodes and job") {
  const auto document = nlohmann::json::parse(cluster_rendered("json", campaign_that_lost_a_node()));
  REQUIRE(document["exclusions"].size() == 2);
  CHECK(document["exclusions"][0]["node"] == "cn7");
  CHECK(document["exclusions"][0]["at"] == "2026-11-21T18:06:40Z");
  const auto& planned = document["cases"][1];
  CHECK(planned["not_run"].get<std::string>().find("needs 4 nodes") == 0);
  CHECK(planned["attempts"][0]["failure_kind"] == "node-failure");
  CHECK(planned["attempts"][0]["hosts"] == "cn[5-8]");
  CHECK(planned["attempts"][0]["job"] == "job-3");
  CHECK(document["cases"][2]["stands_for"] == "hpl-4n");
  CHECK_FALSE(
      nlohmann::json::parse(cluster_rendered("json", fixture::quick_campaign())).contains("exclusions"));
}

TEST_CASE("the page shows the nodes that an attempt got where they are not those planned") {
  const std::string page = cluster_rendered("html", campaign_that_lost_a_node());
  CHECK(page.find("on cn[4-6]") != std::string::npos);
  CHECK(page.find("in place of hpl-4n") != std::string::npos);
  CHECK(page.find("not run again: needs 4 nodes, and cn7 is excluded") != std::string::npos);
  const std::string first = fixture::results_section(page);
  CHECK(first.find("hpl-4n was planned for 4 nodes and ran on 3, as hpl-3n, without cn7.") !=
        std::string::npos);
}

TEST_CASE("the page lists the campaigns of the system that were accepted before, with what they measured") {
  const CampaignRecord campaign = fixture::quick_campaign();
  Judgement judgement = fixture::judged(campaign);
  CHECK(fixture::rendered("html", MeasuredCampaign(campaign), judgement).find("id=\"history\"") ==
        std::string::npos);
  judgement.history.push_back({.acceptance = {.system = campaign.system,
                                              .campaign = "2026-05-02T08-00-00Z-n1",
                                              .at_s = 1777708800,
                                              .by = "A. Board <a@b>",
                                              .why = "handover",
                                              .part = false},
                               .verdict = "accepted with 1 waiver: hpl-rmax is fail",
                               .measured = {{"hpl-rmax", "rmax_gflops", 91.5}}});
  const std::string page = fixture::rendered("html", MeasuredCampaign(campaign), judgement);
  for (const char* text : {"href=\"#history\"", "2026-05-02T08:00:00Z", "A. Board &lt;a@b&gt;",
                           "hpl-rmax 91.50 GFLOP/s", ">Accepted with 1 waiver</td>"}) {
    INFO(text);
    CHECK(page.find(text) != std::string::npos);
  }
}
