#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "parsers/hpcg/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr double giga = 1e-9;

/// The CG sets of the timed part and the iterations of each.
struct Sets {
  std::int64_t count = 0;
  std::int64_t iterations = 0;  ///< of the optimised solver, a set
  double convergence = 0;       ///< iterations of the reference over those
};
std::optional<Sets> sets_of(const ParsedResult& result) {
  const auto reference = whole_fact(result, "reference_iterations");
  const auto iterations = whole_fact(result, "optimized_iterations");
  const auto total = whole_fact(result, "optimized_iterations_total");
  if (!reference || !iterations || !total || *total % *iterations != 0) return std::nullopt;
  return Sets{*total / *iterations, *iterations,
              static_cast<double>(*reference) / static_cast<double>(*iterations)};
}

Finding hpcg_convergence(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* printed = result.fact("rate_convergence");
  const auto raw = six_digit_range(result, "rate_total");
  const auto reference = whole_fact(result, "reference_iterations");
  const auto iterations = whole_fact(result, "optimized_iterations");
  if (printed == nullptr || !raw || !reference || !iterations)
    return unknown("the log does not have the raw rate, or the iterations of a set");
  return follows(*printed, static_cast<double>(*reference) / static_cast<double>(*iterations) * *raw,
                 fmt::format("{} x {} / {}", result.fact("rate_total")->value, *reference, *iterations),
                 "the rate with convergence overhead does not follow from the raw rate and the iterations");
}

/// Operations with convergence overhead over the time with a tenth of `overheads` for each set.
std::optional<PrintedRange> rate_with(const ParsedResult& result, std::span<const char* const> overheads) {
  const auto operations = six_digit_range(result, "operations_convergence");
  auto time = six_digit_range(result, "time_total");
  const auto sets = sets_of(result);
  if (!operations || !time || !sets) return std::nullopt;
  for (const char* name : overheads) {
    const auto overhead = six_digit_range(result, name);
    if (!overhead) return std::nullopt;
    time = *time + static_cast<double>(sets->count) / 10 * *overhead;
  }
  return giga * (*operations / *time);
}

bool is_version_2(const ParsedResult& result) {
  const Fact* release = result.fact("release");
  return release != nullptr && release->value.starts_with("2");
}

Finding final_rate(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  static constexpr std::array both = {"time_optimization", "setup_time"};
  const auto overheads = std::span(both).first(is_version_2(result) ? 1 : 2);
  const auto expected = rate_with(result, overheads);
  const auto sets = sets_of(result);
  const Fact* printed = result.fact("rating");
  if (printed == nullptr) printed = result.fact("rate_final");
  if (!expected || !sets || printed == nullptr)
    return unknown("the log does not have the rating with operations, times and iterations");
  return follows(*printed, *expected,
                 fmt::format("{} operations in {} s and a tenth of {} for each of {} sets",
                             result.fact("operations_convergence")->value, result.fact("time_total")->value,
                             overheads.size() == 2 ? "optimisation and setup" : "optimisation", sets->count),
                 "the rating does not follow from operations and times");
}

Finding rating_is_final_rate(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* rating = result.fact("rating");
  const Fact* rate = result.fact("rate_final");
  if (rating == nullptr || rate == nullptr) return unknown("the log does not have the rating twice");
  return checked(rating->value == rate->value, fmt::format("{} and {}", rating->value, rate->value),
                 rating->line, "the rating is not the rate with convergence and optimisation overhead");
}

Finding rating_2_4(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* printed = result.fact("rating_2_4");
  static constexpr std::array one = {"time_optimization"};
  const auto expected = rate_with(result, one);
  if (printed == nullptr || !expected) return unknown("the log does not have the rating of version 2.4");
  return follows(*printed, *expected, "operations over the time without setup",
                 "the rating of version 2.4 does not follow from operations and times");
}

struct Kernel {
  const char* operations;
  const char* time;
  const char* rate;
};
constexpr std::array kernels = {
    Kernel{"operations_ddot", "time_ddot", "rate_ddot"},
    Kernel{"operations_waxpby", "time_waxpby", "rate_waxpby"},
    Kernel{"operations_spmv", "time_spmv", "rate_spmv"},
    Kernel{"operations_mg", "time_mg", "rate_mg"},
    Kernel{"operations_total", "time_total", "rate_total"},
    Kernel{"operations_convergence", "time_total", "rate_convergence"},
};

