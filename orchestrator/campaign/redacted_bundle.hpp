#pragma once
#include <string>
#include <vector>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/error.hpp"
#include "reports/evidence/bundle_file.hpp"

namespace shakedown {

/// Makes the files of a bundle those of a redacted one: results.json and the report with their names
/// replaced, and time stamps. Names of the site stand in nearly every other file, and what binds these -
/// journal, commitment, rows - are hashes of the files as they are: they are withheld, each with its SHA-256,
/// and `header` names the root of the bundle that holds them. Returns names of which it is not certain that
/// they are replaced. Fails where a name that is known would still stand in the report.
Result<std::vector<std::string>> redact_bundle(std::vector<BundledFile>& files, Manifest& header,
                                               const Outcome& outcome);

}  // namespace shakedown
