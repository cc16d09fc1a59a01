#include "orchestrator/campaign/stop_note.hpp"

#include <pwd.h>
#include <signal.h>
#include <unistd.h>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <utility>

#include "orchestrator/campaign/case_status.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/plan/run_file.hpp"

namespace shakedown {
namespace {

/// The user of this process; behind sudo also the one who called it.
std::string user_name() {
  const passwd* entry = ::getpwuid(::getuid());
  std::string name = entry == nullptr ? fmt::format("user {}", ::getuid()) : std::string(entry->pw_name);
  if (const char* caller = std::getenv("SUDO_USER"); caller != nullptr && *caller != '\0' && name != caller)
    name += fmt::format(" for {}", caller);
  return name;
}

}  // namespace

StopNote stop_note(std::string_view how) {
  return {user_name(), host_name(), std::string(how), now_s()};
}

std::string_view how_stopped(int signal) {
  if (signal == SIGTERM) return "SIGTERM";
  return signal == SIGHUP ? "hangup: its terminal was closed" : "Ctrl-C";
}

StopNote stop_note_of_check(std::string_view how) {
  return {"regress", host_name(), std::string(how), now_s()};
}

std::string to_string(const StopNote& note) {
  return fmt::format("stopped by {} on {} at {} ({})", note.by, note.host, utc_text(note.at_s), note.how);
}

std::string stop_note_json(const StopNote& note) {
  const nlohmann::ordered_json object = {
      {"by", note.by}, {"host", note.host}, {"how", note.how}, {"at", utc_text(note.at_s)}};
  return object.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::optional<StopNote> stop_note_from_json(std::string_view text) {
  const auto object = json_or_discarded<nlohmann::json>(text);
  if (!object.is_object()) return std::nullopt;
  const auto field = [&](const char* key) {
    const auto it = object.find(key);
    return it != object.end() && it->is_string() ? it->get<std::string>() : std::string();
  };
  StopNote note{field("by"), field("host"), field("how"), utc_seconds(field("at")).value_or(0)};
  return note.by.empty() ? std::nullopt : std::optional(std::move(note));
}

Result<void> put_stop_note(const std::filesystem::path& attempt_folder, const StopNote& note) {
  std::error_code code;
  if (std::filesystem::exists(attempt_folder / stop_note_file, code)) return {};
  return write_file(attempt_folder / stop_note_file, stop_note_json(note) + "\n", Durability::power_loss);
}

std::optional<StopNote> stop_note_of(const std::filesystem::path& attempt_folder) {
  const auto text = file_content(attempt_folder / stop_note_file);
  return text ? stop_note_from_json(*text) : std::nullopt;
}

void InterruptWatch::look() {
  const int count = Interrupts::count();
  const bool cancel = !context_.cancelled && end_requested(context_.folder);
  if (count <= seen_ && !cancel) return;
  seen_ = count;
  context_.cancelled = context_.cancelled || cancel;
  const bool ends_nothing = context_.outlives_us() && count <= 1 && !context_.cancelled;
  if (!std::exchange(reported_, true)) report(ends_nothing);
  if (ends_nothing) return;
  end_jobs(/*at_once=*/count > 1);
}

void InterruptWatch::report(bool ends_nothing) {
  Event event;
  event.kind = Event::Kind::interrupted;
  std::vector<const RunningStep*> steps;
  for (const RunningJob& running : context_.running)
    for (const RunningLane& lane : running.lanes)
      for (const RunningStep& step : lane.steps)
        if (!step.collected) steps.push_back(&step);
  const bool one = steps.size() == 1;
  if (one) event = events_.of_case(Event::Kind::interrupted, steps.front()->work, steps.front()->place.index);
  const std::string cases = one ? event.planned->id : plural(std::ssize(steps), "case");
  event.text = ends_nothing ? "leaving" : "stopping";
  if (!steps.empty() && ends_nothing) {
    const RunningJob& first = context_.running.front();
    const std::string jobs = context_.running.size() > 1 ? fmt::format("{} jobs", context_.running.size())
                             : first.known_as.empty()    ? "a job"
                                                         : "job " + first.known_as;
    event.text += fmt::format("; {} {} in {}", cases, one ? "continues" : "continue", jobs);
  } else if (!steps.empty()) {
    event.text += " " + cases;
  }
  // If the jobs continue, it waits for a second signal only after Ctrl-C.
  if (!steps.empty() && (!ends_nothing || Interrupts::last_signal() == SIGINT))
    event.text += fmt::format("; Ctrl-C again {} {}", ends_nothing ? "ends" : "kills", one ? "it" : "them");
  events_.report(std::move(event));
}

void InterruptWatch::end_jobs(bool at_once) {
  context_.ending = true;
  queue_.adopt_unsure();
  note_stop();
  for (RunningJob& running : context_.running) {
    running.ending = true;
    const auto asked = context_.scheduler->end(running.job, at_once);
    if (asked) continue;
    end_unanswered_ = true;
    events_.report_silent(to_string(asked.error()));
  }
}

bool InterruptWatch::wait_for_second() {
  // Who presses Ctrl-C twice wants the jobs to end too.
  const int count = Interrupts::count();
  if (context_.running.empty() || context_.cancelled || Interrupts::last_signal() != SIGINT) return false;
  for (const double until_s = Interrupts::last_s() + context_.options.pauses.second_interrupt_s;
       steady_s() < until_s;) {
    context_.scheduler->wait(until_s - steady_s());
    if (Interrupts::count() > count) return true;
  }
  return false;
}

void InterruptWatch::note_stop() const {
  const auto asked = context_.cancelled ? end_requester(context_.folder) : std::nullopt;
  const StopNote note = asked.value_or(stop_note(how_stopped(Interrupts::last_signal())));
  for (const RunningJob& running : context_.running)
    for (const RunningLane& lane : running.lanes)
      for (const RunningStep& step : lane.steps) {
        std::error_code code;
        if (step.collected || !fs::exists(step.place.folder(), code)) continue;
        // A full disk must not stop it from ending what runs: the attempt then records less.
        static_cast<void>(put_stop_note(step.place.folder(), note));
      }
}

}  // namespace shakedown
