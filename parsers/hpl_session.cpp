#include "parsers/hpl_session.hpp"

#include <algorithm>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/hpl_words.hpp"

namespace shakedown {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

}  // namespace

void HplSessions::read(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  session_.last_line = line.number;
  if (text.empty() || text.starts_with("Prog=")) return;
  if (const auto banner = hpl_banner(text)) return begin(*banner, line.number);
  if (foreign_section(text)) return;
  if (summary_ && read_summary(session_, text, line)) return;
  if (echoing_ && echo(text)) return;
  if (is_mixed_precision(text)) session_.mixed_precision = true;
  if (table(text, line) || read_footer(session_, text, line.number) || said(text, line))
    session_.evidence = true;
  else if (!text.starts_with("Column="))
    read_surroundings(session_, text, line);
}

/// Begins another run, unless nothing of HPL was seen yet: what stands before the first banner belongs to
/// it.
void HplSessions::begin_session(int line) {
  if (session_.evidence) {
    hand_over();
    session_.first_line = line;
  }
  columns_.clear();
  test_open_ = awaiting_row_ = echoing_ = foreign_ = summary_ = false;
  session_.evidence = true;
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

/// Header, row and check.
bool HplSessions::table(std::string_view text, const LogLine& line) {
  if (text.find("T/V ") != std::string_view::npos) {
    if (auto columns = hpl_columns(text); columns && line.terminated) {
      if (session_.end.line != 0) begin_session(line.number);
      columns_ = std::move(*columns);
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
  if (!test_open_ || !text.starts_with("||") || !line.terminated || session_.end.line != 0) return false;
  const size_t dots = text.find(" . . .");
  const size_t equals = text.find('=');
  if (dots == std::string_view::npos || equals == std::string_view::npos || equals < dots) return false;
  session_.tests.back().norms[std::string(trimmed(text.substr(0, dots)))] = {
      std::string(trimmed(text.substr(equals + 1))), line.number};
  return true;
}

bool HplSessions::add_row(HplRow row, const LogLine& line) {
  // Without a header of its own, a broken row is somebody's words and a known one after the end a copy of
  // it.
  if (!awaiting_row_ && !row.fault.empty() && line.terminated) return false;
  if (!awaiting_row_ && session_.end.line != 0) return false;
  if (row.variant.size() == 3 && columns_.back() == HplColumn::gflops && !session_.vendor_banner)
    session_.mixed_precision = true;
  if (row.variant.size() > 3 && row.variant[3] == 'X' && session_.implementation.empty())
    session_.implementation = "amd";
  HplTest test;
  test.line = line.number;
  if (row.fault.empty())
    test.row = std::move(row);
  else
    test.lost = quoted_line(line.number, "the result row can't be read, " + row.fault, line.text);
  session_.tests.push_back(std::move(test));
  awaiting_row_ = false;
  test_open_ = true;
  return true;
}

bool HplSessions::add_check(HplCheck check, const LogLine& line) {
  if (session_.end.line != 0 && !awaiting_row_) return true;  // a copy made by a script behind the run
  if (!test_open_) {
    HplTest test;
    test.line = line.number;
    test.lost = quoted_line(line.number, "a residual check without its result row", line.text);
    session_.tests.push_back(std::move(test));
    test_open_ = true;
    awaiting_row_ = false;
  }
  session_.tests.back().checks.emplace_back(std::move(check), line.number);
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
  constexpr std::string_view start = "start time ";
  constexpr std::string_view end = "end time ";
  if (const size_t at = text.find(start); at != std::string_view::npos)
    test.started = {std::string(trimmed(text.substr(at + start.size()))), line.number};
  if (const size_t at = text.find(end); at != std::string_view::npos)
    test.ended = {std::string(trimmed(text.substr(at + end.size()))), line.number};
  return true;
}

/// ">>> Need at least 8 processes for these tests <<<"
bool HplSessions::complaint(std::string_view text, const LogLine& line) {
  const std::string_view words = trimmed(text.substr(4, text.find("<<<") - 4));
  if (contains(words, "Skip")) {
    HplTest test;
    test.line = line.number;
    test.lost = quoted_line(line.number, "HPL skipped this test", words);
    session_.tests.push_back(std::move(test));
    test_open_ = false;
  } else {
    const int weight = contains(words, "Exiting") ? 4 : 5;
    note(session_.failure, Failure{line.number, weight, quoted_line(line.number, "HPL stopped", words)});
  }
  return true;
}

void HplSessions::hand_over() {
  if (session_.implementation.empty()) {
    const bool per_gpu = std::any_of(session_.tests.begin(), session_.tests.end(), [](const HplTest& test) {
      return test.row && !test.row->gflops_per_gpu.empty();
    });
    session_.implementation = per_gpu ? "nvidia" : "netlib";
  }
  done_(std::exchange(session_, {}));
}

void HplSessions::finish() {
  hand_over();
}

}  // namespace shakedown
