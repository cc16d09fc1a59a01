#include "orchestrator/cli/text/plan_text.hpp"

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <unordered_map>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/each_node.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {
namespace {

UnpredictedTime summed(std::span<const Case> cases, bool estimated) {
  UnpredictedTime sum;
  for (const Case& each : cases) {
    const Prediction* wall = predicted_wall_time(each);
    if (is_time_predicted(each) || (wall != nullptr) != estimated) continue;
    const int count = node_count(each);
    sum.cases += count;
    if (wall != nullptr) sum.node_hours += count * each.nodes * wall->value / 3600;
    if (each.time_limit_s <= 0)
      sum.limit.reset();
    else if (sum.limit)
      *sum.limit += count * each.nodes * each.time_limit_s / 3600;
  }
  return sum;
}

}  // namespace

UnpredictedTime roughly_estimated(std::span<const Case> cases) {
  return summed(cases, /*estimated=*/true);
}

UnpredictedTime not_estimated(std::span<const Case> cases) {
  return summed(cases, /*estimated=*/false);
}

std::string expected_time_text(const Case& planned) {
  const auto text = [](const Prediction& time) {
    return fmt::format("{} ({} to {})", duration_text(time.value), duration_text(time.low),
                       duration_text(time.high));
  };
  const Prediction* wall = predicted_wall_time(planned);
  if (wall == nullptr || !is_time_predicted(planned))
    return planned.time_limit_s > 0
               ? fmt::format("not predicted, limit {}", duration_text(planned.time_limit_s))
               : std::string("not predicted");
  const auto own = own_time(planned);
  const std::string whole = duration_text(wall->value);
  if (!own || !is_useful(*own) || own->value >= wall->value || duration_text(own->value) == whole)
    return text(*wall);
  const double start = wall->value - own->value;
  const double most = std::max(start, wall->high - own->high);
  std::string around = duration_text(start);
  if (duration_text(most) != around) around += fmt::format(" (at most {})", duration_text(most));
  return fmt::format("{}: {} + {} of start and end", whole, text(*own), around);
}

namespace {

std::string parameters_text(const Case& planned) {
  std::string text;
  for (const Parameter& parameter : planned.parameters)
    text += (text.empty() ? "" : " ") + fmt::format("{}={}", parameter.name, value_text(parameter.value));
  return text;
}

std::string model_text(const Model& model) {
  if (model.points == 0) return model.text;
  return fmt::format("{} [{}: {} parameter{} from {} point{}]", model.text, model.source, model.parameters,
                     model.parameters == 1 ? "" : "s", model.points, model.points == 1 ? "" : "s");
}

/// "Rmax 92.41 GFLOP/s (82 to 100 GFLOP/s)", or why there is no useful prediction.
std::string explained(const Prediction& prediction, const Case& planned, const Inventory& inventory) {
  const std::string range = range_text(prediction.metric, prediction.low, prediction.high);
  const std::string title = metric_title(prediction.metric);
  if (const std::string useless = no_useful_prediction(prediction, planned, node_group(inventory, planned));
      !useless.empty())
    return fmt::format("{}: {} (range {})", title, useless, range);
  return fmt::format("{} {} ({})", title, metric_text(prediction.metric, prediction.value), range);
}

/// What a remark is about, the most urgent first.
enum class Concern : char { obstacle, rule, other };

constexpr std::array<std::string_view, 3> concern_titles = {
    "A run fails or is refused unless this is settled:", "By the rules of a benchmark:",
    "Time, prediction and the rest:"};

/// A remark, and the cases that it is about.
struct Remark {
  std::string text;
  Concern concern = Concern::other;
  std::vector<std::string> ids;  ///< without repetitions; none: the whole plan
  std::vector<std::string> suites;
  int like_it = 0;  ///< others that differ in names and numbers alone
};

/// What a warning begins with: its first words, but for names and numbers.
std::string beginning_of(std::string_view warning) {
  constexpr std::size_t telling = 5;
  std::string text;
  std::size_t count = 0;
  for (const std::string_view word : words(warning)) {
    if (++count > telling) break;
    const bool name = word.find_first_of("'/_0123456789") != std::string_view::npos;
    text += name ? std::string("#") : std::string(word);
    text += ' ';
  }
  return text;
}

/// Whether a word of the text is a rule of a benchmark: "(IO5-02)".
bool cites_rule(std::string_view text) {
  const auto is_capital = [](char c) { return c >= 'A' && c <= 'Z'; };
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  for (std::size_t at = text.find('('); at != std::string_view::npos; at = text.find('(', at + 1)) {
    const std::string_view id = text.substr(at + 1, text.find(')', at) - at - 1);
    const std::size_t dash = id.find('-');
    if (dash == std::string_view::npos || dash < 2 || id.size() - dash != 3) continue;
    if (is_capital(id[0]) && is_capital(id[1]) && is_digit(id[dash + 1]) && is_digit(id[dash + 2]))
      return true;
  }
  return false;
}

void add_once(std::vector<std::string>& list, const std::string& one) {
  if (std::ranges::find(list, one) == list.end()) list.push_back(one);
}

/// Each remark of the plan and its cases once, the most urgent first; of those of a concern that differ in
/// names and numbers alone the first, with the suites of all, unless all of them are wanted.
std::vector<Remark> remarks_of(const Plan& plan, bool all_of_them) {
  std::vector<Remark> remarks;
  std::unordered_map<std::string_view, std::size_t> by_text;
  std::set<std::pair<std::size_t, std::string>> named;  // the ids of each
  for (const std::string& warning : plan.warnings) {
    by_text.try_emplace(warning, remarks.size());
    remarks.push_back({warning, Concern::other, {}, {}});
  }
  for (const Case& planned : plan.cases)
    for (const std::string& warning : planned.warnings) {
      const auto [known, is_new] = by_text.try_emplace(warning, remarks.size());
      if (is_new) remarks.push_back({warning, cites_rule(warning) ? Concern::rule : Concern::other, {}, {}});
      Remark& remark = remarks[known->second];
      if (std::ranges::find(planned.obstacles, warning) != planned.obstacles.end())
        remark.concern = Concern::obstacle;
      std::string id = first_repetition_id(planned);
      if (named.emplace(known->second, id).second) remark.ids.push_back(std::move(id));
      add_once(remark.suites, planned.suite);
    }
  std::vector<Remark> shown;
  std::map<std::pair<Concern, std::string>, std::size_t> by_beginning;
  for (Remark& each : remarks) {
    if (!all_of_them && !each.ids.empty()) {
      const auto [like, is_new] =
          by_beginning.try_emplace({each.concern, beginning_of(each.text)}, shown.size());
      if (!is_new) {
        Remark& first = shown[like->second];
        ++first.like_it;
        for (const std::string& suite : each.suites) add_once(first.suites, suite);
        continue;
      }
    }
    shown.push_back(std::move(each));
  }
  std::ranges::stable_sort(shown, {}, &Remark::concern);
  return shown;
}

/// Three ids, or the suites where they are more.
std::string subject_of(const Remark& remark, std::size_t all) {
  constexpr std::size_t most = 3;
  if (remark.ids.size() > 1 && remark.ids.size() == all) return "all cases";
  if (remark.suites.size() > 1 && (remark.like_it > 0 || remark.ids.size() > most))
    return joined(remark.suites, ", ");
  if (remark.ids.size() <= most) return joined(remark.ids, ", ");
  return fmt::format("{}, {} and {} more", remark.ids[0], remark.ids[1], remark.ids.size() - 2);
}

std::string remarks_text(const Plan& plan, bool all_of_them) {
  const std::vector<Remark> remarks = remarks_of(plan, all_of_them);
  std::set<std::string> ids;
  for (const Case& planned : plan.cases) ids.insert(first_repetition_id(planned));
  const bool of_one = remarks.empty() || remarks.front().concern == remarks.back().concern;
  std::string text;
  std::optional<Concern> before;
  for (const Remark& each : remarks) {
    if (!of_one && each.concern != before)
      text += fmt::format("{}\n", concern_titles[static_cast<std::size_t>(each.concern)]);
    before = each.concern;
    text += "! " + (each.ids.empty() ? "" : subject_of(each, ids.size()) + ": ") + each.text;
    if (each.like_it > 0)
      text += fmt::format(" (and {} like this: --explain shows all)",
                          each.like_it == 1 ? std::string("one more") : fmt::format("{} more", each.like_it));
    text += "\n";
  }
  return text;
}

/// " (by time limit at most 4608 node-hours)"; empty: some have none.
std::string limit_text(const UnpredictedTime& unpredicted) {
  return unpredicted.limit
             ? fmt::format(" (by time limit at most {} node-hours)", grouped(*unpredicted.limit, 3))
             : std::string();
}

constexpr std::string_view rough_mark = "~";
constexpr std::string_view not_counted_mark = "-";

/// How the cost counts the cases whose time is not predicted, a line for each of their marks in the table.
std::string unpredicted_text(const Plan& plan) {
  std::string text;
  if (const UnpredictedTime rough = roughly_estimated(plan.cases); rough.cases > 0)
    text +=
        fmt::format("          {} {} not predicted: the cost counts a rough estimate, {} node-hours{}\n",
                    rough_mark, plural(rough.cases, "case"), grouped(rough.node_hours, 3), limit_text(rough));
  if (const UnpredictedTime none = not_estimated(plan.cases); none.cases > 0)
    text += fmt::format("          {} {} that no model predicts: not in the cost{}\n", not_counted_mark,
                        plural(none.cases, "case"), limit_text(none));
  return text;
}

/// "Cost      5 cases · 812 node-hours · 9 h 12 min · 89.3 TB written · 8.1 MWh", and what it holds of the
/// cases whose time is not predicted.
std::string whole_cost_text(const Plan& plan, const Cost& cost) {
  std::string text = "Cost      " + plural(cost.jobs, "case");
  if (cost.unpredicted == cost.jobs)
    return text + " · no model predicts their time" + limit_text(not_estimated(plan.cases)) + "\n";
  text += fmt::format(" · {} node-hours · {}", grouped(cost.node_hours, 3), duration_text(cost.wall_time_s));
  if (cost.bytes_written > 0) text += fmt::format(" · {} TB written", grouped(cost.bytes_written / 1e12, 3));
  if (cost.energy_kwh > 0) text += fmt::format(" · {} kWh", grouped(cost.energy_kwh, 3));
  text +=
      "\n          NODE-HOURS: nodes x the first time of the row x its runs. The duration above has no wait "
      "for "
      "the batch system; runs are side by side where nodes are free";
  if (cost.bytes_written > 0) text += ", but file system tests alone";
  if (std::ranges::any_of(plan.cases, [&](const Case& each) { return each.stage != plan.cases[0].stage; }))
    text += ", and each stage after the one before";
  return text + "\n" + unpredicted_text(plan);
}

std::string layout_text(const Case& planned) {
  return fmt::format("{} node{}, {} rank{} x {} thread{}", planned.nodes, planned.nodes == 1 ? "" : "s",
                     planned.ranks, planned.ranks == 1 ? "" : "s", planned.threads_per_rank,
                     planned.threads_per_rank == 1 ? "" : "s");
}

/// Cases that differ in nothing but their node or their repetition.
struct PlanRow {
  const Case* planned = nullptr;
  int nodes = 1;  ///< of bound cases
  int cases = 0;
  int repetitions = 1;
};

bool is_like(const Case& one, const Case& other) {
  return one.suite == other.suite && one.implementation == other.implementation &&
         one.benchmark == other.benchmark && one.nodes == other.nodes && one.bound == other.bound &&
         one.stage == other.stage && one.parameters == other.parameters && one.predicted == other.predicted;
}

std::vector<PlanRow> rows_of(const Plan& plan) {
  std::vector<PlanRow> rows;
  for (const Case& planned : plan.cases) {
    if (rows.empty() || !is_like(*rows.back().planned, planned)) {
      rows.push_back({&planned, node_count(planned), node_count(planned)});
      continue;
    }
    if (planned.bound && planned.repetition == 1) rows.back().nodes += node_count(planned);
    rows.back().cases += node_count(planned);
    rows.back().repetitions = std::max(rows.back().repetitions, planned.repetition);
  }
  return rows;
}

std::string times_text(const PlanRow& row) {
  std::string text;
  if (row.nodes > 1) text += fmt::format("  on each of {} nodes", row.nodes);
  if (row.repetitions > 1) text += fmt::format("  {} times", row.repetitions);
  return text;
}

/// What the cost counts of the row, if that is no prediction: "~15m 00s: ".
std::string rough_time_text(const Case& planned) {
  const Prediction* wall = predicted_wall_time(planned);
  if (wall == nullptr || is_time_predicted(planned)) return {};
  return fmt::format("{}{}: ", rough_mark, duration_text(wall->value));
}

/// Whether no other row of its benchmark has more nodes: there it is asked why not all have work.
bool is_widest(const PlanRow& row, std::span<const PlanRow> rows) {
  return std::ranges::none_of(rows, [&](const PlanRow& other) {
    return other.planned->suite == row.planned->suite && other.planned->benchmark == row.planned->benchmark &&
           other.planned->implementation == row.planned->implementation &&
           other.planned->nodes > row.planned->nodes;
  });
}

/// "  98 of 100 nodes: as a.toml:131 states"; empty: the row has all nodes, or another has more.
std::string fewer_nodes_text(const PlanRow& row, std::span<const PlanRow> rows) {
  return row.planned->fewer_nodes.empty() || !is_widest(row, rows) ? "" : "  " + row.planned->fewer_nodes;
}

/// "812", "~0.52", "-": what the cost counts of its cases.
std::string hours_text(const PlanRow& row) {
  const Prediction* wall = predicted_wall_time(*row.planned);
  if (wall == nullptr) return std::string(not_counted_mark);
  return fmt::format("{}{}", is_time_predicted(*row.planned) ? "" : rough_mark,
                     grouped(row.cases * row.planned->nodes * wall->value / 3600, 3));
}

/// Why screens that nobody named are in the plan: "gemm runs first: hpl, hpl-mxp are judged beside it".
std::string screens_text(const Plan& plan) {
  std::vector<std::string> suites;
  for (const Case& planned : plan.cases)
    if (std::ranges::find(suites, planned.suite) == suites.end()) suites.push_back(planned.suite);
  std::string text;
  for (const std::string& screen : suites) {
    std::vector<std::string> others;
    std::ranges::copy_if(suites, std::back_inserter(others), [&](const std::string& suite) {
      const auto referred = screens_of(suite);
      return is_screen(screen) && !is_screen(suite) && std::ranges::find(referred, screen) != referred.end();
    });
    if (!others.empty())
      text += fmt::format("{} runs first: results of {} are set beside it\n", screen, joined(others, ", "));
  }
  return text;
}

}  // namespace

std::string plan_text(const Plan& plan, const Inventory& inventory, bool explain) {
  std::string text = fmt::format("System    {} · {} node{}\n\n", plan.system, inventory.nodes(),
                                 inventory.nodes() == 1 ? "" : "s");
  size_t suite_width = 5;
  size_t implementation_width = 14;
  size_t problem_width = 7;
  size_t layout_width = 6;
  constexpr size_t hours_width = 10;
  for (const Case& planned : plan.cases) {
    suite_width = std::max(suite_width, planned.suite.size());
    implementation_width = std::max(implementation_width, planned.implementation.size());
    problem_width = std::max(problem_width, parameters_text(planned).size());
    layout_width = std::max(layout_width, layout_text(planned).size());
  }
  for (const Refusal& refusal : plan.refused) suite_width = std::max(suite_width, refusal.suite.size());
  text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {:<{}}  {:>{}}  TIME\n", "SUITE", suite_width,
                      "IMPLEMENTATION", implementation_width, "PROBLEM", problem_width, "LAYOUT",
                      layout_width, "NODE-HOURS", hours_width);
  const std::vector<PlanRow> rows = rows_of(plan);
  for (const PlanRow& row : rows) {
    const Case& planned = *row.planned;
    text += fmt::format("{:<{}}  {:<{}}  {:<{}}  {:<{}}  {:>{}}  {}{}{}{}\n", planned.suite, suite_width,
                        planned.implementation, implementation_width, parameters_text(planned), problem_width,
                        layout_text(planned), layout_width, hours_text(row), hours_width,
                        rough_time_text(planned), expected_time_text(planned), times_text(row),
                        fewer_nodes_text(row, rows));
  }
  for (const Refusal& refusal : plan.refused)
    text += fmt::format("{:<{}}  {}{}refused by {}: {}{}\n", refusal.suite, suite_width, refusal.benchmark,
                        refusal.benchmark.empty() ? "" : " ", refusal.rule, refusal.because,
                        refusal.next_good.empty() ? "" : "; next: " + refusal.next_good);
  if (plan.cost) text += "\n" + whole_cost_text(plan, *plan.cost);
  text += screens_text(plan);
  text += remarks_text(plan, explain);
  if ((explain || text.find(host_placeholder) != std::string::npos) &&
      std::ranges::any_of(plan.cases, is_for_each_node))
    text += fmt::format("{} in a case's name stands for the name of each of its nodes\n", host_placeholder);
  if (!explain) return text;
  for (const PlanRow& row : rows) {
    const Case& planned = *row.planned;
    text += fmt::format("\n{}{}\n", planned.id, times_text(row));
    size_t what_width = 10;
    size_t value_width = 5;
    for (const Reason& reason : planned.why) {
      what_width = std::max(what_width, reason.what.size());
      value_width = std::max(value_width, value_text(reason.value).size());
    }
    for (const Reason& reason : planned.why)
      text += fmt::format("  {:<{}}  {:<{}}  {}\n  {:<{}}  {:<{}}  [{}]\n", reason.what, what_width,
                          value_text(reason.value), value_width, reason.because, "", what_width, "",
                          value_width, reason.rule);
    for (const Prediction& prediction : planned.predicted)
      text +=
          fmt::format("  {:<{}}  {}\n", "predicted", what_width, explained(prediction, planned, inventory));
    if (!planned.model.text.empty())
      text += fmt::format("  {:<{}}  {}\n", "model", what_width, model_text(planned.model));
  }
  return text;
}

}  // namespace shakedown
