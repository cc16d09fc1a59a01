#include "orchestrator/plan/suite_facts.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>

#include "orchestrator/plan/suite.hpp"

using namespace shakedown;

TEST_CASE("every suite that is planned has facts, with a title, a sentence and a headline") {
  for (const Suite* suite : suites()) {
    INFO(suite->id);
    const SuiteFacts* facts = suite_facts(suite->id);
    REQUIRE(facts != nullptr);
    CHECK(facts->id == suite->id);
    CHECK_FALSE(facts->title.empty());
    CHECK_FALSE(facts->about.empty());
    CHECK_FALSE(facts->headlines.empty());
  }
}

TEST_CASE("two suites say the same of a metric that both have") {
  std::map<std::string_view, const MetricFact*> known;
  for (const SuiteFacts* facts : suites_in_order())
    for (const MetricFact& metric : facts->metrics) {
      INFO(facts->id << ": " << metric.key);
      const auto [at, fresh] = known.try_emplace(metric.key, &metric);
      CHECK(at->second->title == metric.title);
      REQUIRE(at->second->kind.has_value() == metric.kind.has_value());
      if (!metric.kind) continue;
      CHECK(at->second->kind->unit == metric.kind->unit);
      CHECK(at->second->kind->better == metric.kind->better);
    }
}

TEST_CASE("what the facts name of other suites is there") {
  for (const SuiteFacts* facts : suites_in_order()) {
    INFO(facts->id);
    for (const MetricPair& pair : facts->pairs) CHECK(suite_facts(pair.suite) != nullptr);
    for (const Headline& headline : facts->headlines)
      if (!headline.efficiency.empty()) CHECK(efficiency_fact(facts->id, headline.efficiency) != nullptr);
    if (facts->yardstick) CHECK(facts->screen);
  }
  CHECK(screens_of("hpl") == std::vector<std::string_view>{"gemm"});
  CHECK(screens_of("hpcg") == std::vector<std::string_view>{"stream"});
  CHECK(screens_of("io500").empty());
}

TEST_CASE("an exact key goes before one with a star, and an unknown metric has no fact") {
  CHECK(metric_fact("rmax_gflops")->title == "Rmax");
  CHECK(metric_fact("ior_easy_write_time_s")->kind->better == std::nullopt);
  CHECK(metric_fact("find_time_s")->kind->better == std::nullopt);
  CHECK(metric_fact("time_s") == nullptr);
  CHECK(fits("ab", "a*b"));
  CHECK_FALSE(fits("a", "a*a"));
}
