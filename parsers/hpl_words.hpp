#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "parsers/hpl_session.hpp"

namespace shakedown {

/// What HPL programs say around their table. Each function reads one line into the session; `text` is the
/// line without blanks at its ends. Those that give a bool say whether the line was theirs.

/// The banner of an HPL program, or the "HPLinpack" banner that stands below most of them.
struct HplBanner {
  std::string_view implementation;  ///< empty: HPLinpack's
  std::string_view version;
  bool mixed_precision = false;  ///< HPL-MxP or HPL-AI: not HPL
};
std::optional<HplBanner> hpl_banner(std::string_view text);

/// Whether a line shows that the run is HPL-AI or HPL-MxP, which print HPL's banner and rows too.
bool is_mixed_precision(std::string_view text);

/// Whether a line names Intel's HPL-AI as the program that runs, not within the text of a script. Its output
/// is HPL's own, so nothing else tells the two.
bool names_mixed_precision_program(std::string_view text);

/// A line of the parameter echo: "N      :  100352    200704" and the lines that continue it. `label` is
/// whose values are being listed.
bool read_echo(HplSession& session, std::string& label, std::string_view text);

/// "End of Tests." and the counts before it.
bool read_footer(HplSession& session, std::string_view text, int line);

/// Threshold, machine precision, and rocHPL's summary on stdout.
bool read_statement(HplSession& session, std::string_view text, const LogLine& line);

/// HPCC's "HPL_Tflops=6.9" and "CommWorldProcs=160".
bool read_summary(HplSession& session, std::string_view text, const LogLine& line);

/// What other programs print too: ranks, settings, marks of a vendor's build, and what went wrong.
void read_surroundings(HplSession& session, std::string_view text, const LogLine& line);

}  // namespace shakedown
