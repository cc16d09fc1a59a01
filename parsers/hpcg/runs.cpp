#include "parsers/hpcg/runs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr size_t longest_heading = 80;
constexpr size_t longest_value = 200;
constexpr size_t most_layers = 16;
constexpr size_t most_coarse = 16;
constexpr size_t most_kernels = 8;
constexpr std::int64_t most_sets = 1'000'000'000;
/// The most lines between a report's version and the rest.
constexpr int heading_reach = 3;

constexpr std::string_view bare_rating = "HPCG result is VALID with a GFLOP/s rating of ";
constexpr std::string_view report_name = "HPCG-Benchmark";

/// "3.1" of "3.1", "V3.0" and "HPCG-Benchmark_3.0".
std::string_view version_of(std::string_view printed) {
  for (const std::string_view prefix : {"HPCG-Benchmark_", "HPCG-Benchmark-", "V", "v"})
    if (printed.starts_with(prefix)) return printed.substr(prefix.size());
  return printed;
}

/// The build that a report's name and version identify; empty: the official one, or not known.
std::string_view vendor_of(std::string_view name, std::string_view version) {
  if (version.starts_with("HPCG-Benchmark_") || name.starts_with("HPCG-Benchmark_")) return "arm";
  // "n104-8p-1t": the local domain, processes and threads.
  if (name.size() > 1 && name.front() == 'n' && name[1] >= '0' && name[1] <= '9' && name.ends_with('t') &&
      contains(name, "p-"))
    return "intel";
  return {};
}

/// "xhpcg", "rochpcg", "hpcg.sh" where the line names one.
std::string_view program_in(std::string_view text) {
  const size_t at = text.find("hpcg");
  if (at == std::string_view::npos) return {};
  for (const std::string_view program : {"xhpcg", "rochpcg", "hpcg.sh"})
    if (contains(text, program)) return program;
  return {};
}

/// Whether a line is a launcher's or scheduler's, or of the program itself: in other texts the same words
/// may be about anything.
bool is_failure_of(std::string_view program, std::string_view text) {
  for (const std::string_view start : {"slurmstepd: ", "srun: ", "mpirun ", "prterun ", "mpiexec"})
    if (text.starts_with(start)) return true;
  return contains(text, program) || (text.front() == '[' && contains(text, "Signal: "));  // Open MPI's
}

}  // namespace

void HpcgRuns::read(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  run_.last_line = line.number;
  if (text.empty()) return;
  if (!read_iteration(text, line) && !read_heading(text, line)) {
    if (const auto entry = layout_.read(text)) {
      if (pending_version_.line != 0) begin_report(line);
      take(*entry, line);
    } else if (!read_start(text, line) && !read_bare_rating(text, line) &&
               !(line.terminated && read_console(text, line.number))) {
      read_surroundings(text, line);
    }
  }
  // A report's name has no blank.
  const bool may_be_name = text.size() <= longest_heading && text.find(' ') == std::string_view::npos;
  previous_.assign(may_be_name ? text : std::string_view());
  previous_line_ = line.number;
}

/// HPCG's log of its solver's calls, and what vendors print for each: most of a long log.
bool HpcgRuns::read_iteration(std::string_view text, const LogLine& line) {
  switch (text.front()) {
    case 'C': {
      constexpr std::string_view call = "Call [";
      constexpr std::string_view scaled = "] Scaled Residual [";
      if (text.starts_with("CG set ")) return true;
      if (!text.starts_with(call) || !contains(text, "Scaled Residual [")) return false;
      // The calls of the solver's tests, which come first, count from 0, too.
      if (const size_t end = text.find(scaled); end != std::string_view::npos) {
        const auto set = parsed_integer(text.substr(call.size(), end - call.size()));
        if (set && *set >= 0 && *set < most_sets) run_.sets = *set + 1;
      }
      return true;
    }
    case 'I':
      return text.starts_with("Iteration = ");
    case 'O': {  // our own program's: "Optimised: 50 iterations in 0.794 s; 2 timed sets"
      const size_t sets = text.rfind("; ");
      if (!text.starts_with("Optimised: ") || !text.ends_with(" timed sets")) return false;
      const auto count = words(text.substr(sets + 1));
      const auto set = count.empty() ? std::nullopt : positive_integer(count.front());
      if (set && *set < most_sets) run_.sets = *set;
      return true;
    }
    case 'R':
      // Our own program's stdout names the file with the results.
      if (text.starts_with("Report: HPCG-Benchmark_") && run_.iterations_line == 0)
        run_.iterations_line = line.number;
      return text.starts_with("REF  Iter = ") || text.starts_with("Report: HPCG-Benchmark_");
    case 'p':
      return text.starts_with("progress = ");
    case 'H':
      return text.starts_with("HIP Iteration = ");
    case 'S':
      return text.starts_with("SpMV call [");
    case 'W':
    case 'D':
      if (!text.starts_with("WARNING: PERFORMING UNPRECONDITIONED ITERATIONS") &&
          !text.starts_with("Departure from symmetry (scaled) for "))
        return false;
      if (run_.iterations_line == 0) run_.iterations_line = line.number;
      run_.begun = true;
      return true;
    default:
      return false;
  }
}

