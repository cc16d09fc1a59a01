#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/value.hpp"

namespace shakedown {

/// A figure that the log proves.
struct Metric {
  std::string name;  ///< "rmax_gflops": unit as printed, in the name
  double value = 0;
  int line = 0;  ///< 1-based; where it stands
  friend bool operator==(const Metric&, const Metric&) = default;
};

/// Something the log says that rules judge: a check's outcome, a count, a mode.
struct Fact {
  std::string name;   ///< "residual_check"
  std::string value;  ///< as printed: "PASSED", "FAILED", "1"
  int line = 0;
  friend bool operator==(const Fact&, const Fact&) = default;
};

/// One result of a log: a row with what belongs to it.
struct ParsedResult {
  std::string suite;           ///< "hpl"
  std::string implementation;  ///< "netlib", "nvidia", "reference", ...
  std::string version;         ///< as printed; empty: not said
  bool complete = false;       ///< the result and its check are both there
  std::vector<Parameter> parameters;
  std::vector<Metric> metrics;
  std::vector<Fact> facts;
  std::string reason;  ///< why there is no result, or why it is not complete
  std::vector<std::string> warnings;
  friend bool operator==(const ParsedResult&, const ParsedResult&) = default;

  [[nodiscard]] const Metric* metric(std::string_view name) const;
  [[nodiscard]] const Fact* fact(std::string_view name) const;
};

/// A log grammar: one constant per parsers/<id>.cpp. Pure: text in, values out.
struct Parser {
  std::string_view id;     ///< "hpl"
  std::string_view suite;  ///< suite of its results
  /// Whether the text is a log of this grammar, be it failed or cut.
  bool (*recognises)(std::string_view text) = nullptr;
  /// All results, in the order of the log. A log of this grammar without a result gives one incomplete
  /// ParsedResult that says why; a text of another grammar is an Error.
  Result<std::vector<ParsedResult>> (*parse)(std::string_view text) = nullptr;
  std::string_view marks;  ///< what a log of this grammar shows, for the message that a text is none
};

/// All grammars, from parsers/*.cpp.
std::span<const Parser* const> parsers();

/// The results of a log, by the grammar that recognises it; of all grammars where several do, in the order of
/// `parsers()`. `suite`: only grammars of that suite; empty: any. Fails on a suite without a grammar, and on
/// a text that no grammar recognises with a sentence on what was looked for; `where` is left to the caller,
/// who knows the file.
Result<std::vector<ParsedResult>> parsed_log(std::string_view text, std::string_view suite = {});

}  // namespace shakedown
