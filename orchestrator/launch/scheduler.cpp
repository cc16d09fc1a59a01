#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {

std::string_view to_string(JobEnd end) {
  switch (end) {
    case JobEnd::unknown:
      return "its end was not recorded";
    case JobEnd::completed:
      return "completed";
    case JobEnd::failed:
      return "failed";
    case JobEnd::timed_out:
      return "ended at the scheduler's time limit";
    case JobEnd::out_of_memory:
      return "out of memory";
    case JobEnd::node_failed:
      return "node failure";
    case JobEnd::preempted:
      return "preempted";
    case JobEnd::requeued:
      return "requeued";
    case JobEnd::cancelled:
      return "cancelled";
  }
  return "its end was not recorded";
}

std::string end_text(const JobState& job_state) {
  if (!job_state.failed_nodes.empty()) return "node lost";
  if (job_state.end == JobEnd::completed) return "its job ended before it recorded its own end";
  return std::string(to_string(job_state.end));
}

}  // namespace shakedown
