#include "orchestrator/campaign/declarations.hpp"

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "orchestrator/campaign/append_line.hpp"
#include "orchestrator/campaign/campaign_list.hpp"
#include "orchestrator/campaign/chained_lines.hpp"
#include "orchestrator/campaign/journal_check.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/judge/references.hpp"

namespace shakedown {
namespace {

using Json = nlohmann::ordered_json;

/// Seconds with their fraction: declarations of one second stay in order beside campaigns.
Json acceptance_json(const AcceptedCampaign& acceptance) {
  return {{"schema", "shakedown.acceptance/1"},
          {"t", utc_text(acceptance.at_s)},
          {"at_s", acceptance.at_s},
          {"system", acceptance.system},
          {"campaign", acceptance.campaign},
          {"by", acceptance.by},
          {"why", acceptance.why},
          {"part", acceptance.part}};
}

AcceptedCampaign acceptance_of(const Json& line) {
  return {line.at("system"), line.at("campaign"), line.at("at_s"),
          line.at("by"),     line.at("why"),      line.value("part", false)};
}

Json event_json(const NodeEvent& event) {
  return {{"schema", "shakedown.node-event/1"},
          {"t", utc_text(event.at_s)},
          {"at_s", event.at_s},
          {"system", event.system},
          {"node", event.node},
          {"event", to_string(event.kind)},
          {"by", event.by},
          {"note", event.note}};
}

NodeEvent event_of(const Json& line) {
  const std::string word = line.at("event");
  const auto kind = node_event_kind(word);
  if (!kind) throw std::invalid_argument(fmt::format("'{}' is no event: reboot, replaced or moved", word));
  return {line.at("system"), line.at("node"), *kind, line.at("at_s"), line.at("by"), line.at("note")};
}

/// The declarations of a file, one a line; none where there is no file.
template <class T>
Result<std::vector<T>> read_lines(const fs::path& path, T (*of)(const Json&)) {
  std::vector<T> found;
  std::error_code code;
  if (!fs::exists(path, code)) return found;
  const auto text = file_content(path);
  if (!text) return failure_of(text);
  const auto lines = split(*text, '\n');
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (trimmed(lines[i]).empty()) continue;
    const Json line = json_or_discarded<Json>(lines[i]);
    if (!line.is_object() && i + 1 == lines.size()) continue;  // cut: it ends without a newline
    try {
      if (!line.is_object()) throw std::invalid_argument("it is not a JSON object");
      found.push_back(of(line));
    } catch (const std::exception& error) {
      return fail(fmt::format("{}:{}", path.string(), i + 1),
                  fmt::format("is not what shakedown writes there: {}", error.what()),
                  "restore the line from a backup; the file is only ever appended to");
    }
  }
  return found;
}

std::string text_of(const Json& line) {
  return line.dump(-1, ' ', false, Json::error_handler_t::replace);
}

template <class T>
bool has(const std::vector<T>& list, const T& wanted) {
  return std::ranges::find(list, wanted) != list.end();
}

}  // namespace

