#include "suites/io500/reference/settings.hpp"

#include <catch2/catch.hpp>
#include <vector>

using namespace io500;

namespace {

Result<Options> parsed(std::vector<std::string> words) {
  words.insert(words.begin(), "io500");
  std::vector<char*> argv;
  argv.reserve(words.size());
  for (std::string& word : words) argv.push_back(word.data());
  return parse_options(static_cast<int>(argv.size()), argv.data());
}

std::string options_refusal(const std::vector<std::string>& words) {
  const auto options = parsed(words);
  REQUIRE_FALSE(options);
  return options.error();
}

}  // namespace

TEST_CASE("the command line has a configuration and options, with '=' or a blank") {
  for (const std::vector<std::string>& words :
       {std::vector<std::string>{"t.ini", "--io-dir", "/d", "--timestamp", "now"},
        {"--io-dir=/d", "t.ini", "--timestamp=now"}}) {
    const auto options = parsed(words);
    REQUIRE(options);
    CHECK(options->ini == "t.ini");
    CHECK(options->io_dir == "/d");
    CHECK(options->timestamp == "now");
    CHECK_FALSE(options->clean);
  }
  CHECK(parsed({"t.ini", "--config-hash"})->hash);
  CHECK(parsed({"--help"})->help);
  CHECK(parsed({"--clean", "--io-dir", "/d"})->clean);
}

TEST_CASE("a command line that is none is refused in one sentence") {
  CHECK(options_refusal({}) == "the name of a configuration is missing");
  CHECK(options_refusal({"--clean"}) == "the name of a configuration is missing");
  CHECK(options_refusal({"t.ini", "u.ini"}) == "a second configuration 'u.ini'");
  CHECK(options_refusal({"t.ini", "--fast"}) == "unknown option '--fast'");
  CHECK(options_refusal({"t.ini", "--clean=yes"}) == "unknown option '--clean=yes'");
  CHECK(options_refusal({"t.ini", "--io-dir"}) == "--io-dir needs a value");
  CHECK(options_refusal({"t.ini", "--io-dir="}) == "--io-dir needs a value");
  CHECK(options_refusal({"t.ini", "--timestamp", "a/b"}) == "--timestamp must be a name without '/'");
}
