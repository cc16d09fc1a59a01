#include "parsers/mlperf/rules/set.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <tuple>

#include "orchestrator/core/text.hpp"

namespace shakedown {
namespace {

/// "runs/v41_eos_gpt3_result_0.txt" in its parts; `numbered` where the name ends in "result_<digits>.<any>".
struct Name {
  std::string folder;
  std::string prefix;
  bool numbered = false;
};

Name name_of(std::string_view file) {
  Name name;
  const size_t slash = file.rfind('/');
  if (slash != std::string_view::npos) {
    name.folder = file.substr(0, slash);
    file.remove_prefix(slash + 1);
  }
  const size_t at = file.rfind("result_");
  if (at == std::string_view::npos) return name;
  const std::string_view number = file.substr(at + 7, std::min(file.find('.', at), file.size()) - at - 7);
  name.numbered = !number.empty() && number.find_first_not_of("0123456789") == std::string_view::npos;
  if (name.numbered) name.prefix = file.substr(0, at);
  while (!name.prefix.empty() && (name.prefix.back() == '_' || name.prefix.back() == '-'))
    name.prefix.pop_back();
  return name;
}

/// The rules' version that a path tells: "training_results_v4.1/..." or "v41_nvidia_...".
int version_in(std::string_view file) {
  constexpr std::string_view repository = "results_v";
  if (const size_t at = file.find(repository); at != std::string_view::npos)
    if (const int version = mlperf_version(file.substr(at + repository.size(), 3)); version != 0)
      return version;
  for (const std::string_view part : split(file, '/')) {
    const bool short_form = part.size() > 4 && part[0] == 'v' && part[3] == '_';
    if (!short_form) continue;
    const std::string spelled = fmt::format("{}.{}", part[1], part[2]);
    if (const int version = mlperf_version(spelled); version != 0) return version;
  }
  return 0;
}

MlperfSetRun run_of(const FileResult& file, bool one_of_several) {
  const ParsedResult& result = file.result;
  MlperfSetRun run;
  run.source = &file;
  run.name = file.file;
  const Fact* start = result.fact("run_start");
  if (one_of_several) run.name += fmt::format(":{}", start == nullptr ? 0 : start->line);
  run.start = fact_number(result, "run_start");
  run.stop = fact_number(result, "run_stop");
  run.converged_at = fact_number(result, "converged_at");
  Evidence evidence;
  evidence.result = &result;
  const Judged judgement = judged(evidence);
  const Metric* minutes = result.metric("time_to_train_min");
  if (!result.complete || minutes == nullptr) {
    run.why_not = result.reason.empty() ? "no time to train" : result.reason;
  } else if (judgement.validity == Validity::invalid) {
    for (const RuleResult& rule : judgement.rules) {
      if (rule.severity != Severity::validity || rule.status != RuleStatus::fail) continue;
      const std::string why = fmt::format("{} fails: {}: {}", rule.id, rule.value, rule.text);
      if (run.why_not.empty()) run.why_not = why;
      if (rule.id != "ML-02" && run.broken.empty()) run.broken = why;
    }
  } else {
    run.minutes = minutes->value;
  }
  return run;
}

}  // namespace

std::vector<MlperfSet> mlperf_sets(std::span<const FileResult> results) {
  using Key = std::tuple<std::string, std::string, std::string, std::string, std::string>;
  std::map<std::string, int> per_file;
  for (const FileResult& result : results)
    if (result.result.suite == "mlperf") ++per_file[result.file];
  std::map<Key, MlperfSet> sets;
  for (const FileResult& result : results) {
    if (result.result.suite != "mlperf") continue;
    const Name name = result.set.empty() ? name_of(result.file) : Name{result.set, "", false};
    const std::string benchmark = text_parameter(result.result, "benchmark");
    Key key = {name.folder, name.prefix, benchmark, "", ""};
    if (!name.numbered) {
      std::get<3>(key) = text_parameter(result.result, "platform");
      std::get<4>(key) = text_parameter(result.result, "GBS");
    }
    MlperfSet& set = sets[key];
    set.benchmark = benchmark;
    set.name = name.prefix.empty()   ? name.folder
               : name.folder.empty() ? name.prefix
                                     : fmt::format("{}/{}", name.folder, name.prefix);
    if (set.version == 0) set.version = mlperf_version(result.result.version);
    if (set.version == 0) set.version = version_in(result.file);
    set.runs.push_back(run_of(result, per_file[result.file] > 1));
  }
  std::vector<MlperfSet> found;
  for (auto& [key, set] : sets) {
    // A run that died before it said what it is belongs to the set that its name says.
    if (std::get<2>(key).empty()) {
      std::vector<MlperfSet*> same_name;
      for (auto& [other, candidate] : sets)
        if (!std::get<2>(other).empty() && std::get<0>(other) == std::get<0>(key) &&
            std::get<1>(other) == std::get<1>(key))
          same_name.push_back(&candidate);
      if (same_name.size() == 1) {
        // Sorted by name, the set without a benchmark comes before the one that takes it.
        same_name.front()->runs.insert(same_name.front()->runs.end(), set.runs.begin(), set.runs.end());
        continue;
      }
    }
    found.push_back(std::move(set));
  }
  return found;
}

std::optional<double> olympic_mean(std::vector<double> values, int failed, int dropped) {
  if (failed > dropped) return std::nullopt;
  std::sort(values.begin(), values.end());
  const auto slowest = static_cast<size_t>(dropped - failed);
  const auto fastest = static_cast<size_t>(dropped);
  if (values.size() <= fastest + slowest) return std::nullopt;
  const auto first = values.begin() + dropped;
  const auto last = values.end() - (dropped - failed);
  return std::accumulate(first, last, 0.0) / static_cast<double>(last - first);
}

}  // namespace shakedown
