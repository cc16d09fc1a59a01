#include "reports/compare/orientation.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "reports/statistics/sample.hpp"
#include "tests/reports/hundred_nodes.hpp"

using namespace shakedown;
using fixture::case_of;
using fixture::five_suites;
using fixture::judged;
using fixture::rendered;

namespace {

bool orientation_holds(std::string_view page, std::string_view text) {
  return page.find(text) != std::string::npos;
}

const OrientationRatio& ratio(const Judgement& judgement, std::string_view name) {
  for (const OrientationRatio& each : judgement.orientation.value().ratios)
    if (each.name == name) return each;
  throw std::runtime_error("no ratio " + std::string(name));
}

double orientation_published(std::string_view suite, std::string_view metric) {
  return fixture::sakuraone().find(suite, metric)->value;
}

}  // namespace

TEST_CASE("a screening that compares with nothing has the published values for orientation") {
  const std::string page = rendered("html", five_suites());
  const std::string section = fixture::section(page, "orientation");
  for (const char* text :
       {"Orientation, not comparison",
        "The published values of SAKURAONE were measured under conditions that differ or are not known",
        "HPL: nodes</th><td data-label=\"SAKURAONE\">98</td><td data-label=\"Here\">1</td>", "33.95 PFLOP/s",
        "339.9 PFLOP/s", "396.3 TFLOP/s", "214.1", "FP8", "FP64", "memory bandwidth",
        "servers of the storage", "legacy-rule", "result not verified by MLCommons Association"}) {
    INFO(text);
    CHECK(orientation_holds(section, text));
  }
  // Unfolded: one paragraph, of three lines in print.
  const std::string open = section.substr(0, section.find("<details"));
  CHECK(open.find("<p>") == open.rfind("<p"));
  CHECK(open.size() - open.find("<p>") < 400);
}

TEST_CASE("orientation has no bar, no colour and no verdict") {
  const std::string section = fixture::section(rendered("html", five_suites()), "orientation");
  for (const char* text : {"<svg", "class=\"v ", "v-pass", "v-open", "v-fail", "Pass", "Fail", "style="}) {
    INFO(text);
    CHECK_FALSE(orientation_holds(section, text));
  }
}

TEST_CASE("published values stand in the orientation alone") {
  std::string page = rendered("html", five_suites());
  const std::string section = fixture::section(page, "orientation");
  page.erase(page.find(section), section.size());
  for (const char* text : {"33.95 PFLOP/s", "396.3 TFLOP/s", "Comparison with SAKURAONE", "Published</th>",
                           "class=\"base\"", "May it be compared?", "hpl-rmax"}) {
    INFO(text);
    CHECK_FALSE(orientation_holds(page, text));
  }
  CHECK(orientation_holds(
      page,
      "None; the published values of SAKURAONE were measured under conditions that differ or are not known"));
}

TEST_CASE("each published value has its precision, its nodes and what bounds it") {
  const Judgement judgement = judged(five_suites());
  REQUIRE(judgement.orientation);
  size_t mlperf = 0;
  for (const PublishedValue& published : judgement.orientation->values) {
    INFO(published.suite << " " << published.metric);
    CHECK(published.nodes.value() >= 96);
    CHECK_FALSE(published.bound_by.empty());
    if (published.suite != "io500" && published.benchmark != "llama2_70b_lora")
      CHECK(published.precision.starts_with("FP"));
    mlperf += published.suite == "mlperf" ? 1 : 0;
  }
  CHECK(mlperf == 2);  // one row of each benchmark: that on the most nodes
}

TEST_CASE("a result that is impossible beside one reference stands in no other ratio either") {
  const Judgement judgement = judged(five_suites());  // HPCG read 4.6 times what STREAM measured
  const OrientationRatio& hpcg = ratio(judgement, "HPCG / HPL");
  CHECK_FALSE(hpcg.here);
  CHECK(hpcg.here_on == "withheld: of HPCG: implausible: 4.6 times STREAM");
  CHECK(ratio(judgement, "HPL-MxP / HPL").here);
}

TEST_CASE("a ratio is withheld where its own reference was disturbed, and names that run") {
  CampaignRecord campaign = fixture::hundred_nodes();  // HPL on cn063 was disturbed, that on 99 nodes was not
  case_of(campaign, "hpcg").planned.nodes = 99;
  CHECK(ratio(judged(campaign), "HPCG / HPL").here);
  for (CaseRecord& record : campaign.cases)
    if (record.planned.id == "hpl-netlib-99n") record.attempts[0].conditions->foreign_cores = 1.2;
  const OrientationRatio hpcg = ratio(judged(campaign), "HPCG / HPL");
  CHECK_FALSE(hpcg.here);
  CHECK(hpcg.here_on ==
        "withheld: its reference, the HPL run hpl-netlib-99n, was disturbed by other processes");
}

TEST_CASE("a ratio within a machine is of its runs on the most nodes, and names both sides' nodes") {
  CampaignRecord campaign = fixture::hundred_nodes();
  const OrientationRatio gemm = ratio(judged(campaign), "HPL / GEMM");
  std::vector<double> screened;
  double whole = 0;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (const ResultRecord& result : attempt.results) {
        if (const Metric* rate = result.parsed.metric("fp64_gflops")) screened.push_back(rate->value);
        if (record.planned.id == "hpl-netlib-99n") whole = result.parsed.metric("rmax_gflops")->value;
      }
  CHECK(gemm.here.value() == Approx(whole / 99 / median(screened)));
  CHECK(gemm.here_on == "FP64, 99 nodes without GPU; GEMM on 1 node, per node");
}

