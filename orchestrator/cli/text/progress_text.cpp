#include "orchestrator/cli/text/progress_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {

std::string clock_text(double seconds) {
  const auto whole = static_cast<std::int64_t>(std::floor(std::max(0.0, seconds)));
  const std::int64_t hours = whole / 3600;
  if (hours == 0) return fmt::format("{}:{:02}", whole / 60, whole % 60);
  if (hours < 24) return fmt::format("{}:{:02}:{:02}", hours, whole / 60 % 60, whole % 60);
  return fmt::format("{}d {:02}:{:02}:{:02}", hours / 24, hours % 24, whole / 60 % 60, whole % 60);
}

std::string node_hours_number(double node_hours) {
  const int decimals = node_hours < 1 ? 3 : node_hours < 100 ? 2 : 0;
  return fmt::format("{:.{}f}", std::max(0.0, node_hours), decimals);
}

std::string hours_left_text(const NodeHours& hours) {
  if (hours.left <= 0 && hours.unknown == 0) return "none to come";
  if (hours.left <= 0) return fmt::format("{} of unknown length left", plural(hours.unknown, "case"));
  const std::string left =
      fmt::format("{} {}", hours.at_most ? "at most about" : "about", node_hours_number(hours.left));
  if (hours.unknown == 0) return left + " left";
  return fmt::format("{} left beside {} of unknown length", left, plural(hours.unknown, "case"));
}

std::string time_left_text(const TimeLeft& left) {
  if (left.seconds < 1) return "";
  const bool more = left.overdue > 0 || left.unknown > 0;
  const std::string_view how = more ? "more than" : left.at_most ? "at most about" : "about";
  return fmt::format("{} {} left", how, clock_text(left.seconds));
}

std::string counts_text(const CampaignProgress& progress) {
  std::string text = fmt::format("{} of {} done", progress.done, plural(progress.cases, "case"));
  const auto add = [&](int count, std::string_view what) {
    if (count > 0) text += fmt::format(", {} {}", count, what);
  };
  add(progress.failed, "failed");
  add(progress.not_run, "not run");
  add(static_cast<int>(progress.running.size()), "running");
  add(progress.waiting, "waiting");
  return text;
}

std::string waiting_text(const WaitingCases& group) {
  std::string who = group.cases == 1 ? group.first : plural(group.cases, "case");
  if (group.queued && group.jobs > 0) {
    if (group.jobs == 1)
      who += group.cases == 1 ? fmt::format(" (job {})", group.first_job)
                              : fmt::format(" in job {}", group.first_job);
    else
      who += fmt::format(" in {} jobs", group.jobs);
  }
  std::string text = fmt::format("{}: {}", who, group.reason);
  // Behind a job without a time limit Slurm expects it in a year.
  constexpr double month_s = 30 * 86400.0;
  if (group.start_s && *group.start_s > now_s() && *group.start_s < now_s() + month_s)
    text += fmt::format(", expected to start at {}", utc_text(*group.start_s));
  return text;
}

std::string past_text(const RunningCase& running) {
  if (running.past_s() <= 0) return "";
  return fmt::format("past its prediction of {} by {}", clock_text(running.predicted_high_s),
                     clock_text(running.past_s()));
}

std::string heartbeat_text(const CampaignProgress& progress) {
  std::string text = fmt::format("{}; {}", counts_text(progress), clock_text(progress.elapsed_s));
  if (const std::string left = time_left_text(progress.time_left); !left.empty()) text += ", " + left;
  text += fmt::format("; node-hours: {} spent, {}", node_hours_number(progress.node_hours.spent),
                      hours_left_text(progress.node_hours));
  if (!progress.running.empty()) {
    const RunningCase& longest = progress.running.front();
    text += fmt::format("; longest: {} {}", longest.id, clock_text(longest.elapsed_s));
    if (longest.past_s() > 0)
      text += ", " + past_text(longest);
    else if (longest.predicted_s > 0)
      text += fmt::format(" of about {}", clock_text(longest.expected_s()));
  }
  constexpr std::size_t most = 4;
  for (std::size_t i = 0; i < std::min(most, progress.waits.size()); ++i)
    text += (i == 0 ? "; waiting: " : "; ") + waiting_text(progress.waits[i]);
  if (progress.waits.size() > most)
    text += fmt::format("; and {} for other reasons", progress.waits.size() - most);
  if (progress.stopping) text += "; stopping";
  return text;
}

namespace {

using Json = nlohmann::ordered_json;

Json running_json(const RunningCase& running) {
  Json one;
  one["case"] = running.id;
  one["attempt"] = running.attempt;
  one["nodes"] = running.nodes;
  if (!running.hosts.empty()) one["hosts"] = running.hosts;
  if (!running.job.empty()) one["job"] = running.job;
  one["elapsed_s"] = running.elapsed_s;
  if (running.predicted_s > 0) one["predicted_s"] = running.predicted_s;
  if (running.past_s() > 0) one["past_prediction_s"] = running.past_s();
  if (running.time_limit_s > 0) one["time_limit_s"] = running.time_limit_s;
  return one;
}

Json waiting_json(const WaitingCases& group) {
  Json one;
  one["reason"] = group.reason;
  one["queued"] = group.queued;
  one["cases"] = group.cases;
  if (group.jobs > 0) one["jobs"] = group.jobs;
  one["first"] = group.first;
  if (group.start_s) one["expected_start"] = utc_text(*group.start_s);
  return one;
}

void add_end(Json& line, const AttemptRecord& ended) {
  line["state"] = to_string(ended.state);
  if (ended.exit_code) line["exit_code"] = *ended.exit_code;
  for (const ResultRecord& result : ended.results) {
    line["validity"] = to_string(result.validity);
    for (const Metric& metric : result.parsed.metrics)
      if (std::isfinite(metric.value)) line["metrics"][metric.name] = metric.value;
  }
  if (!ended.failure.empty()) line["failure"] = ended.failure;
}

}  // namespace

