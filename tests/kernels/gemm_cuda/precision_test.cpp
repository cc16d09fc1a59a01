#include "suites/gemm/cuda/host/precision.hpp"

#include <catch2/catch.hpp>

#include <cmath>

#include "suites/gemm/cuda/host/options.hpp"

using namespace gemm_cuda;

TEST_CASE("small formats hold what their definitions say") {
  CHECK(encoded(fp16, 1) == 0x3c00);
  CHECK(encoded(fp16, -2) == 0xc000);
  CHECK(encoded(bf16, 1) == 0x3f80);
  CHECK(encoded(bf16, 0.15625) == 0x3e20);
  CHECK(encoded(e4m3, 1) == 0x38);
  CHECK(encoded(e4m3, -240) == 0xf7);
  CHECK(encoded(e4m3, 0) == 0);
  CHECK(decoded(e4m3, 0x7e) == 448);     // the largest
  CHECK(decoded(e4m3, 0x01) == 0x1p-9);  // the smallest
  CHECK(decoded(fp16, 0x7bff) == 65504);
  CHECK(decoded(bf16, 0x7f7f) == Approx(3.3895e38).epsilon(1e-4));
  for (const auto& [format, bits] :
       {std::pair{e4m3, 0x7f}, {fp16, 0x7c00}, {fp16, 0xfe00}, {bf16, 0xff80}, {bf16, 0xffff}})
    CHECK(std::isnan(decoded(format, static_cast<std::uint16_t>(bits))));
}

TEST_CASE("every factor of a small format comes back as it was") {
  const struct {
    SmallFormat format;
    int digits;
    int exponent;
  } all[] = {{fp16, 11, -12}, {bf16, 8, -9}, {e4m3, 4, fp8_scale_exponent - 5}};
  for (const auto& each : all)
    for (int multiple = -(1 << each.digits); multiple < 1 << each.digits; ++multiple) {
      const double value = std::ldexp(multiple, each.exponent);
      CHECK(decoded(each.format, encoded(each.format, value)) == value);
    }
}

TEST_CASE("the command line of the GEMM screen is read, and wrong ones are refused with a sentence") {
  const auto read = [](std::vector<const char*> words) {
    words.insert(words.begin(), "gemm-cuda");
    return parse_options(static_cast<int>(words.size()), words.data());
  };
  const auto options = read({"--gpus", "8", "--n", "4096", "--trials", "2", "--seconds", "0.5"});
  REQUIRE(options);
  CHECK(options->gpus == 8);
  CHECK(options->n == 4096);
  CHECK(options->trials == 2);
  CHECK(options->seconds == 0.5);
  CHECK(read({"--help"})->help);
  CHECK(read({"--n", "100"}).error() == "--n must be a multiple of 16, but is '100'");
  CHECK(read({"--gpus", "0"}).error() == "--gpus must be an integer from 1 to 64, but is '0'");
  CHECK(read({"--size", "1"}).error() == "unknown option '--size'");
  CHECK(read({"--n"}).error() == "--n needs a value");
}
