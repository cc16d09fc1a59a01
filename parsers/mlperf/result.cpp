#include "parsers/mlperf/result.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>
#include <string>
#include <tuple>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/mlperf/benchmarks.hpp"

namespace shakedown {
namespace {

constexpr double ms_per_minute = 60e3;

void add_number(ParsedResult& result, std::string name, std::optional<double> value) {
  if (!value) return;
  if (std::floor(*value) == *value && std::abs(*value) < 9e15)
    result.parameters.push_back({std::move(name), static_cast<std::int64_t>(*value)});
  else
    result.parameters.push_back({std::move(name), *value});
}

void add_text(ParsedResult& result, std::string name, std::string text) {
  if (!text.empty()) result.parameters.push_back({std::move(name), std::move(text)});
}

void add_parameters(ParsedResult& result, const MlperfRun& run, const MlperfMachine& machine) {
  add_text(result, "benchmark", mlperf_benchmark_of(run));
  add_text(result, "version", run.version);
  if (machine.nodes) result.parameters.push_back({"nodes", *machine.nodes});
  if (machine.gpus) result.parameters.push_back({"gpus", *machine.gpus});
  add_text(result, "gpu", std::string(machine.gpu));
  const auto GBS = run.setting_number("global_batch_size");
  add_number(result, "GBS", GBS ? GBS : run.setting_number("train_batch_size"));
  if (!run.seeds.empty()) {
    const std::string& seed = run.seeds.front().first;
    if (const auto value = parsed_integer(seed))
      result.parameters.push_back({"seed", *value});
    else
      add_text(result, "seed", seed);
  }
  add_number(result, "sequence_length", run.setting_number("max_sequence_length"));
  add_number(result, "gradient_accumulation_steps", run.setting_number("gradient_accumulation_steps"));
  for (const char* key : {"number_of_ranks", "max_steps", "eval_samples", "evaluation_frequency"})
    add_number(result, key, run.setting_number(key));
  add_text(result, "division", run.setting_text("submission_division"));
  add_text(result, "organization", run.setting_text("submission_org"));
  add_text(result, "platform", run.setting_text("submission_platform"));
  add_text(result, "submission_status", run.setting_text("submission_status"));
  add_text(result, "trial", run.trial);
}

/// The evaluation that ended the training: of two metrics the first pair that meets both targets.
const MlperfEvaluation* decisive(const MlperfRun& run, std::span<const MlperfTarget> targets) {
  const MlperfEvaluations& evaluations = run.evaluations;
  if (evaluations.count == 0) return nullptr;
  for (const auto& [position, pair] : evaluations.pairs) {
    const bool met =
        !targets.empty() && std::all_of(targets.begin(), targets.end(), [&](const MlperfTarget& target) {
          const auto value = pair.value(target.metric);
          return value && target.met_by(*value);
        });
    if (met) return &pair;
  }
  return &evaluations.last;
}

/// "final_quality" and "target_quality"; of a second metric "final_fid" and "target_fid".
void add_quality(ParsedResult& result, const MlperfRun& run) {
  const std::string benchmark = mlperf_benchmark_of(run);
  std::optional<double> time;
  if (run.start) time = run.start->ms;
  const auto targets = mlperf_targets(benchmark, mlperf_version(run.version), time);
  const MlperfEvaluation* evaluation = decisive(run, targets);
  const MlperfSetting* logged = run.setting("target_accuracy");
  const auto own_target = run.setting_number("target_accuracy");
  if (evaluation == nullptr) return;
  if (evaluation->position)
    result.facts.push_back({"converged_at", fmt::format("{}", *evaluation->position), evaluation->line});
  if (targets.empty() || targets.front().metric.empty()) {
    if (!evaluation->values.empty())
      result.metrics.push_back({"final_quality", evaluation->values.front().second, evaluation->line});
    if (own_target && targets.empty())
      result.metrics.push_back({"target_quality", *own_target, logged->line});
    else if (!targets.empty())
      result.metrics.push_back({"target_quality", targets.front().value, evaluation->line});
    return;
  }
  for (const MlperfTarget& target : targets) {
    const bool first = &target == &targets.front();
    const std::string name = lower(target.metric);
    const auto value = evaluation->value(target.metric);
    if (value)
      result.metrics.push_back({first ? "final_quality" : "final_" + name, *value, evaluation->line});
    result.metrics.push_back({first ? "target_quality" : "target_" + name, target.value, evaluation->line});
  }
}

/// The last throughput that the log prints before the run stops; where it is that of the whole run, what was
/// trained over the time to train, which these logs print behind run_stop; shakedown's own prints there what
/// it trained over the time of training alone, without evaluations.
void add_rates(ParsedResult& result, const MlperfRun& run, const MlperfMachine& machine, double minutes) {
  const MlperfBenchmark* benchmark = mlperf_benchmark(mlperf_benchmark_of(run));
  auto sequence = run.setting_number("max_sequence_length");
  if (!sequence && benchmark != nullptr && benchmark->sequence_length > 0)
    sequence = benchmark->sequence_length;
  const bool tokens = benchmark != nullptr && benchmark->counts_tokens;
  if (tokens && (!sequence || *sequence < 1)) return;
  const double per_sample = tokens ? *sequence : 1;
  std::optional<Metric> rate;
  if (benchmark != nullptr && benchmark->rate_over_run) {
    if (run.evaluations.last.position && run.stop)
      rate = Metric{"samples_per_s", *run.evaluations.last.position / per_sample / (minutes * 60),
                    run.stop->line};
  } else if (benchmark != nullptr && benchmark->is_own) {
    if (run.rate_after_stop)
      rate = Metric{"samples_per_s", run.rate_after_stop->value / per_sample, run.rate_after_stop->line};
  } else if (run.last_rate) {
    rate = Metric{"samples_per_s", run.last_rate->value / per_sample, run.last_rate->line};
  }
  if (!rate || !std::isfinite(rate->value) || rate->value <= 0) return;
  result.metrics.push_back(*rate);
  if (sequence && benchmark != nullptr && benchmark->sequence_length > 0 && machine.gpus)
    result.metrics.push_back(
        {"tokens_per_s_per_gpu", rate->value * *sequence / static_cast<double>(*machine.gpus), rate->line});
}

std::string why_incomplete(const MlperfRun& run) {
  const std::string died = run.failure ? "; " + run.failure->text : "";
  const std::string cut =
      run.cut_lines > 0 ? fmt::format("; line {}: a logging line is cut", run.first_cut) : "";
  if (!run.start && run.stop)
    return fmt::format("line {}: run_stop without run_start", run.stop->line) + died + cut;
  if (!run.start) return fmt::format("the log ends at line {} before run_start", run.last_line) + died + cut;
  if (!run.stop)
    return fmt::format("line {}: the run started, but no run_stop follows: it was ended, or the log is cut",
                       run.start->line) +
           died + cut;
  const MlperfMoment& start = *run.start;
  const MlperfMoment& stop = *run.stop;
  if (stop.ms <= start.ms)
    return fmt::format("line {}: run_stop is not later than run_start, line {}", stop.line, start.line);
  if (run.status.empty() && run.version != "0.5")
    return fmt::format("line {}: run_stop has no status", stop.line);
  return "";
}

void add_warnings(ParsedResult& result, const MlperfRun& run) {
  if (run.stop && run.failure) result.warnings.push_back(run.failure->text);
  if (run.cut_lines > 0)
    result.warnings.push_back(fmt::format("line {}: {} of MLPerf's lines {} cut or mixed with other output",
                                          run.first_cut, run.cut_lines, run.cut_lines == 1 ? "is" : "are"));
  for (const auto& [what, first, other] : {std::tuple("run_start", run.start, run.other_start),
                                           std::tuple("run_stop", run.stop, run.other_stop)})
    if (first && other)
      result.warnings.push_back(fmt::format("line {}: another {} than in line {}; the first one counts",
                                            other->line, what, first->line));
}

}  // namespace

ParsedResult mlperf_result(const MlperfRun& run) {
  ParsedResult result;
  result.suite = "mlperf";
  result.implementation = mlperf_implementation(run);
  result.version = run.version;
  const MlperfMachine machine = mlperf_machine(run);
  add_parameters(result, run, machine);
  result.reason = why_incomplete(run);
  result.complete = result.reason.empty();
  result.facts = mlperf_facts(run);
  if (result.complete && run.start && run.stop) {  // what a run that goes on would still change is no result
    const double minutes = (run.stop->ms - run.start->ms) / ms_per_minute;
    // A run that was given up did not train to the target in any time.
    const bool trained = run.status.empty() || run.status == "success";
    result.metrics.push_back(
        {trained ? "time_to_train_min" : "ended_without_target_min", minutes, run.stop->line});
    add_quality(result, run);
    add_rates(result, run, machine, minutes);
    if (run.gflops_after_stop)
      result.metrics.push_back({"model_gflops", run.gflops_after_stop->value, run.gflops_after_stop->line});
  }
  add_warnings(result, run);
  return result;
}

namespace {

std::string ms_text(double ms) {
  return fmt::format("{:.0f}", ms);
}

class Facts {
 public:
  explicit Facts(std::vector<Fact>& facts) : facts_(facts) {}
  void add(std::string name, std::string value, int line) {
    if (!value.empty()) facts_.push_back({std::move(name), std::move(value), line});
  }
  void add(std::string name, const std::optional<MlperfMoment>& moment) {
    if (moment) add(std::move(name), ms_text(moment->ms), moment->line);
  }
  void add(std::string name, std::optional<double> value, int line) {
    if (value) add(std::move(name), fmt::format("{}", *value), line);
  }

