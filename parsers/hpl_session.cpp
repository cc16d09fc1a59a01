#include "parsers/hpl_session.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

bool contains(std::string_view text, std::string_view part) {
  return text.find(part) != std::string_view::npos;
}

/// The word behind `label`, or nothing.
std::string_view word_after(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  if (at == std::string_view::npos) return {};
  text = trimmed(text.substr(at + label.size()));
  return text.substr(0, text.find_first_of(" \t,;"));
}

/// A program's own banner: what stands in it, whose it is, and whether an "HPLinpack" banner follows.
struct Banner {
  std::string_view label;
  std::string_view implementation;
};
constexpr std::array banners = {
    Banner{"HPL-NVIDIA ", "nvidia"},
    Banner{"HPL-GPU ", "hpl-gpu"},
    Banner{"HPC Challenge Benchmark version ", "hpcc"},
    Banner{"shakedown HPL reference ", "reference"},
};

/// What only one vendor's build of HPL prints.
struct Mark {
  std::string_view part;
  std::string_view implementation;
};
constexpr std::array marks = {
    Mark{"Number of Heterogeneous data entries", "intel"},
    Mark{"+ + Max aggregated wall time", "amd"},
    Mark{"Final Score:", "amd"},
    Mark{"Overall GFLOPS", "amd"},
};

/// HPL-AI and HPL-MxP print HPL's banner and rows with these beside them.
constexpr std::array<std::string_view, 3> mixed_precision_marks = {"HPL_AI ", "HPLMXP_pdgesv()",
                                                                   "Gflops_IRS"};
constexpr std::array<std::string_view, 2> mixed_precision_banners = {"HPL-MxP-NVIDIA ", "HPL-AI-NVIDIA "};

constexpr std::array<std::string_view, 6> echo_labels = {"N", "NB", "PMAP", "P", "Q", "BCAST"};

/// Reads a log line by line into sessions.
class Reader {
 public:
  Reader() { sessions_.emplace_back(); }

  void read(const LogLine& line) {
    const std::string_view text = trimmed(line.text);
    session().last_line = line.number;
    if (text.empty()) return;
    if (banner(text, line)) return;
    if (foreign_section(text)) return;
    if (summary_ && summary_line(text, line)) return;
    if (echoing_ && echoed(text)) return;
    for (const std::string_view mark : mixed_precision_marks)
      if (contains(text, mark)) session().mixed_precision = true;
    if (table(text, line) || footer(text, line) || said(text, line)) {
      session().evidence = true;
      return;
    }
    if (text.starts_with("Prog=") || text.starts_with("Column=")) return;
    other(text, line);
  }

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

