#include "reports/judge/disturbance.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/node_state.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "parsers/rules/finding.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/efficiency.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/reliability.hpp"

namespace shakedown {
namespace {

using Cause = Disturbance::Cause;

/// The busiest other processes seen on an attempt's nodes, one of each program; empty: none was seen.
std::vector<OtherProcess> busiest_processes(const AttemptRecord& attempt) {
  static constexpr std::size_t most = 3;
  std::map<std::string, OtherProcess> busiest;
  for (const NodeState& node : attempt.nodes)
    for (const OtherProcess& each : node.other_processes.value_or(std::vector<OtherProcess>()))
      if (OtherProcess& known = busiest[each.command]; each.cores > known.cores) known = each;
  std::vector<OtherProcess> all;
  for (auto& [command, process] : busiest)
    if (process.cores > 0) all.push_back(std::move(process));
  std::ranges::stable_sort(all, std::ranges::greater(), &OtherProcess::cores);
  if (all.size() > most) all.resize(most);
  return all;
}

/// "python3 (pid 4242, uid 1000)".
std::string process_name(const OtherProcess& process) {
  return fmt::format("{} (pid {}, uid {})", process.command, process.pid, process.user);
}

/// "; 9 others 1.2 cores": what `busiest_processes` leave of the measured cores. Empty: nothing, or the
/// processes are those of several nodes, and do not add up to what was measured on one.
std::string rest_text(const AttemptRecord& attempt, double foreign_cores) {
  if (attempt.nodes.size() != 1) return "";
  const auto named = busiest_processes(attempt);
  double rest = foreign_cores;
  for (const OtherProcess& each : named) rest -= each.cores;
  if (rest < 0.005) return "";  // two digits show nothing of it
  const auto& seen = attempt.nodes.front().other_processes;
  const auto others = (seen ? std::ssize(*seen) : 0) - std::ssize(named);
  return fmt::format("; {} {} cores",
                     others > 0 ? plural(others, "other") : std::string("others, not seen at its end,"),
                     number(std::round(rest * 100) / 100, 2));
}

/// The spread of the precision whose repetitions differ most: `name` is FP64's, "fp32_" before it FP32's.
/// Null: FP64's is not recorded.
const Metric* widest_spread(const ParsedResult& parsed, std::string_view name) {
  const Metric* widest = parsed.metric(name);
  if (widest == nullptr) return nullptr;
  for (const Metric& each : parsed.metrics)
    if (each.name.ends_with(fmt::format("_{}", name)) && each.value > widest->value) widest = &each;
  return widest;
}

/// " in FP32" of "fp32_spread_pct"; empty of FP64's own spread.
std::string precision_text(std::string_view spread) {
  const std::size_t end = spread.find("_spread");
  return end == std::string_view::npos ? "" : " in " + upper(spread.substr(0, end));
}

/// The CPUs of a node that a run computes on.
int cpus_of(const Case& planned) {
  return planned.ranks_per_node * planned.threads_per_rank;
}

class Disturbances {
 public:
  Disturbances(const Criteria& criteria, const MeasuredCampaign& campaign) : criteria_(criteria) {
    for (const MeasuredCase& record : campaign.cases) ++cases_[record.planned.suite];
  }

  /// A process of a lost attempt that nobody could end: whatever the limits, it was there.
  void orphans(const MeasuredCase& record, const AttemptRecord& attempt) {
    for (const NodeState& node : attempt.nodes) {
      if (!node.other_processes) continue;
      const auto orphan = std::ranges::find_if(
          *node.other_processes, [](const OtherProcess& each) { return each.job.starts_with(orphan_mark); });
      if (orphan == node.other_processes->end()) continue;
      Disturbance found = of(record, attempt, Cause::left_over);
      found.programs = orphan->command;
      found.program = process_name(*orphan);
      add(std::move(found), fmt::format("{} (pid {}, uid {}), an {}, ran beside it and could not be ended",
                                        orphan->command, orphan->pid, orphan->user, orphan->job));
    }
  }

  /// Another program on the GPUs that a program for GPUs computes on: whatever the limits, it took its part.
  void gpus(const MeasuredCase& record, const AttemptRecord& attempt) {
    if (!computes_on_gpus(record.planned.implementation)) return;
    std::string seen;
    for (const NodeState& node : attempt.nodes)
      for (const GpuUse& use : foreign_gpu_use(node))
        seen += fmt::format("{}{} {}: {}", seen.empty() ? "" : "; ", node.node, use.device, use.users);
    if (seen.empty()) return;
    Disturbance found = of(record, attempt, Cause::gpus);
    found.program = seen;
    found.programs = seen;
    add(std::move(found), fmt::format("other programs computed on its GPUs ({})", seen));
  }

  void attempt(const MeasuredCase& record, const AttemptRecord& attempt) {
    if (!criteria_.steal && !criteria_.load) return;
    if (!attempt.conditions || attempt.conditions->cores <= 0) {
      add(of(record, attempt, Cause::not_recorded), "whether it was disturbed is not recorded");
      return;
    }
    steal(record, attempt, *attempt.conditions);
    load(record, attempt, *attempt.conditions);
  }

