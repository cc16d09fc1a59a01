#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "parsers/hpcg/run.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// Removes `word` and the blanks behind it from the start of `text`. Returns whether `word` was there.
bool take(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
  return true;
}

/// Takes the number at the start of `text`, and the blanks behind it; empty where there is none.
std::string take_number(std::string_view& text) {
  const std::string_view number = text.substr(0, text.find_first_not_of("0123456789.+-eEinfa"));
  if (!finite_number(number)) return {};
  take(text, number);
  return std::string(number);
}

struct RateName {
  std::string_view printed, name;
};
constexpr std::array rate_names = {
    RateName{"DDOT", "ddot"},   RateName{"WAXPBY", "waxpby"}, RateName{"SpMV", "spmv"},
    RateName{"MG", "mg"},       RateName{"Total", "total"},   RateName{"Final", "final"},
    RateName{"SymGS", "symgs"}, RateName{"total", "total"},   RateName{"final", "final"},
};

/// "DDOT   =  5849.4 GFlop/s ( 46794.9 GB/s)     182.8 GFlop/s per process ( 1462.3 GB/s per process)" or
/// "SpMV  =  607.4 GF (3825.2 GB/s Effective)   75.9 GF_per ( 478.1 GB/s Effective)"
bool read_rate(HpcgConsole& console, std::string_view text, int line) {
  for (const auto& [printed, name] : rate_names) {
    std::string_view rest = text;
    if (!take(rest, printed) || !take(rest, "=")) continue;
    HpcgRate rate;
    rate.line = line;
    rate.gflops = take_number(rest);
    const bool amd = take(rest, "GFlop/s");
    if (rate.gflops.empty() || (!amd && !take(rest, "GF")) || !take(rest, "(")) return false;
    rate.gb_s = take_number(rest);
    if (rate.gb_s.empty() || !take(rest, "GB/s")) return false;
    if (!amd) take(rest, "Effective");
    if (!take(rest, ")")) return false;
    rate.gflops_per_process = take_number(rest);
    if (rate.gflops_per_process.empty() || !take(rest, amd ? "GFlop/s per process" : "GF_per")) return false;
    if (!rest.ends_with(')')) return false;
    console.rates[std::string(name)] = std::move(rate);
    console.vendor = amd ? "amd" : "nvidia";
    return true;
  }
  return false;
}

/// "560 x 280 x 280" or "560x280x280" as "560 280 280"; empty: none.
std::string box_of(std::string_view text) {
  std::string box;
  for (int i = 0; i < 3; ++i) {
    if (i > 0 && !take(text, "x")) return {};
    const std::string_view number = text.substr(0, text.find_first_not_of("0123456789"));
    if (!positive_integer(number)) return {};
    box += fmt::format("{}{}", box.empty() ? "" : " ", number);
    take(text, number);
  }
  return text.empty() ? box : std::string();
}

/// Sets `field` to the three whole numbers behind `label`. Whether the line is of that kind.
bool read_box(HpcgText& field, std::string_view text, std::string_view label, int line) {
  if (!take(text, label)) return false;
  if (std::string box = box_of(text); !box.empty()) field = {std::move(box), line};
  return true;
}

/// "Total Time: 7.55 sec"
bool read_seconds(HpcgText& field, std::string_view text, std::string_view label, int line) {
  if (!take(text, label)) return false;
  const std::string seconds = take_number(text);
  if (!seconds.empty() && text.starts_with("sec")) field = {seconds, line};
  return true;
}

bool read_count(HpcgText& field, std::string_view text, std::string_view label, int line) {
  if (!take(text, label)) return false;
  if (positive_integer(trimmed(text))) field = {std::string(trimmed(text)), line};
  return true;
}

/// Lines that begin with a bar: NVIDIA's, from release 23 on.
bool read_nvidia_detail(HpcgConsole& console, std::string_view text, int line) {
  take(text, "|");
  constexpr std::string_view iterations = "Optimized CG total iterations (--bi overhead ";
  if (text.starts_with("Benchmark Mode !!!!")) {
    console.benchmark = {"on", line};
  } else if (text.starts_with(iterations) && console.benchmark.line != 0) {
    console.benchmark.text =
        fmt::format("on, --bi {}", text.substr(iterations.size(), text.find(')') - iterations.size()));
  } else if (text.starts_with("L2 compression is activated")) {
    if (console.compression.line == 0) console.compression = {"on", line};
  } else if (text.starts_with("Using INT64 Indexing")) {
    console.int64 = {"on", line};
  } else if (text.starts_with("GPU Name: '")) {
    text.remove_prefix(std::string_view("GPU Name: '").size());
    console.gpu = {std::string(text.substr(0, std::min<size_t>(text.find('\''), 100))), line};
  } else {
    return read_box(console.processes, text, "Process Grid:", line) ||
           read_box(console.local, text, "Local Domain:", line);
  }
  return true;
}

