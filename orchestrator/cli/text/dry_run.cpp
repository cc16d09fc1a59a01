#include "orchestrator/cli/text/dry_run.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "orchestrator/campaign/works.hpp"
#include "orchestrator/cli/text/plan_text.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/composition.hpp"
#include "orchestrator/launch/launcher.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/planning/derivation.hpp"

namespace shakedown {
namespace {

/// A sum of predicted node-hours. Where a range is too wide for a value in it, its upper end counts.
class PredictedHours {
 public:
  void add(const Case& planned, const Prediction& wall) {
    const bool useful = is_useful(wall);
    sum_ += planned.nodes * (useful ? wall.value : wall.high) / 3600;
    at_most_ = at_most_ || !useful;
  }
  /// "0.52 node-hours", "at most 0.52 node-hours".
  [[nodiscard]] std::string text(int digits) const {
    return fmt::format("{}{} node-hours", at_most_ ? "at most " : "", number(sum_, digits));
  }

 private:
  double sum_ = 0;
  bool at_most_ = false;
};

std::string case_text(const Case& planned, const std::string& heading) {
  std::string text = heading;
  for (const Parameter& variable : planned.environment)
    text += fmt::format("export {}={}\n", variable.name, shell_quoted(value_text(variable.value)));
  if (!planned.modules.empty()) {
    text += "module load";
    for (const std::string& module : planned.modules) text += " " + shell_quoted(module);
    text += "\n";
  }
  for (const auto& line : preparation_lines(planned)) text += script_line(line) + "\n";
  text += script_line(planned.argv) + "\n";
  if (planned.time_limit_s > 0) text += fmt::format("# time limit {}\n", duration_text(planned.time_limit_s));
  if (const Prediction* wall = predicted_wall_time(planned)) {
    PredictedHours hours;
    hours.add(planned, *wall);
    text += fmt::format("# {} {} on {}: {}\n", is_time_predicted(planned) ? "expected" : "time",
                        expected_time_text(planned), plural(planned.nodes, "node"), hours.text(3));
  }
  if (!planned.result_file.empty()) text += fmt::format("# result in {}\n", planned.result_file);
  for (const TextFile& file : planned.files) {
    text += fmt::format("# file {}\n{}", file.name, file.content);
    if (!file.content.ends_with('\n')) text += '\n';
  }
  for (const std::string& warning : planned.warnings)
    text += fmt::format("# note: {}\n", printable_line(warning));
  return text + '\n';
}

/// A case without its name and its nodes: what is left equal is the same run on other nodes, or again.
Case without_nodes(Case planned) {
  // What no launcher composes has its whole command in `argv`.
  if (!planned.launcher.empty() && !planned.program.empty()) planned.argv.clear();
  planned.id.clear();
  planned.hosts.clear();
  planned.among.clear();
  planned.repetition = 1;
  return planned;
}

bool are_alike(const Case& a, const Case& b) {
  return a.suite == b.suite && a.nodes == b.nodes && without_nodes(a) == without_nodes(b);
}

std::string script_comment(std::string_view text) {
  std::string lines;
  if (text.ends_with('\n')) text.remove_suffix(1);
  for (const std::string_view line : split(text, '\n'))
    lines += fmt::format("#   {}\n", printable_line(line));
  return lines;
}

/// "# stage 2: 6 cases, 0.52 node-hours".
std::string stage_text(const Plan& plan, int stage) {
  int cases = 0;
  int unpredicted = 0;
  PredictedHours hours;
  for (const Case& each : plan.cases) {
    if (each.stage != stage) continue;
    ++cases;
    const Prediction* wall = predicted_wall_time(each);
    unpredicted += wall == nullptr ? 1 : 0;
    if (wall != nullptr) hours.add(each, *wall);
  }
  return fmt::format("# ==== stage {}: {}, {}{}\n\n", stage, plural(cases, "case"), hours.text(3),
                     unpredicted == 0 ? "" : fmt::format(" beside {} without a prediction", unpredicted));
}

}  // namespace

std::string dry_run_text(const Plan& plan, bool every_case) {
  std::string text;
  const bool staged = std::ranges::any_of(plan.cases, [](const Case& each) { return each.stage > 0; });
  std::set<int> begun;
  std::vector<bool> shown(plan.cases.size(), false);
  for (std::size_t i = 0; i < plan.cases.size(); ++i) {
    const Case& planned = plan.cases[i];
    if (shown[i]) continue;
    if (staged && begun.insert(planned.stage).second) text += stage_text(plan, planned.stage);
    std::string heading = fmt::format("# case {}\n", planned.id);
    std::vector<std::string> like;
    for (std::size_t k = i + 1; !every_case && k < plan.cases.size(); ++k)
      if (!shown[k] && are_alike(planned, plan.cases[k])) {
        shown[k] = true;
        like.push_back(plan.cases[k].id);
      }
    if (!like.empty())
      heading += fmt::format("# and {} like it, on other nodes or again: {} (--every-case shows them)\n",
                             like.size(), folded_hostlist(like));
    text += case_text(planned, heading);
  }
  for (const Refusal& refusal : plan.refused)
    text += fmt::format("# refused: {} by {}: {}\n", refused_name(refusal), refusal.rule,
                        printable_line(refusal.because));
  if (plan.cost) {
    const UnpredictedTime rough = roughly_estimated(plan.cases);
    text += fmt::format(
        "# {}: {} node-hours, about {} from start to end{}{}\n",
        plan.cases.size() == 1 ? "1 case" : fmt::format("all {} cases", plan.cases.size()),
        number(plan.cost->node_hours, 4), duration_text(plan.cost->wall_time_s),
        rough.cases == 0
            ? ""
            : fmt::format("; the time of {} is not predicted: {} node-hours are a rough estimate",
                          plural(rough.cases, "case"), number(rough.node_hours, 3)),
        plan.cost->unpredicted == 0
            ? ""
            : fmt::format("; {} of them without a prediction are in neither", plan.cost->unpredicted));
  }
  return text;
}

std::string submissions_text(const Plan& plan, const Scheduler& scheduler,
                             const std::filesystem::path& campaigns) {
  const std::filesystem::path folder = campaigns / "CAMPAIGN";
  std::set<std::pair<bool, int>> seen;  // by whether they measure one node each, and by their GPUs
  std::string text;
  for (const Case& each : plan.cases) {
    if (!seen.emplace(each.nodes > 1, each.gpus_per_node).second) continue;
    Job job{"job-1", "CAMPAIGN", folder / "jobs" / "job-1", {}, each.gpus_per_node};
    // As many of its kind as show how several share a job.
    const std::size_t most = each.nodes == 1 && scheduler.traits().many_lanes ? 2 : 1;
    for (const Case& other : plan.cases) {
      if (job.lanes.size() == most) break;
      if (!are_alike(each, other) && &each != &other) continue;
      const auto hosts = expanded_hostlist(other.hosts);
      if (!hosts) continue;
      job.lanes.push_back({*hosts,
                           {{other.id, 1, folder / other.id / "attempt-1", limit_with_grace(other),
                             starts_from_anywhere(other.launcher)}}});
    }
    if (job.lanes.empty()) continue;
    std::string submission = scheduler.submission(job);
    if (submission.empty()) return {};
    // The scripts differ in their last lines alone.
    if (!text.empty()) submission.resize(submission.find("\n\n") + 1);
    text += fmt::format("\n# ==== how {} would be submitted{}\n{}", each.id,
                        job.lanes.size() > 1 ? ", here with one other like it in its job" : "",
                        script_comment(submission));
  }
  return text;
}

}  // namespace shakedown
