#include "suites/hpcg/local_domain.hpp"

#include <algorithm>
#include <cmath>

#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/planned_case.hpp"
#include "suites/hpcg/rating.hpp"

namespace shakedown::hpcg {
namespace {

constexpr double bytes_of_fine_row = 629;    // 27 x (4 + 8 + 8) + 4 pointers + 1 + x, b, xexact, r, Ap, z, p
constexpr double bytes_of_coarse_row = 601;  // 27 x (4 + 8 + 8) + 4 pointers + 1 + f2c, r, x, Axf
constexpr double bytes_of_halo_row = 16;     // two vectors reach into it
constexpr int coarse_levels = 3;

/// Rows of neighbours that rank 0 has a copy of: a layer on each axis with a neighbour.
double halo_rows(const Box& grid, const Box& local) {
  const Box with = {local.x + (grid.x > 1 ? 1 : 0), local.y + (grid.y > 1 ? 1 : 0),
                    local.z + (grid.z > 1 ? 1 : 0)};
  return static_cast<double>(with.cells() - local.cells());
}

double level_bytes(const Box& grid, const Box& local, double bytes_of_row) {
  return static_cast<double>(grid.cells()) *
         (bytes_of_row * static_cast<double>(local.cells()) + bytes_of_halo_row * halo_rows(grid, local));
}

constexpr std::int64_t step = 8;  // three coarser grids halve each side three times
constexpr std::int64_t least_side = 16;

std::int64_t multiple_below(double number) {
  return static_cast<std::int64_t>(number / step) * step;
}

/// The sample with nx for its longest side, the others in proportion.
Box scaled(const Box& sample, std::int64_t nx) {
  const double scale = static_cast<double>(nx) / static_cast<double>(sample.x);
  const auto side = [&](std::int64_t full) {
    return std::max(least_side, multiple_below(static_cast<double>(full) * scale));
  };
  return {nx, side(sample.y), side(sample.z)};
}

struct Derived {
  Box local;
  std::string because;
  std::string rule;
};

Result<Derived> gpu_domain(const PlanRequest& request, const Box& grid, const ProblemMemory& memory) {
  const Implementation& implementation = *request.implementation;
  const auto side = [&](std::string_view name, double fallback) {
    return static_cast<std::int64_t>(implementation.tuned(name, fallback));
  };
  if (const auto* run = published_run(request, static_cast<int>(grid.cells())); run != nullptr) {
    const auto published = [&](std::string_view name) {
      return static_cast<std::int64_t>(value_number(*find_parameter(*run, name)));
    };
    const Box local = {published("nx"), published("ny"), published("nz")};
    if (fits(grid, local, memory.budget))
      return Derived{local, fmt::format("published for {} GPUs of this kind", grid.cells()),
                     value_text(*find_parameter(*run, "source"))};
  }
  const Box sample = {side("nx", 256), side("ny", 256), side("nz", 256)};
  Box local = sample;
  std::string change;
  while (local.x > least_side && !fits(grid, local, memory.budget)) local = scaled(sample, local.x - step);
  if (local.x < sample.x)
    change = fmt::format("{} scaled down until HPCG's data fit {}", box_text(sample), memory.because);
  for (Box larger = scaled(sample, local.x + step);
       local.x >= sample.x && !is_official(grid, local, memory) && fits(grid, larger, memory.budget);
       larger = scaled(sample, local.x + step)) {
    local = larger;
    change = fmt::format("{} scaled up towards a quarter of the GPU memory (HPCG-03)", box_text(sample));
  }
  if (!fits(grid, local, memory.budget))
    return fail(
        "HPCG-03",
        fmt::format("{} of each rank do not hold HPCG's smallest domain {}", memory.because, box_text(local)),
        "nodes with more memory");
  Derived derived;
  derived.local = local;
  derived.because = change.empty() ? fmt::format("the vendor's sample {}", box_text(sample)) : change;
  derived.rule = implementation.tuned_text("domain_source");
  return derived;
}

/// The n-th near-cube of multiples of 8: 16^3, 24 x 16 x 16, 24 x 24 x 16, 24^3, ...
Box near_cube(std::int64_t n) {
  const std::int64_t base = least_side + step * (n / 3);
  return {base + (n % 3 >= 1 ? step : 0), base + (n % 3 >= 2 ? step : 0), base};
}

/// The last-level caches of all nodes, in bytes; 0: not known.
double caches_of(const PlanRequest& request) {
  return static_cast<double>(last_level_cache_bytes(*request.group)) *
         static_cast<double>(request.hosts.size());
}

/// Whether the caches hold so little of HPCG's data that its rate is the memory's (HPCG-10b).
bool outgrows_caches(const PlanRequest& request, const Box& grid, const Box& local) {
  return memory_use(grid, local).total >= least_times_caches * caches_of(request);
}

/// Whether a domain is set up in its share of the wished time; where nothing is wished or the build has no
/// such share, any is.
bool set_up_in_share(const PlanRequest& request, const Box& local) {
  const Implementation& implementation = *request.implementation;
  const double share = implementation.tuned("setup_share", 0);
  if (request.time_s <= 0 || share <= 0) return true;
  return setup_time_s(implementation, static_cast<double>(local.cells())) <= share * request.time_s;
}

/// Whether the wished time holds setting up a domain and the shortest timed part.
bool set_up_in_time(const PlanRequest& request, const Box& local) {
  return set_up_in_share(request, local) ||
         setup_time_s(*request.implementation, static_cast<double>(local.cells())) + least_timed_s <=
             request.time_s;
}

/// That the caches hold a part of the problem.
std::string held_by_caches(const PlanRequest& request, const Box& grid, const Box& local) {
  return fmt::format(
      "HPCG's data are {:.3g} times the last-level caches; the rate is the memory's from {} times on "
      "(HPCG-10b)",
      memory_use(grid, local).total / caches_of(request), least_times_caches);
}

/// What limits a near-cube, where the next larger one would be `next`.
std::string limit_of(const PlanRequest& request, const Box& grid, const Box& local, const Box& next,
                     const ProblemMemory& memory) {
  const std::string share =
      fmt::format("{} of the wished {}", percent_text(request.implementation->tuned("setup_share", 0)),
                  duration_text(request.time_s));
  if (!fits(grid, next, memory.budget))
    return fmt::format(
        "the largest near-cube of multiples of 8 whose data fit {}, with fewer than 2^31 nonzeros",
        memory.because);
  if (set_up_in_share(request, local))
    return fmt::format("the largest near-cube of multiples of 8 that is set up within {}", share);
  if (local == near_cube(0))
    return fmt::format("HPCG's smallest domain; even that takes more than {} to set up", share);
  if (outgrows_caches(request, grid, local))
    return fmt::format(
        "the smallest near-cube of multiples of 8 whose data are {} times the last-level caches (HPCG-10b); "
        "it takes more than {} to set up",
        least_times_caches, share);
  return fmt::format(
      "the largest near-cube of multiples of 8 that the wished {} hold, with {} s of a timed part",
      duration_text(request.time_s), least_timed_s);
}

Result<Derived> cpu_domain(const PlanRequest& request, const Box& grid, const ProblemMemory& memory) {
  if (!fits(grid, near_cube(0), memory.budget))
    return fail("HPCG-03",
                fmt::format("{} do not hold HPCG's smallest domain {} of each of {} ranks", memory.because,
                            box_text(near_cube(0)), grid.cells()),
                "fewer ranks, or nodes with more memory");
  std::int64_t n = 0;  // at most 320 steps: 27 x 432^3 is beyond 2^31
  const auto grows = [&](const Box& from, const Box& to) {
    if (!fits(grid, to, memory.budget)) return false;
    return outgrows_caches(request, grid, from)
               ? !is_official(grid, from, memory) && set_up_in_share(request, to)
               : set_up_in_time(request, to);
  };
  while (grows(near_cube(n), near_cube(n + 1))) ++n;
  Derived derived{near_cube(n), {}, "HPCG-03: HPCG FAQ, at least a quarter of the main memory"};
  const bool outgrows = outgrows_caches(request, grid, derived.local);
  derived.because =
      outgrows && is_official(grid, derived.local, memory)
          ? "the smallest near-cube of multiples of 8 whose data take a quarter of the main memory"
          : limit_of(request, grid, derived.local, near_cube(n + 1), memory);
  if (!outgrows) derived.because += "; " + held_by_caches(request, grid, derived.local);
  return derived;
}

Result<std::int64_t> side_of(const PlanRequest& request, std::string_view name, std::int64_t derived) {
  const auto pinned = request.pinned(name);
  if (!pinned) return failure_of(pinned);
  const std::int64_t side = pinned->value_or(derived);
  if (side == derived) return derived;
  if (side % step == 0 && side >= least_side && side <= most_rows / least_side / least_side) return side;
  const std::int64_t near = std::clamp((side + step / 2) / step * step, least_side,
                                       most_rows / least_side / least_side / step * step);
  return fail("HPCG-04",
              fmt::format("the pinned {} = {} is {}", name, side,
                          side % step != 0    ? "no multiple of 8: HPCG halves it three times"
                          : side < least_side ? "below 16: HPCG would raise it silently"
                                              : "more than 2^31 nonzeros allow"),
              fmt::format("{} = {}", name, near));
}

Result<void> check_pinned(const Box& grid, const Box& local, const Box& derived,
                          const ProblemMemory& memory) {
  const std::string remedy = fmt::format("{} is the rule's own", box_text(derived));
  if (aspect(local) < least_aspect)
    return fail(
        "HPCG-04",
        fmt::format("the local domain {} is too flat: its shortest side is {:.3f} of its longest, and HPCG "
                    "aborts below {}",
                    box_text(local), aspect(local), least_aspect),
        remedy);
  const double bytes = memory_use(grid, local).total;
  if (bytes > memory.usable)
    return fail("HPCG-03",
                fmt::format("the pinned domain {} needs {} for HPCG's data, and the nodes have {}",
                            box_text(local), bytes_text(bytes), bytes_text(memory.usable)),
                remedy);
  return {};
}

void warn(LocalDomain& planned, const Box& grid, const ProblemMemory& memory, const PlanRequest& request) {
  const double bytes = memory_use(grid, planned.local).total;
  if (!is_official(grid, planned.local, memory))
    planned.warnings.push_back(fmt::format(
        "HPCG's data fill {} of the {} before OptimizeProblem, less than the quarter of an official run "
        "(HPCG-03){}",
        percent_text(bytes / memory.main), memory.name,
        2 * planned.local.cells() > most_rows ? ": a domain of more rows would pass 2^31 nonzeros" : ""));
  if (request.implementation->rank_per != "gpu" && !outgrows_caches(request, grid, planned.local))
    planned.warnings.push_back(held_by_caches(request, grid, planned.local));
  if (planned.local.cells() >= most_rows)
    planned.warnings.push_back(
        fmt::format("the local domain {} has {} nonzeros: HPCG counts them with 32 bits unless it is built "
                    "otherwise (HPCG-08)",
                    box_text(planned.local), 27 * planned.local.cells()));
  if (bytes > memory.budget)
    planned.warnings.push_back(fmt::format("HPCG's data fill {} of the usable memory, more than {}",
                                           percent_text(bytes / memory.usable), memory.because));
  const auto nodes = static_cast<double>(request.hosts.size());
  const double host = static_cast<double>(request.group->memory_bytes) * nodes;
  std::string because = fmt::format("by HPCG's own model; the quarter of HPCG-03 counts the {}: {} of {}",
                                    memory.name, percent_text(bytes / memory.main), bytes_text(memory.main));
  if (request.implementation->rank_per == "gpu" && host > 0)
    because += fmt::format("; neither the host memory ({} of {}) nor both together ({} of {})",
                           percent_text(bytes / host), bytes_text(host),
                           percent_text(bytes / (host + memory.main)), bytes_text(host + memory.main));
  planned.why.push_back({"memory", bytes_text(bytes), because, "HPCG 3.1, ReportResults.cpp; HPCG-03"});
}

}  // namespace

MemoryUse memory_use(const Box& grid, const Box& local) {
  MemoryUse use;
  use.linear_system = use.total = level_bytes(grid, local, bytes_of_fine_row);
  Box level = local;
  for (int i = 0; i < coarse_levels; ++i) {
    level = {level.x / 2, level.y / 2, level.z / 2};
    use.total += level_bytes(grid, level, bytes_of_coarse_row);
  }
  return use;
}

namespace {

constexpr double official_share = 0.25;

}  // namespace

ProblemMemory problem_memory(const PlanRequest& request, const RankLayout& layout) {
  const double fraction = request.implementation->memory_fraction;
  ProblemMemory memory;
  UsableMemory each;
  double units = layout.nodes;
  if (request.implementation->rank_per == "gpu") {
    each = usable_gpu_memory(*request.group);
    units = layout.ranks();
    memory.name = "GPU memory";
    memory.main = static_cast<double>(each.bytes) * units;
  } else {
    each = usable_host_memory(*request.group);
    memory.name = "main memory";
    memory.main = static_cast<double>(std::max(request.group->memory_bytes, each.bytes)) * units;
  }
  memory.usable = static_cast<double>(each.bytes) * units;
  memory.budget = fraction * memory.usable;
  memory.because =
      fmt::format("{:.2f} x {} {}", fraction, bytes_text(static_cast<double>(each.bytes)), each.because);
  return memory;
}

bool fits(const Box& grid, const Box& local, double bytes) {
  return local.cells() < most_rows && memory_use(grid, local).total <= bytes;
}

bool is_official(const Box& grid, const Box& local, const ProblemMemory& memory) {
  return memory_use(grid, local).total >= official_share * memory.main;
}

const std::vector<Parameter>* published_run(const PlanRequest& request, int ranks) {
  if (request.group->gpus.empty()) return nullptr;
  for (const std::vector<Parameter>& run : request.implementation->recipes) {
    const Value* gpus = find_parameter(run, "gpus");
    const Value* model = find_parameter(run, "gpu");
    if (gpus != nullptr && model != nullptr && value_number(*gpus) == ranks &&
        gpu_is(request.group->gpus.front(), value_text(*model)))
      return &run;
  }
  return nullptr;
}

Result<LocalDomain> local_domain(const PlanRequest& request, const RankLayout& layout, const Box& grid) {
  const ProblemMemory memory = problem_memory(request, layout);
  if (memory.usable <= 0)
    return fail("HPCG-03", fmt::format("no memory is known of the nodes '{}'", request.group->name),
                "state memory_bytes in the inventory");
  const bool gpus = request.implementation->rank_per == "gpu";
  const auto derived = gpus ? gpu_domain(request, grid, memory) : cpu_domain(request, grid, memory);
  if (!derived) return failure_of(derived);
  const auto nx = side_of(request, "nx", derived->local.x);
  if (!nx) return failure_of(nx);
  const auto ny = side_of(request, "ny", derived->local.y);
  if (!ny) return failure_of(ny);
  const auto nz = side_of(request, "nz", derived->local.z);
  if (!nz) return failure_of(nz);
  LocalDomain planned;
  planned.local = {*nx, *ny, *nz};
  if (auto ok = check_pinned(grid, planned.local, derived->local, memory); !ok) return failure_of(ok);
  const auto explain = [&](const char* name, std::int64_t side) {
    const bool pinned = find_parameter(request.pins, name) != nullptr;
    planned.why.push_back(
        {name, side, pinned ? fmt::format("the rule gives {}", box_text(derived->local)) : derived->because,
         pinned ? std::string("pinned in the configuration") : derived->rule});
  };
  explain("nx", *nx);
  explain("ny", *ny);
  explain("nz", *nz);
  warn(planned, grid, memory, request);
  return planned;
}

}  // namespace shakedown::hpcg
