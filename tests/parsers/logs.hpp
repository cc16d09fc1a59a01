#pragma once
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/file.hpp"
#include "parsers/parser.hpp"
#include "parsers/rules/rule.hpp"

namespace logs {

/// A fixture's text: "hpl/grammar/netlib-passed.out".
inline std::string fixture(const std::string& name) {
  const auto text = shakedown::file_content(shakedown::fs::path(TEST_FOLDER) / "fixtures" / name);
  INFO(name);
  REQUIRE(text.has_value());
  return *text;
}

/// The names of all logs among the fixtures.
inline std::vector<std::string> fixtures() {
  std::vector<std::string> names;
  const shakedown::fs::path root = shakedown::fs::path(TEST_FOLDER) / "fixtures";
  for (const char* folder : {"hpl", "gemm", "hpcg", "hpl_mxp", "io500", "mlperf", "probes"})
    if (shakedown::fs::is_directory(root / folder))
      for (const auto& entry : shakedown::fs::recursive_directory_iterator(root / folder)) {
        const auto ending = entry.path().extension();
        if (entry.is_regular_file() && (ending == ".out" || ending == ".txt"))
          names.push_back(shakedown::fs::relative(entry.path(), root).string());
      }
  std::sort(names.begin(), names.end());
  return names;
}

inline std::vector<shakedown::ParsedResult> parsed(std::string_view text) {
  const auto results = shakedown::parsed_log(text);
  if (!results) FAIL(to_string(results.error()));
  return *results;
}

inline double metric(const shakedown::ParsedResult& result, std::string_view name) {
  const shakedown::Metric* found = result.metric(name);
  INFO(name);
  REQUIRE(found != nullptr);
  return found->value;
}

inline std::string parameter(const shakedown::ParsedResult& result, std::string_view name) {
  const shakedown::Value* value = shakedown::find_parameter(result.parameters, name);
  return value == nullptr ? "" : shakedown::value_text(*value);
}

inline std::string fact(const shakedown::ParsedResult& result, std::string_view name) {
  const shakedown::Fact* found = result.fact(name);
  return found == nullptr ? "" : found->value;
}

inline shakedown::Judged judge(const shakedown::ParsedResult& result) {
  shakedown::Evidence evidence;
  evidence.result = &result;
  return shakedown::judged(evidence);
}

inline shakedown::RuleResult rule(const shakedown::Judged& judged, std::string_view id) {
  for (const shakedown::RuleResult& rule : judged.rules)
    if (rule.id == id) return rule;
  FAIL("no rule " << id);
  return {};
}

inline std::string replaced(std::string text, std::string_view what, std::string_view by) {
  INFO(what);
  REQUIRE(text.find(what) != std::string::npos);
  for (size_t at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
  return text;
}

}  // namespace logs
