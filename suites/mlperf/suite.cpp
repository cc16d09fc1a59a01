#include "orchestrator/plan/suite.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/placeholders.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "suites/mlperf/memory_use.hpp"
#include "suites/mlperf/outcome.hpp"
#include "suites/mlperf/parallelism.hpp"
#include "suites/mlperf/scale.hpp"

namespace shakedown::mlperf {
namespace {

/// As many ranks as cores, but none without a sample.
Result<RankLayout> reference_layout(const PlanRequest& request, int GBS) {
  const auto nodes = static_cast<int>(request.hosts.size());
  if (nodes > GBS)
    return fail("requirements",
                fmt::format("{} nodes have less than one of the {} samples of a batch each", nodes, GBS),
                fmt::format("{} nodes", GBS));
  auto layout = rank_layout(request.implementation->rank_per, *request.group, nodes);
  if (!layout || layout->ranks() <= GBS) return layout;
  const int cores = layout->ranks_per_node;
  layout->ranks_per_node = GBS / nodes;
  for (Reason& reason : layout->why)
    if (reason.what == "ranks")
      reason = {"ranks", std::int64_t{layout->ranks()},
                fmt::format("{} x {} ranks each", plural(nodes, "node"), layout->ranks_per_node),
                "each rank needs a sample of each batch"};
  layout->why.push_back({"ranks_per_node", std::int64_t{layout->ranks_per_node},
                         fmt::format("{} cores, but {} samples of a batch on {} nodes", cores, GBS, nodes),
                         "each rank needs a sample of each batch"});
  return layout;
}

/// FP32 GEMM of the ranks in GFLOP/s; 0: not known.
double fp32_gflops(const PlanRequest& request, const RankLayout& layout) {
  const double node_ranks = layout.ranks_per_node;
  const double part = node_ranks / std::max(usable_cores(*request.group), layout.ranks_per_node);
  const double fp64 = request.measured.gemm_gflops > 0 ? request.measured_gemm_gflops()
                                                       : cpu_peak_gflops(*request.group) * layout.nodes;
  return 2 * part * fp64;
}

void predict(const PlanRequest& request, const RankLayout& layout, Case& planned) {
  const Implementation& implementation = *request.implementation;
  const double peak = fp32_gflops(request, layout);
  if (peak <= 0) {
    planned.warnings.emplace_back("clock or FLOP per cycle are not known: no time to train is predicted");
    return;
  }
  const double efficiency = implementation.tuned("efficiency", 0.5);
  const double gflop = implementation.tuned("gflop", 0);
  const double seconds = gflop / (efficiency * peak);
  const double wall = seconds + implementation.tuned("gflop_before", 0) / (efficiency * peak) +
                      implementation.tuned("startup_s", 1);
  const double low = implementation.tuned("band_low", 0.5);
  const double high = implementation.tuned("band_high", 2);
  planned.predicted = {{"time_to_train_min", seconds / 60, seconds * low / 60, seconds * high / 60},
                       {"wall_time_s", wall, wall * low, wall * high}};
  planned.model = described_model(
      implementation, fmt::format("time to train = {:.0f} GFLOP / ({} x {} of FP32 GEMM); {}", gflop,
                                  efficiency, flops_text(peak), implementation.tuned_text("model_source")));
  if (request.time_s > 0 && wall > request.time_s)
    planned.warnings.push_back(
        fmt::format("a training runs until it reaches its target: {} are predicted, {} were wished",
                    duration_text(wall), duration_text(request.time_s)));
}

/// A case of our own training screen: a rank for each core, or for as many as there are samples in a batch.
/// Model, data and target are fixed, so no wished run time makes it smaller; if it is predicted to take
/// longer, a warning reports it.
///
///     time to train = FLOP until the target / (efficiency x FP32 GEMM of the ranks)
///
/// with twice the FP64 rate as that of FP32, and before it, of the fine-tuning, the pretraining's time. Fails
/// with "requirements" on more nodes than a batch has samples.
Result<Case> reference_case(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto GBS = static_cast<int>(std::lround(implementation.tuned("GBS", 32)));
  const auto layout = reference_layout(request, GBS);
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  predict(request, *layout, *planned);
  const Prediction* wall = find_prediction(*planned, "wall_time_s");
  const double most = wall == nullptr ? 600 : std::ceil((3 * wall->high + 60) / 10) * 10;
  planned->time_limit_s = most + 30;
  planned->why.push_back(
      {"time_limit_s", static_cast<std::int64_t>(planned->time_limit_s),
       wall == nullptr ? "no model predicts the time: 10 min and 30 s"
                       : fmt::format("3 x {} (the longest predicted run) + 60 s, rounded up to 10 s, + 30 s",
                                     duration_text(wall->high)),
       "a training three times as long as the pessimistic prediction does not converge"});
  planned->parameters = {{"benchmark", implementation.benchmark},
                         {"DP", std::int64_t{layout->ranks()}},
                         {"GBS", std::int64_t{GBS}},
                         {"most_seconds", static_cast<std::int64_t>(most)}};
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace
}  // namespace shakedown::mlperf

namespace shakedown::suite {

extern const Suite mlperf;

namespace {

using namespace shakedown::mlperf;

/// The places of data and checkpoints that the image needs: from the site's environment, else a placeholder
/// that no mount finds.
void fill_paths(Case& planned, const Implementation& implementation) {
  std::vector<Parameter> places;
  std::vector<std::string> missing;
  const std::string names = implementation.tuned_text("paths");
  for (const std::string_view name : words(names)) {
    const Value* stated = find_parameter(planned.environment, name);
    if (stated == nullptr) missing.emplace_back(name);
    places.push_back(
        {std::string(name), stated == nullptr ? fmt::format("/not-stated/{}", name) : value_text(*stated)});
  }
  for (std::string& mount : planned.container.mounts) mount = filled(mount, places);
  for (std::string& word : planned.arguments) word = filled(word, places);
  if (!missing.empty())
    add_obstacle(
        planned,
        fmt::format(
            "the configuration does not state where {} {}: put {} into the environment of {}/{}-{} in "
            "[[site.programs]]",
            joined(missing, ", "), missing.size() == 1 ? "is" : "are", missing.size() == 1 ? "it" : "them",
            implementation.suite, implementation.id, implementation.benchmark));
}

void warn(const PlanRequest& request, const Parallelism& one, Case& planned) {
  const Implementation& implementation = *request.implementation;
  if (const std::string version = implementation.tuned_text("retired"); !version.empty())
    planned.warnings.push_back(
        fmt::format("MLPerf Training retired {} after {}: it is kept to compare with published "
                    "results; {} is a current benchmark",
                    implementation.benchmark, version, implementation.tuned_text("successor")));
  const std::string tuned_for = implementation.tuned_text("recipe_gpu");
  if (!tuned_for.empty() && !gpu_is(request.group->gpus.front(), tuned_for))
    planned.warnings.push_back(fmt::format(
        "the recipe is published for {}, and this is {}: it fits by precision and by the estimate of its "
        "memory, and is not tuned for it",
        implementation.tuned_text("recipe_gpu_title"), request.group->gpus.front().model));
  for (std::string& warning :
       unwise(one, static_cast<std::int64_t>(request.group->gpus.size()), implementation))
    planned.warnings.push_back(std::move(warning));
  if (const auto held = check_memory(one, request); !held)
    planned.warnings.push_back(held.error().what + "; it is planned since it is pinned");
  if (request.time_s > 0)
    planned.warnings.emplace_back(
        "a training runs until it reaches its target: the wished run time is not kept");
}

/// The variables of the training's scale, unless the site states others.
void take_scale(Case& planned, const Scale& scale) {
  for (const Parameter& variable : scale.environment)
    if (find_parameter(planned.environment, variable.name) == nullptr)
      planned.environment.push_back(variable);
  const Value* rate = find_parameter(planned.environment, "LR");
  for (const Reason& reason : scale.why)
    if (const Value* set = find_parameter(planned.environment, reason.what);
        set == nullptr || *set == reason.value)
      planned.why.push_back(reason);
  for (const Parameter& variable : scale.environment)
    if (variable.name == "LR" && rate != nullptr && *rate == variable.value)
      planned.warnings.insert(planned.warnings.end(), scale.warnings.begin(), scale.warnings.end());
}

/// The file system's caches are dropped on each node before the run, and the log says so, as run.sub does:
/// where the image's own program does not log it, each node prints MLPerf's event.
///
/// Source: NVIDIA's submissions, run.sub: DROPCACHE_CMD, CACHE_CLEAR; the event's form: mlcommons/logging.
void clear_caches(Case& planned, const Implementation& implementation) {
  const Value* command = find_parameter(planned.environment, "DROPCACHE_CMD");
  if (command == nullptr || trimmed(value_text(*command)).empty()) return;
  std::string script =
      fmt::format("drop={}; echo \"Clearing cache on $(hostname)\"; if sync && sh -c \"$drop\"; then ",
                  shell_quoted(value_text(*command)));
  script += implementation.tuned("logs_cache_clear", 0) > 0
                ? ":; "
                : R"(printf ':::MLLOG {"namespace": "", "time_ms": %s, "event_type": "POINT_IN_TIME", )"
                  R"("key": "cache_clear", "value": true, "metadata": {"file": "job.sh", "lineno": 1}}\n' )"
                  "\"$(date +%s%3N)\"; ";
  script +=
      "else echo \"$(hostname): '$drop' failed, and MLPerf wants cold caches: let sudo run it without a "
      "password, "
      "or state another DROPCACHE_CMD in the site's environment\" >&2; exit 1; fi";
  planned.node_preparation.push_back({"sh", "-c", std::move(script)});
}

/// Folders of the run that the image finds under its own names: what it writes into them must not be there
/// from another run.
void make_folders(Case& planned, const Implementation& implementation) {
  std::vector<std::string> line = {"mkdir", "-p"};
  const std::string folders = implementation.tuned_text("folders");
  for (const std::string_view folder : words(folders)) line.push_back(fmt::format("{{run}}/{}", folder));
  if (line.size() > 2) planned.preparation.push_back(std::move(line));
}

/// Twice the longest predicted run, in full minutes; where no model applies a day, which is the limit of many
/// partitions, with the container's start.
int limit_minutes(const Outcome& result, const Implementation& implementation) {
  if (result.predicted.empty())
    return 24 * 60 - static_cast<int>(std::ceil(implementation.tuned("container_start_s", 0) / 60));
  return static_cast<int>(std::ceil(2 * result.predicted.back().high / 60));
}

void explain_limit(Case& planned, int minutes) {
  planned.time_limit_s = 60.0 * minutes;
  const Prediction* wall = find_prediction(planned, "wall_time_s");
  planned.why.push_back({"time_limit_s", static_cast<std::int64_t>(planned.time_limit_s),
                         wall == nullptr
                             ? "no model predicts the time: a day with the container's start"
                             : fmt::format("2 x {} (the longest predicted run)", duration_text(wall->high)),
                         "time limit, twice the pessimistic prediction: a run this long is stuck"});
}

Result<Case> planned_mlperf(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  if (implementation.id == "reference") return reference_case(request);
  const auto layout =
      rank_layout(implementation.rank_per, *request.group, static_cast<int>(request.hosts.size()));
  if (!layout) return failure_of(layout);
  auto planned = planned_case(request, *layout);
  if (!planned) return planned;
  if (auto ok = check_precision(request); !ok) return failure_of(ok);
  const auto fitted = fitted_recipe(request, layout->ranks_per_node);
  if (!fitted) return failure_of(fitted);
  const Parallelism& one = fitted->parallelism;
  planned->why.insert(planned->why.end(), fitted->why.begin(), fitted->why.end());
  const auto runs = std::llround(implementation.tuned("runs", 1));
  planned->why.push_back({"runs", std::int64_t{runs},
                          "of an official score, which drops the fastest and the slowest",
                          implementation.tuned_text("runs_source")});
  planned->parameters = {{"benchmark", implementation.benchmark},
                         {"DP", one.DP},
                         {"TP", one.TP},
                         {"PP", one.PP},
                         {"CP", one.CP},
                         {"VP", one.VP},
                         {"GBS", one.GBS},
                         {"MBS", one.MBS},
                         {"gpus", one.gpus}};
  fill_paths(*planned, implementation);
  warn(request, one, *planned);
  const Scale scale = scale_of(implementation, *fitted);
  take_scale(*planned, scale);
  make_folders(*planned, implementation);
  clear_caches(*planned, implementation);
  Outcome result = outcome(request, *fitted);
  const int minutes = limit_minutes(result, implementation);
  planned->predicted = std::move(result.predicted);
  planned->model = std::move(result.model);
  explain_limit(*planned, minutes);
  planned->environment.push_back({first_host_variable, request.hosts.front()});
  planned->files = {{implementation.input_file, config(request, one, *planned, scale.environment, minutes)}};
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

constexpr std::array<std::string_view, 7> pins = {"DP", "TP", "PP", "CP", "VP", "GBS", "MBS"};

}  // namespace

const Suite mlperf = {
    .id = "mlperf",
    .plan = planned_mlperf,
    .pins = pins,
};

}  // namespace shakedown::suite
