#include "orchestrator/campaign/replanner.hpp"

#include <algorithm>
#include <tuple>
#include <utility>

#include "orchestrator/campaign/works.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/planning/derivation.hpp"

namespace shakedown {

std::string replaced_by(const Case& fresh) {
  return fmt::format("{} on {} nodes took its place", fresh.id, fresh.nodes);
}

Replanner::Replanner(ExecutionContext& context, ProgressEvents& events, NodeWatch& nodes,
                     AttemptLedger& ledger)
    : context_(context), events_(events), nodes_(nodes), ledger_(ledger) {}

JobRequest Replanner::job_request_of(std::size_t work) const {
  const Work& each = context_.dispatcher.work(work);
  JobRequest demand{each.nodes, limit_with_grace(context_.planned(work)), {}};
  for (const int host : each.hosts) demand.hosts.push_back(context_.host(host));
  if (each.hosts.empty() && each.among)
    for (std::size_t host = 0; host < context_.pool.size(); ++host)
      if ((*each.among)[host]) demand.hosts.push_back(context_.pool[host]);
  return demand;
}

Result<void> Replanner::apply_limits() {
  if (context_.dispatcher.waiting() == 0) return {};
  if (auto learned = context_.scheduler->query_limits(); !learned) return learned;
  context_.traits = context_.scheduler->traits();
  for (std::size_t work = 0; work < context_.campaign.cases.size(); ++work) {
    const std::string why =
        context_.dispatcher.is_waiting(work) ? context_.scheduler->objection(job_request_of(work)) : "";
    if (why.empty()) continue;
    if (auto given = ledger_.give_up(work, why); !given) return given;
  }
  return {};
}

Result<bool> Replanner::plan_again() {
  std::vector<std::size_t> wide;
  for (const std::size_t work : context_.dispatcher.impossible())
    if (!context_.planned(work).bound && context_.dispatcher.work(work).stage == context_.dispatcher.stage())
      wide.push_back(work);
  if (wide.empty()) return false;
  std::vector<std::string> out;
  std::string because;
  for (const Exclusion& exclusion : context_.journal.excluded()) {
    out.push_back(exclusion.node);
    because +=
        fmt::format("{}{} is excluded ({})", because.empty() ? "" : "; ", exclusion.node, exclusion.because);
  }
  const Result<std::vector<Case>> fresh =
      context_.options.replan ? context_.options.replan(context_.campaign, out)
                              : planned_again(context_.campaign, out, context_.options.layout);
  bool any = false;
  for (const std::size_t work : wide) {
    const Case old = context_.planned(work);
    std::string why = fresh ? "no such case is planned without them" : fresh.error().what;
    const Case* found = fresh ? counterpart(context_.campaign.cases, work, *fresh) : nullptr;
    if (found != nullptr && found->nodes < old.nodes) {
      if (auto added = replace_case(*found, old, because); !added) return failure_of(added);
      any = true;
      why = replaced_by(context_.campaign.cases.back().planned);
    }
    if (auto given =
            ledger_.give_up(work, fmt::format("needs {} nodes, and {}: {}", old.nodes, because, why));
        !given)
      return failure_of(given);
  }
  return any;
}

Result<void> Replanner::replace_case(Case fresh, const Case& old, const std::string& because) {
  fresh.stands_for = old.id;
  fresh.why.insert(fresh.why.begin(),
                   {"nodes", std::int64_t{fresh.nodes},
                    fmt::format("planned for {}, and {}", old.nodes, because), "the nodes that are left"});
  const std::string name = fresh.id;
  for (int k = 2; context_.work_of(fresh.id) < context_.campaign.cases.size(); ++k)
    fresh.id = fmt::format("{}-{}", name, k);
  if (auto noted = context_.journal.add(fresh); !noted) return noted;
  if (auto put = context_.database.add_case(context_.campaign.id, {fresh}); !put) return put;
  context_.campaign.cases.push_back({std::move(fresh)});
  context_.dispatcher.add(works_of(context_.campaign, context_.pool, context_.traits).back());
  ledger_.add_case();
  Event event = events_.of_case(Event::Kind::case_replanned, context_.campaign.cases.size() - 1, 0);
  event.text = fmt::format("in place of {}: {}", old.id, because);
  events_.report(event);
  return {};
}

Result<bool> Replanner::give_up_impossible(bool idle) {
  bool any = false;
  const int stage = context_.dispatcher.stage();
  for (const std::size_t work : context_.dispatcher.impossible()) {
    if (context_.dispatcher.work(work).stage != stage) continue;  // it is planned again when its stage begins
    const Case& each = context_.planned(work);
    const std::vector<std::string> hosts = expanded_hostlist(each.hosts).value_or(std::vector<std::string>());
    const auto out = std::ranges::find_if(context_.journal.excluded(), [&](const Exclusion& exclusion) {
      return std::ranges::find(hosts, exclusion.node) != hosts.end();
    });
    const std::string why = each.bound && out != context_.journal.excluded().end()
                                ? fmt::format("{} is excluded: {}", out->node, out->because)
                                : fmt::format("needs {} nodes, and too few are left", each.nodes);
    if (auto given = ledger_.give_up(work, why); !given) return failure_of(given);
    any = true;
  }
  if (any || !idle) return any;
  for (std::size_t work = 0; work < context_.campaign.cases.size(); ++work) {
    const std::string why = context_.dispatcher.is_waiting(work) ? nodes_.why_blocked(work) : "";
    if (why.empty()) continue;
    if (auto given = ledger_.give_up(work, why); !given) return failure_of(given);
    any = true;
  }
  return any;
}

namespace {

/// Two hostlists as one, each host once.
std::string with_hosts(const std::string& hostlist, const std::vector<std::string>& more) {
  std::vector<std::string> hosts;
  if (const auto known = expanded_hostlist(hostlist)) hosts = *known;
  for (const std::string& host : more)
    if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  return folded_hostlist(hosts);
}

}  // namespace

Result<std::optional<PlanOptions>> planned_options(const CampaignRecord& campaign) {
  if (campaign.planned_by.empty()) return std::optional<PlanOptions>();
  auto options = plan_options_from_json(campaign.planned_by);
  if (!options)
    return fail(campaign.id, fmt::format("'planned_by' of its campaign.json: {}", options.error().what));
  return std::optional(*std::move(options));
}

Result<std::vector<Case>> planned_again(const CampaignRecord& campaign,
                                        const std::vector<std::string>& without, const Layout& layout) {
  auto found = planned_options(campaign);
  if (!found) return failure_of(found);
  std::optional<PlanOptions>& planned = *found;
  if (!planned) return fail(campaign.id, "its plan was given as a file and can't be derived again");
  PlanOptions options = *std::move(planned);
  Acceptance acceptance;
  if (!campaign.config_text.empty()) {
    auto read = configured_facts(campaign.kind, campaign.config_text, options.config);
    if (!read) return failure_of(read);
    acceptance = *std::move(read);
  }
  options.exclude = with_hosts(options.exclude, without);
  for (AcceptanceRun& run : acceptance.runs)
    if (!run.exclude.empty()) run.exclude = with_hosts(run.exclude, without);
  auto plan = derived_plan(options, acceptance, campaign.inventory, layout);
  if (!plan) return failure_of(plan);
  return std::move(plan->cases);
}

namespace {

auto key_of(const Case& planned) {
  return std::tie(planned.suite, planned.implementation, planned.benchmark, planned.stage, planned.repetition,
                  planned.bound);
}

/// The case that was planned at first: it took nobody's place.
std::size_t original(std::span<const CaseRecord> cases, std::size_t place) {
  for (std::size_t steps = 0; steps < cases.size() && !cases[place].planned.stands_for.empty(); ++steps) {
    const auto before =
        std::ranges::find(cases, cases[place].planned.stands_for,
                          [](const CaseRecord& record) -> const std::string& { return record.planned.id; });
    if (before == cases.end()) break;
    place = static_cast<std::size_t>(before - cases.begin());
  }
  return place;
}

}  // namespace

const Case* counterpart(std::span<const CaseRecord> cases, std::size_t place, std::span<const Case> fresh) {
  const std::size_t first = original(cases, place);
  const auto like = [&](const Case& each) { return key_of(each) == key_of(cases[first].planned); };
  auto ordinal = std::ranges::count_if(cases.first(first), [&](const CaseRecord& record) {
    return record.planned.stands_for.empty() && like(record.planned);
  });
  for (const Case& each : fresh)
    if (like(each) && ordinal-- == 0) return &each;
  return nullptr;
}

}  // namespace shakedown
