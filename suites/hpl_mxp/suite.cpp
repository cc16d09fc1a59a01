#include "suites/hpl_mxp/suite.hpp"

#include <fmt/core.h>
#include <array>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/placeholders.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/planned_grid.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/hpl_mxp/precision.hpp"
#include "suites/hpl_mxp/problem_size.hpp"
#include "suites/hpl_mxp/run_time.hpp"

namespace shakedown::suite {

extern const Suite hpl_mxp;

namespace {

using namespace shakedown::hpl_mxp;

/// Three times the longest predicted run; where nothing is predicted, ten minutes beside a run at a rate that
/// is certainly exceeded.
void limit_time(Case& planned, const RunTime& model, double N) {
  double seconds = 0;
  std::string because;
  if (const Prediction* wall = predicted_wall_time(planned); wall != nullptr) {
    seconds = 3 * wall->high;
    because =
        fmt::format("3 x {} (the longest predicted run), rounded up to a minute", duration_text(wall->high));
  } else {
    const double slowest = model.ranks * model.slowest_gflops;
    seconds = 600 + operations(N) / (slowest * 1e9);
    because = fmt::format("10 min and a run at {} for each GPU, rounded up to a minute",
                          flops_text(model.slowest_gflops));
  }
  planned.time_limit_s = std::ceil(seconds / 60) * 60;
  planned.why.push_back({"time_limit_s", static_cast<std::int64_t>(planned.time_limit_s), because,
                         "time limit: a run this long is stuck"});
}

Result<Case> planned_hpl_mxp(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto layout =
      rank_layout(implementation.rank_per, *request.group, static_cast<int>(request.hosts.size()));
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  const auto grid = planned_grid(request, *layout);
  if (!grid) return failure_of(grid);
  const auto precision = planned_precision(request);
  if (!precision) return failure_of(precision);
  const RunTime model = run_time(request, *layout, {grid->grid, precision->name});
  const auto size = problem_size(request, *layout, model);
  if (!size) return failure_of(size);

  add_notes(*planned, *size);
  add_notes(*planned, *grid);
  planned->why.push_back(precision->why);
  planned->warnings.insert(planned->warnings.end(), precision->warnings.begin(), precision->warnings.end());
  planned->parameters = {{"N", size->N},
                         {"NB", size->NB},
                         {"P", std::int64_t{grid->grid.P}},
                         {"Q", std::int64_t{grid->grid.Q}},
                         {"precision", precision->name},
                         {"PMAP", std::string(grid->column_major ? "column" : "row")}};
  if (!implementation.input_file.empty())
    planned->files = {{implementation.input_file,
                       hpl_mxp_dat({size->N, size->NB, grid->column_major, grid->grid.P, grid->grid.Q})}};
  planned->predicted = model.predictions(static_cast<double>(size->N));
  planned->model =
      model.applies ? described_model(implementation, model.model) : Model{model.model, "", 0, 0};
  limit_time(*planned, model, static_cast<double>(size->N));
  const std::vector<Parameter> own = {{"sloppy_type", std::int64_t{precision->sloppy_type}}};
  for (std::string& word : planned->arguments) word = filled(word, own);
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

constexpr std::array<std::string_view, 6> pins = {"N", "NB", "P", "Q", "PMAP", "precision"};

}  // namespace

const Suite hpl_mxp = {
    .id = "hpl-mxp",
    .plan = planned_hpl_mxp,
    .pins = pins,
    .shape = grid_shape,
};

}  // namespace shakedown::suite

namespace shakedown::hpl_mxp {
namespace {

template <class Content>
std::string line(const Content& value, const char* comment) {
  return fmt::format("{:<12} {}\n", value, comment);
}

}  // namespace

std::string hpl_mxp_dat(const HplMxpDat& run) {
  return "HPLinpack benchmark input file\n"
         "planned by shakedown\n" +
         line("HPL-MxP.out", "output file name (if any)") + line(6, "device out (6=stdout,7=stderr,file)") +
         line(1, "# of problems sizes (N)") + line(run.N, "Ns") + line(1, "# of NBs") + line(run.NB, "NBs") +
         line(run.column_major ? 1 : 0, "PMAP process mapping (0=Row-,1=Column-major)") + line(run.P, "P") +
         line(run.Q, "Q") + line("16.0", "threshold") + line(1, "# of broadcast") +
         line(0, "BCASTs (0=1rg,1=1rM,2=2rg,3=2rM,4=Lng,5=LnM)");
}

}  // namespace shakedown::hpl_mxp
