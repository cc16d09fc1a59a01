#include <catch2/catch.hpp>

#include "reports/measure/efficiency.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;
using fixture::criterion;
using fixture::judged;

namespace {

/// A quiet machine's campaign whose last two cases are STREAM and HPCG.
CampaignRecord with_stream(double triad_mb_s = 45'000, double hpcg_gb_s = 44) {
  CampaignRecord campaign = fixture::quick_campaign();
  campaign.cases.push_back(fixture::case_of("stream", "triad_mb_s", triad_mb_s));
  campaign.cases.push_back(fixture::case_of("hpcg", "bandwidth_gb_s", hpcg_gb_s));
  return campaign;
}

}  // namespace

TEST_CASE("HPCG is judged by the bandwidth that its rate implies, over the measured STREAM") {
  const Judgement good = judged(with_stream());
  CHECK(criterion(good, "hpcg-stream").verdict == Verdict::pass);
  CHECK(criterion(good, "hpcg-stream").because ==
        "97.8 % ≥ 76.8 % (one result, of 45.0 GB/s measured STREAM Triad)");
  const Judgement slow = judged(with_stream(45'000, 20));
  CHECK(criterion(slow, "hpcg-stream").verdict == Verdict::fail);
  CHECK(slow.overall == Verdict::pass);  // it advises
}

TEST_CASE("HPCG in the caches has no ratio to STREAM: no criterion passes by it, and it stands nowhere") {
  CampaignRecord campaign = with_stream(15'000, 46.92);  // 3.128 times
  RuleResult caches =
      fixture::rule("HPCG-10b", "The problem is larger than the caches", RuleStatus::fail,
                    "0.38 GB of data, 1.4 times the 0.27 GB of last-level caches", 7, Severity::warning);
  caches.text = "caches hold a part of the problem: measure a larger one";
  campaign.cases[3].attempts.front().results.front().rules = {caches};
  const Judgement judgement = judged(campaign);
  const CriterionResult& found = criterion(judgement, "hpcg-stream");
  CHECK(found.verdict == Verdict::undecided);
  CHECK(found.withheld);
  CHECK(found.n == 1);
  CHECK(found.because ==
        "no ratio: caches hold a part of the problem: measure a larger one (0.38 GB of data, 1.4 times the "
        "0.27 "
        "GB of last-level caches)");
  for (const char* format : {"html", "json", "markdown", "csv", "junit"}) {
    INFO(format);
    const std::string page = fixture::rendered(format, MeasuredCampaign(campaign), judgement);
    CHECK(page.find("3.128") == std::string::npos);
    CHECK(page.find("312.8") == std::string::npos);
    CHECK(page.find("313 %") == std::string::npos);
  }
}

TEST_CASE("HPCG above STREAM has no ratio in any format, and decides nothing") {
  CampaignRecord campaign = with_stream(15'000, 32.64);  // 2.176 times
  const CriterionResult open = criterion(judged(campaign), "hpcg-stream");
  CHECK(open.verdict == Verdict::undecided);
  CHECK(open.withheld);
  CHECK(open.because ==
        "no ratio: 2.2 times STREAM: caches may hold a part of the problem: their size is not known, so that "
        "HPCG-10b was not checked");
  CHECK(judged(campaign).alarms.empty());
  CHECK(fixture::rendered("html", MeasuredCampaign(campaign), judged(campaign)).find("217.6 %") ==
        std::string::npos);

  campaign.cases[3].attempts.front().results.front().rules = {
      fixture::rule("HPCG-10b", "The problem is larger than the caches", RuleStatus::pass,
                    "3.8 GB of data, 14 times the 0.27 GB of last-level caches", 7, Severity::warning)};
  campaign.cases[3].attempts.front().results.front().parsed.metrics.push_back({"rating_gflops", 4.2, 5});
  const Judgement judgement = judged(campaign);
  const CriterionResult& above = criterion(judgement, "hpcg-stream");
  CHECK(above.verdict == Verdict::not_comparable);  // whatever its limit
  CHECK(above.because ==
        "no ratio: it would be above 100 % of STREAM: HPCG rates by its official byte count, of which caches "
        "or compact storage read fewer");
  CHECK(judgement.tally.limits.passed == 2);  // GEMM and HPL
  CHECK(judgement.tally.limits.not_comparable == 2);
  REQUIRE(judgement.alarms.size() == 1);
  CHECK(
      judgement.alarms[0].starts_with("HPCG-like solver (shakedown) (hpcg-reference-1n): no ratio, it would "
                                      "be above 100 % of STREAM: HPCG rates by"));
  const std::string page = fixture::rendered("html", MeasuredCampaign(campaign), judged(campaign));
  CHECK(page.substr(0, page.find("</section>")).find("no ratio to its reference: see Exceptions") !=
        std::string::npos);
  // Nor of a criterion on each node.
  campaign.cases[3].planned.bound = true;
  campaign.criteria_text +=
      "[[criteria]]\nid = 'each'\ntitle = 'HPCG on each node'\nsuite = 'hpcg'\nmetric = 'efficiency_stream'\n"
      "direction = '>='\nlimit = 0.5\naggregation = 'every'\neach_node = true\nseverity = 'mandatory'\n"
      "limit_source = 'contract'\n";
  const Judgement with_each = judged(campaign);
  INFO(criterion(with_each, "each").because);
  CHECK(criterion(with_each, "each").verdict == Verdict::not_comparable);
  REQUIRE(criterion(with_each, "each").nodes.size() == 1);
  CHECK_FALSE(criterion(with_each, "each").nodes.front().measured);
  for (const char* format : {"html", "json", "markdown", "csv", "junit"}) {
    INFO(format);
    const std::string text = fixture::rendered(format, MeasuredCampaign(campaign), with_each);
    CHECK(text.find("217.6") == std::string::npos);
    CHECK(text.find("2.176") == std::string::npos);
  }
}

TEST_CASE("HPCG in the caches refutes no STREAM run") {
  CampaignRecord campaign = with_stream(15'000, 90);  // six times
  const auto table = read_comparability(fixture::comparability(), "comparability.toml").value();
  CHECK(refuted_screens(MeasuredCampaign(campaign), table).size() == 1);
  RuleResult caches = fixture::rule("HPCG-10b", "", RuleStatus::fail, "", 7);
  campaign.cases[3].attempts.front().results.front().rules = {caches};
  CHECK(refuted_screens(MeasuredCampaign(campaign), table).empty());
}

TEST_CASE("STREAM on more nodes counts per node") {
  CampaignRecord campaign = with_stream();
  campaign.cases[2].planned.nodes = 2;
  campaign.cases[3].attempts.front().results.front().parsed.metrics[0].value = 20;
  CHECK(criterion(judged(campaign), "hpcg-stream").because.starts_with("88.9 %"));
}

TEST_CASE("without a STREAM rate HPCG's use of the memory is not comparable") {
  CampaignRecord campaign = with_stream();
  campaign.cases[2].attempts.front().results.front().validity = Validity::invalid;
  const Judgement judgement = judged(campaign);
  CHECK(criterion(judgement, "hpcg-stream").verdict == Verdict::not_comparable);
  CHECK(criterion(judgement, "hpcg-stream").because ==
        "no reference: STREAM was not measured in this campaign");
  CHECK(criterion(judgement, "stream-valid").verdict == Verdict::invalid);
}

TEST_CASE("a CPU's STREAM says nothing about HPCG on GPUs") {
  CampaignRecord campaign = with_stream();
  campaign.cases[3].planned.implementation = "nvidia";
  CHECK(criterion(judged(campaign), "hpcg-stream").verdict == Verdict::not_comparable);
}

TEST_CASE(
    "STREAM is judged where the inventory knows the memory's bandwidth, and elsewhere the verdict stands") {
  CampaignRecord campaign = with_stream();
  CHECK(criterion(judged(campaign), "stream-memory").verdict == Verdict::not_comparable);
  CHECK(judged(campaign).overall == Verdict::pass);
  campaign.inventory.groups.front().memory_bandwidth_gb_s = 60;
  CHECK(criterion(judged(campaign), "stream-memory").because ==
        "75.0 % ≥ 63.4 % (one result, of 60.0 GB/s, the memory channels' theoretical rate)");
  campaign.inventory.groups.front().memory_bandwidth_gb_s = 100;
  CHECK(criterion(judged(campaign), "stream-memory").verdict == Verdict::fail);
  CHECK(judged(campaign).overall == Verdict::pass);
}
