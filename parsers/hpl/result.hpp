#pragma once
#include "parsers/hpl/session.hpp"
#include "parsers/parser.hpp"

namespace shakedown {

/// Takes a result for incomplete whose time is printed with too few digits to prove its rate: "0.00" of a
/// problem that is no toy. Its parameter N and its fact time_printed are there already.
void demand_time(ParsedResult& result);

/// The results of one run, one after the other: one for each of its tests, or one without figures that says
/// why there is none. Takes the session's tests apart.
void hpl_results(HplSession& session, const ResultSink& sink);

}  // namespace shakedown
