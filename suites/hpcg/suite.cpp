#include "suites/hpcg/suite.hpp"

#include <fmt/core.h>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/hpcg/local_domain.hpp"
#include "suites/hpcg/rank_grid.hpp"
#include "suites/hpcg/rating.hpp"

namespace shakedown::suite {

extern const Suite hpcg;

namespace {

using namespace shakedown::hpcg;

constexpr std::int64_t official_s = 1800;
constexpr std::int64_t margin_s = 60;       // the timed part ends with a whole set of iterations
constexpr std::int64_t most_s = 7 * 86400;  // a slip of the pen

/// The seconds of the timed part: pinned, or official, or the remainder of a wished run time.
Result<std::int64_t> run_time(const PlanRequest& request, double rows, Case& planned) {
  const auto pinned = request.pinned("rt");
  if (!pinned) return failure_of(pinned);
  std::int64_t seconds = official_s + margin_s;
  Reason reason = {"rt", seconds,
                   fmt::format("{} s of an official run and {} s of margin", official_s, margin_s),
                   "HPCG-02: HPCG 3.1, ReportResults.cpp, minOfficialTime"};
  if (*pinned) {
    seconds = pinned->value_or(seconds);
    if (seconds < least_timed_s || seconds > most_s)
      return fail("HPCG-02",
                  seconds < least_timed_s
                      ? fmt::format("the pinned rt = {} s is below {} s, which HPCG can take for 0, its "
                                    "QuickPath",
                                    seconds, least_timed_s)
                      : fmt::format("the pinned rt = {} s is more than a week", seconds),
                  fmt::format("rt = {} for an official run", official_s + margin_s));
    reason = {"rt", seconds, fmt::format("an official run takes {}", official_s + margin_s),
              "pinned in the configuration"};
  } else if (request.time_s > 0) {
    const double setup = setup_time_s(*request.implementation, rows);
    const auto left =
        static_cast<std::int64_t>(std::max(request.time_s - setup, static_cast<double>(least_timed_s)));
    if (left < seconds) {
      seconds = left;
      const std::string because =
          left > least_timed_s ? fmt::format("what the wished {} leave beside {} of setting up",
                                             duration_text(request.time_s), duration_text(setup))
                               : fmt::format(
                                     "the shortest timed part that HPCG does not take for its QuickPath; "
                                     "the wished {} and {} of setting up leave no more",
                                     duration_text(request.time_s), duration_text(setup));
      reason = {"rt", seconds, because, "the wished run time, by the prediction's model"};
    }
    if (request.time_s < setup + static_cast<double>(least_timed_s))
      planned.warnings.push_back(
          fmt::format("setting up takes {} and the shortest timed part {} s: longer than the wished {}",
                      duration_text(setup), least_timed_s, duration_text(request.time_s)));
  }
  if (seconds < official_s)
    planned.warnings.push_back(
        fmt::format("rt = {} s: a run under {} s is no official result (HPCG-02)", seconds, official_s));
  reason.value = seconds;
  planned.why.push_back(std::move(reason));
  return seconds;
}

/// The longest predicted wall time and half of it, in full minutes.
void limit_time(Case& planned) {
  const Prediction& wall = planned.predicted.back();
  planned.time_limit_s = std::ceil((1.5 * wall.high + 60) / 60) * 60;
  planned.why.push_back({"time_limit_s", static_cast<std::int64_t>(planned.time_limit_s),
                         fmt::format("1.5 x {} (the longest predicted run) + 60 s, rounded up to a minute",
                                     duration_text(wall.high)),
                         "time limit (the timed part ends by the clock): a run this long is stuck"});
}

/// The threads of a rank are those of the published run on as many GPUs, unless the site states others.
void take_threads(const PlanRequest& request, const RankLayout& layout, Case& planned) {
  const auto* run = published_run(request, layout.ranks());
  const Value* threads = run == nullptr ? nullptr : find_parameter(*run, "threads");
  if (threads == nullptr) return;
  for (Parameter& variable : planned.environment)
    if (variable.name == "OMP_NUM_THREADS" &&
        value_text(variable.value) == std::to_string(layout.threads_per_rank)) {
      variable.value = value_text(*threads);
      planned.why.push_back({"OMP_NUM_THREADS", *threads,
                             fmt::format("published for {} GPUs of this kind; a rank has {} cores",
                                         layout.ranks(), layout.threads_per_rank),
                             value_text(*find_parameter(*run, "source"))});
    }
}

Result<Case> planned_hpcg(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto layout =
      rank_layout(implementation.rank_per, *request.group, static_cast<int>(request.hosts.size()));
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  const auto ranks = rank_grid(request, *layout);
  if (!ranks) return failure_of(ranks);
  const Box& grid = ranks->grid;
  const auto domain = local_domain(request, *layout, grid);
  if (!domain) return failure_of(domain);
  const Box& local = domain->local;
  const auto rows = static_cast<double>(local.cells());

  add_notes(*planned, *ranks);
  add_notes(*planned, *domain);
  take_threads(request, *layout, *planned);
  const auto seconds = run_time(request, rows, *planned);
  if (!seconds) return failure_of(seconds);
  planned->parameters = {{"npx", grid.x},           {"npy", grid.y},           {"npz", grid.z},
                         {"nx", local.x},           {"ny", local.y},           {"nz", local.z},
                         {"gnx", grid.x * local.x}, {"gny", grid.y * local.y}, {"gnz", grid.z * local.z},
                         {"rt", *seconds}};
  if (!implementation.input_file.empty())
    planned->files = {{implementation.input_file,
                       hpcg_dat(local, *seconds, ranks->pinned ? std::optional(grid) : std::nullopt)}};
  const Expectation expected = expectation(request, *layout, rows, static_cast<double>(*seconds));
  planned->predicted = expected.predicted;
  planned->model = expected.model;
  limit_time(*planned);
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

std::string shape(const Case& planned) {
  const auto side = [&](std::string_view name) {
    const Value* value = find_parameter(planned.parameters, name);
    return value == nullptr ? std::int64_t{0} : static_cast<std::int64_t>(value_number(*value));
  };
  return box_text({side("npx"), side("npy"), side("npz")});
}

constexpr std::array<std::string_view, 7> pins = {"npx", "npy", "npz", "nx", "ny", "nz", "rt"};

}  // namespace

const Suite hpcg = {
    .id = "hpcg",
    .plan = planned_hpcg,
    .pins = pins,
    .shape = shape,
};

}  // namespace shakedown::suite

namespace shakedown::hpcg {

std::string hpcg_dat(const Box& local, std::int64_t run_time_s, const std::optional<Box>& grid) {
  std::string text = fmt::format("HPCG benchmark input file\nplanned by shakedown\n{} {} {}\n{}\n", local.x,
                                 local.y, local.z, run_time_s);
  if (grid) text += fmt::format("{} {} {}\n", grid->x, grid->y, grid->z);
  return text;
}

}  // namespace shakedown::hpcg
