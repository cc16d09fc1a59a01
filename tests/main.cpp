#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#include <iostream>

#include "tests/skip.hpp"

namespace {
bool skipped = false;
constexpr int exit_skipped = 77;  // SKIP_RETURN_CODE of tests/CMakeLists.txt
}  // namespace

void skip(const std::string& why) {
  std::cout << "SKIPPED: " << why << "\n";
  skipped = true;
}

int main(int argc, char* argv[]) {
  const int failed = Catch::Session().run(argc, argv);
  return failed == 0 && skipped ? exit_skipped : failed;
}
