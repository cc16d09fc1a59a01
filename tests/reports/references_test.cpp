// Limits that are a part of something else, and what is shown beside a criterion.
#include "reports/judge/references.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "tests/reports/five_suites.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::hpl;
using fixture::judged;

namespace {

std::string references_rate(const std::string& keys) {
  return "title = 'Contract'\n[[criteria]]\nid = 'rate'\ntitle = 'HPL is fast'\nsuite = 'hpl'\n"
         "metric = 'rmax_gflops'\ndirection = '>='\naggregation = 'median'\nseverity = 'mandatory'\n" +
         keys;
}

const std::string references_contract = "contract = { value = 100, source = 'contract 4.2' }\n";

CampaignRecord campaign_with(const std::string& criteria, double gflops = 93.182) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.kind = "acceptance";
  campaign.criteria_text = criteria;
  hpl(campaign) = fixture::hpl_case(gflops);
  return campaign;
}

/// What `accepted` measured, as the caller of frozen_criteria hands it over.
LastAccepted from(const CampaignRecord& accepted) {
  return references_to(std::make_shared<const MeasuredCampaign>(accepted), "accepted by the board",
                       read_comparability(fixture::comparability(), "t").value());
}

std::string frozen(const std::string& criteria, const LastAccepted& accepted = {}) {
  const auto text = frozen_criteria(criteria, "c.toml", {}, accepted);
  if (!text) throw std::runtime_error(to_string(text.error()));
  return *text;
}

}  // namespace

TEST_CASE("a limit may be a part of the contract's value, which then stands beside the measured one") {
  const std::string text =
      frozen(references_rate(references_contract + "relative_to = 'contract'\nfactor = 0.95\n"));
  const CriterionResult below = criterion(judged(campaign_with(text)), "rate");
  CHECK(*below.limit == Approx(95));
  CHECK(below.limit_source == "0.95 x 100.000 = 95.0000 (contract 4.2)");
  CHECK(below.verdict == Verdict::fail);
  REQUIRE(below.references.size() == 1);
  CHECK(below.references[0].kind == ReferenceKind::contract);
  CHECK(*below.references[0].ratio == Approx(0.93182));
  CHECK(criterion(judged(campaign_with(text, 96)), "rate").verdict == Verdict::pass);
  const auto without = read_criteria(references_rate("relative_to = 'contract'\nfactor = 0.95\n"), "c.toml");
  REQUIRE_FALSE(without);
  CHECK(without.error().what == "the criterion states no contract value");
}

TEST_CASE("a contract's value beside an absolute limit decides nothing") {
  const std::string text =
      frozen(references_rate(references_contract + "limit = 50\nlimit_source = 'floor'\n"));
  const CriterionResult result = criterion(judged(campaign_with(text)), "rate");
  CHECK(result.verdict == Verdict::pass);
  CHECK(!result.limit_of);
  CHECK(result.references.at(0).value == 100);
}

TEST_CASE(
    "a limit may be a part of what the last accepted campaign measured, frozen when the next one begins") {
  const CampaignRecord accepted = campaign_with("title = 'T'\n", 90);
  const std::string relative = references_rate("relative_to = 'last-accepted'\nfactor = 0.98\n");
  const std::string text = frozen(relative, from(accepted));
  const CriterionResult result = criterion(judged(campaign_with(text, 93)), "rate");
  CHECK(*result.limit == Approx(88.2));
  CHECK(result.verdict == Verdict::pass);
  CHECK(result.limit_source.find("0.98 x 90.0000 GFLOP/s = 88.2000 GFLOP/s (" + accepted.id) !=
        std::string::npos);
  CHECK(*result.references.at(0).ratio == Approx(93 / 90.0));
  CHECK(result.references.at(0).source == "hpl-reference-1n, one result, accepted by the board");
  CHECK(criterion(judged(campaign_with(text, 88.1)), "rate").verdict == Verdict::fail);
  // Freezing it again later, with another accepted campaign, moves nothing.
  const CampaignRecord later = campaign_with("title = 'T'\n", 200);
  CHECK(*criterion(judged(campaign_with(frozen(text, from(later)), 93)), "rate").limit == Approx(88.2));
}

TEST_CASE("without an accepted campaign, what is relative to it is undecided") {
  const std::string text = frozen(references_rate("relative_to = 'last-accepted'\nfactor = 0.98\n"));
  const Judgement judgement = judged(campaign_with(text));
  CHECK(criterion(judgement, "rate").verdict == Verdict::undecided);
  CHECK(criterion(judgement, "rate").because ==
        "no campaign of this system was accepted before this one began, so there is no limit");
  CHECK(judgement.exit_code == 3);
}

TEST_CASE("another number of nodes than the accepted campaign had is not comparable") {
  CampaignRecord accepted = campaign_with("title = 'T'\n", 90);
  hpl(accepted).planned.nodes = 4;
  const std::string text =
      frozen(references_rate("relative_to = 'last-accepted'\nfactor = 0.98\n"), from(accepted));
  const CriterionResult result = criterion(judged(campaign_with(text)), "rate");
  CHECK(result.verdict == Verdict::not_comparable);
  CHECK(result.because.find("4 nodes there, 1 here") != std::string::npos);
}

