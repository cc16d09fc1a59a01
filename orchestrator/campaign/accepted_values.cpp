#include "orchestrator/campaign/accepted_values.hpp"

#include <memory>
#include <set>

#include "orchestrator/campaign/declarations.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/store/database.hpp"
#include "reports/judge/references.hpp"

namespace shakedown {
namespace {

/// The nodes on which a campaign measured what a clause is about, at the size of the figure's case.
std::set<std::string> nodes_behind(const CampaignRecord& campaign, const Criterion& clause,
                                   const BaselineValue& figure) {
  const Value* size = find_parameter(figure.conditions, "nodes");
  std::set<std::string> nodes;
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    if (planned.suite != clause.suite || record.attempts.empty()) continue;
    if (!clause.benchmark.empty() && !planned.benchmark.empty() && planned.benchmark != clause.benchmark)
      continue;
    if (size != nullptr && value_number(*size) != planned.nodes) continue;
    const std::string& hosts =
        record.attempts.back().hosts.empty() ? planned.hosts : record.attempts.back().hosts;
    if (const auto names = expanded_hostlist(hosts)) nodes.insert(names->begin(), names->end());
  }
  return nodes;
}

/// A campaign that was accepted, and what it measured by a clause.
struct AcceptedInChain {
  std::shared_ptr<const CampaignRecord> campaign;
  LastAccepted figure;
};

/// The whole one's figure, or that of a part where it measured the same again: the same nodes. What a part
/// measured of one node can't stand for the worst of a hundred.
LastAccepted newest_like(std::vector<AcceptedInChain> chain) {
  return [chain = std::move(chain)](const Criterion& clause) -> Result<AcceptedFigure> {
    std::optional<BaselineValue> held;
    std::string lacking;
    const CampaignRecord* of = nullptr;
    for (const AcceptedInChain& each : chain) {
      auto found = each.figure(clause);
      if (!found) {
        if (of == nullptr) return found;
        continue;  // of a part that can't be judged by it, nothing changes
      }
      std::optional<BaselineValue>& figure = found->value;
      if (!figure) {
        if (lacking.empty()) lacking = std::move(found->lacking);
        continue;
      }
      if (held && of != nullptr &&
          nodes_behind(*of, clause, *held) != nodes_behind(*each.campaign, clause, *figure))
        continue;
      held = std::move(figure);
      of = each.campaign.get();
    }
    AcceptedFigure newest(std::move(held));
    if (!newest.value) newest.lacking = std::move(lacking);
    return newest;
  };
}

Result<LastAccepted> readable_figures(const Workspace& workspace, std::string_view system, double at_s,
                                      const Layout& layout) {
  const auto declared = read_acceptances(workspace);
  if (!declared) return failure_of(declared);
  const auto holds = holding(*declared, system, at_s);
  if (holds.empty())
    return LastAccepted([](const Criterion&) -> Result<std::optional<BaselineValue>> {
      return std::optional<BaselineValue>();
    });
  const auto database = Database::open_existing(workspace.database());
  if (!database) return failure_of(database);
  const auto text = file_content(layout.share / "comparability.toml");
  if (!text) return failure_of(text);
  const auto table = read_comparability(*text, "comparability.toml");
  if (!table) return failure_of(table);
  std::vector<AcceptedInChain> chain;
  for (const AcceptedCampaign& each : holds) {
    auto campaign = database->campaign(each.campaign);
    if (!campaign) return failure_of(campaign);
    auto held = std::make_shared<const CampaignRecord>(std::move(*campaign));
    auto figure =
        references_to(*held, fmt::format("accepted by {} at {}", each.by, utc_text(each.at_s)), *table);
    chain.push_back({std::move(held), std::move(figure)});
  }
  return newest_like(std::move(chain));
}

}  // namespace

LastAccepted accepted_values(const Workspace& workspace, std::string_view system, double at_s,
                             const Layout& layout) {
  auto found = readable_figures(workspace, system, at_s, layout);
  if (found) return *std::move(found);
  return [error = std::move(found.error())](const Criterion&) -> Result<std::optional<BaselineValue>> {
    return tl::unexpected<Error>(error);
  };
}

}  // namespace shakedown
