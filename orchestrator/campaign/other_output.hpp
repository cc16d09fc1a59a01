#pragma once
#include <filesystem>

#include "orchestrator/store/record.hpp"

namespace shakedown {

/// Rule IMPL-04: standard output and error hold no other result of the same benchmark than the log that is
/// read, standard output or the result file. Adds it to all results of the attempt where there is one to
/// compare with: if they differ, they are invalid. Unknown where several files have the name of the result
/// file.
void judge_other_output(AttemptRecord& attempt, const Case& planned, const std::filesystem::path& folder);

}  // namespace shakedown
