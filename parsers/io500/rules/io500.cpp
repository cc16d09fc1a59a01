#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <iterator>
#include <string>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/value.hpp"
#include "parsers/io500/config.hpp"
#include "parsers/io500/rules/rules.hpp"
#include "parsers/number.hpp"

namespace shakedown::rules {
namespace {

std::vector<RuleResult> judge_io500(const Evidence& evidence, std::vector<RuleResult> room) {
  std::vector<RuleResult> results =
      applied({io500_phase_rules(), io500_identity_rules(), io500_hash_rules(), io500_run_rules()}, evidence,
              std::move(room));
  std::stable_sort(results.begin(), results.end(),
                   [](const RuleResult& a, const RuleResult& b) { return a.id < b.id; });
  return results;
}

constexpr std::array<std::string_view, 5> io500_of_list = {"IO5-01", "IO5-02", "IO5-04", "IO5-05", "IO5-07"};

/// 300 s of each write phase, and a stonewall of 300 s.
constexpr std::array io500_run_length = {RunLengthRule{"IO5-02", io500_only_short}};

}  // namespace

extern const RuleBook io500;
const RuleBook io500 = {.suite = "io500",
                        .own_check = "IO5-02",
                        .judge = judge_io500,
                        .run_length = io500_run_length,
                        .of_list = io500_of_list};

}  // namespace shakedown::rules

