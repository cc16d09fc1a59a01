#include "parsers/mlperf_result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/mlperf_benchmarks.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

constexpr double ms_per_minute = 60e3;

std::string setting_text(const MlperfRun& run, std::string_view key) {
  const MlperfSetting* found = run.setting(key);
  return found == nullptr ? "" : found->value;
}

std::string benchmark_of(const MlperfRun& run) {
  std::string name = setting_text(run, "submission_benchmark");
  return name == "mask" ? "maskrcnn" : name;
}

/// Whose program ran, as far as the submission's own lines tell.
std::string implementation_of(const MlperfRun& run) {
  struct Sign {
    std::string_view text;
    std::string_view implementation;
  };
  constexpr std::array signs = {
      Sign{"SHAKEDOWN", "reference"},
      Sign{"TPU", "google"},
      Sign{"MI2", "amd"},
      Sign{"MI3", "amd"},
      Sign{"GAUDI", "intel"},
      Sign{"ASCEND", "huawei"},
      Sign{"NVIDIA", "nvidia"},
      Sign{"DGX", "nvidia"},
      Sign{"HGX", "nvidia"},
      Sign{"A100", "nvidia"},
      Sign{"H100", "nvidia"},
      Sign{"H200", "nvidia"},
      Sign{"B200", "nvidia"},
      Sign{"V100", "nvidia"},
      Sign{"_PLACEHOLDER", "nvidia"},  // what NVIDIA's logger prints where nothing is set

  };
  const std::string org = setting_text(run, "submission_org");
  std::string said = org + " " + setting_text(run, "submission_platform");
  std::transform(said.begin(), said.end(), said.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  for (const Sign& sign : signs)
    if (said.find(sign.text) != std::string::npos) return std::string(sign.implementation);
  std::string name = org;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return name;
}

/// "32xNVIDIA DGX H100" -> 32 and "NVIDIA DGX H100".
std::pair<std::optional<std::int64_t>, std::string> nodes_of(std::string_view platform) {
  const size_t end = std::min(platform.find_first_not_of("0123456789"), platform.size());
  const auto nodes = positive_integer(platform.substr(0, end));
  if (!nodes || end >= platform.size() || platform[end] != 'x') return {std::nullopt, std::string(platform)};
  return {nodes, std::string(platform.substr(end + 1))};
}

struct Machine {
  std::optional<std::int64_t> nodes;
  std::optional<std::int64_t> gpus;
};

/// From the platform's name, else from one init_start for each GPU, else from MLPerf HPC's own keys.
Machine machine_of(const MlperfRun& run) {
  Machine machine;
  const auto [nodes, node] = nodes_of(setting_text(run, "submission_platform"));
  machine.nodes = nodes;
  if (nodes) {
    if (const auto gpus = gpus_of_platform(node))
      machine.gpus = *nodes * *gpus;
    else if (run.init_starts > *nodes && run.init_starts % *nodes == 0 && run.init_starts / *nodes <= 16)
      machine.gpus = run.init_starts;
  }
  const auto counted = run.setting_number("number_of_nodes");
  const auto each = run.setting_number("accelerators_per_node");
  if (counted && *counted >= 1 && *counted < 1e6) {
    machine.nodes = std::llround(*counted);
    if (each && *each >= 1 && *each < 1e3) machine.gpus = *machine.nodes * std::llround(*each);
  }
  return machine;
}

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

void add_parameters(ParsedResult& result, const MlperfRun& run, const Machine& machine) {
  add_text(result, "benchmark", benchmark_of(run));
  add_text(result, "version", run.version);
  if (machine.nodes) result.parameters.push_back({"nodes", *machine.nodes});
  if (machine.gpus) result.parameters.push_back({"gpus", *machine.gpus});
  add_number(result, "GBS", run.setting_number("global_batch_size"));
  if (!run.seeds.empty()) {
    const std::string& seed = run.seeds.front().first;
    if (const auto value = parsed_integer(seed))
      result.parameters.push_back({"seed", *value});
    else
      add_text(result, "seed", seed);
  }
  add_number(result, "sequence_length", run.setting_number("max_sequence_length"));
  add_number(result, "gradient_accumulation_steps", run.setting_number("gradient_accumulation_steps"));
  add_text(result, "division", setting_text(run, "submission_division"));
  add_text(result, "organization", setting_text(run, "submission_org"));
  add_text(result, "platform", setting_text(run, "submission_platform"));
  add_text(result, "trial", run.trial);
}

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
  facts.add("first_position", evaluations.first_position, line);
  facts.add("last_position", evaluations.last.position, line);
  facts.add("least_interval", evaluations.least_interval, line);
  facts.add("most_interval", evaluations.most_interval, line);
  if (evaluations.whole && evaluations.position_unit > 0)
    facts.add("position_unit", evaluations.position_unit, line);
}

void add_facts(ParsedResult& result, const MlperfRun& run) {
  Facts facts(result.facts);
  if (run.stop) facts.add("status", run.status, run.stop->line);
  facts.add("run_start", run.start);
  facts.add("run_stop", run.stop);
  facts.add("other_run_start", run.other_start);
  facts.add("other_run_stop", run.other_stop);
  facts.add("init_start", run.first_init_start);
  facts.add("init_stop", run.init_stop);
  facts.add("first_work", run.first_work);
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
}

