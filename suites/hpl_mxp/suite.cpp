#include "suites/hpl_mxp/suite.hpp"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/calibration.hpp"
#include "orchestrator/plan/placeholders.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "orchestrator/plan/planned_grid.hpp"
#include "orchestrator/plan/suite.hpp"
#include "suites/hpl_mxp/problem_size.hpp"
#include "suites/hpl_mxp/run_time.hpp"

namespace shakedown::hpl_mxp {
namespace {

/// The lowest precision that the factorisation uses.
struct Precision {
  std::string name;     ///< "FP8", "FP16", "FP32"
  int sloppy_type = 0;  ///< NVIDIA's number for it
  Reason why;
  std::vector<std::string> warnings;
};

bool has_fp8(const NodeGroup& nodes, const Implementation& implementation) {
  if (nodes.gpus.empty()) return false;
  const Gpu& gpu = nodes.gpus.front();
  const std::string words = implementation.tuned_text("fp8_gpus");
  return gpu.peak.fp8_dense_tflops.has_value() ||
         std::ranges::any_of(split(words, ' '), [&](std::string_view word) { return gpu_is(gpu, word); });
}

/// The pinned precision, else the implementation's own (`precision` of its tuning). Fails with rule MXP-02
/// where the implementation does not offer the pinned one (`precisions`). FP8 is warned about: HPL-MxP's
/// rules demand 16 bits from after the list of June 2025 on.
///
/// Source: hpl-mxp.org, rules; NVIDIA HPL-MxP, --sloppy-type.
Result<Precision> planned_precision(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const std::string listed = implementation.tuned_text("precisions");
  std::vector<std::string> offered;
  for (const std::string_view each : split(listed, ' ')) offered.emplace_back(each);
  const bool fp8 = has_fp8(*request.group, implementation);
  const std::string own = implementation.tuned_text("precision");
  const std::string pinned = request.pinned_text("precision");
  Precision precision;
  precision.name = pinned.empty() ? own : pinned;
  if (std::ranges::find(offered, precision.name) == offered.end())
    return fail("MXP-02",
                fmt::format("'{}' factors in {}, not in the pinned '{}'", implementation.id,
                            joined(offered, " or "), precision.name),
                fmt::format("precision = \"{}\"", own));
  precision.sloppy_type = precision.name == "FP8" ? 1 : 2;
  precision.why = {
      "precision", precision.name,
      pinned.empty() ? fmt::format("for {} on these {}", implementation.id,
                                   implementation.rank_per == "gpu" ? "GPUs" : "processors")
                     : fmt::format("the rule gives {}", own),
      pinned.empty() ? implementation.tuned_text("precision_source") : "pinned in the configuration"};
  if (precision.name == "FP8" && !fp8 && !request.group->gpus.empty())
    return fail(
        "requirements",
        fmt::format("FP8 is pinned and '{}' is not known to have it", request.group->gpus.front().model),
        fmt::format("precision = \"{}\", or state fp8_dense_tflops of the GPUs in the inventory", own));
  if (precision.name == "FP8")
    precision.warnings.emplace_back(
        "FP8: HPL-MxP's rules require at least 16 bits from after the list of June 2025 on, so the result is "
        "not "
        "eligible for the list; it compares with results in FP8 under the former rules only (MXP-02)");
  return precision;
}

}  // namespace
}  // namespace shakedown::hpl_mxp

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
  planned->better_nodes = grid->better_nodes;
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
  planned->model = model.applies && model.origin.source.empty() ? described_model(implementation, model.model)
                                                                : model.origin;
  planned->model.text = model.model;
  if (model.applies && planned->predicted.empty())
    planned->model = {
        fmt::format("nothing is predicted: the range is wider than a factor of {:g}, and published runs on "
                    "about {} GPUs with such a network are missing; {}",
                    widest_prediction, layout->ranks(), model.model),
        "", 0, 0};
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
