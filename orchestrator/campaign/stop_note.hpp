#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// That attempts were ended before they ended by themselves: by a person, or by a limit that one set.
struct StopNote {
  std::string by;    ///< the user: "alice"; "root for alice" of sudo; "regress": nobody, its check's limits
  std::string host;  ///< where the wish was said
  std::string how;   ///< "shakedown cancel"; as `how_stopped` says; "its budget"
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

}  // namespace shakedown
