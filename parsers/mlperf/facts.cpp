#include "parsers/mlperf/facts.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

namespace shakedown {
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
