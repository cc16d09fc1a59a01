#include "orchestrator/core/json_text.hpp"

#include <catch2/catch.hpp>

#include <limits>
#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"

using namespace shakedown;

TEST_CASE("a document written at once is the one that is made first") {
  const std::string nasty =
      std::string("a\"b\\c\n\x01\x7f \xc3\xa9 \xff\xfe \xe2\x82", 18) + std::string(1, '\0') + "/";
  nlohmann::ordered_json document = {{"schema", "x/1"}, {"empty", ""}};
  document[nasty] = nasty;
  document["numbers"] = {0.1, 1e300, -0.0, 337500.0, 5e-324, 12};
  document["none"] = std::numeric_limits<double>::quiet_NaN();
  document["list"] = nlohmann::ordered_json::array();
  document["deep"] = {{"yes", true}, {"no", false}};
  JsonText json;
  json.begin_object();
  json.member("schema", "x/1");
  json.member("empty", "");
  json.member(nasty, nasty);
  json.key("numbers");
  json.begin_array();
  for (const double number : {0.1, 1e300, -0.0, 337500.0, 5e-324}) json.value(number);
  json.value(12);
  json.end_array();
  json.member("none", std::numeric_limits<double>::quiet_NaN());
  json.key("list");
  json.begin_array();
  json.end_array();
  json.key("deep");
  json.begin_object();
  json.member("yes", true);
  json.member("no", false);
  json.end_object();
  json.end_object();
  CHECK(json.take() == document.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace));
}

TEST_CASE("a text is JSON where it can be read as such") {
  const std::string deep(300, '[');
  for (const std::string text :
       {R"({"a":1})", R"({"a":1} x)", R"({"a":1)", R"({"a":1e999})", R"({"a":-1e308})", "{\"a\":\"\xff\"}",
        "[]", "", "null", R"({"a":1,"a":2})"}) {
    INFO(text);
    CHECK(is_json(text) == !json_or_discarded<nlohmann::json>(text).is_discarded());
  }
  CHECK_FALSE(is_json(deep + std::string(300, ']')));
}
