#include "orchestrator/cli/text/prerequisites.hpp"

#include <algorithm>
#include <iostream>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <vector>

#include "orchestrator/campaign/starting_configuration.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/cli/text/criteria_text.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "reports/judge/criteria.hpp"
#include "reports/judge/criteria_reach.hpp"

namespace shakedown {
namespace {

/// "hpl-nvidia-1n-cn[01-16],hpcg-nvidia-16n (17 cases)"
std::string cases_text(const std::vector<std::string>& ids) {
  return folded_hostlist(ids) + (ids.size() == 1 ? "" : fmt::format(" ({} cases)", ids.size()));
}

std::string_view word_of(Met met) {
  switch (met) {
    case Met::yes:
      return "ok";
    case Met::no:
      return "MISSING";
    case Met::wrong:
      return "WRONG";
    case Met::unknown:
      break;
  }
  return "unknown";
}

std::vector<std::string> hosts_of(std::string_view hostlist) {
  auto hosts = expanded_hostlist(hostlist);
  return hosts ? *std::move(hosts) : std::vector<std::string>();
}

JobRequest job_request_of(const Case& planned) {
  const std::string& among = planned.bound || planned.among.empty() ? planned.hosts : planned.among;
  return {planned.nodes, limit_with_grace(planned), hosts_of(among)};
}

std::string comment(std::string_view text) {
  std::string lines;
  for (const std::string_view line : split(text, '\n')) lines += fmt::format("# {}\n", line);
  return lines;
}

/// Nodes that get no jobs now, or only until others have them, those of one reason together.
std::string nodes_without_jobs(Scheduler& scheduler, const Inventory& inventory) {
  std::vector<std::string> hosts;
  for (const NodeGroup& group : inventory.groups)
    for (std::string& host : hosts_of(group.hosts)) hosts.push_back(std::move(host));
  const auto known_nodes = scheduler.nodes(hosts);
  if (!known_nodes) return comment(to_string(known_nodes.error()));
  std::map<std::string, std::vector<std::string>> reasons;
  for (const SchedulerNode& node : *known_nodes) {
    if (node.kind == SchedulerNode::Kind::out) reasons["gets no jobs: " + node.reason].push_back(node.host);
    if (node.free_until_s) reasons["gets jobs that end before: " + node.reason].push_back(node.host);
  }
  std::string text;
  for (const auto& [reason, nodes] : reasons)
    text += fmt::format("# {} {}\n", folded_hostlist(nodes), reason);
  return text;
}

}  // namespace

std::string prerequisites_text(const Prerequisites& prerequisites) {
  const Preflight& seen = prerequisites.seen;
  if (prerequisites.needed.empty()) return "nothing to check: no images, data or containers in this plan\n";
  if (!seen.inconclusive.empty())
    return fmt::format("preflight is inconclusive: {}\nno node was judged\n", seen.inconclusive);
  std::string text = fmt::format("looked at {}\n", seen.node);
  for (std::size_t i = 0; i < seen.found.size(); ++i) {
    const CheckedRequirement& each = seen.found[i];
    text += fmt::format("{:<8} {}: {}\n", word_of(each.met), described(each.requirement), each.found);
    if (each.met == Met::yes) continue;
    text += fmt::format("{:<8} -> {}\n", "", remedy_of(each));
    if (is_unmet(each.met))
      text += fmt::format("{:<8} keeps from running: {}\n", "", cases_text(prerequisites.needed[i].cases));
  }
  return text;
}

std::string lacking_text(std::size_t cases, const std::string& resume) {
  return fmt::format(
      "{} did not run: what {} is missing on the node, or is another one. Put it there as the configuration "
      "states it, then: {}\n",
      plural(static_cast<std::int64_t>(cases), "case"), cases == 1 ? "it needs" : "they need", resume);
}

std::string prerequisites_json(const Prerequisites& prerequisites) {
  const Preflight& seen = prerequisites.seen;
  nlohmann::ordered_json document = {{"schema", "shakedown.preflight/1"}};
  if (!seen.node.empty()) document["node"] = seen.node;
  if (!seen.inconclusive.empty()) document["inconclusive"] = seen.inconclusive;
  document["requirements"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < prerequisites.needed.size(); ++i) {
    const Requirement& wanted = prerequisites.needed[i].requirement;
    nlohmann::ordered_json object = {{"kind", to_string(wanted.kind)}};
    if (!wanted.path.empty()) object["path"] = wanted.path;
    const CheckedRequirement* answer = i < seen.found.size() ? &seen.found[i] : nullptr;
    object["state"] = to_string(answer == nullptr ? Met::unknown : answer->met);
    if (answer != nullptr) object["found"] = answer->found;
    if (answer != nullptr && is_unmet(answer->met)) object["remedy"] = remedy_of(*answer);
    object["cases"] = prerequisites.needed[i].cases;
    document["requirements"].push_back(std::move(object));
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

Result<std::unique_ptr<Scheduler>> informed_scheduler(const NewCampaign& campaign, const std::string& file) {
  const auto chosen = chosen_scheduler(campaign);
  if (!chosen || runs_here(*chosen)) return nullptr;
  auto made = make_scheduler(*chosen, {campaign.site, installed_layout()});
  if (!made) return nullptr;
  auto learned = (*made)->query_limits();
  if (learned) return made;
  Error error = std::move(learned.error());
  if (!file.empty() && error.where.starts_with("[site]")) {
    error.where = fmt::format("{} {}", file, error.where);
    error.hint += fmt::format("{}correct {} and start again", error.hint.empty() ? "" : "; ", file);
  }
  return tl::unexpected<Error>(std::move(error));
}

std::string scheduler_limits_text(Scheduler& scheduler, const NewCampaign& campaign) {
  const auto limits = scheduler.limits();
  if (limits.empty()) return {};
  std::string text;
  for (const std::string& line : limits) text += comment(line);
  text += nodes_without_jobs(scheduler, campaign.inventory);
  for (const std::string& line : never_run(scheduler, campaign.plan)) text += comment(line);
  return text;
}

std::vector<std::string> never_run(const Scheduler& scheduler, const Plan& plan) {
  using Objection = std::pair<std::string, std::vector<std::string>>;
  std::vector<Objection> objections;
  for (const Case& planned : plan.cases) {
    std::string why = scheduler.objection(job_request_of(planned));
    if (why.empty()) continue;
    auto it = std::ranges::find(objections, why, &Objection::first);
    if (it == objections.end()) it = objections.emplace(it, std::move(why), std::vector<std::string>());
    it->second.push_back(planned.id);
  }
  std::vector<std::string> lines;
  lines.reserve(objections.size());
  for (const auto& [why, ids] : objections)
    lines.push_back(fmt::format("{} will not run: {}", folded_hostlist(ids), why));
  return lines;
}

void note_criteria(const std::string& criteria, std::string_view name, std::span<const Case> cases,
                   const CommonOptions& common) {
  if (common.quiet) return;
  const auto table = TomlTable::parse(criteria, name);
  if (!table || !table->has("criteria")) {
    std::cerr << shown(fmt::format(
        "note: {}no [[criteria]]: nothing is judged, and the campaign will end undecided. `shakedown init` "
        "writes criteria, --criteria quick judges whether the programs ran correctly\n",
        name.empty() ? std::string() : fmt::format("{}: ", name)));
    return;
  }
  const auto read = read_criteria(criteria, std::string(name));
  if (!read) return;
  std::vector<std::string> unjudged;
  for (const UnjudgedWork& each : unjudged_work(read->criteria, cases)) unjudged.push_back(each.what);
  if (!unjudged.empty())
    std::cerr << shown(fmt::format("note: {}: no criterion judges {}\n", name, joined(unjudged, ", ")));
  for (const std::string& doubt : criteria_doubts(read->criteria, cases))
    std::cerr << shown(fmt::format("note: {}: {}\n", name, doubt));
}

void note_draft(std::string_view configuration, const std::string& criteria, std::string_view name,
                const CommonOptions& common) {
  if (common.quiet) return;
  const auto read = read_criteria(criteria, std::string(name));
  const std::string draft =
      draft_text(lines_to_edit(configuration).size(), read ? predicted_limits(read->criteria).size() : 0);
  if (!draft.empty())
    std::cerr << shown(fmt::format("note: {}{}{}\n", name, name.empty() ? "" : ": ", draft));
}

}  // namespace shakedown
