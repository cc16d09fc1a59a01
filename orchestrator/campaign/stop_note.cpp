#include "orchestrator/campaign/stop_note.hpp"

#include <pwd.h>
#include <signal.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/time.hpp"
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

}  // namespace shakedown
