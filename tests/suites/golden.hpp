#pragma once
#include <catch2/catch.hpp>
#include <string>

#include "orchestrator/core/file.hpp"

/// Compares `text` with tests/fixtures/plans/<name>. A different text is written to the build folder, to be
/// looked at and copied over the golden if the change is meant.
inline void check_golden(const std::string& name, const std::string& text) {
  using namespace shakedown;
  const fs::path expected = fs::path(TEST_FOLDER) / "fixtures" / "plans" / name;
  const fs::path actual = fs::path(BUILD_FOLDER) / "goldens" / name;
  const auto golden = file_content(expected);
  if (golden && *golden == text) return;
  REQUIRE(make_folder(actual.parent_path()));
  REQUIRE(write_file(actual, text));
  FAIL_CHECK("differs: diff " << expected.string() << " " << actual.string());
}
