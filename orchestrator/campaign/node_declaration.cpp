#include "orchestrator/campaign/node_declaration.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {
namespace {

using Names = std::vector<std::string>;

Names sorted(const std::set<std::string>& names) {
  return {names.begin(), names.end()};
}

/// The nodes of the inventories of a system's newest campaign.
Result<Names> known_nodes(const Database& database, const std::vector<CampaignSummary>& campaigns,
                          const std::string& system) {
  Names nodes;
  const auto newest = std::ranges::find_if(campaigns, [&](const CampaignSummary& each) {
    return each.system == system && each.kind != "external";
  });
  if (newest == campaigns.end()) return nodes;
  const auto campaign = database.campaign(newest->id);
  if (!campaign) return failure_of(campaign);
  for (const NodeGroup& group : campaign->inventory.groups)
    if (auto hosts = expanded_hostlist(group.hosts)) nodes.insert(nodes.end(), hosts->begin(), hosts->end());
  return nodes;
}

}  // namespace

Result<std::string> declared_system(const Workspace& workspace, const std::string& given) {
  const auto acceptances = read_acceptances(workspace);
  if (!acceptances) return failure_of(acceptances);
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database, "`shakedown quick` makes a workspace; -w DIR names another");
  const auto campaigns = database->campaigns();
  if (!campaigns) return failure_of(campaigns);
  std::set<std::string> accepted;
  std::set<std::string> all;
  for (const AcceptedCampaign& each : *acceptances) accepted.insert(each.system);
  for (const CampaignSummary& each : *campaigns) all.insert(each.system);
  all.insert(accepted.begin(), accepted.end());
  if (!given.empty()) {
    if (all.contains(given)) return given;
    return fail("--system",
                fmt::format("no campaign of a system '{}'{}", given, did_you_mean(given, sorted(all))),
                fmt::format("systems here: {}", joined(sorted(all), ", ")));
  }
  if (accepted.size() == 1) return *accepted.begin();
  if (accepted.empty() && all.size() == 1) return *all.begin();
  const auto& among = accepted.empty() ? all : accepted;
  if (among.empty())
    return fail(workspace.folder.string(), "no campaign here", "-w DIR names another workspace");
  return fail("--system", fmt::format("{} systems are known: name one", among.size()),
              fmt::format("--system {}", joined(sorted(among), ", --system ")));
}

Result<std::vector<NodeEvent>> declared_events(const Workspace& workspace,
                                               const NodeDeclaration& declaration) {
  if (declaration.node.empty()) return fail("--node", "the node is missing", "--node HOSTLIST");
  const auto kind = node_event_kind(declaration.event);
  if (!kind)
    return fail("--event",
                declaration.event.empty() ? std::string("the event is missing")
                                          : fmt::format("'{}' is no event", declaration.event),
                "reboot, replaced or moved");
  if (trimmed(declaration.by).empty())
    return fail("--by", "is empty: an event names who declares it", "--by WHO");
  const auto hosts = expanded_hostlist(declaration.node);
  if (!hosts) return fail("--node", fmt::format("'{}': {}", declaration.node, hosts.error().what));
  const auto system = declared_system(workspace, declaration.system);
  if (!system) return failure_of(system);
  auto database = Database::open(workspace.database());
  if (!database) return failure_of(database);
  const auto campaigns = database->campaigns();
  if (!campaigns) return failure_of(campaigns);
  const auto known = known_nodes(*database, *campaigns, *system);
  if (!known) return failure_of(known);
  for (const std::string& host : *hosts)
    if (!known->empty() && std::ranges::find(*known, host) == known->end())
      return fail("--node", fmt::format("no node '{}' in {}{}", host, *system, did_you_mean(host, *known)),
                  fmt::format("its newest campaign had {}", folded_hostlist(*known)));
  if (auto read = read_node_events(workspace); !read) return failure_of(read);
  std::vector<NodeEvent> events;
  for (const std::string& host : *hosts) {
    events.push_back({*system, host, *kind, now_s(), std::string(trimmed(declaration.by)),
                      std::string(trimmed(declaration.note))});
    if (auto appended = append_node_event(workspace, events.back()); !appended) return failure_of(appended);
  }
  if (auto stored = store_declarations(workspace, *database); !stored) return failure_of(stored);
  return events;
}

std::string events_text(const std::vector<NodeEvent>& events) {
  std::string text;
  for (const NodeEvent& event : events)
    text += fmt::format("{}  {}  {}: {}, by {}{}\n", utc_text(event.at_s), event.system, event.node,
                        to_string(event.kind), event.by, event.note.empty() ? "" : ": " + event.note);
  return text;
}

std::string events_json(const std::vector<NodeEvent>& events) {
  using Json = nlohmann::ordered_json;
  Json document = {{"schema", "shakedown.node-events/1"}, {"events", Json::array()}};
  for (const NodeEvent& event : events) {
    Json entry = {{"t", utc_text(event.at_s)},
                  {"system", event.system},
                  {"node", event.node},
                  {"event", to_string(event.kind)},
                  {"by", event.by}};
    if (!event.note.empty()) entry["note"] = event.note;
    document["events"].push_back(std::move(entry));
  }
  return document.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
