#include "orchestrator/cli/text/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <iostream>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/campaign/preflight.hpp"
#include "orchestrator/cli/text/live_block.hpp"
#include "orchestrator/cli/text/progress_text.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"

namespace shakedown {
namespace {

constexpr double first_heartbeat_s = 10;
constexpr double heartbeat_s = 60;
constexpr int many_cases = 20;  // from here on their ends are enough

/// The part of the window that the block may take: what ended stays in sight above it.
BlockShape block_shape() {
  const WindowSize size = window_size(STDERR_FILENO);
  return {std::max(1, size.columns - 1), std::max(1, size.rows * 2 / 3), locale_is_utf8()};
}

std::string painted(const Terminal& terminal, const BlockLine& line) {
  const bool bad = line.tone == BlockLine::Tone::bad;
  if (line.label.empty()) return terminal_text(bad ? terminal.bad(line.text) : Painted{{}, line.text});
  return terminal_text(bad ? terminal.bad(line.label) : terminal.dim(line.label)) + " " + line.text;
}

}  // namespace

bool HeartbeatClock::is_due(double now_s) {
  if (!next_s_) next_s_ = now_s + first_heartbeat_s;
  if (now_s < *next_s_) return false;
  next_s_ = now_s + heartbeat_s;
  return true;
}

Progress::Progress(const CommonOptions& common, const std::string& json_events) : terminal_(common) {
  const bool shared = json_events == "-" && ::isatty(STDOUT_FILENO) == 1;  // events would tear the block
  if (terminal_.talks() && terminal_.redraws() && !shared) block_.emplace(STDERR_FILENO);
  if (json_events == "-") {
    events_ = &std::cout;
  } else if (!json_events.empty()) {
    file_.open(json_events, std::ios::app);
    events_ = &file_;
  }
}

void Progress::end() {
  report_many();
  block_.reset();
}

bool Progress::events_written() const {
  return events_ == nullptr || static_cast<bool>(*events_);
}

void Progress::show(const Event& event) {
  const bool beat = event.kind == Event::Kind::heartbeat;
  if (events_ != nullptr && (!beat || json_clock_.is_due(steady_s())))
    *events_ << event_json(event).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) << std::endl;
  if (!terminal_.talks()) return;
  if (beat)
    show_progress(*event.progress);
  else
    show_text(event);
}

void Progress::line(const Painted& label, const std::string& text) {
  const std::string rest = (label.text.empty() || text.empty() ? "" : " ") + shown(one_line(text));
  if (block_)
    block_->print(terminal_text(label) + rest);
  else
    std::cerr << label << rest << "\n";
}

void Progress::report_many() {
  if (const int count = std::exchange(lacking_, 0); count > 0)
    line(terminal_.bad("[ !!! ]"),
         fmt::format("{} not run: preflight found that something is missing", plural(count, "case")));
  if (const GivenUp given = std::exchange(not_again_, {}); given.count > 0)
    line(terminal_.bad("[ !!! ]"),
         given.count == 1 ? fmt::format("{}  not measured again after all: {}", given.first, given.because)
                          : fmt::format("{} not measured again after all: {}", plural(given.count, "case"),
                                        given.because));
  if (const int count = std::exchange(finished_before_, 0); count > 0)
    line(terminal_.dim("[ HAS ]"), fmt::format("{} case{} finished before", count, count == 1 ? "" : "s"));
  if (const int count = std::exchange(adopted_, 0); count > 0)
    line(terminal_.dim("[ADOPT]"),
         count == 1 ? std::string("1 case that still runs") : fmt::format("{} cases that still run", count));
}

void Progress::show_progress(const CampaignProgress& progress) {
  report_many();
  beaten_ = true;
  if (block_) {
    std::vector<std::string> lines;
    for (const BlockLine& each : progress_block(progress, block_shape()))
      lines.push_back(painted(terminal_, each));
    block_->draw(lines);
  } else if (log_clock_.is_due(steady_s())) {
    line({}, fmt::format("{} {}", utc_text(now_s()), heartbeat_text(progress)));
  }
}

