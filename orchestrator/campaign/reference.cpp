#include "orchestrator/campaign/reference.hpp"

#include <algorithm>
#include <limits>
#include <set>

#include "orchestrator/campaign/change.hpp"
#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/campaign/outcome.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "reports/judge/overall.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

Result<void> check_words(const AcceptanceRequest& request) {
  if (trimmed(request.by).empty())
    return fail("--by", "is empty: an acceptance names who declares it",
                "--by \"A. Smith, Operations\"; it is recorded permanently");
  if (trimmed(request.why).empty())
    return fail("--why", "is empty: an acceptance needs its reason",
                "--why \"site acceptance, contract 4.2\"; it is recorded permanently");
  return {};
}

/// Whether any attempt has begun.
bool has_started(const fs::path& folder, const CampaignRecord& campaign) {
  return std::ranges::any_of(campaign.cases, [&](const CaseRecord& record) {
    const std::vector<int> attempts = attempts_in(folder / record.planned.id);
    return std::ranges::any_of(attempts, [&](int index) {
      return read_started(AttemptPlace{folder, &record.planned, index}.folder()).has_value();
    });
  });
}

Result<void> check_finished(const Workspace& workspace, const CampaignRecord& campaign) {
  if (const Holder holder = campaign_holder(workspace.campaign(campaign.id)); holder.pid != 0)
    return fail(campaign.id, fmt::format("still runs (process {} on {})", holder.pid, holder.host),
                fmt::format("`{}` shows how far it is", command_for("status", workspace.folder)));
  if (campaign.state == CampaignState::finished) return {};
  return fail(campaign.id,
              has_started(workspace.campaign(campaign.id), campaign)
                  ? "is not finished: the missing runs may still change its verdict"
                  : "is not started: no case has begun",
              fmt::format("`{}` runs what it lacks", command_for("resume " + campaign.id, workspace.folder)));
}

Result<void> check_verdict(const Workspace& workspace, const Outcome& outcome) {
  const CampaignRecord& campaign = outcome.campaign.record;
  if (outcome.judgement.exit_code == 0) return {};
  if (!campaign.breaches.empty())
    return fail(
        campaign.id,
        fmt::format("can't be the reference of {}: {}", campaign.system, outcome.judgement.sentence),
        "restore the original files, or run the campaign again: other criteria do not repair a broken "
        "commitment");
  return fail(
      campaign.id,
      fmt::format("can't be the reference of {}: {}", campaign.system, outcome.judgement.sentence),
      fmt::format("accept a campaign that meets its criteria; where those are to be others, "
                  "`{}` judges it by them, beside the old ones",
                  command_for("report " + campaign.id + " --criteria F --reason TEXT", workspace.folder)));
}

/// What a reference rests on must be here to be compared: a copy of the store alone proves nothing.
Result<void> check_comparison(const Workspace& workspace, const CampaignRecord& campaign) {
  if (!campaign.compared || campaign.compared->not_here.empty()) return {};
  const std::vector<std::string>& missing = campaign.compared->not_here;
  const std::size_t more = missing.size() - 1;
  return fail_environment(
      workspace.campaign(campaign.id).string(),
      fmt::format("{} is incomplete{}: the store can't be compared with what was measured", missing.front(),
                  more > 0 ? fmt::format(", nor are {} more", more) : ""),
      "put the campaign's folder back from where it was archived, then accept it");
}

/// What a campaign that is no acceptance makes the reference; empty: it is one.
std::string weak_reference(const CampaignRecord& campaign) {
  if (is_external(campaign))
    return fmt::format(
        "its logs were imported: the reference of {} is what the logs state, without a plan, commitment, "
        "exit codes and disturbances that shakedown saw",
        campaign.system);
  if (is_screening(campaign))
    return fmt::format(
        "it is a screening: the reference of {} is what small problems gave in minutes, not an acceptance "
        "test",
        campaign.system);
  return "";
}

std::vector<std::string> gone_before(const CampaignRecord& campaign) {
  std::vector<std::string> sentences;
  for (const EarlierCampaign& each : campaign.earlier)
    if (each.gone)
      sentences.push_back(fmt::format("an earlier campaign by {} criteria is gone: {} ({})",
                                      each.same_criteria ? "these" : "other", each.id,
                                      each.verdict.empty() ? "not judged" : each.verdict));
  return sentences;
}

/// What was measured by an attempt whose result counts.
struct CountedRun {
  std::string suite;
  int nodes = 1;
  std::set<std::string> hosts;
};