Json campaign_progress_json(const CampaignProgress& progress) {
  Json document;
  document["cases"] = {{"all", progress.cases},
                       {"done", progress.done},
                       {"failed", progress.failed},
                       {"not_run", progress.not_run},
                       {"running", progress.running.size()},
                       {"waiting", progress.waiting}};
  const NodeHours& hours = progress.node_hours;
  document["node_hours"] = {{"spent", hours.spent},
                            {"left", hours.left},
                            {"left_is_at_most", hours.at_most},
                            {"cases_of_unknown_length", hours.unknown}};
  const TimeLeft& left = progress.time_left;
  if (left.seconds > 0) document["left_s"] = left.seconds;
  document["running"] = Json::array();
  for (const RunningCase& running : progress.running) document["running"].push_back(running_json(running));
  document["waiting"] = Json::array();
  for (const WaitingCases& group : progress.waits) document["waiting"].push_back(waiting_json(group));
  return document;
}

Json event_json(const Event& event) {
  Json line;
  line["v"] = 1;
  line["t"] = utc_text(now_s());
  line["event"] = to_string(event.kind);
  if (event.planned != nullptr) {
    line["case"] = event.planned->id;
    line["number"] = event.number;
  }
  line["of"] = event.of;
  if (event.attempt > 0) line["attempt"] = event.attempt;
  if (!event.job.empty()) line["job"] = event.job;
  if (!event.hosts.empty()) line["hosts"] = event.hosts;
  if (!event.text.empty()) line["text"] = event.text;
  if (event.adopted) line["adopted"] = true;
  if (event.elapsed_s > 0) line["elapsed_s"] = event.elapsed_s;
  if (event.ended != nullptr) add_end(line, *event.ended);
  if (event.progress != nullptr) {
    line["elapsed_s"] = event.progress->elapsed_s;
    line.update(campaign_progress_json(*event.progress));
  }
  return line;
}

namespace {

bool invalidates(const RuleResult& rule) {
  return rule.severity == Severity::validity && rule.status == RuleStatus::fail;
}

/// Whether nothing is wrong but that it did not run long enough.
bool only_short(const ResultRecord& result) {
  CampaignRecord screening;
  screening.kind = "screening";
  return valid_but_for_length(screening, result);
}

/// The metric that represents the result: its suite's best known that the log has; of a run that was too
/// short for those the one that the report shows.
const Metric* main_metric(const ResultRecord& result, const CampaignRecord& campaign) {
  const ParsedResult& parsed = result.parsed;
  if (const SuiteFacts* facts = suite_facts(parsed.suite)) {
    std::array order = {facts->headlines, facts->short_headlines};
    if (valid_but_for_length(campaign, result)) std::ranges::reverse(order);
    for (const std::span<const Headline> headlines : order)
      for (const Headline& each : headlines)
        if (const Metric* metric = parsed.metric(each.metric)) return metric;
  }
  return parsed.metrics.empty() ? nullptr : &parsed.metrics.front();
}

std::string validity_text(const ResultRecord& result, const CampaignRecord& campaign) {
  const auto broken = std::ranges::find_if(result.rules, invalidates);
  if (result.validity != Validity::invalid || broken == result.rules.end()) {
    const auto missed = std::ranges::find_if(
        result.rules, [&](const RuleResult& rule) { return short_by_design(campaign, result, rule); });
    return fmt::format("{}{}", to_string(result.validity),
                       missed == result.rules.end() ? ""
                                                    : fmt::format(", short of the official rules: {}",
                                                                  rule_name(missed->id, missed->title)));
  }
  if (!only_short(result)) return fmt::format("invalid by {}", rule_name(broken->id, broken->title));
  return fmt::format("{}: {}",
                     is_screening(campaign) ? correct_but_short(result.parsed.suite)
                                            : std::string("invalid, short of the official rules"),
                     rule_name(broken->id, broken->title));
}

/// "HPL"; of shakedown's own programs "HPL-like solver", which are never called by the official name.
std::string program_title(const ParsedResult& result) {
  const SuiteFacts* facts = suite_facts(result.suite);
  if (result.implementation != "reference" || facts == nullptr || facts->own_title.empty())
    return suite_title(result.suite);
  return std::string(facts->own_title.substr(0, facts->own_title.find(" (")));
}

}  // namespace

std::string attempt_text(const AttemptRecord& attempt, const CampaignRecord& campaign) {
  std::string text;
  for (const ResultRecord& result : attempt.results) {
    const Metric* metric = main_metric(result, campaign);
    if (metric == nullptr || !result.parsed.complete) continue;
    if (!text.empty()) text += ", ";
    text += fmt::format("{} {} ", program_title(result.parsed), metric_title(metric->name));
    text += metric_text(metric->name, metric->value);
    text += "  " + validity_text(result, campaign);
  }
  if (!attempt.failure.empty()) text += (text.empty() ? "" : "  ") + attempt.failure;
  if (text.empty())
    text = fmt::format("{}, exit code {}", to_string(attempt.state), attempt.exit_code.value_or(0));
  return text;
}

}  // namespace shakedown