Finding hpcg_rates(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  Finding last = unknown("the log does not have operations, times and rates");
  std::optional<Finding> timeless;
  for (const Kernel& kernel : kernels) {
    const auto operations = six_digit_range(result, kernel.operations);
    const auto time = six_digit_range(result, kernel.time);
    const Fact* rate = result.fact(kernel.rate);
    if (!operations || !time || rate == nullptr) continue;
    // Six digits of a time above 0 are never "0".
    if (const Fact* none = result.fact(kernel.time); none->value == "0" && finite_number(rate->value))
      return failed(
          fmt::format("{}; {} operations in 0 s", rate->value, result.fact(kernel.operations)->value),
          rate->line, fmt::format("the {} follows from no time at all", kernel.rate));
    Finding finding = follows(*rate, giga * (*operations / *time),
                              fmt::format("{} operations in {} s", result.fact(kernel.operations)->value,
                                          result.fact(kernel.time)->value),
                              fmt::format("the {} does not follow from operations and time", kernel.rate));
    if (finding.status == RuleStatus::fail) return finding;
    // A time that is rounded to 0 allows any rate: what the other kernels prove is not that of this one.
    if (finding.status == RuleStatus::unknown && !timeless) timeless = finding;
    last = std::move(finding);
  }
  return timeless ? *timeless : last;
}

Finding operations_add_up(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* total = result.fact("operations_total");
  const Fact* with_convergence = result.fact("operations_convergence");
  std::optional<PrintedRange> sum = PrintedRange{};
  for (size_t i = 0; i < 4 && sum; ++i) {
    const auto part = six_digit_range(result, kernels[i].operations);
    sum = part ? std::optional(*sum + *part) : std::nullopt;
  }
  if (total == nullptr || !sum) return unknown("the log does not have the operations of each kernel");
  Finding finding =
      follows(*total, *sum, "the kernels' sum", "the operations are not the sum of the kernels'");
  const auto sets = sets_of(result);
  const auto range = six_digit_range(total->value);
  if (finding.status != RuleStatus::pass || with_convergence == nullptr || !sets || !range) return finding;
  return follows(*with_convergence, sets->convergence * *range,
                 fmt::format("{} by the iterations of a set", total->value),
                 "the operations with convergence overhead do not follow from all of them");
}

/// The operations that HPCG counts for a kernel, as ReportResults.cpp does.
struct Counted {
  const char* fact;
  double operations;
};

Finding operations_of_problem(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto sets = sets_of(result);
  const auto rows = whole_fact(result, "equations");
  const auto terms = whole_fact(result, "nonzeros");
  if (!sets || !rows || !terms || result.fact("operations_total") == nullptr)
    return unknown("the log does not have the operations, the problem and the iterations");
  const auto count = static_cast<double>(sets->count);
  const double iterations = count * static_cast<double>(sets->iterations);
  const double vectors = (3 * iterations + count) * 2 * static_cast<double>(*rows);
  // Two sweeps of the smoother and a residual on each grid, one sweep on the coarsest.
  double multigrid = 10 * iterations * static_cast<double>(*terms);
  const std::int64_t levels = whole_fact(result, "coarse_levels").value_or(0);
  for (std::int64_t level = 1; level <= levels; ++level) {
    const auto coarse = whole_fact(result, fmt::format("coarse_nonzeros_{}", level));
    if (!coarse) return unknown("the log does not have all coarse grids");
    multigrid += (level < levels ? 10 : 4) * iterations * static_cast<double>(*coarse);
  }
  if (levels == 0) return unknown("the log does not have the coarse grids");
  const double product = (iterations + count) * 2 * static_cast<double>(*terms);
  const std::array counted = {Counted{"operations_ddot", vectors}, Counted{"operations_waxpby", vectors},
                              Counted{"operations_spmv", product}, Counted{"operations_mg", multigrid},
                              Counted{"operations_total", 2 * vectors + product + multigrid}};
  Finding last;
  for (const Counted& kernel : counted) {
    const Fact* printed = result.fact(kernel.fact);
    if (printed == nullptr) continue;
    last = follows(*printed, {kernel.operations * (1 - 1e-12), kernel.operations * (1 + 1e-12)},
                   fmt::format("{} sets of {} iterations", sets->count, sets->iterations),
                   fmt::format("{} does not follow from the problem and the iterations", kernel.fact));
    if (last.status != RuleStatus::pass) return last;
  }
  return last;
}

