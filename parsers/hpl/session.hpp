#pragma once
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/failures.hpp"
#include "parsers/hpl/row.hpp"
#include "parsers/lines.hpp"

namespace shakedown {

constexpr size_t most_echoed = 64;  ///< values stored of one parameter; HPL.dat has at most 20

/// A text of the log with its line; line 0: not printed.
struct HplText {
  std::string text;
  int line = 0;
};

/// One test of a run: a row with its checks, or what is known of a test without a row.
struct HplTest {
  int line = 0;                                  ///< of the row, or of the words that replace it
  std::optional<HplRow> row;                     ///< nothing: skipped, or a check whose row is lost
  std::string lost;                              ///< why there is no row
  std::vector<std::pair<HplCheck, int>> checks;  ///< with their lines
  HplText started;                               ///< "HPL_pdgesv() start time"
  HplText ended;
  HplText second_stamp;  ///< above the check, and another than one before it
  std::vector<std::pair<std::string, HplText>>
      norms;  ///< printed behind the check: "||Ax-b||_oo", "||A||_oo", "||x||_oo", "||b||_oo"
};

/// One run of an HPL program, as read from its log.
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
  std::map<std::string, std::vector<std::string>, std::less<>>
      echo;  ///< the parameter values that the run announces
  HplText threshold;
  HplText eps;
  HplText precision;
  HplText finished, passed, failed, skipped, unchecked, end;  ///< the footer
  HplText second_footer;    ///< a count that differs from one before: "0 tests completed and passed ..."
  HplText second_end;       ///< "End of Tests." below `other_below_end`
  int other_below_end = 0;  ///< line of a row or check below the end that is no copy of the last test's
  HplText processes;
  HplText score;  ///< rocHPL's "Final Score:", GFLOP/s
  HplText score_residual;
  HplText score_check;
  int highest_rank = -1;  ///< of NVIDIA's "INFO: host=" lines
  int rank_line = 0;
  std::map<std::string, int> hosts;         ///< ranks by host, of the same lines
  std::map<std::string, HplText> settings;  ///< environment variables that the run reports as read
  std::map<std::string, HplText> summary;   ///< HPCC's "HPL_Tflops=" and the like
  std::vector<HplTest> tests;
  int rows_passed = 0;  ///< by their own checks, of three each must pass; of all tests up to these
  int rows_failed = 0;
  int rows_skipped = 0;
  int rows_unchecked = 0;  ///< rows without a whole check
  HplText prefix;          ///< words before header and row that are no known prefix: other lines have it too
  bool goes_on = false;    ///< more tests than one part holds: another part has the footer
  std::optional<Failure> failure;  ///< the weightiest

  void count(const HplTest& test);
};

/// Reads a log into its runs, line by line: knows which table a row is in and which row a check belongs to.
class HplSessions {
 public:
  /// `done` gets each run as it ends, in the order of the log, and parts of one that has too many tests to
  /// wait for its end (`goes_on`). It may take the tests out.
  explicit HplSessions(std::function<void(HplSession&)> done) : done_(std::move(done)) {}
  void read(const LogLine& line);
  /// The log is over.
  void finish();

 private:
  void hand_over();
  void hand_over_tests();
  bool of_table(std::string_view text, const LogLine& line);
  void begin_session(int line);
  void break_off();
  void remember(const struct HplSetting& setting, int line);
  void inherit();
  void begin(const struct HplBanner& banner, int line);
  bool foreign_section(std::string_view text);
  bool echo(std::string_view text);
  bool table(std::string_view text, const LogLine& line);
  bool norm(std::string_view text, const LogLine& line);
  HplTest& add_test(int line);
  bool add_row(HplRow&& row, const LogLine& line);
  bool add_check(HplCheck&& check, const LogLine& line);
  bool said(std::string_view text, const LogLine& line);
  bool clock(std::string_view text, const LogLine& line);
  bool complaint(std::string_view text, const LogLine& line);

  std::function<void(HplSession&)> done_;
  HplSession session_;
  std::vector<HplColumn> columns_;  ///< of the last header
  std::string header_;              ///< its text
  std::string prefix_;              ///< the words before it on its line
  bool awaiting_row_ = false;       ///< a header came, its row not yet
  bool test_open_ = false;          ///< a check would belong to the last test
  bool parted_ = false;             ///< tests of this run were handed over already
  bool echoing_ = false;
  bool foreign_ = false;
  bool summary_ = false;
  bool broken_off_ = false;     ///< the run ended before its row or check: what follows is another's
  bool next_is_mixed_ = false;  ///< the program named last is Intel's HPL-AI
  std::map<std::string, HplText> next_settings_;       ///< of arithmetic, printed below the run's end
  std::map<std::string, HplText> inherited_settings_;  ///< of arithmetic, of the run before
  std::string label_;                                  ///< whose values the echo is listing
};

}  // namespace shakedown
