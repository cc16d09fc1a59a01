// Waivers: what they lift, and what they don't.
#include "reports/judge/criteria.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "orchestrator/core/time.hpp"
#include "reports/formats/format.hpp"
#include "reports/judge/overall.hpp"
#include "reports/judge/waived_breach.hpp"
#include "tests/reports/five_suites.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::hpl;
using fixture::judged;

namespace {

std::string waiver(const std::string& id, const std::string& expires = "2027-03-31") {
  return "[[waivers]]\ncriterion = '" + id +
         "'\nreason = 'the second switch is on order'\napprover = 'acceptance board'\nexpires = " + expires +
         "\n";
}

/// A campaign whose HPL misses its efficiency, with a waiver's text behind its criteria.
CampaignRecord slow_campaign(const std::string& waivers) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  hpl(campaign) = fixture::hpl_case(60);
  campaign.criteria_text += "\n" + waivers;
  return campaign;
}

std::string waiver_refusal(const std::string& waivers) {
  const auto read = read_criteria(fixture::quick_campaign().criteria_text + "\n" + waivers, "c.toml");
  return read ? "" : to_string(read.error());
}

}  // namespace

TEST_CASE("a waived criterion keeps its own verdict and no longer stops acceptance") {
  CHECK(judged(slow_campaign("")).exit_code == 1);
  const Judgement judgement = judged(slow_campaign(waiver("hpl-efficiency")));
  const CriterionResult& waived = criterion(judgement, "hpl-efficiency");
  CHECK(waived.verdict == Verdict::fail);
  CHECK(waived.waived);
  CHECK(judgement.overall == Verdict::pass);
  CHECK(judgement.exit_code == 0);
  CHECK(judgement.waivers == 1);
  CHECK(judgement.sentence ==
        "accepted with 1 waiver: hpl-efficiency is fail (54.0 % < 70.5 %), waived by acceptance board, until "
        "2027-03-31 (the "
        "second switch is on order); a median of one run (gemm-rpeak); not planned: HPCG, HPL-MxP, IO500 "
        "and 2 "
        "more");
}

TEST_CASE("a waiver lifts what is not run as well as what fails, and nothing else") {
  CampaignRecord campaign = slow_campaign(waiver("hpl-efficiency") + waiver("hpl-valid"));
  hpl(campaign).attempts.clear();
  Judgement judgement = judged(campaign);
  CHECK(judgement.sentence.starts_with("accepted with 2 waivers: "));
  CHECK(criterion(judgement, "hpl-valid").verdict == Verdict::not_run);

  campaign = slow_campaign(waiver("hpl-valid"));
  judgement = judged(campaign);
  CHECK(judgement.exit_code == 1);  // the failing criterion is another one
  CHECK(judgement.waivers == 0);
  REQUIRE(judgement.waiver_remarks.size() == 1);
  CHECK(judgement.waiver_remarks[0] ==
        "the waiver of hpl-valid by acceptance board was not needed: the criterion passes");
}

TEST_CASE("an expired waiver says so and does nothing; its last day still counts") {
  // The campaign ended on 2026-11-21.
  Judgement judgement = judged(slow_campaign(waiver("hpl-efficiency", "2026-11-20")));
  CHECK(judgement.exit_code == 1);
  CHECK_FALSE(criterion(judgement, "hpl-efficiency").waived);
  REQUIRE(judgement.waiver_remarks.size() == 1);
  CHECK(judgement.waiver_remarks[0].starts_with(
      "the waiver of hpl-efficiency by acceptance board does nothing: it held until 2026-11-20"));
  judgement = judged(slow_campaign(waiver("hpl-efficiency", "\"2026-11-21\"")));
  CHECK(judgement.exit_code == 0);
}

