#include "orchestrator/cli/support/prerequisites.hpp"

#include <unistd.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>
#include <unordered_set>

#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/time.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/plan/implementation.hpp"

namespace shakedown {
namespace {

/// The nodes that the cases may run on, without excluded ones; without a batch system this one.
std::vector<std::string> hosts_of(const CampaignRecord& campaign) {
  if (campaign.scheduler == "local") return {host_name()};
  std::vector<std::string> hosts;
  std::unordered_set<std::string> known;
  std::unordered_set<std::string_view> lists;  // most cases run on the same
  for (const CaseRecord& record : campaign.cases) {
    const Case& planned = record.planned;
    const std::string& list = planned.among.empty() ? planned.hosts : planned.among;
    if (!lists.insert(list).second) continue;
    const auto own = expanded_hostlist(list);
    if (!own) continue;
    for (const std::string& host : *own)
      if (known.insert(host).second) hosts.push_back(host);
  }
  std::erase_if(hosts, [&](const std::string& host) {
    return std::ranges::find(campaign.exclusions, host, &Exclusion::node) != campaign.exclusions.end();
  });
  return hosts;
}

}  // namespace

Result<Prerequisites> looked_for(const CampaignRecord& campaign, const Workspace& workspace,
                                 const Layout& layout, const std::function<void(std::size_t)>& begins) {
  const auto implementations = read_implementations(layout.share / "implementations");
  if (!implementations) return pass_on(implementations);
  Prerequisites found;
  found.needed = needed_by(campaign.cases, *implementations, campaign.site);
  if (found.needed.empty()) return found;
  begins(found.needed.size());
  std::string name = fmt::format("{}-{}", utc_text(now_s()), ::getpid());
  std::ranges::replace(name, ':', '-');
  const fs::path folder = fs::absolute(workspace.folder) / "preflight" / name;
  found.seen =
      preflight(found.needed, {folder, campaign.scheduler, campaign.site, layout, hosts_of(campaign)});
  return found;
}

std::string prerequisites_text(const Prerequisites& prerequisites) {
  const Preflight& seen = prerequisites.seen;
  if (prerequisites.needed.empty()) return "nothing that the plan's cases need can be looked at\n";
  if (!seen.inconclusive.empty())
    return fmt::format("preflight is inconclusive: {}\nthis says nothing of any node\n", seen.inconclusive);
  std::string text = fmt::format("looked at {}\n", seen.node);
  for (std::size_t i = 0; i < seen.found.size(); ++i) {
    const CheckedRequirement& each = seen.found[i];
    const std::string_view word = each.met == Met::yes ? "ok" : each.met == Met::no ? "MISSING" : "unknown";
    text += fmt::format("{:<8} {}: {}\n", word, described(each.requirement), each.found);
    if (each.met == Met::yes) continue;
    text += fmt::format("{:<8} -> {}\n", "", remedy_of(each.requirement));
    if (each.met == Met::no)
      text += fmt::format("{:<8} keeps from running: {}\n", "", joined(prerequisites.needed[i].cases, ", "));
  }
  return text;
}

std::string prerequisites_json(const Prerequisites& prerequisites) {
  const Preflight& seen = prerequisites.seen;
  nlohmann::ordered_json document = {{"schema", "shakedown.preflight/1"}};
  if (!seen.node.empty()) document["node"] = seen.node;
  if (!seen.inconclusive.empty()) document["inconclusive"] = seen.inconclusive;
  document["requirements"] = nlohmann::ordered_json::array();
  for (std::size_t i = 0; i < prerequisites.needed.size(); ++i) {
    const Requirement& wanted = prerequisites.needed[i].requirement;
    nlohmann::ordered_json object = {{"kind", wanted.kind}};
    if (!wanted.path.empty()) object["path"] = wanted.path;
    const CheckedRequirement* answer = i < seen.found.size() ? &seen.found[i] : nullptr;
    object["state"] = to_string(answer == nullptr ? Met::unknown : answer->met);
    if (answer != nullptr) object["found"] = answer->found;
    if (answer != nullptr && answer->met == Met::no) object["remedy"] = remedy_of(wanted);
    object["cases"] = prerequisites.needed[i].cases;
    document["requirements"].push_back(std::move(object));
  }
  return document.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace shakedown
