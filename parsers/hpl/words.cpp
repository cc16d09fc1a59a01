#include "parsers/hpl/words.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// The word behind `label`, or nothing.
std::string_view word_after(std::string_view text, std::string_view label) {
  const size_t at = text.find(label);
  if (at == std::string_view::npos) return {};
  text = trimmed(text.substr(at + label.size()));
  return text.substr(0, text.find_first_of(" \t,;"));
}

struct HplLabel {
  std::string_view part;
  std::string_view implementation;
  bool mixed_precision = false;
};
constexpr std::array banners = {
    HplLabel{"HPL-NVIDIA ", "nvidia"},
    HplLabel{"HPLinpack ", ""},
    HplLabel{"HPC Challenge Benchmark version ", "hpcc"},
    HplLabel{"shakedown HPL reference ", "reference"},
    HplLabel{"HPL-GPU ", "hpl-gpu"},
    HplLabel{"shakedown HPL-MxP reference ", "reference", true},
    HplLabel{"HPL-MxP-NVIDIA ", "nvidia", true},
    HplLabel{"HPL-AI-NVIDIA ", "nvidia", true},
    HplLabel{"HPL-AI Mixed-Precision Benchmark v", "sysu", true},
};

/// What only one vendor's build of HPL prints.
constexpr std::array hpl_words_marks = {
    HplLabel{"Number of Heterogeneous data entries", "intel"},
    HplLabel{"Kernel=", "intel"},
    HplLabel{"+ + Max aggregated wall time", "amd"},
    HplLabel{"Overall GFLOPS", "amd"},
};

constexpr std::array<std::string_view, 11> echoed_names = {"N",     "NB",   "PMAP",  "P",     "Q",    "PFACT",
                                                           "NBMIN", "NDIV", "RFACT", "BCAST", "DEPTH"};
constexpr std::array<std::string_view, 6> other_echoed_names = {"SWAP", "L1", "U", "EQUIL", "ALIGN", "SEED"};

template <class Table>
bool has(const Table& table, std::string_view text) {
  return std::find(table.begin(), table.end(), text) != table.end();
}

std::string_view file_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);
}

/// "INFO: host=node2 rank=0 lrank=0 cores=16 gpu=0 ..."
void read_rank(HplSession& session, std::string_view text, int line) {
  constexpr std::int64_t most = 100'000'000;
  const auto rank = parsed_integer(word_after(text, " rank="));
  if (!rank || *rank < 0 || *rank > most) return;
  session.highest_rank = std::max(session.highest_rank, static_cast<int>(*rank));
  session.rank_line = line;
  constexpr size_t most_hosts = 20'000;
  constexpr size_t longest_name = 64;
  const std::string_view host = word_after(text, "host=");
  if (session.hosts.size() < most_hosts && host.size() <= longest_name) ++session.hosts[std::string(host)];
}

/// "test_loops from environment variable 1", "HPL_OOC_MODE = 1"
void read_setting(HplSession& session, std::string_view text, int line) {
  constexpr size_t most = 64;
  constexpr size_t longest = 256;
  constexpr std::string_view said = " from environment variable ";
  if (session.settings.size() >= most || text.size() > longest) return;
  if (const size_t at = text.find(said); at != std::string_view::npos) {
    session.settings[std::string(text.substr(0, at))] = {std::string(trimmed(text.substr(at + said.size()))),
                                                         line};
    return;
  }
  if (!text.starts_with("HPL_") && !text.starts_with("CUBLAS_EMULATE")) return;
  const size_t end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_");
  if (end == std::string_view::npos || end < 6) return;
  const std::string_view value = trimmed(text.substr(end));
  if (value.starts_with('=') || value.starts_with(':'))
    session.settings[std::string(text.substr(0, end))] = {std::string(trimmed(value.substr(1))), line};
}

}  // namespace