Finding whole_sets(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto reference = whole_fact(result, "reference_iterations");
  const auto optimized = whole_fact(result, "optimized_iterations");
  const auto reference_total = whole_fact(result, "reference_iterations_total");
  const auto optimized_total = whole_fact(result, "optimized_iterations_total");
  if (!reference || !optimized || !reference_total || !optimized_total)
    return unknown("the log does not have the iterations");
  constexpr std::int64_t of_specification = 50;
  const std::string value =
      fmt::format("{} of {} and {} of {}", *reference_total, *reference, *optimized_total, *optimized);
  const int line = result.fact("optimized_iterations_total")->line;
  if (*reference != of_specification)
    return failed(value, result.fact("reference_iterations")->line,
                  "HPCG's reference does 50 iterations a set");
  if (*optimized < *reference)
    return failed(value, line, "HPCG never lets the optimised solver do fewer iterations than the reference");
  return checked(*reference_total % *reference == 0 && *optimized_total % *optimized == 0 &&
                     *reference_total / *reference == *optimized_total / *optimized,
                 value, line, "the iterations are not those of whole sets, as many of both solvers");
}

Finding bandwidth(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* total = result.fact("bandwidth_total");
  const Fact* last = result.fact("bandwidth_final");
  const auto read = six_digit_range(result, "bandwidth_read");
  const auto written = six_digit_range(result, "bandwidth_write");
  if (total == nullptr || !read || !written) return unknown("the log does not have HPCG's bandwidths");
  Finding finding = follows(*total, *read + *written, "read and write", "read and write do not add up");
  const auto range = six_digit_range(total->value);
  const auto raw = six_digit_range(result, "rate_total");
  const auto rate = six_digit_range(result, "rate_final");
  if (finding.status != RuleStatus::pass || last == nullptr || !range || !raw || !rate) return finding;
  return follows(*last, *range * (*rate / *raw), "what the GFLOP/s lose by overheads",
                 "the bandwidth with overheads does not follow from the rates");
}

/// Bytes that HPCG counts for its kernels: 8 of a value, `index` of an index.
struct Traffic {
  double read = 0;
  double written = 0;
};

/// Nothing where the log lacks the problem, the iterations or a grid.
std::optional<Traffic> traffic_of(const ParsedResult& result, double index) {
  const auto sets = sets_of(result);
  const std::int64_t levels = whole_fact(result, "coarse_levels").value_or(0);
  if (!sets || levels < 1) return std::nullopt;
  constexpr double word = 8;
  const double term = word + index;
  const auto count = static_cast<double>(sets->count);
  const double iterations = count * static_cast<double>(sets->iterations);
  Traffic bytes;
  for (std::int64_t level = 0; level <= levels; ++level) {
    const auto rows =
        whole_fact(result, level == 0 ? "equations" : fmt::format("coarse_equations_{}", level));
    const auto terms = whole_fact(result, level == 0 ? "nonzeros" : fmt::format("coarse_nonzeros_{}", level));
    if (!rows || !terms) return std::nullopt;
    const auto n = static_cast<double>(*rows);
    const auto nonzeros = static_cast<double>(*terms);
    const double sweep = 2 * nonzeros * term + n * word;
    const double product = nonzeros * term + n * word;
    if (level == 0) {
      const double vectors = 3 * iterations + count;
      bytes.read += 2 * vectors * 2 * n * word + (iterations + count) * product;
      bytes.written += vectors * (1 + n) * word + (iterations + count) * n * word;
    }
    // A sweep of the smoother, a residual and a sweep on each grid; one sweep on the coarsest.
    bytes.read += iterations * (level < levels ? 2 * sweep + product : sweep);
    bytes.written += iterations * word * (level < levels ? n + 2 * nonzeros : n);
  }
  return bytes;
}

Finding bandwidth_of_problem(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* read = result.fact("bandwidth_read");
  const Fact* written = result.fact("bandwidth_write");
  const auto time = six_digit_range(result, "time_total");
  if (read == nullptr || written == nullptr || !time)
    return unknown("the log does not have HPCG's bandwidths");
  Finding found;
  for (const double index : {4.0, 8.0}) {  // builds for large problems have indices of 64 bits
    const auto bytes = traffic_of(result, index);
    if (!bytes) return unknown("the log does not have the problem, the iterations and all grids");
    const auto rate = [&](const Fact& printed, double amount, const char* what) {
      const PrintedRange range = {amount * (1 - 1e-12), amount * (1 + 1e-12)};
      return follows(printed, giga * (range / *time),
                     fmt::format("{:.6g} bytes {} in {} s", amount, what, result.fact("time_total")->value),
                     "the bandwidth does not follow from the problem, the iterations and the time");
    };
    found = rate(*read, bytes->read, "read");
    if (found.status == RuleStatus::pass) return rate(*written, bytes->written, "written");
  }
  return found;
}