TEST_CASE("a metric that the table does not name may be set beside the same system's, on as many nodes") {
  const std::string gemm =
      "title = 'T'\n[[criteria]]\nid = 'gemm'\ntitle = 'GEMM'\nsuite = 'gemm'\nmetric = 'fp64_gflops'\n"
      "direction = '>='\naggregation = 'median'\nseverity = 'mandatory'\nrelative_to = 'last-accepted'\n"
      "factor = 0.98\n";
  CampaignRecord accepted = campaign_with("title = 'T'\n");
  const std::string text = frozen(gemm, from(accepted));
  CHECK(criterion(judged(campaign_with(text)), "gemm").verdict == Verdict::pass);
  fixture::gemm(accepted).planned.nodes = 2;
  CHECK(criterion(judged(campaign_with(frozen(gemm, from(accepted)))), "gemm").verdict ==
        Verdict::not_comparable);
}

TEST_CASE("an accepted campaign whose run was invalid gives no reference, two cases give no single one") {
  const auto table = read_comparability(fixture::comparability(), "t").value();
  CampaignRecord accepted = campaign_with("title = 'T'\n", 90);
  const auto asked =
      read_criteria(references_rate("limit = 1\nlimit_source = 's'\n"), "c.toml").value().criteria[0];
  CHECK(accepted_value(MeasuredCampaign(accepted), asked, table)->value->value == 90);
  accepted.cases.push_back(fixture::hpl_case(80));
  accepted.cases.back().planned.id = "hpl-hpcc-1n";
  const auto two = accepted_value(MeasuredCampaign(accepted), asked, table);
  REQUIRE_FALSE(two);
  CHECK(two.error().what.find("2 cases of " + accepted.id) == 0);
  accepted.cases.pop_back();
  hpl(accepted).attempts[0].results[0].validity = Validity::invalid;
  CHECK_FALSE(accepted_value(MeasuredCampaign(accepted), asked, table)->value);
}

TEST_CASE("an accepted campaign without a criterion's value is named with the reason, not taken for none") {
  const CampaignRecord accepted = campaign_with("title = 'T'\n", 90);  // one run
  const std::string text =
      frozen(references_rate("relative_to = 'last-accepted'\nfactor = 0.98\nruns_min = 2\n"), from(accepted));
  CampaignRecord campaign = campaign_with(text, 93);
  hpl(campaign).attempts.push_back(fixture::attempt(2, "hpl-reference-1n", fixture::hpl_result(93, 35)));
  const CriterionResult result = criterion(judged(campaign), "rate");
  CHECK(result.verdict == Verdict::undecided);
  CHECK(result.because ==
        accepted.id +
            " was accepted, and has no value for this criterion: 1 run, and the criterion takes 2 "
            "at least, so there is no limit");
}

TEST_CASE("a criterion that asks for nodes takes its reference from the case on as many") {
  CampaignRecord accepted = campaign_with("title = 'T'\n", 20);
  accepted.cases.push_back(fixture::hpl_case(90));
  accepted.cases.back().planned.id = "hpl-reference-2n";
  accepted.cases.back().planned.nodes = 2;
  const std::string text = frozen(
      references_rate("relative_to = 'last-accepted'\nfactor = 0.98\nnodes_required = 2\n"), from(accepted));
  CampaignRecord campaign = campaign_with(text, 93);
  hpl(campaign).planned.nodes = 2;
  const CriterionResult result = criterion(judged(campaign), "rate");
  REQUIRE(result.limit);
  CHECK(*result.limit == Approx(88.2));
  CHECK(result.verdict == Verdict::pass);
}

TEST_CASE("no criteria file may say what was accepted, and a limit of an unnamed reference decides nothing") {
  const auto invented =
      read_criteria(references_rate("relative_to = 'last-accepted'\nfactor = 0.9\n"
                                    "last_accepted = { id = 'x', value = 1.0, source = 'invented' }\n"),
                    "c.toml");
  REQUIRE_FALSE(invented);
  CHECK(invented.error().what ==
        "'last_accepted' is what a campaign finds when it begins, and no one states");
  for (const char* kind : {"published", "contract", "last-accepted"}) {
    const std::string limit = "limit = 1\nlimit_source = 's'\nlimit_of = '" + std::string(kind) + "'\n";
    const CriterionResult result = criterion(judged(campaign_with(references_rate(limit))), "rate");
    CHECK(result.verdict == Verdict::not_comparable);
    CHECK(result.because ==
          "the limit is a part of a " + std::string(kind) + " value, and which is not stated");
  }
}

TEST_CASE("contract, published and last accepted stand side by side in the report") {
  const CampaignRecord accepted = campaign_with("title = 'T'\n", 90);
  const std::vector<Baseline> baselines = {fixture::sakuraone()};
  const auto text = frozen_criteria(
      references_rate(references_contract + "relative_to = 'sakuraone/hpl-rmax'\nfactor = 1e-6\n"), "c.toml",
      baselines, from(accepted));
  REQUIRE(text);
  const CampaignRecord campaign = campaign_with(*text);
  const auto document = nlohmann::json::parse(fixture::rendered("json", campaign));
  const auto& references = document["criteria"][0]["references"];
  REQUIRE(references.size() == 3);
  CHECK(references[0]["kind"] == "contract");
  CHECK(references[1]["kind"] == "published");
  CHECK(references[1]["comparable"] == false);
  CHECK_FALSE(references[1].contains("ratio"));
  CHECK(references[2]["kind"] == "last-accepted");
  CHECK(references[2]["ratio"].get<double>() == Approx(93.182 / 90));
  const std::string page = fixture::rendered("html", campaign);
  for (const char* column : {">Contract</th>", ">Published</th>", ">Last accepted</th>"})
    CHECK(page.find(column) != std::string::npos);
  CHECK(fixture::rendered("html", fixture::quick_campaign()).find(">Last accepted</th>") ==
        std::string::npos);
}