  void spread(const MeasuredCase& record, const CountedResult& counted) {
    const SuiteFacts* facts = suite_facts(record.planned.suite);
    if (!criteria_.gemm_spread || facts == nullptr || facts->spread.empty()) return;
    const Metric* spread = widest_spread(counted.result->parsed, facts->spread);
    if (spread == nullptr) {
      add(of(record, *counted.attempt, Cause::not_recorded),
          fmt::format("the spread of the {} repetitions is not recorded", facts->title));
    } else if (const double limit = criteria_.gemm_spread->limit; spread->value > limit) {
      const ShownPair shown = shown_beside(facts->spread, spread->value, limit);
      Disturbance found = of(record, *counted.attempt, Cause::repetitions);
      found.amount = spread->value;
      found.measured = shown.value;
      found.limit = shown.limit;
      add(std::move(found), fmt::format("{} repetitions{} differ by {} (limit {})", facts->title,
                                        precision_text(spread->name), shown.value, shown.limit));
    }
  }

  std::vector<Disturbance> taken() && { return std::move(found_); }

 private:
  Disturbance of(const MeasuredCase& record, const AttemptRecord& attempt, Cause cause) const {
    const Case& planned = record.planned;
    Disturbance found;
    found.case_id = planned.id;
    found.suite = planned.suite;
    found.run = fmt::format("the {} run", suite_title(planned.suite));
    if (cases_.at(planned.suite) > 1)
      found.run += planned.nodes == 1 && !planned.hosts.empty() ? " on " + planned.hosts : " " + planned.id;
    found.attempt = attempt.index;
    found.cause = cause;
    return found;
  }

  void add(Disturbance found, std::string_view what) {
    found.sentence = fmt::format("{}, attempt {}: {}", found.case_id, found.attempt, what);
    found_.push_back(std::move(found));
  }

  void steal(const MeasuredCase& record, const AttemptRecord& attempt, const Conditions& conditions) {
    const double ratio = conditions.steal_ratio;
    if (!criteria_.steal || ratio <= criteria_.steal->limit) return;
    const ShownPair shown = shown_beside("steal_ratio", ratio, criteria_.steal->limit);
    Disturbance found = of(record, attempt, Cause::hypervisor);
    found.amount = ratio;
    found.measured = shown.value;
    found.limit = shown.limit;
    add(std::move(found),
        fmt::format("the hypervisor took {} of the CPU time (limit {})", shown.value, shown.limit));
  }

  void load(const MeasuredCase& record, const AttemptRecord& attempt, const Conditions& conditions) {
    const auto room = cores_for_others(record.planned, attempt, criteria_);
    if (!room || conditions.foreign_cores <= *room) return;
    Disturbance found = of(record, attempt, Cause::processes);
    found.amount = conditions.foreign_cores;
    found.cores = conditions.cores;
    found.measured =
        fmt::format("{} of {} cores", grouped(conditions.foreign_cores, 2), number(conditions.cores, 1));
    found.limit = fmt::format("{} cores", number(std::max(0.0, *room), 2));
    for (const OtherProcess& each : busiest_processes(attempt)) {
      if (found.program.empty()) found.program = process_name(each);
      found.programs += fmt::format("{}{}, up to {} cores", found.programs.empty() ? "" : "; ",
                                    process_name(each), number(each.cores, 2));
    }
    if (!found.programs.empty()) found.programs += rest_text(attempt, conditions.foreign_cores);
    const std::string who = found.programs.empty() ? "" : ": " + found.programs;
    const std::string sentence =
        fmt::format("other processes used {} while the job needed {} (they may use {}){}", found.measured,
                    cpus_of(record.planned), found.limit, who);
    add(std::move(found), sentence);
  }