/// Values of consoles have a digit behind the point, whatever their size.
std::optional<PrintedRange> decimal_range(const ParsedResult& result, const std::string& fact) {
  const Fact* found = result.fact(fact);
  const auto value = found == nullptr ? std::nullopt : finite_number(found->value);
  if (!value || *value <= 0) return std::nullopt;
  const double error = half_unit(found->value) * (1 + 1e-9);
  return PrintedRange{std::max(0.0, *value - error), *value + error};
}

bool overlap(PrintedRange a, PrintedRange b) {
  return a.high >= b.low && b.high >= a.low;
}

Finding console_summary(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto total = decimal_range(result, "console_total");
  const auto last = decimal_range(result, "console_final");
  const auto procs = whole_parameter(result.parameters, "procs");
  if (!total && !last) return not_applicable("the log has no vendor's summary");
  if (!total || !last) return unknown("the log does not have the whole of a vendor's summary");
  const Fact* rating = result.fact("console_final");
  const std::string value =
      fmt::format("{} in all, {} with overheads", result.fact("console_total")->value, rating->value);
  for (const char* name : {"ddot", "waxpby", "spmv", "symgs", "mg", "total", "final"}) {
    const auto all = decimal_range(result, fmt::format("console_{}", name));
    const auto each = decimal_range(result, fmt::format("console_{}_per_process", name));
    if (!all || !each || !procs) continue;
    if (!overlap(*all, static_cast<double>(*procs) * *each))
      return failed(fmt::format("{}: {} for {} processes at {}", name,
                                result.fact(fmt::format("console_{}", name))->value, *procs,
                                result.fact(fmt::format("console_{}_per_process", name))->value),
                    result.fact(fmt::format("console_{}", name))->line,
                    "the rate is not that of one process times the processes");
  }
  const auto total_gb = decimal_range(result, "console_total_gb_s");
  const auto last_gb = decimal_range(result, "console_final_gb_s");
  if (total_gb && last_gb && !overlap(*last_gb / *last, *total_gb / *total))
    return failed(value, rating->line, "GFLOP/s and GB/s of the last two lines have different ratios");
  return checked(last->low <= total->high, value, rating->line, "overheads make no run faster");
}

/// NVIDIA's older console has sets, iterations and time, but not the operations.
Finding console_operations(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto sets = whole_fact(result, "console_sets");
  const auto iterations = whole_fact(result, "console_iterations");
  const auto time = decimal_range(result, "time_total");
  const auto total = decimal_range(result, "console_total");
  const auto last = decimal_range(result, "console_final");
  if (!sets && !total && !last) return not_applicable("the log has no console's summary");
  if (!sets || !iterations || !time || !total || !last)
    return unknown("the log does not have sets, iterations and time of a console's summary");
  double rows = 1;
  std::array<double, 4> terms = {1, 1, 1, 1};
  for (const auto& [n, np] : {std::pair{"nx", "npx"}, {"ny", "npy"}, {"nz", "npz"}}) {
    const auto local = whole_parameter(result.parameters, n);
    const auto grid = whole_parameter(result.parameters, np);
    if (!local || !grid) return unknown("the log does not have local domain and process grid");
    const double global = static_cast<double>(*local) * static_cast<double>(*grid);
    rows *= global;
    for (size_t level = 0; level < terms.size(); ++level)
      terms[level] *= 3 * std::floor(std::ldexp(global, -static_cast<int>(level))) - 2;
  }
  const auto count = static_cast<double>(*sets);
  const double all = count * static_cast<double>(*iterations);
  const double operations = (3 * all + count) * 4 * rows + (all + count) * 2 * terms[0] +
                            10 * all * (terms[0] + terms[1] + terms[2]) + 4 * all * terms[3];
  const PrintedRange expected = giga * (PrintedRange{operations, operations} / *time);
  const Fact* printed = result.fact("console_total");
  const std::string value =
      fmt::format("{}; {} sets of {} iterations in {} s give {} to {}", printed->value, *sets, *iterations,
                  result.fact("time_total")->value, number(expected.low, 6), number(expected.high, 6));
  if (!overlap(*total, expected))
    return failed(value, printed->line,
                  "the rate does not follow from the problem, the iterations and the time");
  constexpr double reference_iterations = 50;
  return checked(last->low <= total->high * reference_iterations / static_cast<double>(*iterations), value,
                 result.fact("console_final")->line, "the rating has less than its convergence overhead");
}

