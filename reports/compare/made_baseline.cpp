#include "reports/compare/made_baseline.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "orchestrator/store/run_shape.hpp"
#include "reports/measure/conditions.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/like_runs.hpp"
#include "reports/measure/measurement.hpp"
#include "reports/measure/set_score.hpp"
#include "reports/statistics/sample.hpp"

namespace shakedown {
namespace {

/// A value with where it is from.
struct MadeValue {
  std::string id;
  std::string metric;
  double value = 0;
  std::string note;
};

/// One [[runs]] table.
struct MadeRun {
  std::string id;
  std::string suite;
  std::string title;
  int runs = 0;
  std::string score_rule;
  std::vector<std::string> evidence;  ///< "hpl-nvidia-98n/attempt-1/HPL.out, SHA-256 ab12..."
  std::vector<Parameter> conditions;
  std::vector<MadeValue> values;
};

std::string toml_value(const Value& value) {
  if (const auto* whole = std::get_if<std::int64_t>(&value)) return std::to_string(*whole);
  if (const auto* real = std::get_if<double>(&value)) {
    const std::string text = fmt::format("{}", *real);
    return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
  }
  return toml_quoted(value_text(value));
}

std::string id_text(std::string_view text) {
  std::string id;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    id += byte < 0x80 && std::isalnum(byte) != 0 ? static_cast<char>(std::tolower(byte)) : '-';
  }
  return id;
}

/// What a case's rules of comparison ask for, then what distinguishes it beyond them.
std::vector<Parameter> conditions_of(const MeasuredCampaign& campaign, const MeasuredCase& record,
                                     const Comparability& comparability) {
  std::vector<Parameter> found;
  for (const std::string& name : known_conditions())
    if (auto value = condition_of(name, campaign, record, comparability))
      found.push_back({name, std::move(*value)});
  std::vector<Parameter> stated = record.planned.parameters;
  if (stated.empty() && !record.own.empty()) stated = record.own.front().result->parsed.parameters;
  for (const Parameter& each : stated)
    if (find_parameter(found, each.name) == nullptr && !shape_parameters({each}, {}).empty())
      found.push_back(each);
  return found;
}

/// The metrics of a suite that comparisons are defined of, then those of its results that have a direction.
std::vector<std::string> metrics_of(const LikeRuns& like, const Comparability& comparability) {
  std::vector<std::string> found;
  const auto add = [&](const std::string& metric) {
    if (std::ranges::find(found, metric) == found.end()) found.push_back(metric);
  };
  for (const ComparisonRule& rule : comparability.rules)
    if (rule.suite == like.suite) add(rule.metric);
  for (const LikeMetric& each : like_metrics(like, like))
    if (each.unit.empty()) add(each.name);
  return found;
}

const SetScore* score_of_group(const CampaignRecord& campaign, const LikeRuns& like,
                               std::string_view metric) {
  for (const MeasuredCase* record : like.cases)
    if (const SetScore* set = score_of_case(campaign, *record, metric)) return set;
  return nullptr;
}

/// The runs of a group; nothing where none of its results is valid.
std::optional<MadeRun> made_run(const MeasuredCampaign& campaign, const LikeRuns& like,
                                const Comparability& comparability, std::vector<std::string>& left_out) {
  MadeRun run;
  run.suite = like.suite;
  const MeasuredCase* described = nullptr;
  for (const MeasuredCase* record : like.cases)
    for (const CountedResult& counted : record->own) {
      if (!usable(*counted.result)) {
        left_out.push_back(
            fmt::format("{}: its result is {}", record->planned.id, to_string(counted.result->validity)));
        continue;
      }
      if (described == nullptr) described = record;
      ++run.runs;
      const LogReference log = log_reference(record->planned, *counted.attempt);
      run.evidence.push_back(
          fmt::format("{}, SHA-256 {}", log.path, log.sha256.empty() ? "not stored" : log.sha256));
    }
  if (described == nullptr) return std::nullopt;
  run.id = id_text(described->planned.id);
  run.title =
      fmt::format("{}{}{}", suite_title(like.suite), like.benchmark.empty() ? "" : " " + like.benchmark,
                  like.nodes > 0 ? " on " + plural(like.nodes, "node") : "");
  run.score_rule = run.runs == 1 ? "one run" : fmt::format("median of {} runs", run.runs);
  run.conditions = conditions_of(campaign, *described, comparability);
  for (const std::string& metric : metrics_of(like, comparability)) {
    std::vector<double> points;
    std::string missing;
    for (const MeasuredCase* record : like.cases) {
      if (record->own.empty() ||
          !std::ranges::all_of(record->own, [](const CountedResult& each) { return usable(*each.result); }))
        continue;
      Measurement measurement = measured(campaign, *record, metric, comparability);
      points.insert(points.end(), measurement.points.begin(), measurement.points.end());
      if (missing.empty()) missing = std::move(measurement.missing);
    }
    MadeValue value{fmt::format("{}-{}", run.id, id_text(metric)), metric, 0, ""};
    if (const SetScore* set = score_of_group(campaign.record, like, metric)) {
      value.value = *set->score_min;
      value.note = fmt::format("the score of {} runs, without the fastest and the slowest", set->runs);
    } else if (!points.empty()) {
      value.value = median(points);
    } else {
      continue;  // it measures no such thing
    }
    run.values.push_back(std::move(value));
  }
  if (run.values.empty()) return std::nullopt;
  return run;
}

std::string run_text(const CampaignRecord& campaign, const MadeRun& run) {
  std::string text;
  for (const std::string& log : run.evidence) text += fmt::format("# {}\n", log);
  text += fmt::format("[[runs]]\nid = {}\nsuite = {}\ntitle = {}\nruns = {}\nscore_rule = {}\nvalues = [\n",
                      toml_quoted(run.id), toml_quoted(run.suite), toml_quoted(run.title), run.runs,
                      toml_quoted(run.score_rule));
  const std::string more =
      run.evidence.size() > 1 ? fmt::format(" and {} more, listed above", run.evidence.size() - 1) : "";
  for (const MadeValue& value : run.values) {
    const std::string unit = metric_unit(value.metric);
    const Value number = value.value;
    text += fmt::format(
        "  {{ id = {}, metric = {}, value = {}, unit = {}, printed = {}, source = {}, status = {}{} }},\n",
        toml_quoted(value.id), toml_quoted(value.metric), toml_value(number), toml_quoted(unit),
        toml_quoted(fmt::format("{}{}{}", toml_value(number), unit.empty() ? "" : " ", unit)),
        toml_quoted(fmt::format("campaign {}, {}{}", campaign.id, run.evidence.front(), more)),
        // Medians need not satisfy the identities that each run satisfies.
        toml_quoted(to_string(run.runs == 1 ? BaselineStatus::ok : BaselineStatus::unverified)),
        value.note.empty() ? "" : ", note = " + toml_quoted(value.note));
  }
  text += "]\n\n[runs.conditions]\n";
  for (const Parameter& condition : run.conditions)
    text += fmt::format("{} = {}\n", toml_quoted(condition.name), toml_value(condition.value));
  return text + "\n";
}

std::string file_text(const CampaignRecord& campaign, const std::string& name,
                      const std::vector<MadeRun>& runs) {
  const std::string made = utc_text(campaign.created_s);
  std::string text = fmt::format(
      "# Made by `shakedown baseline make {}`. Above each run are its logs, relative to the campaign's "
      "folder.\n"
      "# `--baseline FILE` of `compare` and `run` reads this.\n\nname = {}\ntitle = {}\nsource = {}\n\n",
      campaign.id, toml_quoted(name),
      toml_quoted(fmt::format("{}, measured by campaign {}", campaign.system, campaign.id)),
      toml_quoted(fmt::format("campaign {} of {}, {} {}, shakedown {}{}", campaign.id, campaign.system,
                              is_external(campaign) ? "imported" : "started", made, campaign.tool_version,
                              campaign.commitment ? ", commitment " + campaign.commitment->root : "")));
  for (const MadeRun& run : runs) text += run_text(campaign, run);
  return text;
}

}  // namespace

