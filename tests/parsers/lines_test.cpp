#include "parsers/lines.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace shakedown;

namespace {

struct LinesSeen {
  std::string text;
  int number;
  bool terminated;
  bool operator==(const LinesSeen&) const = default;
};

std::vector<LinesSeen> seen(std::string_view text) {
  std::vector<LinesSeen> all;
  LogLines lines(text);
  while (const auto line = lines.next())
    all.push_back({std::string(line->text), line->number, line->terminated});
  return all;
}

}  // namespace

TEST_CASE("lines keep the number they have in the file, whatever ends them") {
  CHECK(seen("a\nb\r\n\nc") ==
        std::vector<LinesSeen>{{"a", 1, true}, {"b", 2, true}, {"", 3, true}, {"c", 4, false}});
  CHECK(seen("").empty());
  CHECK(seen("\n").size() == 1);
}

TEST_CASE("a text in pieces gives the lines of the whole") {
  LogLines lines;
  std::vector<LinesSeen> all;
  const std::vector<std::string> pieces = {"a\nb\n", "", "c\n", "long", "er\n", "d\r", "e"};
  for (size_t i = 0; i < pieces.size(); ++i) {
    lines.feed(pieces[i], i + 1 == pieces.size());
    while (const auto line = lines.next())
      all.push_back({std::string(line->text), line->number, line->terminated});
  }
  CHECK(all == std::vector<LinesSeen>{{"a", 1, true},
                                      {"b", 2, true},
                                      {"c", 3, true},
                                      {"long", 4, false},
                                      {"er", 4, true},
                                      {"d", 5, false},
                                      {"e", 5, false}});
}

TEST_CASE("progress that overwrites itself is several texts of one line") {
  CHECK(seen("10 %\r20 %\rdone\nnext\n") ==
        std::vector<LinesSeen>{{"10 %", 1, true}, {"20 %", 1, true}, {"done", 1, true}, {"next", 2, true}});
}

TEST_CASE("terminal codes are taken off, also unfinished ones") {
  CHECK(seen("\x1b[0;31m Prog= 2.00%\x1b[0m\n").front().text == " Prog= 2.00%");
  CHECK(seen("\x1b]0;title\ax\n").front().text == "x");
  CHECK(seen("a\x1b[").front().text == "a");
  CHECK(seen("a\x1b").front().text == "a");
}

TEST_CASE("rank prefixes and time stamps of the launchers are taken off") {
  for (const std::string prefix :
       {"[1,0]<stdout>:", "[1,0]<stdout>: ", "[prterun-node1-77@1,0]<stdout>: ", " 0: ", "0: ", "127: ",
        "[0] ", "cn001: ", "Fri Mar  1 12:00:00 2024[1,0]<stdout>:", "Fri Mar 11 12:00:00 2024<stdout>:",
        "node-7.cluster: ", "2025-06-08T23:23:45.123456Z ",
        "2025-06-08 23:23:45 [1,12]<stderr>:", "[2025-06-08 23:23:45] ", "23:23:45 0: "}) {
    INFO(prefix);
    CHECK(std::string(without_rank_prefix(prefix + "WR11C2R4        2000")).find("WR11C2R4") <= 1);
  }
  CHECK(without_rank_prefix("0:") == "");
}

TEST_CASE("what only looks like a prefix stays") {
  for (const std::string_view line :
       {"N      :    2000", "HPL ERROR: CUBLAS initialization failed", "srun: error: n1: task 3: Killed",
        "[node:123] *** Process received signal ***", "12:34", "Ranks: 2", "L1     : transposed form", "[",
        "[]", "1", "Fri Mar  1 12:00:00 2024", "Fri Mar  1 12:00:00 2024 x"})
    CHECK(without_rank_prefix(line) == line);
}

TEST_CASE("what stands before HPL's banner is taken off the lines below it, a mark of quotation is not") {
  const auto texts = [](std::string_view prefix) {
    const std::string before(prefix);
    std::vector<std::string> all;
    for (const LinesSeen& line :
         seen(before + "x\n" + before + "HPLinpack 2.3  --  High-Performance Linpack benchmark\n" + before +
              "\n" + std::string(before, 0, before.size() - 1) + "\n" + before + "T/V\nother words\n"))
      all.push_back(line.text);
    return all;
  };
  const auto learned = texts("[pod/xhpl] ");
  CHECK(learned == std::vector<std::string>{"[pod/xhpl] x",
                                            "HPLinpack 2.3  --  High-Performance Linpack benchmark", "", "",
                                            "T/V", "other words"});
  CHECK(texts("> ")[4] == "> T/V");
  CHECK(texts("log")[4] == "logT/V");
}

TEST_CASE("a hole that a crash left before a line is no part of it") {
  CHECK(seen(std::string(3, '\0') + "a\n" + std::string(2, '\0')) ==
        std::vector<LinesSeen>{{"a", 1, true}, {"", 2, false}});
}

TEST_CASE("a byte order mark is no part of a line, and a hole within a line parts its words") {
  using std::string_literals::operator""s;
  CHECK(seen("\xef\xbb\xbf"
             "a\n\xef\xbb\xbf"
             "b\n1.5\0e3 x\0\0\n"s) ==
        std::vector<LinesSeen>{{"a", 1, true}, {"b", 2, true}, {"1.5 e3 x  ", 3, true}});
}

TEST_CASE("the time stamp that is taken off a line stays known, the one nearest to its text") {
  LogLines lines(
      "2026-08-21 20:26:57.859\n[1,0]<stdout>:2025-06-08T23:23:45Z words\n2026-11-21T18:00:00Z 12:00:01 "
      "x\nx\n");
  const auto stamp = [&] {
    const auto line = lines.next();
    return line ? std::string(line->stamp) : "no line";
  };
  CHECK(stamp() == "2026-08-21 20:26:57.859");
  CHECK(stamp() == "2025-06-08T23:23:45Z");
  CHECK(stamp() == "12:00:01");
  CHECK(stamp().empty());
}
