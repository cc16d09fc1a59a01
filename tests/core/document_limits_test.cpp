#include "orchestrator/core/document_limits.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "orchestrator/core/toml.hpp"

using namespace shakedown;

namespace {

std::string repeated(const std::string& text, int times) {
  std::string all;
  for (int i = 0; i < times; ++i) all += text;
  return all;
}

bool toml_fits(const std::string& text) {
  return toml_within_limits(text, "f").has_value();
}
bool json_fits(const std::string& text) {
  return json_within_limits(text, "f").has_value();
}

}  // namespace

TEST_CASE("what a TOML file nests is counted in levels of tables, keys and values") {
  CHECK(toml_fits("a" + repeated(".a", 60) + " = 1\n"));
  CHECK(!toml_fits("a" + repeated(".a", 70) + " = 1\n"));
  CHECK(toml_fits("[a" + repeated(".a", 30) + "]\nb" + repeated(".b", 30) + " = 1\n"));
  CHECK(!toml_fits("[a" + repeated(".a", 40) + "]\nb" + repeated(".b", 40) + " = 1\n"));
  CHECK(!toml_fits("a = " + repeated("{b.c = ", 40)));
  CHECK(!toml_fits("a = [\n" + repeated("[\n", 70)));
}

TEST_CASE("siblings, strings, comments and numbers are no levels") {
  CHECK(toml_fits(repeated("[a.b]\nc.d = {e = [1.5, 2.5], f.g = 1}\n", 1000)));
  CHECK(toml_fits("a = [" + repeated("1.25, ", 1000) + "]\n"));
  CHECK(toml_fits("a = \"" + repeated("[.{", 1000) + "\"\nb = '" + repeated("[.{", 1000) + "'\n"));
  CHECK(toml_fits("a = \"\"\"\n" + repeated("[.{\"\n", 1000) + "\"\"\"\"\"\nb = 1\n"));
  CHECK(toml_fits("a = \"\\\"" + repeated("[", 100) + "\"\n"));
  CHECK(toml_fits("# " + repeated("[.{", 1000) + "\n"));
}

TEST_CASE("a string that does not end hides nothing below it") {
  CHECK(!toml_fits("a = \"\nb = " + repeated("[", 100)));
}

TEST_CASE("a TOML file beyond the limits is refused with its line before it is read") {
  const auto read = TomlTable::parse("\n\na" + repeated(".a", 100'000) + " = 1\n", "f.toml");
  REQUIRE(!read);
  CHECK(read.error().where == "f.toml:3");
  CHECK(read.error().what == "keys, tables or arrays are nested deeper than 64 levels");
}

TEST_CASE("what JSON nests is counted outside of its strings") {
  CHECK(json_fits(repeated("[", 64) + repeated("]", 64)));
  CHECK(!json_fits(repeated("[", 65)));
  CHECK(!json_fits(repeated("{\"a\":", 65)));
  CHECK(json_fits("[\"" + repeated("[\\\"", 1000) + "\"]"));
  CHECK(json_fits("[" + repeated("[],", 1000) + "[]]"));
  CHECK(json_or_discarded<nlohmann::json>(repeated("[", 1'000'000)).is_discarded());
  CHECK(json_or_discarded<nlohmann::json>("{\"a\": 1}") == nlohmann::json({{"a", 1}}));
  CHECK_THROWS_AS(json_or_thrown<nlohmann::json>(repeated("[", 100)), nlohmann::json::exception);
}

TEST_CASE("an object's members are limited, as a reader compares each with all before it; elements are not") {
  const std::string members = repeated("\"a\":0,", static_cast<int>(most_json_members) - 1);
  CHECK(json_fits("{" + members + "\"a\":0}"));
  CHECK(json_fits("[{" + members + "\"a\":0},{" + members + "\"a\":0}]"));
  CHECK(json_fits("{\"a\":[" + repeated("0,", 100'000) + "0]}"));
  const auto many = json_within_limits("{\n" + members + "\"a\":0,\n\"b\":0}", "f");
  REQUIRE(!many);
  CHECK(many.error().where == "f:2");
  CHECK(many.error().what == "an object has more than 2000 members");
}

TEST_CASE("a document of more than 2 million values is refused, one of a large system's nodes is not") {
  const std::string group = R"({"name":"n","hosts":"cn00001","cpu":{"cores":64,"sockets":2}})";
  CHECK(json_fits("{\"groups\":[" + repeated(group + ",", 100'000) + group + "]}"));
  const auto many = json_within_limits("[" + repeated("0,", 2'000'001) + "0]", "f");
  REQUIRE(!many);
  CHECK(many.error().what == "there are more than 2 million values");
}