namespace shakedown {
namespace {}  // namespace

std::optional<Io500Printed> io500_printed(const ParsedResult& result, std::string_view fact) {
  const Fact* found = result.fact(fact);
  if (found == nullptr) return std::nullopt;
  const auto value = finite_number(found->value);
  if (!value) return std::nullopt;
  return Io500Printed{*value, half_unit(found->value) * (1 + 1e-9), found->line, found->value};
}

std::optional<std::string_view> io500_command(const ParsedResult& result, std::string_view phase) {
  const Fact* fact = result.fact(std::string(phase) + ".exe");
  if (fact == nullptr || fact->value.empty()) return std::nullopt;
  return fact->value;
}

std::int64_t io500_clients(const Evidence& evidence) {
  for (const char* name : {"clients", "nodes"})  // the latter by the output of a phase
    if (const auto clients = whole_parameter(evidence.result->parameters, name)) return *clients;
  return evidence.planned == nullptr ? 0 : evidence.planned->nodes;
}

std::string io500_planned_setting(const Evidence& evidence, std::string_view section, std::string_view key) {
  if (evidence.planned == nullptr) return {};
  std::string value;
  for (const TextFile& file : evidence.planned->files) {
    if (!file.name.ends_with(".ini")) continue;
    bool inside = false;
    for (const std::string_view whole : split(file.content, '\n')) {
      const std::string_view line = trimmed(whole);
      if (line.starts_with('[')) inside = lower(line) == lower("[" + std::string(section) + "]");
      const size_t equals = line.find('=');
      if (inside && equals != std::string_view::npos && lower(trimmed(line.substr(0, equals))) == lower(key))
        value = lower(trimmed(line.substr(equals + 1)));
    }
  }
  return value;
}

namespace {

Finding files_agree(const ParsedResult& result) {
  std::string differences;
  for (const Fact& fact : result.facts)
    if (fact.name == "mismatch")
      differences += fmt::format("{}{}", differences.empty() ? "" : "; ", fact.value);
  return checked(differences.empty(), differences, 0, "the files of one run contradict each other");
}

Finding score_hash(const ParsedResult& result) {
  std::string value;
  for (const bool extended : {false, true}) {
    const Fact* printed = result.fact(extended ? "SCOREX.hash" : "SCORE.hash");
    if (printed == nullptr) continue;
    const auto hashes = io500_score_hashes(result, extended);
    if (!hashes)
      return unknown("not all that the score's hash is made of is in the log", printed->value, printed->line);
    if (std::find(hashes->begin(), hashes->end(), printed->value) == hashes->end())
      return failed(
          fmt::format("{}; the values give {}", printed->value, hashes->front()), printed->line,
          "version, values or validity are not those that the program wrote: the score's hash differs");
    value += fmt::format("{}{}", value.empty() ? "score " : ", ", printed->value);
  }
  if (value.empty()) return unknown("only result.txt has the score's hash");
  return passed(value, result.fact("SCORE.hash") == nullptr ? 0 : result.fact("SCORE.hash")->line);
}

/// A section that config.ini must have and has not; empty: none. Every phase has its own, and our program
/// writes one more than it has phases.
std::string absent_section(const ParsedResult& result, std::string_view sections) {
  const auto there = words(sections);
  const auto lacks = [&](std::string_view name) {
    return std::find(there.begin(), there.end(), name) == there.end();
  };
  for (const Phase& phase : result.phases)
    if (lacks(phase.name)) return phase.name;
  constexpr const char* last = "ior-rnd4K-easy-read";
  return result.implementation == "reference" && lacks(last) ? last : "";
}

Finding config_hash(const ParsedResult& result) {
  const Fact* printed = result.fact("config-hash");
  if (printed == nullptr) return unknown("only result.txt has the configuration's hash");
  const Fact* hash = result.fact("config.hash");
  if (hash == nullptr)
    return unknown("the configuration's hash is made of config.ini, which is not beside the log",
                   fmt::format("configuration {}", printed->value), printed->line);
  const Fact* lack = result.fact("config.lack");
  const Fact* sections = result.fact("config.sections");
  std::string why = lack == nullptr ? "" : lack->value;
  if (const std::string absent = absent_section(result, sections == nullptr ? "" : sections->value);
      why.empty() && !absent.empty())
    why = fmt::format("it has no [{}]", absent);
  if (!why.empty())
    return unknown(
        fmt::format("config.ini is not all that the program wrote, of which the hash is made: {}", why),
        fmt::format("configuration {}", printed->value), printed->line);
  const bool same = std::any_of(result.facts.begin(), result.facts.end(), [&](const Fact& fact) {
    return fact.name == "config.hash" && fact.value == printed->value;
  });
  return same ? passed(fmt::format("configuration {}", printed->value), printed->line)
              : failed(fmt::format("{}; config.ini gives {}", printed->value, hash->value), printed->line,
                       "config.ini or its hash is not that which the program wrote: the hash of the "
                       "configuration differs");
}

Finding hash_identity(const Evidence& evidence) {
  const ParsedResult& result = *evidence.result;
  Finding agreement = files_agree(result);
  if (agreement.status == RuleStatus::fail) return agreement;
  Finding score = score_hash(result);
  if (score.status == RuleStatus::fail) return score;
  Finding config = config_hash(result);
  if (config.status == RuleStatus::fail) return config;
  if (result.fact("SCORE.hash") == nullptr && result.fact("config-hash") == nullptr) return score;
  const auto word = [](const Finding& finding, std::string_view what) {
    return finding.status == RuleStatus::pass ? fmt::format("the hash of the {} holds", what) : finding.text;
  };
  const bool both = score.status == RuleStatus::pass && config.status == RuleStatus::pass;
  return {both ? RuleStatus::pass : RuleStatus::unknown,
          score.value + (score.value.empty() || config.value.empty() ? "" : ", ") + config.value,
          score.line != 0 ? score.line : config.line,
          both ? "" : word(score, "score") + "; " + word(config, "configuration")};
}

constexpr std::array io500_hashes_table = {
    Rule{"IO5-05", Severity::validity,
         "The hashes of score and configuration follow from the values and from config.ini, and the run's "
         "files agree",
         "IO500, src/util.c, u_verify_result_files()", hash_identity},
};

}  // namespace

std::span<const Rule> io500_hash_rules() {
  return io500_hashes_table;
}

}  // namespace shakedown
