#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// Whether results of a suite can have a metric: one that a grammar of its logs gives (parsers/parser.hpp),
/// or one that reports/measure/measurement.hpp makes of those. A suite without a grammar of its own is one of
/// a plan that was written by hand: then any grammar's will do.
bool measurable(std::string_view suite, std::string_view metric);

/// Why results of a suite can't have a metric, as a sentence with the nearest name that they can have, or
/// with whose it is; empty: they can.
std::string why_unmeasurable(std::string_view suite, std::string_view metric);

/// Fails where a criterion of a criteria file is on a metric that no result of its suite can have, with the
/// nearest name.
Result<void> check_metrics(std::string_view text, const std::string& name);

/// "of a suite 'hlp', whose logs are not known (did you mean 'hpl'?)"; nothing where they are, and of the
/// whole campaign.
std::optional<std::string> unknown_suite(std::string_view suite);

}  // namespace shakedown
