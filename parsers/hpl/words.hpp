#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "parsers/hpl/session.hpp"

namespace shakedown {

/// What HPL programs print around their table. Each function reads one line into the session; `text` is the
/// line without blanks at its ends. Those that return a bool return whether the line was theirs.

/// The banner of an HPL program, or the "HPLinpack" banner below most of them.
struct HplBanner {
  std::string_view implementation;  ///< empty: HPLinpack's
  std::string_view version;
  bool mixed_precision = false;  ///< HPL-MxP or HPL-AI: not HPL
};
std::optional<HplBanner> hpl_banner(std::string_view text);

/// Whether a line shows that the run is HPL-AI or HPL-MxP, which print HPL's banner and rows too.
bool is_mixed_precision(std::string_view text);

/// The program of Intel's that a line starts, or that "ls -l" shows, as Intel's own script prints it above
/// the run. HPL-AI's output is HPL's own, so nothing else distinguishes the two.
enum class IntelProgram { none, hpl, hpl_ai };
IntelProgram named_program(std::string_view text);

/// A setting that decides about the arithmetic: "HPL_EMULATE_DOUBLE_PRECISION=1", alone, exported, traced by
/// the shell, behind mpirun's -x, or "emulate_double_precision from environment variable 1".
struct HplSetting {
  std::string_view name;
  std::string_view value;
};
std::optional<HplSetting> emulation_setting(std::string_view text);
/// Whether a setting's name is one of these.
bool is_emulation(std::string_view name);
/// "0", "false", "off".
bool is_off(std::string_view value);

/// Whether nothing of a run can follow: what devices, NCCL and file systems complain of, it may survive.
bool ends_run(const Failure& failure);

/// What a shell prints of a command before it runs it: "+ mpirun ...".
bool is_shell_trace(std::string_view text);

/// A line of the parameter echo: "N      :  100352    200704" and the lines that continue it. `label` is
/// whose values are being listed.
bool read_echo(HplSession& session, std::string& label, std::string_view text);

/// "End of Tests." and the counts before it.
bool read_footer(HplSession& session, std::string_view text, int line);

/// Threshold, machine precision, and rocHPL's summary on stdout.
bool read_statement(HplSession& session, std::string_view text, const LogLine& line);

/// HPCC's "HPL_Tflops=6.9" and "CommWorldProcs=160".
bool read_summary(HplSession& session, std::string_view text, const LogLine& line);

/// What other programs print too: ranks, settings, marks of a vendor's build, and what went wrong. Returns
/// whether the line reports the end of the run.
bool read_surroundings(HplSession& session, std::string_view text, const LogLine& line);

}  // namespace shakedown
