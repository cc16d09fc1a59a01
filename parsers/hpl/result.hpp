#pragma once
#include <string>
#include <string_view>

#include "parsers/hpl/session.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// Takes a result for incomplete whose time is printed with too few digits to prove its rate: "0.00" of a
/// problem that is no toy. Its parameter N and its fact time_printed are there already.
void require_time(ParsedResult& result);

/// The results of one run, one after the other: one for each of its tests, or one without values with the
/// reason. Moves the session's tests out.
void hpl_results(HplSession& session, const ResultSink& sink);

/// Adds a fact, where the log has it.
void add_fact(ParsedResult& result, std::string_view name, HplText text);

/// The number of tests that the run announced: HPL runs each combination of the lists that it echoes (N, NB,
/// P x Q, PFACT, NBMIN, NDIV, RFACT, BCAST, DEPTH). Empty where the echo lacks one of them; with `at_least`
/// only where it lacks N: a list that is not echoed has one value or more.
std::string announced_tests(const HplSession& session, bool at_least = false);

/// What is true of the whole run: footer, banner, ranks, settings.
void add_run_facts(ParsedResult& result, const HplSession& session);

/// The announced parameters that have one value: all that is known of a test without a row.
void add_echoed_parameters(ParsedResult& result, const HplSession& session);

/// "yes", or the parameters of the row that the run didn't announce; empty where it announced nothing.
std::string echoed(const HplSession& session, const HplRow& row);

}  // namespace shakedown
