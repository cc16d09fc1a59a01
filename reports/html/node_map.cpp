#include "reports/html/node_map.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "orchestrator/core/text.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

constexpr std::size_t row_length = 10;
constexpr std::size_t most_printed = 160;

/// "cn9" before "cn10".
bool by_number(const std::string& a, const std::string& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

struct MapRow {
  std::string pod;
  std::vector<std::string> nodes;
};

void add_rows(std::vector<MapRow>& rows, const std::string& pod, const std::vector<std::string>& nodes) {
  for (std::size_t at = 0; at < nodes.size(); at += row_length)
    rows.push_back({pod,
                    {nodes.begin() + static_cast<std::ptrdiff_t>(at),
                     nodes.begin() + static_cast<std::ptrdiff_t>(std::min(nodes.size(), at + row_length))}});
}

/// Pods with the most of `slow` first; a pod's rows stay together.
std::vector<MapRow> map_rows(const Inventory& inventory, std::set<std::string> left,
                             const std::set<std::string_view>& slow) {
  std::vector<MapRow> pods;
  for (const Pod& pod : inventory.pods) {
    MapRow here{pod.name, {}};
    for (const std::string& host : expanded_hostlist(pod.hosts).value_or(std::vector<std::string>()))
      if (left.erase(host) > 0) here.nodes.push_back(host);
    pods.push_back(std::move(here));
  }
  MapRow rest{inventory.pods.empty() ? "" : "no pod", {left.begin(), left.end()}};
  std::ranges::sort(rest.nodes, by_number);
  pods.push_back(std::move(rest));
  std::ranges::stable_sort(pods, std::greater<>(), [&](const MapRow& pod) {
    return std::ranges::count_if(pod.nodes, [&](const std::string& node) { return slow.contains(node); });
  });
  std::vector<MapRow> rows;
  for (const MapRow& pod : pods) add_rows(rows, pod.pod, pod.nodes);
  return rows;
}

/// The style sheet's class of a deviation: "m3" far slower, "m0" as the median, "f2" faster.
std::string_view deviation_class(double deviation) {
  if (deviation <= -0.05) return "m3";
  if (deviation <= -0.02) return "m2";
  if (deviation <= -0.01) return "m1";
  return deviation >= 0.02 ? "f2" : deviation >= 0.01 ? "f1" : "m0";
}

bool is_slow(const ScreenedNode& node) {
  return node.finding == NodeFinding::confirmed || node.finding == NodeFinding::suspect;
}

/// "−2.1", "0.4".
std::string deviation_text(double deviation) {
  const double rounded = std::round(deviation * 1000) / 10;
  return fmt::format("{}{:.1f}", rounded < 0 ? "−" : "", std::abs(rounded));
}

}  // namespace

Fields node_map(const ReportInput& input, const NodeScreen& screen) {
  std::map<std::string_view, const ScreenedNode*> measured;
  std::set<std::string_view> slow(screen.unmeasured.begin(), screen.unmeasured.end());
  std::set<std::string> names(screen.unmeasured.begin(), screen.unmeasured.end());
  for (const ScreenedNode& node : screen.nodes) {
    measured[node.node] = &node;
    names.insert(node.node);
    if (is_slow(node)) slow.insert(node.node);
  }
  const std::size_t count = names.size();
  const double middle = screen.rate(screen.median);
  const auto cell = [&](const std::string& name) {
    const auto found = measured.find(name);
    if (found == measured.end()) return Fields().text("class", "none").text("shown", "–").flag("slow", false);
    const ScreenedNode& node = *found->second;
    const double deviation = middle > 0 ? screen.rate(node.judged()) / middle - 1 : 0;
    return Fields()
        .text("class", deviation_class(deviation))
        .text("shown", deviation_text(deviation))
        .flag("slow", is_slow(node));
  };
  return Fields()
      .text("metric", fmt::format("{} {}", suite_title(screen.suite), metric_title(screen.metric)))
      .text("nodes", plural(static_cast<std::int64_t>(count), "node"))
      .flag("wide", count > most_printed)
      .list("rows",
            rows_of(map_rows(input.campaign.inventory, std::move(names), slow), [&](const MapRow& row) {
              return Fields()
                  .text_if("pod", row.pod)
                  .text("hosts", folded_hostlist(row.nodes))
                  .list("cells", rows_of(row.nodes, cell));
            }));
}

}  // namespace shakedown
