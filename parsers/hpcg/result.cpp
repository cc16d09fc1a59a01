#include "parsers/hpcg/result.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

void add_hpcg_fact(ParsedResult& result, std::string name, const HpcgText& text) {
  if (text.line != 0) result.facts.push_back({std::move(name), text.text, text.line});
}

void add_hpcg_metric(ParsedResult& result, std::string name, const HpcgText& text) {
  if (text.line == 0) return;
  if (const auto value = finite_number(text.text); value && *value > 0)
    result.metrics.push_back({std::move(name), *value, text.line});
  else
    result.warnings.push_back(
        fmt::format("line {}: {} is printed as '{}', which is no number", text.line, name, text.text));
}

void add_hpcg_parameter(ParsedResult& result, std::string name, const HpcgText& text) {
  if (const auto value = positive_integer(text.text)) result.parameters.push_back({std::move(name), *value});
}

struct MetricOf {
  std::string_view fact, metric;
};
constexpr std::array metrics = {
    MetricOf{"rating", "rating_gflops"},
    MetricOf{"rate_total", "raw_gflops"},
    MetricOf{"rate_convergence", "convergence_gflops"},
    MetricOf{"time_total", "total_time_s"},
    MetricOf{"memory_total", "memory_total_gb"},
    MetricOf{"memory_system", "memory_system_gb"},
    MetricOf{"equations", "unknowns"},
    MetricOf{"nonzeros", "nonzeros"},
    MetricOf{"bandwidth_total", "bandwidth_gb_s"},
};
constexpr std::array<std::string_view, 8> report_parameters = {"procs", "threads", "gnx", "gny",
                                                               "gnz",   "npx",     "npy", "npz"};

void add_layers(ParsedResult& result, const HpcgRun& run) {
  if (run.layers.empty()) return;
  add_hpcg_parameter(result, "nz", run.layers.front().nz);
  if (run.layers.size() < 2) return;
  HpcgText text{{}, run.layers.front().nz.line};
  for (const HpcgLayer& layer : run.layers)
    text.text += fmt::format("{}{}-{}:{}", text.text.empty() ? "" : " ", layer.lower.text, layer.upper.text,
                             layer.nz.text);
  add_hpcg_fact(result, "layers", text);
}

void add_report(ParsedResult& result, const HpcgRun& run) {
  add_hpcg_fact(result, "second_summary", run.second_summary);
  for (const std::string_view name : report_parameters)
    add_hpcg_parameter(result, std::string(name), run.value(name));
  add_hpcg_parameter(result, "nx", run.value("nx"));
  add_hpcg_parameter(result, "ny", run.value("ny"));
  add_layers(result, run);
  for (const auto& [fact, metric] : metrics) add_hpcg_metric(result, std::string(metric), run.value(fact));
  const auto keys = hpcg_keys();
  for (size_t i = 0; i < keys.size(); ++i) add_hpcg_fact(result, std::string(keys[i].fact), run.values[i]);
  for (size_t i = 0; i < run.coarse.size(); ++i) {
    add_hpcg_fact(result, fmt::format("coarse_equations_{}", i + 1), run.coarse[i].equations);
    add_hpcg_fact(result, fmt::format("coarse_nonzeros_{}", i + 1), run.coarse[i].nonzeros);
    add_hpcg_fact(result, fmt::format("coarse_memory_{}", i + 1), run.coarse[i].memory);
  }
  if (!run.reference_kernels.empty()) {
    HpcgText names{{}, run.reference_kernels.front().line};
    for (const HpcgText& kernel : run.reference_kernels)
      names.text += (names.text.empty() ? "" : ", ") + kernel.text;
    add_hpcg_fact(result, "reference_kernels", names);
  }
}

/// The report's verdict on the run: VALID with a readable rating, or INVALID.
HpcgText verdict_of(const HpcgRun& run) {
  if (run.invalid.line != 0) return {"INVALID", run.invalid.line};
  const HpcgText& rating = run.value("rating");
  if (rating.line != 0 && finite_number(rating.text)) return {"VALID", rating.line};
  return {};
}

