#include "orchestrator/plan/suite.hpp"

#include <array>
#include <string>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/node_program.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::suite {

extern const Suite dcgm;

namespace {

constexpr std::array<std::string_view, 1> dcgm_pins = {"level"};

/// How long a level takes. Source: NVIDIA, DCGM, dcgmi diag ("--run"), and its user guide, "Run levels".
struct Level {
  double usual_s = 0;
  double most_s = 0;
  std::string_view words;
};
constexpr std::array<Level, 4> levels = {{{20, 60, "seconds"},
                                          {120, 300, "about 2 minutes"},
                                          {900, 1800, "about 15 minutes, under 30"},
                                          {5400, 7200, "1 to 2 hours"}}};

Result<Case> planned_dcgm(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto pinned = request.pinned("level");
  if (!pinned) return failure_of(pinned);
  const std::int64_t level = pinned->value_or(static_cast<std::int64_t>(implementation.tuned("level", 3)));
  if (level > static_cast<std::int64_t>(levels.size()))
    return fail("pin level", fmt::format("dcgmi diag has no level {}", level), "1, 2, 3 or 4");
  auto planned = planned_node_program(request);
  if (!planned) return planned;
  const Level& time = levels.at(static_cast<std::size_t>(level - 1));
  planned->parameters = {{"level", level}, {"gpus", static_cast<std::int64_t>(request.group->gpus.size())}};
  planned->why.push_back(
      {"level", level,
       fmt::format("{}; {} by NVIDIA's documentation",
                   *pinned ? "pinned by the configuration" : implementation.tuned_text("level_source"),
                   time.words),
       "dcgmi diag -r"});
  add_time_limit(*planned,
                 {.wall = {"wall_time_s", time.usual_s, time.usual_s / 2, time.most_s},
                  .times = 1.5,
                  .because = fmt::format("level {} takes {} (DCGM, dcgmi diag)", level, time.words)});
  planned->model.text = "no rate is predicted: its tests pass or fail by DCGM's own thresholds for the GPU";
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace

const Suite dcgm = {
    .id = "dcgm",
    .plan = planned_dcgm,
    .pins = dcgm_pins,
    .only_by_name = true,
};

}  // namespace shakedown::suite
