#include <catch2/catch.hpp>

#include "tests/parsers/logs.hpp"

using namespace shakedown;
using namespace logs;

namespace {

/// A run of `rows` tests, made of the log of one.
std::string long_run(int rows, const std::string& footer_count) {
  const std::string one = fixture("hpl/grammar/netlib-passed.out");
  const size_t table = one.find("==\nT/V   ") + 3;
  const size_t end = one.find("\nFinished");
  // 13 x 10 x 10 tests.
  std::string text =
      replaced(replaced(replaced(one.substr(0, table), "N      :    1500 ",
                                 "N      :    1500 1 2 3 4 5 6 7\n            8 9 10 11 12 "),
                        "NB     :      64 ", "NB     :      64 1 2 3 4 5 6 7\n            8 9 "),
               "NBMIN  :       4 ", "NBMIN  :       4 1 2 3 5 6 7 8\n            9 10 ");
  for (int i = 0; i < rows; ++i) text += one.substr(table, end - table);
  text += replaced(replaced(one.substr(end), "Finished      1 tests", "Finished " + footer_count + " tests"),
                   "      1 tests completed and passed", footer_count + " tests completed and passed");
  return text;
}

}  // namespace

TEST_CASE("a run of thousands of rows gives them all, the first without the footer") {
  const auto results = parsed(long_run(1300, "1300"));
  REQUIRE(results.size() == 1300);
  for (const ParsedResult& result : results) {
    CHECK(result.complete);
    CHECK(judge(result).validity == Validity::valid);
  }
  CHECK(results.front().warnings ==
        std::vector<std::string>{
            "the run has more rows than are stored: its footer was not compared with this one"});
  CHECK(fact(results.front(), "tests_passed").empty());
  CHECK(results.back().warnings.empty());
  CHECK(fact(results.back(), "tests_passed") == "1300");
  CHECK(fact(results.back(), "rows_passed") == "1300");
}

TEST_CASE("a footer that counts fewer rows than a long run has is reported at its end") {
  const auto results = parsed(long_run(1300, "1299"));
  REQUIRE(results.size() == 1300);
  CHECK(judge(results.back()).validity == Validity::invalid);
}

TEST_CASE("skipped tests are given as they come, hosts and echoed values are kept up to a bound") {
  const std::string text = fixture("hpl/grammar/netlib-one-skipped.out");
  const size_t at = text.find(">>> ");
  const std::string skip = text.substr(at, text.find('\n', at) + 1 - at);
  std::string log = text;
  std::string skips;
  for (int i = 0; i < 2000; ++i) skips += skip;
  log.insert(at, skips);
  CHECK(parsed(log).size() == 2002);

  std::string values;
  for (int i = 0; i < 1000; ++i) values += " " + std::to_string(i + 1);
  const auto many =
      parsed(replaced(fixture("hpl/grammar/netlib-passed.out"), "NB     :      64", "NB     :" + values));
  CHECK(fact(many.front(), "echoed").empty());
}

TEST_CASE("a long run without its footer is said to be cut, at its end") {
  const std::string text = long_run(1300, "1300");
  const auto results = parsed(text.substr(0, text.find("\nFinished")));
  REQUIRE(results.size() == 1300);
  REQUIRE_FALSE(results.back().warnings.empty());
  CHECK(results.back().warnings.front().find("no 'End of Tests.'") != std::string::npos);
}
