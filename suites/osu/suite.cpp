#include "orchestrator/plan/suite.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/node_program.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/rank_layout.hpp"

namespace shakedown::suite {

extern const Suite osu;

namespace {

constexpr std::array<std::string_view, 1> osu_pins = {"iterations"};

/// Who talks to whom in a test, as the implementation's tuning names it.
enum class Pattern { pair, pairs, all };

Result<Pattern> pattern_of(const Implementation& implementation) {
  const std::string text = implementation.tuned_text("pattern");
  if (text == "pair") return Pattern::pair;
  if (text == "pairs") return Pattern::pairs;
  if (text == "all") return Pattern::all;
  return fail(implementation.suite + "/" + implementation.id,
              fmt::format("the pattern '{}' is none of a test's", text), "pair, pairs or all");
}

/// A test between two processes takes one on each of two nodes, or two on one node; one of many pairs takes
/// an even number.
Result<RankLayout> osu_layout(const PlanRequest& request, Pattern pattern) {
  const Implementation& implementation = *request.implementation;
  const auto nodes = static_cast<int>(request.hosts.size());
  auto layout = rank_layout(implementation.rank_per, *request.group, nodes);
  if (!layout) return layout;
  const std::string test = "osu_" + implementation.benchmark;
  if (pattern == Pattern::pair && nodes > 2)
    return fail(
        "ranks", fmt::format("{} measures between two processes, and {} nodes are wanted", test, nodes),
        "nodes = [2], with `hosts` for a pair of your choice; of many pairs at once: benchmark = \"mbw_mr\"");
  if (pattern == Pattern::pairs && nodes > 1 && nodes % 2 != 0)
    return fail("ranks", fmt::format("{} makes pairs of nodes, and {} are an odd number", test, nodes),
                fmt::format("nodes = [{}]", nodes - 1));
  if (nodes == 1 && layout->ranks_per_node < 2) {
    layout->ranks_per_node = 2;
    layout->threads_per_rank = std::max(1, usable_cores(*request.group) / 2);
    layout->why.front() = {"ranks", std::int64_t{2}, "one node: two processes on it, through its memory",
                           "it takes two to talk"};
    if (usable_cores(*request.group) < 2) layout->binding = "none";
  }
  // Between nodes each process has all of its node, and the MPI library chooses the core beside the NIC.
  return layout;
}

/// The fastest link of a node to the others, MB/s; 0: not known.
double link_mb_s(const NodeGroup& node) {
  constexpr double mb_per_gbit = 125;
  double most = 0;
  for (const Nic& nic : node.nics)
    if (nic.role != "management" && nic.role != "storage")
      most = std::max(most, nic.speed_gb_s * mb_per_gbit);
  return most;
}

/// What the test sends in all, from one process: its sizes double up to `most`, the number of messages falls
/// from the small to the large ones.
double sent_bytes(const Implementation& implementation, double most, double small, double large) {
  const double window = implementation.tuned("window", 1);
  double bytes = 0;
  const double large_bytes = implementation.tuned("large_bytes", 8192);
  for (std::int64_t size = 1; static_cast<double>(size) <= most; size *= 2) {
    const auto each = static_cast<double>(size);
    bytes += each * window * (each <= large_bytes ? small : large);
  }
  return bytes;
}

void predict(Case& planned, const PlanRequest& request, Pattern pattern, double iterations) {
  const Implementation& implementation = *request.implementation;
  const double link = planned.nodes > 1 ? link_mb_s(*request.group) : 0;
  const double small = iterations > 0 ? iterations : implementation.tuned("small_iterations", 1000);
  const double large = iterations > 0 ? iterations : implementation.tuned("large_iterations", 100);
  const double most = implementation.tuned("max_bytes", 1 << 20);
  // All to all sends one message to each other process; a reduction passes each byte twice.
  const double copies = pattern != Pattern::all                       ? 1
                        : implementation.tuned("to_each_rank", 0) > 0 ? planned.ranks
                                                                      : 2;
  const double bytes = copies * sent_bytes(implementation, most, small, large) *
                       (pattern == Pattern::all ? planned.ranks_per_node : 1);
  const double steps = pattern == Pattern::all ? 1 + std::log2(std::max(2, planned.ranks)) : 2;
  const double sizes = 1 + std::log2(most);
  const double floor = std::max(implementation.tuned("least_mb_s", 100), 0.1 * link);
  const double calls =
      sizes * small * steps * (implementation.tuned("to_each_rank", 0) > 0 ? planned.ranks : 1);
  const double start =
      implementation.tuned("start_s", 5) + planned.ranks * implementation.tuned("start_s_per_rank", 0.02);
  const auto seconds = [&](double mb_s, double call_us) {
    return bytes / (mb_s * 1e6) + calls * call_us * 1e-6;
  };
  const double slow_us = implementation.tuned("slow_call_us", 100);
  const double wall = start + seconds(std::max(4 * floor, link), slow_us / 20);
  const bool bandwidth = implementation.tuned_text("predicts") == "bandwidth";
  if (bandwidth && link > 0) {
    const double both = implementation.tuned("directions", 1);
    const double pairs = pattern == Pattern::pairs ? planned.ranks / 2.0 : 1;
    planned.predicted.push_back(
        {"bandwidth_mb_s", 0.95 * link * both * pairs, 0.75 * link * both * pairs, 2 * link * both * pairs});
    planned.model.source = "spec";
    planned.model.text = fmt::format(
        "0.75 to 2 times the fastest link, {} MB/s{}: an MPI library may use two links of a node for one "
        "message",
        number(link, 5), pairs > 1 ? fmt::format(", in {} pairs", planned.ranks / 2) : std::string());
  } else {
    planned.model.text = bandwidth ? "no rate is predicted: the inventory gives no speed of the nodes' links"
                                   : "no latency is predicted: it is the NIC's and the switches'";
  }
  add_time_limit(planned,
                 {.wall = {"wall_time_s", wall, start / 2, 2 * start + seconds(floor, slow_us)},
                  .times = 2,
                  .because = fmt::format("{} to start, then all sizes at {} MB/s and {} us a call",
                                         duration_text(2 * start), number(floor, 4), number(slow_us, 4))});
}

Result<Case> planned_osu(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto pattern = pattern_of(implementation);
  if (!pattern) return failure_of(pattern);
  const auto iterations = request.pinned("iterations");
  if (!iterations) return failure_of(iterations);
  const auto layout = osu_layout(request, *pattern);
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  planned->screen = true;
  planned->parameters = {{"benchmark", "osu_" + implementation.benchmark}};
  if (const std::int64_t count = iterations->value_or(0); count > 0) {
    planned->parameters.push_back({"iterations", count});
    for (const std::string& word : {std::string("-i"), fmt::format("{}", count)})
      planned->arguments.push_back(word);
  }
  // Without it the program cuts the largest size of a table whose buffers exceed 512 MiB.
  if (implementation.tuned("to_each_rank", 0) > 0) {
    const double needed = implementation.tuned("max_bytes", 1 << 20) * planned->ranks;
    planned->arguments.insert(planned->arguments.end(),
                              {"-M", fmt::format("{:.0f}", std::max(512.0 * kibi * kibi, needed))});
  }
  predict(*planned, request, *pattern, static_cast<double>(iterations->value_or(0)));
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace

const Suite osu = {
    .id = "osu",
    .plan = planned_osu,
    .pins = osu_pins,
    .only_by_name = true,
};

}  // namespace shakedown::suite
