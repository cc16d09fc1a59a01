#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/conditions.hpp"

namespace shakedown {
namespace {

constexpr size_t most_facts = 200;

std::string clock_text(double mhz) {
  return mhz > 0 ? fmt::format("{} GHz", number(mhz / 1000, 3)) : "not readable";
}

Fields node_facts(const NodeGroup& node) {
  const double peak = cpu_peak_gflops(node);
  std::vector<Fields> facts;
  const auto add = [&](std::string_view name, std::string_view value) { facts.push_back(fact(name, value)); };
  add("Processor", fmt::format("{} × {}", node.cpu.sockets, node.cpu.model));
  const std::string& hypervisor = node.software.virtualisation;
  add("Cores",
      fmt::format("{}, {} usable; {} per core{}", node.cpu.cores, node.usable.cores,
                  plural(node.cpu.threads_per_core, "thread"),
                  hypervisor.empty() ? ""
                                     : fmt::format(", as the hypervisor ({}) shows them: on its host a core "
                                                   "may be one hardware thread, and SMT may be on",
                                                   hypervisor)));
  const std::string_view assumed = node.cpu.base_mhz > 0 && !states_base_clock(node) ? ", assumed" : "";
  const std::string& source = node.cpu.base_mhz_source;
  add("Base clock", fmt::format("{}{}{}", clock_text(node.cpu.base_mhz), assumed,
                                source.empty() ? "" : fmt::format(" ({})", source)));
  add("FP64 FLOP per cycle and core",
      node.cpu.fp64_flop_per_cycle > 0
          ? fmt::format("{} ({})", node.cpu.fp64_flop_per_cycle, node.cpu.vector_extension)
          : "not known");
  add(node.gpus.empty() ? "Theoretical FP64 peak" : "Theoretical FP64 peak, processors alone",
      peak > 0 ? fmt::format("{} per node{}", flops_text(peak), assumed) : "not known");
  add("Memory", fmt::format("{}, {} usable", bytes_text(static_cast<double>(node.memory_bytes)),
                            bytes_text(static_cast<double>(node.usable.memory_bytes))));
  add("GPUs", node.gpus.empty()
                  ? "none"
                  : fmt::format("{} × {}, {}", node.gpus.size(), node.gpus.front().model,
                                bytes_text(static_cast<double>(node.gpus.front().memory_bytes))));
  if (!node.software.gpu_driver.empty()) add("GPU driver", node.software.gpu_driver);
  std::vector<std::string> system;
  if (!node.software.os.empty()) system.push_back(node.software.os);
  if (!node.software.kernel.empty()) system.push_back("kernel " + node.software.kernel);
  add("System", system.empty() ? "not stated" : joined(system, ", "));
  if (!node.software.board.empty()) add("Board", node.software.board);
  if (!node.software.virtualisation.empty()) add("Virtual machine", node.software.virtualisation);
  for (const std::string& limit : node.usable.limited_by) add("Limited by", limit);
  return Fields()
      .text("name", capitalised(node.name))
      .text("hosts", node.hosts)
      .list("facts", std::move(facts));
}

void put_environment(Fields& section, const CampaignRecord& campaign) {
  // Nodes with equal values share a row: that of the first of them.
  struct Shared {
    const EnvironmentRecord* fact;
    std::vector<std::string> nodes;
  };
  std::vector<Shared> facts;
  std::map<std::pair<std::string_view, std::string_view>, size_t> known;
  for (const EnvironmentRecord& fact : campaign.environment) {
    const auto [it, fresh] = known.try_emplace({fact.name, fact.value}, facts.size());
    if (fresh) facts.push_back({&fact, {}});
    facts[it->second].nodes.push_back(fact.node);
  }
  const size_t more = facts.size() - std::min(most_facts, facts.size());
  facts.resize(facts.size() - more);
  section.flag("has_environment", !facts.empty())
      .list("environment", rows_of(facts,
                                   [](const Shared& shared) {
                                     return Fields()
                                         .text("node", folded_hostlist(shared.nodes))
                                         .text("name", shared.fact->name)
                                         .text("value", shared.fact->value);
                                   }))
      .text_if("more_environment", more > 0 ? fmt::format("{} more in results.json.", more) : "");
}

void put_nodes(Fields& section, const CampaignRecord& campaign) {
  const auto seen = seen_settings(campaign);
  section.flag("has_nodes", !seen.empty()).list("nodes", rows_of(seen, [](const SeenSetting& setting) {
                                                  return Fields()
                                                      .text("name", setting.name)
                                                      .text("nodes", fmt::format("{}", setting.nodes))
                                                      .text("usual", setting.usual)
                                                      .flag("uniform", setting.others.empty())
                                                      .list("others",
                                                            rows_of(setting.others, [](const auto& text) {
                                                              return Fields().text("text", text);
                                                            }));
                                                }));
}

std::vector<ContentsLine> machine_contents(const ReportInput& /*input*/) {
  return {{"machine", "Machine and environment"}};
}

Result<std::string> machine_section(const ReportInput& input) {
  const CampaignRecord& campaign = input.campaign;
  const Inventory& inventory = campaign.inventory;
  Fields section;
  section
      .text_if("unknown_machine", !is_external(campaign) ? ""
                                  : inventory.groups.empty()
                                      ? capitalised(made_elsewhere) + named_in_logs(campaign)
                                      : "As stated by whoever imported the logs")
      .list("groups", rows_of(inventory.groups, node_facts))
      .flag("has_notes", !inventory.notes.empty())
      .list("notes", rows_of(inventory.notes, [](const auto& note) { return Fields().text("text", note); }));
  put_nodes(section, campaign);
  put_environment(section, campaign);
  std::vector<Figure> figures;
  if (auto disturbance = disturbance_figure(input)) figures.push_back(*std::move(disturbance));
  auto drawn = figures_markup(figures);
  if (!drawn) return drawn;
  section.markup("figures", *drawn);
  return filled("machine.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection machine;
const ReportSection machine = {.rank = 80, .contents = machine_contents, .html = machine_section};
}  // namespace report_section

}  // namespace shakedown