/// "... were fused. GFLOP/s rating of=12.3": HPCG_for_Arm rates what it declares invalid.
void add_invalid_rating(ParsedResult& result, const HpcgRun& run) {
  constexpr std::string_view words = "rating of";
  const size_t at = run.invalid.text.find(words);
  if (at == std::string::npos) return;
  const std::string_view printed = trimmed(std::string_view(run.invalid.text).substr(at + words.size() + 1));
  if (!finite_number(printed)) return;
  add_hpcg_metric(result, "rating_gflops", {std::string(printed), run.invalid.line});
  add_hpcg_fact(result, "rating", {std::string(printed), run.invalid.line});
}

/// `missing`: a line that every report has; empty: all are there.
std::string why_incomplete(const HpcgRun& run, const HpcgText& verdict, const std::string& missing) {
  if (verdict.line != 0 && !run.header)
    return missing.empty()
               ? fmt::format("line {}: the report's first lines, with HPCG's name and version, are missing",
                             run.first_line)
               : fmt::format(
                     "line {}: only the end of HPCG's report is here; what the rating rests on is missing",
                     verdict.line);
  const HpcgText& rating = run.value("rating");
  if (rating.line != 0 && verdict.line == 0)
    return fmt::format("line {}: the rating is printed as '{}'", rating.line, rating.text);
  if (run.failure) return run.failure->text;
  if (verdict.line == 0)
    return fmt::format("the report ends at line {} before 'HPCG result is ...'", run.last_line);
  if (!run.ended)
    return fmt::format("the report ends at line {} before its last line: it is cut", run.last_line);
  return fmt::format("line {}: the report has no value for '{}', which HPCG always prints", verdict.line,
                     missing);
}

void add_console_facts(ParsedResult& result, const HpcgRun& run) {
  const HpcgConsole& console = run.console;
  add_hpcg_fact(result, "benchmark_mode", console.benchmark);
  add_hpcg_fact(result, "l2_compression", console.compression);
  add_hpcg_fact(result, "execution", console.execution);
  add_hpcg_fact(result, "engineering_version", console.engineering);
  add_hpcg_fact(result, "int64_indexing", console.int64);
  add_hpcg_fact(result, "gpu", console.gpu);
  if (console.started) add_hpcg_fact(result, "console_started", {"yes", run.first_line});
  for (const auto& [name, rate] : console.rates) {
    add_hpcg_fact(result, fmt::format("console_{}", name), {rate.gflops, rate.line});
    add_hpcg_fact(result, fmt::format("console_{}_gb_s", name), {rate.gb_s, rate.line});
    add_hpcg_fact(result, fmt::format("console_{}_per_process", name), {rate.gflops_per_process, rate.line});
  }
}

/// Adds the numbers of "560 280 280" as nx, ny, nz, where they are not there yet.
void add_box(ParsedResult& result, const std::array<const char*, 3>& names, const HpcgText& box) {
  const auto numbers = words(box.text);
  for (size_t i = 0; i < names.size() && i < numbers.size(); ++i)
    if (find_parameter(result.parameters, names[i]) == nullptr)
      add_hpcg_parameter(result, names[i], {std::string(numbers[i]), box.line});
}

void add_console_shape(ParsedResult& result, const HpcgConsole& console) {
  add_box(result, {"gnx", "gny", "gnz"}, console.global);
  add_box(result, {"npx", "npy", "npz"}, console.processes);
  add_box(result, {"nx", "ny", "nz"}, console.local);
}

/// Each process has a place in the grid: the program ends where that is not so.
void add_processes(ParsedResult& result, const HpcgConsole& console) {
  std::int64_t procs = 1;
  for (const std::string_view number : words(console.processes.text)) {
    const auto value = positive_integer(number);
    constexpr std::int64_t most = 1'000'000;
    if (!value || *value > most || procs > most) return;
    procs *= *value;
  }
  if (console.processes.line != 0) result.parameters.insert(result.parameters.begin(), {"procs", procs});
}