TEST_CASE("a waiver that expired after the campaign ended still counts, and it is said that it has expired") {
  // The campaign ended on 2026-11-21; the waiver's last day is 2027-03-31.
  const Judgement judgement =
      judged(slow_campaign(waiver("hpl-efficiency") + waiver("hpl-valid", "2026-12-01")));
  CHECK(judgement.exit_code == 0);
  CHECK(expired_since(judgement, utc_seconds("2027-03-31T23:59:59").value()).empty());
  // That of the criterion that passes was expired long before: no verdict rests on it.
  CHECK(
      expired_since(judgement, utc_seconds("2027-04-01T00:00:00").value()) ==
      std::vector<std::string>{
          "the verdict rests on the waiver of hpl-efficiency by acceptance board, which held until "
          "2027-03-31 "
          "and has expired since: it counts as it stood when the campaign ended or was given its criteria"});
}

TEST_CASE("a waiver of several criteria is said to have expired once") {
  CampaignRecord campaign = slow_campaign(waiver("hpl-efficiency"));
  campaign.cases.push_back(fixture::hpl_case(40));
  campaign.cases.back().planned.id = "hpl-hpcc-1n";
  campaign.cases.back().planned.implementation = "hpcc";
  const Judgement judgement = judged(campaign);
  CHECK(judgement.exit_code == 0);
  CHECK(expired_since(judgement, utc_seconds("2027-04-01T00:00:00").value()).size() == 1);
}

TEST_CASE("a waiver that is given after the run is judged by the day on which it was given") {
  CampaignRecord campaign = slow_campaign("");
  CriteriaRevision revision{2, "quick.toml",
                            campaign.criteria_text + "\n" + waiver("hpl-efficiency", "2026-12-31"),
                            "waiver 1", 1795284309 + 86400.0 * 60};
  campaign.criteria_revisions = {revision};
  CHECK(judged(campaign).exit_code == 1);  // two months later it had expired
  campaign.criteria_revisions[0].at_s = 1795284309 + 86400.0;
  const Judgement judgement = judged(campaign);
  CHECK(judgement.exit_code == 0);
  REQUIRE(judgement.revisions.size() == 2);
  CHECK(judgement.revisions[0].exit_code == 1);
}

TEST_CASE("a waiver may speak of one case of its criterion alone") {
  CampaignRecord campaign = slow_campaign(waiver("hpl-efficiency@hpl-hpcc-1n"));
  campaign.cases.push_back(fixture::hpl_case(40));
  campaign.cases.back().planned.id = "hpl-hpcc-1n";
  campaign.cases.back().planned.implementation = "hpcc";
  const Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "hpl-efficiency@hpl-hpcc-1n").waived);
  CHECK_FALSE(criterion(judgement, "hpl-efficiency@hpl-reference-1n").waived);
  CHECK(judgement.exit_code == 1);
}

TEST_CASE(
    "a waiver that states how far it goes lifts nothing beyond, and the report prints that beside the "
    "reason") {
  Judgement judgement = judged(slow_campaign(waiver("hpl-efficiency") + "limit = 0.5\n"));
  CHECK(criterion(judgement, "hpl-efficiency").waived);
  judgement = judged(slow_campaign(waiver("hpl-efficiency") + "limit = 0.6\n"));
  CHECK_FALSE(criterion(judgement, "hpl-efficiency").waived);
  CHECK(judgement.exit_code == 1);
  CHECK(judgement.sentence.find(
            "; not waived by acceptance board: it goes down to 60.0 %, and the result has ") !=
        std::string::npos);
  REQUIRE(judgement.waiver_remarks.size() == 1);
  CHECK(judgement.waiver_remarks[0].starts_with(
      "the waiver of hpl-efficiency by acceptance board does nothing: it goes down to 60.0 %"));
}

TEST_CASE("a waiver that names nodes covers no other node") {
  CHECK_FALSE(waiver_refusal(waiver("hpl-valid") + "nodes = 'cn['\n").empty());
  CriterionResult result;
  result.metric = "rmax_gflops";
  result.verdict = Verdict::fail;
  result.nodes = {{"cn1", Verdict::pass, 60.0, 1, ""},
                  {"cn2", Verdict::fail, 41.0, 1, ""},
                  {"cn3", Verdict::fail, 44.0, 1, ""}};
  Waiver given;
  CHECK(beyond_waiver(given, result).empty());  // free text alone
  given.nodes = "cn[2-3]";
  CHECK(beyond_waiver(given, result).empty());
  given.limit = 42;
  CHECK(beyond_waiver(given, result) == "it goes down to 42.00 GFLOP/s, and cn2 has 41.00 GFLOP/s");
  result.unmet = "3 nodes were excluded, and the criterion allows 2";
  CHECK(beyond_waiver(given, result) ==
        "it covers values alone, and 3 nodes were excluded, and the criterion allows 2");
  CHECK(beyond_waiver(Waiver(), result).empty());  // of the whole criterion
  result.unmet.clear();
  given.nodes = "cn2";
  CHECK(beyond_waiver(given, result) == "it covers cn2, not cn3");
}