 private:
  std::vector<Fact>& facts_;
};

void add_quality_facts(Facts& facts, const MlperfRun& run) {
  const MlperfEvaluations& evaluations = run.evaluations;
  if (evaluations.count == 0) return;
  const int line = evaluations.last.line;
  facts.add("evaluations", std::to_string(evaluations.count), line);
  facts.add("final_quality_printed", evaluations.last.printed, line);
  facts.add("final_evaluation", evaluations.last.time);
  facts.add("least_earlier_quality", evaluations.least_earlier, line);
  facts.add("most_earlier_quality", evaluations.most_earlier, line);
  if (evaluations.repeated_line != 0)
    facts.add("repeated_evaluation", evaluations.last.position, evaluations.repeated_line);
  facts.add("first_position", evaluations.first_position, line);
  facts.add("last_position", evaluations.last.position, line);
  facts.add("least_interval", evaluations.least_interval, line);
  facts.add("most_interval", evaluations.most_interval, line);
  if (evaluations.whole && evaluations.position_unit > 0)
    facts.add("position_unit", evaluations.position_unit, line);
}

}  // namespace

std::vector<Fact> mlperf_facts(const MlperfRun& run) {
  std::vector<Fact> found;
  Facts facts(found);
  if (run.stop) facts.add("status", run.status, run.stop->line);
  if (run.stop) facts.add("contradicts status", run.other_status, run.stop->line);
  facts.add("run_start", run.start);
  facts.add("run_stop", run.stop);
  facts.add("other_run_start", run.other_start);
  facts.add("other_run_stop", run.other_stop);
  facts.add("init_start", run.first_init_start);
  facts.add("init_stop", run.init_stop);
  facts.add("first_work", run.first_work);
  facts.add("earliest", run.earliest);
  facts.add("latest", run.latest);
  if (run.stop) facts.add("stopped_at", run.stopped_at, run.stop->line);
  if (run.stop && run.evaluations.last.value("")) facts.add("stop_value", run.stop_value, run.stop->line);
  if (run.blocks > 0 && !run.blocks_nest && run.stop && run.block_ms > 0)
    facts.add("blocks", fmt::format("{} {}", run.blocks, run.block_ms), run.stop->line);
  facts.add("init_starts", std::to_string(run.init_starts), run.first_line);
  facts.add("cache_clears", std::to_string(run.cache_clears), run.first_line);
  add_quality_facts(facts, run);
  if (const auto& rate = run.rate_after_stop ? run.rate_after_stop : run.last_rate)
    facts.add("last_throughput", rate->value, rate->line);
  if (run.largest_rate) facts.add("largest_throughput", run.largest_rate->value, run.largest_rate->line);
  for (const auto& [key, setting] : run.settings) {
    facts.add(key, setting.value, setting.line);
    facts.add("contradicts " + key, setting.other, setting.line);
  }
  facts.add("seed_lines", std::to_string(run.seed_lines), run.first_line);
  for (const auto& [seed, line] : run.seeds) facts.add("seed", seed, line);
  if (run.cut_lines > 0) facts.add("cut_lines", std::to_string(run.cut_lines), run.first_cut);
  return found;
}

}  // namespace shakedown