std::optional<HplBanner> hpl_banner(std::string_view text) {
  if (!contains(text, "HP")) return std::nullopt;
  for (const HplLabel& banner : banners) {
    const std::string_view version = word_after(text, banner.part);
    if (version.empty() || version.front() < '0' || version.front() > '9') continue;
    return HplBanner{banner.implementation, version, banner.mixed_precision};
  }
  return std::nullopt;
}

bool is_mixed_precision(std::string_view text) {
  constexpr std::string_view row = "HPL_AI ";
  if (text.starts_with(row)) return trimmed(text.substr(row.size())).starts_with('W');
  if (text.starts_with("HPL ERROR")) return contains(text, "HPLMXP_");
  if (text.starts_with("T/V ")) return contains(text, "Gflops_IRS");
  return text.starts_with("HPLMXP_pdgesv() ") || text.starts_with("HPLAI_pdgesv() ") ||
         text.starts_with("# refinement: step=");
}

IntelProgram named_program(std::string_view text) {
  static constexpr std::array<std::string_view, 4> launchers = {"mpirun", "mpiexec", "mpiexec.hydra", "srun"};
  if (!contains(text, "xhpl")) return IntelProgram::none;
  const bool traced = is_shell_trace(text);
  bool starts = text.starts_with("-rwx");
  bool first = true;
  for (const std::string_view word : words(text)) {
    if (traced && word.find_first_not_of('+') == std::string_view::npos) continue;
    const std::string_view name = file_name(word);
    if (first || traced) starts = starts || has(launchers, name);
    const bool ai = name.starts_with("xhpl-ai_intel64");
    if ((starts || first) && (ai || name.starts_with("xhpl_intel64")))
      return ai ? IntelProgram::hpl_ai : IntelProgram::hpl;
    first = false;
  }
  return IntelProgram::none;
}

std::optional<HplSetting> emulation_setting(std::string_view text) {
  constexpr std::string_view said = "from environment variable ";
  constexpr size_t longest = 64;
  if (text.starts_with('#')) return std::nullopt;
  for (const std::string_view key : {"EMULATE_DOUBLE_PRECISION", "emulate_double_precision"}) {
    const size_t at = text.find(key);
    if (at == std::string_view::npos) continue;
    size_t start = at;
    while (start > 0 && (text[start - 1] == '_' || (text[start - 1] >= 'A' && text[start - 1] <= 'Z')))
      --start;
    const size_t end = at + key.size();
    std::string_view value = trimmed(text.substr(end));
    if (value.starts_with(said))
      value.remove_prefix(said.size());
    else if (value.starts_with('=') || value.starts_with(':'))
      value.remove_prefix(1);
    else
      continue;
    value = trimmed(value);
    if (value.starts_with('"') || value.starts_with('\'')) value.remove_prefix(1);
    value = value.substr(0, value.find_first_of(" \t,;\"'"));
    // In the text of a script a value may be another variable's.
    if (value.empty() || value.starts_with('$') || value.size() > longest || end - start > longest) continue;
    return HplSetting{text.substr(start, end - start), value};
  }
  return std::nullopt;
}

bool is_emulation(std::string_view name) {
  return name.ends_with("EMULATE_DOUBLE_PRECISION") || name == "emulate_double_precision";
}

bool is_off(std::string_view value) {
  return value == "0" || value == "false" || value == "off";
}

bool ends_run(const Failure& failure) {
  static constexpr std::array survived = {FailureKind::gpu_error, FailureKind::nccl_error,
                                          FailureKind::storage, FailureKind::program_missing};
  return failure.weight >= 2 && std::find(survived.begin(), survived.end(), failure.kind) == survived.end();
}

bool is_shell_trace(std::string_view text) {
  if (!text.starts_with("+ ") && !text.starts_with("++")) return false;
  return !contains(text, "Max aggregated wall time");  // of HPL's detailed timing
}

