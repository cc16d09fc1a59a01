#include "reports/judge/next_step.hpp"
#include "reports/judge/deviations.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/judge/disturbance.hpp"
#include "reports/judge/overall.hpp"

namespace shakedown {
namespace {

/// What comes before measuring again what a process disturbed. It may be gone by now.
std::string end_or_wait(const std::string& program) {
  return fmt::format("the operator ends {} if it still runs, or waits until the machine is calm", program);
}

/// Whether measuring again may decide it: something disturbed it, or a screen is refuted.
bool is_disturbed(const CriterionResult& criterion) {
  return !criterion.disturbed.empty() ||
         (criterion.verdict == Verdict::undecided && criterion.withheld && criterion.measured);
}

/// The criterion that decides: a mandatory one of the verdict that weighs most, of those one that measuring
/// again may decide; else a disturbed one on performance where none on performance was decided.
const CriterionResult* deciding(const Judgement& judgement) {
  for (const Verdict verdict :
       {Verdict::fail, Verdict::invalid, Verdict::not_run, Verdict::undecided, Verdict::not_comparable}) {
    const CriterionResult* first = nullptr;
    for (const CriterionResult& each : judgement.criteria)
      if (each.severity == CriterionSeverity::mandatory && !each.waived && each.verdict == verdict)
        if (first == nullptr || (is_disturbed(each) && !is_disturbed(*first))) first = &each;
    if (first != nullptr) return first;
  }
  const auto disturbed = disturbed_alone(judgement);
  return disturbed.empty() ? nullptr : disturbed.front();
}

/// "; 7 more runs were disturbed, too": the attempts beside that of a cause; empty: none.
std::string others_disturbed(const Judgement& judgement, const Disturbance& cause) {
  std::set<std::pair<std::string, int>> others;
  for (const Disturbance& each : judgement.disturbances)
    if (each.cause != Disturbance::Cause::not_recorded &&
        (each.case_id != cause.case_id || each.attempt != cause.attempt))
      others.emplace(each.case_id, each.attempt);
  if (others.empty()) return "";
  return fmt::format("; {} {} disturbed, too", plural(std::ssize(others), "more run"),
                     others.size() == 1 ? "was" : "were");
}

NextStep of_disturbed(const Judgement& judgement, const CriterionResult& criterion,
                      const std::string& again) {
  for (const Disturbance& each : judgement.disturbances) {
    if (each.sentence != criterion.disturbed) continue;
    const std::string cause = each.sentence + others_disturbed(judgement, each);
    if (each.cause == Disturbance::Cause::processes || each.cause == Disturbance::Cause::gpus ||
        each.cause == Disturbance::Cause::left_over)
      return {cause, again,
              each.program.empty() ? "the operator gives this machine a rest" : end_or_wait(each.program),
              each.case_id};
    if (each.cause != Disturbance::Cause::not_recorded) return {cause, again};
    return {each.sentence, "",
            "the operator measures longer: a run below half a second shows nothing of what disturbs it"};
  }
  return {criterion.because, again};
}

}  // namespace

namespace {

/// Of a campaign that passed: how to measure again what something disturbed. Nothing where it would not help.
NextStep of_disturbed_pass(const Judgement& judgement, const std::string& again) {
  for (const Disturbance& each : judgement.disturbances)
    if (each.cause != Disturbance::Cause::not_recorded)
      return {"it passed, but what was disturbed is not decided: " + each.sentence, again,
              each.program.empty() ? "" : end_or_wait(each.program), each.case_id};
  return {};
}

/// A screening is no acceptance: what begins one.
NextStep of_passed_screening() {
  return {"", "shakedown inventory discover -o cluster.toml",
          "the operator keeps this report; an acceptance begins with an inventory, from which shakedown init "
          "writes a configuration",
          "", ":"};
}

/// What disturbed the case that a criterion was judged on; null: nothing, as far as is known.
const Disturbance* disturbance_of(const Judgement& judgement, const CriterionResult& criterion) {
  const auto found = std::ranges::find_if(judgement.disturbances, [&](const Disturbance& each) {
    return each.case_id == criterion.case_id && each.cause != Disturbance::Cause::not_recorded;
  });
  return found == judgement.disturbances.end() ? nullptr : &*found;
}

/// What failed while it was disturbed is to be repeated on an idle machine, before anybody looks for a fault.
/// An invalid result stays invalid in its campaign: then another one repeats it.
NextStep of_disturbed_failure(const CriterionResult& criterion, const Disturbance& disturbed,
                              const std::string& cause, const std::string& again, const std::string& anew) {
  return {
      fmt::format("{}; it was disturbed: {}", cause, disturbed.sentence),
      criterion.verdict == Verdict::not_run ? again : anew,
      fmt::format(
          "the operator {}repeats it on an idle machine",
          disturbed.program.empty() ? "" : fmt::format("ends {}, if it still runs, and ", disturbed.program)),
      disturbed.case_id, ":"};
}

/// Between what others do and the command.
constexpr std::string_view operator_runs = "; then the operator runs:";

/// "cn[017,021]": of few nodes a plain list, "cn017 and cn021".
std::string nodes_text(const std::vector<std::string>& nodes) {
  return nodes.size() > 3 ? folded_hostlist(nodes) : enumerated(nodes);
}

/// Nodes by what is known of them, each in the first group that it fits.
class OpenNodes {
 public:
  OpenNodes(const MeasuredCampaign& measured, const Judgement& judgement) {
    for (const MeasuredCase& record : measured.cases)
      if (std::ranges::find(judgement.disturbances, record.planned.id, &Disturbance::case_id) !=
          judgement.disturbances.end())
        busy_.insert(record.planned.hosts);
    for (const NodeScreen& screen : judgement.node_screens)
      for (const ScreenedNode* node : screen.of(NodeFinding::cleared)) cleared_.insert(node->node);
    for (const Exclusion& each : measured.record.exclusions)
      add(each.node, 1, brief_cause(each, measured.record));
    for (const Verdict verdict : {Verdict::fail, Verdict::invalid, Verdict::not_run, Verdict::undecided})
      for (const CriterionResult& each : judgement.criteria)
        if (each.severity == CriterionSeverity::mandatory && !each.waived)
          for (const NodeResult& node : each.nodes)
            if (node.verdict == verdict) add_judged(node, is_on_performance(each));
  }

