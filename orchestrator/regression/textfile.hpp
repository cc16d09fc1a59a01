#pragma once
#include "orchestrator/regression/check.hpp"
#include "orchestrator/regression/check_log.hpp"
#include "orchestrator/regression/check_metrics.hpp"

namespace shakedown {

/// Writes the textfile that the user asked for: `metrics`, with the counts of now. Complains where it can't
/// be written.
void write_textfile(const Check& check, CheckMetrics metrics);

/// Keeps in the workspace what the next checks start from, and writes the textfile.
void record_and_write_textfile(const Check& check, CheckMetrics metrics);

/// Makes up for the metrics of a check that was cut short behind its verdict.
void recover_textfile(const Check& check, const CheckLog& log);

}  // namespace shakedown
