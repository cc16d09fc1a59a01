#include "suites/hpl/hpl_dat.hpp"

#include <catch2/catch.hpp>

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "tests/suites/golden.hpp"

using namespace shakedown;
using namespace shakedown::hpl;

TEST_CASE("HPL.dat has HPL's 31 lines") {
  const std::string text = hpl_dat({2706432, 1024, true, 16, 49});
  CHECK(std::ranges::count(text, '\n') == 31);
  CHECK(text.ends_with('\n'));
  check_golden("HPL.dat", text);
}

TEST_CASE("HPL reads its values at the begin of their lines") {
  const std::string text = hpl_dat({8000, 192, false, 1, 2});
  const auto lines = split(text, '\n');
  const std::pair<size_t, std::string_view> rows[] = {{4, "6"}, {5, "1"},  {6, "8000"}, {8, "192"},
                                                      {9, "0"}, {11, "1"}, {12, "2"},   {13, "16.0"}};
  for (const auto& [line, value] : rows) {
    CAPTURE(line);
    CHECK(words(lines[line - 1]).front() == value);
  }
  CHECK(words(split(hpl_dat({8000, 192, true, 1, 2}), '\n')[8]).front() == "1");
}

TEST_CASE("hpccinf.txt is HPL.dat and HPCC's five lines") {
  const HplDat run{2000, 192, false, 1, 2};
  const std::string text = hpccinf(run);
  CHECK(text.starts_with(hpl_dat(run)));
  CHECK(std::ranges::count(text, '\n') == 36);
  check_golden("hpccinf.txt", text);
}
