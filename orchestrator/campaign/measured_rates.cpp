#include "orchestrator/campaign/measured_rates.hpp"

#include <algorithm>
#include <set>
#include <unordered_set>
#include <vector>

#include "orchestrator/inventory/difference.hpp"
#include "orchestrator/inventory/node_kind.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {
namespace {

/// Whether an unchanged node would give the same rate: nothing of its processors, memory or kernel differs,
/// nor of its GPUs where the rate is theirs.
bool same_nodes(const Inventory& before, const Inventory& now, bool on_gpus) {
  return std::ranges::none_of(differences(before, now), [&](const Change& change) {
    switch (change.kind) {
      case FeatureKind::gpu:
      case FeatureKind::gpu_driver:
        return on_gpus;
      case FeatureKind::cpu:
      case FeatureKind::memory:
      case FeatureKind::firmware:
      case FeatureKind::kernel:
      case FeatureKind::board:
        return true;
      default:
        return false;
    }
  });
}

/// Whether a result counts: valid, and no rule of the suite objects, as to repetitions that differ.
bool is_sound(const ResultRecord& result) {
  return result.validity == Validity::valid && std::ranges::none_of(result.rules, [](const RuleResult& rule) {
           return rule.status == RuleStatus::fail;
         });
}

/// GPUs print the same metrics as processors.
bool is_on_gpus(const Case& planned) {
  return planned.gpus_per_node > 0 || find_parameter(planned.parameters, "gpus") != nullptr;
}

/// The metric of each sound run of the screen on the processors, or on the GPUs, of one of the hosts.
std::vector<double> node_rates(const CampaignRecord& campaign, std::string_view screen,
                               const ScreenedRate& screened,
                               const std::unordered_set<std::string_view>& hosts, bool on_gpus) {
  std::vector<double> rates;
  for (const CaseRecord& record : campaign.cases) {
    if (record.planned.suite != screen || record.planned.nodes != 1 || is_on_gpus(record.planned) != on_gpus)
      continue;
    for (const AttemptRecord& attempt : record.attempts) {
      const std::string& host = attempt.hosts.empty() ? record.planned.hosts : attempt.hosts;
      if (!hosts.contains(host)) continue;
      for (const ResultRecord& result : attempt.results) {
        const Metric* metric = result.parsed.metric(screened.metric);
        if (metric != nullptr && metric->value > 0 && is_sound(result))
          rates.push_back(metric->value * screened.unit);
      }
    }
  }
  return rates;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::ranges::nth_element(values, middle);
  if (values.size() % 2 == 1) return *middle;
  return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

/// Adds the rates that are not known yet and that the campaign has of the hosts.
void add_rates(MeasuredRates& known, const CampaignRecord& campaign,
               const std::unordered_set<std::string_view>& hosts, bool on_gpus) {
  for (const SuiteFacts* screen : suites_in_order()) {
    if (!screen->node_rate) continue;
    double MeasuredRates::*const rate = on_gpus ? screen->node_rate->gpu_rate : screen->node_rate->rate;
    if (rate == nullptr || known.*rate > 0) continue;
    const auto rates = node_rates(campaign, screen->id, *screen->node_rate, hosts, on_gpus);
    if (rates.empty()) continue;
    known.*rate = median(rates);
    if (known.source.empty()) known.source = "campaign " + campaign.id;
  }
}

}  // namespace

KindRates measured_rates(const Workspace& workspace, const Inventory& inventory) {
  KindRates found;
  std::error_code code;
  const std::set<std::string> everywhere = all_hosts(inventory);
  const auto kinds = kinds_of(inventory, {everywhere.begin(), everywhere.end()});
  if (!kinds || !fs::exists(workspace.database(), code)) return found;
  const auto database = Database::open_existing(workspace.database());
  if (!database) return found;
  auto campaigns = database->campaigns();
  if (!campaigns) return found;
  std::ranges::reverse(*campaigns);                         // oldest first
  std::vector<std::unordered_set<std::string_view>> hosts;  // of each kind
  for (const NodeKind& kind : *kinds) hosts.emplace_back(kind.hosts.begin(), kind.hosts.end());
  for (const CampaignSummary& summary : *campaigns) {
    if (summary.system != inventory.system || summary.finished_cases == 0) continue;
    const auto campaign = database->campaign(summary.id, Excerpts::skip);
    if (!campaign || is_external(*campaign)) continue;
    bool all = true;
    for (const bool on_gpus : {false, true}) {
      if (!same_nodes(campaign->inventory, inventory, on_gpus)) continue;
      for (std::size_t i = 0; i < kinds->size(); ++i)
        add_rates(found[(*kinds)[i].like.name], *campaign, hosts[i], on_gpus);
    }
    for (const NodeKind& kind : *kinds) {
      const MeasuredRates& rates = found[kind.like.name];
      all = all && rates.gemm_gflops > 0 && rates.triad_gb_s > 0 &&
            (kind.like.gpus.empty() || (rates.gpu_gemm_gflops > 0 && rates.gpu_triad_gb_s > 0));
    }
    if (all) break;
  }
  std::erase_if(found, [](const auto& each) { return !each.second.any(); });
  return found;
}

}  // namespace shakedown
