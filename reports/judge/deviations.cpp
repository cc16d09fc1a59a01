#include "reports/judge/deviations.hpp"

#include <algorithm>
#include <map>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/machines.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/reliability.hpp"
#include "reports/measure/screening.hpp"

namespace shakedown {
namespace {

/// Cases that were not run, or not again, by the reason that they share.
using NotRun = std::vector<std::pair<std::string, std::vector<std::string>>>;

/// Whether an attempt left a result of its case's own benchmark that counts.
bool counts(const MeasuredCase& record, const AttemptRecord& attempt) {
  return std::ranges::find(record.own, &attempt, &CountedResult::attempt) != record.own.end();
}

/// ", on cn042", of several nodes that the failed one is not known; empty: no node failed, or the sentence
/// names it.
std::string failed_node(const MeasuredCase& record, const AttemptRecord& attempt) {
  const auto hosts = expanded_hostlist(record.planned.hosts);
  if (attempt.failure_kind != FailureKind::node_failure || attempt.failure.find(", on ") != std::string::npos)
    return "";
  const auto names = [&](const std::string& host) {
    return attempt.failure.find("node " + host) != std::string::npos;
  };
  if (hosts && std::ranges::any_of(*hosts, names)) return "";  // "node cn7 was lost"
  if (!hosts || hosts->empty()) return ", on a node that is not known";
  return hosts->size() == 1 ? ", on " + hosts->front()
                            : fmt::format(", on which of its {} nodes is not known", hosts->size());
}

/// How an attempt ended, and whether it counts where something cut it.
std::string ending_and_use(const MeasuredCase& record, const AttemptRecord& attempt) {
  std::string ended = ending(attempt) + failed_node(record, attempt);
  if (ended_by_itself(attempt)) return ended;
  return ended + (counts(record, attempt) ? "; the result that it had left counts" : "; it does not count");
}

/// Whether an attempt ended as it was to, with what it was made for.
bool is_clean(const MeasuredCase& record, const AttemptRecord& attempt) {
  const bool parsed = !record.planned.parser.empty();
  return ended_by_itself(attempt) && attempt.failure.empty() && attempt.exit_code.value_or(0) == 0 &&
         !attempt.signal && !(parsed && attempt.results.empty());
}

/// Whether the failure of an attempt is the reason for which a node was excluded: then that sentence has it.
bool stated_by_exclusion(const CampaignRecord& campaign, const MeasuredCase& record,
                         const AttemptRecord& attempt) {
  const std::string because = fmt::format("{}: {}", record.planned.id, attempt.failure);
  return !attempt.failure.empty() &&
         std::ranges::find(campaign.exclusions, because, &Exclusion::because) != campaign.exclusions.end();
}

/// Attempts that count although others of the case failed before are one sentence: how many it took.
bool needed_several(const MeasuredCase& record, std::vector<std::string>& found) {
  if (!was_retried(record)) return false;
  std::string why;
  for (const AttemptRecord* attempt : failed_attempts(record)) {
    why += fmt::format("{}attempt {} {}", why.empty() ? "" : "; ", attempt->index,
                       counts(record, *attempt) ? ending_and_use(record, *attempt)
                                                : ending(*attempt) + failed_node(record, *attempt));
  }
  found.push_back(fmt::format("{} needed {} attempts: {}", record.planned.id, attempts_needed(record), why));
  return true;
}

/// The validity rules that a result breaks, with the reason of each.
std::string broken_rules(const ResultRecord& result) {
  std::string why;
  for (const RuleResult& rule : result.rules)
    if (rule.severity == Severity::validity && rule.status == RuleStatus::fail)
      why += fmt::format("{}{}: {}", why.empty() ? ": " : "; ", rule.id,
                         rule.text.empty() ? rule.value : rule.text);
  return why;
}

/// "invalid: ML-02: the run ended without reaching the target": the results of an attempt that prove nothing,
/// or the opposite, whether a criterion asks for them or not; empty: there is none.
std::string of_results(const CampaignRecord& campaign, const AttemptRecord& attempt) {
  std::vector<std::string> found;
  for (const ResultRecord& result : attempt.results) {
    const bool judged = result.validity != Validity::unknown || !result.rules.empty();
    if (!judged || result.validity == Validity::valid || !result.parsed.complete) continue;
    if (valid_but_for_length(campaign, result)) continue;  // as a screening is to be, whatever suite it is of
    found.push_back(std::string(result.validity == Validity::invalid ? "a result is invalid"
                                                                     : "a result is of unknown validity") +
                    broken_rules(result));
  }
  return joined(found, "; ");
}

/// What was out of the ordinary in the attempts at a case, one sentence for each of them.
void of_attempts(const CampaignRecord& campaign, const MeasuredCase& record,
                 std::vector<std::string>& found) {
  const bool retried = needed_several(record, found);
  const auto failed = retried ? failed_attempts(record) : std::vector<const AttemptRecord*>();
  for (const AttemptRecord& attempt : record.attempts) {
    std::string results = of_results(campaign, attempt);
    const bool ended_well = is_clean(record, attempt) || stated_by_exclusion(campaign, record, attempt) ||
                            std::ranges::find(failed, &attempt) != failed.end();
    if (ended_well && results.empty()) continue;
    if (!results.empty()) results.insert(0, ": ");
    const std::string ended =
        ended_well ? ""
                   : fmt::format("{} {}", results.empty() ? "" : "; it", ending_and_use(record, attempt));
    found.push_back(fmt::format("{}, attempt {}{}{}", record.planned.id, attempt.index, results, ended));
  }
}

/// "a, b, c and 4 more".
std::string in_short(const std::vector<std::string>& names) {
  static constexpr size_t shown = 5;
  if (names.size() <= shown + 1) return joined(names, ", ");
  return fmt::format("{} and {} more", joined(std::span(names).first(shown), ", "), names.size() - shown);
}

/// Cases that were not run, those of one reason in one sentence; cases whose place another took are named by
/// that one.
void of_cases_not_run(const MeasuredCampaign& campaign, std::vector<std::string>& found) {
  NotRun reasons;
  for (const MeasuredCase& record : campaign.cases) {
    if (record.replaced || (record.not_run.empty() && !record.attempts.empty())) continue;
    const std::string how =
        (record.attempts.empty() ? "" : " again") + (record.not_run.empty() ? "" : ": " + record.not_run);
    auto known = std::ranges::find(reasons, how, &NotRun::value_type::first);
    if (known == reasons.end() || record.not_run.empty()) known = reasons.insert(reasons.end(), {how, {}});
    known->second.push_back(record.planned.id);
  }
  for (const auto& [how, ids] : reasons)
    found.push_back(fmt::format("{} {} not run{}", in_short(ids), ids.size() == 1 ? "was" : "were", how));
}

/// Cases that run on fewer nodes than they were planned for, with the nodes that were lost.
void of_replacements(const MeasuredCampaign& campaign, std::vector<std::string>& found) {
  for (const MeasuredCase& record : campaign.cases) {
    if (record.before.empty() || record.replaced) continue;
    const Case& first = record.before.front()->planned;
    const auto hosts = expanded_hostlist(first.among.empty() ? first.hosts : first.among);
    std::vector<std::string> lost;
    for (const Exclusion& exclusion : campaign.record.exclusions)
      if (!hosts || hosts->empty() || std::ranges::find(*hosts, exclusion.node) != hosts->end())
        lost.push_back(exclusion.node);
    found.push_back(fmt::format("{} was planned for {} nodes and {} {}, as {}{}{}", first.id, first.nodes,
                                record.counted.empty() ? "planned again for" : "ran on", record.planned.nodes,
                                record.planned.id, lost.empty() ? "" : ", without ", folded_hostlist(lost)));
  }
}

/// Nodes that got no more work, with the reason of each; of many the first, and the others by name.
void of_exclusions(const CampaignRecord& campaign, std::vector<std::string>& found) {
  static constexpr size_t shown = 8;
  const auto& all = campaign.exclusions;
  for (size_t i = 0; i < std::min(shown, all.size()); ++i)
    found.push_back(
        fmt::format("{} was excluded at {}: {}", all[i].node, utc_text(all[i].at_s), all[i].because));
  if (all.size() <= shown) return;
  std::vector<std::string> rest;
  for (size_t i = shown; i < all.size(); ++i) rest.push_back(all[i].node);
  found.push_back(fmt::format("{} more nodes were excluded, for reasons that stand in results.json: {}",
                              rest.size(), folded_hostlist(rest)));
}

/// Sets of runs that break a rule of the score, such as too few runs: no criterion on single runs shows it.
void of_sets(const CampaignRecord& campaign, std::vector<std::string>& found) {
  for (const SetScore& set : campaign.set_scores) {
    std::string why;
    for (const RuleResult& rule : set.rules)
      if (rule.severity == Severity::validity && rule.status == RuleStatus::fail &&
          !short_by_design(campaign, set, rule))
        why += fmt::format("{}{}: {}", why.empty() ? "" : "; ", rule.id,
                           rule.text.empty() ? rule.value : rule.text);
    if (!why.empty())
      found.push_back(fmt::format("the runs of {} {}{} make no valid score: {}", suite_title(set.suite),
                                  set.benchmark, set.name.empty() ? "" : " in " + set.name, why));
  }
}

}  // namespace

bool was_retried(const MeasuredCase& record) {
  const auto failed = failed_attempts(record);
  if (failed.empty() || static_cast<size_t>(attempts_needed(record)) == failed.size()) return false;
  return std::ranges::none_of(record.attempts, [&](const AttemptRecord& attempt) {
    return attempt.index < failed.front()->index && counts(record, attempt);  // else it was measured again
  });
}

std::string brief_cause(const Exclusion& exclusion, const CampaignRecord& campaign) {
  std::string_view text = exclusion.because;
  for (const CaseRecord& record : campaign.cases)
    if (const std::string start = record.planned.id + ": "; text.starts_with(start)) {
      text.remove_prefix(start.size());
      break;
    }
  // What the log's line says tells more than the exit code before it.
  const std::size_t line = text.find("; line ");
  if (const std::size_t words = text.find(": ", line);
      text.find(" ended with exit code ") < line && words != std::string_view::npos)
    text.remove_prefix(words + 2);
  text = text.substr(0, text.find("; "));
  if (text.starts_with("was still down") || text.starts_with("stayed down"))  // as older stores have it
    text = text.substr(0, text.find(": "));
  std::string brief(text);
  if (const std::string node = " on " + exclusion.node + " "; brief.find(node) != std::string::npos)
    brief.replace(brief.find(node), node.size(), " ");
  return brief;
}

std::string other_published_values(std::string_view baseline) {
  return fmt::format("the published values of {} are others than when the campaign began", baseline);
}

std::string not_compared(const CampaignRecord& campaign) {
  if (!campaign.compared || campaign.compared->complete()) return "";
  const RecordComparison& compared = *campaign.compared;
  std::vector<std::string> reasons;
  if (!compared.not_here.empty())
    reasons.push_back(fmt::format("not checked against the run directories, which are not here: {}",
                                  in_short(compared.not_here)));
  if (compared.without_hash > 0)
    reasons.push_back(
        fmt::format("of {} of {} attempts only the logs were checked, not the values in the store: an older "
                    "version stored "
                    "no hash of them",
                    compared.without_hash, compared.attempts));
  return joined(reasons, "; ");
}

namespace {

/// What whoever imported the logs states of them, and no log does.
void of_statements(const CampaignRecord& campaign, std::vector<std::string>& found) {
  std::map<std::string, std::size_t> cases;
  for (const CaseRecord& record : campaign.cases)
    for (const Reason& reason : record.planned.why)
      ++cases[fmt::format("{} {}", reason.what, value_text(reason.value))];
  for (const auto& [what, count] : cases)
    found.push_back(fmt::format("no log states {}: whoever imported {} does", what, plural(count, "run")));
}

}  // namespace

std::string reference_notice(const MeasuredCampaign& measured) {
  struct Runs {
    std::string title;  ///< of the suite; empty: it has none
    int own = 0;
    int all = 0;
  };
  std::vector<Runs> suites;
  bool other = false;
  for (const MeasuredCase& record : measured.cases) {
    const SuiteFacts* facts = suite_facts(record.planned.suite);
    const bool named = facts != nullptr && !facts->own_title.empty();
    // What the log says goes first: a plan may name another program.
    for (const CountedResult& each : record.counted) {
      const bool is_own =
          record.planned.implementation == "reference" || each.result->parsed.implementation == "reference";
      other = other || (named && !is_own);
      const std::string title = named ? suite_title(record.planned.suite) : "";
      auto runs = std::ranges::find(suites, title, &Runs::title);
      if (runs == suites.end()) runs = suites.insert(runs, {title, 0, 0});
      ++runs->all;
      if (is_own) ++runs->own;
    }
  }
  std::erase_if(suites, [&](const Runs& each) { return each.own == 0 || (other && each.title.empty()); });
  if (suites.empty()) return "";
  if (!other)
    return fmt::format(
        "Measured with shakedown's own short programs, not the official HPL, HPCG, IO500 or MLPerf. {}",
        not_to_be_quoted);
  std::vector<std::string> own;
  own.reserve(suites.size());
  for (const Runs& each : suites)
    own.push_back(each.own == each.all ? each.title
                                       : fmt::format("{} of {} runs of {}", each.own, each.all, each.title));
  return fmt::format("{}: shakedown's own short programs, not the official ones. {}", enumerated(own),
                     not_to_be_quoted);
}

std::vector<std::string> deviations(const MeasuredCampaign& measured) {
  const CampaignRecord& campaign = measured.record;
  std::vector<std::string> found;
  if (campaign.state != CampaignState::finished)
    found.push_back(fmt::format("the campaign is not complete: {}", to_string(campaign.state)));
  if (is_external(campaign)) {
    const bool machine = !campaign.inventory.groups.empty();
    found.push_back(fmt::format(
        "the logs were made elsewhere: plan, {}environment, exit codes, disturbances and other runs are not "
        "known{}",
        machine ? "" : "machine, ",
        machine ? "; the machine is that of the inventory that was stated: " + campaign.inventory.source
                : ""));
    of_statements(campaign, found);
    if (std::string sentence = several_machines(measured); !sentence.empty())
      found.push_back(fmt::format("{}; {}", sentence, several_machines_remedy));
  }
  for (const std::string& breach : campaign.breaches) found.push_back("the commitment is broken: " + breach);
  if (campaign.journal) {
    for (const std::string& fault : campaign.journal->faults)
      if (std::ranges::find(campaign.breaches, fault) == campaign.breaches.end())
        found.push_back("the journal is not whole: " + fault);
    std::ranges::copy(campaign.journal->remarks, std::back_inserter(found));
  }
  if (std::string sentence = not_compared(campaign); !sentence.empty()) found.push_back(std::move(sentence));
  of_replacements(measured, found);
  of_exclusions(campaign, found);
  of_sets(campaign, found);
  for (const MeasuredCase& record : measured.cases) of_attempts(campaign, record, found);
  of_cases_not_run(measured, found);
  for (const Refusal& refusal : campaign.refused)
    found.push_back(fmt::format("{}{} was refused by {}: {}", suite_title(refusal.suite),
                                refusal.benchmark.empty() ? "" : " " + refusal.benchmark, refusal.rule,
                                refusal.because));
  if (std::string notice = reference_notice(measured); !notice.empty()) found.push_back(std::move(notice));
  return found;
}

std::string reference_notice(const Judgement& judgement) {
  const auto it = std::ranges::find_if(
      judgement.deviations, [](const std::string& each) { return each.ends_with(not_to_be_quoted); });
  return it == judgement.deviations.end() ? "" : *it;
}

}  // namespace shakedown