void Progress::show_text(const Event& event) {
  const bool many = event.of > many_cases;
  if (event.kind == Event::Kind::case_skipped && many && event.text.empty()) {
    ++finished_before_;
  } else if (event.kind == Event::Kind::case_given_up && event.text.starts_with(prerequisite_mark)) {
    ++lacking_;  // preflight has named it, once for all of its cases
  } else if (event.kind == Event::Kind::repeat_given_up) {
    if (not_again_.count > 0 && not_again_.because != event.text) report_many();
    if (not_again_.count++ == 0)
      not_again_ = {1, fmt::format("{}/{} {}", event.number, event.of, event.planned->id), event.text};
  } else if (event.kind == Event::Kind::case_started && event.adopted && (many || block_)) {
    if (!beaten_) ++adopted_;
  } else {
    const bool in_block = event.kind == Event::Kind::case_started || event.kind == Event::Kind::job_waiting;
    // The block shows it, or the heartbeats do.
    if ((in_block && (many || block_)) || (event.kind == Event::Kind::job_submitted && block_)) return;
    if (event.kind == Event::Kind::case_running) return;
    report_many();
    show_change(event);
  }
}

void Progress::show_change(const Event& event) {
  const std::string place =
      event.planned == nullptr ? "" : fmt::format("{}/{} {}", event.number, event.of, event.planned->id);
  switch (event.kind) {
    case Event::Kind::case_started:
      line(terminal_.dim(event.adopted ? "[ADOPT]" : "[ RUN ]"),
           place + (event.attempt > 1 ? fmt::format("  attempt {}", event.attempt) : ""));
      break;
    case Event::Kind::case_ended: {
      const AttemptRecord& attempt = *event.ended;
      const bool clean = attempt.state == AttemptState::finished && attempt.failure.empty();
      line(clean ? terminal_.good("[ END ]") : terminal_.bad("[ !!! ]"),
           fmt::format("{}{}  {}", place, attempt.wall_s > 0 ? "  took " + duration_text(attempt.wall_s) : "",
                       attempt_text(attempt, *event.campaign)));
      break;
    }
    case Event::Kind::case_skipped:
      line(event.text.empty() ? terminal_.dim("[ HAS ]") : terminal_.bad("[ !!! ]"),
           fmt::format("{}  {}", place, event.text.empty() ? "finished before" : event.text));
      break;
    case Event::Kind::case_again:
      line(terminal_.bad("[AGAIN]"), fmt::format("{}  {}", place, event.text));
      break;
    case Event::Kind::calm_awaited:
      line(terminal_.bad("[ WAIT]"), fmt::format("{}  {}", place, event.text));
      break;
    case Event::Kind::case_given_up:
      line(terminal_.bad("[ !!! ]"), fmt::format("{}  not run: {}", place, event.text));
      break;
    case Event::Kind::case_replanned:
      line(terminal_.bad("[ NEW ]"), fmt::format("{}  {}", place, event.text));
      break;
    case Event::Kind::job_submitted:
      if (!event.text.starts_with("pid "))
        line(terminal_.dim("[ JOB ]"),
             fmt::format("{} submitted as {}, on {}", event.job, event.text, event.hosts));
      break;
    case Event::Kind::job_waiting:
      line(terminal_.dim("[ WAIT]"), fmt::format("{} for {}: {}", event.job, event.hosts, event.text));
      break;
    case Event::Kind::job_refused:
      line(terminal_.bad("[ WAIT]"),
           fmt::format("{} for {} was refused: {}", event.job, event.hosts, event.text));
      break;
    case Event::Kind::node_excluded:
      line(terminal_.bad("[ OUT ]"), fmt::format("{} gets no more work: {}", event.hosts, event.text));
      break;
    case Event::Kind::node_unavailable:
      line(terminal_.bad("[ OUT ]"),
           fmt::format("{} gets no jobs from the batch system: {}", event.hosts, event.text));
      break;
    case Event::Kind::scheduler_silent:
      line(terminal_.bad("[ WAIT]"),
           fmt::format("the scheduler does not answer, and is asked again: {}", event.text));
      break;
    case Event::Kind::interrupted:
      line(terminal_.bad(event.text), "");
      break;
    case Event::Kind::repeat_given_up:  // `report_many`
    case Event::Kind::case_running:
    case Event::Kind::heartbeat:
      break;
  }
}

}  // namespace shakedown
