#include "reports/html/case_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <regex>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/placeholders.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/display.hpp"
#include "reports/measure/suite_metrics.hpp"

namespace shakedown {
namespace {

/// Where a run made elsewhere ran, as far as its log states it.
std::string lead_of_import(const Case& planned) {
  const auto count_text = [](int count, std::string_view one, std::string_view many) {
    return count < 1 ? fmt::format("{} not known", many)
                     : fmt::format("{} {}", count, count == 1 ? one : many);
  };
  return fmt::format("Implementation {}, {}, {}. Made elsewhere, from the log {}.", planned.implementation,
                     count_text(planned.nodes, "node", "nodes"), count_text(planned.ranks, "rank", "ranks"),
                     planned.origin);
}

}  // namespace

std::string origins_folder(const CampaignRecord& campaign) {
  std::string shared;
  int count = 0;
  for (const CaseRecord& each : campaign.cases) {
    const std::string& origin = each.planned.origin;
    if (origin.empty()) continue;
    const auto [own, other] = std::ranges::mismatch(shared, origin);
    shared = ++count == 1 ? origin : std::string(shared.begin(), own);
  }
  const std::size_t slash = shared.rfind('/');
  return count < 2 || slash == std::string::npos ? "" : shared.substr(0, slash + 1);
}

std::string short_origins(const CampaignRecord& campaign, std::string text) {
  const std::string folder = origins_folder(campaign);
  if (folder.size() < 2) return text;
  for (std::size_t at = text.find(folder); at != std::string::npos; at = text.find(folder, at))
    text.erase(at, folder.size());
  return text;
}

std::string started_text(const ParsedResult& result) {
  if (const Fact* ms = result.fact("run_start"))
    if (const auto number = parsed_number(ms->value)) {
      std::string from = utc_text(*number / 1000);
      const Fact* end = result.fact("run_stop");
      if (end == nullptr) return from;
      const auto stop = parsed_number(end->value);
      return stop ? fmt::format("{} to {}", from, utc_text(*stop / 1000)) : from;
    }
  for (const char* name : {"started", "start", "date"})
    if (const Fact* stated = result.fact(name)) {
      // Behind the time: "Z", "+09:00", " -03", " JST", and no " PM".
      static const std::regex zone(
          R"(\d:\d\d(?::\d\d)?(?:\.\d+)?(?: [AP]M)? ?(?:[+-]\d\d(?::?\d\d)?\b|(?![AP]M\b)[A-Z]{1,5}\b))");
      return stated->value +
             (std::regex_search(stated->value, zone) ? "" : " (clock of the machine, zone not in the log)");
    }
  return std::string(dash);
}

std::vector<std::string> warnings_before(const MeasuredCampaign& campaign) {
  std::vector<std::pair<std::string, std::vector<std::string>>> found;  // by sentence, in their order
  for (const MeasuredCase& each : campaign.cases)
    for (const std::string& warning : each.planned.warnings) {
      auto known = std::ranges::find(found, warning, [](const auto& of) { return of.first; });
      if (known == found.end()) known = found.insert(found.end(), {warning, {}});
      known->second.push_back(each.planned.id);
    }
  std::vector<std::string> texts;
  texts.reserve(found.size());
  for (auto& [warning, ids] : found) {
    constexpr size_t shown = 3;
    const size_t count = ids.size();
    ids.resize(std::min(shown, count));
    texts.push_back(count > 1 && count == campaign.cases.size()
                        ? fmt::format("{} (all {} cases)", warning, count)
                        : fmt::format("{} ({}{})", warning, joined(ids, ", "),
                                      count > shown ? fmt::format(" and {} more", count - shown) : ""));
  }
  return texts;
}

std::string case_lead(const Case& planned) {
  if (!planned.origin.empty()) return lead_of_import(planned);
  std::string text =
      fmt::format("Implementation {}, {} {}, {} {} of {} {}", planned.implementation, planned.nodes,
                  planned.nodes == 1 ? "node" : "nodes", planned.ranks, planned.ranks == 1 ? "rank" : "ranks",
                  planned.threads_per_rank, planned.threads_per_rank == 1 ? "thread" : "threads");
  if (!planned.hosts.empty()) text += ", on " + planned.hosts;
  if (!planned.stands_for.empty()) text += fmt::format(", in place of {}", planned.stands_for);
  if (planned.time_limit_s > 0) text += fmt::format(", at most {}", duration_text(planned.time_limit_s));
  text += ".";
  if (planned.tested == "rendered")
    text += " This implementation is not tested on hardware: only its command line and inputs were checked.";
  if (planned.tested == "run-at-site") text += " This implementation was run at a site by its users.";
  if (!planned.container.image.empty())
    text += fmt::format(
        " Image {}, {}.", planned.container.image,
        planned.container.digest.empty() ? "whose digest was not stated" : planned.container.digest);
  return text;
}

std::string model_shown(const Model& model) {
  if (model.points == 0) return model.text;
  return fmt::format("{} ({}: {} parameters from {} points)", model.text, model.source, model.parameters,
                     model.points);
}

std::string value_shown(const Value& value) {
  if (std::holds_alternative<std::string>(value)) return std::get<std::string>(value);
  return grouped(value_number(value));
}

std::string size_text(const MeasuredCase& record) {
  const SuiteFacts* facts = suite_facts(record.planned.suite);
  if (facts == nullptr) return "";
  std::vector<Parameter> values;
  if (!record.own.empty()) values = record.own.back().result->parsed.parameters;
  std::ranges::copy(record.planned.parameters, std::back_inserter(values));
  for (Parameter& each : values) each.value = value_shown(each.value);
  std::vector<std::string> parts;
  for (const std::string_view part : facts->size)
    if (std::string text = filled(part, values); placeholders(text).empty()) parts.push_back(std::move(text));
  return joined(parts, ", ");
}

std::vector<Fields> reason_rows(const std::vector<Reason>& reasons) {
  std::vector<Fields> rows;
  for (std::size_t i = 0; i < reasons.size();) {
    std::vector<std::string> names;
    std::vector<std::string> values;
    const Reason& first = reasons[i];
    for (; i < reasons.size() && reasons[i].because == first.because && reasons[i].rule == first.rule; ++i) {
      names.push_back(reasons[i].what);
      values.push_back(value_shown(reasons[i].value));
    }
    rows.push_back(Fields()
                       .text("what", joined(names, ", "))
                       .text("value", joined(values, ", "))
                       .text("because", first.because)
                       .text("rule", first.rule));
  }
  return rows;
}

std::string other_hosts(const Case& planned, const AttemptRecord& attempt) {
  if (attempt.hosts.empty() || attempt.hosts == planned.hosts) return "";
  const auto got = expanded_hostlist(attempt.hosts);
  const auto wanted = expanded_hostlist(planned.hosts);
  return got && wanted && *got == *wanted ? "" : attempt.hosts;
}

std::string benchmark_among(const AttemptRecord& attempt, const ResultRecord* result) {
  const Value* benchmark = result == nullptr || attempt.results.size() < 2
                               ? nullptr
                               : find_parameter(result->parsed.parameters, "benchmark");
  return benchmark == nullptr ? "" : value_text(*benchmark);
}

std::string value_of(const ResultRecord* result, const std::string& name) {
  const Metric* metric = result == nullptr ? nullptr : result->parsed.metric(name);
  if (result != nullptr && (name == "time_to_train_min" || name == "ended_without_target_min"))
    if (std::string early = ended_without_target(*result); !early.empty()) return early;
  if (metric == nullptr) return std::string(dash);
  const Fact* mark = result->parsed.fact("SCORE.mark");
  const bool of_score = name == "score" || name == "bandwidth_gib_s" || name == "iops_kiops";
  const std::string text = metric_text(name, metric->value);
  return of_score && mark != nullptr ? fmt::format("{} [{}]", text, mark->value) : text;
}

}  // namespace shakedown
