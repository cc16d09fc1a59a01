#include "orchestrator/campaign/preflight.hpp"

#include <unistd.h>
#include <algorithm>
#include <string_view>
#include <unordered_set>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/launch/process.hpp"
#include "orchestrator/launch/run_directory.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/plan/implementation.hpp"

namespace shakedown {
namespace {

constexpr double check_limit_s = 3600;  // files with a hash are read to their end
constexpr double check_grace_s = 10;
constexpr double settle_s = 10;  // that a shared file system may take to show what the job wrote last
constexpr const char* input = "requirements.json";

const Implementation* implementation_of(const Case& planned, std::span<const Implementation> all) {
  const auto it = std::ranges::find_if(all, [&](const Implementation& each) {
    return each.suite == planned.suite && each.id == planned.implementation &&
           each.benchmark == planned.benchmark;
  });
  return it == all.end() ? nullptr : &*it;
}

/// The first node that takes a job, an idle one before one that others hold.
Result<std::string> chosen_host(Scheduler& scheduler, const std::vector<std::string>& hosts) {
  const auto known_nodes = scheduler.nodes(hosts);
  if (!known_nodes) return failure_of(known_nodes);
  for (const auto kind : {SchedulerNode::Kind::idle, SchedulerNode::Kind::busy})
    for (const SchedulerNode& node : *known_nodes)
      if (node.kind == kind) return node.host;
  return fail("", known_nodes->empty() ? "no node is named"
                                       : fmt::format("no node takes jobs: {} is {}",
                                                     known_nodes->front().host, known_nodes->front().reason));
}

/// The job: this program on one node, with the list to look at.
Result<Job> prepared_job(const std::vector<NeededBy>& needed, const PreflightPlace& place,
                         const std::string& host, double limit_s) {
  Case planned;
  planned.id = "preflight";
  planned.hosts = host;
  planned.argv = {place.layout.executable.string(), "preflight", "--check", input};
  planned.time_limit_s = limit_s;
  planned.modules = place.site.modules;
  std::vector<CheckedRequirement> list;
  list.reserve(needed.size());
  for (const NeededBy& each : needed) list.push_back({each.requirement, Met::unknown, ""});
  planned.files = {{input, requirements_json(list)}};
  JobStep step{planned.id, 1, place.folder / planned.id / "attempt-1", limit_s + check_grace_s, false};
  Job job;
  job.id = planned.id;
  job.campaign = place.folder.filename().string();
  job.folder = place.folder / "jobs" / job.id;
  const JobContext context{job.campaign, 1, place.layout.libexec / "attempt", check_grace_s, {}};
  if (auto made = prepare_run_directory(step.folder, planned, context); !made) return failure_of(made);
  if (auto made = make_private_folder(job.folder); !made) return failure_of(made);
  job.lanes = {{{host}, {std::move(step)}}};
  return job;
}

/// Waits for the job's end. Empty if it recorded how it ended, else why it did not.
std::string waited_for(Scheduler& scheduler, const Job& job, const PreflightPlace& place, int& signal) {
  const fs::path& folder = job.lanes.front().steps.front().folder;
  const Interrupts interrupts;
  const double submitted_s = now_s();
  double gone_s = 0;
  while (!read_finished(folder)) {
    if (Interrupts::count() > 0) {
      static_cast<void>(scheduler.end(job, /*at_once=*/true));
      signal = Interrupts::last_signal();
      return "stopped on request";
    }
    const JobState job_state = scheduler.state(job, /*ask=*/true);
    if (job_state.phase == JobState::Phase::gone && gone_s <= 0) gone_s = now_s();
    if (gone_s > 0 && now_s() - gone_s > settle_s)
      return fmt::format("its job went away: {}{}", to_string(job_state.end),
                         job_state.reason.empty() ? "" : ", " + job_state.reason);
    if (job_state.phase == JobState::Phase::pending && now_s() - submitted_s > place.patience_s) {
      static_cast<void>(scheduler.end(job, /*at_once=*/true));
      return fmt::format("its job waited {} for a node: {}", duration_text(place.patience_s),
                         job_state.reason.empty() ? "no reason given" : job_state.reason);
    }
    scheduler.wait(job_state.phase == JobState::Phase::running ? 0.2 : 1);
  }
  return "";
}

/// Empty: the job is in the queue.
std::string why_not_accepted(const Submission& submission) {
  std::string words;
  if (std::holds_alternative<JobAccepted>(submission)) return "";
  if (const auto* never = std::get_if<JobNever>(&submission)) return to_string(never->refusal);
  if (const auto* later = std::get_if<JobLater>(&submission)) words = later->words;
  if (const auto* unsure = std::get_if<JobUnsure>(&submission)) words = unsure->words;
  return words.empty() ? "the queue takes no more jobs now" : words;
}

Preflight inconclusive(std::string why) {
  Preflight nothing;
  nothing.inconclusive = std::move(why);
  return nothing;
}

}  // namespace

std::vector<NeededBy> needed_by(std::span<const CaseRecord> cases,
                                std::span<const Implementation> implementations, const Site& site) {
  std::vector<NeededBy> all;
  for (const CaseRecord& record : cases) {
    const Implementation* implementation = implementation_of(record.planned, implementations);
    if (implementation == nullptr) continue;
    for (Requirement& each : requirements_of(record.planned, implementation->requirements, site)) {
      auto known = std::ranges::find(all, each, &NeededBy::requirement);
      if (known == all.end()) known = all.insert(all.end(), {std::move(each), {}});
      if (known->cases.empty() || known->cases.back() != record.planned.id)
        known->cases.push_back(record.planned.id);
    }
  }
  return all;
}

Preflight preflight(const std::vector<NeededBy>& needed, const PreflightPlace& place) {
  const auto kinds = schedulers();
  const auto type = std::ranges::find(kinds, place.scheduler, &SchedulerType::id);
  if (type == kinds.end()) return inconclusive(fmt::format("no scheduler '{}'", place.scheduler));
  const auto scheduler = (*type)->make({place.site, place.layout});
  if (!scheduler) return inconclusive(to_string(scheduler.error()));
  if (const auto learned = (*scheduler)->query_limits(); !learned)
    return inconclusive(to_string(learned.error()));
  const auto host = chosen_host(**scheduler, place.hosts);
  if (!host) return inconclusive(to_string(host.error()));
  const SchedulerTraits traits = (*scheduler)->traits();
  const double longest_s = traits.longest_limit_s - traits.step_margin_s - check_grace_s;
  const auto job = prepared_job(
      needed, place, *host, traits.longest_limit_s > 0 ? std::min(check_limit_s, longest_s) : check_limit_s);
  if (!job) return inconclusive(to_string(job.error()));
  const auto submission = (*scheduler)->submit(*job);
  if (!submission) return inconclusive(to_string(submission.error()));
  if (std::string why = why_not_accepted(*submission); !why.empty()) return inconclusive(std::move(why));
  Preflight seen;
  seen.inconclusive = waited_for(**scheduler, *job, place, seen.signal);
  if (!seen.inconclusive.empty()) return seen;
  const fs::path& folder = job->lanes.front().steps.front().folder;
  const auto output = file_content(folder / "stdout.log");
  auto found = requirements_from_json(output ? *output : "", (folder / "stdout.log").string());
  if (!found) return inconclusive(found.error().where + " " + found.error().what);
  if (found->size() != needed.size())
    return inconclusive(fmt::format("{} of {} answers came", found->size(), needed.size()));
  seen.node = *host;
  seen.found = *std::move(found);
  return seen;
}

std::map<std::string, std::string> lacking(const std::vector<NeededBy>& needed, const Preflight& seen) {
  std::map<std::string, std::string> why;
  for (std::size_t i = 0; i < std::min(needed.size(), seen.found.size()); ++i) {
    const CheckedRequirement& each = seen.found[i];
    if (!is_unmet(each.met)) continue;
    for (const std::string& id : needed[i].cases) {
      std::string& text = why[id];
      text += fmt::format("{}{} on {}: {}", text.empty() ? prerequisite_mark : "; ",
                          described(each.requirement), seen.node, each.found);
    }
  }
  return why;
}

namespace {

/// The nodes that the cases may run on, without excluded ones; without a batch system this one.
std::vector<std::string> hosts_of(const CampaignRecord& campaign) {
  if (runs_here(campaign.scheduler)) return {host_name()};
  std::vector<std::string> hosts;
  std::unordered_set<std::string> known;
  std::unordered_set<std::string_view> lists;  // most cases run on the same
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    const std::string& list = planned.among.empty() ? planned.hosts : planned.among;
    if (!lists.insert(list).second) continue;
    const auto own = expanded_hostlist(list);
    if (!own) continue;
    for (const std::string& host : *own)
      if (known.insert(host).second) hosts.push_back(host);
  }
  std::erase_if(hosts, [&](const std::string& host) {
    return std::ranges::find(campaign.exclusions, host, &Exclusion::node) != campaign.exclusions.end();
  });
  return hosts;
}

}  // namespace

Result<Prerequisites> looked_for(const CampaignRecord& campaign, const Workspace& workspace,
                                 const Layout& layout, const std::function<void(std::size_t)>& begins) {
  const auto is_unknown = [](const CaseRecord& each) { return each.planned.implementation.empty(); };
  if (std::ranges::all_of(campaign.cases, is_unknown)) return Prerequisites{};
  const auto implementations = read_implementations(layout.share / "implementations");
  if (!implementations) return failure_of(implementations);
  Prerequisites found;
  found.needed = needed_by(campaign.cases, *implementations, campaign.site);
  if (found.needed.empty()) return found;
  begins(found.needed.size());
  std::string name = fmt::format("{}-{}", utc_text(now_s()), ::getpid());
  std::ranges::replace(name, ':', '-');
  const fs::path folder = fs::absolute(workspace.folder) / "preflight" / name;
  found.seen =
      preflight(found.needed, {folder, campaign.scheduler, campaign.site, layout, hosts_of(campaign)});
  return found;
}

}  // namespace shakedown
