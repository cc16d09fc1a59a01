#include "parsers/hpl_mxp/table.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <iterator>
#include <utility>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/hpl/words.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {}  // namespace

bool MxpTables::read(std::string_view text, const LogLine& line) {
  if (echoing_ && echo(text, line)) return mixed_;
  if (awaiting_row_ && row(text, line)) return mixed_;
  switch (text.front()) {
    case 'H':
      return banner(text, line) || row(text, line) || clock(text, line) || complaint(text, line);
    case 'T':
      if (text.starts_with("The following parameter values will be used")) {
        echo_.clear();
        label_.clear();
        echoing_ = true;
        return mixed_;
      }
      return header(text, line);
    case 'W':
      return row(text, line);
    case '|':
      return check(text, line);
    case 'M':
    case 'i':
    case '#':
      return progress(text, line);
    case '>':
      return complaint(text, line);
    case '-':
      return statement(text, line) || program(text, line);
    case 'E':
    case 'F':
    case 'R':
      return footer(text, line);
    default:
      if (text.front() >= '0' && text.front() <= '9') return footer(text, line);
      return program(text, line);
  }
}

/// Names the program of the next run, without ending one that goes on.
bool MxpTables::program(std::string_view text, const LogLine& line) {
  const auto named = named_program(text);
  if (named != IntelProgram::none) named_line_ = named == IntelProgram::hpl_ai ? line.number : 0;
  return false;
}

bool MxpTables::banner(std::string_view text, const LogLine& line) {
  constexpr std::string_view sysu = "HPL-AI Mixed-Precision Benchmark v";
  if (text.starts_with(sysu)) {
    begin_run(line.number);
    mixed("sysu");
    run_.version = text.substr(sysu.size(), text.find(' ', sysu.size()) - sysu.size());
    return true;
  }
  const auto found = hpl_banner(text);
  if (!found || text.starts_with("HPL-MxP-NVIDIA ")) return false;
  if (found->implementation.empty()) {
    // HPL's own banner follows below a vendor's.
    const bool below = hplinpack_.empty() && (hpl_only_ || !run_.version.empty());
    if (!below) {
      begin_run(line.number);
      take_name();
    }
    hplinpack_ = found->version;
    return mixed_;
  }
  begin_run(line.number);
  named_line_ = 0;
  hpl_only_ = !found->mixed_precision;
  if (!found->mixed_precision) return false;
  mixed("nvidia");
  run_.version = found->version;
  return true;
}

bool MxpTables::header(std::string_view text, const LogLine& line) {
  if (!text.starts_with("T/V ") || !line.terminated) return false;
  auto columns = hpl_columns(text);
  if (!columns) return false;
  close_test();
  const bool begins = hplinpack_.empty() && run_.version.empty() && results_.empty() && given_ == 0;
  if (begins) take_name();
  after_end_ = false;
  columns_ = std::move(*columns);
  ai_columns_ = {true, contains(text, "Gflops_IRS")};
  if (ai_columns_.refinement) mixed("nvidia");
  awaiting_row_ = true;
  return mixed_;
}

bool MxpTables::row(std::string_view text, const LogLine& line) {
  if (contains(text, "HPL_AI ")) {
    if (after_end_) return true;  // a copy that a script made below the run
    const auto found = hpl_ai_row(line, ai_columns_);
    if (!found) return false;
    mixed("nvidia");
    ParsedResult& result = open_test(found->row, line);
    if (!found->row.fault.empty()) return true;
    const bool both = !found->total_gflops.empty();
    if (both) {
      set_metric(result, "rmax_gflops", found->total_gflops, line.number);
      set_fact(result, "rmax_printed", found->total_gflops, line.number);
    }
    set_metric(result, both ? "lu_gflops" : "rmax_gflops", found->row.gflops, line.number);
    set_fact(result, both ? "lu_printed" : "rmax_printed", found->row.gflops, line.number);
    set_metric(result, both ? "lu_time_s" : "time_s", found->row.time, line.number);
    set_fact(result, both ? "lu_time_printed" : "time_printed", found->row.time, line.number);
    set_metric(result, "refinement_time_s", found->refinement_time, line.number);
    set_fact(result, "refinement_time_printed", found->refinement_time, line.number);
    set_fact(result, "iterations", found->iterations, line.number);
    set_total_time(result);
    if (!both) {
      set_fact(result, "one_rate", "Gflops", line.number);
      result.warnings.push_back(fmt::format(
          "line {}: the row has one rate; whether its time includes the refinement is not printed",
          line.number));
    }
    return true;
  }
  if (columns_.empty() || (!awaiting_row_ && text.front() != 'W')) return false;
  const auto found = hpl_row(line, columns_, awaiting_row_);
  if (!found) return false;
  if (!awaiting_row_ && !found->fault.empty() && line.terminated) return false;
  const bool short_variant = found->variant.size() == 3 && columns_.back() == HplColumn::gflops && !hpl_only_;
  ParsedResult& result = open_test(*found, line);
  if (short_variant) mixed("amd");
  if (!found->fault.empty()) return mixed_;
  set_metric(result, "rmax_gflops", found->gflops, line.number);
  set_fact(result, "rmax_printed", found->gflops, line.number);
  set_metric(result, "time_s", found->time, line.number);
  set_fact(result, "time_printed", found->time, line.number);
  return mixed_;
}

