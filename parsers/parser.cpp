#include "parsers/parser.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "orchestrator/core/text.hpp"

namespace shakedown {

const Metric* ParsedResult::metric(std::string_view name) const {
  const auto it =
      std::find_if(metrics.begin(), metrics.end(), [&](const Metric& m) { return m.name == name; });
  return it == metrics.end() ? nullptr : &*it;
}

const Fact* ParsedResult::fact(std::string_view name) const {
  const auto it = std::find_if(facts.begin(), facts.end(), [&](const Fact& f) { return f.name == name; });
  return it == facts.end() ? nullptr : &*it;
}

Result<std::vector<ParsedResult>> parsed_log(std::string_view text, std::string_view suite) {
  if (text.substr(0, 4096).find('\0') != std::string_view::npos)
    return fail("", "this is a binary file, no benchmark log");
  std::vector<ParsedResult> results;
  std::vector<std::string> suites;
  std::string looked_for;
  bool recognised = false;
  for (const Parser* parser : parsers()) {
    suites.emplace_back(parser->suite);
    if (!suite.empty() && parser->suite != suite) continue;
    looked_for += fmt::format("{}{}: {}", looked_for.empty() ? "" : "; ", parser->id, parser->marks);
    if (!parser->recognises(text)) continue;
    auto found = parser->parse(text);
    if (!found) return found;
    recognised = true;
    std::move(found->begin(), found->end(), std::back_inserter(results));
  }
  if (looked_for.empty())
    return fail("", fmt::format("no log of suite '{}' can be read{}", suite, did_you_mean(suite, suites)),
                "`shakedown list` shows the suites");
  if (!recognised)
    return fail("",
                text.empty() ? "this file is empty"
                             : fmt::format("this is no {}log",
                                           suite.empty() ? "benchmark " : fmt::format("{} ", suite)),
                fmt::format("looked for {}", looked_for));
  return results;
}

}  // namespace shakedown
