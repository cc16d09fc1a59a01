#include "suites/io500/ini.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <bit>
#include <optional>

#include "orchestrator/core/text.hpp"

namespace shakedown::io500 {
namespace {

std::string_view truth(bool value) {
  return value ? "TRUE" : "FALSE";
}

}  // namespace

std::string io500_ini(const Sizes& sizes, const Target& target, const IniChoices& choices) {
  std::string text = "# planned by shakedown\n[global]\n";
  text += fmt::format("datadir = {}\ntimestamp-datadir = FALSE\n", target.datadir);
  text += fmt::format("resultdir = {}\ntimestamp-resultdir = {}\n", target.resultdir,
                      truth(target.stated_results));
  text += fmt::format("api = POSIX\ndrop-caches = {}\n", truth(choices.drop_caches));
  text += fmt::format("\n[debug]\nstonewall-time = {}\n", sizes.stonewall_s);
  text += "\n[ior-easy]\n";
  if (!choices.ior_easy_api.empty()) text += fmt::format("API = {}\n", choices.ior_easy_api);
  text += fmt::format("transferSize = {}\nblockSize = {}\nfilePerProc = TRUE\nuniqueDir = {}\n",
                      sizes.transfer_size, sizes.block_size, truth(choices.unique_dir));
  text += fmt::format("\n[mdtest-easy]\nn = {}\n", sizes.mdtest_easy_n);
  text += fmt::format("\n[ior-hard]\nsegmentCount = {}\n", sizes.segment_count);
  text += fmt::format("\n[mdtest-hard]\nn = {}\n", sizes.mdtest_hard_n);
  return text;
}

namespace {

constexpr std::int64_t most_pinned = 1'000'000;

std::string counted(std::int64_t number, std::string_view noun) {
  return fmt::format("{} {}{}", number, noun, number == 1 ? "" : "s");
}

}  // namespace

Result<RankLayout> clients(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto pin = request.pinned("ranks_per_node");
  if (!pin) return failure_of(pin);
  const std::optional<std::int64_t> pinned = *pin;
  const auto nodes = static_cast<int>(request.hosts.size());
  const int cores = usable_cores(*request.group);
  const auto most = static_cast<int>(implementation.tuned("most_ranks", 4096));
  RankLayout layout;
  layout.nodes = nodes;
  if (pinned && *pinned > most_pinned / nodes)
    return fail(
        "pin ranks_per_node",
        fmt::format("{} on each of {} are more than {} ranks", *pinned, counted(nodes, "node"), most_pinned),
        fmt::format("at most {}", most_pinned / nodes));
  if (pinned) {
    layout.ranks_per_node = static_cast<int>(*pinned);
    layout.why.push_back(
        {"ranks_per_node", *pinned, "as the configuration wants it", "pinned in the configuration"});
  } else {
    // A client that waits for the storage needs no core of its own: hardware threads do, up to the published
    // number of ranks.
    const auto published = static_cast<int>(implementation.tuned("most_ranks_per_node", 0));
    const int threads = cores < request.group->usable.cores ? cores : request.group->usable.hardware_threads;
    const int room = published > 0 ? std::min(std::max(cores, threads), published) : cores;
    const auto fitting = static_cast<unsigned>(std::max(1, std::min(room, most / nodes)));
    layout.ranks_per_node = static_cast<int>(std::bit_floor(fitting));
    const std::string of_a_node =
        published > 0 ? fmt::format("{} (at most {} a node)",
                                    counted(std::max(cores, threads), "usable hardware thread"), published)
                      : counted(cores, "usable core");
    layout.why.push_back(
        {"ranks_per_node", std::int64_t{layout.ranks_per_node},
         nodes > most
             ? fmt::format(
                   "each node needs a rank of its own, and {} are more than the {} ranks wanted in all",
                   counted(nodes, "node"), most)
             : fmt::format("the largest power of two within {} and {} / {} (all ranks together at most {})",
                           of_a_node, most, counted(nodes, "node"), most),
         implementation.tuned_text("most_ranks_source")});
  }
  std::string all =
      fmt::format("{} x {} on each", counted(nodes, "node"), counted(layout.ranks_per_node, "rank"));
  if (!pinned && nodes > most)
    all += fmt::format(": at least one rank per node, so more than the {} wanted in all", most);
  layout.why.push_back(
      {"procs", std::int64_t{layout.ranks()}, std::move(all), "IO5-07: ranks lie in blocks, node by node"});
  layout.threads_per_rank = std::max(1, cores / layout.ranks_per_node);
  const bool crowded = layout.ranks_per_node > cores;
  if (crowded || cores < request.group->usable.cores) layout.binding = "none";
  if (crowded)
    layout.warnings.push_back(fmt::format("{} share {} of each node: they are not bound",
                                          counted(layout.ranks_per_node, "rank"),
                                          counted(cores, "usable core")));
  return layout;
}

std::vector<std::vector<std::string>> directories(const Target& target,
                                                  const std::vector<SiteStripe>& stripes) {
  if (!target.stated && stripes.empty()) return {};
  std::vector<std::vector<std::string>> lines;
  if (const size_t slash = target.datadir.rfind('/'); target.stated) {
    lines.push_back({"mkdir", "-p", target.datadir.substr(0, slash)});
    // What an interrupted run left would be found in place of new files. It may be worth a look: it is not
    // deleted.
    constexpr const char* move_aside =
        "[ ! -e \"$1\" ] || { mv \"$1\" \"$1.left-$(date +%Y%m%dT%H%M%S)\" && "
        "echo \"moved aside, of an earlier run: $1.left-*\" >&2; }";
    lines.push_back({"sh", "-c", move_aside, "sh", target.datadir});
  }
  lines.push_back({"mkdir", target.datadir});
  for (const SiteStripe& stripe : stripes) {
    const std::string folder = target.datadir + "/" + stripe.phase;
    lines.push_back({"mkdir", folder});
    if (stripe.directory_mdts != 0)
      lines.push_back({"lfs", "setdirstripe", "-D", "-c", std::to_string(stripe.directory_mdts), folder});
    std::vector<std::string> layout = {"lfs", "setstripe"};
    for (const std::string_view word : words(stripe.layout)) layout.emplace_back(word);
    if (stripe.count != 0) layout.insert(layout.end(), {"-c", std::to_string(stripe.count)});
    if (!stripe.size.empty()) layout.insert(layout.end(), {"-S", stripe.size});
    if (!stripe.pool.empty()) layout.insert(layout.end(), {"-p", stripe.pool});
    if (layout.size() == 2) continue;
    layout.push_back(folder);
    lines.push_back(std::move(layout));
  }
  return lines;
}

}  // namespace shakedown::io500
