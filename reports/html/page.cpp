#include "reports/html/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <span>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/measurement.hpp"

namespace shakedown {

/// The table that is generated from reports/html/*.cpp, in the order of their names.
std::span<const ReportSection* const> report_sections();

std::vector<const ReportSection*> sections_in_order() {
  std::vector<const ReportSection*> all(report_sections().begin(), report_sections().end());
  std::ranges::stable_sort(all, {}, &ReportSection::rank);
  return all;
}

std::string document_title(const CampaignRecord& campaign) {
  if (is_external(campaign)) return "Report on logs made elsewhere";
  return capitalised(campaign.kind) + " report";
}

NextStep next_step(const ReportInput& input) {
  return next_step(input.measured, input.judgement, input.workspace,
                   input.workspace / "campaigns" / input.campaign.id);
}

std::string report_id(const ReportInput& input) {
  return input.results_sha256.get().substr(0, 16);
}

std::string capitalised(std::string_view text) {
  std::string copy(text);
  // A path, an id or a program's name stays what it is.
  const std::string_view word = text.substr(0, text.find_first_of(" ,;"));
  if (word.find_first_of("/_0123456789") != std::string_view::npos) return copy;
  if (!copy.empty()) copy[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(copy[0])));
  return copy;
}

std::string case_anchor(std::string_view id) {
  std::string anchor = "case-";
  for (const char c : id) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '-' || c == '_' || c == '.';
    anchor += plain ? c : '_';
  }
  return anchor;
}

std::string criteria_file_text(const CriteriaRevision& criteria) {
  const bool copied = criteria.number == 1 && criteria.name != "criteria.toml";
  return copied ? "criteria.toml, from " + criteria.name : criteria.name;
}

std::string machine_text(const Inventory& inventory) {
  if (inventory.groups.empty()) return inventory.source.empty() ? "not described" : inventory.source;
  const NodeGroup& node = inventory.groups.front();
  std::string text;
  if (const int nodes = inventory.nodes(); nodes > 1)
    text = inventory.groups.size() > 1 ? fmt::format("{} nodes; {}: ", nodes, node.hosts)
                                       : fmt::format("{} nodes, each ", nodes);
  text += fmt::format("{} × {}, {} usable, {}", node.cpu.sockets, node.cpu.model,
                      plural(node.usable.cores, "core"),
                      bytes_text(static_cast<double>(node.usable.memory_bytes)));
  text +=
      node.gpus.empty() ? ", no GPU" : fmt::format(", {} × {}", node.gpus.size(), node.gpus.front().model);
  if (!node.software.virtualisation.empty()) text += fmt::format(" ({} guest)", node.software.virtualisation);
  if (inventory.groups.size() > 1)
    text += fmt::format("; and {} more kinds of node", inventory.groups.size() - 1);
  return text;
}

std::string named_in_logs(const CampaignRecord& campaign) {
  std::set<std::string> names;
  for (const CaseRecord& record : campaign.cases)
    for (const AttemptRecord& attempt : record.attempts)
      for (const ResultRecord& result : attempt.results)
        for (const char* parameter : {"platform", "gpu"})
          if (const Value* name = find_parameter(result.parsed.parameters, parameter))
            names.insert(value_text(*name));
  constexpr std::size_t shown = 4;
  std::vector<std::string> listed(names.begin(), names.end());
  const std::size_t more = listed.size() - std::min(listed.size(), shown);
  listed.resize(listed.size() - more);
  return listed.empty() ? ""
                        : fmt::format("; the logs name {}{}", joined(listed, ", "),
                                      more > 0 ? fmt::format(" and {} more", more) : "");
}

ReportParties stated_parties(const CampaignRecord& campaign) {
  const auto read = acceptance_from_toml(campaign.config_text, "configuration");
  return campaign.config_text.empty() || !read ? ReportParties() : read->parties;
}

Fields fact(std::string_view name, std::string_view value, std::string_view hash) {
  return Fields().text("name", name).text("value", value).text_if("hash", hash);
}

}  // namespace shakedown
