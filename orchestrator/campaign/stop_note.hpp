#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/campaign/submit_queue.hpp"
#include "orchestrator/core/error.hpp"

namespace shakedown {

/// That attempts were ended before they ended by themselves: by a person, or by a limit that one set.
struct StopNote {
  std::string by;    ///< the user: "alice"; "root for alice" of sudo; "regress": nobody, its check's limits
  std::string host;  ///< where the request was made
  std::string how;   ///< "shakedown cancel"; as `how_stopped` returns it; "its budget"
  double at_s = 0;   ///< seconds since 1970
  friend bool operator==(const StopNote&, const StopNote&) = default;
};

/// One by the user of this process, here and now.
StopNote stop_note(std::string_view how);

/// How a signal stops: "Ctrl-C", "SIGTERM", "hangup: its terminal was closed".
std::string_view how_stopped(int signal);

/// One by a scheduled check, here and now, which no person stopped.
StopNote stop_note_of_check(std::string_view how);

/// "stopped by alice on login1 at 2026-11-21T18:05:09Z (shakedown cancel)".
std::string to_string(const StopNote& note);

/// The note as one JSON object, and the reverse; nothing where the text is none.
std::string stop_note_json(const StopNote& note);
std::optional<StopNote> stop_note_from_json(std::string_view text);

/// Puts the note into an attempt's folder, as stopped.json; the first one stays. Survives a power loss.
Result<void> put_stop_note(const std::filesystem::path& attempt_folder, const StopNote& note);

/// The note of an attempt's folder; nothing where nobody stopped it.
std::optional<StopNote> stop_note_of(const std::filesystem::path& attempt_folder);

/// What the user does to stop an execution: Ctrl-C, a signal, `shakedown cancel`.
class InterruptWatch {
 public:
  InterruptWatch(ExecutionContext& context, ProgressEvents& events, SubmitQueue& queue)
      : context_(context), events_(events), queue_(queue) {}

  /// Looks whether the user wants to stop, reports it, and ends the jobs that shall end.
  void look();
  /// Waits a moment for a second Ctrl-C before jobs continue in the batch system. Whether it came.
  [[nodiscard]] bool wait_for_second();
  /// The scheduler did not answer when it was asked to end jobs.
  [[nodiscard]] bool is_end_unanswered() const { return end_unanswered_; }

 private:
  void report(bool ends_nothing);
  void end_jobs(bool at_once);
  /// Writes into the attempts that are ended by hand who did.
  void note_stop() const;

  ExecutionContext& context_;
  ProgressEvents& events_;
  SubmitQueue& queue_;
  int seen_ = 0;           ///< interrupts
  bool reported_ = false;  ///< that the user wants to stop
  bool end_unanswered_ = false;
};

}  // namespace shakedown
