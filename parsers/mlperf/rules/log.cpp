#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "orchestrator/core/units.hpp"
#include "parsers/mlperf/benchmarks.hpp"
#include "parsers/mlperf/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr double ms_per_minute = 60e3;

std::string text_fact(const ParsedResult& result, std::string_view name) {
  const Fact* fact = result.fact(name);
  return fact == nullptr ? "" : fact->value;
}

bool of_version_05(const Evidence& evidence) {
  return evidence.result->version == "0.5";
}

Finding once(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  for (const char* key : {"run_start", "run_stop"})
    if (const Fact* other = result.fact(fmt::format("other_{}", key)))
      return failed(fmt::format("{} at {} and {}", key, result.fact(key)->value, other->value), other->line,
                    "the log has two of them: which time counts is not known");
  for (const char* key : {"submission_benchmark", "submission_division", "submission_org",
                          "submission_platform", "submission_status", "global_batch_size", "status"})
    if (const Fact* other = result.fact(fmt::format("contradicts {}", key)))
      return failed(fmt::format("{} '{}' and '{}'", key, text_fact(result, key), other->value), other->line,
                    "the log states two different values");
  const Fact* start = result.fact("run_start");
  const Fact* stop = result.fact("run_stop");
  if (start == nullptr || stop == nullptr) return unknown("run_start or run_stop is missing");
  if (result.fact("init_stop") == nullptr && !of_version_05(evidence))
    return failed("no init_stop", start->line, "the checker requires exactly one");
  return passed("one run_start, one run_stop", stop->line);
}

bool is_open(const Evidence& evidence) {
  return text_parameter(*evidence.result, "division") == "open";
}

Finding all_keys(const Evidence& evidence) {
  if (of_version_05(evidence)) return not_applicable("version 0.5 has no such keys");
  const ParsedResult& result = *evidence.result;
  if (result.fact("run_stop") == nullptr) return unknown("the log ends before its run does");
  std::string missing;
  for (const char* key : {"submission_benchmark", "submission_division", "submission_org",
                          "submission_platform", "global_batch_size"}) {
    // Reinforcement learning has batches of its own: closed_minigo.yaml asks for these.
    const bool minigo =
        std::string_view(key) == "global_batch_size" && text_parameter(result, "benchmark") == "minigo";
    const char* wanted = minigo ? "train_batch_size" : key;
    if (result.fact(wanted) == nullptr) missing += fmt::format("{}{}", missing.empty() ? "" : ", ", wanted);
  }
  for (const char* key : {"cache_clear", "init_start"})
    if (fact_number(result, fmt::format("{}s", key)).value_or(0) < 1)
      missing += fmt::format("{}{}", missing.empty() ? "" : ", ", key);
  return checked(missing.empty(), missing.empty() ? "all there" : "without " + missing, 0,
                 "the official checker turns such a log away");
}

Finding keys_of_closed(const Evidence& evidence) {
  return is_open(evidence) ? not_applicable("open division: ML-06j") : all_keys(evidence);
}

Finding keys_of_open(const Evidence& evidence) {
  return is_open(evidence) ? all_keys(evidence) : not_applicable("closed division: ML-06b");
}

Finding short_initialization(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto start = fact_number(result, "init_start");
  const auto stop = fact_number(result, "init_stop");
  if (!start || !stop || *start <= 0) return unknown("the log shows no time of init_start or init_stop");
  const double minutes = (*stop - *start) / ms_per_minute;
  constexpr double tolerance = 1000;  // ms: clocks of several processes
  if (*stop < *start - tolerance)
    return failed(fmt::format("init_stop {} before init_start", duration_text((*start - *stop) / 1e3)),
                  result.fact("init_stop")->line, "the log's own times contradict each other");
  const double most = is_open(evidence) ? 240 : text_parameter(result, "benchmark") == "gpt3" ? 60 : 30;
  return checked(minutes < most, fmt::format("{} min", number(minutes, 3)), result.fact("init_stop")->line,
                 fmt::format("initialization may take {:g} minutes", most));
}

Finding seeds_logged(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  int version = mlperf_rules_version(evidence);
  const auto start = fact_number(result, "run_start");
  if (version == 0 && start) version = mlperf_version_after(*start);
  if (version != 0 && version < 41) return not_applicable("seeds need not be logged before version 4.1");
  int count = 0;
  for (const Fact& fact : result.facts) {
    if (fact.name != "seed") continue;
    ++count;
    if (!parsed_integer(fact.value))
      return failed(fmt::format("seed '{}'", fact.value), fact.line, "a seed must be a whole number");
  }
  if (count > 0)
    return passed(count == 1 ? "one seed" : fmt::format("{} different seeds", count),
                  result.fact("seed")->line);
  if (!start && version == 0) return unknown("the log shows neither a seed nor when the run was made");
  return failed("no seed", result.fact("run_start") == nullptr ? 0 : result.fact("run_start")->line,
                "all seeds must be logged");
}

