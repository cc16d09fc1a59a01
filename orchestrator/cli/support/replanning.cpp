#include "orchestrator/cli/support/replanning.hpp"

#include <nlohmann/json.hpp>

#include "orchestrator/core/json.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/regression.hpp"

namespace shakedown {
namespace {

PlanOptions options_from_json(const nlohmann::json& document) {
  PlanOptions options;
  options.config = document.value("config", "");
  options.inventory = document.value("inventory", "");
  options.suites = document.value("suites", std::vector<std::string>());
  options.implementation = document.value("implementation", "");
  options.no_other_implementation = document.value("no_other_implementation", false);
  options.nodes = document.value("nodes", 0);
  options.exclude = document.value("exclude", "");
  options.minutes = document.value("minutes", 0.0);
  return options;
}

/// Two hostlists as one, each host once.
std::string with_hosts(const std::string& hostlist, const std::vector<std::string>& more) {
  std::vector<std::string> hosts;
  if (const auto known = expanded_hostlist(hostlist)) hosts = *known;
  for (const std::string& host : more)
    if (std::ranges::find(hosts, host) == hosts.end()) hosts.push_back(host);
  return folded_hostlist(hosts);
}

/// A file's whole path; else what it is called: a shipped name.
std::string settled(const std::string& file) {
  std::error_code code;
  return fs::is_regular_file(file, code) ? fs::absolute(file, code).lexically_normal().string() : file;
}

}  // namespace

Result<std::optional<PlanOptions>> planned_options(const CampaignRecord& campaign) {
  if (campaign.planned_by.empty()) return std::optional<PlanOptions>();
  try {
    return std::optional(options_from_json(json_or_thrown<nlohmann::json>(campaign.planned_by)));
  } catch (const nlohmann::json::exception& error) {
    return fail(campaign.id, fmt::format("'planned_by' of its campaign.json: {}", error.what()));
  }
}

std::string plan_options_json(const PlanOptions& options) {
  const nlohmann::ordered_json document = {{"config", settled(options.config)},
                                           {"inventory", settled(options.inventory)},
                                           {"suites", options.suites},
                                           {"implementation", options.implementation},
                                           {"no_other_implementation", options.no_other_implementation},
                                           {"nodes", options.nodes},
                                           {"exclude", options.exclude},
                                           {"minutes", options.minutes}};
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

Result<std::vector<Case>> planned_again(const CampaignRecord& campaign,
                                        const std::vector<std::string>& without, const Layout& layout) {
  auto found = planned_options(campaign);
  if (!found) return pass_on(found);
  std::optional<PlanOptions>& planned = *found;
  if (!planned) return fail(campaign.id, "its plan was given, and can't be made anew");
  PlanOptions options = *std::move(planned);
  Acceptance acceptance;
  if (!campaign.config_text.empty()) {
    auto read = configured_facts(campaign.kind, campaign.config_text, options.config);
    if (!read) return pass_on(read);
    acceptance = *std::move(read);
  }
  options.exclude = with_hosts(options.exclude, without);
  for (AcceptanceRun& run : acceptance.runs)
    if (!run.exclude.empty()) run.exclude = with_hosts(run.exclude, without);
  auto plan = derived_plan(options, acceptance, campaign.inventory, layout);
  if (!plan) return pass_on(plan);
  return std::move(plan->cases);
}

}  // namespace shakedown
