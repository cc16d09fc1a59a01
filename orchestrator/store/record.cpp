#include "orchestrator/store/record.hpp"

#include <fmt/format.h>
#include <array>
#include <bit>
#include <cmath>
#include <set>
#include <utility>

#include "orchestrator/core/hash.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

constexpr std::array<std::pair<AttemptState, std::string_view>, 8> attempt_states = {{
    {AttemptState::running, "running"},
    {AttemptState::finished, "finished"},
    {AttemptState::timed_out, "timed-out"},
    {AttemptState::interrupted, "interrupted"},
    {AttemptState::lost, "lost"},
    {AttemptState::cancelled, "cancelled"},
    {AttemptState::not_started, "not-started"},
    {AttemptState::imported, "imported"},
}};

}  // namespace

std::string_view to_string(AttemptState state) {
  for (const auto& [value, text] : attempt_states)
    if (value == state) return text;
  return "running";
}

std::optional<AttemptState> attempt_state(std::string_view text) {
  for (const auto& [value, name] : attempt_states)
    if (name == text) return value;
  return std::nullopt;
}

bool is_done(AttemptState state) {
  return state == AttemptState::finished || state == AttemptState::timed_out;
}

bool is_without_end(AttemptState state) {
  return state == AttemptState::lost || state == AttemptState::cancelled;
}

std::string_view to_string(CampaignState state) {
  switch (state) {
    case CampaignState::planned:
      return "planned";
    case CampaignState::running:
      return "running";
    case CampaignState::interrupted:
      return "interrupted";
    case CampaignState::finished:
      return "finished";
  }
  return "planned";
}

namespace {

/// Lines of a name and values; each text is led by its length, so that no text can look like another line.
class Canonical {
 public:
  template <class... Values>
  void line(std::string_view name, const Values&... values) {
    text_ += name;
    (add(values), ...);
    text_ += '\n';
  }
  [[nodiscard]] std::string hash() const { return sha256(text_); }

 private:
  void add(std::string_view value) {
    text_ += ' ';
    text_ += fmt::format_int(value.size()).c_str();
    text_ += ':';
    text_ += value;
  }
  void add(const std::string& value) { add(std::string_view(value)); }
  void add(std::int64_t value) {
    text_ += ' ';
    text_ += fmt::format_int(value).c_str();
  }
  void add(int value) { add(std::int64_t{value}); }
  void add(bool value) { add(std::int64_t{value ? 1 : 0}); }
  void add(double value) {
    if (std::isnan(value))
      text_ += " nan";
    else
      fmt::format_to(std::back_inserter(text_), " {:016x}", std::bit_cast<std::uint64_t>(value));
  }
  template <class T>
  void add(const std::optional<T>& value) {
    if (value)
      add(*value);
    else
      text_ += " -";
  }

  std::string text_;
};

void add_result(Canonical& text, const ResultRecord& result) {
  const ParsedResult& parsed = result.parsed;
  text.line("result", parsed.suite, parsed.implementation, parsed.version, parsed.complete,
            to_string(result.validity), parsed.reason, result.file);
  for (const Metric& metric : parsed.metrics) text.line("metric", metric.name, metric.value, metric.line);
  for (const Parameter& parameter : parsed.parameters)
    text.line("parameter", parameter.name, static_cast<int>(parameter.value.index()),
              value_text(parameter.value));
  for (const Fact& fact : parsed.facts) text.line("fact", fact.name, fact.value, fact.line);
  for (const Phase& phase : parsed.phases)
    text.line("phase", phase.name, phase.value, phase.unit, phase.time_s, phase.valid, phase.scored,
              phase.line);
  for (const std::string& warning : parsed.warnings) text.line("warning", warning);
  for (const RuleResult& rule : result.rules)
    text.line("rule", rule.id, rule.title, rule.source, static_cast<int>(rule.severity),
              to_string(rule.status), rule.value, rule.line, rule.text);
}

void add_node(Canonical& text, const NodeState& node) {
  text.line("node", node.node, node.before_s, node.after_s, node.other_processes.has_value());
  for (const NodeReading& reading : node.readings)
    text.line("reading", reading.device, reading.name, reading.before, reading.after);
  if (!node.other_processes) return;
  for (const OtherProcess& each : *node.other_processes)
    text.line("other_process", each.pid, each.user, each.command, each.job, each.cores);
}

}  // namespace

std::string record_sha256(const AttemptRecord& attempt) {
  Canonical text;
  text.line("attempt", attempt.index, to_string(attempt.state), attempt.exit_code, attempt.signal,
            attempt.started_s, attempt.finished_s, attempt.wall_s, attempt.host, attempt.run_folder,
            attempt.failure, attempt.hosts, attempt.job, attempt.program, attempt.program_sha256);
  if (attempt.failure_kind) text.line("failure", to_string(*attempt.failure_kind));
  if (attempt.conditions) {
    const Conditions& at = *attempt.conditions;
    text.line("conditions", at.cores, at.steal_ratio, at.foreign_cores, at.job_cores, at.load_before);
  }
  for (const FileRecord& file : attempt.files) text.line("file", file.name, file.sha256, file.bytes);
  for (const ResultRecord& result : attempt.results) add_result(text, result);
  for (const NodeState& node : attempt.nodes) add_node(text, node);
  return text.hash();
}

std::string excerpts_sha256(const AttemptRecord& attempt) {
  Canonical excerpts;
  for (const FileRecord& file : attempt.files) excerpts.line("excerpt", file.name, file.excerpt);
  return excerpts.hash();
}

RecordHash record_hash(const AttemptRecord& attempt) {
  return {record_sha256(attempt), excerpts_sha256(attempt)};
}

std::vector<std::string> planned_nodes(const CampaignRecord& campaign) {
  std::set<std::string> nodes;
  for (const CaseRecord& record : campaign.cases)
    if (const auto hosts = expanded_hostlist(record.planned.hosts))
      nodes.insert(hosts->begin(), hosts->end());
  return {nodes.begin(), nodes.end()};
}

std::string criteria_sha256(const CriteriaRevision& criteria) {
  return criteria.given_sha256.empty() ? sha256(criteria.text) : criteria.given_sha256;
}

}  // namespace shakedown
