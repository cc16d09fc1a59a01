#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "parsers/io500/config.hpp"
#include "parsers/io500/phases.hpp"
#include "parsers/io500/rules/rules.hpp"

namespace shakedown {
namespace {

/// What a phase's command line must have: an option, with its value where it takes one.
struct FixedSetting {
  std::string_view phases;  ///< start of their names
  std::string_view option;
  std::string_view value;  ///< empty: a flag
};

/// After the stonewall every rank writes as much as the fastest.
constexpr std::string_view wear_out = "stoneWallingWearOut=1";

constexpr std::array<FixedSetting, 17> fixed_settings = {{{"ior-hard-", "-t", "47008"},
                                                          {"ior-hard-", "-b", "47008"},
                                                          {"ior-hard-", "-Q", "1"},
                                                          {"ior-hard-", "-C", ""},
                                                          {"ior-hard-", "-e", ""},
                                                          {"ior-hard-write", "-O", wear_out},
                                                          {"ior-hard-read", "-R", ""},
                                                          {"ior-easy-", "-Q", "1"},
                                                          {"ior-easy-", "-C", ""},
                                                          {"ior-easy-", "-e", ""},
                                                          {"ior-easy-write", "-O", wear_out},
                                                          {"ior-easy-read", "-R", ""},
                                                          {"mdtest-hard-", "-w", "3901"},
                                                          {"mdtest-hard-", "-e", "3901"},
                                                          {"mdtest-hard-", "-t", ""},
                                                          {"mdtest-hard-", "-F", ""},
                                                          {"mdtest-easy-", "-F", ""}}};

bool satisfied(const FixedSetting& demand, std::string_view command) {
  if (demand.value.empty()) return io500_has_option(command, demand.option);
  if (demand.option == "-O") return io500_has_option(command, demand.option, demand.value);  // one of many
  const auto value = io500_option_value(command, demand.option);
  return value && *value == demand.value;
}

/// The settings that make a run another benchmark, as the program complains of them.
const Fact* forbidden_setting(const ParsedResult& result) {
  for (const Fact& fact : result.facts)
    if (fact.name == "error_invalid")
      for (const std::string_view words : {"DRY RUN", "PAUSING", "files-per-dir"})
        if (fact.value.find(words) != std::string::npos) return &fact;
  return nullptr;
}

Finding fixed_parameters(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  if (const Fact* setting = forbidden_setting(result))
    return failed(setting->value, setting->line, "the program was set up for tests, not for a result");
  int phases = 0;
  for (const Io500Official& phase : io500_official) {
    const auto command = io500_command(result, phase.name);
    if (!command || phase.name == "find") continue;
    ++phases;
    const int line = result.fact(std::string(phase.name) + ".exe")->line;
    for (const FixedSetting& demand : fixed_settings)
      if (phase.name.starts_with(demand.phases) && !satisfied(demand, *command) &&
          !(demand.value == wear_out && result.implementation == "io-500-dev"))  // not all scripts had it
        return failed(fmt::format("{} without '{}{}{}'", phase.name, demand.option,
                                  demand.value.empty() ? "" : " ", demand.value),
                      line, "the phase was not run with the official parameters");
    const auto per_folder = io500_option_value(*command, "-I");
    if (per_folder && result.implementation != "io-500-dev" && phase.name.starts_with("mdtest-hard-"))
      return failed(fmt::format("{} with -I {}", phase.name, *per_folder), line,
                    "the files of mdtest-hard lie in one directory");
  }
  if (phases == 0) return unknown("the log has no command lines of the phases");
  return passed(fmt::format("{} phases", phases));
}

Finding list_class(const Evidence& evidence) {
  constexpr int ten = 10;
  const std::int64_t clients = io500_clients(evidence);
  if (clients == 0) return unknown("neither the log nor a plan gives the number of client nodes");
  return checked(clients == ten, fmt::format("{} client node{}", clients, clients == 1 ? "" : "s"), 0,
                 "the main list alone: the 10 client node list takes exactly ten");
}

Finding uninterrupted(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  for (const Fact& fact : result.facts)
    if (fact.name.ends_with(".t_pause"))
      return failed(fmt::format("{} at {}", fact.name, fact.value), fact.line,
                    "the run was paused between phases");
  std::string last;
  std::string value;
  for (const Phase& phase : result.phases) {
    const Fact* start = result.fact(phase.name + ".t_start");
    const Fact* end = result.fact(phase.name + ".t_end");
    if (start == nullptr || end == nullptr) continue;
    // "2025-04-15 23:08:22" sorts as text.
    constexpr size_t stamp = 19;
    if (!last.empty() && start->value.size() == stamp && start->value.substr(0, 13) < last.substr(0, 13) &&
        start->value.substr(0, 10) < last.substr(0, 10))
      return failed(
          fmt::format("{} starts at {}, the phase before it ends at {}", phase.name, start->value, last),
          start->line, "the phases are not of one run");
    if (end->value.size() == stamp) last = end->value;
  }
  if (!last.empty()) value = "the phases follow each other";
  return unknown(
      "no log records the placement of ranks, the storage system behind the path or what became durable",
      value);
}

/// What a phase moved, GiB or thousands of files: at most its rate over its whole time, which has more than
/// the transfers; at least what was done when the stonewall came.
struct Volume {
  double least = 0;
  double most = 0;
};
std::optional<Volume> volume(const ParsedResult& result, std::string_view phase) {
  const auto rate = io500_printed(result, fmt::format("{}.score", phase));
  const auto time = io500_printed(result, fmt::format("{}.time", phase));
  if (!rate || !time || rate->value <= 0 || time->value <= 0) return std::nullopt;
  Volume volume{0, (rate->value + rate->error) * (time->value + time->error)};
  const auto stonewall = whole_parameter(result.parameters, "stonewall_s");
  for (const char* key : {"throughput-stonewall", "rate-stonewall"})
    if (const auto before = io500_printed(result, fmt::format("{}.{}", phase, key)); before && stonewall)
      volume.least = before->value * static_cast<double>(*stonewall);
  // Versions of 2020 print that rate in another unit: it can't be more than all.
  if (volume.least > volume.most) volume.least = 0;
  return volume;
}

constexpr double tolerance = 0.05;  ///< of rates and times that are not measured over the same span

Finding read_what_was_written(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto written = volume(result, "ior-easy-write");
  const auto read = volume(result, "ior-easy-read");
  if (!written || !read) return unknown("the log has no rate and time of writing and reading");
  const int line = result.fact("ior-easy-read.score")->line;
  const std::string value = fmt::format("at least {} GiB written, at most {} GiB read",
                                        number(written->least, 5), number(read->most, 5));
  if (written->least <= 0)
    return unknown("the log does not print how much was written before the stonewall", value, line);
  return checked(read->most >= written->least * (1 - tolerance), value, line,
                 "ior-easy-read did not read all that ior-easy-write had written");
}

Finding found_what_was_made(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto files = io500_printed(result, "find.total-files");
  const auto easy = volume(result, "mdtest-easy-write");
  const auto hard = volume(result, "mdtest-hard-write");
  if (!files || !easy || !hard) return unknown("the log does not print how many files find looked at");
  const Volume made = {(easy->least + hard->least) * 1000, (easy->most + hard->most) * 1000};
  const Value* mode = find_parameter(result.parameters, "mode");
  const bool others = mode != nullptr && value_text(*mode) == "extended";  // md-workbench makes files too
  return checked(
      files->value >= made.least * (1 - tolerance) && (others || files->value <= made.most * (1 + tolerance)),
      fmt::format("{} to {} million files made, {} million found", number(made.least / 1e6, 5),
                  number(made.most / 1e6, 5), number(files->value / 1e6, 5)),
      files->line, "find did not look at the files that mdtest had made");
}

Finding find_rate(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  const auto files = io500_printed(result, "find.total-files");
  const auto rate = io500_printed(result, "find.score");
  const auto time = io500_printed(result, "find.time");
  if (!files || !rate || !time) return unknown("the log does not print how many files find looked at");
  const double most = (rate->value + rate->error) * 1000 * (time->value + time->error);
  return checked(
      files->value <= most * (1 + tolerance),
      fmt::format("{} files; {} kIOPS in {} s are {}", files->text, rate->text, time->text, number(most, 9)),
      rate->line, "find's rate is too low for its files and its time");
}

Finding cold_caches(const Evidence& evidence) {
  if (const Fact* cached = evidence.result->fact("cached")) {
    const auto phases = std::count_if(evidence.result->facts.begin(), evidence.result->facts.end(),
                                      [](const Fact& fact) { return fact.name == "cached"; });
    return failed(fmt::format("1 client node, {} phases", phases), cached->line,
                  "cached: the program marks reads and stats that come from the client's own memory; they "
                  "are stored separately and compared with nothing");
  }
  const std::int64_t clients = io500_clients(evidence);
  if (clients == 0) return unknown("neither the log nor a plan gives the number of client nodes");
  if (clients > 1) return not_applicable("each client reads what another wrote");
  const Fact* log = evidence.result->fact("dropped caches");
  const Fact* setting = evidence.result->fact("io500_clean_cache");
  const bool dropped = log != nullptr || (setting != nullptr && setting->value == "True") ||
                       io500_planned_setting(evidence, "global", "drop-caches") == "true";
  if (dropped) return passed("caches were dropped before each phase", log == nullptr ? 0 : log->line);
  if (evidence.planned == nullptr)
    return unknown("the log does not show whether caches were dropped", "1 client node");
  return failed("1 client node, caches kept", 0,
                "cached: the reads and stats come from the client's own memory and compare with nothing");
}

constexpr std::array io500_run_table = {
    Rule{"IO5-04", Severity::validity, "The phases ran with the parameters that the rules fix",
         "IO500, rules for submission; src/phase_*.c", fixed_parameters},
    Rule{"IO5-06", Severity::eligibility,
         "Exactly ten client nodes: the 10 client node list takes the result", "io500.org, the lists",
         list_class},
    Rule{"IO5-07", Severity::validity, "One run without interruption on one storage system",
         "IO500, rules for submission", uninterrupted},
    Rule{"IO5-08a", Severity::warning,
         "ior-easy-read reads no less than ior-easy-write is known to have written", "IO500, src/phase_ior.c",
         read_what_was_written},
    Rule{"IO5-08b", Severity::warning, "find looks at the files that mdtest made", "IO500, src/phase_find.c",
         found_what_was_made},
    Rule{"IO5-08c", Severity::warning, "find's rate is enough for its files within the phase's time",
         "IO500, src/phase_find.c", find_rate},
    Rule{"IO5-09", Severity::warning, "A single client drops its caches before each phase",
         "IO500, README; rules of the Student Cluster Competition", cold_caches},
};

}  // namespace

std::span<const Rule> io500_run_rules() {
  return io500_run_table;
}

}  // namespace shakedown
