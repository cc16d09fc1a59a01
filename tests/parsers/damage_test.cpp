#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include <set>
#include <tuple>

#include "orchestrator/core/text.hpp"
#include "tests/parsers/logs.hpp"

using namespace shakedown;

namespace {

/// A result without what a changed text may change: the lines, and words about the text's end.
ParsedResult essence(ParsedResult result) {
  result.warnings.clear();
  result.reason.clear();
  return result;
}

std::vector<ParsedResult> essence(std::vector<ParsedResult> results) {
  for (ParsedResult& result : results) result = essence(std::move(result));
  return results;
}

/// `text` with every line put through `change`.
template <class Change>
std::string by_line(std::string_view text, Change change) {
  std::string out;
  for (const std::string_view line : split(text, '\n')) {
    if (line.data() + line.size() == text.data() + text.size() && line.empty()) break;
    out += change(std::string(line)) + '\n';
  }
  return out;
}

/// Where to cut: at every byte of a short text, of a long one at every line and at some bytes between.
std::vector<size_t> cuts(std::string_view text) {
  const size_t step = 1 + text.size() / 6000;
  std::vector<size_t> lengths;
  for (size_t length = 0; length < text.size(); ++length)
    if (length % step == 0 || text[length] == '\n' || (length > 0 && text[length - 1] == '\n'))
      lengths.push_back(length);
  return lengths;
}

}  // namespace

TEST_CASE("a log cut at any byte gives no number that the whole log does not have") {
  for (const std::string& name : logs::fixtures()) {
    INFO(name);
    const std::string text = logs::fixture(name);
    const auto whole = parsed_log(text);
    REQUIRE(whole.has_value());
    std::set<std::tuple<std::string, double, int>> known;
    size_t complete = 0;
    for (const ParsedResult& result : *whole) {
      for (const Metric& metric : result.metrics) known.emplace(metric.name, metric.value, metric.line);
      if (result.complete) ++complete;
    }
    for (const size_t length : cuts(text)) {
      const auto cut = parsed_log(std::string_view(text).substr(0, length));
      if (!cut) continue;
      size_t still_complete = 0;
      for (const ParsedResult& result : *cut) {
        for (const Metric& metric : result.metrics)
          if (metric.name != "residual" && !known.contains({metric.name, metric.value, metric.line}))
            FAIL(name << " cut at " << length << ": " << metric.name << " = " << metric.value);
        if (!result.complete) {
          if (result.reason.empty()) FAIL(name << " cut at " << length << ": no reason");
          continue;
        }
        ++still_complete;
        const Metric* residual = result.metric("residual");
        if (residual != nullptr && !known.contains({"residual", residual->value, residual->line}))
          FAIL(name << " cut at " << length << ": residual = " << residual->value);
      }
      if (still_complete > complete)
        FAIL(name << " cut at " << length << ": more results than the whole log");
    }
  }
}

TEST_CASE("prefixes, line ends, colours and blanks that a launcher adds change no result") {
  const auto add = [](std::string before, std::string after) {
    return [before, after](std::string line) { return before + line + after; };
  };
  for (const std::string& name : logs::fixtures()) {
    INFO(name);
    const std::string text = logs::fixture(name);
    const auto plain = essence(logs::parsed(text));
    for (const auto& [before, after] :
         std::vector<std::pair<std::string, std::string>>{{"[1,0]<stdout>:", ""},
                                                          {" 0: ", ""},
                                                          {"0: ", ""},
                                                          {"[0] ", ""},
                                                          {"cn001: ", ""},
                                                          {" ", ""},
                                                          {"", "\r"},
                                                          {"\x1b[0;32m", "\x1b[0m"},
                                                          {"2026-11-21T18:00:00.000Z ", "\r"}}) {
      INFO("'" << before << "'");
      CHECK(essence(logs::parsed(by_line(text, add(before, after)))) == plain);
    }
  }
}

