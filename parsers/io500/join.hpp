#pragma once
#include <vector>

#include "parsers/parser.hpp"

namespace shakedown {

/// The results of one folder, where those of one run's files (result.txt, result_summary.txt, standard
/// output) are one result with the values of result.txt, which have most digits, and the facts of all.
///
/// Whether two belong to one run is decided by version, score and phases: files of one name but for their
/// ending ("<run>__result.txt" and "<run>__result_summary.txt") where most of their phases agree, others
/// where all do. Where two of one run differ, a fact `mismatch` shows both values. Results that belong to no
/// other are returned as they are.
///
/// A configuration joins the run that lies beside it under its name: "<run>__config.ini" that of
/// "<run>__result.txt". Where several may be meant, each whose printed hash it has. Others, like what a run
/// was given (config-orig.ini, io500.ini), join none.
std::vector<FileResult> io500_joined(std::vector<FileResult> results);

}  // namespace shakedown
