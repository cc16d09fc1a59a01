#include "orchestrator/schedulers/slurm_allowance.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"

namespace shakedown {
namespace {

bool holds(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

/// Takes a bound where it is stricter than what is known.
void tighten(std::optional<SlurmBound>& bound, double value, std::string words) {
  if (!bound || value < bound->value) bound = SlurmBound{value, std::move(words)};
}

/// Why a name is not allowed by one of two lists; empty: it is.
std::string barred(std::string_view kind, const std::string& name, const std::vector<std::string>& allowed,
                   const std::vector<std::string>& denied) {
  if (name.empty()) return {};  // it is Slurm's to choose
  if (holds(denied, name)) return fmt::format("denies {} '{}'", kind, name);
  if (!allowed.empty() && !holds(allowed, name))
    return fmt::format("allows {} {} only, not '{}'", kind, joined(allowed, ", "), name);
  return {};
}

/// Why a partition takes no job of this site; empty: it may.
std::string closed(const SlurmPartition& partition, const Site& site, const SlurmUser& user) {
  // DOWN takes jobs, which wait until it is UP.
  if (partition.state == "DRAIN" || partition.state == "INACTIVE")
    return fmt::format("is {}: it takes no jobs", partition.state);
  if (partition.root_only && !user.root) return "takes jobs of root only (RootOnly)";
  if (partition.reserved_only && site.reservation.empty())
    return "takes jobs within a reservation only (ReqResv): name it, [site] reservation";
  if (std::string why = barred("account", site.account, partition.allow_accounts, partition.deny_accounts);
      !why.empty())
    return why;
  return barred("QoS", site.qos, partition.allow_qos, partition.deny_qos);
}

bool may_use(const SlurmReservation& reservation, const Site& site, const SlurmUser& user) {
  if (holds(reservation.users, "-" + user.name) || holds(reservation.accounts, "-" + site.account))
    return false;
  if (user.root || holds(reservation.users, user.name) || holds(reservation.accounts, site.account))
    return true;
  // Groups, and an account that Slurm chooses, are not known here; lists of those who may not name us not.
  const auto denies = [](const std::vector<std::string>& names) {
    return !names.empty() && names.front().starts_with('-');
  };
  return !reservation.groups.empty() || denies(reservation.users) || denies(reservation.accounts) ||
         (!reservation.accounts.empty() && site.account.empty());
}

}  // namespace

Result<void> SlurmAllowance::choose_partitions(const SlurmLimits& limits, const Site& site,
                                               const SlurmUser& user) {
  std::vector<std::string> known;
  known.reserve(limits.partitions.size());
  for (const SlurmPartition& each : limits.partitions) known.push_back(each.name);
  std::string reasons;
  std::size_t named = 0;
  const auto consider = [&](const SlurmPartition& each) {
    ++named;
    if (const std::string why = closed(each, site, user); !why.empty())
      reasons += fmt::format("{}partition '{}' {}", reasons.empty() ? "" : "; ", each.name, why);
    else
      partitions_.push_back(each);
  };
  if (site.partition.empty()) {
    for (const SlurmPartition& each : limits.partitions)
      if (each.is_default) consider(each);
    if (named == 0)
      return fail_environment("Slurm", "has no default partition",
                              fmt::format("name one, [site] partition: {}", joined(known, ", ")));
  } else {
    for (const std::string_view name : split(site.partition, ',')) {
      const auto it = std::ranges::find(limits.partitions, name, &SlurmPartition::name);
      if (it == limits.partitions.end())
        return fail_environment("[site] partition",
                                fmt::format("Slurm has no partition '{}'{}", name, did_you_mean(name, known)),
                                fmt::format("it has: {}", joined(known, ", ")));
      consider(*it);
    }
  }
  const bool none = partitions_.empty();
  if (none || (limits.configuration.all_partitions_must && partitions_.size() < named))
    return fail_environment("Slurm", reasons, "name another in [site], or have its administrator change it");
  for (const SlurmPartition& each : partitions_) hosts_.insert(each.hosts.begin(), each.hosts.end());
  return {};
}

Result<void> SlurmAllowance::choose_reservation(const SlurmLimits& limits, const Site& site,
                                                const SlurmUser& user, double now_s) {
  std::vector<std::string> known;
  for (const SlurmReservation& each : limits.reservations) {
    known.push_back(each.name);
    // MAGNETIC ones draw jobs that may use them without being named.
    const bool ours = each.name == site.reservation || (each.has("MAGNETIC") && may_use(each, site, user));
    if (each.name == site.reservation) own_ = each;
    if (ours) own_hosts_.insert(each.hosts.begin(), each.hosts.end());
    if (!ours) others_.push_back(each);
  }
  if (site.reservation.empty() || site.reservation.find(',') != std::string::npos) return {};
  if (!own_)
    return fail_environment("[site] reservation",
                            fmt::format("Slurm has no reservation '{}'{}", site.reservation,
                                        did_you_mean(site.reservation, known)),
                            known.empty() ? "it has none" : fmt::format("it has: {}", joined(known, ", ")));
  if (own_->end_s <= now_s)
    return fail_environment("[site] reservation",
                            fmt::format("'{}' ended at {}", own_->name, utc_text(own_->end_s)),
                            "name another, or none");
  if (!may_use(*own_, site, user))
    return fail_environment(
        "[site] reservation",
        fmt::format("'{}' is for {}, not for {}", own_->name,
                    joined(own_->users.empty() ? own_->accounts : own_->users, ", "), user.name),
        "name another, or have its administrator add you");
  if (!own_->has("FLEX"))
    tighten(longest_s_, own_->end_s - std::max(now_s, own_->start_s),
            fmt::format("reservation '{}' ends at {}", own_->name, utc_text(own_->end_s)));
  return {};
}

/// The partitions' own limits: of several the loosest, or the strictest where a job must suit each.
void SlurmAllowance::bind_by_partitions(bool all_must) {
  const auto bind = [&](std::optional<SlurmBound>& bound, auto value_of, bool is_least, std::string_view key,
                        auto text_of) {
    std::optional<SlurmBound> found;
    for (const SlurmPartition& each : partitions_) {
      const auto value = value_of(each);
      if (!value) {
        if (all_must) continue;
        return;  // this one sets no limit, and one is enough
      }
      const bool stricter = found && (is_least ? *value > found->value : *value < found->value);
      if (!found || stricter == all_must)
        found = SlurmBound{
            static_cast<double>(*value),
            fmt::format("partition '{}' has {} {}", each.name, key, text_of(static_cast<double>(*value)))};
    }
    if (!found) return;
    if (is_least)
      bound = std::move(found);
    else
      tighten(bound, found->value, found->words);
  };
  const auto count = [](double value) { return fmt::format("{:.0f}", value); };
  bind(
      longest_s_, [](const SlurmPartition& each) { return each.max_s; }, false, "MaxTime", duration_text);
  bind(
      most_nodes_, [](const SlurmPartition& each) { return each.max_nodes; }, false, "MaxNodes", count);
  bind(
      fewest_nodes_,
      [](const SlurmPartition& each) {
        return each.min_nodes > 1 ? std::optional<int>(each.min_nodes) : std::nullopt;
      },
      true, "MinNodes", count);
}

void SlurmAllowance::bind_by_accounting(const SlurmLimits& limits, const Site& site) {
  const SlurmAssociation* association = nullptr;
  int candidates = 0;
  for (const SlurmAssociation& each : limits.associations) {
    if (!site.account.empty() && each.account != site.account) continue;
    const bool of_partition = std::ranges::any_of(
        partitions_, [&](const SlurmPartition& partition) { return partition.name == each.partition; });
    if (!each.partition.empty() && !of_partition) continue;
    ++candidates;
    if (association == nullptr || of_partition) association = &each;
  }
  // Which account Slurm takes where the site names none is known only where there is one.
  if (site.account.empty() && candidates > 1) association = nullptr;
  const auto called = [&](const std::string& name) -> const SlurmQos* {
    const auto it = std::ranges::find(limits.qos, name, &SlurmQos::name);
    return name.empty() || it == limits.qos.end() ? nullptr : &*it;
  };
  std::string qos_name = site.qos;
  if (qos_name.empty() && association != nullptr) qos_name = association->default_qos;
  const SlurmQos* of_job = called(qos_name);
  const SlurmQos* of_partition = partitions_.size() == 1 ? called(partitions_.front().qos) : nullptr;

  struct Source {
    std::string name;
    const SlurmAccountLimits* limits;
  };
  std::vector<Source> sources;
  for (const SlurmQos* each : {of_partition, of_job})
    if (each != nullptr) sources.push_back({fmt::format("QoS '{}'", each->name), &each->limits});
  if (sources.size() == 2 && of_job->has("OverPartQOS")) std::swap(sources[0], sources[1]);
  if (association != nullptr)
    sources.push_back({fmt::format("account '{}'", association->account), &association->limits});

  if (of_job != nullptr && of_job->has("PartitionTimeLimit")) longest_s_.reset();
  if (of_job != nullptr && of_job->has("PartitionMaxNodes")) most_nodes_.reset();
  if (of_job != nullptr && of_job->has("PartitionMinNodes")) fewest_nodes_.reset();
  // The first that sets a limit is the one that counts.
  const auto bind = [&](std::optional<SlurmBound>& bound, auto member, std::string_view key, auto text_of) {
    for (const Source& source : sources)
      if (const auto& value = source.limits->*member) {
        const auto limit = static_cast<double>(*value);
        tighten(bound, limit, fmt::format("{} has {} {}", source.name, key, text_of(limit)));
        return;
      }
  };
  const auto count = [](double value) { return fmt::format("{:.0f}", value); };
  bind(longest_s_, &SlurmAccountLimits::max_wall_s, "MaxWall", duration_text);
  bind(most_nodes_, &SlurmAccountLimits::max_nodes, "MaxTRES node", count);
  bind(most_nodes_, &SlurmAccountLimits::max_nodes_per_user, "MaxTRESPerUser node", count);
  bind(most_nodes_, &SlurmAccountLimits::group_nodes, "GrpTRES node", count);
  bind(most_jobs_, &SlurmAccountLimits::max_submitted, "MaxSubmitJobs", count);
  bind(most_running_, &SlurmAccountLimits::max_jobs, "MaxJobs", count);
}

Result<SlurmAllowance> SlurmAllowance::of(const SlurmLimits& limits, const Site& site, const SlurmUser& user,
                                          double now_s) {
  SlurmAllowance made;
  if (auto chosen = made.choose_partitions(limits, site, user); !chosen) return failure_of(chosen);
  made.bind_by_partitions(limits.configuration.all_partitions_must);
  made.bind_by_accounting(limits, site);
  if (auto chosen = made.choose_reservation(limits, site, user, now_s); !chosen) return failure_of(chosen);
  if (made.most_jobs_ && made.most_jobs_->value < 1)
    return fail_environment("Slurm", made.most_jobs_->words + ": it takes no job of yours",
                            "name another account or QoS in [site], or have its administrator change it");
  // slurmctld refuses the job that would reach it.
  if (const auto& most = limits.configuration.most_jobs)
    tighten(made.most_jobs_, std::max(1, *most - 1), fmt::format("slurm.conf has MaxJobCount {}", *most));
  return made;
}

std::vector<std::string> SlurmAllowance::words() const {
  std::vector<std::string> words;
  for (const auto* bound : {&longest_s_, &most_nodes_, &fewest_nodes_, &most_jobs_, &most_running_})
    if (*bound) words.push_back((*bound)->words);
  return words;
}

std::string SlurmAllowance::objection(const JobRequest& demand, double job_s) const {
  if (most_nodes_ && demand.nodes > most_nodes_->value)
    return fmt::format("needs {} nodes, and {}: plan for fewer, or name another in [site]", demand.nodes,
                       most_nodes_->words);
  if (fewest_nodes_ && demand.nodes < fewest_nodes_->value)
    return fmt::format("needs {} node{}, and {}: plan for more, or name another partition in [site]",
                       demand.nodes, demand.nodes == 1 ? "" : "s", fewest_nodes_->words);
  if (longest_s_ && job_s > longest_s_->value)
    return fmt::format(
        "asks for {} of wall time, {} of them its own time limit, and {}: plan a shorter run (--minutes, "
        "time_limit_s), or name another in [site]",
        duration_text(job_s), duration_text(demand.limit_s), longest_s_->words);
  if (demand.hosts.empty() || partitions_.empty()) return {};
  const bool within = own_ && !own_->has("FLEX");
  const std::set<std::string>& allowed = within ? own_->hosts : hosts_;
  const std::string whose = within ? fmt::format("reservation '{}'", own_->name)
                                   : fmt::format("partition '{}'", partitions_.front().name);
  std::vector<std::string> outside;
  for (const std::string& host : demand.hosts)
    if (!allowed.contains(host) || !hosts_.contains(host)) outside.push_back(host);
  const auto inside = static_cast<int>(demand.hosts.size() - outside.size());
  if (inside >= demand.nodes || outside.empty()) return {};
  const std::vector<std::string> there(allowed.begin(), allowed.end());
  return fmt::format("needs {}, which {} not in {} ({}): plan without, or name another in [site]",
                     folded_hostlist(outside), outside.size() == 1 ? "is" : "are", whose,
                     there.empty() ? "it has no nodes" : folded_hostlist(there));
}

void SlurmAllowance::apply(SchedulerNode& node, std::string_view state, std::string_view reservation,
                           double now_s, double margin_s) const {
  const bool ours = own_hosts_.contains(node.host);
  if (node.kind == SchedulerNode::Kind::out) {
    // Its holder, for example for maintenance, may drain the node and switch it off.
    const bool reserved = std::ranges::any_of(others_, [&](const SlurmReservation& each) {
      return each.start_s <= now_s && each.end_s > now_s && each.hosts.contains(node.host);
    });
    if (reserved && !ours) node.down = false;
    return;
  }
  const auto leave_out = [&](std::string why) {
    node.kind = SchedulerNode::Kind::out;
    node.reason = std::move(why);
  };
  if (!partitions_.empty() && !hosts_.contains(node.host))
    return leave_out(fmt::format("it is not in partition '{}'", partitions_.front().name));
  if (own_ && !own_->has("FLEX") && !own_->hosts.contains(node.host))
    return leave_out(fmt::format("it is not in reservation '{}'", own_->name));
  if (own_ && !own_->has("FLEX")) {
    node.free_until_s = own_->end_s - margin_s;
    node.reason = fmt::format("reservation '{}' ends at {}", own_->name, utc_text(own_->end_s));
    return;
  }
  const SlurmReservation* next = nullptr;
  for (const SlurmReservation& each : others_) {
    if (each.end_s <= now_s || !each.hosts.contains(node.host)) continue;
    if (next == nullptr || each.start_s < next->start_s) next = &each;
  }
  if (next != nullptr && !ours) {
    if (next->start_s <= now_s)
      return leave_out(fmt::format("reserved, '{}' until {}", next->name, utc_text(next->end_s)));
    node.free_until_s = next->start_s - margin_s;
    node.reason = fmt::format("reserved, '{}' from {} to {}", next->name, utc_text(next->start_s),
                              utc_text(next->end_s));
    return;
  }
  // One made since they were read.
  const bool reserved =
      state.find("RESERVED") != std::string_view::npos || state.find("MAINT") != std::string_view::npos;
  if (reserved && !ours)
    leave_out(reservation.empty() ? std::string(state) : fmt::format("reserved, '{}'", reservation));
}

std::vector<std::string> slurm_limits_text(const SlurmLimits& limits, const Site* site, double now_s) {
  std::vector<std::string> lines;
  const auto named = site == nullptr ? std::vector<std::string_view>() : split(site->partition, ',');
  for (const SlurmPartition& each : limits.partitions) {
    if (site != nullptr &&
        !(site->partition.empty() ? each.is_default : std::ranges::find(named, each.name) != named.end()))
      continue;
    std::string line =
        fmt::format("partition {}{}: {}, {} nodes ({})", each.name, each.is_default ? " (default)" : "",
                    each.state, each.hosts.size(), each.hostlist);
    line += each.max_s ? ", MaxTime " + duration_text(*each.max_s) : ", no MaxTime";
    if (each.default_s) line += ", DefaultTime " + duration_text(*each.default_s);
    if (each.max_nodes) line += fmt::format(", MaxNodes {}", *each.max_nodes);
    if (each.min_nodes > 1) line += fmt::format(", MinNodes {}", each.min_nodes);
    if (!each.allow_accounts.empty()) line += ", AllowAccounts " + joined(each.allow_accounts, ",");
    if (!each.deny_accounts.empty()) line += ", DenyAccounts " + joined(each.deny_accounts, ",");
    if (!each.allow_qos.empty()) line += ", AllowQos " + joined(each.allow_qos, ",");
    if (!each.deny_qos.empty()) line += ", DenyQos " + joined(each.deny_qos, ",");
    if (!each.qos.empty()) line += ", QoS " + each.qos;
    if (each.over_subscribe == "EXCLUSIVE") line += ", whole nodes only";
    if (each.over_subscribe.starts_with("FORCE"))
      line += fmt::format(", OverSubscribe {}: others may run on the same nodes", each.over_subscribe);
    lines.push_back(std::move(line));
  }
  if (!limits.configuration.hands_out_gpus)
    lines.emplace_back("SelectType: select/linear hands out whole nodes, so GPUs are not asked for");
  for (const SlurmReservation& each : limits.reservations) {
    if (each.end_s <= now_s) continue;
    std::vector<std::string> whom = each.users.empty() ? each.accounts : each.users;
    if (whom.empty()) whom = each.groups;
    const std::vector<std::string> hosts(each.hosts.begin(), each.hosts.end());
    lines.push_back(fmt::format("reservation {}: {}, {} to {}, for {}{}", each.name,
                                hosts.empty() ? "no nodes" : folded_hostlist(hosts), utc_text(each.start_s),
                                utc_text(each.end_s), whom.empty() ? "nobody" : joined(whom, ", "),
                                each.flags.empty() ? "" : " (" + joined(each.flags, ",") + ")"));
  }
  return lines;
}

}  // namespace shakedown