/// The report's beginning: "HPCG-Benchmark" and "version=3.1", or "HPCG-Benchmark version: 3.0", in vendors'
/// builds with another name; then "Release date".
bool HpcgRuns::read_heading(std::string_view text, const LogLine& line) {
  if (pending_version_.line != 0 && line.number > pending_version_.line + heading_reach)
    pending_version_ = {};
  if (text.front() == 'R' && text.starts_with("Release date")) {
    if (pending_version_.line == 0 && previous_.starts_with("HPCG-Benchmark_"))
      pending_name_ = pending_version_ = {previous_, previous_line_};
    if (pending_version_.line == 0) return false;
    begin_report(line);
    return true;
  }
  if (text == report_name) {
    if (run_.report()) begin_run(line.number);
    run_.begun = true;
    return true;
  }
  constexpr std::string_view flat = "version=";
  constexpr std::string_view nested = " version: ";
  std::string_view name;
  std::string_view version;
  if (text.starts_with(flat)) {
    name = previous_;
    version = text.substr(flat.size());
  } else if (text.size() <= longest_heading && contains(text, nested)) {
    name = text.substr(0, text.find(nested));
    version = text.substr(name.size() + nested.size());
  }
  if (version.empty() || name.empty() || name.size() > longest_heading || version.size() > longest_heading ||
      contains(version, " ") || contains(name, " ") || !line.terminated)
    return false;
  pending_name_ = {std::string(name), line.number};
  pending_version_ = {std::string(version), line.number};
  if (name.starts_with(report_name) || version.starts_with(report_name)) begin_report(line);
  return true;
}

void HpcgRuns::begin_report(const LogLine& line) {
  if (run_.report()) begin_run(line.number);
  run_.header = true;
  run_.name = pending_name_;
  run_.release = {std::string(version_of(pending_version_.text)), pending_version_.line};
  run_.builder = vendor_of(run_.name.text, pending_version_.text);
  pending_version_ = {};
  layout_.close();
}

/// Lines that programs print as they start.
bool HpcgRuns::read_start(std::string_view text, const LogLine& line) {
  struct Start {
    std::string_view text, implementation;
  };
  static constexpr std::array starts = {
      Start{"HPCG-NVIDIA ", "nvidia"},
      Start{"Start of application (", "nvidia"},
      Start{"start of application (", "nvidia"},
      Start{"rocHPCG version: ", "amd"},
      Start{"shakedown HPCG reference ", "reference"},
  };
  const auto start = std::find_if(starts.begin(), starts.end(),
                                  [&](const Start& candidate) { return text.starts_with(candidate.text); });
  if (start == starts.end()) {
    // NVIDIA prints its own number above its other words; other programs print such lines, too.
    constexpr std::string_view build = "Build v";
    if (!text.starts_with(build) || words(text).size() != 2 || !line.terminated) return false;
    build_ = {std::string(text.substr(build.size())), line.number};
    return true;
  }
  const bool banner = start->text == "HPCG-NVIDIA ";
  if (run_.report() || !run_.console.vendor.empty() || run_.console.started || run_.console.bare.line != 0 ||
      (banner && run_.begun))
    begin_run(line.number);
  run_.begun = true;
  run_.implementation = start->implementation;
  run_.console.started = !banner;
  std::string_view rest = text.substr(start->text.size());
  if (text.front() == 'S') {  // "Start of application (GPU-Only) ..."
    if (line.terminated) run_.console.execution = {std::string(rest.substr(0, rest.find(')'))), line.number};
    if (run_.version.line == 0) run_.version = std::exchange(build_, {});
  } else if (text.front() != 's' || start->implementation == "reference") {
    rest = rest.substr(0, rest.find(' '));
    if (line.terminated && !rest.empty()) run_.version = {std::string(rest), line.number};
  }
  return true;
}

/// A summary that follows another's last line is another run's.
bool HpcgRuns::read_console(std::string_view text, int line) {
  if (!run_.console.rates.contains("final")) return read_hpcg_console(run_.console, text, line);
  HpcgConsole next;
  if (!read_hpcg_console(next, text, line)) return false;
  if (next.invalid_line == 0) begin_run(line);
  return read_hpcg_console(run_.console, text, line);
}

/// "HPCG result is VALID with a GFLOP/s rating of 3.289080", all that Intel's build prints.
bool HpcgRuns::read_bare_rating(std::string_view text, const LogLine& line) {
  if (!text.starts_with(bare_rating) || !line.terminated) return false;
  const std::string_view printed = trimmed(text.substr(bare_rating.size()));
  const auto rating = finite_number(printed);
  if (!rating) return false;
  const auto reported = finite_number(run_.value("rating").text);
  if (reported && std::abs(*reported - *rating) <= half_unit(printed) + 5e-6 * *reported) return true;
  if (run_.report() || run_.console.bare.line != 0 || run_.console.started) begin_run(line.number);
  run_.console.bare = {std::string(printed), line.number};
  return true;
}

