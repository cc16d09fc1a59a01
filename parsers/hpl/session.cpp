#include "parsers/hpl/session.hpp"

#include <algorithm>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/hpl/words.hpp"

namespace shakedown {
namespace {

constexpr size_t most_kept = 500;  ///< tests of one run that wait for its footer
constexpr size_t most_of_part =
    16;  ///< of a run that does not wait for it any more: few, so that they stay in the cache

/// Names the implementation by the shape of its rows, if no banner named it.
void name_implementation(HplSession& session) {
  if (!session.implementation.empty()) return;
  const bool per_gpu = std::any_of(session.tests.begin(), session.tests.end(), [](const HplTest& test) {
    return test.row && !test.row->gflops_per_gpu.empty();
  });
  session.implementation = per_gpu ? "nvidia" : "netlib";
}

}  // namespace

void HplSession::count(const HplTest& test) {
  const auto good = [](const auto& check) { return check.first.verdict == "PASSED"; };
  const auto cut = [](const auto& check) { return check.first.verdict.empty(); };
  if (test.checks.empty() || std::any_of(test.checks.begin(), test.checks.end(), cut)) {
    if (test.row || !test.checks.empty()) ++rows_unchecked;
    return;
  }
  ++(std::all_of(test.checks.begin(), test.checks.end(), good) ? rows_passed : rows_failed);
}

void HplSessions::read(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  session_.last_line = line.number;
  if (text.empty() || begins_with(text, "Prog=")) return;
  if (!echoing_ && (begins_with(text, "-----") || begins_with(text, "====="))) return;
  if (!echoing_ && !foreign_ && !summary_ && of_table(text, line)) {
    session_.evidence = true;
    return;
  }
  if (const auto banner = hpl_banner(text)) return begin(*banner, line.number);
  if (foreign_section(text)) return;
  if (summary_ && read_summary(session_, text, line)) return;
  if (echoing_ && echo(text)) return;
  if (is_mixed_precision(text)) {
    if (session_.end.line != 0) begin_session(line.number);
    session_.mixed_precision = true;
  }
  const bool traced = is_shell_trace(text);
  if (!traced && (table(text, line) || read_footer(session_, text, line.number) || said(text, line))) {
    session_.evidence = true;
    return;
  }
  if (text.starts_with("Column=")) return;
  if (traced) break_off();
  if (const auto program = named_program(text); program != IntelProgram::none)
    next_is_mixed_ = program == IntelProgram::hpl_ai;
  if (const auto setting = emulation_setting(text)) return remember(*setting, line.number);
  if (read_surroundings(session_, text, line)) break_off();
}

/// The run ended here, or a script goes on with something else: a row or check below is not its own.
void HplSessions::break_off() {
  const bool unchecked = test_open_ && session_.tests.back().checks.empty();
  if (session_.end.line != 0 || (!unchecked && !awaiting_row_)) return;
  test_open_ = awaiting_row_ = false;
  broken_off_ = true;
}

/// Of the values that one run prints, the worse counts; a value below the run's end is of the next run.
void HplSessions::remember(const HplSetting& setting, int line) {
  auto& known = session_.end.line != 0 ? next_settings_ : session_.settings;
  const auto it = known.find(std::string(setting.name));
  if (it != known.end() && is_off(setting.value)) return;
  known[std::string(setting.name)] = {std::string(setting.value), line};
}

/// A script sets its environment once for all its runs.
void HplSessions::inherit() {
  session_.settings.insert(inherited_settings_.begin(), inherited_settings_.end());
}

/// Begins another run, unless nothing of HPL was seen yet: the text above the first banner belongs to the
/// first run.
void HplSessions::begin_session(int line) {
  if (session_.evidence) {
    hand_over();
    session_.first_line = line;
  }
  columns_.clear();
  header_.clear();
  prefix_.clear();
  test_open_ = awaiting_row_ = echoing_ = foreign_ = summary_ = broken_off_ = false;
  session_.evidence = true;
  session_.mixed_precision = std::exchange(next_is_mixed_, false);
}

void HplSessions::begin(const HplBanner& banner, int line) {
  const HplText version = {std::string(banner.version), line};
  if (banner.implementation.empty()) {
    // HPCC prints HPL's banner twice, and vendors print it below their own.
    const bool belongs = session_.hpcc || (session_.vendor_banner && session_.hplinpack.line == 0);
    if (!belongs) begin_session(line);
    session_.hplinpack = version;
    session_.echo.clear();
    return;
  }
  begin_session(line);
  session_.implementation = banner.implementation;
  session_.version = version;
  session_.vendor_banner = true;
  session_.mixed_precision = banner.mixed_precision;
  session_.hpcc = banner.implementation == "hpcc";
}

/// HPCC's other sections have rows, checks and footers of their own.
bool HplSessions::foreign_section(std::string_view text) {
  if (text.starts_with("Begin of ") && text.ends_with(" section.")) {
    foreign_ = text != "Begin of HPL section." && text != "Begin of Summary section.";
    summary_ = text == "Begin of Summary section.";
    return true;
  }
  if (text.starts_with("End of ") && text.ends_with(" section.")) {
    foreign_ = summary_ = false;
    return true;
  }
  return foreign_;
}

bool HplSessions::echo(std::string_view text) {
  // rocHPL-MxP has no panel factorisations to list between Q and BCAST.
  if (label_ == "Q" && text.starts_with("BCAST") && !session_.vendor_banner) session_.mixed_precision = true;
  if (!text.starts_with("---") && !text.starts_with("===")) return read_echo(session_, label_, text);
  echoing_ = false;
  return true;
}

/// The lines that make up most of a long log, recognised by how they start.
bool HplSessions::of_table(std::string_view text, const LogLine& line) {
  if (text.front() == 'T' && text == header_ && line.terminated && session_.end.line == 0 && !broken_off_) {
    awaiting_row_ = true;
    test_open_ = false;
    return true;
  }
  if (text.front() != 'W' && text.front() != '|' && !begins_with(text, "HPL_pdgesv() ")) return false;
  if (text.front() == 'H') return session_.evidence && clock(text, line);
  return table(text, line);
}

/// Header, row and check.
bool HplSessions::table(std::string_view text, const LogLine& line) {
  if (contains(text, "T/V ")) {
    if (auto columns = hpl_columns(text); columns && line.terminated) {
      if (session_.end.line != 0 || broken_off_ || !session_.evidence) begin_session(line.number);
      columns_ = std::move(*columns);
      header_ = text;
      prefix_ = text.substr(0, text.find("T/V "));
      awaiting_row_ = true;
      test_open_ = false;
      return true;
    }
  }
  if (!columns_.empty() && (awaiting_row_ || text.front() == 'W'))
    if (auto row = hpl_row(line, columns_, awaiting_row_)) return add_row(std::move(*row), line);
  // Other programs print such a quotient too: alone it is no sign of HPL.
  if (auto check = hpl_check(text); check && session_.evidence) return add_check(std::move(*check), line);
  return norm(text, line);
}

/// "||A||_oo . . . . . . . . . . . . . . . . . . . =         522.676122"
bool HplSessions::norm(std::string_view text, const LogLine& line) {
  if (!test_open_ || !begins_with(text, "||") || !line.terminated || session_.end.line != 0) return false;
  const size_t dots = text.find(" . . .");
  const size_t equals = text.find('=');
  if (dots == std::string_view::npos || equals == std::string_view::npos || equals < dots) return false;
  auto& norms = session_.tests.back().norms;
  constexpr size_t most_norms = 16;
  constexpr size_t longest = 256;
  if (norms.size() < most_norms && text.size() < longest)
    norms.emplace_back(trimmed(text.substr(0, dots)),
                       HplText{std::string(trimmed(text.substr(equals + 1))), line.number});
  return true;
}

bool HplSessions::add_row(HplRow&& row, const LogLine& line) {
  // Without a header of its own, a broken row is somebody's words and a known one after the end a copy of
  // it.
  if (!awaiting_row_ && !row.fault.empty() && line.terminated) {
    test_open_ = false;  // perhaps the row of the check that follows
    return false;
  }
  if (!awaiting_row_ && (session_.end.line != 0 || broken_off_)) {
    if (session_.end.line != 0 && (session_.tests.empty() || session_.tests.back().row != row))
      session_.other_below_end = line.number;
    return false;
  }
  if (!prefix_.empty() && trimmed(line.text).starts_with(prefix_)) session_.prefix = {prefix_, line.number};
  if (row.variant.size() == 3 && columns_.back() == HplColumn::gflops && !session_.vendor_banner)
    session_.mixed_precision = true;
  if (row.variant.size() > 3 && row.variant[3] == 'X' && session_.implementation.empty())
    session_.implementation = "amd";
  HplTest& test = add_test(line.number);
  if (row.fault.empty())
    test.row = std::move(row);
  else
    test.lost = quoted_line(line.number, "the result row can't be read, " + row.fault, line.text);
  awaiting_row_ = false;
  test_open_ = true;
  return true;
}

HplTest& HplSessions::add_test(int line) {
  if (session_.tests.size() >= (parted_ ? most_of_part : most_kept)) hand_over_tests();
  HplTest& test = session_.tests.emplace_back();
  test.line = line;
  return test;
}

bool HplSessions::add_check(HplCheck&& check, const LogLine& line) {
  // A copy made by a script behind the run, or another run's.
  if ((session_.end.line != 0 || broken_off_) && !awaiting_row_) {
    const bool copied = !session_.tests.empty() &&
                        std::ranges::any_of(session_.tests.back().checks,
                                            [&](const auto& known) { return known.first == check; });
    if (session_.end.line != 0 && !copied) session_.other_below_end = line.number;
    return true;
  }
  if (!test_open_) {
    add_test(line.number).lost =
        quoted_line(line.number, "a residual check without its result row", line.text);
    test_open_ = true;
    awaiting_row_ = false;
  }
  constexpr size_t most_checks = 16;
  if (auto& checks = session_.tests.back().checks; checks.size() < most_checks)
    checks.emplace_back(std::move(check), line.number);
  return true;
}

/// Lines that only HPL prints, beside the table.
bool HplSessions::said(std::string_view text, const LogLine& line) {
  if (text.starts_with("The following parameter values will be used")) {
    session_.echo.clear();
    label_.clear();
    echoing_ = true;
    return true;
  }
  if (text.starts_with("HPL_pdgesv() ")) return clock(text, line);
  if (text.starts_with("HPL ERROR")) {
    if (text.starts_with("HPL ERROR:"))
      note(session_.failure, Failure{line.number, 5, quoted_line(line.number, "HPL stopped", text)});
    if (contains(text, "shakedown HPL reference")) session_.implementation = "reference";
    if (contains(text, "CUBLAS") && session_.implementation.empty()) session_.implementation = "nvidia";
    return true;
  }
  if (text.starts_with(">>> ") && contains(text, "<<<")) return complaint(text, line);
  return read_statement(session_, text, line);
}

bool HplSessions::clock(std::string_view text, const LogLine& line) {
  if (!test_open_) return true;
  HplTest& test = session_.tests.back();
  const auto take = [&](HplText& field, std::string_view label) {
    const size_t at = text.find(label);
    if (at == std::string_view::npos) return;
    HplText stamp = {std::string(trimmed(text.substr(at + label.size()))), line.number};
    if (field.line != 0 && field.text != stamp.text && test.checks.empty()) test.second_stamp = stamp;
    field = std::move(stamp);
  };
  take(test.started, "start time ");
  take(test.ended, "end time ");
  return true;
}

/// ">>> Need at least 8 processes for these tests <<<"
bool HplSessions::complaint(std::string_view text, const LogLine& line) {
  const std::string_view words = trimmed(text.substr(4, text.find("<<<") - 4));
  if (contains(words, "Skip")) {
    add_test(line.number).lost = quoted_line(line.number, "HPL skipped this test", words);
    ++session_.rows_skipped;
    test_open_ = false;
  } else {
    const int weight = contains(words, "Exiting") ? 4 : 5;
    note(session_.failure, Failure{line.number, weight, quoted_line(line.number, "HPL stopped", words)});
  }
  return true;
}

/// The run goes on: hands over its tests up to here, without what follows below.
void HplSessions::hand_over_tests() {
  name_implementation(session_);
  inherit();
  for (const HplTest& test : session_.tests) session_.count(test);
  session_.goes_on = parted_ = true;
  done_(session_);
  session_.goes_on = false;
  session_.tests.clear();
}

void HplSessions::hand_over() {
  name_implementation(session_);
  inherit();
  for (const HplTest& test : session_.tests) session_.count(test);
  inherited_settings_.clear();
  for (const auto& [name, text] : session_.settings)
    if (is_emulation(name)) inherited_settings_.emplace(name, text);
  HplSession ended = std::exchange(session_, {});
  parted_ = false;
  done_(ended);
  session_.settings = std::exchange(next_settings_, {});
}

void HplSessions::finish() {
  hand_over();
}

}  // namespace shakedown
