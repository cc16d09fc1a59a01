// Planning and judging read one file: each ignores the other's keys.
#include "orchestrator/plan/acceptance.hpp"

#include <catch2/catch.hpp>

#include "reports/judge/criteria.hpp"

using namespace shakedown;

namespace {

constexpr std::string_view whole_configuration = R"(
title = "Contract"
system = "sakuraone"
baseline = "sakuraone"
[report]
vendor = "v"
[site]
launcher = "srun"
[settings]
ecc = true
[[calibration]]
system = "sakuraone"
suite = "hpl"
implementation = "nvidia"
metric = "rmax_gflops"
factor = 1.1
low = 1.0
high = 1.2
points = 5
[[runs]]
suite = "hpl"
[disturbance]
steal = { limit = 0.02, reason = "a guest's CPU is its own" }
[[criteria]]
id = "valid"
title = "HPL is valid"
suite = "hpl"
metric = "validity"
severity = "mandatory"
limit_source = "HPL's own threshold"
[[waivers]]
criterion = "valid"
reason = "the switch is on order"
approver = "the board"
expires = 2099-12-31
)";

}  // namespace

TEST_CASE("one configuration may state all that is planned and all that is judged") {
  const auto planned = acceptance_from_toml(whole_configuration, "c.toml");
  INFO((planned ? "" : planned.error().what));
  REQUIRE(planned);
  CHECK(planned->calibrations.size() == 1);
  const auto criteria = read_criteria(whole_configuration, "c.toml");
  INFO((criteria ? "" : criteria.error().what));
  REQUIRE(criteria);
  CHECK(criteria->waivers.size() == 1);
  const auto table = TomlTable::parse(whole_configuration, "c.toml");
  REQUIRE(table);
  for (const std::string_view key : keys_of_the_plan) CHECK(table->has(key));
  for (const std::string_view key : keys_of_the_criteria) CHECK(table->has(key));
}
