#include "orchestrator/campaign/node_declaration.hpp"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/campaign/stop_note.hpp"
#include "orchestrator/campaign/works.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/scheduler.hpp"
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

namespace {

constexpr std::string_view variable_mark = "environment ";
constexpr std::string_view hash_mark = "sha256 ";
constexpr std::string_view setting = "address space randomisation";

/// What runs the program that a record is the hash of: "gemm/reference"; none: it is no such record.
std::vector<std::string> roles_of(const CampaignRecord& campaign, const std::string& name) {
  std::set<std::string> roles;
  if (!name.starts_with(hash_mark)) return {};
  const std::string path = name.substr(hash_mark.size());
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    if (planned.program == path || std::ranges::find(planned.argv, path) != planned.argv.end())
      roles.insert(planned.suite + "/" + planned.implementation);
  }
  return {roles.begin(), roles.end()};
}

/// The programs of each role on a node: their hashes, with the records that hold them.
using Programs = std::map<std::string, std::map<std::string, std::string>>;
Programs programs_of(const CampaignRecord& campaign, const std::string& node) {
  Programs programs;
  for (const EnvironmentRecord& record : campaign.environment)
    if (record.node == node)
      for (const std::string& role : roles_of(campaign, record.name))
        programs[role].emplace(record.value, record.name);
  return programs;
}

/// A role whose programs are others: wherever they lie, since a version is often a part of the path.
void put_program_changes(std::vector<std::string>& found, const Programs& before, const Programs& after) {
  std::set<std::string> known;
  for (const auto& [role, programs] : after) {
    const auto was = before.find(role);
    if (was == before.end()) continue;
    for (const auto& [hash, name] : programs) {
      if (was->second.contains(hash)) continue;
      const auto gone =
          std::ranges::find_if(was->second, [&](const auto& each) { return !programs.contains(each.first); });
      if (gone == was->second.end()) continue;  // one more beside the same
      const auto& [old_hash, old_name] = *gone;
      const std::string text = old_name == name ? fmt::format("{}: {} -> {}", name, old_hash, hash)
                                                : fmt::format("program of {}: {} {} -> {} {}", role, old_name,
                                                              old_hash, name, hash);
      if (known.insert(text).second) found.push_back(text);
    }
  }
}

std::map<std::string, std::string> facts_of(const CampaignRecord& campaign, const std::string& node) {
  std::map<std::string, std::string> facts;
  for (const EnvironmentRecord& record : campaign.environment)
    if (record.node == node && !record.name.starts_with(variable_mark) && record.name != setting &&
        roles_of(campaign, record.name).empty())
      facts[record.name] = record.value;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (const NodeState& state : attempt.nodes) {
        if (state.node != node) continue;
        for (const NodeReading& reading : state.readings) {
          const ReadingName* name = reading_name(reading.name);
          if (reading.before && name != nullptr && name->is_version)
            facts[reading_title(reading)] = *reading.before;
        }
      }
  return facts;
}

std::string or_none(const std::string& text) {
  return text.empty() ? "none" : text;
}

}  // namespace

std::vector<std::string> node_changes(const CampaignRecord& before, const CampaignRecord& after,
                                      const std::string& node) {
  std::vector<std::string> found;
  for (const Change& change : differences(before.inventory, after.inventory)) {
    const auto hosts = expanded_hostlist(change.hosts);
    const bool of_all = change.hosts.empty();  // fabric, storage
    if (of_all || (hosts && std::ranges::find(*hosts, node) != hosts->end()))
      found.push_back(
          fmt::format("{}: {} -> {}", change.what, or_none(change.before), or_none(change.after)));
  }
  const auto old = facts_of(before, node);
  for (const auto& [name, value] : facts_of(after, node))
    if (const auto was = old.find(name); was != old.end() && was->second != value)
      found.push_back(fmt::format("{}: {} -> {}", name, was->second, value));
  put_program_changes(found, programs_of(before, node), programs_of(after, node));
  return found;
}

namespace {

constexpr const char* option = "--exclude";

bool is_excluded(const CampaignRecord& campaign, const std::string& node) {
  return std::ranges::find(campaign.exclusions, node, &Exclusion::node) != campaign.exclusions.end();
}

/// The named hosts that are not excluded yet. Fails if they are none, no nodes of the campaign, or all
/// remaining ones.
Result<std::vector<std::string>> chosen_nodes(const CampaignRecord& campaign, const std::string& hostlist) {
  const auto hosts = expanded_hostlist(hostlist);
  if (!hosts) return fail(option, hosts.error().what, hosts.error().hint);
  SchedulerTraits traits;
  traits.outlives_us = true;
  const std::vector<std::string> pool = node_pool(campaign, traits);
  for (const std::string& host : *hosts)
    if (std::ranges::find(pool, host) == pool.end())
      return fail(option, fmt::format("{} is no node of {}{}", host, campaign.id, did_you_mean(host, pool)),
                  fmt::format("its nodes are {}", folded_hostlist(pool)));
  std::vector<std::string> fresh;
  std::ranges::copy_if(*hosts, std::back_inserter(fresh),
                       [&](const std::string& host) { return !is_excluded(campaign, host); });
  const bool any_left = std::ranges::any_of(pool, [&](const std::string& host) {
    return !is_excluded(campaign, host) && std::ranges::find(fresh, host) == fresh.end();
  });
  if (!any_left)
    return fail(option, fmt::format("{} would exclude every node", hostlist),
                "exclude fewer; `shakedown cancel` ends the campaign");
  return fresh;
}

}  // namespace

Result<std::vector<std::string>> exclude_by_operator(const Workspace& workspace, const std::string& id,
                                                     const OperatorExclusion& wanted,
                                                     const LockOptions& options) {
  if (std::ranges::any_of(wanted.reason, [](unsigned char c) { return c < 0x20 || c == 0x7f; }))
    return fail("--reason", "holds a line break or another control character", "state it in one line");
  const fs::path folder = workspace.campaign(id);
  auto lock = CampaignLock::take(folder, options);
  if (!lock) return failure_of(lock);
  const auto campaign = read_campaign_folder(folder);
  if (!campaign) return failure_of(campaign);
  if (is_external(*campaign))
    return fail(option, fmt::format("{} holds logs of runs made elsewhere: nothing of it runs", id),
                "leave it out");
  if (runs_here(campaign->scheduler))
    return fail(option, fmt::format("{} runs on this machine alone", id), "leave it out");
  auto nodes = chosen_nodes(*campaign, wanted.hosts);
  if (!nodes || nodes->empty()) return nodes;
  auto database = Database::open(workspace.database(), options);
  if (!database) return failure_of(database);
  if (auto added = database->add_campaign(*campaign); !added) return failure_of(added);
  auto journal = Journal::open(folder);
  if (!journal) return failure_of(journal);
  const StopNote note = stop_note(option);
  const std::string because = fmt::format("by the operator ({} on {}){}{}", note.by, note.host,
                                          wanted.reason.empty() ? "" : ": ", wanted.reason);
  for (const std::string& node : *nodes)
    if (auto noted = journal->exclude(node, because); !noted) return failure_of(noted);
  if (auto put = database->record_exclusions(id, journal->excluded()); !put) return failure_of(put);
  return nodes;
}

}  // namespace shakedown
