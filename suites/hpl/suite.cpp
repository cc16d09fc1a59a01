#include "orchestrator/plan/suite.hpp"

#include <array>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/planned_grid.hpp"
#include "suites/hpl/hpl_dat.hpp"
#include "suites/hpl/problem_size.hpp"
#include "suites/hpl/run_time.hpp"

namespace shakedown::suite {

extern const Suite hpl;

namespace {

using namespace shakedown::hpl;

/// Three times the longest predicted run and a minute, in full tens of seconds.
void limit_time(Case& planned) {
  const Prediction& wall = planned.predicted.back();
  planned.time_limit_s = std::ceil((3 * wall.high + 60) / 10) * 10;
  planned.why.push_back(
      {"time_limit_s", static_cast<std::int64_t>(planned.time_limit_s),
       fmt::format("3 x {} (the longest predicted run) + 60 s, rounded up to 10 s", duration_text(wall.high)),
       "time limit, three times the pessimistic prediction: a run this long is stuck"});
}

/// The input of a build; its tuning names the algorithmic choices that it takes, where it takes no others.
HplDat input_of(const Implementation& implementation, const ProblemSize& size, const PlannedGrid& grid) {
  HplDat run{size.N, size.NB, grid.column_major, grid.grid.P, grid.grid.Q};
  const auto choose = [&](std::string_view name, int& choice) {
    choice = static_cast<int>(implementation.tuned(name, choice));
  };
  choose("NBMIN", run.NBMIN);
  choose("RFACT", run.RFACT);
  choose("BCAST", run.BCAST);
  choose("SWAP", run.SWAP);
  choose("EQUIL", run.EQUIL);
  return run;
}

Result<Case> planned_hpl(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto layout =
      rank_layout(implementation.rank_per, *request.group, static_cast<int>(request.hosts.size()));
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  const auto grid = planned_grid(request, *layout);
  if (!grid) return failure_of(grid);
  const RunTime model = run_time(request, *layout, grid->grid);
  const auto size = problem_size(request, *layout, model);
  if (!size) return failure_of(size);

  add_notes(*planned, *size);
  add_notes(*planned, *grid);
  planned->better_nodes = grid->better_nodes;
  planned->warnings.insert(planned->warnings.end(), model.warnings.begin(), model.warnings.end());
  planned->parameters = {{"N", size->N},
                         {"NB", std::int64_t{size->NB}},
                         {"P", std::int64_t{grid->grid.P}},
                         {"Q", std::int64_t{grid->grid.Q}},
                         {"PMAP", std::string(grid->column_major ? "column" : "row")}};
  const HplDat run = input_of(implementation, *size, *grid);
  const bool hpcc = implementation.input_file == "hpccinf.txt";
  planned->files = {{implementation.input_file, hpcc ? hpccinf(run) : hpl_dat(run)}};
  planned->predicted = model.predictions(static_cast<double>(size->N));
  planned->model = described_model(implementation, model.model);
  if (!model.origin.source.empty())
    planned->model = {model.model, model.origin.source, model.origin.parameters, model.origin.points};
  if (model.assumed && planned->model.source == "fit") planned->model = {model.model, "assumed", 0, 0};
  limit_time(*planned);
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

constexpr std::array<std::string_view, 5> pins = {"N", "NB", "P", "Q", "PMAP"};

}  // namespace

const Suite hpl = {
    .id = "hpl",
    .plan = planned_hpl,
    .pins = pins,
    .shape = grid_shape,
};

}  // namespace shakedown::suite