ParsedResult from_console(const HpcgRun& run, ParsedResult result) {
  const HpcgConsole& console = run.console;
  add_processes(result, console);
  add_console_shape(result, console);
  const auto rate = [&](const char* name) -> HpcgText {
    const auto it = console.rates.find(name);
    return it == console.rates.end() ? HpcgText{} : HpcgText{it->second.gflops, it->second.line};
  };
  add_hpcg_metric(result, "rating_gflops", rate("final"));
  add_hpcg_metric(result, "raw_gflops", rate("total"));
  add_hpcg_metric(result, "total_time_s", console.total_time);
  if (const auto total = console.rates.find("total"); total != console.rates.end())
    add_hpcg_metric(result, "bandwidth_gb_s", {total->second.gb_s, total->second.line});
  add_hpcg_fact(result, "time_total", console.total_time);
  add_hpcg_fact(result, "setup_time", console.setup_time);
  add_hpcg_fact(result, "time_optimization", console.optimization);
  add_hpcg_fact(result, "console_sets", console.sets);
  add_hpcg_fact(result, "console_iterations", console.iterations);
  add_console_facts(result, run);
  const int line = console.rates.begin()->second.line;
  add_hpcg_fact(result, "source", {"console", line});
  if (console.invalid_line != 0) add_hpcg_fact(result, "verdict", {"INVALID", console.invalid_line});
  result.complete = console.invalid_line != 0 && result.metric("rating_gflops") != nullptr;
  if (run.failure && result.metric("rating_gflops") != nullptr) result.warnings.push_back(run.failure->text);
  if (result.complete) return result;
  if (result.metric("rating_gflops") == nullptr)
    result.reason = run.failure
                        ? run.failure->text
                        : fmt::format("line {}: the summary has no 'final' rate: the log is cut", line);
  else
    result.reason =
        fmt::format("line {}: a summary without the result's validity; see the report, HPCG-Benchmark_*.txt",
                    rate("final").line);
  return result;
}

ParsedResult from_bare_line(const HpcgRun& run, ParsedResult result) {
  const HpcgText& bare = run.console.bare;
  add_hpcg_metric(result, "rating_gflops", bare);
  add_hpcg_fact(result, "rating", bare);
  add_hpcg_fact(result, "verdict", {"VALID", bare.line});
  add_hpcg_fact(result, "source", {"stdout", bare.line});
  result.reason =
      fmt::format("line {}: only the rating is here; what it rests on stands in the report file", bare.line);
  return result;
}

/// `with_console`: the console's values are of the same run.
ParsedResult from_report(const HpcgRun& run, ParsedResult result, bool with_console) {
  add_report(result, run);
  if (result.metric("rating_gflops") == nullptr) add_invalid_rating(result, run);
  HpcgText verdict = verdict_of(run);
  // rocHPCG's console calls some runs invalid, and the report of the same run does not.
  if (with_console && run.console.invalid_line != 0) verdict = {"INVALID", run.console.invalid_line};
  add_hpcg_fact(result, "verdict", verdict);
  add_hpcg_fact(result, "verdict_words", run.invalid);
  if (with_console) add_console_facts(result, run);
  if (with_console) add_console_shape(result, run.console);
  result.facts.push_back({"source", "report", std::max(run.first_line, run.release.line)});
  if (!run.header) result.facts.push_back({"excerpt", "yes", run.first_line});
  const std::string missing = missing_in_report(run);
  result.complete = verdict.line != 0 && run.header && run.ended && missing.empty() &&
                    (verdict.text == "INVALID" || result.metric("rating_gflops") != nullptr);
  if (!result.complete) result.reason = why_incomplete(run, verdict, missing);
  if (result.complete && run.failure) result.warnings.push_back(run.failure->text);
  return result;
}

ParsedResult without_metrics(const HpcgRun& run, ParsedResult result) {
  add_console_facts(result, run);
  add_console_shape(result, run.console);
  if (run.iterations_line != 0) {
    add_hpcg_fact(result, "source", {"log", run.iterations_line});
    add_hpcg_fact(result, "log_sets", {std::to_string(run.sets), run.iterations_line});
  }
  if (run.failure) add_hpcg_fact(result, "failure", {run.failure->text, run.failure->line});
  if (run.failure)
    result.reason = run.failure->text;
  else if (run.iterations_line != 0)
    result.reason = fmt::format(
        "line {}: this is HPCG's log of its iterations; the results are in the report, HPCG-Benchmark_*.txt",
        run.iterations_line);
  else
    result.reason = fmt::format("the log ends at line {} before any result", run.last_line);
  return result;
}

/// Only NVIDIA's build omits the local domain's height from the report.
bool lacks_local_nz(const HpcgRun& run) {
  return run.layers.empty() && run.value("nx").line != 0 &&
         run.value("equations").line > run.value("ny").line && run.release.text == "3.1";
}

}  // namespace

bool same_hpcg_rating(std::string_view one, std::string_view other) {
  const auto a = finite_number(one);
  const auto b = finite_number(other);
  if (!a || !b) return false;
  constexpr double six_digits = 5e-6;
  return std::abs(*a - *b) <= std::max(half_unit(one), half_unit(other)) + six_digits * std::abs(*a);
}