std::vector<CountedRun> counted_runs(const CampaignRecord& campaign) {
  std::vector<CountedRun> runs;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts) {
      const bool counts = std::ranges::any_of(attempt.results, [&](const ResultRecord& result) {
        return usable(result) || valid_but_for_length(campaign, result);
      });
      const auto names = expanded_hostlist(attempt.hosts.empty() ? record.planned.hosts : attempt.hosts);
      if (counts && names)
        runs.push_back({record.planned.suite, record.planned.nodes, {names->begin(), names->end()}});
    }
  return runs;
}

/// What a run must be to show a change: of a suite that it can have moved, of several nodes where it is of
/// how they talk; as far as the reference, which alone it is held against, has such runs.
class Shown {
 public:
  Shown(const FoundChange& change, const std::vector<CountedRun>& reference) : change_(change) {
    const auto any = [&](auto&& wanted) { return std::ranges::any_of(reference, wanted); };
    by_suite_ = any([&](const CountedRun& run) { return moves(change, run.suite); });
    several_ = change.reach != Reach::node &&
               any([&](const CountedRun& run) { return run.nodes > 1 && moves(change, run.suite); });
    alone_ = change.reach != Reach::network &&
             any([&](const CountedRun& run) { return run.nodes == 1 && moves(change, run.suite); });
    for (const CountedRun& run : reference)
      if (!by_suite_ || moves(change, run.suite)) suites_.insert(run.suite);
  }
  [[nodiscard]] bool by(const CountedRun& run, const std::string& host) const {
    return run.hosts.contains(host) && (!several_ || run.nodes > 1) &&
           (!by_suite_ || moves(change_, run.suite));
  }
  [[nodiscard]] std::string_view what() const {
    return several_ ? "run on several nodes with it" : "run on it";
  }
  /// How to come by such a run on a node.
  [[nodiscard]] std::string remedy(const Workspace& workspace, const std::string& host) const {
    const std::string change = command_for("change", workspace.folder);
    if (several_ || alone_) return fmt::format("`{}` proposes the runs that cover it; accept those", change);
    const std::vector<std::string> suites(suites_.begin(), suites_.end());
    return fmt::format(
        "`{}` has none to propose, as the reference has no such run: accept a campaign with a run on {}{}",
        change, host, suites.empty() ? "" : " of " + joined(suites, " or "));
  }

 private:
  const FoundChange& change_;
  bool by_suite_ = false;
  bool several_ = false;
  bool alone_ = false;            ///< the reference has a run on one node that shows it
  std::set<std::string> suites_;  ///< of the reference, whose runs show it
};

/// The nodes that a part can still show something about: not those that its inventory no longer has. If that
/// names no nodes, all are asked for.
class Present {
 public:
  explicit Present(const Inventory& inventory) : hosts_(all_hosts(inventory)) {}
  [[nodiscard]] bool has(const std::string& host) const { return hosts_.empty() || hosts_.contains(host); }

 private:
  std::set<std::string> hosts_;
};

/// What is declared after a part began is nothing that it shows.
Result<void> check_events(const Workspace& workspace, const std::vector<NodeEvent>& since,
                          const CampaignRecord& part, const std::vector<CountedRun>& of_reference) {
  const Present there(part.inventory);
  for (const NodeEvent& event : since) {
    if (event.at_s <= part.created_s || !there.has(event.node)) continue;
    for (const FoundChange& change : found_changes(part.inventory, part.inventory, {event}))
      if (change.reach != Reach::nothing)
        return fail("--part",
                    fmt::format("{} was declared ({}) on {}, after {} began", event.node,
                                to_string(event.kind), utc_text(event.at_s), part.id),
                    Shown(change, of_reference).remedy(workspace, event.node));
  }
  return {};
}

/// A part takes over the inventory, so it must have measured what changed in it, by a result that counts.
Result<void> check_part(const Workspace& workspace, const Database& database, const CampaignRecord& part) {
  const auto reference = last_accepted(workspace, database, part.system);
  if (!reference) return failure_of(reference);
  const std::optional<Reference>& found = *reference;
  if (!found)
    return fail("--part",
                fmt::format("no campaign of {} was accepted yet that it could stand beside", part.system),
                "leave --part out");
  const CampaignRecord& before = found->newest;
  const auto events = read_node_events(workspace);
  if (!events) return failure_of(events);
  const std::vector<CountedRun> measured = counted_runs(part);
  const std::vector<CountedRun> of_reference = counted_runs(found->campaign);
  const Present there(part.inventory);
  const std::vector<NodeEvent> since = events_since(*events, before);
  if (auto early = check_events(workspace, since, part, of_reference); !early) return early;
  for (const FoundChange& change : found_changes(before.inventory, part.inventory, since)) {
    if (change.reach == Reach::nothing || change.hosts.empty()) continue;
    const auto hosts = expanded_hostlist(change.hosts);
    if (!hosts) continue;
    const Shown shown(change, of_reference);
    for (const std::string& host : *hosts)
      if (there.has(host) &&
          std::ranges::none_of(measured, [&](const CountedRun& run) { return shown.by(run, host); }))
        return fail("--part",
                    fmt::format("{} changed since {} was accepted ({}), and {} has no valid {} that shows it",
                                host, before.id, change.what, part.id, shown.what()),
                    shown.remedy(workspace, host));
  }
  return {};
}

}  // namespace

