#include <unordered_set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/case_json.hpp"
#include "orchestrator/plan/each_node.hpp"
#include "orchestrator/plan/json_object.hpp"
#include "orchestrator/plan/plan.hpp"

namespace shakedown {
namespace {

constexpr std::string_view schema = "shakedown.plan/1";
constexpr std::uint64_t most_hosts = 20'000'000;  // named by all cases: each is looked at
constexpr std::int64_t most_cases = 1'000'000;    // with one on each node written out

Json refusal_json(const Refusal& refusal) {
  Json json = {{"suite", refusal.suite}};
  if (!refusal.benchmark.empty()) json["benchmark"] = refusal.benchmark;
  json["rule"] = refusal.rule;
  json["because"] = refusal.because;
  if (!refusal.next_good.empty()) json["next_good"] = refusal.next_good;
  return json;
}

/// Unknown costs are omitted: 0 kWh would be a value.
Json cost_json(const Cost& cost) {
  Json json = {{"jobs", cost.jobs},
               {"node_hours", json_number(cost.node_hours)},
               {"wall_time_s", json_number(cost.wall_time_s)}};
  if (cost.bytes_written > 0) json["bytes_written"] = json_number(cost.bytes_written);
  if (cost.energy_kwh > 0) json["energy_kwh"] = json_number(cost.energy_kwh);
  if (cost.unpredicted > 0) json["cases_without_predicted_time"] = cost.unpredicted;
  return json;
}

Result<void> read_cost(JsonObject& document, Plan& plan) {
  if (!document.has("cost")) return {};
  JsonObject one = document.object("cost");
  plan.cost = Cost{one.required_real("node_hours"),
                   one.required_real("wall_time_s"),
                   one.real("bytes_written"),
                   one.real("energy_kwh"),
                   static_cast<int>(one.required_real("jobs")),
                   static_cast<int>(one.real("cases_without_predicted_time"))};
  return one.finished();
}

Result<void> read_cases(JsonObject& document, Plan& plan) {
  if (!document.has("cases")) document.reject("'cases' is missing");
  std::unordered_set<std::string> listed;
  std::uint64_t hosts = 0;
  std::int64_t count = 0;
  for (JsonObject& object : document.objects("cases")) {
    Case read = case_in(object);
    if (!read.origin.empty())
      object.reject("'origin' marks a run that was made elsewhere: it can't be planned", "leave it out");
    if (read.confirms)
      object.reject("'purpose' marks a run that was added because of others: it can't be planned",
                    "leave it out");
    if (!read.hosts.empty()) hosts += static_cast<std::uint64_t>(read.nodes);
    if (hosts > most_hosts)
      object.reject(fmt::format("the cases up to this one name more than {} hosts", most_hosts),
                    "give the plan's cases to several plans");
    if (!is_for_each_node(read) && !listed.insert(read.id).second)
      object.reject("an earlier case has this id already");
    count += node_count(read);
    if (count > most_cases)
      object.reject(fmt::format("there are more than {} cases up to this one", most_cases),
                    "give the plan's cases to several plans");
    if (auto ok = object.finished(); !ok) return ok;
    plan.cases.push_back(std::move(read));
  }
  plan.cases = written_out(std::move(plan.cases));
  std::unordered_set<std::string_view> ids;
  for (const Case& each : plan.cases) {
    if (!is_folder_name(each.id))
      document.reject(fmt::format("'{}', a case on one of the nodes, is no folder name", each.id),
                      folder_names);
    if (!ids.insert(each.id).second) document.reject(fmt::format("two cases have the id '{}'", each.id));
  }
  return {};
}

Result<void> read_refusals(JsonObject& document, Plan& plan) {
  for (JsonObject& one : document.objects("refused")) {
    plan.refused.push_back({one.required_text("suite"), one.text("benchmark"), one.required_text("rule"),
                            one.required_text("because"), one.text("next_good")});
    if (auto ok = one.finished(); !ok) return ok;
  }
  return {};
}

Result<std::optional<PlanConfiguration>> read_configuration(JsonObject& document) {
  if (!document.has("configuration")) return std::nullopt;
  JsonObject one = document.object("configuration");
  PlanConfiguration configuration{one.text("name"), one.required_text("text")};
  if (auto ok = one.finished(); !ok) return failure_of(ok);
  return configuration;
}

/// All but the cases.
Json document_of(const Plan& plan) {
  Json json = {
      {"schema", schema}, {"system", plan.system}, {"cases", Json::array()}, {"refused", Json::array()}};
  for (const Refusal& refusal : plan.refused) json["refused"].push_back(refusal_json(refusal));
  if (plan.cost) json["cost"] = cost_json(*plan.cost);
  if (!plan.warnings.empty()) json["warnings"] = plan.warnings;
  return json;
}

/// The text of a document with the plan's cases in it, as if they had been there. Screens are a case for each
/// node: a document of all of them would take gigabytes.
std::string with_cases(const Json& document, const Plan& plan) {
  std::string text = json_text(document);
  if (plan.cases.empty()) return text;
  constexpr std::string_view none = R"("cases": [])";  // texts have other quotes
  const size_t at = text.find(none) + none.size() - 1;
  const std::string rest = text.substr(at);
  text.resize(at);
  for (const Case& planned : plan.cases) {
    if (&planned != plan.cases.data()) text += ',';
    const std::string written = case_json(planned);
    for (const std::string_view line : split(trimmed(written), '\n')) text.append("\n    ").append(line);
  }
  return text.append("\n  ").append(rest);
}

}  // namespace

std::string plan_json(const Plan& plan) {
  return with_cases(document_of(plan), plan);
}

std::string plan_json(const Plan& plan, const std::optional<PlanConfiguration>& configuration) {
  Json json = document_of(plan);
  if (configuration) json["configuration"] = {{"name", configuration->name}, {"text", configuration->text}};
  return with_cases(json, plan);
}

Result<std::optional<PlanConfiguration>> plan_configuration_from_json(std::string_view text,
                                                                      std::string_view name) {
  const auto json = parsed_json(text, name);
  if (!json) return failure_of(json);
  JsonObject document(*json, std::string(name));
  return read_configuration(document);
}

std::string case_json(const Case& planned) {
  return json_text(case_to_json(planned));
}

Result<Case> case_from_json(std::string_view text, std::string_view name) {
  const auto json = parsed_json(text, name);
  if (!json) return failure_of(json);
  JsonObject object(*json, std::string(name));
  Case read = case_in(object);
  if (is_for_each_node(read)) object.reject("the id is no folder name", folder_names);
  if (auto ok = object.finished(); !ok) return failure_of(ok);
  return read;
}

Result<Plan> plan_from_json(std::string_view text, std::string_view name) {
  const auto json = parsed_json(text, name);
  if (!json) return failure_of(json);
  JsonObject document(*json, std::string(name));
  const std::string written_as = document.required_text("schema");
  if (document.has("schema") && written_as != schema)
    document.reject(fmt::format("the schema is '{}', not '{}'", written_as, schema));
  Plan plan;
  plan.system = document.name("system");
  if (auto ok = read_cases(document, plan); !ok) return failure_of(ok);
  if (auto ok = read_refusals(document, plan); !ok) return failure_of(ok);
  if (auto ok = read_cost(document, plan); !ok) return failure_of(ok);
  plan.warnings = document.texts("warnings");
  if (auto read = read_configuration(document); !read) return failure_of(read);
  if (auto ok = document.finished(); !ok) return failure_of(ok);
  return plan;
}

}  // namespace shakedown
