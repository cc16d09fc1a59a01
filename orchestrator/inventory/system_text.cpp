#include "orchestrator/inventory/system_text.hpp"

#include <fmt/format.h>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "orchestrator/inventory/text_layout.hpp"

namespace shakedown {
namespace {

std::string speed(double gbit_s) {
  return grouped(gbit_s, 4) + " Gbit/s";
}

std::string assumed_text(const std::vector<std::string>& keys) {
  return keys.empty() ? "" : "assumed: " + joined(keys, ", ");
}

std::string counted(int count, std::string_view noun) {
  return count > 0 ? fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s") : "";
}

void append_filled(Lines& lines, const Lines& more) {
  for (const std::string& line : more)
    if (!line.empty()) lines.push_back(line);
}

Lines fabric_lines(const Fabric& fabric) {
  Lines lines;
  append_filled(lines, wrapped_list({fabric.technology, fabric.topology, counted(fabric.rails, "rail"),
                                     fabric.link_gbit_s > 0 ? speed(fabric.link_gbit_s) + " a NIC" : "",
                                     fabric.mtu_bytes > 0 ? fmt::format("MTU {}", fabric.mtu_bytes) : ""}));
  std::string switches;
  if (fabric.leaf_switches > 0 || fabric.spine_switches > 0)
    switches = fmt::format("{} leaf and {} spine switches", fabric.leaf_switches, fabric.spine_switches);
  append_filled(
      lines, wrapped_list({switches,
                           fabric.switch_port_gbit_s > 0 ? speed(fabric.switch_port_gbit_s) + " a port" : "",
                           fabric.switch_model, fabric.switch_software}));
  append_filled(lines, wrapped(assumed_text(fabric.assumed)));
  return lines;
}

Lines pod_lines(const std::vector<Pod>& pods) {
  std::vector<Row> rows;
  for (const Pod& pod : pods) {
    const auto hosts = expanded_hostlist(pod.hosts);
    rows.push_back({pod.name, pod.hosts, hosts ? counted(static_cast<int>(hosts->size()), "node") : "",
                    pod.assumed ? "assumed" : ""});
  }
  return aligned(rows);
}

Lines storage_lines(const std::vector<Storage>& all) {
  const auto bytes = [](std::int64_t value) { return bytes_text(static_cast<double>(value)); };
  Lines lines;
  for (const Storage& storage : all) {
    const std::string model = storage.server_model.empty() ? "" : " (" + storage.server_model + ")";
    append_filled(
        lines,
        wrapped_list({storage.name, storage.type == storage.name ? "" : storage.type, storage.mount,
                      storage.servers > 0 ? counted(storage.servers, "server") + model : "",
                      storage.nics_per_server > 0
                          ? fmt::format("{} x {} each", storage.nics_per_server, speed(storage.nic_gbit_s))
                          : "",
                      storage.usable_bytes > 0 ? bytes(storage.usable_bytes) + " usable" : "",
                      storage.raw_bytes > 0 ? bytes(storage.raw_bytes) + " raw" : "",
                      storage.inode_limit > 0 ? fmt::format("at most {} files", storage.inode_limit) : ""}));
    append_filled(lines, wrapped(assumed_text(storage.assumed)));
  }
  return lines;
}

}  // namespace

std::string system_text(const Inventory& inventory) {
  std::string text = block("fabric", fabric_lines(inventory.fabric));
  text += block("pods", pod_lines(inventory.pods));
  text += block("storage", storage_lines(inventory.storage));
  return text.empty() ? text : "\n" + text;
}

}  // namespace shakedown
