#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/failures.hpp"
#include "parsers/hpl_check.hpp"
#include "parsers/hpl_row.hpp"
#include "parsers/lines.hpp"

namespace shakedown {

/// A text of the log with its line; line 0: not said.
struct HplText {
  std::string text;
  int line = 0;
};

/// One test of a run: a row with its checks, or what is known of a test without a row.
struct HplTest {
  int line = 0;                                  ///< of the row, or of the words that stand for it
  std::optional<HplRow> row;                     ///< nothing: skipped, or a check whose row is lost
  std::string lost;                              ///< why there is no row
  std::vector<std::pair<HplCheck, int>> checks;  ///< with their lines
  HplText started;                               ///< "HPL_pdgesv() start time"
  HplText ended;
  std::map<std::string, HplText>
      norms;  ///< printed behind the check: "||Ax-b||_oo", "||A||_oo", "||x||_oo", "||b||_oo"
};

/// One run of an HPL program, as its log tells it.
struct HplSession {
  int first_line = 1;
  int last_line = 1;
  bool evidence = false;         ///< a line of HPL's grammar was seen
  bool mixed_precision = false;  ///< HPL-AI or HPL-MxP under HPL's banner: another suite's grammar
  bool hpcc = false;
  bool vendor_banner = false;
  std::string implementation;
  HplText version;    ///< the implementation's own
  HplText hplinpack;  ///< of the "HPLinpack" banner
  std::map<std::string, std::vector<std::string>>
      echo;  ///< the parameter values that the run says it will use
  HplText threshold;
  HplText eps;
  HplText precision;
  HplText finished, passed, failed, skipped, unchecked, end;  ///< the footer
  HplText processes;
  HplText score;  ///< rocHPL's "Final Score:", GFLOP/s
  HplText score_residual;
  HplText score_check;
  int highest_rank = -1;  ///< of NVIDIA's "INFO: host=" lines
  int rank_line = 0;
  std::map<std::string, int> hosts;         ///< ranks by host, of the same lines
  std::map<std::string, HplText> settings;  ///< environment variables that the run says it read
  std::map<std::string, HplText> summary;   ///< HPCC's "HPL_Tflops=" and the like
  std::vector<HplTest> tests;
  std::optional<Failure> failure;  ///< the weightiest
};

/// The runs of a log, in its order, at least one. Linear in the text; keeps what is listed above and nothing
/// else.
std::vector<HplSession> hpl_sessions(std::string_view text);

/// Whether there is a run of HPL in the log. Stops at the first line that proves it, where nothing speaks
/// against it.
bool has_hpl_session(std::string_view text);

}  // namespace shakedown
