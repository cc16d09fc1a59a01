#include "suites/io500/reference/pattern.hpp"

#include <rapidcheck.h>

#include <algorithm>
#include <catch2/catch.hpp>

#include "suites/io500/reference/find.hpp"

using namespace io500;

namespace {

bool is_data_file(const std::string& name) {
  return std::any_of(data_files.begin(), data_files.end(),
                     [&](std::string_view pattern) { return matches(pattern, name); });
}

}  // namespace

TEST_CASE("each name that a phase makes is known as this program's, of any rank and number") {
  const bool holds = rc::check([] {
    const int rank = *rc::gen::inRange(0, 1'000'000);
    const auto number = *rc::gen::inRange<std::int64_t>(0, 2'000'000'000);
    const std::string own = mdtest_file(rank, number);
    const std::string test = std::string(test_folder) + "/";
    RC_ASSERT(is_data_file("ior-easy/" + easy_file(rank)));
    RC_ASSERT(is_data_file("ior-easy/" + std::to_string(rank) + "/" + easy_file(rank)));
    RC_ASSERT(is_data_file("mdtest-easy/" + test + easy_tree(rank) + "/" + own));
    RC_ASSERT(is_data_file("mdtest-hard/" + test + hard_tree + "/" + own));
  });
  CHECK(holds);
  CHECK(is_data_file("ior-hard/file"));
  CHECK(is_data_file("ior-easy/ior_file_easy"));
  CHECK(easy_file(7) == "ior_file_easy.00000007");
}

TEST_CASE("other names are not this program's, be they ever so like") {
  for (const char* name :
       {"", "file", "ior-hard/file2", "ior-hard/files", "ior-hard/", "ior-easy/ior_file_easy.",
        "ior-easy/notes", "ior-easy/ior_file_easy.00000001.bak", "ior-easy/x/ior_file_easy.00000001",
        "mdtest-easy/file.mdtest.0.1", "mdtest-easy/test-dir.0-0/mdtest_tree.0.0/file.mdtest.0.",
        "a/ior-hard/file", "mdtest-hard/test-dir.0-0/mdtest_tree.0/file.mdtest.0.-1",
        "mdtest-hard/test-dir.0-0/mdtest_tree.1/file.mdtest.0.1"}) {
    INFO(name);
    CHECK_FALSE(is_data_file(name));
  }
}

TEST_CASE("'#' stands for digits, at least one, and all else for itself") {
  CHECK(matches("a.#", "a.0"));
  CHECK(matches("a.#.b", "a.0123456789.b"));
  CHECK_FALSE(matches("a.#", "a."));
  CHECK_FALSE(matches("a.#", "a.1x"));
  CHECK_FALSE(matches("a.#b", "a.b"));
  CHECK(matches("", ""));
  CHECK_FALSE(matches("", "a"));
}

TEST_CASE("the files that find must find are those with 01 in rank or number") {
  const bool holds = rc::check([] {
    const int ranks = *rc::gen::inRange(1, 30);
    const auto items = *rc::gen::inRange<std::int64_t>(0, 2500);
    std::int64_t expected = 0;
    for (int rank = 0; rank < ranks; ++rank)
      for (std::int64_t number = 0; number < items; ++number)
        if (mdtest_file(rank, number).find("01") != std::string::npos) ++expected;
    RC_ASSERT(names_with_01(ranks, items) == expected);
  });
  CHECK(holds);
  CHECK(names_with_01(102, 1) == 1);  // rank 101 alone
}