ParsedResult& MxpTables::open_test(const HplRow& row, const LogLine& line) {
  close_test();
  awaiting_row_ = false;
  MxpTest& test = test_.emplace();
  test.line = line.number;
  test.mixed = mixed_;
  ParsedResult& result = test.result;
  for (const Fact& fact : pending_.facts) set_fact(result, fact.name, fact.value, fact.line);
  pending_ = {};
  if (!row.fault.empty()) {
    test.lost = quoted_line(line.number, "the result row can't be read, " + row.fault, line.text);
    return result;
  }
  result.parameters = {{"N", row.N}, {"NB", row.NB}, {"P", row.P}, {"Q", row.Q}};
  set_text_parameter(result, "PMAP", row.variant[1] == 'R' ? "row" : "column");
  set_text_parameter(result, "TV", row.variant);
  const auto said = [&](std::string_view name, std::int64_t value) {
    const auto it = echo_.find(name);
    return it == echo_.end() || it->second.size() >= most_echoed ||
           std::find(it->second.begin(), it->second.end(), std::to_string(value)) != it->second.end();
  };
  if (echo_.empty()) return result;
  std::string differs;
  for (const auto& [name, value] :
       {std::pair("N", row.N), std::pair("NB", row.NB), std::pair("P", row.P), std::pair("Q", row.Q)})
    if (!said(name, value)) differs += fmt::format("{}{} = {}", differs.empty() ? "" : ", ", name, value);
  set_fact(result, "echoed", differs.empty() ? "yes" : differs, line.number);
  return result;
}

bool MxpTables::check(std::string_view text, const LogLine& line) {
  if (!test_) return false;
  if (const auto found = mxp_check(text)) {
    if (found->block || test_->result.fact("residual_check") != nullptr) return false;
    set_check(test_->result, *found, line.number);
    return test_->mixed;
  }
  const size_t dots = text.find(" . . .");
  const size_t equals = text.find('=');
  if (dots == std::string_view::npos || equals == std::string_view::npos || equals < dots) return false;
  constexpr size_t most_facts = 32;
  if (line.terminated && test_->result.facts.size() < most_facts)
    set_fact(test_->result, trimmed(text.substr(0, dots)), trimmed(text.substr(equals + 1)), line.number);
  return test_->mixed;
}

/// "HPLMXP_pdgesv() start time Wed Apr 22 10:00:00 2026"
bool MxpTables::clock(std::string_view text, const LogLine& line) {
  const bool rocm = text.starts_with("HPLMXP_pdgesv() ");
  if (!rocm && !text.starts_with("HPLAI_pdgesv() ")) return false;
  mixed(rocm ? "amd" : "sysu");
  if (!test_ || !line.terminated) return true;
  for (const auto& [label, name] : {std::pair(" start time ", "started"), std::pair(" end time ", "ended")})
    if (const size_t at = text.find(label); at != std::string_view::npos)
      set_fact(test_->result, name, trimmed(text.substr(at + std::string_view(label).size())), line.number);
  return true;
}

/// "N      :    8192 ", lists that go on in a line without a label.
bool MxpTables::echo(std::string_view text, const LogLine& line) {
  constexpr std::array<std::string_view, 4> kept = {"N", "NB", "P", "Q"};
  if (text.starts_with("---") || text.starts_with("===")) {
    echoing_ = false;
    return true;
  }
  const size_t colon = text.find(':');
  std::string_view values = text;
  if (colon == std::string_view::npos) {
    if (label_.empty() || text.find_first_not_of("0123456789 \t") != std::string_view::npos) return false;
  } else {
    const std::string_view name = trimmed(text.substr(0, colon));
    // HPL lists its panel factorisations between Q and BCAST, rocHPL-MxP has none.
    if (name == "BCAST" && label_ == "Q" && !hpl_only_) mixed("amd");
    label_ = std::find(kept.begin(), kept.end(), name) == kept.end() ? "" : std::string(name);
    if (label_.empty()) return name.size() <= 8;
    echo_[label_].clear();
    values = text.substr(colon + 1);
  }
  if (!line.terminated) return true;
  for (const std::string_view value : words(values))
    if (auto& known = echo_[label_]; known.size() < most_echoed) known.emplace_back(value);
  return true;
}

bool MxpTables::statement(std::string_view text, const LogLine& line) {
  if (!line.terminated || !text.starts_with("- ")) return false;
  if (contains(text, "The relative machine precision (eps)"))
    set_fact(run_, "eps", mxp_value(text, "to be", line), line.number);
  else if (contains(text, "pass if scaled residuals are less than"))
    set_fact(run_, "threshold", mxp_value(text, "less than", line), line.number);
  else
    return false;
  return mixed_;
}