TEST_CASE("a waiver without a criterion, a reason, an approver or a day is refused") {
  CHECK(waiver_refusal(waiver("hpl-eficiency"))
            .find("no criterion 'hpl-eficiency' (did you mean 'hpl-efficiency'?)") != std::string::npos);
  CHECK(waiver_refusal("[[waivers]]\ncriterion = 'hpl-valid'\napprover = 'b'\nexpires = 2027-01-01\n")
            .find("'reason' is missing") != std::string::npos);
  CHECK(waiver_refusal("[[waivers]]\ncriterion = 'hpl-valid'\nreason = 'r'\nexpires = 2027-01-01\n")
            .find("'approver' is missing") != std::string::npos);
  CHECK(waiver_refusal("[[waivers]]\ncriterion = 'hpl-valid'\nreason = 'r'\napprover = 'b'\n")
            .find("'expires' is missing") != std::string::npos);
  CHECK(waiver_refusal(waiver("hpl-valid", "\"2027-02-31\"")).find("'expires' must be a day") !=
        std::string::npos);
  CHECK(waiver_refusal(waiver("hpl-valid") + waiver("hpl-valid")).find("'hpl-valid' is waived twice") !=
        std::string::npos);
}

TEST_CASE("an advisory criterion needs no waiver") {
  CampaignRecord campaign = slow_campaign(waiver("gemm-rpeak"));
  std::string& criteria = campaign.criteria_text;
  criteria.replace(criteria.find("mandatory", criteria.find("gemm-rpeak")), 9, "advisory");
  const Judgement judgement = judged(campaign);
  CHECK(judgement.waivers == 0);
  CHECK(judgement.waiver_remarks.at(0).find("the criterion is advisory and stops no acceptance") !=
        std::string::npos);
}

TEST_CASE("waivers are frozen with the criteria and stand in the report, page one first") {
  const auto frozen = frozen_criteria(
      fixture::quick_campaign().criteria_text + "\n" + waiver("hpl-efficiency"), "c.toml", {});
  REQUIRE(frozen);
  const auto read = read_criteria(*frozen, "frozen");
  REQUIRE(read);
  REQUIRE(read->waivers.size() == 1);
  CHECK(read->waivers[0].expires == "2027-03-31");

  const CampaignRecord campaign = slow_campaign(waiver("hpl-efficiency"));
  const auto document = nlohmann::json::parse(fixture::rendered("json", campaign));
  CHECK(document["sentence"].get<std::string>().starts_with("accepted with 1 waiver"));
  CHECK(document["waivers"] == 1);
  for (const auto& each : document["criteria"])
    if (each["id"] == "hpl-efficiency") {
      CHECK(each["verdict"] == "fail");
      CHECK(each["waiver"]["approver"] == "acceptance board");
      CHECK(each["waiver"]["lifts"] == true);
    }
  const std::string page = fixture::rendered("html", campaign);
  CHECK(page.find("<h2>Accepted with 1 waiver</h2>") != std::string::npos);
  CHECK(page.find("waived by acceptance board, until 2027-03-31") < page.find("</section>"));
}

TEST_CASE("only a waiver that lifts a criterion itself is counted") {
  CampaignRecord campaign =
      slow_campaign(waiver("hpl-efficiency") + waiver("hpl-efficiency@hpl-reference-1n"));
  Judgement judgement = judged(campaign);
  CHECK(judgement.exit_code == 0);
  CHECK(judgement.waivers == 1);
  CHECK(judgement.sentence.find("with 1 waiver:") != std::string::npos);
}
