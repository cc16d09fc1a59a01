// Rules that hold a result against the screens of its campaign, which may be measured again after it.
#include "reports/judge/screen_rules.hpp"

#include <catch2/catch.hpp>

#include "reports/judge/disturbance.hpp"
#include "reports/measure/comparability.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::gemm;
using fixture::hpl;
using fixture::quick_campaign;

namespace {

/// HPL at 93.18 GFLOP/s, whose rule waits for its judgement, and GEMM by these attempts.
CampaignRecord held_against(std::vector<AttemptRecord> attempts) {
  CampaignRecord campaign = quick_campaign();
  hpl(campaign).attempts[0].results[0].rules.push_back(
      fixture::rule("HPL-07d", "Rmax is not above the measured matrix product", RuleStatus::unknown, "", 0,
                    Severity::warning));
  gemm(campaign).attempts = std::move(attempts);
  return campaign;
}

AttemptRecord product_attempt(int index, double gflops, double foreign_cores = 0.03) {
  AttemptRecord attempt = fixture::gemm_case(gflops).attempts.front();
  attempt.index = index;
  attempt.conditions->foreign_cores = foreign_cores;
  return attempt;
}

RuleResult found(const CampaignRecord& campaign) {
  const auto& rules = campaign.cases[1].attempts[0].results[0].rules;
  return *std::ranges::find(rules, "HPL-07d", &RuleResult::id);
}

RuleResult judged_rule(CampaignRecord campaign) {
  judge_by_screens(campaign);
  return found(campaign);
}

}  // namespace

TEST_CASE("HPL is held against the matrix product that counts, not against the one that was measured again") {
  const auto table = read_comparability(fixture::comparability(), "comparability.toml").value();
  CampaignRecord campaign = held_against({product_attempt(1, 60, 1.0), product_attempt(2, 111.2)});
  const RuleResult rule = found(without_disturbed(campaign, table).value().record);
  CHECK(rule.status == RuleStatus::pass);
  CHECK(rule.value == "93.18 GFLOP/s of 111.2 GFLOP/s");
  gemm(campaign).attempts.pop_back();  // nothing took its place: it counts
  const RuleResult disturbed = found(without_disturbed(campaign, table).value().record);
  CHECK(disturbed.status == RuleStatus::fail);
  CHECK(disturbed.value == "93.18 GFLOP/s of 60.00 GFLOP/s");
}

TEST_CASE("each screen's last sound result counts, for as many nodes as the result has") {
  AttemptRecord incomplete = product_attempt(3, 50);
  incomplete.results[0].parsed.complete = false;
  AttemptRecord invalid = product_attempt(4, 40);
  invalid.results[0].validity = Validity::invalid;
  CampaignRecord campaign =
      held_against({product_attempt(1, 60), product_attempt(2, 100), incomplete, invalid});
  CHECK(judged_rule(campaign).value == "93.18 GFLOP/s of 100.0 GFLOP/s");
  gemm(campaign).planned.nodes = 4;
  CHECK(judged_rule(campaign).value == "93.18 GFLOP/s of 25.00 GFLOP/s");
}

TEST_CASE(
    "screens of processor cores and of GPUs count beside each other, and a suite that is none does not") {
  CampaignRecord campaign = held_against({product_attempt(1, 100)});
  CaseRecord gpus = gemm(campaign);
  gpus.planned.id = "gemm-cuda-1n";
  gpus.planned.implementation = "cuda";
  gpus.attempts[0].results[0].parsed.implementation = "cuda";
  gpus.attempts[0].results[0].parsed.metrics[0].value = 60000;
  campaign.cases.push_back(gpus);
  CHECK(judged_rule(campaign).value == "93.18 GFLOP/s of 100.0 GFLOP/s");
  gemm(campaign).planned.suite = "hpl";
  CHECK(judged_rule(campaign).text == "no GEMM reference run in this campaign");
}

TEST_CASE("logs that were made elsewhere are held against no screen") {
  CampaignRecord campaign = held_against({product_attempt(1, 100)});
  campaign.kind = "external";
  REQUIRE(is_external(campaign));
  CHECK(judged_rule(campaign).status == RuleStatus::unknown);
}

TEST_CASE("what a list asks for is one of the suite's validity rules") {
  for (const RuleBook* book : rule_books()) {
    ParsedResult result;
    result.suite = book->suite;
    const auto rules =
        book->judge({.result = &result, .planned = nullptr, .inventory = nullptr, .screens = {}}, {});
    for (const std::string_view id : book->of_list) {
      const auto rule = std::ranges::find(rules, id, &RuleResult::id);
      INFO(id);
      REQUIRE(rule != rules.end());
      CHECK(rule->severity == Severity::validity);
      CHECK(is_of_list(book->suite, *rule));
    }
  }
}

TEST_CASE("no log of one training shows that a list takes it: it can't say that all runs are shown") {
  ParsedResult result;
  result.suite = "mlperf";
  const auto rules = rule_book("mlperf")->judge(
      {.result = &result, .planned = nullptr, .inventory = nullptr, .screens = {}}, {});
  const auto rule = std::ranges::find(rules, "ML-08", &RuleResult::id);
  REQUIRE(rule != rules.end());
  CHECK(rule->status == RuleStatus::unknown);
  CHECK(is_of_list("mlperf", *rule));
}

TEST_CASE("a rule that is judged with the campaign is a warning: no validity waits for it") {
  for (const RuleBook* book : rule_books()) {
    if (book->by_screens.empty()) continue;
    ParsedResult result;
    result.suite = book->suite;
    for (const std::string_view id : book->by_screens) {
      const auto rules =
          book->judge({.result = &result, .planned = nullptr, .inventory = nullptr, .screens = {}}, {});
      const auto rule = std::ranges::find(rules, id, &RuleResult::id);
      INFO(id);
      REQUIRE(rule != rules.end());
      CHECK(rule->severity == Severity::warning);
    }
  }
}
