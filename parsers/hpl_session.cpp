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

/// Reads a log line by line into sessions: knows which table a row is in and which row a check belongs to.
class Reader {
 public:
  Reader() { sessions_.emplace_back(); }

  void read(const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    session().last_line = line.number;
    if (text.empty() || text.starts_with("Prog=")) return;
    if (const auto banner = hpl_banner(text)) return begin(*banner, line.number);
    if (foreign_section(text)) return;
    if (summary_ && read_summary(session(), text, line)) return;
    if (echoing_ && echo(text)) return;
    if (is_mixed_precision(text)) session().mixed_precision = true;
    if (table(text, line) || read_footer(session(), text, line.number) || said(text, line))
      session().evidence = true;
    else if (!text.starts_with("Column="))
      read_surroundings(session(), text, line);
  }

  [[nodiscard]] const HplSession& current() const { return sessions_.back(); }
  std::vector<HplSession> sessions() { return std::move(sessions_); }

 private:
  HplSession& session() { return sessions_.back(); }

  /// Begins another run, unless nothing of HPL was seen yet: what stands before the first banner belongs to
  /// it.
  void begin_session(int line) {
    if (session().evidence) {
      sessions_.emplace_back();
      session().first_line = line;
    }
    columns_.clear();
    test_open_ = awaiting_row_ = echoing_ = foreign_ = summary_ = false;
    session().evidence = true;
  }

  void begin(const HplBanner& banner, int line) {
    const HplText version = {std::string(banner.version), line};
    if (banner.implementation.empty()) {
      // HPCC prints HPL's banner twice, and vendors print it below their own.
      const bool belongs = session().hpcc || (session().vendor_banner && session().hplinpack.line == 0);
      if (!belongs) begin_session(line);
      session().hplinpack = version;
      session().echo.clear();
      return;
    }
    begin_session(line);
    session().implementation = banner.implementation;
    session().version = version;
    session().vendor_banner = true;
    session().mixed_precision = banner.mixed_precision;
    session().hpcc = banner.implementation == "hpcc";
  }

