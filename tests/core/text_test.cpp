#include "orchestrator/core/text.hpp"

#include <rapidcheck.h>
#include <catch2/catch.hpp>

#include <array>
#include <cstdio>

using namespace shakedown;

TEST_CASE("the beginning that satisfies a condition is as long as the bytes one by one say") {
  const auto is_small = [](char c) { return c >= 'a' && c <= 'z'; };
  for (const std::size_t size : {0, 1, 31, 32, 33, 63, 64, 65, 100})
    for (std::size_t odd = 0; odd <= size; ++odd) {
      std::string text(size, 'a');
      if (odd < size) text[odd] = '\n';
      CAPTURE(size, odd);
      CHECK(prefix_size(text, is_small) == odd);
    }
}

TEST_CASE("a misspelled name gets the nearest candidate, a foreign one gets none") {
  const std::vector<std::string> keys = {"memory_bytes", "model", "cores"};
  CHECK(did_you_mean("memroy_bytes", keys) == " (did you mean 'memory_bytes'?)");
  CHECK(did_you_mean("core", keys) == " (did you mean 'cores'?)");
  CHECK(did_you_mean("xyz", keys).empty());
}

TEST_CASE("a quoted word is one word for a real shell, whatever it holds") {
  CHECK(shell_quoted("plain/path-1.txt") == "plain/path-1.txt");
  CHECK(shell_quoted("") == "''");
  CHECK(shell_quoted("it's") == "'it'\\''s'");
  for (const std::string word : {"a b", "$HOME", "`id`", "x'y\"z", "new\nline", "-n", "*", "\\", "ü"}) {
    const std::string command = "printf %s " + shell_quoted(word);
    FILE* pipe = ::popen(command.c_str(), "r");
    REQUIRE(pipe != nullptr);
    std::array<char, 64> buffer{};
    const size_t n = std::fread(buffer.data(), 1, buffer.size(), pipe);
    ::pclose(pipe);
    CHECK(std::string(buffer.data(), n) == word);
  }
}

TEST_CASE("splitting keeps empty pieces, words drops them") {
  CHECK(split("a,,b", ',') == std::vector<std::string_view>{"a", "", "b"});
  CHECK(split("", ',') == std::vector<std::string_view>{""});
  CHECK(words("  a \t b\n") == std::vector<std::string_view>{"a", "b"});
  CHECK(words("   ").empty());
  CHECK(trimmed(" \t x y \r\n") == "x y");
}
