#include <catch2/catch.hpp>
#include <filesystem>

#include "orchestrator/core/units.hpp"
#include "tests/reports/fixture.hpp"

using namespace shakedown;

namespace {

/// Reads a baseline whose file is the shipped one with `from` replaced by `to`.
Result<Baseline> altered(std::string_view from, std::string_view to) {
  std::string text = fixture::project_file("reports/baselines/sakuraone.toml");
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const auto path =
      std::filesystem::temp_directory_path() / ("baseline-" + sha256(text).substr(0, 12) + ".toml");
  REQUIRE(write_file(path, text));
  auto baseline = read_baseline(path);
  std::filesystem::remove(path);
  return baseline;
}

}  // namespace

TEST_CASE("SAKURAONE's HPL rows carry the published figures with their table and conditions") {
  const Baseline baseline = fixture::sakuraone();
  const BaselineValue* rmax = baseline.find("hpl", "rmax_gflops");
  REQUIRE(rmax != nullptr);
  CHECK(rmax->value == 33950000);
  CHECK(rmax->printed == "33.95 PFLOP/s");
  CHECK(rmax->source == "Table 5, row 'Sustained performance (Rmax)'");
  CHECK(value_number(*find_parameter(rmax->conditions, "nodes")) == 98);
  CHECK(value_number(*find_parameter(rmax->conditions, "N")) == 2706432);
  CHECK(baseline.find("hpl", "efficiency_gemm")->value == 0.783);
  CHECK(baseline.find("hpl", "rating_gflops") == nullptr);
  CHECK(baseline.sha256.size() == 64);
}

TEST_CASE("every published figure agrees with the figure as printed") {
  for (const BaselineValue& value : fixture::sakuraone().values) {
    INFO(value.id);
    const std::string digits = value.printed.substr(0, value.printed.find_first_not_of("0123456789."));
    const double scale = value.printed.ends_with("PFLOP/s")   ? 1e6
                         : value.printed.ends_with("TFLOP/s") ? 1e3
                         : value.printed.ends_with("%")       ? 0.01
                                                              : 1;
    CHECK(value.value == Approx(parsed_number(digits).value() * scale));
  }
}

TEST_CASE("all identities of Table 5 hold within the rounding of the printed figures") {
  const auto checks = checked_identities(fixture::sakuraone());
  CHECK(checks.size() == 7);
  for (const IdentityCheck& check : checks) {
    INFO(check.value_id << ": " << check.identity << ", " << check.recomputed);
    CHECK(check.holds);
  }
}

TEST_CASE("a published figure that does not follow from the others fails its identity") {
  const auto baseline = altered("value = 33950000\nunit = \"GFLOP/s\"\nprinted = \"33.95 PFLOP/s\"",
                                "value = 33970000\nunit = \"GFLOP/s\"\nprinted = \"33.97 PFLOP/s\"");
  REQUIRE(baseline);
  const auto checks = checked_identities(*baseline);
  CHECK_FALSE(checks.front().holds);
  CHECK(checks.front().recomputed == Approx(33954254).epsilon(1e-5));
}

TEST_CASE("a misspelled key or status of a baseline is refused with its line") {
  const auto key = altered("printed = \"33.95", "printd = \"33.95");
  REQUIRE_FALSE(key);
  CHECK(key.error().what == "unknown key 'printd' in [runs.values] (did you mean 'printed'?)");
  const auto status = altered("status = \"ok\"", "status = \"inconsistant\"");
  REQUIRE_FALSE(status);
  CHECK(status.error().what == "'inconsistant' is no status (did you mean 'inconsistent'?)");
  CHECK(status.error().where.ends_with(".toml:36"));
}

TEST_CASE("shipped baselines are found by their folder") {
  const auto share = std::filesystem::path(BUILD_FOLDER) / "share/shakedown";
  const auto baselines = shipped_baselines(share);
  REQUIRE(baselines);
  REQUIRE(baselines->size() >= 1);
  CHECK_FALSE(shipped_baselines("/nowhere"));
}
