#pragma once
#include <fstream>
#include <string>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/cli/support/terminal.hpp"

namespace shakedown {

/// Shows a campaign's events on stderr: a line redrawn in place on a terminal, a line for each change of
/// state (and each minute) elsewhere; and as JSON, one event a line, where asked.
class Progress {
 public:
  /// `json_events`: a path, "-" for stdout, or empty.
  Progress(const CommonOptions& common, const std::string& json_events);

  void show(const Event& event);
  /// False when the JSON events could not all be written.
  [[nodiscard]] bool events_written() const;

 private:
  void show_text(const Event& event);
  void write_json(const Event& event);
  void line(const std::string& text, bool keep);
  Terminal terminal_;
  std::ofstream file_;
  std::ostream* events_ = nullptr;
  double last_heartbeat_s_ = 0;
  bool stopping_ = false;  ///< the user asked to stop
};

/// A result in a few words: "92.1 GFLOP/s  valid", or why there is none.
std::string attempt_text(const AttemptRecord& attempt);

}  // namespace shakedown