Result<MadeBaseline> made_baseline(const MeasuredCampaign& campaign, const std::string& name,
                                   const Comparability& comparability) {
  MadeBaseline made;
  std::vector<MadeRun> runs;
  std::set<std::string> ids;
  for (const LikeRuns& like : like_runs(campaign))
    if (auto run = made_run(campaign, like, comparability, made.left_out)) {
      const std::string whole = run->id;
      for (int number = 2; !ids.insert(run->id).second; ++number) {
        run->id = fmt::format("{}-{}", whole, number);
        for (MadeValue& value : run->values) value.id = fmt::format("{}-{}", run->id, id_text(value.metric));
      }
      runs.push_back(std::move(*run));
    }
  const auto whole = baseline_from(file_text(campaign.record, name, runs), name);
  if (!whole) return failure_of(whole);
  std::map<std::string, std::string> refused;  // by the row's id
  const auto rows = comparisons(campaign, *whole, comparability);
  for (const Comparison& each : rows)
    if (!each.baseline_id.empty() && !each.comparable && !each.information)
      refused.emplace(each.baseline_id, each.condition);
  for (const Comparison& each : rows)
    if (each.comparable) refused.erase(each.baseline_id);
  for (MadeRun& run : runs)
    std::erase_if(run.values, [&](const MadeValue& value) {
      const auto why = refused.find(value.id);
      if (why == refused.end()) return false;
      made.left_out.push_back(
          fmt::format("{} of {}: {}", metric_title(value.metric), run.title, why->second));
      return true;
    });
  std::erase_if(runs, [](const MadeRun& run) { return run.values.empty(); });
  for (const MadeRun& run : runs) made.values += static_cast<int>(run.values.size());
  if (made.values == 0)
    return fail(campaign.record.id, "has no value that a baseline can hold",
                made.left_out.empty() ? std::string("a baseline is made of valid results")
                                      : joined(made.left_out, "; "));
  made.text = file_text(campaign.record, name, runs);
  return made;
}

}  // namespace shakedown
