#include "orchestrator/cli/text/event_json.hpp"

#include <cmath>

#include "orchestrator/core/time.hpp"

namespace shakedown {
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

}  // namespace shakedown
