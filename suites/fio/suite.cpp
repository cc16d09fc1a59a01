#include "orchestrator/plan/suite.hpp"

#include <algorithm>
#include <array>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/node_program.hpp"
#include "orchestrator/plan/planned_case.hpp"

namespace shakedown::suite {

extern const Suite fio;

namespace {

constexpr std::array<std::string_view, 3> fio_pins = {"directory", "jobs", "size_mib"};

/// What a pin states, else the implementation's own number.
Result<std::int64_t> pinned_or_tuned(const PlanRequest& request, const char* name, double fallback) {
  const auto pinned = request.pinned(name);
  if (!pinned) return failure_of(pinned);
  return pinned->value_or(static_cast<std::int64_t>(request.implementation->tuned(name, fallback)));
}

/// The file system that holds a folder of a node, by the inventory; null: not known.
const Mount* mount_of(const NodeGroup& node, const std::string& folder) {
  const Mount* best = nullptr;
  for (const Mount& mount : node.mounts) {
    const bool holds = folder == mount.path || mount.path == "/" || folder.starts_with(mount.path + "/");
    if (holds && (best == nullptr || mount.path.size() > best->path.size())) best = &mount;
  }
  return best;
}

Result<void> has_space(const PlanRequest& request, const std::string& directory, double bytes) {
  const Mount* mount = mount_of(*request.group, directory);
  if (mount == nullptr || mount->free_bytes <= 0 || static_cast<double>(mount->free_bytes) >= bytes)
    return {};
  return fail("space",
              fmt::format("fio's files take {} in {}, and {} has {} free", bytes_text(bytes), directory,
                          mount->path, bytes_text(mount->free_bytes)),
              "pin a smaller size_mib (of each job), or another directory");
}

Result<Case> planned_fio(const PlanRequest& request) {
  const Implementation& implementation = *request.implementation;
  const auto jobs = pinned_or_tuned(request, "jobs", 1);
  if (!jobs) return failure_of(jobs);
  const auto size_mib = pinned_or_tuned(request, "size_mib", 1024);
  if (!size_mib) return failure_of(size_mib);
  auto planned = planned_node_program(request);
  if (!planned) return planned;
  const std::string stated = request.pinned_text("directory");
  const std::string directory = stated.empty() ? "{run}" : stated;
  if (!stated.empty() && !stated.starts_with('/'))
    return fail("pin directory", fmt::format("'{}' is no absolute path", stated),
                "a folder that is there on every node: /scratch");
  const double bytes = static_cast<double>(*jobs) * static_cast<double>(*size_mib) * kibi * kibi;
  if (auto ok = has_space(request, directory, bytes); !ok) return failure_of(ok);
  if (stated.empty())
    planned->warnings.emplace_back(
        "no folder is pinned: the file system of the run directory is measured. To measure a node's own "
        "disk, "
        "state directory = \"/scratch\" in [runs.pins]");
  const auto seconds = static_cast<std::int64_t>(
      std::max(1.0, request.time_s > 0 ? request.time_s : implementation.tuned("run_s", 60)));
  // A short look is not warmed up for longer than it takes.
  const auto ramp = std::min(seconds, static_cast<std::int64_t>(implementation.tuned("ramp_s", 10)));
  planned->parameters = {{"directory", directory},
                         {"jobs", *jobs},
                         {"size_mib", *size_mib},
                         {"ramp_s", ramp},
                         {"seconds", seconds}};
  planned->why.push_back({"size_mib", *size_mib,
                          fmt::format("{} job{} x {} MiB = {}: {}", *jobs, *jobs == 1 ? "" : "s", *size_mib,
                                      bytes_text(bytes), implementation.tuned_text("size_source")),
                          "files of a disk test"});
  // What is read is written first.
  const double lay_out_s = bytes / (implementation.tuned("lay_out_mib_s", 200) * kibi * kibi);
  const double run_s = static_cast<double>(seconds + ramp);
  add_time_limit(*planned,
                 {.wall = {"wall_time_s", run_s + lay_out_s / 4, run_s, run_s + lay_out_s},
                  .because = fmt::format(
                      "{} s of warm-up, {} s measured, and {} to write the files at {} MiB/s", ramp, seconds,
                      duration_text(lay_out_s), number(implementation.tuned("lay_out_mib_s", 200), 3))});
  planned->model.text = "no rate is predicted: the inventory does not give the disk's";
  planned->arguments.push_back("--directory=" + directory);
  // Nodes that share the folder do not share files.
  planned->arguments.push_back("--filename_format=" + request.hosts.front() + ".$jobname.$jobnum.$filenum");
  if (auto ok = fill_parameters(*planned); !ok) return failure_of(ok);
  return planned;
}

}  // namespace

const Suite fio = {
    .id = "fio",
    .plan = planned_fio,
    .pins = fio_pins,
    .only_by_name = true,
};

}  // namespace shakedown::suite