/// The first round of MLPerf Training was in 2018; what lies far ahead no clock shows.
Finding possible_times(const Evidence& evidence) {
  constexpr double first_ms = 1514764800e3;  // 2018-01-01
  constexpr double last_ms = 4102444800e3;   // 2100-01-01
  const ParsedResult& result = *evidence.result;
  const auto earliest = fact_number(result, "earliest");
  const auto latest = fact_number(result, "latest");
  if (!earliest || !latest) return unknown("the log has no times");
  const bool early = *earliest < first_ms;
  if (!early && *latest < last_ms) return passed("from 2018 to 2100", result.fact("latest")->line);
  const Fact* wrong = result.fact(early ? "earliest" : "latest");
  return failed(fmt::format("{:.6g} ms since 1970", early ? *earliest : *latest), wrong->line,
                "no run of MLPerf had this time");
}

/// Steps of samples have one evaluation each; epochs are rounded when they are logged.
Finding one_evaluation_each(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(result, "benchmark"));
  if (benchmark == nullptr || !benchmark->whole_steps || benchmark->offline_evaluation)
    return not_applicable("positions of this benchmark are no whole steps");
  if (const Fact* repeated = result.fact("repeated_evaluation"))
    return failed("two values", repeated->line,
                  "two evaluations at one position differ: one is not the run's");
  const auto least = fact_number(result, "least_interval");
  if (least && *least < 0)
    return failed(fmt::format("{:g} behind the one before", -*least), result.fact("least_interval")->line,
                  "evaluations go back in what was trained");
  if (result.fact("last_position") == nullptr) return unknown("the log shows no positions of evaluations");
  return passed("one at each position", result.fact("last_position")->line);
}

Finding stops_at_evaluation(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(result, "benchmark"));
  if (benchmark == nullptr || benchmark->offline_evaluation) return not_applicable("evaluated offline");
  const auto stopped = fact_number(result, "stopped_at");
  const auto last = fact_number(result, "last_position");
  if (!stopped || !last) return unknown("run_stop or the last evaluation has no position");
  if (text_fact(result, "status").starts_with("abort")) return not_applicable("the run was given up");
  // Some count the step that is under way: AMD's Llama 3.1 of version 5.1 is one batch ahead.
  const auto GBS = whole_parameter(result.parameters, "GBS");
  const double step =
      !benchmark->whole_steps || !GBS
          ? 0
          : static_cast<double>(*GBS) * (benchmark->counts_tokens ? benchmark->sequence_length : 1);
  return checked(std::abs(*stopped - *last) <= step,
                 fmt::format("run_stop at {:.10g}, evaluated at {:.10g}", *stopped, *last),
                 result.fact("stopped_at")->line, "the run stopped elsewhere than at its last evaluation");
}

/// Whole numbers may be steps or epochs.
Finding stops_with_its_quality(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(result, "benchmark"));
  if (benchmark == nullptr || benchmark->offline_evaluation) return not_applicable("evaluated offline");
  const Fact* stop = result.fact("stop_value");
  const Fact* last = result.fact("final_quality_printed");
  if (stop == nullptr || last == nullptr) return not_applicable("run_stop has no value of an evaluation");
  const auto stopped = printed_number(stop->value);
  const auto evaluated = printed_number(last->value);
  if (!stopped || !evaluated || std::floor(stopped->value) == stopped->value)
    return not_applicable("run_stop has no value of an evaluation");
  return checked(overlap(stopped->low, stopped->high, evaluated->low, evaluated->high),
                 fmt::format("run_stop has {}, evaluated {}", stop->value, last->value), stop->line,
                 "the run stopped with another value than that of its last evaluation");
}

