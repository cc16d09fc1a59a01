#pragma once

#include <string>

#include "suites/io500/reference/budget.hpp"
#include "suites/io500/reference/claim.hpp"
#include "suites/io500/reference/report.hpp"
#include "suites/io500/reference/settings.hpp"
#include "suites/io500/reference/world.hpp"

namespace io500 {

/// Where a run reads and writes.
struct Places {
  std::string datadir;    ///< as the configuration has it, with the time stamp
  std::string resultdir;  ///< likewise
  Claim claim;
};

/// Runs the phases in the official order, on all ranks. True where all contents and counts were right. Fails,
/// on all ranks, where a phase could not be run to its end.
///
/// Source: IO500, src/phase-definitions.h, src/main.c.
Result<bool> run_phases(const Settings& settings, const World& world, const Places& places, const Space& free,
                        const std::string& timestamp, Report& report);

}  // namespace io500
