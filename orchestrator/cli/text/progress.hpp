#pragma once
#include <fstream>
#include <optional>
#include <string>

#include "orchestrator/campaign/engine.hpp"
#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/live_block.hpp"
#include "orchestrator/cli/text/terminal.hpp"

namespace shakedown {

/// Decides when a line about the whole campaign is due: the first after ten seconds, then one a minute.
class HeartbeatClock {
 public:
  /// `now_s`: of a clock that never goes back. True starts the next minute.
  bool is_due(double now_s);

 private:
  std::optional<double> next_s_;
};

/// Shows a campaign's events on stderr: on a terminal a block that is redrawn in place, with what ended above
/// it; elsewhere a line for each change of state and one a minute for the whole campaign. And as JSON, one
/// event a line, where asked.
class Progress {
 public:
  /// `json_events`: a path, "-" for stdout, or empty.
  Progress(const CommonOptions& common, const std::string& json_events);

  void show(const Event& event);
  /// Clears the block: others write on the screen from now on.
  void end();
  /// False when the JSON events could not all be written.
  [[nodiscard]] bool events_written() const;

 private:
  void show_text(const Event& event);
  void show_change(const Event& event);
  void show_progress(const CampaignProgress& progress);
  void line(const Painted& label, const std::string& text);
  /// Prints how many cases were of a kind for which one line each would be too many.
  void report_many();

  Terminal terminal_;
  std::optional<LiveBlock> block_;
  std::ofstream file_;
  std::ostream* events_ = nullptr;
  HeartbeatClock log_clock_;
  HeartbeatClock json_clock_;
  int finished_before_ = 0;  ///< cases, not reported yet
  int adopted_ = 0;          ///< cases, not reported yet
  int lacking_ = 0;          ///< cases with a missing requirement, not reported yet
  /// Cases that stay disturbed for one reason, not reported yet.
  struct GivenUp {
    int count = 0;
    std::string first;
    std::string because;
  };
  GivenUp not_again_;
  bool beaten_ =
      false;  ///< the campaign's state was reported; what begins later in an old job is nothing new
};

}  // namespace shakedown
