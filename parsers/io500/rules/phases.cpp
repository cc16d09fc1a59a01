#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "orchestrator/core/units.hpp"
#include "parsers/io500/config.hpp"
#include "parsers/io500/phases.hpp"
#include "parsers/io500/rules/rules.hpp"

namespace shakedown {
namespace {

int score_line(const ParsedResult& result) {
  const Fact* fact = result.fact("SCORE.SCORE");
  return fact == nullptr ? 0 : fact->line;
}

const Phase* phase_of(const ParsedResult& result, std::string_view name) {
  const auto it = std::find_if(result.phases.begin(), result.phases.end(),
                               [&](const Phase& phase) { return phase.name == name; });
  return it == result.phases.end() ? nullptr : &*it;
}

void append(std::string& list, std::string_view item) {
  list += fmt::format("{}{}", list.empty() ? "" : ", ", item);
}

/// The official order; the scripts list all bandwidth rows before all others at their end.
bool in_order(const ParsedResult& result) {
  std::vector<std::string_view> logged;
  for (const Phase& phase : result.phases)
    if (phase.scored) logged.emplace_back(phase.name);
  std::vector<std::string_view> run;
  std::vector<std::string_view> listed;
  run.reserve(io500_official.size());
  for (const Io500Official& phase : io500_official) run.push_back(phase.name);
  for (const bool bandwidth : {true, false})
    for (const Io500Official& phase : io500_official)
      if (phase.bandwidth == bandwidth) listed.push_back(phase.name);
  return logged == run || (result.implementation == "io-500-dev" && logged == listed);
}

Finding all_phases(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  std::string skipped;
  std::string missing;
  for (const Fact& fact : result.facts)
    if (fact.name == "skipped" && io500_official_phase(fact.value) != nullptr) append(skipped, fact.value);
  for (const Io500Official& phase : io500_official)
    if (phase_of(result, phase.name) == nullptr) append(missing, phase.name);
  const auto there = std::count_if(result.phases.begin(), result.phases.end(),
                                   [](const Phase& phase) { return phase.scored; });
  const std::string value = fmt::format("{} of 12", there);
  if (!skipped.empty())
    return failed(value, result.fact("skipped")->line, fmt::format("the run skipped {}", skipped));
  if (!missing.empty() && !result.complete)
    return unknown(fmt::format("the log ends before {}", missing), value);
  if (!missing.empty()) return failed(value, score_line(result), fmt::format("{} did not run", missing));
  return checked(in_order(result), value, result.phases.front().line,
                 "the phases did not run in the official order");
}

/// Whether the rules of the Student Cluster Competition were asked for: write phases of 30 s.
bool student_rules(const Evidence& evidence) {
  const Fact* io500_phases_table = evidence.result->fact("io500_rules");
  return io500_planned_setting(evidence, "global", "scc") == "true" ||
         (io500_phases_table != nullptr && io500_phases_table->value == "scc");
}

/// IO500's "stonewall-time 5s != 300s" in plain words, "5 s instead of 300 s"; any other complaint as it is.
std::string plain_complaint(const std::string& complaint) {
  static constexpr std::string_view stonewall = "stonewall-time ";
  const std::size_t unequal = complaint.find("s != ");
  if (!complaint.starts_with(stonewall) || unequal == std::string::npos || !complaint.ends_with('s'))
    return complaint;
  const std::size_t wanted = unequal + 5;
  return fmt::format("{} s instead of {} s", complaint.substr(stonewall.size(), unequal - stonewall.size()),
                     complaint.substr(wanted, complaint.size() - 1 - wanted));
}

struct Write {
  std::string_view phase;
  std::optional<Io500Printed> time;
  std::optional<std::int64_t> stonewall_s;
  int line = 0;  ///< of the command; 0: the log has none
};

std::vector<Write> writes(const ParsedResult& result) {
  std::vector<Write> all;
  for (const Io500Official& phase : io500_official) {
    if (!phase.write) continue;
    Write write;
    write.phase = phase.name;
    write.time = io500_printed(result, std::string(phase.name) + ".time");
    if (const auto command = io500_command(result, phase.name)) {
      write.line = result.fact(std::string(phase.name) + ".exe")->line;
      if (const auto text = io500_option_value(*command, phase.bandwidth ? "-D" : "-W"))
        if (const auto seconds = parsed_integer(*text)) write.stonewall_s = *seconds;
    }
    all.push_back(write);
  }
  return all;
}

/// "34.1, 2.02, 30.5, 1.96": the seconds of the write phases that the log prints.
std::string write_times(const std::vector<Write>& writes) {
  std::string times;
  for (const Write& write : writes)
    if (write.time) append(times, write.time->text);
  return times;
}

/// What the log itself reports against the run.
std::optional<Finding> own_verdict(const ParsedResult& result) {
  if (const Fact* words = result.fact("unofficial"))
    return failed("not official", words->line, fmt::format("the log reads '{}'", words->value));
  const Fact* mark = result.fact("SCORE.mark");
  const bool marked = mark != nullptr && mark->value == "INVALID";
  std::string invalid;
  int line = marked ? mark->line : 0;
  for (const Phase& phase : result.phases)
    if (phase.scored && !phase.valid) {
      append(invalid, phase.name);
      if (line == 0) line = phase.line;
    }
  if (!marked && invalid.empty()) return std::nullopt;
  const Fact* why = result.fact("error_invalid");
  const std::string times = write_times(writes(result));
  return failed(
      times.empty() ? "[INVALID] in the log"
                    : fmt::format("[INVALID] in the log; its writes took {} s", times),
      line,
      fmt::format("{}the log marks [INVALID]: {}", why == nullptr ? "" : plain_complaint(why->value) + "; ",
                  invalid.empty() ? "the score"
                  : marked        ? "the score and " + invalid
                                  : invalid));
}

/// What the program calls invalid and marks nowhere. Versions since 2021 print "30s" where scc = TRUE and the
/// stonewall is 300 s, and forget it when the first phase starts; a complaint about a phase is marked on its
/// row, even on an extended one, which does not count in the score.
std::optional<Finding> complaint(const ParsedResult& result) {
  const bool extended = std::any_of(result.phases.begin(), result.phases.end(),
                                    [](const Phase& phase) { return !phase.scored && !phase.valid; });
  for (const Fact& fact : result.facts) {
    if (fact.name != "error_invalid") continue;
    const bool stonewall = fact.value.starts_with("stonewall-time ");
    if (stonewall ? fact.value.ends_with(" 30s") : extended) continue;
    return failed(fact.value, fact.line, "the program calls the run invalid without naming a phase");
  }
  return std::nullopt;
}

/// The first write phase that is shorter than `least` or has another stonewall, or nothing.
std::optional<Finding> too_short(const std::vector<Write>& writes, int least, bool stonewall) {
  // The scripts round the time to whole seconds before they compare it.
  const double rounding = stonewall ? 0 : 0.5;
  for (const Write& write : writes) {
    if (write.time && write.time->value < least - write.time->error - rounding)
      return failed(fmt::format("{} took {} s", write.phase, write.time->text), write.time->line,
                    fmt::format("a write phase must last {} s at least", least));
    if (stonewall && write.line != 0 && !write.stonewall_s)
      return failed(fmt::format("{} was run without a stonewall", write.phase), write.line,
                    fmt::format("the stonewall must be {} s", least));
    if (stonewall && write.stonewall_s && *write.stonewall_s != least)
      return failed(fmt::format("{} was run with a stonewall of {} s", write.phase, *write.stonewall_s),
                    write.line, fmt::format("the stonewall must be {} s", least));
  }
  return std::nullopt;
}

Finding io500_own_check(const Evidence& evidence) {
  constexpr int official_s = 300;
  constexpr int student_s = 30;
  const ParsedResult& result = *evidence.result;
  if (auto verdict = own_verdict(result)) return *verdict;
  if (auto verdict = complaint(result)) return *verdict;
  const auto all = writes(result);
  // The scripts of 2017 to 2020 accepted any stonewall as long as the phases were long enough.
  const bool stonewall = result.implementation != "io-500-dev";
  auto shorter = too_short(all, official_s, stonewall);
  const bool student = shorter && student_rules(evidence);
  if (student) shorter = too_short(all, student_s, stonewall);
  if (shorter) {
    if (!student)
      shorter->text +=
          "; 30 s are for the Student Cluster Competition alone, where scc = TRUE is known to be set";
    return *shorter;
  }
  if (result.fact("SCORE.SCORE") == nullptr) return unknown("the log has no score");
  const std::string times = write_times(all);
  std::string missing;
  for (const Write& write : all)
    if (!write.time) append(missing, write.phase);
  if (!missing.empty())
    return unknown(fmt::format("the log does not print how long {} took", missing), times);
  std::string text = student ? "by the rules of the Student Cluster Competition" : "";
  if (const Fact* complaint = result.fact("error_invalid"))
    text = fmt::format("the program complains '{}' and does not hold it against the score", complaint->value);
  return passed(times + " s", score_line(result), text);
}

constexpr std::array io500_phases_table = {
    Rule{"IO5-01", Severity::validity, "All twelve phases ran, in the official order",
         "IO500, rules for submission; src/phase-definitions.h", all_phases},
    Rule{"IO5-02", Severity::validity,
         "The four write phases last 300 s with a stonewall of 300 s, and nothing is marked invalid",
         "IO500, rules for submission; src/main.c", io500_own_check},
};

}  // namespace

std::span<const Rule> io500_phase_rules() {
  return io500_phases_table;
}

bool io500_only_short(const ParsedResult& result) {
  static constexpr std::array<std::string_view, 3> of_time = {"stonewall-time ", "Runtime ",
                                                              "Write phase needed "};
  if (result.fact("unofficial") != nullptr) return false;
  bool complained = false;
  for (const Fact& fact : result.facts) {
    if (fact.name != "error_invalid") continue;
    complained = true;
    if (std::none_of(of_time.begin(), of_time.end(),
                     [&](std::string_view start) { return fact.value.starts_with(start); }))
      return false;
  }
  const Fact* mark = result.fact("SCORE.mark");
  bool marked = mark != nullptr && mark->value == "INVALID";
  for (const Phase& phase : result.phases) {
    if (!phase.scored || phase.valid) continue;
    marked = true;
    const Io500Official* official = io500_official_phase(phase.name);
    if (official == nullptr || !official->write) return false;
  }
  return complained || !marked;  // a mark without a reason may mean anything
}

}  // namespace shakedown