bool MxpTables::progress(std::string_view text, const LogLine& line) {
  if (!line.terminated) return false;
  if (text.starts_with("Max aggregated wall time Iter Refine")) {
    if (!test_) return mixed_;
    set_metric(test_->result, "refinement_time_s", mxp_value(text, ":", line), line.number);
    set_fact(test_->result, "refinement_time_printed", mxp_value(text, ":", line), line.number);
    return mixed_;
  }
  if (text.starts_with("# refinement: step=")) {
    mixed("amd");
    set_fact(pending_, "iterations", mxp_value(text, "step=", line), line.number);
    return true;
  }
  if (text.starts_with("info===>") && contains(text, "_niter ")) {
    set_fact(pending_, "iterations", mxp_value(text, "_niter ", line), line.number);
    return mixed_;
  }
  return false;
}

/// "HPL ERROR from process # 0, on line 194 of function HPLMXP_pdinfo:"
bool MxpTables::complaint(std::string_view text, const LogLine& line) {
  if (text.starts_with("HPL ERROR") && contains(text, "HPLMXP_")) {
    mixed("amd");
    return true;
  }
  if (!mixed_ || !text.starts_with(">>> ")) return false;
  const std::string_view words = trimmed(text.substr(4, text.find("<<<") - 4));
  if (stopped_.empty()) stopped_ = quoted_line(line.number, "the program stopped", words);
  return true;
}

bool MxpTables::footer(std::string_view text, const LogLine& line) {
  if (!line.terminated) return false;
  if (text.starts_with("Final Score:") && contains(text, "GFLOPS")) {
    set_fact(run_, "final_score", mxp_value(text, "Final Score:", line), line.number);
    return mixed_;
  }
  if (text.starts_with("Residual Check:")) {
    set_fact(run_, "final_check", mxp_value(text, "Residual Check:", line), line.number);
    return mixed_;
  }
  if (text.starts_with("End of Tests.")) {
    const bool ours = mixed_;
    set_fact(footer_, "end_of_tests", "End of Tests.", line.number);
    end_run();
    after_end_ = ours;
    return ours;
  }
  struct Count {
    std::string_view words;
    const char* name;
  };
  static constexpr std::array counts = {
      Count{"tests completed and passed residual checks,", "tests_passed"},
      Count{"tests completed and failed residual checks,", "tests_failed"},
      Count{"tests completed without checking,", "tests_unchecked"},
      Count{"tests skipped because of illegal input values.", "tests_skipped"},
  };
  if (!contains(text, "tests ")) return false;
  const std::string_view number = text.substr(0, text.find(' '));
  for (const Count& count : counts)
    if (contains(text, count.words) && parsed_integer(number)) {
      close_test();
      set_fact(footer_, count.name, number, line.number);
      return mixed_;
    }
  return false;
}

std::optional<HplAiRow> hpl_ai_row(const LogLine& line, const HplAiColumns& columns) {
  constexpr std::string_view mark = "HPL_AI ";
  const size_t start = line.text.find(mark);
  if (start == std::string_view::npos) return std::nullopt;
  const auto cells = words(line.text.substr(start + mark.size()));
  constexpr size_t plain = 7;  // T/V N NB P Q Time Gflops
  if (cells.empty() || cells[0].size() < 3 || cells[0][0] != 'W' ||
      (cells[0][1] != 'R' && cells[0][1] != 'C'))
    return std::nullopt;
  HplAiRow found;
  HplRow& row = found.row;
  row.variant = cells[0];
  const auto faulty = [&](std::string why) {
    row.fault = std::move(why);
    return found;
  };
  if (!line.terminated || cells.size() < plain || (columns.refinement && cells.size() < plain + 2))
    return faulty("it is cut");
  if (!columns.named && cells.size() < plain + 2) return faulty("no header names its rate");
  const std::array<std::int64_t*, 4> sizes = {&row.N, &row.NB, &row.P, &row.Q};
  for (size_t i = 0; i < sizes.size(); ++i) {
    const auto value = positive_integer(cells[i + 1]);
    if (!value) return faulty("its N, NB, P or Q is '" + std::string(cells[i + 1]) + "'");
    *sizes[i] = *value;
  }
  if (const auto time = finite_number(cells[5]); !time || *time < 0)
    return faulty("its Time is '" + std::string(cells[5]) + "'");
  if (!is_whole_exponential(cells[6])) return faulty("its Gflops is '" + std::string(cells[6]) + "'");
  row.time = cells[5];
  row.gflops = cells[6];
  if (cells.size() < plain + 2) return found;
  if (!finite_number(cells[plain])) return faulty("its FGMRES is '" + std::string(cells[plain]) + "'");
  found.refinement_time = cells[plain];
  size_t last = plain + 1;
  if (cells.size() > last + 1 && parsed_integer(cells[last])) found.iterations = cells[last++];
  if (!is_whole_exponential(cells[last]))
    return faulty("its Gflops_IRS is '" + std::string(cells[last]) + "'");
  found.total_gflops = cells[last];
  return found;
}

}  // namespace shakedown