  bool banner(std::string_view text, const LogLine& line) {
    for (const Banner& known : banners) {
      const std::string_view version = word_after(text, known.label);
      if (version.empty() || version.find_first_of("0123456789") != 0) continue;
      begin_session(line.number);
      session().implementation = known.implementation;
      session().vendor_banner = true;
      session().hpcc = known.implementation == "hpcc";
      session().version = {std::string(version), line.number};
      return true;
    }
    for (const std::string_view label : mixed_precision_banners)
      if (contains(text, label)) {
        begin_session(line.number);
        session().mixed_precision = session().vendor_banner = true;
        return true;
      }
    const std::string_view version = word_after(text, "HPLinpack ");
    if (version.empty() || version.find_first_of("0123456789") != 0) return false;
    // HPCC prints HPL's banner twice, and vendors print it below their own.
    const bool belongs = session().hpcc || (session().vendor_banner && session().hplinpack.line == 0);
    if (!belongs) begin_session(line.number);
    session().hplinpack = {std::string(version), line.number};
    session().echo.clear();
    return true;
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

  bool summary_line(std::string_view text, const LogLine& line) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos || !line.terminated) return false;
    const std::string_view name = text.substr(0, equals);
    if (name == "CommWorldProcs") session().processes = {std::string(text.substr(equals + 1)), line.number};
    if (!name.starts_with("HPL_")) return name == "CommWorldProcs";
    session().summary[std::string(name)] = {std::string(text.substr(equals + 1)), line.number};
    return true;
  }

  /// "N      :  100352    200704" and the lines that continue it.
  bool echoed(std::string_view text) {
    if (text.starts_with("---") || text.starts_with("===")) {
      echoing_ = false;
      return true;
    }
    const size_t colon = text.find(':');
    std::string_view values = text;
    if (colon != std::string_view::npos) {
      const std::string_view label = trimmed(text.substr(0, colon));
      label_ = std::find(echo_labels.begin(), echo_labels.end(), label) == echo_labels.end()
                   ? ""
                   : std::string(label);
      // oneMKL's HPL has two more blanks in front of the colon.
      if (label == "N" && colon == 9 && session().implementation.empty()) session().implementation = "intel";
      values = text.substr(colon + 1);
      if (!label_.empty()) session().echo[label_].clear();
    }
    if (label_.empty()) return colon != std::string_view::npos;
    for (const std::string_view value : words(values)) session().echo[label_].emplace_back(value);
    if (label_ == "BCAST" && contains(values, "HybBcast") && session().implementation.empty())
      session().implementation = "amd";
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

  bool footer(std::string_view text, const LogLine& line) {
    if (text.starts_with("End of Tests.")) {
      session().end = {"End of Tests.", line.number};
      return true;
    }
    struct Count {
      std::string_view words;
      HplText HplSession::*field;
    };
    static constexpr std::array counts = {
        Count{"tests completed and passed residual checks,", &HplSession::passed},
        Count{"tests completed and failed residual checks,", &HplSession::failed},
        Count{"tests completed without checking,", &HplSession::unchecked},
        Count{"tests skipped because of illegal input values.", &HplSession::skipped},
    };
    if (!contains(text, "tests ")) return false;
    if (text.starts_with("Finished ") && text.ends_with("tests with the following results:")) {
      session().finished = {std::string(word_after(text, "Finished ")), line.number};
      return true;
    }
    const std::string_view number = text.substr(0, text.find(' '));
    for (const Count& count : counts)
      if (contains(text, count.words) && parsed_integer(number)) {
        session().*count.field = {std::string(number), line.number};
        return true;
      }
    return false;
  }

  /// Lines that only HPL prints, beside the table.
  bool said(std::string_view text, const LogLine& line) {
    if (text.starts_with("The following parameter values will be used")) {
      session().echo.clear();
      label_.clear();
      echoing_ = true;
      return true;
    }
    if (text.starts_with("HPL_pdgesv() ")) {
      if (!test_open_) return true;
      HplTest& test = session().tests.back();
      if (const size_t at = text.find("start time "); at != std::string_view::npos)
        test.started = {std::string(text.substr(at + 11)), line.number};
      if (const size_t at = text.find("end time "); at != std::string_view::npos)
        test.ended = {std::string(trimmed(text.substr(at + 9))), line.number};
      return true;
    }
    if (contains(text, "pass if scaled residuals are less than")) {
      if (line.terminated) session().threshold = {std::string(word_after(text, "less than")), line.number};
      return true;
    }
    if (contains(text, "The relative machine precision (eps)")) {
      if (line.terminated) session().eps = {std::string(word_after(text, "to be")), line.number};
      return true;
    }
    if (text.starts_with("HPL ERROR")) {
      if (const size_t colon = text.find("HPL ERROR:"); colon == 0)
        session().failures.push_back({line.number, 5, quoted_line(line.number, "HPL stopped", text)});
      if (contains(text, "shakedown HPL reference")) session().implementation = "reference";
      if (contains(text, "CUBLAS") && session().implementation.empty()) session().implementation = "nvidia";
      return true;
    }
    if (text.starts_with(">>> ") && contains(text, "<<<")) return complaint(text, line);
    return final_score(text, line);
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
      session().failures.push_back({line.number, weight, quoted_line(line.number, "HPL stopped", words)});
    }
    return true;
  }

  /// rocHPL's progress report on stdout, whose rows may be in a file.
  bool final_score(std::string_view text, const LogLine& line) {
    if (text.starts_with("Final Score:") && contains(text, "GFLOPS")) {
      session().implementation = "amd";
      session().score = {std::string(word_after(text, "Final Score:")), line.number};
      return true;
    }
    if (session().score.line == 0) return false;
    if (text.starts_with("Residual value =")) {
      session().score_residual = {std::string(word_after(text, "Residual value =")), line.number};
      return true;
    }
    if (!text.starts_with("Residual Check:")) return false;
    session().score_check = {std::string(word_after(text, "Residual Check:")), line.number};
    return true;
  }

  /// Lines that HPL programs share with others, and what went wrong.
  void other(std::string_view text, const LogLine& line) {
    if (session().implementation.empty())
      for (const Mark& mark : marks)
        if (contains(text, mark.part)) session().implementation = mark.implementation;
    if (session().implementation.empty() && contains(text, "Kernel=") && contains(text, "Mflops="))
      session().implementation = "intel";
    if (text.starts_with("INFO: host=")) return rank_of(text, line);
    if (text.starts_with("Ranks:") && line.terminated)
      session().processes = {std::string(word_after(text, "Ranks:")), line.number};
    if (text.starts_with("Precision:") && line.terminated)
      session().precision = {std::string(word_after(text, "Precision:")), line.number};
    setting(text, line);
    if (auto failure = failure_of(line)) session().failures.push_back(std::move(*failure));
  }

  /// "INFO: host=node2 rank=0 lrank=0 cores=16 gpu=0 ..."
  void rank_of(std::string_view text, const LogLine& line) {
    const auto rank = parsed_integer(word_after(text, " rank="));
    if (!rank || *rank < 0 || *rank > 100'000'000 || !line.terminated) return;
    session().highest_rank = std::max(session().highest_rank, static_cast<int>(*rank));
    session().rank_line = line.number;
    ++session().hosts[std::string(word_after(text, "host="))];
  }

  /// "test_loops from environment variable 1", "HPL_OOC_MODE = 1"
  void setting(std::string_view text, const LogLine& line) {
    constexpr size_t most = 64;
    if (!line.terminated || session().settings.size() >= most) return;
    const auto parts = words(text.substr(0, 160));
    if (parts.size() == 5 && parts[1] == "from" && parts[2] == "environment" && parts[3] == "variable") {
      session().settings[std::string(parts[0])] = {std::string(parts[4]), line.number};
      return;
    }
    if (!text.starts_with("HPL_") && !text.starts_with("CUBLAS_EMULATE")) return;
    const size_t end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
    if (end == std::string_view::npos || end < 6) return;
    const std::string_view value = trimmed(text.substr(end));
    if (value.starts_with('=') || value.starts_with(':'))
      session().settings[std::string(text.substr(0, end))] = {std::string(trimmed(value.substr(1))),
                                                              line.number};
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

}  // namespace shakedown