bool read_echo(HplSession& session, std::string& label, std::string_view text) {
  const size_t colon = text.find(':');
  std::string_view values = text;
  if (colon == std::string_view::npos) {
    const bool numbers = text.find_first_not_of("0123456789 \t") == std::string_view::npos;
    if (label.empty() || !numbers) return false;
  } else {
    const std::string_view name = trimmed(text.substr(0, colon));
    label.clear();
    if (!has(echoed_names, name)) return has(other_echoed_names, name);
    // oneMKL's HPL has two more blanks in front of the colon.
    constexpr size_t onemkl_colon = 9;
    if (name == "N" && colon == onemkl_colon && session.implementation.empty())
      session.implementation = "intel";
    label = name;
    session.echo[label].clear();
    values = text.substr(colon + 1);
  }
  constexpr size_t longest = 32;
  auto& known = session.echo[label];
  for (const std::string_view value : words(values))
    if (known.size() < most_echoed && value.size() <= longest) known.emplace_back(value);
  if (label == "BCAST" && contains(values, "HybBcast") && session.implementation.empty())
    session.implementation = "amd";
  return true;
}

/// Keeps a count of the footer; a run prints each once.
void take_count(HplSession& session, HplText& field, std::string count, std::string_view text, int line) {
  if (field.line != 0 && field.text != count && session.second_footer.line == 0)
    session.second_footer = {std::string(text), line};
  field = {std::move(count), line};
}

bool read_footer(HplSession& session, std::string_view text, int line) {
  if (text.starts_with("End of Tests.")) {
    if (session.end.line != 0 && session.other_below_end != 0 && session.second_end.line == 0)
      session.second_end = {"End of Tests.", line};
    session.end = {"End of Tests.", line};
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
    take_count(session, session.finished, std::string(word_after(text, "Finished ")), text, line);
    return true;
  }
  const std::string_view number = text.substr(0, text.find(' '));
  for (const Count& count : counts)
    if (contains(text, count.words) && parsed_integer(number)) {
      take_count(session, session.*count.field, std::string(number), text, line);
      return true;
    }
  return false;
}

bool read_statement(HplSession& session, std::string_view text, const LogLine& line) {
  const auto take = [&](HplText& field, std::string_view label) {
    if (line.terminated) field = {std::string(word_after(text, label)), line.number};
    return true;
  };
  if (text.starts_with("- ")) {
    if (contains(text, "pass if scaled residuals are less than")) return take(session.threshold, "less than");
    if (contains(text, "The relative machine precision (eps)")) return take(session.eps, "to be");
    return false;
  }
  if (text.starts_with("Final Score:") && contains(text, "GFLOPS")) {
    session.implementation = "amd";
    return take(session.score, "Final Score:");
  }
  if (session.score.line == 0) return false;
  if (text.starts_with("Residual value =")) return take(session.score_residual, "Residual value =");
  if (text.starts_with("Residual Check:")) return take(session.score_check, "Residual Check:");
  return false;
}

bool read_summary(HplSession& session, std::string_view text, const LogLine& line) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || !line.terminated) return false;
  const std::string_view name = text.substr(0, equals);
  const HplText value = {std::string(text.substr(equals + 1)), line.number};
  if (name == "CommWorldProcs")
    session.processes = value;
  else if (name.starts_with("HPL_"))
    session.summary[std::string(name)] = value;
  else
    return false;
  return true;
}

bool read_surroundings(HplSession& session, std::string_view text, const LogLine& line) {
  if (session.implementation.empty())
    for (const HplLabel& mark : hpl_words_marks)
      if (contains(text, mark.part)) session.implementation = mark.implementation;
  if (line.terminated) {
    if (text.starts_with("INFO: host=")) {
      read_rank(session, text, line.number);
      return false;
    }
    if (text.starts_with("Ranks:"))
      session.processes = {std::string(word_after(text, "Ranks:")), line.number};
    if (text.starts_with("Precision:"))
      session.precision = {std::string(word_after(text, "Precision:")), line.number};
    read_setting(session, text, line.number);
  }
  const auto failure = failure_in(line);
  note(session.failure, failure);
  return failure && ends_run(*failure);
}

}  // namespace shakedown
