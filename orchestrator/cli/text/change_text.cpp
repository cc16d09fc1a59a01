#include "orchestrator/cli/text/change_text.hpp"

#include <fmt/format.h>
#include <array>
#include <nlohmann/json.hpp>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/inventory_text.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;

std::string_view to_string(Reach reach) {
  static constexpr std::array<std::string_view, 4> words = {"nothing", "node", "network", "both"};
  return words.at(static_cast<std::size_t>(reach));
}

std::string scale(const AcceptanceRun& run) {
  std::string text = run.each_node
                         ? "each node by itself"
                         : fmt::format("{} {}", run.nodes.front(), run.nodes.front() == 1 ? "node" : "nodes");
  if (run.repetitions > 1) text += fmt::format(", {} times", run.repetitions);
  return text;
}

std::string cost_text(const Plan& plan) {
  if (!plan.cost) return "";
  const Cost& cost = *plan.cost;
  const auto cases = static_cast<int>(plan.cases.size());
  std::string text = fmt::format("{} {}", cases, cases == 1 ? "case" : "cases");
  if (cost.unpredicted < cases)
    text += fmt::format(", about {} node-hours, {} from start to end", number(cost.node_hours, 3),
                        duration_text(cost.wall_time_s));
  if (cost.unpredicted > 0) text += fmt::format(" ({} without a prediction are not in it)", cost.unpredicted);
  return text;
}

std::string next_command(const ProposedChange& change) {
  const auto option = [](std::string_view name, const std::string& value) {
    return value.empty() ? std::string() : fmt::format(" {} {}", name, shell_quoted(value));
  };
  const auto run = [&](const std::string& file) {
    return command_for(
        fmt::format("run --config {}{}", shell_quoted(file), option("--scheduler", change.scheduler)),
        change.workspace);
  };
  if (!change.written.empty()) return run(change.written);
  return command_for(fmt::format("change{}{} -o change.toml", option("--system", change.system_option),
                                 option("--inventory", change.inventory_option)),
                     change.workspace) +
         " && " + run("change.toml");
}

std::string list_text(const std::string& title, const std::vector<std::string>& lines) {
  if (lines.empty()) return "";
  std::string text = "\n" + title + "\n";
  for (const std::string& line : lines) text += "  " + line + "\n";
  return text;
}

}  // namespace

std::string change_text(const ProposedChange& change) {
  const AcceptedCampaign& accepted = change.accepted.back();
  const ChangeProposal& proposal = change.proposal;
  const std::string since = fmt::format("{} since {}, accepted by {} on {}", accepted.system,
                                        accepted.campaign, accepted.by, utc_text(accepted.at_s));
  if (proposal.changes.empty())
    return fmt::format(
        "nothing changed on {}, by {} and what was declared\n"
        "note: a part replaced by one of the same model shows in no inventory; --node N --event replaced "
        "declares it\n",
        since, change.today);
  std::string text = fmt::format("changes on {}, by {}\n", since, change.today);
  for (const FoundChange& each : proposal.changes)
    text += fmt::format("  {}: {}\n", each.hosts.empty() ? "the system" : each.hosts, each.what);
  if (!proposal.runs.empty()) {
    text += fmt::format("\n{}: {}\n",
                        proposal.everywhere ? "what covers them" : "the smallest campaign that covers them",
                        cost_text(change.plan));
    for (const ProposedRun& each : proposal.runs)
      text += fmt::format("  {} {} on {}, {}\n      {}\n", each.run.suite, each.run.implementation,
                          each.hosts, scale(each.run), each.because);
    for (const Refusal& refusal : change.plan.refused)
      text += fmt::format("  refused: {} {}: {}\n", refusal.suite, refusal.benchmark, refusal.because);
  }
  text += list_text("not covered:", proposal.not_covered);
  text += list_text("criteria of the reference that these runs can't decide, and are not asked:",
                    change.configuration.not_asked);
  if (!change.written.empty()) text += fmt::format("\nwrote {}\n", change.written);
  if (!proposal.runs.empty())
    text += fmt::format("{}next: {}\n", change.written.empty() ? "\n" : "", next_command(change));
  return text;
}

