#include "reports/judge/criteria.hpp"

#include <catch2/catch.hpp>

#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

std::string criteria_refusal(std::string_view text) {
  const auto criteria = read_criteria(text, "c.toml");
  return criteria ? "" : to_string(criteria.error());
}

const std::string criteria_begun =
    "title = 't'\n[[criteria]]\nid = 'a'\ntitle = 'x'\nsuite = 'hpl'\nmetric = 'rmax_gflops'\n"
    "severity = 'mandatory'\nlimit_source = 's'\n";

}  // namespace

TEST_CASE("quick.toml's limits are the products that its sources state") {
  const auto criteria = read_criteria(fixture::project_file("reports/criteria/quick.toml"), "quick.toml");
  REQUIRE(criteria);
  REQUIRE(criteria->criteria.size() == 10);
  CHECK(criteria->criteria[1].limit.value() ==
        Approx(0.9 * fixture::sakuraone().find("hpl", "efficiency_gemm")->value));
  CHECK(criteria->criteria[2].limit.value() == Approx(0.9 * 55.34 / 66.9).margin(6e-4));
  CHECK(criteria->criteria[2].severity == CriterionSeverity::mandatory);
  CHECK(criteria->criteria[4].metric == "efficiency_memory");
  CHECK(criteria->criteria[4].limit.value() == Approx(0.9 * 650 / (2 * 12 * 8 * 4.8)).margin(1e-3));
  CHECK(criteria->criteria[6].metric == "efficiency_stream");
  CHECK(criteria->criteria[6].limit.value() == Approx(0.9 * 13.4 * 41.5722 / 5.48145 / 119).margin(1e-3));
  // What not every machine reports, and short runs blur, is advisory and does not decide.
  CHECK(criteria->criteria[4].severity == CriterionSeverity::advisory);
  CHECK(criteria->criteria[6].severity == CriterionSeverity::advisory);
  CHECK(criteria->steal->limit == 0.02);
  CHECK(criteria->load->limit == 1.05);
  CHECK(criteria->gemm_spread->limit == 5);
  for (const Criterion& each : criteria->criteria) CHECK_FALSE(each.limit_source.empty());
}

TEST_CASE("a criterion without a limit, a direction or an aggregation is refused") {
  CHECK(criteria_refusal(criteria_begun + "direction = '>='\naggregation = 'median'\n") ==
        "c.toml:2: 'limit' is missing");
  CHECK(criteria_refusal(criteria_begun + "limit = 1\naggregation = 'median'\n") ==
        "c.toml:2: 'direction' is missing");
  CHECK(criteria_refusal(criteria_begun + "limit = 1\ndirection = '>='\n") ==
        "c.toml:2: 'aggregation' is missing");
}

TEST_CASE("words that criteria don't know are refused with those they do") {
  CHECK(criteria_refusal(criteria_begun + "limit = 1\ndirection = '>'\naggregation = 'median'\n") ==
        "c.toml:10: '>' is no direction (did you mean '>='?)\nhint: known: >=, <=");
  CHECK(criteria_refusal(criteria_begun + "limit = 1\ndirection = '>='\naggregation = 'medien'\n") ==
        "c.toml:11: 'medien' is no aggregation (did you mean 'median'?)\nhint: known: every, "
        "median, lower_confidence, best_of");
}

TEST_CASE("unknown keys of criteria are refused, those of the idle limits too") {
  CHECK(criteria_refusal("title = 't'\n[disturbance.steel]\nlimit = 1\n")
            .find("unknown key 'steel' in [disturbance] (did you mean 'steal'?)") != std::string::npos);
  CHECK(criteria_refusal(criteria_begun + "limit = 1\ndirection = '>='\naggregation = 'median'\nlimt = 2\n")
            .find("c.toml:12: unknown key 'limt'") == 0);
}

TEST_CASE("an id that reads as a criterion on a case is refused: a waiver of another would lift it") {
  std::string text = criteria_begun;
  text.replace(text.find("'a'"), 3, "'rate@full'");
  CHECK(criteria_refusal(text + "direction = '>='\nlimit = 1\naggregation = 'median'\n")
            .starts_with("c.toml:3: 'rate@full' holds an @"));
}

TEST_CASE("two criteria can't have one id") {
  const std::string valid =
      "[[criteria]]\nid = 'a'\ntitle = 'x'\nsuite = 'hpl'\nmetric = 'validity'\n"
      "severity = 'mandatory'\nlimit_source = 's'\n";
  CHECK(criteria_refusal("title = 't'\n" + valid + valid).find("c.toml:10: two criteria are called 'a'") ==
        0);
}

TEST_CASE("limits that are no numbers hold nothing, and are refused") {
  for (const char* limit : {"inf", "-inf", "nan"}) {
    const std::string ending = std::string("limit = ") + limit + "\n";
    CHECK(criteria_refusal(criteria_begun + ending + "direction = '>='\naggregation = 'median'\n")
              .find("'limit' is ") != std::string::npos);
    CHECK(criteria_refusal("title = 't'\n[disturbance.steal]\nreason = 'r'\n" + ending)
              .find("the limit must be a number") != std::string::npos);
    CHECK(criteria_refusal(criteria_begun + "relative_to = 'last-accepted'\nfactor = " + limit +
                           "\ndirection = '>='\naggregation = 'median'\n")
              .find("'factor' is ") != std::string::npos);
  }
}

TEST_CASE("an empty file of criteria has a way out") {
  const auto read = read_criteria("\n  \n", "criteria.toml");
  REQUIRE_FALSE(read);
  CHECK(read.error().what == "is empty");
  CHECK(read.error().hint.starts_with("`shakedown init -o acceptance.toml` writes criteria"));
}
