#include "orchestrator/planning/implementation_choice.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/suite_facts.hpp"

namespace shakedown {
namespace {

/// Whether the implementation's program can be started on this machine.
bool is_installed(const Implementation& implementation, const Layout& layout) {
  if (!implementation.container.empty()) return false;
  constexpr std::string_view libexec = "{libexec}/";
  if (implementation.program.starts_with(libexec))
    return !program_in_path((layout.libexec / implementation.program.substr(libexec.size())).string())
                .empty();
  return !program_in_path(implementation.program).empty();
}

std::vector<std::string> ids_of(std::span<const Implementation* const> list) {
  std::vector<std::string> ids;
  for (const Implementation* each : list)
    if (std::ranges::find(ids, each->id) == ids.end()) ids.push_back(each->id);
  return ids;
}

std::string default_id(std::span<const Implementation* const> list, const NodeGroup& group, bool here,
                       const Layout& layout) {
  const auto first = [&](auto condition) -> std::string {
    const auto found = std::ranges::find_if(list, condition);
    return found == list.end() ? std::string() : (*found)->id;
  };
  if (!group.gpus.empty()) {
    const std::string make(gpu_make(group.gpus.front()));
    if (std::string vendor = first([&](const Implementation* i) {
          return !make.empty() && i->requires_gpu == make &&
                 (!here || is_installed(*i, layout) || !i->container.empty());
        });
        !vendor.empty())
      return vendor;
  }
  if (std::string real = first([&](const Implementation* i) {
        return i->id != "reference" && i->requires_gpu.empty() && is_installed(*i, layout);
      });
      !real.empty())
    return real;
  if (std::string ours = first([](const Implementation* i) { return i->id == "reference"; }); !ours.empty())
    return ours;
  return here ? std::string() : first([](const Implementation* i) { return i->requires_gpu.empty(); });
}

Error none_here(const Suite& suite, std::span<const Implementation* const> list, bool here) {
  std::string hints;
  for (const Implementation* each : list)
    if (each->requires_gpu.empty() && hints.empty()) hints = each->install_hint;
  return Error{"requirements",
               fmt::format("no implementation of {} {}; there are: {}", suite_title(suite.id),
                           here ? "is installed here" : "fits these nodes", joined(ids_of(list), ", ")),
               hints};
}

}  // namespace

Result<std::vector<const Implementation*>> chosen_implementation(std::span<const Implementation> all,
                                                                 const Suite& suite, const NodeGroup& group,
                                                                 const ImplementationWish& wish,
                                                                 const Layout& layout) {
  std::vector<const Implementation*> list;
  for (const Implementation& each : all)
    if (each.suite == suite.id) list.push_back(&each);
  const std::vector<std::string> ids = ids_of(list);
  const bool known = std::ranges::find(ids, wish.id) != ids.end();
  if (!wish.id.empty() && !known && wish.strict)
    return fail("--implementation",
                fmt::format("{} has no implementation '{}'{}", suite_title(suite.id), wish.id,
                            did_you_mean(wish.id, ids)),
                fmt::format("implementations of {}: {}", suite.id, joined(ids, ", ")));
  const std::string id = known ? wish.id : default_id(list, group, wish.here, layout);
  if (id.empty()) return tl::unexpected<Error>(none_here(suite, list, wish.here));
  std::vector<const Implementation*> chosen;
  std::vector<std::string> benchmarks;
  for (const Implementation* each : list) {
    if (each->id != id) continue;
    benchmarks.push_back(each->benchmark);
    if (wish.benchmark.empty() || each->benchmark == wish.benchmark) chosen.push_back(each);
  }
  if (chosen.empty())
    return fail("benchmark",
                fmt::format("{}/{} has no benchmark '{}'{}", suite.id, id, wish.benchmark,
                            did_you_mean(wish.benchmark, benchmarks)),
                benchmarks.front().empty() ? "it is one benchmark: leave the name out"
                                           : fmt::format("benchmarks: {}", joined(benchmarks, ", ")));
  return chosen;
}

}  // namespace shakedown