  /// "repairs or replaces cn017 (slow) and cn042 (node failure)"; empty: none.
  [[nodiscard]] std::string of_vendor() const {
    std::vector<std::string> parts;
    parts.reserve(vendor_.size());
    for (const auto& [why, nodes] : vendor_)
      parts.push_back(fmt::format("{} ({})", nodes_text(nodes), why.second));
    return parts.empty() ? "" : "repairs or replaces " + enumerated(parts);
  }

  /// "cn001 is not slow by the median of its repeats"; empty: none.
  [[nodiscard]] std::string without_fault() const {
    if (slow_once_.empty()) return "";
    const bool one = slow_once_.size() == 1;
    return fmt::format("{} {} not slow by the median of {} repeats", nodes_text(slow_once_),
                       one ? "is" : "are", one ? "its" : "their");
  }

  /// "frees cn063 of load"; empty: none.
  [[nodiscard]] std::string of_operator() const {
    return disturbed_.empty() ? "" : fmt::format("frees {} of load", nodes_text(disturbed_));
  }

 private:
  void add_judged(const NodeResult& node, bool on_performance) {
    switch (node.verdict) {
      case Verdict::fail:
        if (on_performance && cleared_.contains(node.node)) {
          if (known_.insert(node.node).second) slow_once_.push_back(node.node);
          return;
        }
        if (on_performance) return add(node.node, 0, "slow");
        return add(node.node, 2, "invalid results");
      case Verdict::invalid:
        return add(node.node, 2, "invalid results");
      case Verdict::not_run:
        return add(node.node, 3, "no result");
      default:
        if (busy_.contains(node.node) && known_.insert(node.node).second) disturbed_.push_back(node.node);
    }
  }
  void add(const std::string& node, int rank, std::string why) {
    if (known_.insert(node).second) vendor_[{rank, std::move(why)}].push_back(node);
  }

