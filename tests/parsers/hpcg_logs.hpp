#pragma once
#include "tests/parsers/logs.hpp"

namespace logs {

/// The one result of a log.
inline shakedown::ParsedResult only(std::string_view text) {
  const auto results = parsed(text);
  REQUIRE(results.size() == 1);
  return results.front();
}

/// That of a fixture.
inline shakedown::ParsedResult only_of(const std::string& name) {
  return only(fixture("hpcg/" + name));
}

inline std::string validity_of(const shakedown::ParsedResult& result) {
  return std::string(to_string(judge(result).validity));
}

/// Ranks, global sides, process grid and local sides.
inline std::string shape(const shakedown::ParsedResult& result) {
  std::string text;
  for (const char* name : {"procs", "gnx", "gny", "gnz", "npx", "npy", "npz", "nx", "ny", "nz"})
    text += (text.empty() ? "" : " ") + parameter(result, name);
  return text;
}

/// The text up to and with the line that begins with `start`.
inline std::string up_to(const std::string& text, std::string_view start) {
  const size_t at = text.find(start);
  REQUIRE(at != std::string::npos);
  return text.substr(0, text.find('\n', at) + 1);
}

/// What the results of a folder's files are together.
inline std::vector<shakedown::FileResult> joined(const std::vector<shakedown::FileResult>& files) {
  const auto parser = std::find_if(shakedown::parsers().begin(), shakedown::parsers().end(),
                                   [](const shakedown::Parser* p) { return p->id == "hpcg"; });
  REQUIRE(parser != shakedown::parsers().end());
  REQUIRE((*parser)->joined != nullptr);
  return (*parser)->joined(files);
}

}  // namespace logs
