#include "parsers/io500/result.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/io500/config.hpp"
#include "parsers/io500/phases.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

void add_io500_fact(ParsedResult& result, std::string name, const Io500Text& text) {
  if (text.line != 0) result.facts.push_back({std::move(name), text.text, text.line});
}

/// Adds the metric; a text that is no finite number gives a warning instead.
std::optional<double> add_metric(ParsedResult& result, std::string name, const Io500Text& text) {
  if (text.line == 0) return std::nullopt;
  const auto value = finite_number(text.text);
  if (value)
    result.metrics.push_back({std::move(name), *value, text.line});
  else
    result.warnings.push_back(fmt::format("line {}: '{}' is no number", text.line, text.text));
  return value;
}

void add_score(ParsedResult& result, const Io500Score& score, std::string_view section, bool official) {
  if (score.line == 0) return;
  const std::array<std::pair<const char*, const Io500Text*>, 3> values = {
      {{"score", &score.SCORE}, {"bandwidth_gib_s", &score.BW}, {"iops_kiops", &score.MD}}};
  for (const auto& [name, text] : values)
    add_metric(result, official ? name : fmt::format("extended_{}", name), *text);
  add_io500_fact(result, fmt::format("{}.SCORE", section), score.SCORE);
  add_io500_fact(result, fmt::format("{}.BW", section), score.BW);
  add_io500_fact(result, fmt::format("{}.MD", section), score.MD);
  add_io500_fact(result, fmt::format("{}.hash", section), score.hash);
  if (!score.mark.empty()) add_io500_fact(result, fmt::format("{}.mark", section), {score.mark, score.line});
}

/// `cached`: the phase may have been answered from a client's memory. Its metric then has another name: it
/// compares with nothing.
void add_phase(ParsedResult& result, const Io500Phase& phase, bool cached) {
  for (const auto& [key, text] : phase.keys) add_io500_fact(result, phase.name + "." + key, text);
  add_io500_fact(result, phase.name + ".score", phase.score);
  add_io500_fact(result, phase.name + ".time", phase.time);
  const bool dummy = phase.name == "timestamp";
  if (phase.score.line == 0 && (!dummy || phase.time.line == 0)) return;
  const std::string unit(io500_unit_of_phase(phase.name));
  Phase printed = {phase.name, 0, unit, 0, !phase.invalid, io500_official_phase(phase.name) != nullptr,
                   phase.line};
  if (!dummy) {
    const auto value =
        add_metric(result, (cached ? "cached_" : "") + io500_metric(phase.name, unit), phase.score);
    if (!value) return;
    printed.value = *value;
  }
  if (phase.time.line != 0 && !dummy) {
    if (const auto time = add_metric(result, io500_metric(phase.name, "time_s"), phase.time))
      printed.time_s = *time;
  } else if (const auto time = finite_number(phase.time.text)) {
    printed.time_s = *time;
  }
  result.phases.push_back(std::move(printed));
}

void add_parameter(ParsedResult& result, std::string name, std::optional<std::string_view> text) {
  if (!text || text->empty() || find_parameter(result.parameters, name) != nullptr) return;
  if (const auto whole = parsed_integer(*text))
    result.parameters.push_back({std::move(name), *whole});
  else
    result.parameters.push_back({std::move(name), std::string(*text)});
}

/// Adds the sizes from the command lines of the write phases.
void add_sizes(ParsedResult& result) {
  const auto command = [&](std::string_view phase) -> std::string_view {
    const Fact* fact = result.fact(std::string(phase) + ".exe");
    return fact == nullptr ? std::string_view() : std::string_view(fact->value);
  };
  const std::string_view easy = command("ior-easy-write");
  const std::string_view hard = command("ior-hard-write");
  const std::string_view easy_files = command("mdtest-easy-write");
  const std::string_view hard_files = command("mdtest-hard-write");
  add_parameter(result, "block_size", io500_option_value(easy, "-b"));
  add_parameter(result, "transfer_size", io500_option_value(easy, "-t"));
  add_parameter(result, "segment_count", io500_option_value(hard, "-s"));
  add_parameter(result, "mdtest_easy_n", io500_option_value(easy_files, "-n"));
  add_parameter(result, "mdtest_hard_n", io500_option_value(hard_files, "-n"));
  for (const auto& [line, option] : {std::pair(easy, "-D"), std::pair(hard, "-D"),
                                     std::pair(easy_files, "-W"), std::pair(hard_files, "-W")})
    add_parameter(result, "stonewall_s", io500_option_value(line, option));
}

