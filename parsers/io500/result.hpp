#pragma once
#include "parsers/io500/session.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// A run's result. Facts are named by section and key of result.txt: "find.total-files", "SCORE.hash"; those
/// of a row alike: "find.score", "find.time". Beside them:
///
/// - `source`: "result.txt", "result_summary.txt" or "standard output"
/// - `error_invalid`: each thing that the program calls invalid, in its words
/// - `unofficial`: the scripts' words that this is no official score
/// - `skipped`: a phase that the scripts skipped
///
/// A value that is no finite number is omitted with a warning. The result is complete where its
/// score is there and at least one phase, and in result.txt its hash.
ParsedResult io500_result(const Io500Session& session);

}  // namespace shakedown