  std::set<std::string> busy_;  ///< hosts of cases that something disturbed
  std::set<std::string> known_;
  std::map<std::pair<int, std::string>, std::vector<std::string>> vendor_;  ///< by rank and reason
  std::set<std::string> cleared_;  ///< nodes that are as fast as others in their repeats
  std::vector<std::string> slow_once_;
  std::vector<std::string> disturbed_;
};

/// What a node's verdict rests on: what the operator measures again in this campaign, `again`; where that is
/// empty, who mends which node before another campaign. A node that a campaign excluded gets no more work of
/// it.
NextStep of_nodes(const OpenNodes& open, const std::string& cause, const std::string& again,
                  const std::string& anew) {
  const std::string vendor = open.of_vendor();
  const std::string quiet = open.of_operator();
  NextStep step{.cause = cause, .command = again.empty() ? anew : again};
  if (!again.empty() && !vendor.empty()) {
    step.first =
        fmt::format("before the vendor {}, the operator {}", vendor, quiet.empty() ? "" : quiet + " and ");
    step.link = "runs:";
    return step;
  }
  if (!vendor.empty()) step.first = "the vendor " + vendor;
  if (const std::string sound = open.without_fault(); !sound.empty())
    step.first += (step.first.empty() ? "" : "; ") + sound;
  if (!quiet.empty()) step.first += fmt::format("{}the operator {}", step.first.empty() ? "" : "; ", quiet);
  step.link = !quiet.empty() ? ", then runs:" : again.empty() ? operator_runs : ", the operator runs:";
  return step;
}

/// Whether nodes are suspect that `resume --repeat-suspects` would measure again.
bool has_suspects(const CampaignRecord& campaign, const Judgement& judgement) {
  return may_be_repeated(campaign) &&
         std::ranges::any_of(judgement.node_screens, [](const NodeScreen& screen) {
           return !screen.of(NodeFinding::suspect).empty();
         });
}

/// Of a campaign that passed with suspect nodes: "cn5 may be slow".
NextStep of_suspects_of_a_pass(const Judgement& judgement, const std::string& repeat) {
  std::vector<std::string> nodes;
  for (const NodeScreen& screen : judgement.node_screens)
    for (const ScreenedNode* node : screen.of(NodeFinding::suspect))
      if (std::ranges::find(nodes, node->node) == nodes.end()) nodes.push_back(node->node);
  return {fmt::format("it passed, but {} may be slow", nodes_text(nodes)), repeat};
}

/// "on n1"; empty where the case of a criterion names no node.
std::string on_nodes(const MeasuredCampaign& measured, const CriterionResult& criterion) {
  const auto record = std::ranges::find(measured.cases, criterion.case_id,
                                        [](const MeasuredCase& each) { return each.planned.id; });
  return record == measured.cases.end() || record->planned.hosts.empty() ? ""
                                                                         : " on " + record->planned.hosts;
}

/// A variable where the runs were started chose OpenBLAS's routines: before anybody looks for a fault of the
/// machine, it is measured without. Empty where none did.
std::string without_chosen_routines(const CampaignRecord& campaign) {
  for (const EnvironmentRecord& fact : campaign.environment)
    if (fact.name == "environment OPENBLAS_CORETYPE")
      return fmt::format("the operator unsets OPENBLAS_CORETYPE: it made OpenBLAS use {}'s routines",
                         fact.value);
  return "";
}

/// A valid run that missed its limit: its log shows no fault, the machine has one.
NextStep of_slow(const MeasuredCampaign& measured, const CriterionResult& criterion, const std::string& cause,
                 const std::string& anew) {
  if (std::string first = without_chosen_routines(measured.record); !first.empty())
    return {.cause = cause, .command = anew, .first = std::move(first)};
  return {.cause = cause,
          .command = anew,
          .first = fmt::format("the vendor finds what is slow{} (the runs are valid) and mends it",
                               on_nodes(measured, criterion)),
          .link = std::string(operator_runs)};
}

}  // namespace

NextStep next_step(const MeasuredCampaign& measured, const Judgement& judgement,
                   const std::filesystem::path& workspace, const std::filesystem::path& folder) {
  const CampaignRecord& campaign = measured.record;
  if (judgement.check) return {};
  const auto command = [&](const std::string& words) { return command_for(words, workspace); };
  if (judgement.exit_code == 0 && is_external(campaign)) return {};
  const std::string disturbed_again = command("resume --disturbed " + campaign.id);
  // Measuring a few nodes again costs minutes, another campaign all of them: it goes first.
  const std::string suspects_again = has_suspects(campaign, judgement)
                                         ? command("resume " + campaign.id + " --repeat-suspects")
                                         : std::string();
  if (judgement.exit_code == 0) {
    NextStep step = of_disturbed_pass(judgement, disturbed_again);
    if (!step.cause.empty()) return step;
    if (!suspects_again.empty()) return of_suspects_of_a_pass(judgement, suspects_again);
    if (campaign.kind == "screening") return of_passed_screening();
    return campaign.kind == "acceptance"
               ? NextStep{"", command("accept " + campaign.id), "vendor and customer sign the report", "",
                          ", then the operator runs:"}
               : NextStep{};
  }
  const std::string resume = command("resume " + campaign.id);
  const std::string detail =
      judgement.sentence.substr(std::min(judgement.sentence.find(": ") + 2, judgement.sentence.size()));
  if (judgement.exit_code == 4) return {detail, command("doctor")};
  if (judgement.criteria.empty() && is_external(campaign))
    return {"no criteria were given", command("compare " + campaign.id + " OTHER"),
            "imported logs can't accept a machine: vendor and customer agree on criteria before "
            "an acceptance run",
            "",
            fmt::format(". To compare these logs with another campaign, OTHER{}, the operator runs:",
                        judgement.comparisons.empty() && !judgement.orientation
                            ? " (or, by --baseline, with published values)"
                            : "")};
  if (judgement.criteria.empty())
    return {
        "no criteria were given",
        command("report " + campaign.id + " --criteria your-criteria.toml --reason 'none were given before'"),
        "the operator writes criteria into your-criteria.toml (the report marks them as given after the "
        "results)"};
  const CriterionResult* criterion = deciding(judgement);
  if (criterion == nullptr)
    return campaign.state == CampaignState::finished || is_external(campaign)
               ? NextStep{detail, command("report " + campaign.id), "the operator restores what was changed"}
               : NextStep{detail, resume};
  const std::string cause = fmt::format("{}: {}", criterion->id, criterion->because);
  if (is_disturbed(*criterion) && !is_external(campaign))
    return of_disturbed(judgement, *criterion, disturbed_again);
  const std::string configured = "run --config " + shell_quoted((folder / "acceptance.toml").string());
  const std::string anew = command(campaign.kind == "screening" ? "quick" : configured);
  if (const Disturbance* disturbed = disturbance_of(judgement, *criterion);
      disturbed != nullptr && !is_external(campaign) && criterion->verdict != Verdict::not_comparable)
    return of_disturbed_failure(*criterion, *disturbed, cause, disturbed_again, anew);
  const std::filesystem::path log = folder / criterion->evidence_path;
  const std::string parse = criterion->evidence_path.empty()
                                ? std::string()
                                : "shakedown parse --rules all " + shell_quoted(log.string());
  const OpenNodes open(measured, judgement);
  const std::string again = open.of_operator().empty() ? suspects_again : disturbed_again;
  if (criterion->verdict == Verdict::undecided && !criterion->remedy.empty())
    return {cause, "shakedown inventory discover -o machine.toml",
            "the operator states in an inventory what the criterion lacks (under Criteria)"};
  switch (criterion->verdict) {
    case Verdict::not_run:
      if (campaign.state == CampaignState::finished && !campaign.exclusions.empty())
        return of_nodes(open, cause, again, command(configured));
      return {cause, is_external(campaign) ? command("import FILE") : resume};
    case Verdict::fail:
      if (is_on_performance(*criterion) && !is_external(campaign))
        return criterion->nodes.empty() && again.empty() ? of_slow(measured, *criterion, cause, anew)
                                                         : of_nodes(open, cause, again, anew);
      [[fallthrough]];
    case Verdict::invalid:
    case Verdict::undecided:
      return {cause, parse,
              parse.empty()
                  ? ""
                  : fmt::format("the operator sees what the log of {}{} shows and which rules it breaks",
                                criterion->evidence_path.substr(0, criterion->evidence_path.find('/')),
                                is_external(campaign) ? "" : on_nodes(measured, *criterion))};
    default:
      return {cause, command("report " + campaign.id)};
  }
}

std::string before_command(const NextStep& step) {
  if (step.command.empty()) return step.first;
  return step.first.empty() ? "the operator runs:"
                            : step.first + (step.link.empty() ? ", then runs:" : step.link);
}

std::string next_step_words(const NextStep& step) {
  const std::string before = before_command(step);
  return before + (before.empty() || step.command.empty() ? "" : " ") + step.command;
}

}  // namespace shakedown
