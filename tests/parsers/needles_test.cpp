#include "parsers/failures.hpp"

#include <rapidcheck.h>

#include <catch2/catch.hpp>
#include <set>
#include <string>

#include "parsers/parser.hpp"

using namespace shakedown;

namespace {

std::set<size_t> needles_found(const Needles& needles, std::string_view text) {
  std::set<size_t> all;
  needles.search(text, [&](size_t i) { all.insert(i); });
  return all;
}

}  // namespace

TEST_CASE("needles are found wherever they stand, also those that begin alike") {
  const Needles needles({"HPL-NVIDIA ", "HPLinpack ", "T/V  ", "||Ax-", "HPLin"});
  CHECK(needles_found(needles, "HPLinpack 2.3") == std::set<size_t>{1, 4});
  CHECK(needles_found(needles, "xx T/V  ") == std::set<size_t>{2});
  CHECK(needles_found(needles, "a||Ax-") == std::set<size_t>{3});
  CHECK(needles_found(needles, "HPLinpack") == std::set<size_t>{4});
  CHECK(needles_found(needles, "").empty());
  CHECK(needles_found(needles, "||A").empty());
}

TEST_CASE("needles are found as by looking for each alone") {
  const std::vector<std::string> texts = {"ababa", "ababac", "bcaab", "ccccc", "acabca"};
  const Needles needles({texts.begin(), texts.end()});
  rc::check([&] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(std::string("abc")));
    std::set<size_t> expected;
    for (size_t i = 0; i < texts.size(); ++i)
      if (text.find(texts[i]) != std::string::npos) expected.insert(i);
    RC_ASSERT(needles_found(needles, text) == expected);
  });
}

TEST_CASE("every failure's needle is long enough to be looked for") {
  for (const FailurePattern& pattern : failure_patterns()) {
    CAPTURE(pattern.needle);
    CHECK(pattern.needle.size() >= Needles::shortest);
  }
}

TEST_CASE("every grammar's needles are long enough to be distinguished from noise") {
  for (const Parser* parser : parsers())
    for (const std::string_view needle : parser->needles) {
      CAPTURE(parser->id, needle);
      CHECK(needle.size() >= Needles::shortest);
    }
}
