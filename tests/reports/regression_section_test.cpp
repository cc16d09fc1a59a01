#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

std::string regression_section_rendered(std::string_view format, const std::optional<CheckVerdict>& check) {
  CampaignRecord campaign;
  campaign.id = "2026-11-22T02-00-00Z-n1";
  campaign.system = "n1";
  campaign.kind = "regression";
  campaign.inventory.groups = {fixture::node()};
  Judgement judgement;
  judgement.sentence = "regression check";
  judgement.check = check;
  return fixture::rendered(format, MeasuredCampaign(campaign), judgement);
}

CheckVerdict regression_section_verdict() {
  CheckSeries series;
  series.name = {"hpl", "reference", "rmax_gflops", "cn<1>", "", "N=8000"};
  for (const double value : {100.0, 101.0, 99.0, 98.0}) series.checks.push_back({"c", {value}});
  series.checks.back().runs = {98.0, 98.5, 98.2};
  series.floor = 99;
  series.floor_source = "90 % of 110 GFLOP/s, the median of c0";
  series.reopened = "cn1 declared 'replaced' by A. Admin";
  CheckVerdict judged = judged_check({series}, {{"hpcg-1n", "not run"}}, {.has_floor = true}).value();
  judged.notes = {"coverage: 1 of 1 nodes seen"};
  return judged;
}

}  // namespace

TEST_CASE("the report of a check shows its series, its limits and what stands beside them") {
  const std::string page = regression_section_rendered("html", regression_section_verdict());
  CHECK(page.find("<section id=\"regression\">") != std::string::npos);
  CHECK(page.find("hpl/reference Rmax on cn&lt;1&gt;") != std::string::npos);
  CHECK(page.find("90 % of 110 GFLOP/s, the median of c0") != std::string::npos);
  CHECK(page.find("below floor") != std::string::npos);
  CHECK(page.find("98.00 GFLOP/s<span class=\"why\">first of 3 runs</span>") != std::string::npos);
  CHECK(page.find("judged on 98.20 GFLOP/s, the median of 3 runs of this check; 90 % of") !=
        std::string::npos);
  CHECK(page.find("<span class=\"why\">95 % interval ") != std::string::npos);
  CHECK(page.find("cn1 declared &apos;replaced&apos; by A. Admin") != std::string::npos);
  CHECK(page.find("hpcg-1n: not run") != std::string::npos);
  CHECK(page.find("coverage: 1 of 1 nodes seen") != std::string::npos);
  CHECK(page.find("<a href=\"#regression\">Regression check</a>") != std::string::npos);
  CHECK(page.find("nothing was judged") == std::string::npos);
  CHECK(
      regression_section_rendered("html", std::nullopt).find("No criteria were given: nothing was judged.") !=
      std::string::npos);
}

TEST_CASE("a series whose floor nobody knows is not shown as good") {
  CheckSeries series;
  series.name = {"hpl", "reference", "rmax_gflops", "cn1", "", "N=8000"};
  for (int check = 0; check < 12; ++check) series.checks.push_back({"c", {100.0 + check % 3}});
  CheckVerdict judged = judged_check({series}, {}, {}).value();
  CHECK(judged.series.front().state() == "in control");
  const std::string good = regression_section_rendered("html", judged);
  judged.series.front().series.floor_source = "no campaign of this system is accepted yet";
  CHECK(judged.series.front().state() == "in control, floor not known");
  const std::string page = regression_section_rendered("html", judged);
  CHECK(page.find("in control, floor not known") != std::string::npos);
  const auto section = [](const std::string& all) {
    const std::size_t at = all.find("id=\"regression\"");
    return all.substr(at, all.find("</section>", at) - at);
  };
  CHECK(section(good).find("<span class=\"v v-pass\">") != std::string::npos);
  CHECK(section(page).find("<span class=\"v v-pass\">") == std::string::npos);
  CHECK(section(page).find("<span class=\"v v-open\">") != std::string::npos);
}

TEST_CASE("the report of a check lists where its series changed") {
  CheckVerdict judged = regression_section_verdict();
  CHECK(regression_section_rendered("html", judged).find("Where series changed") == std::string::npos);
  judged.series.front().changes = {{3, 100, 98, 0.004}};
  const std::string page = regression_section_rendered("html", judged);
  CHECK(page.find("Where series changed") != std::string::npos);
  CHECK(page.find("changed at check 4 (c) by −2.0 %, from 100.0 GFLOP/s to 98.00 GFLOP/s") !=
        std::string::npos);
}

TEST_CASE("results.json holds the check, and a campaign that is none has no section") {
  CHECK(regression_section_rendered("json", regression_section_verdict())
            .find("\"schema\": \"shakedown.regression/1\"") != std::string::npos);
  CHECK(regression_section_rendered("html", std::nullopt).find("id=\"regression\"") == std::string::npos);
  CHECK(regression_section_rendered("json", std::nullopt).find("shakedown.regression") == std::string::npos);
}
