#include "orchestrator/core/json.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "orchestrator/core/document_limits.hpp"

using namespace shakedown;

namespace {

std::string nested(int levels) {
  return std::string(static_cast<std::size_t>(levels), '[') +
         std::string(static_cast<std::size_t>(levels), ']');
}

/// An object with so many members.
std::string members(std::size_t count) {
  std::string text = "{";
  for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? ",\"k" : "\"k") + std::to_string(i) + "\":1";
  return text + "}";
}

/// As a text in which each value has its kind.
template <class Json>
std::string kinds(const Json& json) {
  if (!json.is_structured())
    return std::string(json.type_name()) + (json.is_number_float() ? " float " : " ") + json.dump();
  std::string text = json.is_object() ? "{" : "[";
  for (const auto& [key, value] : json.items()) text += key + ":" + kinds(value) + ",";
  return text + "}";
}

}  // namespace

TEMPLATE_TEST_CASE("a JSON text is read as its library's own parser reads it", "", nlohmann::json,
                   nlohmann::ordered_json) {
  for (const std::string text : {"null",
                                 "true",
                                 "0",
                                 "-0",
                                 "-5",
                                 "7",
                                 "1.0",
                                 "1e5",
                                 "-0.0",
                                 "0.1",
                                 "9007199254740993",
                                 "9223372036854775807",
                                 "-9223372036854775808",
                                 "18446744073709551615",
                                 "18446744073709551616",
                                 "123456789012345678901234567890",
                                 R"("a\u00e9\n\"\u0000b\ud83d\ude00")",
                                 R"({"b":1,"a":2,"b":{"c":3}})",
                                 R"({"b":{"c":3},"a":2,"b":1})",
                                 R"([[],{},[{"x":[1,2.5,"y",null,false]}]])",
                                 "\xef\xbb\xbf{\"a\":1}",
                                 " \n[1 , 2]\t",
                                 R"({"":""})"}) {
    CAPTURE(text);
    CHECK(kinds(json_or_discarded<TestType>(text)) == kinds(TestType::parse(text)));
    CHECK(kinds(json_or_thrown<TestType>(text)) == kinds(TestType::parse(text)));
    CHECK(is_json(text));
  }
}

TEST_CASE("what is no JSON is none, whoever reads it") {
  for (const std::string text :
       {"", " ", "{", "[1,]", "{\"a\":}", "[1] 2", "nul", "01", "1.", "+1", "1e999", "\"\x01\"", "\"\xff\"",
        R"("\ud800")", "'a'", "[1 2]", "NaN", "{\"a\" 1}", "\"a"}) {
    CAPTURE(text);
    CHECK(json_or_discarded<nlohmann::ordered_json>(text).is_discarded());
    CHECK_FALSE(is_json(text));
    CHECK_THROWS_AS(json_or_thrown<nlohmann::ordered_json>(text), nlohmann::json::exception);
  }
}

TEST_CASE("a JSON text beyond a limit is none, one at it is one") {
  const auto is_read = [](const std::string& text) {
    const bool read = !json_or_discarded<nlohmann::ordered_json>(text).is_discarded();
    CHECK(is_json(text) == read);
    return read;
  };
  CHECK(is_read(nested(deepest_nesting)));
  CHECK_FALSE(is_read(nested(deepest_nesting + 1)));
  CHECK(is_read(members(most_json_members)));
  CHECK_FALSE(is_read(members(most_json_members + 1)));
  std::string many = "[0";
  for (std::size_t i = 0; i < most_json_values; ++i) many += ",0";
  CHECK_FALSE(is_read(many + "]"));
}

TEST_CASE("a text of more than a megabyte is read as a short one is") {
  std::string text = "[";
  for (int i = 0; i < 400'000; ++i) text += "1.5,";
  text += "\"end\"]";
  const auto json = json_or_discarded<nlohmann::ordered_json>(text);
  REQUIRE(json.size() == 400'001);
  CHECK(json.back() == "end");
  CHECK(json_or_discarded<nlohmann::ordered_json>("[1]").size() == 1);
}