namespace {

Error forged(const Workspace& workspace, int line, std::string what) {
  return {fmt::format("{}:{}", workspace.accepted().string(), line), std::move(what),
          "take the line out, or restore the file from a backup; the file is only ever appended to",
          Fault::environment};
}

/// Whether a journal's lines name each other: it is not of an older version.
bool is_chained(const fs::path& campaign_folder) {
  const auto text = file_content(campaign_folder / "journal.jsonl");
  return text && std::ranges::any_of(chain_links(*text),
                                     [](const ChainLink& link) { return !stated_prev(link.text).empty(); });
}

/// Fails with the first line that `accept` did not write, as far as the file, the workspace's list and the
/// journals here show it.
Result<void> check_acceptances(const Workspace& workspace) {
  std::error_code code;
  if (!fs::exists(workspace.accepted(), code)) return {};
  const auto text = file_content(workspace.accepted());
  if (!text) return failure_of(text);
  const auto list = read_campaign_list(workspace);
  if (!list) return failure_of(list);
  for (const ChainFault& fault : chain_faults(*text, /*older=*/true))
    return tl::unexpected<Error>(forged(workspace, fault.line, fault.what));
  for (const ChainLink& link : chain_links(*text)) {
    const auto line = json_or_discarded<Json>(link.text);
    if (link.number == 0 || !line.is_object()) continue;
    const auto member = [&](const char* name) {
      return line.contains(name) && line[name].is_string() ? line[name].get<std::string>() : std::string();
    };
    const std::string id = member("campaign");
    if (!is_campaign_name(id)) continue;  // its reader fails on it
    const fs::path folder = workspace.campaign(id);
    if (stated_prev(link.text).empty()) {
      if (is_chained(folder))
        return tl::unexpected<Error>(forged(
            workspace, link.number,
            fmt::format("accepts {} and names no line before it (member prev): `accept` did not write it",
                        id)));
      continue;
    }
    const ListedCampaign* listed = list->find(id);
    if (listed != nullptr &&
        std::ranges::find(listed->verdicts, 0, &ListedVerdict::exit_code) == listed->verdicts.end())
      return tl::unexpected<Error>(
          forged(workspace, link.number,
                 fmt::format("accepts {}, which never met its criteria by campaigns.jsonl: {}", id,
                             listed->verdicts.empty() ? "no verdict" : listed->verdicts.back().words)));
    const std::string root = member("last_root");
    if (root.empty() || !fs::exists(folder / "journal.jsonl", code)) continue;
    const auto known = journal_root(folder, root);
    if (known && !*known)
      return tl::unexpected<Error>(
          forged(workspace, link.number,
                 fmt::format("accepts {} with a journal that ended in {}, and its journal has no such line",
                             id, in_groups(root))));
  }
  return {};
}

}  // namespace

Result<std::vector<AcceptedCampaign>> read_acceptances(const Workspace& workspace) {
  auto all = read_lines(workspace.accepted(), &acceptance_of);
  if (all)
    if (auto honest = check_acceptances(workspace); !honest) return failure_of(honest);
  if (all) std::ranges::stable_sort(*all, {}, &AcceptedCampaign::at_s);
  return all;
}

Result<std::vector<NodeEvent>> read_node_events(const Workspace& workspace) {
  auto all = read_lines(workspace.events(), &event_of);
  if (all) std::ranges::stable_sort(*all, {}, &NodeEvent::at_s);
  return all;
}

Result<void> append_acceptance(const Workspace& workspace, const AcceptedCampaign& acceptance) {
  Json line = acceptance_json(acceptance);
  if (const auto check = check_journal(workspace.campaign(acceptance.campaign));
      check && !check->last_root.empty())
    line["last_root"] = check->last_root;
  return append_chained_line(workspace.accepted(), text_of(line));
}

Result<void> append_node_event(const Workspace& workspace, const NodeEvent& event) {
  return append_line(workspace.events(), text_of(event_json(event)));
}

Result<void> store_declarations(const Workspace& workspace, Database& database) {
  const auto acceptances = read_acceptances(workspace);
  if (!acceptances) return failure_of(acceptances);
  const auto events = read_node_events(workspace);
  if (!events) return failure_of(events);
  if (auto put = database.record_acceptances(*acceptances); !put) return put;
  return database.record_node_events(*events);
}

Result<void> import_declarations(const Workspace& ours, const Workspace& theirs,
                                 const CampaignRecord& campaign) {
  const auto here = read_acceptances(ours);
  const auto there = read_acceptances(theirs);
  if (!here) return failure_of(here);
  if (!there) return failure_of(there);
  for (const AcceptedCampaign& each : *there)
    if (each.campaign == campaign.id && !has(*here, each))
      if (auto added = append_acceptance(ours, each); !added) return added;
  const auto events_here = read_node_events(ours);
  const auto events_there = read_node_events(theirs);
  if (!events_here) return failure_of(events_here);
  if (!events_there) return failure_of(events_there);
  for (const NodeEvent& each : *events_there)
    if (each.system == campaign.system && !has(*events_here, each))
      if (auto added = append_node_event(ours, each); !added) return added;
  return {};
}

