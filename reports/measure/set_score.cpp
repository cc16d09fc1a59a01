#include "reports/measure/set_score.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

/// Whether a run of the case is one of the set's files.
bool is_of_set(const SetScore& set, const MeasuredCase& record) {
  if (set.suite != record.planned.suite) return false;
  const auto holds = [&](const std::string& log) {
    return std::ranges::find(set.files, log) != set.files.end();
  };
  if (!record.planned.origin.empty() && holds(record.planned.origin)) return true;
  return std::ranges::any_of(record.own, [&](const CountedResult& counted) {
    return holds(counted.attempt->run_folder + "/" + counted.result->file);
  });
}

}  // namespace

bool has_score(const SetScore& set) {
  return set.score_min && set.validity != Validity::invalid;
}

const MeasuredCase* case_of_set(const MeasuredCampaign& campaign, const SetScore& set) {
  const auto found =
      std::ranges::find_if(campaign.cases, [&](const MeasuredCase& each) { return is_of_set(set, each); });
  return found == campaign.cases.end() ? nullptr : &*found;
}

const SetScore* score_of_case(const CampaignRecord& campaign, const MeasuredCase& record,
                              std::string_view metric) {
  const SuiteFacts* facts = suite_facts(record.planned.suite);
  if (facts == nullptr || facts->set_metric != metric) return nullptr;
  for (const SetScore& set : campaign.set_scores)
    if (has_score(set) && is_of_set(set, record)) return &set;
  return nullptr;
}

const SetScore* set_of_case(const CampaignRecord& campaign, const MeasuredCase& record) {
  const auto found =
      std::ranges::find_if(campaign.set_scores, [&](const SetScore& set) { return is_of_set(set, record); });
  return found == campaign.set_scores.end() ? nullptr : &*found;
}

bool checked_on_set(const CampaignRecord& campaign, const MeasuredCase& record, std::string_view rule) {
  const SetScore* set = set_of_case(campaign, record);
  return set != nullptr && std::ranges::any_of(set->rules, [&](const RuleResult& each) {
           return each.id == rule && each.status != RuleStatus::unknown;
         });
}

std::string short_set_name(const CampaignRecord& campaign, const SetScore& set) {
  if (set.name.empty()) return set.benchmark;
  if (!set.name.starts_with('/')) return set.name;
  std::string_view name = set.name;
  while (name.size() > 1 && name.ends_with('/')) name.remove_suffix(1);
  for (std::size_t slash = name.rfind('/'); slash != std::string_view::npos && slash > 0;
       slash = name.rfind('/', slash - 1)) {
    const std::string_view end = name.substr(slash);
    const bool is_shared = std::ranges::any_of(campaign.set_scores, [&](const SetScore& other) {
      return &other != &set && (other.name.ends_with(end) || other.name == end.substr(1));
    });
    if (!is_shared) return std::string(end.substr(1));
  }
  return std::string(name);
}

std::string score_words(const Case& planned, const SetScore& set) {
  const SuiteFacts* facts = suite_facts(set.suite);
  const std::string_view title = facts == nullptr ? std::string_view(set.suite) : facts->title;
  const std::string_view mark = unreviewed_mark(planned);
  const auto counted = static_cast<std::size_t>(set.runs) - set.dropped.size();
  const std::string normalised =
      set.normalised_min
          ? fmt::format("; normalised to the convergence of the reference by the method of MLCommons: {}",
                        metric_text("score_min", *set.normalised_min))
          : "";
  const std::string of = counted == 1 && set.runs == 3
                             ? "the middle one of 3 runs"
                             : fmt::format("mean of {} of {} runs", counted, set.runs);
  return fmt::format("{}: {}{}{}",
                     is_own_program(planned) ? fmt::format("score by the rules of {}, not official", title)
                     : mark.empty()          ? fmt::format("{} score", title)
                                             : fmt::format("{} {} score", mark, title),
                     of, set.validity == Validity::valid ? "" : ", validity unknown", normalised);
}

std::string set_words(const MeasuredCampaign& campaign, const SetScore& set) {
  const MeasuredCase* of = case_of_set(campaign, set);
  Case planned;
  planned.suite = set.suite;
  if (of != nullptr) planned = of->planned;
  if (has_score(set)) return score_words(planned, set);
  const std::string_view mark = unreviewed_mark(planned);
  const std::string why = why_no_score(set);
  return fmt::format("{}{}{} runs, no score{}", mark, mark.empty() ? "" : " ", suite_title(set.suite),
                     why.empty() ? "" : fmt::format(" ({})", why));
}

std::string why_no_score(const SetScore& set) {
  for (const RuleResult& rule : set.rules)
    if (rule.severity == Severity::validity && rule.status == RuleStatus::fail)
      return fmt::format("{}: {}", rule.id, rule.value.empty() ? rule.text : rule.value);
  return "";
}

std::string_view unreviewed_mark(const Case& planned) {
  const SuiteFacts* facts = suite_facts(planned.suite);
  if (facts == nullptr || !facts->unreviewed || is_own_program(planned)) return "";
  return facts->unreviewed->mark;
}

std::string_view unreviewed_mark(const CampaignRecord& campaign, std::string_view suite,
                                 std::string_view case_id) {
  const CaseRecord* first = nullptr;
  for (const CaseRecord& each : campaign.cases) {
    if (each.planned.id == case_id) return unreviewed_mark(each.planned);
    if (first == nullptr && each.planned.suite == suite) first = &each;
  }
  return first == nullptr ? "" : unreviewed_mark(first->planned);
}

}  // namespace shakedown
