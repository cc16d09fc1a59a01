#include "parsers/io500/join.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "parsers/io500/phases.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

std::string_view folder(std::string_view file) {
  const size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : file.substr(0, slash);
}

std::string_view name(std::string_view file) {
  const size_t slash = file.rfind('/');
  return slash == std::string_view::npos ? file : file.substr(slash + 1);
}

/// "sc22_leonardo__" -> "sc22_leonardo"
std::string_view without_joint(std::string_view stem) {
  while (!stem.empty() && std::string_view("_-.").find(stem.back()) != std::string_view::npos)
    stem.remove_suffix(1);
  return stem;
}

/// The text before the name that IO500 gives the file: "sc22_leonardo" of "sc22_leonardo__result.txt".
/// Nothing if the name is none of IO500's.
std::optional<std::string_view> run_name(std::string_view file) {
  const std::string_view stem = name(file);
  size_t at = std::string_view::npos;
  for (const std::string_view own : {"result_summary.txt", "result.txt"})
    if (at == std::string_view::npos && stem.ends_with(own)) at = stem.size() - own.size();
  if (at == std::string_view::npos && stem.ends_with(".txt")) at = stem.find("io-500-summary.");
  if (at == std::string_view::npos) return std::nullopt;
  return without_joint(stem.substr(0, at));
}

/// The same of a configuration that IO500 wrote: "sc22_leonardo" of "sc22_leonardo__config.ini".
std::optional<std::string_view> run_name_of_config(std::string_view file) {
  constexpr std::string_view own = "config.ini";
  const std::string_view stem = name(file);
  if (!stem.ends_with(own)) return std::nullopt;
  return without_joint(stem.substr(0, stem.size() - own.size()));
}

std::string_view source(const ParsedResult& result) {
  const Fact* fact = result.fact("source");
  return fact == nullptr ? std::string_view() : std::string_view(fact->value);
}

/// Whether the texts print one number to different digits: "340.9585" and "340.959".
bool agree(std::string_view a, std::string_view b) {
  const auto x = finite_number(a);
  const auto y = finite_number(b);
  if (!x || !y) return a == b;
  return std::abs(*x - *y) <= (half_unit(a) + half_unit(b)) * (1 + 1e-9);
}

/// How two results compare: facts that both have.
struct Agreement {
  int shared = 0;
  std::vector<std::string> differences;
};

void compare(Agreement& agreement, const ParsedResult& a, const ParsedResult& b, const std::string& fact) {
  const Fact* x = a.fact(fact);
  const Fact* y = b.fact(fact);
  if (x == nullptr || y == nullptr) return;
  ++agreement.shared;
  if (!agree(x->value, y->value))
    agreement.differences.push_back(
        fmt::format("{}: {} in {}, {} in {}", fact, x->value, source(a), y->value, source(b)));
}

Agreement agreement_of(const ParsedResult& a, const ParsedResult& b) {
  Agreement agreement;
  for (const Phase& phase : a.phases) {
    if (phase.name == "timestamp") continue;
    compare(agreement, a, b, phase.name + ".score");
    compare(agreement, a, b, phase.name + ".time");
  }
  for (const char* fact : {"SCORE.SCORE", "SCORE.BW", "SCORE.MD", "SCOREX.SCORE", "SCOREX.BW", "SCOREX.MD"})
    compare(agreement, a, b, fact);
  return agreement;
}

bool same_version(const ParsedResult& a, const ParsedResult& b) {
  return a.fact("version") == nullptr || b.fact("version") == nullptr || a.version == b.version;
}

bool one_run(const FileResult& a, const FileResult& b) {
  if (folder(a.file) != folder(b.file)) return false;
  if (source(a.result) == "result.txt" && source(b.result) == "result.txt") return false;
  const auto run_a = run_name(a.file);
  const auto run_b = run_name(b.file);
  const bool named = run_a && run_b;
  if (named && *run_a != *run_b) return false;
  if (a.file != b.file && name(a.file).ends_with("result_summary.txt") &&
      name(b.file).ends_with("result_summary.txt"))
    return false;
  const Agreement agreement = agreement_of(a.result, b.result);
  const auto differing = static_cast<int>(agreement.differences.size());
  constexpr int proof = 4;  // values: two phases' rates and times
  if (agreement.shared < proof) return false;
  if (!named) return differing == 0 && same_version(a.result, b.result);
  return same_version(a.result, b.result) ? 2 * differing < agreement.shared : differing == 0;
}