/// Least, largest and mean over the processes.
Finding allreduce_times(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const Fact* least = result.fact("allreduce_min");
  const Fact* mean = result.fact("allreduce_avg");
  const Fact* largest = result.fact("allreduce_max");
  if (least == nullptr || mean == nullptr || largest == nullptr)
    return unknown("the log does not have the times in MPI_Allreduce");
  const std::string value =
      fmt::format("{} to {} s, {} on average", least->value, largest->value, mean->value);
  const auto low = printed_number(least->value);
  const auto middle = printed_number(mean->value);
  const auto high = printed_number(largest->value);
  if (!low || !middle || !high) return unknown("these times can't be read", value, mean->line);
  return checked(low->high >= 0 && low->low <= middle->high && middle->low <= high->high, value, mean->line,
                 "the average does not lie between the least and the largest, or they are below 0");
}

/// The kernels run one after the other within the total.
Finding times_of_kernels(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  constexpr std::array<std::string_view, 5> never_below_0 = {"setup_time", "time_", "rate_", "operations_",
                                                             "bandwidth_"};
  for (const Fact& fact : result.facts) {
    const auto begins = [&](std::string_view name) { return fact.name.starts_with(name); };
    const auto value = std::ranges::any_of(never_below_0, begins) ? finite_number(fact.value) : std::nullopt;
    if (value && *value < 0) return failed(fmt::format("{} {}", fact.name, fact.value), fact.line, "below 0");
  }
  const Fact* total = result.fact("time_total");
  const auto all = six_digit_range(result, "time_total");
  std::optional<PrintedRange> sum = PrintedRange{};
  for (size_t i = 0; i < 4 && sum; ++i) {
    const auto part = six_digit_range(result, kernels[i].time);
    sum = part ? std::optional(*sum + *part) : std::nullopt;
  }
  if (total == nullptr || !all || !sum) return unknown("the log does not have the time of each kernel");
  return checked(
      sum->low <= all->high,
      fmt::format("{} s in kernels, {} s in all", number((sum->low + sum->high) / 2, 6), total->value),
      total->line, "the kernels took longer than the whole timed part");
}

constexpr std::string_view source = "HPCG 3.1, ReportResults.cpp";

constexpr std::array hpcg_identities_table = {
    Rule{"HPCG-06a", Severity::validity,
         "The rate with convergence overhead is the raw rate by the iterations of a set", source,
         hpcg_convergence},
    Rule{"HPCG-06b", Severity::validity, "The rating follows from operations, time, setup and optimisation",
         source, final_rate},
    Rule{"HPCG-06c", Severity::validity, "The rating is the last rate of the GFLOP/s summary", source,
         rating_is_final_rate},
    Rule{"HPCG-06d", Severity::validity, "Each rate is operations over time", source, hpcg_rates},
    Rule{"HPCG-06e", Severity::validity, "The operations add up", source, operations_add_up},
    Rule{"HPCG-06f", Severity::validity, "The operations follow from the problem and the iterations", source,
         operations_of_problem},
    Rule{"HPCG-06g", Severity::validity, "The iterations are those of whole sets, of 50 for the reference",
         source, whole_sets},
    Rule{"HPCG-06h", Severity::validity, "The rating of version 2.4 follows from operations and times",
         source, rating_2_4},
    Rule{"HPCG-06i", Severity::validity, "The bandwidths add up and lose by overheads what the rates do",
         source, bandwidth},
    Rule{"HPCG-06l", Severity::validity,
         "The bandwidths follow from the problem, the iterations and the time", source, bandwidth_of_problem},
    Rule{"HPCG-06m", Severity::validity, "The times in MPI_Allreduce are those of one set of processes",
         source, allreduce_times},
    Rule{"HPCG-06n", Severity::validity,
         "No time or rate is below 0, and the kernels take no longer than the total", source,
         times_of_kernels},
    Rule{"HPCG-06j", Severity::validity, "A vendor's summary fits itself", "ROCm/rocHPCG, ReportResults.cpp",
         console_summary},
    Rule{"HPCG-06k", Severity::validity, "An older NVIDIA summary follows from problem, iterations and time",
         source, console_operations},
};

}  // namespace

std::span<const Rule> hpcg_identity_rules() {
  return hpcg_identities_table;
}

}  // namespace shakedown
