#include <fmt/format.h>

#include <algorithm>

#include "orchestrator/core/units.hpp"
#include "orchestrator/inventory/hostlist.hpp"
#include "reports/html/figure.hpp"
#include "reports/html/figures.hpp"
#include "reports/html/node_map.hpp"
#include "reports/html/page.hpp"
#include "reports/measure/display.hpp"

namespace shakedown {
namespace {

constexpr size_t most_screens = 60;
constexpr size_t most_nodes = 100;
constexpr size_t most_maps = 4;  // of 1,000 nodes each is 25 kB

Verdict verdict_of(NodeFinding finding) {
  if (finding == NodeFinding::confirmed) return Verdict::fail;
  return finding == NodeFinding::suspect ? Verdict::undecided : Verdict::pass;
}

std::string_view word_of(NodeFinding finding) {
  if (finding == NodeFinding::confirmed) return "Slow, confirmed";
  if (finding == NodeFinding::suspect) return "To be repeated";
  return finding == NodeFinding::cleared ? "Not slow in its repeats" : "Sound";
}

std::string metric_of(const NodeScreen& screen) {
  return fmt::format("{} {}", suite_title(screen.suite), metric_title(screen.metric));
}

/// "2 slow, 1 to be repeated".
std::string found_text(const NodeScreen& screen) {
  if (!screen.unjudged.empty()) return "Not compared";
  std::string text;
  for (const auto& [finding, word] :
       {std::pair(NodeFinding::confirmed, "slow"), std::pair(NodeFinding::suspect, "to be repeated"),
        std::pair(NodeFinding::cleared, "not slow in repeats")})
    if (const size_t count = screen.of(finding).size(); count > 0)
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, word);
  if (!text.empty()) return text;
  return screen.unmeasured.empty() ? "None is slow" : "None of those measured is slow";
}

Fields screen_row(const NodeScreen& screen) {
  Verdict verdict = Verdict::pass;
  if (!screen.of(NodeFinding::confirmed).empty())
    verdict = Verdict::fail;
  else if (!screen.unjudged.empty() || !screen.unmeasured.empty() || !screen.of(NodeFinding::suspect).empty())
    verdict = Verdict::undecided;
  std::string alike = screen.implementation;
  for (const std::string* more : {&screen.parameters, &screen.node_kind})
    if (!more->empty()) alike += "; " + *more;
  return Fields()
      .text("metric", metric_of(screen))
      .text("alike", alike)
      .text("nodes", fmt::format("{}", screen.nodes.size()))
      .text("median", metric_text(screen.metric, screen.median))
      .text("spread", percent_text(screen.spread, 2))
      .text("class", verdict_class(verdict))
      .markup("icon", verdict_icon(verdict))
      .text("word", found_text(screen))
      .text_if("why", capitalised(screen.unjudged))
      .text_if("unmeasured", screen.unmeasured.empty() ? "" : folded_hostlist(screen.unmeasured));
}

/// "24.43 GFLOP/s, 54.24 GFLOP/s"; of many how many.
std::string repeats_text(const NodeScreen& screen, const ScreenedNode& node) {
  constexpr std::size_t most = 4;
  if (node.repeats.size() > most) return fmt::format("{}", node.repeats.size());
  std::vector<std::string> texts;
  texts.reserve(node.repeats.size());
  for (const double value : node.repeats) texts.push_back(metric_text(screen.metric, value));
  return joined(texts, ", ");
}

Fields node_row(const Judgement& judgement, const NodeScreen& screen, const ScreenedNode& node) {
  const bool repeated = !node.repeats.empty();
  const Verdict verdict = verdict_of(node.finding);
  return Fields()
      .text("node", node.node)
      .text("case", node.case_id)
      .text("metric", metric_of(screen))
      .text("first", metric_text(screen.metric, node.value))
      .text("repeats", repeated ? metric_text(screen.metric, node.judged()) : std::string(dash))
      .text_if("repeats_are", repeated ? "median of " + repeats_text(screen, node) : "")
      .text("expected", metric_text(screen.metric, node.expected))
      .text("expected_by", node.by_past ? "its own past" : "median of all")
      .text("off", distance_text(node.judged(), node.expected))
      .text("p", node.adjusted_p < 1e-4 ? "< 0.0001" : fmt::format("{:.4f}", node.adjusted_p))
      .text("class", verdict_class(verdict))
      .markup("icon", verdict_icon(verdict))
      .text("word", word_of(node.finding))
      .text_if("disturbed", std::ranges::find(judgement.disturbances, node.case_id, &Disturbance::case_id) ==
                                    judgement.disturbances.end()
                                ? ""
                                : "its run was disturbed");
}

std::vector<ContentsLine> nodes_contents(const ReportInput& input) {
  if (input.judgement.node_screens.empty()) return {};
  return {{"nodes", "Like nodes beside each other"}};
}

Result<std::string> nodes_section(const ReportInput& input) {
  const auto& screens = input.judgement.node_screens;
  if (screens.empty()) return std::string();
  std::vector<Fields> slow;
  size_t hidden = 0;
  size_t confirmed = 0;
  size_t suspects = 0;
  for (const NodeFinding finding : {NodeFinding::confirmed, NodeFinding::suspect, NodeFinding::cleared})
    for (const NodeScreen& screen : screens)
      for (const ScreenedNode* node : screen.of(finding)) {
        confirmed += finding == NodeFinding::confirmed ? 1 : 0;
        suspects += finding == NodeFinding::suspect ? 1 : 0;
        if (slow.size() < most_nodes)
          slow.push_back(node_row(input.judgement, screen, *node));
        else
          ++hidden;
      }
  std::string finding = "Which of them are slow beside the others?";
  if (std::ranges::none_of(screens, [](const NodeScreen& screen) { return screen.unjudged.empty(); }))
    finding = "They are too few to be judged.";
  else if (confirmed == 0 && suspects == 0)
    finding = "None of those that were judged is slow beside the others.";
  const bool repeat = suspects > 0 && may_be_repeated(input.campaign);
  Fields section;
  section.text("finding", finding)
      .list("screens", rows_of(std::span(screens).first(std::min(most_screens, screens.size())), screen_row))
      .text_if("more_screens", screens.size() > most_screens ? fmt::format("{} more metrics in results.json.",
                                                                           screens.size() - most_screens)
                                                             : "")
      .flag("has_slow", !slow.empty())
      .list("slow", std::move(slow))
      .text_if("more", hidden > 0 ? fmt::format("{} more in results.json.", hidden) : "")
      .text_if("repeat", repeat ? next_step(input).command : "")
      .text("fewest", fmt::format("{}", fewest_screened));
  std::vector<Fields> maps;
  std::vector<Figure> figures;
  for (const NodeScreen& screen : screens) {
    if (screen.nodes.size() < fewest_screened || figures.size() == most_maps) continue;
    maps.push_back(node_map(input, screen));
    figures.push_back(node_histogram(screen));
  }
  auto drawn = figures_markup(figures);
  if (!drawn) return drawn;
  section.flag("has_pods", !input.campaign.inventory.pods.empty());
  section.flag("has_maps", !maps.empty()).list("maps", std::move(maps)).markup("figures", *drawn);
  return filled("nodes.mustache", section);
}

}  // namespace

namespace report_section {
extern const ReportSection nodes;
const ReportSection nodes = {.rank = 20, .contents = nodes_contents, .html = nodes_section};
}  // namespace report_section

}  // namespace shakedown