std::string change_json(const ProposedChange& change) {
  const ChangeProposal& proposal = change.proposal;
  Json document = {{"schema", "shakedown.change/1"},
                   {"system", change.accepted.back().system},
                   {"reference", change.accepted.front().campaign},
                   {"today", change.today}};
  if (change.accepted.size() > 1) document["since"] = change.accepted.back().campaign;
  document["everywhere"] = proposal.everywhere;
  document["changes"] = Json::array();
  for (const FoundChange& each : proposal.changes) {
    Json entry = {{"what", each.what}};
    if (!each.hosts.empty()) entry["hosts"] = each.hosts;
    entry["reach"] = to_string(each.reach);
    if (!each.suites.empty()) entry["suites"] = each.suites;
    document["changes"].push_back(std::move(entry));
  }
  document["runs"] = Json::array();
  for (const ProposedRun& each : proposal.runs) {
    Json entry = {{"suite", each.run.suite}, {"implementation", each.run.implementation}};
    if (!each.run.benchmark.empty()) entry["benchmark"] = each.run.benchmark;
    entry["hosts"] = each.hosts;
    entry["each_node"] = each.run.each_node;
    if (!each.run.nodes.empty()) entry["nodes"] = each.run.nodes.front();
    entry["repetitions"] = each.run.repetitions;
    entry["because"] = each.because;
    document["runs"].push_back(std::move(entry));
  }
  if (change.plan.cost && !proposal.runs.empty()) {
    const Cost& cost = *change.plan.cost;
    document["cost"] = {{"cases", change.plan.cases.size()}, {"unpredicted", cost.unpredicted}};
    if (cost.node_hours > 0) document["cost"]["node_hours"] = cost.node_hours;
    if (cost.wall_time_s > 0) document["cost"]["wall_time_s"] = cost.wall_time_s;
  }
  document["not_covered"] = proposal.not_covered;
  document["criteria_not_asked"] = change.configuration.not_asked;
  if (!proposal.runs.empty()) document["configuration"] = change.configuration.text;
  if (!change.written.empty()) document["written"] = change.written;
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

namespace {

std::vector<std::string> suites_of(const Change& change) {
  const auto suites = suites_to_run_again(change.kind);
  return {suites.begin(), suites.end()};
}

}  // namespace

std::string differences_text(const std::vector<Change>& changes, const Sides& sides) {
  if (changes.empty()) return fmt::format("no differences between {} and {}\n", sides.before, sides.after);
  std::vector<Row> rows = {{"hosts", "what", sides.before, sides.after, "run again"}};
  for (const Change& change : changes)
    rows.push_back({change.hosts.empty() ? "system" : change.hosts, change.what,
                    change.before.empty() ? "-" : change.before, change.after.empty() ? "-" : change.after,
                    joined(suites_of(change), " ")});
  std::string text;
  for (const std::string& line : aligned(rows)) text += line + "\n";
  return text + fmt::format("\n{} difference{}; worth running again: {}\n", changes.size(),
                            changes.size() == 1 ? "" : "s", joined(suites_to_run_again(changes), ", "));
}

std::string differences_json(const std::vector<Change>& changes, const Sides& sides,
                             const std::vector<std::string>& silent) {
  using Json = nlohmann::ordered_json;
  Json json;
  json["schema"] = "shakedown.inventory-diff/1";
  json["before"] = sides.before;
  json["after"] = sides.after;
  json["changes"] = Json::array();
  for (const Change& change : changes) {
    Json row;
    if (!change.hosts.empty()) row["hosts"] = change.hosts;
    row["kind"] = kind_name(change.kind);
    row["what"] = change.what;
    if (!change.before.empty()) row["before"] = change.before;
    if (!change.after.empty()) row["after"] = change.after;
    row["run_again"] = suites_of(change);
    json["changes"].push_back(std::move(row));
  }
  json["run_again"] = suites_to_run_again(changes);
  if (!silent.empty()) json["no_answer"] = silent;
  return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
