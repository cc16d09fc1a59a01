#include "parsers/mlperf/rules/set.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <tuple>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "parsers/mlperf/rules/rcps.hpp"

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

/// The rules' version that a path names: "training_results_v4.1/..." or "v41_nvidia_...".
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
    if (set.version == 0) {
      set.version = version_in(result.file);
      set.version_of_name = set.version != 0;
    }
    set.runs.push_back(run_of(result, per_file[result.file] > 1));
  }
  std::vector<MlperfSet> found;
  for (auto& [key, set] : sets) {
    // A run that died before it logged what it is belongs to the set that its name gives.
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

namespace {

std::string_view origin(MlperfReference::Kind kind) {
  using Kind = MlperfReference::Kind;
  return kind == Kind::exact          ? "its reference point"
         : kind == Kind::interpolated ? "between two reference points"
                                      : "the smallest reference point";
}

/// The set's mean without the fastest and slowest; runs that did not converge are the slowest.
std::optional<double> mean_to_converge(const MlperfSet& set, const MlperfBenchmark& benchmark) {
  std::vector<double> positions;
  int failed = 0;
  for (const MlperfSetRun& run : set.runs) {
    if (!run.minutes)
      ++failed;
    else if (run.converged_at)
      // The official checker rounds epochs to three decimals.
      positions.push_back(std::round(*run.converged_at * 1e3) / 1e3);
    else
      return std::nullopt;
  }
  return olympic_mean(std::move(positions), failed, benchmark.dropped);
}

/// Those that may apply to a run by its date: of the first round published after it, or of a later one. None
/// for a run of a round that had no such points yet.
std::vector<MlperfReference> of_its_time(std::vector<MlperfReference> references, const ParsedResult& run) {
  constexpr int first_with_points = 30;  // of those that are known here
  const auto start = fact_number(run, "run_start");
  const int version = start ? mlperf_version_after(*start) : 0;
  if (version == 0) return references;
  if (version < first_with_points) return {};
  std::erase_if(references, [&](const MlperfReference& each) { return each.until < version; });
  return references;
}

/// The version that a point stands for: of those that it covers the first that was published after the run.
int version_of(const MlperfReference& reference, const ParsedResult& run) {
  const auto start = fact_number(run, "run_start");
  const int version = start ? mlperf_version_after(*start) : 0;
  return std::clamp(version, reference.since, reference.until);
}

/// Of the versions that may apply the first that was published after the run.
const MlperfReference& likeliest(const std::vector<MlperfReference>& references, const ParsedResult& run) {
  const auto start = fact_number(run, "run_start");
  const int version = start ? mlperf_version_after(*start) : 0;
  for (const MlperfReference& reference : references)
    if (version != 0 && version <= reference.until) return reference;
  return references.back();
}

}  // namespace

MlperfConvergence convergence(const MlperfSet& set) {
  const MlperfBenchmark* benchmark = mlperf_benchmark(set.benchmark);
  const ParsedResult& first = set.runs.front().source->result;
  if (text_parameter(first, "division") == "open") return {not_applicable("open division"), {}};
  const auto GBS = whole_parameter(first.parameters, "GBS");
  if (benchmark == nullptr || !GBS)
    return {unknown("the benchmark or its global batch size is not known"), {}};
  const auto mean = mean_to_converge(set, *benchmark);
  if (!mean) return {unknown("the set is too small for a mean"), {}};
  auto references = mlperf_references(set.benchmark, set.version, *GBS);
  const bool ambiguous = set.version == 0;
  if (ambiguous) references = of_its_time(std::move(references), first);
  if (references.empty()) return {unknown("no reference convergence points are available for it"), {}};
  const MlperfReference& reference = likeliest(references, first);
  const int version = ambiguous ? version_of(reference, first) : set.version;
  const std::string value =
      fmt::format("mean {:.6g} of the runs that the score counts, at GBS {}", *mean, *GBS);
  if (reference.kind == MlperfReference::Kind::missing)
    return {unknown("no reference point has so large a batch: the rules require new ones", value), {}};
  const auto accepting =
      std::count_if(references.begin(), references.end(), [&](const MlperfReference& candidate) {
        return candidate.kind != MlperfReference::Kind::missing && *mean >= candidate.least;
      });
  const std::string beside = fmt::format(
      "{}; the reference's mean is {:.6g}, allowed is {:.6g} and more (one-sided t-test, 5 %); "
      "version {}.{}{}, {}",
      value, reference.mean, reference.least, version / 10, version % 10,
      ambiguous             ? " by the date of the run, as neither log nor folder names the version"
      : set.version_of_name ? " by the name of file or folder, as no log states it"
                            : "",
      origin(reference.kind));
  if (accepting == 0) return {failed(beside, 0, "the set converges faster than the reference allows"), {}};
  if (*mean < reference.least)
    return {unknown("the versions of the rules differ in it, and which one applies is not known", beside),
            {}};
  if (*mean < reference.mean) return {passed(beside), reference.mean / *mean};
  return {passed(beside), {}};
}

namespace {

constexpr size_t most = 10;  ///< sentences of a kind
constexpr size_t most_compared =
    1000;  ///< runs of a set that are compared each with each; of more, only near ones

void say(std::vector<std::string>& sentences, std::string sentence) {
  if (sentences.size() < most) sentences.push_back(std::move(sentence));
}

std::string final_quality(const MlperfSetRun& run) {
  const Fact* printed = run.source->result.fact("final_quality_printed");
  return printed == nullptr ? "" : printed->value;
}

/// Whether all that the logs report of the evaluations is the same, in more digits than chance repeats.
bool same_evaluations(const MlperfSetRun& a, const MlperfSetRun& b) {
  constexpr std::ptrdiff_t enough_digits = 8;
  const std::string quality = final_quality(a);
  if (std::count_if(quality.begin(), quality.end(), [](char c) { return c >= '0' && c <= '9'; }) <
      enough_digits)
    return false;
  for (const char* name : {"final_quality_printed", "evaluations", "least_earlier_quality",
                           "most_earlier_quality", "first_position", "last_position"}) {
    const Fact* of_a = a.source->result.fact(name);
    const Fact* of_b = b.source->result.fact(name);
    if ((of_a == nullptr) != (of_b == nullptr) || (of_a != nullptr && of_a->value != of_b->value))
      return false;
  }
  return true;
}

struct Overlaps {
  int pairs = 0;
  std::string first;
};

void compare(const MlperfSetRun& a, const MlperfSetRun& b, MlperfDoubts& found, Overlaps& overlaps) {
  if (!a.start || !b.start) return;
  const bool same_end = a.stop == b.stop;
  if (*a.start == *b.start && same_end) {
    say(found.copies,
        fmt::format("{} and {} are logs of one run: they start and stop at the same millisecond", a.name,
                    b.name));
    return;
  }
  if (!a.stop || !b.stop) return;
  const bool same_length = *a.stop - *a.start == *b.stop - *b.start;
  if (same_length && !final_quality(a).empty() && final_quality(a) == final_quality(b)) {
    say(found.copies,
        fmt::format("{} and {} took the same {:.0f} ms to the same {}: one is a copy of the other", a.name,
                    b.name, *a.stop - *a.start, final_quality(a)));
    return;
  }
  if (same_evaluations(a, b)) {
    say(found.copies,
        fmt::format("{} and {} have the same evaluations to the last digit, {}: one is a copy of "
                    "the other",
                    a.name, b.name, final_quality(a)));
    return;
  }
  if (std::max(*a.start, *b.start) >= std::min(*a.stop, *b.stop)) return;
  if (overlaps.pairs++ == 0)
    overlaps.first =
        fmt::format("{} and {} from {} to {}", a.name, b.name, utc_text(std::max(*a.start, *b.start) / 1000),
                    utc_text(std::min(*a.stop, *b.stop) / 1000));
}

}  // namespace

MlperfDoubts doubts(const MlperfSet& set) {
  MlperfDoubts found;
  Overlaps overlaps;
  const size_t reach = set.runs.size() <= most_compared ? set.runs.size() : most_compared / 20;
  for (size_t i = 0; i < set.runs.size(); ++i)
    for (size_t j = i + 1; j < std::min(set.runs.size(), i + 1 + reach); ++j)
      compare(set.runs[i], set.runs[j], found, overlaps);
  if (overlaps.pairs > 0)
    found.overlap = fmt::format("{} of runs {} in time, first {}", plural(overlaps.pairs, "pair"),
                                overlaps.pairs == 1 ? "overlaps" : "overlap", overlaps.first);
  std::map<std::string, const MlperfSetRun*> owners;
  for (const MlperfSetRun& run : set.runs)
    for (const Fact& fact : run.source->result.facts) {
      if (fact.name != "seed") continue;
      const auto [owner, fresh] = owners.emplace(fact.value, &run);
      if (!fresh && owner->second != &run)
        say(found.seeds,
            fmt::format("{} and {} have the same seed {}", owner->second->name, run.name, fact.value));
    }
  return found;
}

}  // namespace shakedown