/// Adds what `other` has beyond `result`. Lines of another file would point to the wrong place: they are 0.
void add(ParsedResult& result, const ParsedResult& other) {
  for (std::string& difference : agreement_of(result, other).differences)
    result.facts.push_back({"mismatch", std::move(difference), 0});
  const auto marked = [](const ParsedResult& r) {
    const Fact* fact = r.fact("SCORE.mark");
    return fact != nullptr && fact->value == "INVALID";
  };
  if (result.fact("SCORE.SCORE") != nullptr && other.fact("SCORE.SCORE") != nullptr &&
      marked(result) != marked(other))
    result.facts.push_back(
        {"mismatch",
         fmt::format("the score is marked invalid in {} alone", source(marked(result) ? result : other)), 0});
  if (!same_version(result, other))
    result.facts.push_back({"mismatch",
                            fmt::format("version '{}' in {}, '{}' in {}", result.version, source(result),
                                        other.version, source(other)),
                            0});
  result.facts.push_back({"joined", std::string(source(other)), 0});
  for (const Fact& fact : other.facts) {
    const bool list = fact.name == "error_invalid" || fact.name == "skipped" || fact.name == "cached" ||
                      fact.name == "mismatch" || fact.name == "config.hash";
    const bool known =
        list ? std::any_of(result.facts.begin(), result.facts.end(),
                           [&](const Fact& f) { return f.name == fact.name && f.value == fact.value; })
             : result.fact(fact.name) != nullptr;
    if (!known) result.facts.push_back({fact.name, fact.value, 0});
  }
  for (const Metric& metric : other.metrics)
    if (result.metric(metric.name) == nullptr) result.metrics.push_back({metric.name, metric.value, 0});
  for (const Parameter& parameter : other.parameters)
    if (find_parameter(result.parameters, parameter.name) == nullptr) result.parameters.push_back(parameter);
  std::vector<Phase> phases;
  const auto of = [](const std::vector<Phase>& list, const std::string& phase) {
    return std::find_if(list.begin(), list.end(), [&](const Phase& p) { return p.name == phase; });
  };
  const bool longer = other.phases.size() > result.phases.size();
  for (Phase phase : longer ? other.phases : result.phases) {
    const bool mine = of(result.phases, phase.name) != result.phases.end();
    const auto theirs = of(other.phases, phase.name);
    const bool valid = (theirs == other.phases.end() || theirs->valid) && phase.valid;
    if (longer && mine)
      phase = *of(result.phases, phase.name);
    else if (longer)
      phase.line = 0;
    phase.valid = phase.valid && valid;
    phases.push_back(std::move(phase));
  }
  result.phases = std::move(phases);
  for (const std::string& warning : other.warnings)
    result.warnings.push_back(fmt::format("{}: {}", source(other), warning));
  if (!result.complete && other.complete) {
    result.warnings.push_back(fmt::format("{}: {}", source(result), result.reason));
    result.reason.clear();
    result.complete = true;
  }
  if (result.version.empty()) result.version = other.version;
}

/// result.txt before the summary before the output, by the digits that they print; what joins a run of those
/// comes last.
int rank_of(const FileResult& file) {
  const std::string_view from = source(file.result);
  return file.result.part ? 3 : from == "result.txt" ? 0 : from == "result_summary.txt" ? 1 : 2;
}

void join(FileResult& run, FileResult&& file) {
  add(run.result, file.result);
  const bool known =
      file.file == run.file || std::find(run.others.begin(), run.others.end(), file.file) != run.others.end();
  if (!known) run.others.push_back(std::move(file.file));
}

/// Whether the configuration may be that of the run, by folder and names.
bool may_have(const FileResult& run, const FileResult& config) {
  const auto wanted = run_name_of_config(config.file);
  if (!wanted || run.result.fact("config-hash") == nullptr) return false;
  if (run.result.fact("config.hash") != nullptr) return false;  // it has one
  const auto beside = [&](const std::string& file) {
    return folder(file) == folder(config.file) && run_name(file) == wanted;
  };
  return beside(run.file) || std::any_of(run.others.begin(), run.others.end(), beside);
}

bool has_hash_of(const FileResult& config, const FileResult& run) {
  return std::any_of(config.result.facts.begin(), config.result.facts.end(), [&](const Fact& fact) {
    return fact.name == "config.hash" && fact.value == run.result.fact("config-hash")->value;
  });
}