TEST_CASE("bytes that were overwritten never crash the reader nor make a complete result without a check") {
  const auto names = logs::fixtures();
  rc::check([&] {
    const std::string name = *rc::gen::elementOf(names);
    std::string text = logs::fixture(name);
    for (int i = 0; i < 8; ++i) {
      const auto at = *rc::gen::inRange<size_t>(0, text.size());
      text[at] = *rc::gen::arbitrary<char>();
    }
    const auto results = parsed_log(text);
    if (!results) return;
    for (const ParsedResult& result : *results) {
      RC_ASSERT(result.complete || !result.reason.empty());
      if (result.suite == "hpl") RC_ASSERT(!result.complete || result.fact("residual_check") != nullptr);
      logs::judge(result);
    }
  });
}

TEST_CASE("lines in any order never crash the reader") {
  const auto names = logs::fixtures();
  rc::check([&] {
    const std::string text = logs::fixture(*rc::gen::elementOf(names));
    std::string mixed;
    const auto lines = split(text, '\n');
    const auto picks =
        *rc::gen::container<std::vector<size_t>>(60, rc::gen::inRange<size_t>(0, lines.size()));
    for (const size_t pick : picks) mixed += std::string(lines[pick]) + "\n";
    if (const auto results = parsed_log(mixed))
      for (const ParsedResult& result : *results) logs::judge(result);
  });
}

TEST_CASE("UTF-16 is refused alike by every grammar, marked or not, and a mark of UTF-8 is read over") {
  const auto wide = [](std::string_view text, bool little) {
    std::string out;
    for (const char c : text) out += little ? std::string{c, '\0'} : std::string{'\0', c};
    return out;
  };
  std::set<std::string_view> seen;
  for (const std::string& name : logs::fixtures()) {
    INFO(name);
    const std::string text = logs::fixture(name);
    const auto whole = logs::parsed(text);
    REQUIRE_FALSE(whole.empty());
    for (const Parser* parser : parsers())
      if (parser->suite == whole.front().suite) seen.insert(parser->id);
    struct Row {
      std::string text, hint;
    };
    const std::string head = "Script started on 2026-11-27\n";
    for (const auto& [log, hint] :
         {Row{"\xff\xfe" + wide(text, true), "iconv -f UTF-16 "},
          Row{"\xfe\xff" + wide(text, false), "iconv -f UTF-16 "},
          Row{wide(text, true), "iconv -f UTF-16LE "}, Row{wide(text, false), "iconv -f UTF-16BE "},
          Row{head + "\xff\xfe" + wide(text, true), "save all of it as UTF-8"},
          Row{head + wide(text, false), "save all of it as UTF-8"}})
      for (const std::string_view suite : {std::string_view(), std::string_view(whole.front().suite)}) {
        INFO(hint << " '" << suite << "'");
        const auto results = parsed_log(log, suite);
        REQUIRE_FALSE(results.has_value());
        CHECK(results.error().what == "this text is UTF-16, which is not read");
        CHECK(results.error().hint.find(hint) != std::string::npos);
        CHECK(is_unread_text(results.error()));
      }
    CHECK(logs::parsed("\xef\xbb\xbf" + text) == whole);
    CHECK(essence(logs::parsed(std::string(3, '\0') + text)) == essence(whole));
  }
  CHECK(seen.size() == parsers().size());
}

TEST_CASE("binary files are no UTF-16: small numbers, and zeros before letters") {
  const std::string numbers("\x01\0\x02\0\x03\0\x04\0\x05\0", 10);
  const std::string program =
      "\x7f" + std::string("ELF\x02\x01\x01\0\0\0\0\0\0\0\0\0\x03\0>\0\x01\0\0\0", 24);
  for (const std::string& text : {numbers, program}) {
    const auto results = parsed_log(text);
    REQUIRE_FALSE(results.has_value());
    CHECK(results.error().what == "this is a binary file, no benchmark log");
    CHECK_FALSE(is_unread_text(results.error()));
  }
}
