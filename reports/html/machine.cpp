#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <set>
#include <utility>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/features.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/conditions.hpp"

namespace shakedown {
namespace {

constexpr size_t most_facts = 200;
constexpr size_t most_mounts = 6;

std::string clock_text(double mhz) {
  return mhz > 0 ? fmt::format("{} GHz", number(mhz / 1000, 3)) : "not readable";
}

/// "8 × mlx5_core, 400 Gbit/s, RDMA, firmware 28.39.1002; 1 × ice, 25 Gbit/s, down".
std::string nics_text(const std::vector<Nic>& nics) {
  std::vector<std::pair<std::string, int>> kinds;
  for (const Nic& nic : nics) {
    std::vector<std::string> parts = {nic.driver.empty() ? nic.name : nic.driver};
    if (nic.speed_gb_s > 0) parts.push_back(fmt::format("{:g} Gbit/s", nic.speed_gb_s));
    if (!nic.rdma_device.empty()) parts.emplace_back("RDMA");
    if (!nic.role.empty()) parts.push_back(nic.role);
    if (!nic.firmware.empty()) parts.push_back("firmware " + nic.firmware);
    if (!nic.state.empty() && nic.state != "up") parts.push_back(nic.state);
    const std::string kind = joined(parts, ", ");
    const auto known = std::ranges::find(kinds, kind, &std::pair<std::string, int>::first);
    if (known == kinds.end())
      kinds.emplace_back(kind, 1);
    else
      ++known->second;
  }
  std::vector<std::string> texts;
  texts.reserve(kinds.size());
  for (const auto& [kind, times] : kinds) texts.push_back(fmt::format("{} × {}", times, kind));
  return joined(texts, "; ");
}

std::string mounts_text(const std::vector<Mount>& mounts) {
  std::vector<std::string> texts;
  texts.reserve(std::min(most_mounts, mounts.size()) + 1);
  for (const Mount& mount : mounts | std::views::take(most_mounts))
    texts.push_back(fmt::format(
        "{} {}{}", mount.path, mount.type,
        mount.total_bytes > 0 ? " " + bytes_text(static_cast<double>(mount.total_bytes)) : std::string()));
  if (mounts.size() > most_mounts) texts.push_back(fmt::format("{} more", mounts.size() - most_mounts));
  return joined(texts, ", ");
}

/// What the inventory's comparison of nodes calls it, and this page.
using PlainFeature = std::pair<std::string_view, std::string_view>;
constexpr std::array<PlainFeature, 7> plain_features = {{
    {"memory modules", "Memory modules"},
    {"GPU ECC", "GPU memory ECC"},
    {"GPU VBIOS", "GPU VBIOS"},
    {"disk model", "Local disks"},
    {"disk size", "Size of a local disk"},
    {"firmware", "Firmware"},
    {"board", "Board"},
}};

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
  add(node.gpus.empty() ? "FP64 peak at the base clock" : "FP64 peak at the base clock, processors alone",
      peak > 0 ? fmt::format("{} per node{}", flops_text(peak), assumed) : "not known");
  add("Memory", fmt::format("{}, {} usable", bytes_text(static_cast<double>(node.memory_bytes)),
                            bytes_text(static_cast<double>(node.usable.memory_bytes))));
  if (const std::int64_t caches = last_level_cache_bytes(node); caches > 0)
    add("Last-level caches",
        fmt::format("{} in all{}", bytes_text(static_cast<double>(caches)),
                    node.software.virtualisation.empty() ? "" : ", as the guest sees them"));
  add("GPUs", node.gpus.empty()
                  ? "none"
                  : fmt::format("{} × {}, {}", node.gpus.size(), node.gpus.front().model,
                                bytes_text(static_cast<double>(node.gpus.front().memory_bytes))));
  if (!node.software.gpu_driver.empty()) add("GPU driver", node.software.gpu_driver);
  if (!node.gpu_link.empty()) add("Between the GPUs of a node", node.gpu_link);
  if (!node.nics.empty()) add("Network interfaces", nics_text(node.nics));
  if (!node.mounts.empty()) add("File systems", mounts_text(node.mounts));
  for (const Feature& feature : features(node))
    if (const auto* title = std::ranges::find(plain_features, feature.name, &PlainFeature::first);
        title != plain_features.end() && !feature.value.empty())
      add(title->second, feature.value);
  std::vector<std::string> system;
  if (!node.software.os.empty()) system.push_back(node.software.os);
  if (!node.software.kernel.empty()) system.push_back("kernel " + node.software.kernel);
  add("System", system.empty() ? "not stated" : joined(system, ", "));
  if (!node.software.virtualisation.empty()) add("Virtual machine", node.software.virtualisation);
  for (const std::string& limit : node.usable.limited_by) add("Limited by", limit);
  return Fields()
      .text("name", capitalised(node.name))
      .text("hosts", node.hosts)
      .list("facts", std::move(facts));
}

/// What all nodes share: the network between them and the file systems that are served to them.
std::vector<Fields> system_facts(const Inventory& inventory) {
  std::vector<Fields> facts;
  const auto known = [](double value, std::string_view unit) {
    return value > 0 ? fmt::format("{:g}{}", value, unit) : std::string();
  };
  const auto add = [&](const std::string& name, std::initializer_list<std::string> parts) {
    std::vector<std::string> stated;
    std::ranges::copy_if(parts, std::back_inserter(stated), [](const auto& part) { return !part.empty(); });
    if (!stated.empty()) facts.push_back(fact(name, joined(stated, ", ")));
  };
  const Fabric& fabric = inventory.fabric;
  add("Network between nodes",
      {fabric.technology, fabric.topology, known(fabric.rails, " rails"),
       known(fabric.link_gbit_s, " Gbit/s a NIC"), known(fabric.mtu_bytes, " bytes MTU")});
  add("Switches", {known(fabric.leaf_switches, " leaf"), known(fabric.spine_switches, " spine"),
                   fabric.switch_model, fabric.switch_software});
  for (const Storage& storage : inventory.storage)
    add("Storage " + storage.name,
        {storage.type, storage.mount, known(storage.servers, " servers"), storage.server_model,
         storage.usable_bytes > 0 ? bytes_text(static_cast<double>(storage.usable_bytes)) + " usable" : ""});
  return facts;
}

/// With what the runs were built and started: launchers, compilers, libraries, each value once.
std::vector<Fields> stated_software(const CampaignRecord& campaign) {
  std::set<std::string> launchers;
  std::set<std::string> compilers;
  std::set<std::string> libraries;
  for (const EnvironmentRecord& record : campaign.environment) {
    if (record.name.starts_with("version ")) launchers.insert(record.value);
    if (record.name.starts_with("compiler ")) compilers.insert(record.value);
    const std::string file =
        fs::path(words(record.value).empty() ? "" : words(record.value).back()).filename();
    if (record.name.starts_with("sha256 ") && file.find(".so") != std::string::npos) libraries.insert(file);
  }
  std::vector<Fields> facts;
  const auto add = [&](std::string_view name, const std::set<std::string>& values) {
    if (!values.empty())
      facts.push_back(fact(name, joined(std::vector<std::string>(values.begin(), values.end()), "; ")));
  };
  add("MPI launcher", launchers);
  add("Compilers, as the programs state them", compilers);
  add("Libraries that decide the results", libraries);
  return facts;
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
  std::vector<Fields> all_nodes = system_facts(inventory);
  const ReportParties stated = stated_parties(campaign);
  if (!stated.cooling.empty()) all_nodes.push_back(fact("Cooling, as stated", stated.cooling));
  if (!stated.power.empty()) all_nodes.push_back(fact("Power, as stated", stated.power));
  std::ranges::move(stated_software(campaign), std::back_inserter(all_nodes));
  Fields section;
  section.flag("has_all_nodes", !all_nodes.empty())
      .text_if("unknown_machine", !is_external(campaign) ? ""
                                  : inventory.groups.empty()
                                      ? capitalised(made_elsewhere) + named_in_logs(campaign)
                                      : "As stated by whoever imported the logs")
      .list("groups", rows_of(inventory.groups, node_facts))
      .list("all_nodes", std::move(all_nodes))
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