/// Whether the run executed the command that the output of a phase is of.
bool executed(const FileResult& run, const FileResult& output) {
  const Fact* command = output.result.fact("ior.command");
  return command != nullptr && folder(run.file) == folder(output.file) &&
         std::any_of(run.result.facts.begin(), run.result.facts.end(), [&](const Fact& fact) {
           return fact.name.ends_with(".exe") && fact.value == command->value;
         });
}

/// What the output of a phase states otherwise than its run, as far as both state it.
void contradict(ParsedResult& run, const FileResult& output) {
  const auto differ = [&](std::string_view what, const std::string& here, const std::string& there) {
    run.facts.push_back(
        {"mismatch", fmt::format("{}: {} in {}, {} in {}", what, here, source(run), there, name(output.file)),
         0});
  };
  const Value* procs = find_parameter(run.parameters, "procs");
  const Fact* tasks = output.result.fact("ior.tasks");
  if (procs != nullptr && tasks != nullptr && value_text(*procs) != tasks->value)
    differ("processes", value_text(*procs), tasks->value);
  const Value* known = find_parameter(run.parameters, "nodes");
  const Value* nodes = find_parameter(output.result.parameters, "nodes");
  if (known != nullptr && nodes != nullptr && *known != *nodes)
    differ("nodes", value_text(*known), value_text(*nodes));
}

/// Gives the output of a phase to the run that it is of; whether there is one. Where files of one run were
/// copied, several are.
bool give_output(const FileResult& output, std::vector<FileResult>& runs) {
  bool given = false;
  for (FileResult& run : runs) {
    if (!executed(run, output)) continue;
    contradict(run.result, output);
    for (const Parameter& parameter : output.result.parameters)
      if (find_parameter(run.result.parameters, parameter.name) == nullptr)
        run.result.parameters.push_back(parameter);
    if (const Fact* host = output.result.fact("host"); host != nullptr && run.result.fact("host") == nullptr)
      run.result.facts.push_back({"host", host->value, 0});
    run.others.push_back(output.file);
    given = true;
  }
  return given;
}

/// Gives a configuration to its run; whether there is one.
bool give(const FileResult& config, std::vector<FileResult>& runs) {
  if (source(config.result) == "ior") return give_output(config, runs);
  std::vector<FileResult*> takers;
  for (FileResult& run : runs)
    if (may_have(run, config)) takers.push_back(&run);
  if (takers.size() > 1)
    std::erase_if(takers, [&](const FileResult* run) { return !has_hash_of(config, *run); });
  for (FileResult* run : takers) join(*run, FileResult(config));
  return !takers.empty();
}

/// IO500 writes result.txt and result_summary.txt together: side by side, under one name and of different
/// runs, neither proves anything of the run that the folder is of.
void contradict_neighbours(std::vector<FileResult>& runs) {
  const auto is = [](const FileResult& run, std::string_view own) {
    return !run.result.part && name(run.file).ends_with(own);
  };
  for (FileResult& a : runs)
    for (FileResult& b : runs) {
      if (!is(a, "result.txt") || !is(b, "result_summary.txt") || folder(a.file) != folder(b.file) ||
          run_name(a.file) != run_name(b.file))
        continue;
      if (agreement_of(a.result, b.result).differences.empty() && same_version(a.result, b.result)) continue;
      const std::string text = fmt::format("{} and {} are of different runs", name(a.file), name(b.file));
      for (FileResult* each : {&a, &b}) each->result.facts.push_back({"mismatch", text, 0});
    }
}

}  // namespace

std::vector<FileResult> io500_joined(std::vector<FileResult> results) {
  std::stable_sort(results.begin(), results.end(),
                   [](const FileResult& a, const FileResult& b) { return rank_of(a) < rank_of(b); });
  std::vector<FileResult> runs;
  std::vector<FileResult> alone;
  for (FileResult& file : results) {
    if (file.result.part) {
      if (!give(file, runs)) alone.push_back(std::move(file));
      continue;
    }
    const auto run =
        std::find_if(runs.begin(), runs.end(), [&](const FileResult& r) { return one_run(r, file); });
    if (run == runs.end()) {
      runs.push_back(std::move(file));
      continue;
    }
    join(*run, std::move(file));
  }
  contradict_neighbours(runs);
  std::move(alone.begin(), alone.end(), std::back_inserter(runs));
  return runs;
}

}  // namespace shakedown
