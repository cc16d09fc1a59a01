#include "orchestrator/cli/site_history.hpp"

#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/regression/check_history.hpp"
#include "reports/judge/disturbance.hpp"

namespace shakedown {
namespace {

/// "running" as the store has it may be of an orchestrator that is gone.
std::string present_state(const Workspace& workspace, const HistoryCampaign& campaign) {
  if (campaign.state == "finished") return campaign.state;
  if (campaign_holder(workspace.campaign(campaign.id)).pid != 0) return "running";
  return campaign.state == "running" ? "stopped" : campaign.state;
}

/// The address of a campaign's report from the page's folder; empty: there is none.
std::string report_address(const Workspace& workspace, const std::string& id,
                           const std::filesystem::path& folder) {
  std::error_code code;
  const auto report = workspace.campaign(id) / "report.html";
  if (!std::filesystem::exists(report, code)) return "";
  const auto relative = std::filesystem::proximate(report, folder, code).generic_string();
  std::string address;
  static constexpr std::string_view plain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/";
  for (const char c : relative)
    address += plain.find(c) != std::string_view::npos
                   ? std::string(1, c)
                   : fmt::format("%{:02X}", static_cast<unsigned char>(c));
  return address.find(':') == std::string::npos ? address : "./" + address;
}

/// Takes the nodes and pods of a system's newest campaign that has an inventory: of a scheduled check, if
/// there is one.
void add_newest_nodes(SiteSystem& system, const Database& database,
                      const std::vector<HistoryCampaign>& campaigns) {
  const auto take_newest = [&](bool checks_only) {
    std::vector<std::string>& nodes = system.nodes;
    static constexpr int most_tries = 3;
    int tries = 0;
    for (auto each = campaigns.rbegin(); each != campaigns.rend() && nodes.empty() && tries < most_tries;
         ++each) {
      if (checks_only && each->kind != regression_kind) continue;
      ++tries;
      const auto record = database.campaign(each->id, Excerpts::skip);
      if (!record) continue;
      const auto hosts = all_hosts(record->inventory);
      nodes.assign(hosts.begin(), hosts.end());
      for (const Pod& pod : record->inventory.pods)
        for (const std::string& host : expanded_hostlist(pod.hosts).value_or(std::vector<std::string>()))
          system.pods.emplace(host, pod.name);
    }
  };
  take_newest(true);
  if (system.nodes.empty()) take_newest(false);
}

/// Judges the nodes of the newest campaign that measured some beside each other, as its report does.
void screen_newest(SiteSystem& system, const Database& database,
                   const std::vector<HistoryCampaign>& campaigns, const NodePast& past) {
  static constexpr std::ptrdiff_t most_tries = 3;
  for (auto each = campaigns.rbegin();
       each != campaigns.rend() && each - campaigns.rbegin() < most_tries && system.screens.empty(); ++each) {
    const auto record = database.campaign(each->id, Excerpts::skip);
    if (!record) continue;
    system.screened = each->id;
    system.screens = node_screens(MeasuredCampaign(*record), past);
  }
}

/// The floors that the newest check was judged by which has a verdict in its folder.
std::vector<SiteFloor> newest_floors(const Workspace& workspace, const CheckHistory& history) {
  std::vector<SiteFloor> floors;
  for (auto check = history.checks.rbegin(); check != history.checks.rend() && floors.empty(); ++check) {
    const auto file = workspace.campaign(check->id) / check_verdict_file;
    std::error_code code;
    if (!std::filesystem::exists(file, code)) continue;
    const auto text = file_content(file);
    if (!text) continue;
    const auto verdict = check_verdict_from_json(*text, file.string());
    if (!verdict) continue;
    for (const JudgedSeries& each : verdict->series)
      if (each.series.floor)
        floors.push_back({each.series.name, *each.series.floor, each.series.floor_source});
    break;
  }
  return floors;
}

/// The runs of the campaigns that measured something more than once, on the same nodes or in the same case:
/// only there a repeat may count instead of a run. Not those of scheduled checks, whose log has what they
/// left out.
std::map<std::string_view, std::vector<std::size_t>> runs_of_repeating_campaigns(
    const SystemSeries& series, const std::vector<HistoryCampaign>& campaigns) {
  std::map<std::string_view, std::vector<std::size_t>> runs;
  for (std::size_t i = 0; i < series.runs.size(); ++i) runs[series.runs[i].campaign].push_back(i);
  std::set<std::string_view> repeating;
  for (const MetricSeries& each : series.series) {
    std::set<std::pair<std::string_view, std::string_view>> on_nodes;  // by campaign
    std::set<std::pair<std::string_view, std::string_view>> in_case;
    for (const SeriesPoint& point : each.points) {
      const SeriesRun& run = series.runs[point.run];
      const bool is_first = on_nodes.emplace(run.campaign, run.hosts).second;
      if (!in_case.emplace(run.campaign, run.case_id).second || !is_first) repeating.insert(run.campaign);
    }
  }
  for (const HistoryCampaign& each : campaigns)
    if (each.kind == regression_kind) repeating.erase(each.id);
  std::erase_if(runs, [&](const auto& each) { return !repeating.contains(each.first); });
  return runs;
}

/// Leaves out the runs that reports do not count: disturbed ones of cases that have others, and those that a
/// node was suspect for. A campaign that has no report, as it can't be judged, is shown as it stands.
void leave_out_uncounted(SiteSystem& system, const SystemSeries& series, const Database& database,
                         const std::vector<HistoryCampaign>& campaigns, const Comparability& table) {
  for (const auto& [id, runs] : runs_of_repeating_campaigns(series, campaigns)) {
    auto stored = database.campaign(std::string(id), Excerpts::skip);
    if (!stored) continue;
    const auto measured = without_disturbed(*std::move(stored), table);
    if (!measured) continue;
    std::set<std::pair<std::string_view, int>> uncounted;
    for (const CaseRecord& record : measured->record.cases)
      for (const AttemptRecord& attempt : record.attempts)
        if (record.planned.confirms || !attempt.set_aside.empty())
          uncounted.emplace(record.planned.id, attempt.index);
    for (const std::size_t run : runs)
      if (uncounted.contains({series.runs[run].case_id, series.runs[run].attempt}))
        system.counts[run] = false;
  }
}

Result<SiteSystem> gathered_system(const Workspace& workspace, const Database& database, std::string name,
                                   std::vector<HistoryCampaign> campaigns, const WantedHistory& wanted,
                                   const Comparability& table) {
  SiteSystem system;
  system.name = std::move(name);
  auto history = check_history(workspace, database, system.name, Metrics::all);
  if (!history) return failure_of(history);
  system.counts = runs_that_count(*history);
  leave_out_uncounted(system, history->series, database, campaigns, table);
  system.checked = series_of_all_checks(*history);
  system.last_seen = coverage(*history);
  system.floors = newest_floors(workspace, *history);
  add_newest_nodes(system, database, campaigns);
  screen_newest(system, database, campaigns, {&history->series, history->events});
  for (HistoryCampaign& each : campaigns) {
    if (each.created_s < wanted.since_s) continue;
    each.state = present_state(workspace, each);
    system.reports.push_back(report_address(workspace, each.id, wanted.folder));
    system.campaigns.push_back(std::move(each));
  }
  auto acceptances = database.acceptances(system.name);
  if (!acceptances) return failure_of(acceptances);
  system.acceptances = *std::move(acceptances);
  for (NodeEvent& event : history->events)
    if (event.at_s >= wanted.since_s) system.events.push_back(std::move(event));
  for (const LoggedChange& change : history->log.changes)
    if (change.system == system.name && change.at_s >= wanted.since_s)
      system.changes.push_back({change.node, change.at_s, joined(change.what, "; ")});
  system.series = std::move(history->series);
  return system;
}

}  // namespace

Result<SiteHistory> gathered_history(const Workspace& workspace, const WantedHistory& wanted) {
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database);
  auto campaigns = database->history();
  if (!campaigns) return failure_of(campaigns);
  const auto text = file_content(installed_layout().share / "comparability.toml");
  if (!text) return failure_of(text);
  const auto table = read_comparability(*text, "comparability.toml");
  if (!table) return failure_of(table);
  std::map<std::string, std::vector<HistoryCampaign>> by_system;
  SiteHistory history;
  history.since_s = wanted.since_s;
  std::map<std::string, std::size_t> shown;
  for (HistoryCampaign& each : *campaigns) {
    if (!wanted.system.empty() && each.system != wanted.system) {
      by_system.try_emplace(each.system);
      continue;
    }
    each.created_s < wanted.since_s ? ++history.left_out : ++shown[each.system];
    by_system[each.system].push_back(std::move(each));
  }
  if (!wanted.system.empty() && !by_system.contains(wanted.system)) {
    std::vector<std::string> names;
    names.reserve(by_system.size());
    for (const auto& [name, all] : by_system) names.push_back(name);
    return fail(
        "--system",
        fmt::format("the store has no system '{}'{}", wanted.system, did_you_mean(wanted.system, names)),
        names.empty() ? "it has no campaign yet" : "it has " + joined(names, ", "));
  }
  for (auto& [name, all] : by_system) {
    if (!shown.contains(name)) continue;
    auto system = gathered_system(workspace, *database, name, std::move(all), wanted, *table);
    if (!system) return failure_of(system);
    history.systems.push_back(*std::move(system));
  }
  std::ranges::stable_sort(history.systems, std::greater<>(),
                           [](const SiteSystem& each) { return each.campaigns.back().created_s; });
  return history;
}

}  // namespace shakedown