/// run_start, first work, last evaluation, run_stop must follow each other, and nothing but a
/// moment lies between the last two. Evaluations that are made offline come later.
Finding clock(const Evidence& evidence) {
  constexpr double tolerance = 1000;   // ms: clocks of several processes
  constexpr double most_after = 0.05;  // of the run; up to 2 % in the logs of versions 0.7 to 5.1
  constexpr double least_after = 5000;
  const ParsedResult& result = *evidence.result;
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(result, "benchmark"));
  const bool offline = benchmark != nullptr && benchmark->offline_evaluation;
  const Fact* start = result.fact("run_start");
  const Fact* stop = result.fact("run_stop");
  if (start == nullptr || stop == nullptr) return unknown("run_start or run_stop is missing");
  std::string_view before;
  double time = -1;
  for (const char* name : {"run_start", "first_work", "final_evaluation", "run_stop"}) {
    if (offline && std::string_view(name) == "final_evaluation") continue;
    const auto at = fact_number(result, name);
    if (!at || *at <= 0) continue;
    if (*at < time - tolerance)
      return failed(fmt::format("{} lies {} before {}", name, duration_text((time - *at) / 1e3), before),
                    result.fact(name)->line, "the log's own times contradict each other");
    time = *at;
    before = name;
  }
  const double stopped = fact_number(result, "run_stop").value_or(0);
  const double run = stopped - fact_number(result, "run_start").value_or(0);
  const auto last = fact_number(result, "final_evaluation");
  if (offline) return passed("in order; evaluated offline", stop->line);
  if (text_fact(result, "status").starts_with("abort")) return passed("in order; aborted", stop->line);
  if (!last) return unknown("the log shows no evaluation with its time", "", stop->line);
  const double after = stopped - *last;
  return checked(
      after <= std::max(most_after * run, least_after),
      fmt::format("run_stop {} after the last evaluation", duration_text(std::max(0.0, after / 1e3))),
      stop->line, "the run continues long after its last evaluation");
}

Finding unbroken(const Evidence& evidence) {
  const Fact* cut = evidence.result->fact("cut_lines");
  if (cut == nullptr) return passed("all lines are whole");
  return failed(fmt::format("{} cut or mixed", cut->value), cut->line,
                "the official checker turns a log with lines away that it can't read");
}

/// Positions are steps times the global batch size.
Finding whole_steps(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const MlperfBenchmark* benchmark = mlperf_benchmark(text_parameter(result, "benchmark"));
  if (benchmark == nullptr || !benchmark->whole_steps)
    return not_applicable("positions of this benchmark are no samples");
  const auto GBS = whole_parameter(result.parameters, "GBS");
  const auto unit = fact_number(result, "position_unit");
  if (!GBS || *GBS <= 0 || !unit) return unknown("the log shows no global batch size or no positions");
  const double step = static_cast<double>(*GBS) * (benchmark->counts_tokens ? benchmark->sequence_length : 1);
  if (const auto last = fact_number(result, "last_position"); last && *last < step)
    return unknown("the log counts evaluations in epochs of its own, and not in samples",
                   fmt::format("the last at {:.0f}, GBS {}", *last, *GBS));
  return checked(std::fmod(*unit, step) == 0,
                 fmt::format("positions in units of {:.0f}, GBS {}", *unit, *GBS),
                 result.fact("position_unit")->line,
                 fmt::format("evaluations do not come after whole steps of {:.0f}", step));
}

constexpr std::string_view checker = "mlcommons/logging, compliance checker, common.yaml";

constexpr std::array mlperf_log_table = {
    Rule{"ML-06a", Severity::validity, "A run starts once, stops once and states each fact once", checker,
         once},
    Rule{"ML-06b", Severity::validity, "A log of the closed division has the keys that a submission needs",
         checker, keys_of_closed},
    Rule{"ML-06j", Severity::eligibility, "A log of the open division has the keys that a submission needs",
         checker, keys_of_open},
    Rule{"ML-06c", Severity::validity, "Initialization is not longer than allowed", checker,
         short_initialization},
    Rule{"ML-06d", Severity::validity, "Seeds are logged and whole numbers",
         "mlcommons/logging, package_checker/seed_checker.py", seeds_logged},
    Rule{"ML-06e", Severity::validity, "The log's times follow each other", checker, clock},
    Rule{"ML-06l", Severity::validity, "The log's times are possible", "mlcommons.org: rounds since 2018",
         possible_times},
    Rule{"ML-06m", Severity::validity, "Each evaluation stands at a position of its own, in order",
         "mlcommons/training_policies, evaluation frequency", one_evaluation_each},
    Rule{"ML-06n", Severity::validity, "The run stops at its last evaluation, or a step behind it",
         "the log: run_stop and eval_accuracy have the same samples_count or epoch_num", stops_at_evaluation},
    Rule{"ML-06o", Severity::validity, "A value that run_stop states is that of the last evaluation",
         "the log: run_stop of Llama 2 70B LoRA has the value of eval_accuracy", stops_with_its_quality},
    Rule{"ML-06f", Severity::eligibility, "All of the log's lines can be read", checker, unbroken},
    Rule{"ML-06g", Severity::validity, "Evaluations come after whole steps of the global batch size",
         "mlcommons/training_policies, evaluation frequency", whole_steps},
};

}  // namespace

std::span<const Rule> mlperf_log_rules() {
  return mlperf_log_table;
}

}  // namespace shakedown