  /// HPCC's other sections have rows, checks and footers of their own.
  bool foreign_section(std::string_view text) {
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

  bool echo(std::string_view text) {
    if (!text.starts_with("---") && !text.starts_with("===")) return read_echo(session(), label_, text);
    echoing_ = false;
    return true;
  }

  /// Header, row and check.
  bool table(std::string_view text, const LogLine& line) {
    if (text.find("T/V ") != std::string_view::npos) {
      if (auto columns = hpl_columns(text); columns && line.terminated) {
        if (session().end.line != 0) begin_session(line.number);
        columns_ = std::move(*columns);
        awaiting_row_ = true;
        test_open_ = false;
        return true;
      }
    }
    if (!columns_.empty() && (awaiting_row_ || text.front() == 'W'))
      if (auto row = hpl_row(line, columns_, awaiting_row_)) return add_row(std::move(*row), line);
    // Other programs print such a quotient too: alone it is no sign of HPL.
    if (auto check = hpl_check(text); check && session().evidence) return add_check(std::move(*check), line);
    return norm(text, line);
  }

  /// "||A||_oo . . . . . . . . . . . . . . . . . . . =         522.676122"
  bool norm(std::string_view text, const LogLine& line) {
    if (!test_open_ || !text.starts_with("||") || !line.terminated || session().end.line != 0) return false;
    const size_t dots = text.find(" . . .");
    const size_t equals = text.find('=');
    if (dots == std::string_view::npos || equals == std::string_view::npos || equals < dots) return false;
    session().tests.back().norms[std::string(trimmed(text.substr(0, dots)))] = {
        std::string(trimmed(text.substr(equals + 1))), line.number};
    return true;
  }

  bool add_row(HplRow row, const LogLine& line) {
    // Without a header of its own, a broken row is somebody's words and a known one after the end a copy of
    // it.
    if (!awaiting_row_ && !row.fault.empty() && line.terminated) return false;
    if (!awaiting_row_ && session().end.line != 0) return false;
    if (row.variant.size() == 3 && columns_.back() == HplColumn::gflops && !session().vendor_banner)
      session().mixed_precision = true;
    if (row.variant.size() > 3 && row.variant[3] == 'X' && session().implementation.empty())
      session().implementation = "amd";
    HplTest test;
    test.line = line.number;
    if (row.fault.empty())
      test.row = std::move(row);
    else
      test.lost = quoted_line(line.number, "the result row can't be read, " + row.fault, line.text);
    session().tests.push_back(std::move(test));
    awaiting_row_ = false;
    test_open_ = true;
    return true;
  }

  bool add_check(HplCheck check, const LogLine& line) {
    if (session().end.line != 0 && !awaiting_row_) return true;  // a copy made by a script behind the run
    if (!test_open_) {
      HplTest test;
      test.line = line.number;
      test.lost = quoted_line(line.number, "a residual check without its result row", line.text);
      session().tests.push_back(std::move(test));
      test_open_ = true;
      awaiting_row_ = false;
    }
    session().tests.back().checks.emplace_back(std::move(check), line.number);
    return true;
  }

  /// Lines that only HPL prints, beside the table.
  bool said(std::string_view text, const LogLine& line) {
    if (text.starts_with("The following parameter values will be used")) {
      session().echo.clear();
      label_.clear();
      echoing_ = true;
      return true;
    }
    if (text.starts_with("HPL_pdgesv() ")) return clock(text, line);
    if (text.starts_with("HPL ERROR")) {
      if (text.starts_with("HPL ERROR:"))
        note(session().failure, Failure{line.number, 5, quoted_line(line.number, "HPL stopped", text)});
      if (contains(text, "shakedown HPL reference")) session().implementation = "reference";
      if (contains(text, "CUBLAS") && session().implementation.empty()) session().implementation = "nvidia";
      return true;
    }
    if (text.starts_with(">>> ") && contains(text, "<<<")) return complaint(text, line);
    return read_statement(session(), text, line);
  }

  bool clock(std::string_view text, const LogLine& line) {
    if (!test_open_) return true;
    HplTest& test = session().tests.back();
    constexpr std::string_view start = "start time ";
    constexpr std::string_view end = "end time ";
    if (const size_t at = text.find(start); at != std::string_view::npos)
      test.started = {std::string(trimmed(text.substr(at + start.size()))), line.number};
    if (const size_t at = text.find(end); at != std::string_view::npos)
      test.ended = {std::string(trimmed(text.substr(at + end.size()))), line.number};
    return true;
  }

  /// ">>> Need at least 8 processes for these tests <<<"
  bool complaint(std::string_view text, const LogLine& line) {
    const std::string_view words = trimmed(text.substr(4, text.find("<<<") - 4));
    if (contains(words, "Skip")) {
      HplTest test;
      test.line = line.number;
      test.lost = quoted_line(line.number, "HPL skipped this test", words);
      session().tests.push_back(std::move(test));
      test_open_ = false;
    } else {
      const int weight = contains(words, "Exiting") ? 4 : 5;
      note(session().failure, Failure{line.number, weight, quoted_line(line.number, "HPL stopped", words)});
    }
    return true;
  }

  std::vector<HplSession> sessions_;
  std::vector<HplColumn> columns_;  ///< of the last header
  bool awaiting_row_ = false;       ///< a header came, its row not yet
  bool test_open_ = false;          ///< a check would belong to the last test
  bool echoing_ = false;
  bool foreign_ = false;
  bool summary_ = false;
  std::string label_;  ///< whose values the echo is listing
};

}  // namespace

std::vector<HplSession> hpl_sessions(std::string_view text) {
  Reader reader;
  LogLines lines(text);
  while (const auto line = lines.next()) reader.read(*line);
  auto sessions = reader.sessions();
  for (HplSession& session : sessions) {
    if (!session.implementation.empty()) continue;
    const bool per_gpu = std::any_of(session.tests.begin(), session.tests.end(), [](const HplTest& test) {
      return test.row && !test.row->gflops_per_gpu.empty();
    });
    session.implementation = per_gpu ? "nvidia" : "netlib";
  }
  return sessions;
}

bool has_hpl_session(std::string_view text) {
  // What shows another suite may stand far below what looks like HPL.
  for (const std::string_view word : {"HPL-MxP-NVIDIA", "HPL-AI-NVIDIA", "HPL_AI ", "HPLMXP_", "Gflops_IRS"})
    if (contains(text, word)) {
      const auto sessions = hpl_sessions(text);
      return std::any_of(sessions.begin(), sessions.end(), [](const HplSession& session) {
        return session.evidence && !session.mixed_precision;
      });
    }
  Reader reader;
  LogLines lines(text);
  while (const auto line = lines.next()) {
    reader.read(*line);
    if (reader.current().evidence) return true;
  }
  return false;
}

}  // namespace shakedown