/// The evaluation that ended the training: of two figures the first pair that meets both targets.
const MlperfEvaluation* decisive(const MlperfRun& run, std::span<const MlperfTarget> targets) {
  const MlperfEvaluations& evaluations = run.evaluations;
  if (evaluations.count == 0) return nullptr;
  for (const auto& [position, pair] : evaluations.pairs) {
    const bool met =
        !targets.empty() && std::all_of(targets.begin(), targets.end(), [&](const MlperfTarget& target) {
          const auto figure = pair.figure(target.figure);
          return figure && target.met_by(*figure);
        });
    if (met) return &pair;
  }
  return &evaluations.last;
}

/// "final_quality" and "target_quality"; of a second figure "final_fid" and "target_fid".
void add_quality(ParsedResult& result, const MlperfRun& run) {
  const std::string benchmark = benchmark_of(run);
  std::optional<double> time;
  if (run.start) time = run.start->ms;
  const auto targets = mlperf_targets(benchmark, mlperf_version(run.version), time);
  const MlperfEvaluation* evaluation = decisive(run, targets);
  const MlperfSetting* logged = run.setting("target_accuracy");
  const auto own_target = run.setting_number("target_accuracy");
  if (evaluation == nullptr) return;
  if (evaluation->position)
    result.facts.push_back({"converged_at", fmt::format("{}", *evaluation->position), evaluation->line});
  if (targets.empty() || targets.front().figure.empty()) {
    const std::string_view name = evaluation->figures.empty() ? "" : evaluation->figures.front().first;
    if (const auto figure = evaluation->figure(name))
      result.metrics.push_back({"final_quality", *figure, evaluation->line});
    if (own_target && targets.empty())
      result.metrics.push_back({"target_quality", *own_target, logged->line});
    else if (!targets.empty())
      result.metrics.push_back({"target_quality", targets.front().value, evaluation->line});
    return;
  }
  for (const MlperfTarget& target : targets) {
    const bool first = &target == &targets.front();
    std::string name(target.figure);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    const auto figure = evaluation->figure(target.figure);
    if (figure)
      result.metrics.push_back({first ? "final_quality" : "final_" + name, *figure, evaluation->line});
    result.metrics.push_back({first ? "target_quality" : "target_" + name, target.value, evaluation->line});
  }
}

/// The last throughput that the log prints before the run stops; where it is that of the whole run, what was
/// trained over the time to train, which these logs print behind run_stop.
void add_rates(ParsedResult& result, const MlperfRun& run, const Machine& machine) {
  const MlperfBenchmark* benchmark = mlperf_benchmark(benchmark_of(run));
  auto sequence = run.setting_number("max_sequence_length");
  if (!sequence && benchmark != nullptr && benchmark->sequence_length > 0)
    sequence = benchmark->sequence_length;
  const bool tokens = benchmark != nullptr && benchmark->counts_tokens;
  if (tokens && (!sequence || *sequence < 1)) return;
  const double per_sample = tokens ? *sequence : 1;
  std::optional<Metric> rate;
  if (benchmark != nullptr && benchmark->rate_over_run) {
    if (run.evaluations.last.position)
      rate = Metric{"samples_per_s",
                    *run.evaluations.last.position / per_sample / ((run.stop->ms - run.start->ms) / 1e3),
                    run.stop->line};
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
  if (run.stop->ms <= run.start->ms)
    return fmt::format("line {}: run_stop is not later than run_start, line {}", run.stop->line,
                       run.start->line);
  if (run.status.empty() && run.version != "0.5")
    return fmt::format("line {}: run_stop has no status", run.stop->line);
  return "";
}

void add_warnings(ParsedResult& result, const MlperfRun& run) {
  if (run.stop && run.failure) result.warnings.push_back(run.failure->text);
  if (run.cut_lines > 0)
    result.warnings.push_back(fmt::format("line {}: {} of MLPerf's lines {} cut or mixed with other output",
                                          run.first_cut, run.cut_lines, run.cut_lines == 1 ? "is" : "are"));
  for (const auto& [what, first, other] : {std::tuple("run_start", run.start, run.other_start),
                                           std::tuple("run_stop", run.stop, run.other_stop)})
    if (other)
      result.warnings.push_back(fmt::format("line {}: another {} than in line {}; the first one counts",
                                            other->line, what, first->line));
}

}  // namespace

ParsedResult mlperf_result(const MlperfRun& run) {
  ParsedResult result;
  result.suite = "mlperf";
  result.implementation = implementation_of(run);
  result.version = run.version;
  const Machine machine = machine_of(run);
  add_parameters(result, run, machine);
  result.reason = why_incomplete(run);
  result.complete = result.reason.empty();
  add_facts(result, run);
  if (result.complete) {  // what a run that goes on would still change is no result
    result.metrics.push_back(
        {"time_to_train_min", (run.stop->ms - run.start->ms) / ms_per_minute, run.stop->line});
    add_quality(result, run);
    add_rates(result, run, machine);
  }
  add_warnings(result, run);
  return result;
}

}  // namespace shakedown
