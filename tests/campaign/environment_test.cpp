#include "orchestrator/campaign/environment.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cstdlib>

using namespace shakedown;

TEST_CASE("variables that speak of keys, tokens or passwords are secret") {
  for (const char* name : {"OMPI_TOKEN", "SLURM_JWT_KEY", "CUDA_password", "HPL_API_SECRET", "NCCL_AUTH"})
    CHECK(is_secret(name));
  for (const char* name : {"OMP_NUM_THREADS", "LD_LIBRARY_PATH", "HPL_OOC_MODE"})
    CHECK_FALSE(is_secret(name));
}

TEST_CASE("the environment is captured with the executables' hashes, and secrets masked") {
  ::setenv("OMP_PLACES", "cores", 1);
  ::setenv("OMPI_MCA_SECRET", "hush", 1);
  CaseRecord planned;
  planned.planned.argv = {"/bin/true"};
  const auto records = captured_environment(std::span(&planned, 1));
  const auto value = [&](std::string_view name) {
    const auto it = std::find_if(records.begin(), records.end(),
                                 [&](const EnvironmentRecord& record) { return record.name == name; });
    return it == records.end() ? std::string("(none)") : it->value;
  };
  CHECK(value("environment OMP_PLACES") == "cores");
  CHECK(value("environment OMPI_MCA_SECRET") == "(masked)");
  CHECK(value("kernel").starts_with("Linux "));
  CHECK(value("sha256 /bin/true").size() > 64);
  CHECK(environment_json(records).find("hush") == std::string::npos);
}

TEST_CASE("environment.json is read back as it was written") {
  const std::vector<EnvironmentRecord> records = {{"n1", "kernel", "6.1 \"x\""}, {"n2", "kernel", "6.2"}};
  const auto read = environment_from_json(environment_json(records));
  REQUIRE(read.size() == 2);
  CHECK(read[0].node == "n1");
  CHECK(read[0].value == "6.1 \"x\"");
  CHECK(environment_from_json("no json").empty());
}