void add_text_parameter(ParsedResult& result, const char* name, const Io500Text& text) {
  if (text.line != 0 && !text.text.empty()) result.parameters.push_back({name, text.text});
}

void add_run(ParsedResult& result, const Io500Session& session) {
  const auto said = [&](const std::string& key) {
    const auto it = session.run.find(key);
    return it == session.run.end() ? Io500Text() : it->second;
  };
  result.version = said("version").text;
  for (const char* key : {"version", "config-hash", "result-dir", "start", "end", "dropped caches",
                          "io500_rules", "io500_stonewall_timer", "io500_clean_cache", "date"})
    add_io500_fact(result, key, said(key));
  add_parameter(result, "procs", said("procs").text);
  add_text_parameter(result, "mode", said("mode"));
  for (const char* key : {"io500_info_num_client_nodes", "clients"})
    if (const auto clients = positive_integer(said(key).text))
      result.parameters.push_back({"clients", *clients});
  for (const Io500Official& phase : io500_official)
    if (const Io500Text command = said("command " + std::string(phase.name)); command.line != 0)
      result.facts.push_back({std::string(phase.name) + ".exe", command.text, command.line});
  add_sizes(result);
  add_text_parameter(result, "config_hash", said("config-hash"));
  add_text_parameter(result, "score_hash", session.score.hash);
}

/// Why the run has no score; empty: it has one.
std::string lack(const Io500Session& session, const ParsedResult& result) {
  const bool extended = find_parameter(result.parameters, "mode") != nullptr &&
                        value_text(*find_parameter(result.parameters, "mode")) == "extended";
  const auto official = std::count_if(result.phases.begin(), result.phases.end(),
                                      [](const Phase& phase) { return phase.scored; });
  if (session.score.line == 0 || (session.keyed && session.score.hash.line == 0) ||
      (extended && session.extended.line == 0)) {
    if (session.failure) return session.failure->text;
    const std::string where =
        session.open_phase.line != 0
            ? fmt::format("in phase {} (line {})", session.open_phase.text, session.open_phase.line)
            : fmt::format("after {} of the 12 phases", official);
    const char* before = session.score.line == 0                  ? "the score"
                         : session.extended.line == 0 && extended ? "the score of the extended run"
                                                                  : "the score's hash";
    return fmt::format(
        "the log ends at line {} {}, before {}{}", session.last_line, where, before,
        session.unofficial.line == 0
            ? ""
            : fmt::format("; line {} reads '{}'", session.unofficial.line, session.unofficial.text));
  }
  if (result.metric("score") == nullptr)
    return fmt::format("line {}: the score is no number", session.score.line);
  if (official == 0)
    return fmt::format("line {}: a score without the phases that it is made of", session.score.line);
  return "";
}

}  // namespace

ParsedResult io500_result(const Io500Session& session) {
  ParsedResult result;
  result.suite = "io500";
  add_score(result, session.score, "SCORE", true);
  add_score(result, session.extended, "SCOREX", false);
  for (const Io500Phase& phase : session.phases)
    add_phase(result, phase,
              std::any_of(session.cached.begin(), session.cached.end(),
                          [&](const Io500Text& cached) { return cached.text == phase.name; }));
  add_run(result, session);
  const bool reference = session.reference || result.version.find("shakedown") != std::string::npos;
  result.implementation = reference ? "reference" : session.scripts ? "io-500-dev" : "official";
  result.facts.push_back({"source",
                          session.keyed    ? "result.txt"
                          : session.output ? "standard output"
                                           : "result_summary.txt",
                          session.first_line});
  for (const Io500Text& words : session.invalid) add_io500_fact(result, "error_invalid", words);
  for (const Io500Text& phase : session.skipped) add_io500_fact(result, "skipped", phase);
  for (const Io500Text& phase : session.cached) add_io500_fact(result, "cached", phase);
  add_io500_fact(result, "unofficial", session.unofficial);
  add_io500_fact(result, "second_score", session.second_score);
  add_io500_fact(result, "decimal_unit", session.decimal_unit);
  result.reason = lack(session, result);
  result.complete = result.reason.empty();
  return result;
}

}  // namespace shakedown
