#include <catch2/catch.hpp>

#include <limits>
#include <nlohmann/json.hpp>

#include "orchestrator/core/hash.hpp"
#include "reports/json/objects.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

TEST_CASE("results.json is written as nlohmann's library would") {
  using json = nlohmann::ordered_json;
  const std::string nasty("a\"b\\c\n\x01\x7f \xc3\xa9 \xff\xfe \xe2\x82", 18);
  json document = {{"schema", "x/1"}, {"empty", ""}};
  document[nasty] = nasty;
  document["numbers"] = {0.1, 1e300, -0.0, 337500.0, 5e-324, -12, std::numeric_limits<std::uint64_t>::max()};
  document["none"] = std::numeric_limits<double>::quiet_NaN();
  document["null"] = nullptr;
  document["list"] = json::array();
  document["object"] = json::object();
  document["deep"] = {{"yes", true}, {"list", {json::object(), json::array({1, "two", false})}}};
  for (const json& each : {document, json::array(), json::object(), json("text")})
    CHECK(results_json::document_text(each) == each.dump(2, ' ', false, json::error_handler_t::replace));
}

TEST_CASE("all formats of a report name the results.json that is written beside them") {
  const CampaignRecord campaign = quick_campaign();
  const Judgement judgement = judged(campaign);
  const MeasuredCampaign measured(campaign);
  const ReportSource source(measured, judgement);
  CHECK(source.results_sha256() == sha256(source.results()));
  for (const std::string_view name : {"json", "html", "markdown"}) {
    const auto format = report_format_named(name);
    REQUIRE(format);
    const auto together = (*format)->render(source);
    REQUIRE(together);
    CHECK(*together == rendered(name, measured, judgement));
  }
}