TEST_CASE("ratios within a machine are computed from its own values") {
  CampaignRecord campaign = five_suites();
  for (Metric& each : case_of(campaign, "stream").attempts[0].results[0].parsed.metrics)
    if (each.name == "triad_mb_s") each.value *= 5;  // that HPCG's rate is possible
  const auto value = [&](std::string_view suite, std::string_view name) {
    return case_of(campaign, suite).attempts[0].results[0].parsed.metric(name)->value;
  };
  const Judgement judgement = judged(campaign);
  const OrientationRatio& hpcg = ratio(judgement, "HPCG / HPL");
  CHECK(hpcg.here.value() == Approx(value("hpcg", "rating_gflops") / value("hpl", "rmax_gflops")));
  CHECK(hpcg.there.value() ==
        Approx(orientation_published("hpcg", "rating_gflops") / orientation_published("hpl", "rmax_gflops")));
  CHECK(hpcg.there.value() == Approx(0.012).margin(0.0005));
  CHECK(hpcg.here_on == "FP64, 1 node without GPU");
  CHECK(hpcg.there_on == "FP64, 98 nodes, 784 GPUs (NVIDIA H100 80GB HBM3)");
  const OrientationRatio& mxp = ratio(judgement, "HPL-MxP / HPL");
  CHECK(mxp.here.value() == Approx(value("hpl-mxp", "rmax_gflops") / value("hpl", "rmax_gflops")));
  CHECK(mxp.there.value() == Approx(orientation_published("hpl-mxp", "rmax_gflops") / 768 /
                                    (orientation_published("hpl", "rmax_gflops") / 784)));
  CHECK(mxp.here_on == "FP32 over FP64, 1 node without GPU");
  CHECK(mxp.there_on == "FP8 over FP64, 96 nodes, per GPU: 768 and 784 of them (NVIDIA H100 80GB HBM3)");
  const OrientationRatio& gemm = ratio(judgement, "HPL / GEMM");
  CHECK(gemm.there.value() == Approx(0.783).margin(0.0005));
}

TEST_CASE("the published ratios follow from the baseline's values, whatever they are") {
  Baseline baseline = fixture::sakuraone();
  for (BaselineValue& value : baseline.values)
    if (value.id == "hpcg-rating") value.value *= 3;
  const Judgement judgement =
      judge(MeasuredCampaign(five_suites()), &baseline, fixture::comparability()).value();
  CHECK(ratio(judgement, "HPCG / HPL").there.value() == Approx(3 * 396295 / 33950000.0));
}

TEST_CASE("a ratio of a metric that is not there says which") {
  CampaignRecord campaign = five_suites();
  case_of(campaign, "hpl").attempts[0].results[0].validity = Validity::unknown;
  const Judgement judgement = judged(campaign);
  CHECK_FALSE(ratio(judgement, "HPCG / HPL").here);
  CHECK(ratio(judgement, "HPCG / HPL").here_on == "no valid HPL result here");
  CHECK(ratio(judgement, "HPCG / HPL").there);
}

TEST_CASE("a ratio of a log that does not tell its nodes says so") {
  CampaignRecord campaign = five_suites();
  campaign.kind = "external";
  for (CaseRecord& record : campaign.cases) record.planned.nodes = 0;
  const Judgement judgement = judged(campaign);
  CHECK_FALSE(ratio(judgement, "HPCG / HPL").here);
  CHECK(ratio(judgement, "HPCG / HPL").here_on == "on how many nodes HPCG ran is not known");
}

TEST_CASE("two suites on different numbers of nodes have no ratio, and the report says why") {
  const Judgement judgement = judged(fixture::hundred_nodes());
  const OrientationRatio& hpcg = ratio(judgement, "HPCG / HPL");
  CHECK_FALSE(hpcg.here);
  CHECK(hpcg.here_on == "no ratio: HPCG ran on 1 node, HPL on 99");
}

TEST_CASE("only suites of the campaign have values for orientation") {
  CampaignRecord campaign = fixture::quick_campaign();  // GEMM and HPL
  const Judgement judgement = judged(campaign);
  REQUIRE(judgement.orientation);
  CHECK(judgement.orientation->values.size() == 1);
  CHECK(judgement.orientation->ratios.size() == 1);
  campaign.cases.pop_back();
  CHECK_FALSE(judged(campaign).orientation);
  CHECK_FALSE(judge(MeasuredCampaign(campaign), nullptr, fixture::comparability())->orientation);
}

TEST_CASE("a campaign that may be compared has a comparison, and no orientation") {
  CampaignRecord campaign = fixture::sakuraone_again();
  campaign.kind = "acceptance";
  CHECK_FALSE(judged(campaign).orientation);
  const std::string page = rendered("html", campaign);
  CHECK_FALSE(orientation_holds(page, "Orientation, not comparison</"));
  CHECK(orientation_holds(page, "May it be compared?"));
  CHECK(orientation_holds(page, "class=\"base\""));
}

TEST_CASE("results.json holds the orientation with its sources") {
  const auto document = nlohmann::json::parse(rendered("json", five_suites()));
  const auto& orientation = document["orientation"];
  CHECK(orientation["values"][0]["source"] == "Table 5, row 'Sustained performance (Rmax)'");
  CHECK(orientation["values"][0]["bound_by"] == "FP64 arithmetic, then the network");
  CHECK(orientation["ratios"].size() == 3);
  CHECK_FALSE(orientation["values"][0].contains("ratio"));
}
