#include "orchestrator/cli/support/progress.hpp"

#include <algorithm>
#include <cmath>
#include <iostream>
#include <nlohmann/json.hpp>

#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

const Prediction* predicted_time(const Case& planned) {
  for (const Prediction& prediction : planned.predicted)
    if (prediction.metric == "wall_time_s" || prediction.metric == "time_s") return &prediction;
  return nullptr;
}

/// `━━━━━━──── 58 %` of the predicted time; never more than full.
std::string bar(double share) {
  constexpr int width = 20;
  const int full = std::clamp(static_cast<int>(share * width), 0, width);
  std::string text;
  for (int i = 0; i < width; ++i) text += i < full ? "━" : "─";
  return text;
}

std::string expectation(const Event& event) {
  const Prediction* time = predicted_time(*event.planned);
  if (time == nullptr || time->value <= 0) return "";
  if (event.elapsed_s > time->high)
    return fmt::format("  past its prediction of {}", duration_text(time->high));
  return fmt::format("  {} of about {}", bar(event.elapsed_s / time->value), duration_text(time->value));
}

/// The metric that stands for the result.
const Metric* main_metric(const ParsedResult& parsed) {
  for (const std::string_view name : {"rmax_gflops", "fp64_gflops", "triad_mb_s", "rating_gflops", "score"})
    if (const Metric* metric = parsed.metric(name)) return metric;
  return parsed.metrics.empty() ? nullptr : &parsed.metrics.front();
}

}  // namespace

std::string attempt_text(const AttemptRecord& attempt) {
  std::string text;
  for (const ResultRecord& result : attempt.results) {
    const Metric* metric = main_metric(result.parsed);
    if (metric == nullptr || !result.parsed.complete) continue;
    if (!text.empty()) text += ", ";
    text += metric->name.ends_with("_gflops") ? flops_text(metric->value)
                                              : fmt::format("{} {}", metric->name, number(metric->value));
    text += fmt::format("  {}", to_string(result.validity));
  }
  if (!attempt.failure.empty()) text += (text.empty() ? "" : "  ") + attempt.failure;
  if (text.empty())
    text = fmt::format("{}, exit code {}", to_string(attempt.state), attempt.exit_code.value_or(0));
  return text;
}

Progress::Progress(const CommonOptions& common, const std::string& json_events) : terminal_(common) {
  if (json_events == "-") {
    events_ = &std::cout;
  } else if (!json_events.empty()) {
    file_.open(json_events, std::ios::app);
    events_ = &file_;
  }
}

bool Progress::events_written() const {
  return events_ == nullptr || static_cast<bool>(*events_);
}

void Progress::show(const Event& event) {
  if (events_ != nullptr) write_json(event);
  if (terminal_.talks()) show_text(event);
}

void Progress::write_json(const Event& event) {
  nlohmann::ordered_json line;
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
  if (event.ended != nullptr) {
    line["state"] = to_string(event.ended->state);
    if (event.ended->exit_code) line["exit_code"] = *event.ended->exit_code;
    for (const ResultRecord& result : event.ended->results) {
      line["validity"] = to_string(result.validity);
      for (const Metric& metric : result.parsed.metrics)
        if (std::isfinite(metric.value)) line["metrics"][metric.name] = metric.value;
    }
    if (!event.ended->failure.empty()) line["failure"] = event.ended->failure;
  }
  *events_ << line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
}

void Progress::line(const std::string& full, bool keep) {
  const std::string text = shown(full);
  if (terminal_.redraws()) {
    // No line wrap while it is redrawn: a wrapped line could not be wiped.
    std::cerr << "\r\x1b[K" << (keep ? "" : "\x1b[?7l") << text << (keep ? "" : "\x1b[?7h")
              << (keep ? "\n" : "") << std::flush;
    return;
  }
  std::cerr << text << "\n";
}

void Progress::show_text(const Event& event) {
  const std::string place =
      event.planned == nullptr ? "" : fmt::format("{}/{} {}", event.number, event.of, event.planned->id);
  const bool redraw = terminal_.redraws();
  switch (event.kind) {
    case Event::Kind::case_started:
      last_heartbeat_s_ = 0;
      if (event.of > 20 && !redraw) break;  // hundreds of short cases: their ends are enough
      line(terminal_.dim(event.adopted ? "[ADOPT]" : "[ RUN ]") + " " + place +
               (event.attempt > 1 ? fmt::format("  attempt {}", event.attempt) : ""),
           !redraw);
      break;
    case Event::Kind::case_running:
      if (redraw) {
        line(
            (stopping_ ? terminal_.bad("[STOP ]") : terminal_.dim("[ RUN ]")) +
                fmt::format(" {}  {}{}", place, duration_text(std::floor(event.elapsed_s)),
                            stopping_ ? "  stopping; Ctrl-C once more kills it at once" : expectation(event)),
            false);
      } else if (event.elapsed_s - last_heartbeat_s_ >= 60) {
        last_heartbeat_s_ = event.elapsed_s;
        line(fmt::format("{} {} running elapsed={:.0f}s", utc_text(now_s()), event.planned->id,
                         event.elapsed_s),
             true);
      }
      break;
    case Event::Kind::case_ended: {
      const AttemptRecord& attempt = *event.ended;
      const bool clean = attempt.state == AttemptState::finished && attempt.failure.empty();
      line((clean ? terminal_.good("[ END ]") : terminal_.bad("[ !!! ]")) +
               fmt::format(" {}{}  {}", place, attempt.wall_s > 0 ? "  " + duration_text(attempt.wall_s) : "",
                           attempt_text(attempt)),
           true);
      break;
    }
    case Event::Kind::case_skipped:
      line(terminal_.dim("[ HAS ]") + " " + place + "  finished before", true);
      break;
    case Event::Kind::case_again:
      line(terminal_.bad("[AGAIN]") + fmt::format(" {}  {}", place, event.text), true);
      break;
    case Event::Kind::case_given_up:
      line(terminal_.bad("[ !!! ]") + fmt::format(" {}  not run: {}", place, event.text), true);
      break;
    case Event::Kind::case_replanned:
      line(terminal_.bad("[ NEW ]") + fmt::format(" {}  {}", place, event.text), true);
      break;
    case Event::Kind::job_submitted:
      if (!event.text.starts_with("pid "))
        line(terminal_.dim("[ JOB ]") + fmt::format(" {} is {} on {}", event.job, event.text, event.hosts),
             true);
      break;
    case Event::Kind::job_waiting:
      line(terminal_.dim("[ WAIT]") + fmt::format(" {} for {}: {}", event.job, event.hosts, event.text),
           true);
      break;
    case Event::Kind::node_excluded:
      line(terminal_.bad("[ OUT ]") + fmt::format(" {} gets no more work: {}", event.hosts, event.text),
           true);
      break;
    case Event::Kind::node_unavailable:
      line(terminal_.bad("[ OUT ]") + fmt::format(" {} is left out: {}", event.hosts, event.text), true);
      break;
    case Event::Kind::interrupted:
      stopping_ = true;
      line(terminal_.bad("stopping") +
               (event.planned == nullptr
                    ? std::string()
                    : fmt::format(" {}; once more to kill it at once", event.planned->id)),
           true);
      break;
  }
}

}  // namespace shakedown