std::vector<NodeEvent> events_since(const std::vector<NodeEvent>& all, const CampaignRecord& campaign) {
  std::vector<NodeEvent> since;
  for (const NodeEvent& event : all)
    if (event.system == campaign.system && event.at_s > std::max(campaign.created_s, campaign.finished_s))
      since.push_back(event);
  return since;
}

Result<std::optional<Reference>> last_accepted(const Workspace& workspace, const Database& database,
                                               std::string_view system) {
  const auto all = read_acceptances(workspace);
  if (!all) return failure_of(all);
  Reference reference;
  reference.acceptances = holding(*all, system, std::numeric_limits<double>::infinity());
  if (reference.acceptances.empty()) return std::optional<Reference>();
  for (const AcceptedCampaign& each : reference.acceptances) {
    auto campaign = database.campaign(each.campaign);
    if (!campaign)
      return fail(workspace.accepted().string(),
                  fmt::format("the reference of {} is {} (by {}, {}), and the store does not have it: {}",
                              system, each.campaign, each.by, utc_text(each.at_s), campaign.error().what),
                  campaign.error().hint);
    reference.newest = *std::move(campaign);
    if (!each.part) reference.campaign = reference.newest;
  }
  return std::optional(std::move(reference));
}

Result<DeclaredAcceptance> accept_campaign(const Workspace& workspace, const AcceptanceRequest& request,
                                           const Layout& layout) {
  if (auto said = check_words(request); !said) return failure_of(said);
  const auto outcome = judged_campaign(workspace, request.campaign, layout);
  if (!outcome) return failure_of(outcome);
  const CampaignRecord& campaign = outcome->campaign.record;
  if (auto finished = check_finished(workspace, campaign); !finished) return failure_of(finished);
  if (auto verdict = check_verdict(workspace, *outcome); !verdict) return failure_of(verdict);
  if (auto compared = check_comparison(workspace, campaign); !compared) return failure_of(compared);
  const auto declared = read_acceptances(workspace);  // none is added to what is broken
  if (!declared) return failure_of(declared);
  // Opened before anything is declared: if the store can't be opened, nothing changes.
  auto database = Database::open(workspace.database());
  if (!database) return failure_of(database);
  if (request.part)
    if (auto covers = check_part(workspace, *database, campaign); !covers) return failure_of(covers);
  AcceptedCampaign acceptance = {campaign.system,
                                 campaign.id,
                                 now_s(),
                                 std::string(trimmed(request.by)),
                                 std::string(trimmed(request.why)),
                                 request.part};
  // A clock that was set back must not put it before what it follows.
  for (const AcceptedCampaign& each : *declared)
    if (each.system == acceptance.system) acceptance.at_s = std::max(acceptance.at_s, each.at_s);
  if (auto noted = note_verdict(workspace, *outcome); !noted) return failure_of(noted);
  if (auto appended = append_acceptance(workspace, acceptance); !appended) return failure_of(appended);
  if (auto stored = store_declarations(workspace, *database); !stored)
    return failure_of(stored,
                      "the acceptance is declared; the store has it with the next declaration or import");
  return DeclaredAcceptance{std::move(acceptance), expired_since(outcome->judgement, now_s()),
                            weak_reference(campaign), gone_before(campaign)};
}

Result<std::vector<std::string>> given_up(const Workspace& workspace, const std::string& campaign) {
  std::vector<std::string> lost;
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database);
  const auto record = database->campaign(campaign);
  if (!record) return failure_of(record);
  const auto reference = last_accepted(workspace, *database, record->system);
  if (!reference) return lost;  // of a reference that is lost nothing can be given up
  const std::optional<Reference>& found = *reference;
  if (!found) return lost;
  const auto measured = [](const CampaignRecord& of) {
    std::set<std::string> list;
    for (const CaseRecord& each : of.cases)
      if (!each.attempts.empty())
        list.insert(fmt::format("{} on {} {}", each.planned.suite, each.planned.nodes,
                                each.planned.nodes == 1 ? "node" : "nodes"));
    return list;
  };
  const auto before = measured(found->campaign);
  const auto now = measured(*record);
  std::ranges::set_difference(before, now, std::back_inserter(lost));
  return lost;
}

}  // namespace shakedown
