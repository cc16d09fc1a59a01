#include "orchestrator/launch/environment.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>

using namespace shakedown;

namespace {

std::string value(const std::vector<EnvironmentRecord>& records, std::string_view name) {
  const auto it = std::ranges::find(records, name, &EnvironmentRecord::name);
  return it == records.end() ? std::string("(none)") : it->value;
}

}  // namespace

TEST_CASE("the environment is captured with the executables' hashes, and secrets masked") {
  ::setenv("OMP_PLACES", "cores", 1);
  ::setenv("OMPI_MCA_SECRET", "hush", 1);
  ::setenv("UCX_PROXY", "http://me:soft-spoken@proxy:3128", 1);
  const auto records = captured_environment({"n1", "", "/bin/true"}, {});
  CHECK(records.front().node == "n1");
  CHECK(value(records, "environment OMP_PLACES") == "cores");
  CHECK(value(records, "environment OMPI_MCA_SECRET") == "(secret)");
  CHECK(value(records, "kernel").starts_with("Linux "));
  CHECK(value(records, "sha256 /bin/true").size() > 64);
  CHECK(value(records, "environment UCX_PROXY") == "http://(secret)@proxy:3128");
  for (const char* secret : {"hush", "soft-spoken"})
    CHECK(environment_json({records, {}}).find(secret) == std::string::npos);
}

TEST_CASE("what is known of a node is not read again, and another program is added to it") {
  const std::vector<EnvironmentRecord> known = {{"n1", "sha256 /bin/true", "as it was"},
                                                {"n2", "kernel", "of another node"}};
  const auto records = captured_environment({"n1", "", "/bin/true"}, known);
  CHECK(value(records, "sha256 /bin/true") == "as it was");
  CHECK(value(records, "kernel").starts_with("Linux "));
  const auto more = captured_environment({"n1", "", "/bin/false"}, records);
  CHECK(value(more, "sha256 /bin/true") == "as it was");
  CHECK(value(more, "sha256 /bin/false").size() > 64);
}

TEST_CASE("environment.json is read back as it was written") {
  const std::vector<EnvironmentRecord> records = {{"n1", "kernel", "6.1 \"x\""}, {"n2", "kernel", "6.2"}};
  const auto read = environment_from_json(environment_json({records, {}})).records;
  REQUIRE(read.size() == 2);
  CHECK(read[0].node == "n1");
  CHECK(read[0].value == "6.1 \"x\"");
  CHECK(environment_from_json("no json") == EnvironmentFile());
}
