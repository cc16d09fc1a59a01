#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <utility>

#include "orchestrator/core/units.hpp"
#include "parsers/io500_command.hpp"
#include "parsers/io500_phases.hpp"
#include "parsers/rules/io500_rules.hpp"

namespace shakedown {
namespace {

/// What a phase's command line must have: an option, with its value where it takes one.
struct Fixed {
  std::string_view phases;  ///< start of their names
  std::string_view option;
  std::string_view value;  ///< empty: a flag
};

constexpr std::array<Fixed, 15> fixed = {{{"ior-hard-", "-t", "47008"},
                                          {"ior-hard-", "-b", "47008"},
                                          {"ior-hard-", "-Q", "1"},
                                          {"ior-hard-", "-C", ""},
                                          {"ior-hard-", "-e", ""},
                                          {"ior-hard-read", "-R", ""},
                                          {"ior-easy-", "-Q", "1"},
                                          {"ior-easy-", "-C", ""},
                                          {"ior-easy-", "-e", ""},
                                          {"ior-easy-read", "-R", ""},
                                          {"mdtest-hard-", "-w", "3901"},
                                          {"mdtest-hard-", "-e", "3901"},
                                          {"mdtest-hard-", "-t", ""},
                                          {"mdtest-hard-", "-F", ""},
                                          {"mdtest-easy-", "-F", ""}}};

bool satisfied(const Fixed& demand, std::string_view command) {
  if (demand.value.empty()) return has_option(command, demand.option);
  const auto value = option_value(command, demand.option);
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
    for (const Fixed& demand : fixed)
      if (phase.name.starts_with(demand.phases) && !satisfied(demand, *command))
        return failed(fmt::format("{} without '{}{}{}'", phase.name, demand.option,
                                  demand.value.empty() ? "" : " ", demand.value),
                      line, "the phase was not run with the official parameters");
    if (phase.name.starts_with("mdtest-hard-") && option_value(*command, "-I"))
      return failed(fmt::format("{} with -I {}", phase.name, *option_value(*command, "-I")), line,
                    "the files of mdtest-hard lie in one directory");
  }
  if (phases == 0) return unknown("the log has no command lines of the phases");
  return passed(fmt::format("{} phases", phases));
}

Finding list_class(const Evidence& evidence) {
  constexpr int ten = 10;
  const std::int64_t clients = io500_clients(evidence);
  if (clients == 0) return unknown("neither the log nor a plan says how many client nodes ran");
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
      "no log tells the placement of ranks, the storage system behind the path or what became durable",
      value);
}

/// GiB or thousands of operations that a phase moved at most: its rate over the whole phase.
std::optional<double> volume(const ParsedResult& result, std::string_view phase) {
  const auto rate = io500_printed(result, fmt::format("{}.score", phase));
  const auto time = io500_printed(result, fmt::format("{}.time", phase));
  if (!rate || !time || rate->value <= 0 || time->value <= 0) return std::nullopt;
  return rate->value * time->value;
}

Finding read_what_was_written(const Evidence& evidence) {
  constexpr double tolerance = 0.1;  // phases are timed from outside, rates from inside
  const ParsedResult& result = *evidence.result;
  const auto written = volume(result, "ior-easy-write");
  const auto read = volume(result, "ior-easy-read");
  if (!written || !read) return unknown("the log has no rate and time of writing and reading");
  return checked(std::abs(*read / *written - 1) <= tolerance,
                 fmt::format("{} GiB written, {} GiB read", number(*written, 5), number(*read, 5)),
                 result.fact("ior-easy-read.score")->line,
                 "ior-easy-read did not read what ior-easy-write had written");
}

Finding found_what_was_made(const Evidence& evidence) {
  constexpr double tolerance = 0.1;
  const ParsedResult& result = *evidence.result;
  const auto files = io500_printed(result, "find.total-files");
  const auto easy = volume(result, "mdtest-easy-write");
  const auto hard = volume(result, "mdtest-hard-write");
  if (!files || !easy || !hard) return unknown("the log does not print how many files find looked at");
  const double made = (*easy + *hard) * 1000;
  return checked(std::abs(files->value / made - 1) <= tolerance,
                 fmt::format("{} million files made, {} million found", number(made / 1e6, 5),
                             number(files->value / 1e6, 5)),
                 files->line, "find did not look at the files that mdtest had made");
}

Finding cold_caches(const Evidence& evidence) {
  const std::int64_t clients = io500_clients(evidence);
  if (clients == 0) return unknown("neither the log nor a plan says how many client nodes ran");
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

constexpr std::array rules = {
    Rule{"IO5-04", Severity::validity, "The phases ran with the parameters that the rules fix",
         "IO500, rules for submission; src/phase_*.c", fixed_parameters},
    Rule{"IO5-06", Severity::eligibility,
         "Exactly ten client nodes: the 10 client node list takes the result", "io500.org, the lists",
         list_class},
    Rule{"IO5-07", Severity::validity, "One run without interruption on one storage system",
         "IO500, rules for submission", uninterrupted},
    Rule{"IO5-08a", Severity::warning, "ior-easy-read reads what ior-easy-write wrote",
         "IO500, src/phase_ior.c", read_what_was_written},
    Rule{"IO5-08b", Severity::warning, "find looks at the files that mdtest made", "IO500, src/phase_find.c",
         found_what_was_made},
    Rule{"IO5-09", Severity::warning, "A single client drops its caches before each phase",
         "IO500, README; rules of the Student Cluster Competition", cold_caches},
};

}  // namespace

std::span<const Rule> io500_run_rules() {
  return rules;
}

}  // namespace shakedown