std::vector<AcceptedCampaign> holding(const std::vector<AcceptedCampaign>& all, std::string_view system,
                                      double at_s) {
  std::vector<AcceptedCampaign> chain;
  for (const AcceptedCampaign& each : all) {
    if (each.system != system || each.at_s > at_s) continue;
    if (!each.part) chain.clear();
    if (!each.part || !chain.empty()) chain.push_back(each);  // a part counts beside a whole one
  }
  return chain;
}

namespace {

/// The nodes on which a campaign measured what a criterion is about, at the size of the value's case.
std::set<std::string> nodes_behind(const CampaignRecord& campaign, const Criterion& criterion,
                                   const BaselineValue& value) {
  const Value* size = find_parameter(value.conditions, "nodes");
  std::set<std::string> nodes;
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    if (planned.suite != criterion.suite || record.attempts.empty()) continue;
    if (!criterion.benchmark.empty() && !planned.benchmark.empty() &&
        planned.benchmark != criterion.benchmark)
      continue;
    if (size != nullptr && value_number(*size) != planned.nodes) continue;
    const std::string& hosts =
        record.attempts.back().hosts.empty() ? planned.hosts : record.attempts.back().hosts;
    if (const auto names = expanded_hostlist(hosts)) nodes.insert(names->begin(), names->end());
  }
  return nodes;
}

/// A campaign that was accepted, and what it measured by a criterion.
struct AcceptedInChain {
  std::shared_ptr<const MeasuredCampaign> campaign;
  LastAccepted value_of;
};

/// The value of the whole one, or that of a part if it measured the same again: the same nodes. A part's
/// value from one node can't replace the worst of a hundred.
LastAccepted newest_like(std::vector<AcceptedInChain> chain) {
  return [chain = std::move(chain)](const Criterion& criterion) -> Result<AcceptedValue> {
    std::optional<BaselineValue> held;
    std::string lacking;
    const CampaignRecord* of = nullptr;
    for (const AcceptedInChain& each : chain) {
      auto found = each.value_of(criterion);
      if (!found) {
        if (of == nullptr) return found;
        continue;  // of a part that can't be judged by it, nothing changes
      }
      std::optional<BaselineValue>& value = found->value;
      if (!value) {
        if (lacking.empty()) lacking = std::move(found->lacking);
        continue;
      }
      if (held && of != nullptr &&
          nodes_behind(*of, criterion, *held) != nodes_behind(each.campaign->record, criterion, *value))
        continue;
      held = std::move(value);
      of = &each.campaign->record;
    }
    AcceptedValue newest(std::move(held));
    if (!newest.value) newest.lacking = std::move(lacking);
    return newest;
  };
}

Result<LastAccepted> readable_values(const Workspace& workspace, std::string_view system, double at_s,
                                     const Layout& layout) {
  const auto declared = read_acceptances(workspace);
  if (!declared) return failure_of(declared);
  const auto holds = holding(*declared, system, at_s);
  if (holds.empty())
    return LastAccepted([](const Criterion&) -> Result<std::optional<BaselineValue>> {
      return std::optional<BaselineValue>();
    });
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database);
  const auto text = file_content(layout.share / "comparability.toml");
  if (!text) return failure_of(text);
  const auto table = read_comparability(*text, "comparability.toml");
  if (!table) return failure_of(table);
  std::vector<AcceptedInChain> chain;
  for (const AcceptedCampaign& each : holds) {
    auto campaign = database->campaign(each.campaign);
    if (!campaign) return failure_of(campaign);
    auto held = std::make_shared<const MeasuredCampaign>(std::move(*campaign));
    auto value_of =
        references_to(held, fmt::format("accepted by {} at {}", each.by, utc_text(each.at_s)), *table);
    chain.push_back({std::move(held), std::move(value_of)});
  }
  return newest_like(std::move(chain));
}

}  // namespace

LastAccepted accepted_values(const Workspace& workspace, std::string_view system, double at_s,
                             const Layout& layout) {
  auto found = readable_values(workspace, system, at_s, layout);
  if (found) return *std::move(found);
  return [error = std::move(found.error())](const Criterion&) -> Result<std::optional<BaselineValue>> {
    return tl::unexpected<Error>(error);
  };
}

}  // namespace shakedown