void HpcgRuns::read_surroundings(std::string_view text, const LogLine& line) {
  const bool known = run_.report() || run_.begun || !run_.console.vendor.empty();
  if (!known && run_.program.empty()) run_.program = program_in(text);
  if (auto failure = hpcg_failure(text, line.number)) {
    if (contains(text, "min(x,y,z)/max(x,y,z)") || contains(text, "HPCG") || contains(text, "npx*npy*npz"))
      run_.begun = true;
    note(run_.failure, std::move(failure));
    return;
  }
  if (text.starts_with("ARM Configuration") && run_.builder.empty()) run_.builder = "arm";
  if (!known && run_.program.empty()) return;
  if (auto failure = failure_in(line); failure && (known || is_failure_of(run_.program, text)))
    note(run_.failure, std::move(failure));
}

void HpcgRuns::begin_run(int line) {
  hand_over();
  run_.first_line = run_.last_line = line;
  layout_.close();
}

void HpcgRuns::take(const HpcgEntry& entry, const LogLine& line) {
  if (entry.key == nullptr || !line.terminated || entry.value.size() > longest_value) return;
  const std::string_view fact = entry.key->fact;
  HpcgText text{std::string(entry.value), line.number};
  if (fact == "reference_kernel") {
    text.text = entry.value.substr(0, std::min(entry.value.find(" used"), entry.value.size()));
    if (contains(entry.value, "threads greater than 1")) text.text += " (with threads)";
    const auto same = [&](const HpcgText& other) { return other.text == text.text; };
    if (run_.reference_kernels.size() < most_kernels &&
        std::none_of(run_.reference_kernels.begin(), run_.reference_kernels.end(), same))
      run_.reference_kernels.push_back(std::move(text));
    return;
  }
  if (fact == "invalid") {
    if (contains(line.text, "HPCG result is INVALID") || text.text.starts_with("INVALID")) {
      if (run_.value("rating").line != 0) {
        run_.second_summary = text;
        begin_run(line.number);
      }
      if (run_.invalid.line == 0) run_.invalid = std::move(text);
    }
    return;
  }
  if (fact == "nz" || fact.ends_with("_ipz")) return take_layer(fact, std::move(text));
  if (fact.starts_with("coarse_") && fact != "coarse_levels") return take_coarse(fact, std::move(text));
  HpcgText& value = run_.values[entry.index];
  if (value.line != 0 && value.text == text.text) return;  // a copy made by a script behind the run
  // The same key with another value: a report without its beginning.
  if (value.line != 0) {
    if (fact == "rating") run_.second_summary = text;
    begin_run(line.number);
  }
  if (fact == "end_of_report" || fact == "official" || fact == "official_minimum") run_.ended = true;
  run_.values[entry.index] = std::move(text);
  ++run_.count;
}

/// HPCG 3.1 can give the processes of one z another height than those of the others (--pz, --zl, --zu).
void HpcgRuns::take_layer(std::string_view fact, HpcgText text) {
  std::vector<HpcgLayer>& layers = run_.layers;
  if (fact == "lower_ipz" || layers.empty()) {
    const bool repeated = std::any_of(layers.begin(), layers.end(),
                                      [&](const HpcgLayer& layer) { return layer.lower.text == text.text; });
    if (repeated || layers.size() >= most_layers) return;
    layers.emplace_back();
  }
  HpcgLayer& layer = layers.back();
  HpcgText& field = fact == "nz" ? layer.nz : fact == "lower_ipz" ? layer.lower : layer.upper;
  if (field.line == 0) field = std::move(text);
  ++run_.count;
}

void HpcgRuns::take_coarse(std::string_view fact, HpcgText text) {
  if (fact == "coarse_memory") {
    if (coarse_memory_ < run_.coarse.size()) run_.coarse[coarse_memory_++].memory = std::move(text);
  } else if (fact == "coarse_equations") {
    // A copy of the report repeats the first.
    const bool whole = !run_.coarse.empty() && run_.value("memory_total").line != 0;
    if (!whole && run_.coarse.size() < most_coarse) run_.coarse.push_back({std::move(text), {}, {}});
  } else if (fact == "coarse_nonzeros" && !run_.coarse.empty()) {
    if (run_.coarse.back().nonzeros.line == 0) run_.coarse.back().nonzeros = std::move(text);
  }
}

void HpcgRuns::hand_over() {
  done_(std::exchange(run_, {}));
  coarse_memory_ = 0;
}

void HpcgRuns::finish() {
  hand_over();
}

}  // namespace shakedown
