// Which scheduler a name means: one of ours, a template that is shipped, or a site's own file.
#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/launch/scheduler.hpp"
#include "orchestrator/schedulers/template_file.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

const SchedulerType* built_in(std::string_view name) {
  const auto kinds = schedulers();
  const auto it = std::ranges::find(kinds, name, &SchedulerType::id);
  return it == kinds.end() ? nullptr : *it;
}

/// The file that describes a scheduler; empty where no file of that name is shipped.
fs::path template_path(const std::string& name, const Layout& layout) {
  if (name.ends_with(".toml")) return fs::absolute(name).lexically_normal();
  if (name.find('/') != std::string::npos) return {};
  const fs::path path = layout.share / "schedulers" / (name + ".toml");
  std::error_code code;
  return fs::exists(path, code) ? path : fs::path();
}

Result<SchedulerTemplate> described(const std::string& name, const Layout& layout) {
  const fs::path path = template_path(name, layout);
  if (!path.empty()) return read_scheduler_template(path);
  std::vector<std::string> known;
  for (const SchedulerType* type : schedulers()) known.emplace_back(type->id);
  const auto shipped = shipped_scheduler_templates(layout);
  if (!shipped) return failure_of(shipped);
  for (const SchedulerTemplate& each : *shipped) known.push_back(each.id);
  return fail(
      "[site] scheduler", fmt::format("no scheduler '{}'{}", name, did_you_mean(name, known)),
      fmt::format("schedulers: {}, or the path of a file that describes one, x.toml", joined(known, ", ")));
}

}  // namespace

bool runs_here(std::string_view scheduler) {
  const SchedulerType* type = built_in(scheduler);
  return type != nullptr && type->runs_here;
}

Result<std::string> scheduler_called(const std::string& name, const Layout& layout) {
  if (built_in(name) != nullptr) return name;
  const auto description = described(name, layout);
  if (!description) return failure_of(description);
  return name.ends_with(".toml") ? description->path.string() : name;
}

Result<std::unique_ptr<Scheduler>> make_scheduler(const std::string& name,
                                                  const SchedulerSettings& settings) {
  if (const SchedulerType* type = built_in(name)) return type->make(settings);
  auto description = described(name, settings.layout);
  if (!description) return failure_of(description);
  return template_scheduler(*std::move(description), settings.site);
}

}  // namespace shakedown