  const Criteria& criteria_;
  std::map<std::string_view, int> cases_;  // of each suite
  std::vector<Disturbance> found_;
};

/// All disturbances of one cause.
struct SharedCause {
  double low = 0;
  double high = 0;
  double cores = 0;
  bool same_cores = true;
  std::set<std::pair<std::string_view, int>> runs;  ///< case and attempt
  std::vector<std::string> suites;
  std::string program;  ///< the first that was seen
  std::string limit;
};

SharedCause shared_cause(const std::vector<Disturbance>& disturbances, Cause cause) {
  SharedCause all;
  for (const Disturbance& each : disturbances) {
    if (each.cause != cause) continue;
    const bool first = all.suites.empty();
    all.low = first ? each.amount : std::min(all.low, each.amount);
    all.runs.emplace(each.case_id, each.attempt);
    all.high = first ? each.amount : std::max(all.high, each.amount);
    all.same_cores = all.same_cores && (first || all.cores == each.cores);
    all.cores = each.cores;
    if (all.limit.empty()) all.limit = each.limit;
    if (all.program.empty()) all.program = each.program;
    const std::string title = suite_title(each.suite);
    if (std::ranges::find(all.suites, title) == all.suites.end()) all.suites.push_back(title);
  }
  return all;
}

/// "0.92", of amounts that differ "up to 1.3".
std::string amount_text(const SharedCause& all, std::string (*shown)(double)) {
  return (shown(all.low) == shown(all.high) ? "" : "up to ") + shown(all.high);
}

std::string during(const SharedCause& all) {
  constexpr std::size_t most = 3;
  if (all.suites.size() > most) return fmt::format("during {} runs", all.runs.size());
  return fmt::format("during the {} run{}", enumerated(all.suites), all.suites.size() == 1 ? "" : "s");
}

std::string cause_sentence(const SharedCause& all, Cause cause) {
  const auto amount = [](double value) { return grouped(value, 2); };
  const auto share = [](double value) { return percent_text(value); };
  const auto per_cent = [](double value) { return metric_text("spread_pct", value); };
  switch (cause) {
    case Cause::processes:
      return fmt::format("other processes{} used {} of the {}cores {}",
                         all.program.empty() ? "" : fmt::format(", {} among them,", all.program),
                         amount_text(all, amount), all.same_cores ? number(all.cores, 1) + " " : "",
                         during(all));
    case Cause::gpus:
      return fmt::format("other programs computed on the GPUs {}", during(all));
    case Cause::hypervisor:
      return fmt::format("the hypervisor took {} of the CPU time {} (limit {})", amount_text(all, share),
                         during(all), all.limit);
    case Cause::repetitions:
      return fmt::format("GEMM repetitions differ by {} (limit {})", amount_text(all, per_cent), all.limit);
    case Cause::left_over:
      return fmt::format("{}, left over from a lost attempt, could not be ended {}", all.program,
                         during(all));
    case Cause::refuted:
      return fmt::format("a faster result refutes the {} run{}", enumerated(all.suites),
                         all.suites.size() == 1 ? "" : "s");
    case Cause::not_recorded:
      break;
  }
  return fmt::format("whether anything disturbed the {} run{} is not recorded", enumerated(all.suites),
                     all.suites.size() == 1 ? "" : "s");
}

}  // namespace

std::vector<Disturbance> disturbances(const MeasuredCampaign& campaign, const Criteria& criteria) {
  Disturbances found(criteria, campaign);
  for (const MeasuredCase& record : campaign.cases) {
    int last = 0;
    for (const CountedResult& counted : record.counted) {
      if (counted.attempt->index != last) {
        found.orphans(record, *counted.attempt);
        found.gpus(record, *counted.attempt);
        found.attempt(record, *counted.attempt);
      }
      last = counted.attempt->index;
      found.spread(record, counted);
    }
  }
  return std::move(found).taken();
}

std::vector<std::string> disturbance_sentences(const std::vector<Disturbance>& disturbances) {
  std::vector<std::string> sentences;
  for (const Cause cause : {Cause::processes, Cause::gpus, Cause::hypervisor, Cause::repetitions,
                            Cause::left_over, Cause::refuted, Cause::not_recorded}) {
    const SharedCause all = shared_cause(disturbances, cause);
    if (!all.suites.empty()) sentences.push_back(cause_sentence(all, cause));
  }
  return sentences;
}

std::string_view disturbing(Disturbance::Cause cause) {
  switch (cause) {
    case Cause::processes:
      return "other processes";
    case Cause::gpus:
      return "other programs on its GPUs";
    case Cause::hypervisor:
      return "hypervisor";
    case Cause::repetitions:
      return "GEMM repetitions differ";
    case Cause::left_over:
      return "left over from a lost attempt";
    case Cause::refuted:
      return "refuted by a faster result";
    case Cause::not_recorded:
      break;
  }
  return "not recorded";
}

std::string_view disturbed_by(Disturbance::Cause cause) {
  switch (cause) {
    case Cause::processes:
      return "by other processes";
    case Cause::gpus:
      return "by other programs on its GPUs";
    case Cause::hypervisor:
      return "by the hypervisor";
    case Cause::repetitions:
      return "(its repetitions differ)";
    case Cause::left_over:
      return "by a process left over from a lost attempt";
    case Cause::refuted:
      return "(a faster result refutes it)";
    case Cause::not_recorded:
      break;
  }
  return "as far as is known: nothing was recorded";
}

std::optional<double> cores_for_others(const Case& planned, const AttemptRecord& attempt,
                                       const Criteria& criteria) {
  if (!criteria.load || !attempt.conditions) return std::nullopt;
  const double room = attempt.conditions->cores * criteria.load->limit - cpus_of(planned);
  return room < attempt.conditions->cores ? std::optional(room) : std::nullopt;
}

std::string enumerated(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size(); ++i)
    text += (i == 0 ? "" : i + 1 == names.size() ? " and " : ", ") + names[i];
  return text;
}

}  // namespace shakedown