/// "2x2x2 process grid", "272x272x272 local domain"
bool read_trailing_label(HpcgConsole& console, std::string_view text, int line) {
  for (const auto& [label, field] :
       {std::pair<std::string_view, HpcgText*>{" process grid", &console.processes},
        {" local domain", &console.local}})
    if (text.ends_with(label)) {
      std::string box = box_of(text.substr(0, text.size() - label.size()));
      if (box.empty()) return false;
      *field = {std::move(box), line};
      return true;
    }
  return false;
}

struct Complaint {
  std::string_view start;  ///< of the line
  std::string_view part;   ///< somewhere behind it; empty: the start is enough
  std::string_view meaning;
};
/// Sources: HPCG 3.1, CheckAspectRatio.cpp, main.cpp; NVIDIA/nvidia-hpcg, main.cpp, init.cpp,
/// ReadHpcgDat.cpp; ROCm/rocHPCG, Memory.cpp.
constexpr std::array complaints = {
    Complaint{"The ", " are invalid because the ratio min(x,y,z)/max(x,y,z)=", "HPCG refused the shape"},
    Complaint{"Error: Total Number of ranks != npx*npy*npz", {}, "HPCG stopped"},
    Complaint{"Error: HPCG was not compiled", {}, "HPCG stopped"},
    Complaint{"Error: P2P mode NCCL", {}, "HPCG stopped"},
    Complaint{"Invalid P2P communication mode", {}, "HPCG stopped"},
    Complaint{"Failed to reduce the residual ", {}, "HPCG did not converge"},
    Complaint{"Cannot open input file: ", {}, "HPCG found no input"},
    Complaint{"cuSPARSE version must be ", {}, "HPCG stopped"},
    Complaint{"NVPL Sparse version must be ", {}, "HPCG stopped"},
    Complaint{"Insufficient memory. Requesting ", {}, "out of memory"},
    Complaint{"Error in call to CG: ", {}, "HPCG's solver failed"},
    Complaint{"xhpcg: ", "Assertion `", "HPCG stopped"},
};

}  // namespace

bool read_hpcg_console(HpcgConsole& console, std::string_view text, int line) {
  switch (text.front()) {
    case '*':
      if (text.starts_with("*** WARNING *** INVALID RUN") ||
          text.starts_with("*** WARNING *** THIS IS NOT A VALID RUN")) {
        if (console.invalid_line == 0) console.invalid_line = line;
        return true;
      }
      return false;
    case '|':
      return read_nvidia_detail(console, text, line);
    case 'L':
      return read_box(console.local, text, "Local domain:", line);
    case 'G':
      return read_box(console.global, text, "Global domain:", line);
    case 'P':
      return read_box(console.processes, text, "Process domain:", line);
    case 'E':
      if (!text.starts_with("Engineering version of HPCG-NVIDIA")) return false;
      console.engineering = {"yes", line};
      return true;
    case 'N':
      return read_count(console.sets, text, "Number of CG sets:", line);
    case 'I':
      return read_count(console.iterations, text, "Iterations per set:", line);
    case 'O':
      return read_seconds(console.optimization, text, "Optimization Time:", line);
    case 'S':
      return read_seconds(console.setup_time, text, "Setup Time:", line) || read_rate(console, text, line);
    case 'T':
      return read_seconds(console.total_time, text, "Total Time:", line) || read_rate(console, text, line);
    case 'D':
    case 'W':
    case 'M':
    case 'F':
    case 't':
    case 'f':
      return read_rate(console, text, line);
    default:
      return text.front() >= '1' && text.front() <= '9' && read_trailing_label(console, text, line);
  }
}

std::optional<Failure> hpcg_failure(std::string_view text, int line) {
  for (const Complaint& complaint : complaints)
    if (text.front() == complaint.start.front() && text.starts_with(complaint.start) &&
        text.find(complaint.part) != std::string_view::npos)
      return Failure{line, 5, quoted_line(line, complaint.meaning, text)};
  return std::nullopt;
}

}  // namespace shakedown
