#include "suites/stream/cuda/host/pattern.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <vector>

#include "suites/stream/cuda/host/options.hpp"

using namespace stream_cuda;

TEST_CASE("a copy that lost, moved or kept words of another one is found out word by word") {
  std::vector<std::uint64_t> words(4096);
  for (size_t i = 0; i < words.size(); ++i) words[i] = pattern_word(5, i);
  CHECK(wrong_words(words.data(), words.size(), 5) == 0);
  CHECK(wrong_words(words.data(), words.size(), 6) == words.size());
  CHECK(wrong_words(words.data() + 1, words.size() - 1, 5) == words.size() - 1);
  words[17] ^= 1;
  words[18] = 0;
  CHECK(wrong_words(words.data(), words.size(), 5) == 2);
}

TEST_CASE("what STREAM's arrays must hold follows from its kernels, and any other value is an error") {
  // By hand: c = 2, b = 6, c = 8, a = 6 + 24.
  CHECK(final_values(1) == std::array<double, 3>{30, 6, 8});
  CHECK(final_values(2) == std::array<double, 3>{450, 90, 120});
  std::vector<double> values(1000, 30);
  CHECK(largest_error(values.data(), values.size(), 30) == 0);
  values[999] = 30 * (1 + 1e-12);
  CHECK(largest_error(values.data(), values.size(), 30) > most_error);
  values[0] = std::numeric_limits<double>::quiet_NaN();
  CHECK(std::isinf(largest_error(values.data(), values.size(), 30)));
  CHECK(std::isfinite(final_values(200)[0]));
}

TEST_CASE("the command line of the STREAM screen is read, and wrong ones are refused with a sentence") {
  const auto read = [](std::vector<const char*> words) {
    words.insert(words.begin(), "stream-cuda");
    return parse_options(static_cast<int>(words.size()), words.data());
  };
  const auto options = read({"--gpus", "4", "--elements", "1024", "--times", "3"});
  REQUIRE(options);
  CHECK(options->gpus == 4);
  CHECK(options->elements == 1024);
  CHECK(options->times == 3);
  CHECK(read({"-h"})->help);
  CHECK(read({"--elements", "7"}).error() == "--elements must be even, but is '7'");
  CHECK(read({"--times", "1"}).error() == "--times must be an integer from 2 to 100, but is '1'");
  CHECK(read({"--speed", "1"}).error() == "unknown option '--speed'");
}