std::vector<ParsedResult> hpcg_results(const HpcgRun& run) {
  const HpcgConsole& console = run.console;
  ParsedResult result;
  result.suite = "hpcg";
  result.version = run.version.line != 0 ? run.version.text : run.release.text;
  add_hpcg_fact(result, "release", run.release);
  const auto by = [](ParsedResult base, std::string_view implementation) {
    base.implementation = implementation;
    return base;
  };
  const std::string_view started = run.implementation;
  const std::string_view summarised = started.empty() ? std::string_view(console.vendor) : started;
  const bool summary = !console.rates.empty();
  const bool bare = console.bare.line != 0;
  if (!run.report()) {
    if (summary) return {from_console(run, by(result, summarised))};
    if (bare) return {from_bare_line(run, by(result, "intel"))};
    return {without_metrics(run, by(result, started.empty() ? "official" : started))};
  }
  // Only the rating shows whether console and report are of one run.
  const HpcgText& rating = run.value(run.value("rating").line != 0 ? "rating" : "rate_final");
  const auto last = console.rates.find("final");
  const bool other_summary =
      summary && (last == console.rates.end() || !same_hpcg_rating(last->second.gflops, rating.text));
  const bool other_line = bare && !same_hpcg_rating(console.bare.text, rating.text);
  std::vector<ParsedResult> results;
  if (other_summary) results.push_back(from_console(run, by(result, summarised)));
  if (other_line) results.push_back(from_bare_line(run, by(result, "intel")));
  std::string_view implementation = started;
  if (implementation.empty() && summary && !other_summary) implementation = console.vendor;
  if (implementation.empty() && bare && !other_line) implementation = "intel";
  if (implementation.empty()) implementation = run.builder;
  if (implementation.empty()) implementation = lacks_local_nz(run) ? "nvidia" : "official";
  results.push_back(from_report(run, by(result, implementation), !other_summary));
  return results;
}

namespace {

/// Values that are printed as whole numbers.
constexpr std::array<std::string_view, 17> whole_numbers = {"procs",
                                                            "threads",
                                                            "gnx",
                                                            "gny",
                                                            "gnz",
                                                            "npx",
                                                            "npy",
                                                            "npz",
                                                            "nx",
                                                            "ny",
                                                            "equations",
                                                            "nonzeros",
                                                            "coarse_levels",
                                                            "reference_iterations",
                                                            "optimized_iterations",
                                                            "reference_iterations_total",
                                                            "optimized_iterations_total"};

bool in_every_report(const HpcgKey& key, bool version_2) {
  using enum HpcgSection;
  if (key.section == final || key.section == ddot || key.group == HpcgGroup::coarse_grids) return false;
  if (key.fact == "nz" || key.fact.ends_with("_ipz")) return false;
  return !version_2 || (key.section != setup && key.section != memory && key.section != bandwidth);
}

bool readable(const HpcgKey& key, std::string_view printed) {
  if (key.fact.ends_with("_test")) return !printed.empty();
  if (std::find(whole_numbers.begin(), whole_numbers.end(), key.fact) != whole_numbers.end())
    return positive_integer(printed).has_value();
  return finite_number(printed).has_value();
}

}  // namespace

std::string missing_in_report(const HpcgRun& run) {
  const bool version_2 = run.release.text.starts_with('2');
  const auto keys = hpcg_keys();
  for (size_t i = 0; i < keys.size(); ++i) {
    if (!in_every_report(keys[i], version_2)) continue;
    const HpcgText& value = run.values[i];
    if (value.line == 0 || (run.invalid.line == 0 && !readable(keys[i], value.text)))
      return fmt::format("{}::{}", hpcg_section_name(keys[i].section), keys[i].text);
  }
  const auto levels = positive_integer(run.value("coarse_levels").text);
  const bool grids = std::all_of(run.coarse.begin(), run.coarse.end(), [&](const HpcgCoarseGrid& grid) {
    return grid.equations.line != 0 && grid.nonzeros.line != 0 && (version_2 || grid.memory.line != 0);
  });
  if (!levels || static_cast<std::int64_t>(run.coarse.size()) != *levels || !grids)
    return fmt::format("{}::Coarse Grids", hpcg_section_name(HpcgSection::multigrid));
  return {};
}

}  // namespace shakedown
