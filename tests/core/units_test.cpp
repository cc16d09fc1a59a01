#include "orchestrator/core/units.hpp"

#include <catch2/catch.hpp>

#include <limits>

using namespace shakedown;

TEST_CASE("a number shows its significant digits, a true minus and no negative zero") {
  CHECK(number(33954.25) == "33954");
  CHECK(number(43.309) == "43.31");
  CHECK(number(0.78264) == "0.7826");
  CHECK(number(-1.5, 2) == "\u22121.5");
  CHECK(number(-0.0) == "0");
  CHECK(number(1e-7) == "1.000e-07");
  CHECK(number(std::numeric_limits<double>::quiet_NaN()) == "nan");
  CHECK(grouped(2706432) == "2\u202f706\u202f432");
  CHECK(grouped(8000) == "8000");
}

TEST_CASE("counts are readable whatever their size") {
  CHECK(count_text(0) == "0");
  CHECK(count_text(4096) == "4096");
  CHECK(count_text(12'500) == "12\u202f500");
  CHECK(count_text(999'999) == "999\u202f999");
  CHECK(count_text(111'400'000) == "111.4 million");
  CHECK(count_text(100e6) == "100 million");
  CHECK(count_text(143.6e6, 3) == "144 million");
  CHECK(count_text(2.5e10) == "25\u202f000 million");
  CHECK(count_text(1e15) == "1\u202f000\u202f000\u202f000 million");
}

TEST_CASE("rates and sizes choose their unit") {
  CHECK(flops_text(33954251) == "33.95 PFLOP/s");
  CHECK(flops_text(92.13) == "92.13 GFLOP/s");
  CHECK(bytes_text(25769803776.0) == "24 GiB");
  CHECK(bytes_text(1536.0) == "1.5 KiB");
  CHECK(percent_text(0.78264) == "78.3 %");
  CHECK(percent_text(-0.0001) == "0.0 %");
}

TEST_CASE("durations are read as people write them") {
  CHECK(duration_seconds("90").value() == 90);
  CHECK(duration_seconds("5", 60).value() == 300);
  CHECK(duration_seconds("15m").value() == 900);
  CHECK(duration_seconds("1h30m").value() == 5400);
  CHECK(duration_seconds("00:30:00").value() == 1800);
  for (const std::string_view bad : {"", "m", "1x", "-3", "0", "1:2:3:4", "5 m"})
    CHECK_FALSE(duration_seconds(bad));
  CHECK(duration_seconds("1x").error().what == "'1x' is not a duration");
}

TEST_CASE("numbers of logs are read whole or not at all") {
  CHECK(parsed_number("5.0523e+03").value() == 5052.3);
  CHECK(std::isnan(parsed_number("nan").value()));
  CHECK(std::isnan(parsed_number("NAN").value()));
  CHECK_FALSE(parsed_number("1,234"));
  CHECK_FALSE(parsed_number("12abc"));
  CHECK_FALSE(parsed_number(""));
  CHECK(parsed_integer("2706432").value() == 2706432);
  CHECK_FALSE(parsed_integer("1e6"));
}
