#include "parsers/hpl.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>

#include "parsers/hpl_result.hpp"
#include "parsers/hpl_session.hpp"

namespace shakedown::parser {
namespace {

/// One of these stands in every log of HPL, be it cut or failed. "HPLinpack benchmark input file" is HPL.dat.
constexpr std::array<std::string_view, 10> marks = {"HPLinpack ",
                                                    "HPL-NVIDIA ",
                                                    "HPL-GPU ",
                                                    "HPC Challenge Benchmark version",
                                                    "shakedown HPL reference ",
                                                    "T/V ",
                                                    "HPL ERROR",
                                                    "HPL_pdgesv() ",
                                                    "||Ax-b||_oo",
                                                    "Final Score:"};

std::vector<HplSession> runs(std::string_view text) {
  std::vector<HplSession> sessions = hpl_sessions(text);
  std::erase_if(sessions, [](const HplSession& s) { return !s.evidence || s.mixed_precision; });
  return sessions;
}

bool recognises(std::string_view text) {
  const bool marked = std::any_of(marks.begin(), marks.end(), [&](std::string_view mark) {
    return text.find(mark) != std::string_view::npos;
  });
  return marked && has_hpl_session(text);
}

Result<std::vector<ParsedResult>> parse(std::string_view text) {
  const std::vector<HplSession> sessions = runs(text);
  if (sessions.empty())
    return fail("", "this is no HPL log",
                "it has neither an HPL banner nor a 'T/V N NB P Q' table nor an 'HPL ERROR'");
  // A run that died early is told beside the results of the others, not as a result. Where all did, the last
  // one is.
  std::vector<ParsedResult> all;
  std::vector<std::string> dead;
  ParsedResult last_dead;
  for (const HplSession& session : sessions) {
    std::vector<ParsedResult> results = hpl_results(session);
    if (session.tests.empty() && results.front().metrics.empty()) {
      dead.push_back(fmt::format("the run that starts at line {} left no result: {}", session.first_line,
                                 results.front().reason));
      last_dead = std::move(results.front());
    } else {
      std::move(results.begin(), results.end(), std::back_inserter(all));
    }
  }
  if (all.empty()) {
    dead.pop_back();
    all.push_back(std::move(last_dead));
  }
  for (ParsedResult& result : all) result.warnings.insert(result.warnings.end(), dead.begin(), dead.end());
  return all;
}

}  // namespace

const Parser hpl = {
    .id = "hpl",
    .suite = "hpl",
    .recognises = recognises,
    .parse = parse,
    .marks =
        "an HPLinpack, HPL-NVIDIA, HPL-GPU or HPC Challenge banner, a 'T/V N NB P Q' table or an 'HPL ERROR'",
};

}  // namespace shakedown::parser
