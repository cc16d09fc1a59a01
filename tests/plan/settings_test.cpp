#include "orchestrator/plan/settings.hpp"

#include <catch2/catch.hpp>

#include "orchestrator/plan/acceptance.hpp"

using namespace shakedown;

namespace {

std::string settings_refusal_of(const std::string& text) {
  const auto read = acceptance_from_toml(text, "a.toml");
  return read ? std::string() : to_string(read.error());
}

}  // namespace

TEST_CASE("[settings] state how the nodes were delivered, by the names of readings") {
  const auto read = acceptance_from_toml(
      "[settings]\ngovernor = 'performance'\necc = true\nmig = false\npower_limit_w = 700\n"
      "gpu_clock_mhz = 1980.0\ndriver = '550.90.07'\n",
      "a.toml");
  REQUIRE(read);
  CHECK(read->settings == std::vector<ExpectedSetting>{{"governor", "performance"},
                                                       {"ecc", "on"},
                                                       {"mig", "off"},
                                                       {"power_limit_w", "700"},
                                                       {"gpu_clock_mhz", "1980"},
                                                       {"driver", "550.90.07"}});
  CHECK(acceptance_from_toml("title = 'x'\n", "a.toml")->settings.empty());
}

TEST_CASE("a setting that nobody reads and a value of the wrong kind are refused with their line") {
  CHECK(
      settings_refusal_of("[settings]\ngovenor = 'performance'\n")
          .starts_with("a.toml:2: no setting 'govenor' (did you mean 'governor'?)\nhint: settings: kernel,"));
  CHECK(settings_refusal_of("[settings]\nthp = 'always'\necc = 'on'\n")
            .starts_with("a.toml:3: 'ecc' takes true or false"));
  CHECK(settings_refusal_of("[settings]\npower_limit_w = '700 W'\n")
            .starts_with("a.toml:2: 'power_limit_w' takes a number"));
  CHECK(settings_refusal_of("[settings]\ndriver = 550\n").starts_with("a.toml:2: 'driver' takes a text"));
  CHECK_FALSE(settings_refusal_of("[settings]\ngpu_temperature_c = 30\n").empty());
}

TEST_CASE("numbers are as expected to a thousandth, texts to the letter") {
  CHECK(as_expected({"power_limit_w", "700"}, "700.1"));
  CHECK_FALSE(as_expected({"power_limit_w", "700"}, "650"));
  CHECK_FALSE(as_expected({"power_limit_w", "700"}, "many"));
  CHECK(as_expected({"driver", "550.90"}, "550.90"));
  CHECK_FALSE(as_expected({"driver", "550.90"}, "550.9"));
}
