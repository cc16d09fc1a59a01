#include "orchestrator/plan/implementation.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>

#include "orchestrator/core/parallel.hpp"
#include "orchestrator/core/secret.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/core/units.hpp"
#include "orchestrator/plan/placeholders.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// The file lies in its suite's folder under its own id, so that a listing of the folder is the list.
void check_place(TomlTable& table, const Implementation& read, const fs::path& path) {
  std::string folder = path.parent_path().filename().string();
  std::ranges::replace(folder, '_', '-');
  if (read.suite != folder)
    table.reject("suite", fmt::format("suite is '{}' but the folder is '{}'", read.suite, folder));
  const std::string stem = read.benchmark.empty() ? read.id : read.id + "-" + read.benchmark;
  if (stem != path.stem())
    table.reject(
        "id", fmt::format("{} is '{}' but the file is '{}'", read.benchmark.empty() ? "id" : "id-benchmark",
                          stem, path.filename().string()));
}

/// Variables without secrets: what an implementation states is copied into plans, jobs and reports.
std::vector<Parameter> open_variables(TomlTable table) {
  std::vector<Parameter> variables = free_parameters(table);
  for (const Parameter& variable : variables)
    if (const std::string text = value_text(variable.value); shown_value(variable.name, text) != text)
      table.reject(variable.name, fmt::format("'{}' looks like a secret", variable.name),
                   "plans and reports show an implementation's variables: state it in [site.environment] of "
                   "the configuration");
  return variables;
}

/// A recipe's values, and its [recipes.environment] as "environment/NAME".
std::vector<Parameter> recipe_from(TomlTable& table) {
  std::vector<Parameter> recipe;
  for (Parameter& variable : open_variables(table.table("environment")))
    recipe.push_back({"environment/" + variable.name, std::move(variable.value)});
  for (const std::string& key : table.keys())
    if (key != "environment")
      if (auto value = free_parameter(table, key)) recipe.push_back(*std::move(value));
  return recipe;
}

}  // namespace

double Implementation::tuned(std::string_view name, double fallback) const {
  const Value* value = find_parameter(tuning, name);
  const double number = value == nullptr ? fallback : value_number(*value);
  return std::isnan(number) ? fallback : number;
}

std::string Implementation::tuned_text(std::string_view name) const {
  const Value* value = find_parameter(tuning, name);
  return value == nullptr ? std::string() : value_text(*value);
}

Result<Implementation> read_implementation(const fs::path& path) {
  auto document = TomlTable::load(path);
  if (!document) return failure_of(document);
  TomlTable& table = *document;
  Implementation read;
  read.suite = table.required_text("suite");
  read.id = table.required_text("id");
  read.benchmark = table.text("benchmark", "");
  read.title = table.required_text("title");
  read.parser = table.text("parser", "");
  read.tested = table.required_text("tested");
  read.tested_note = table.text("tested_note", "");
  read.program = table.required_text("program");
  read.arguments = table.texts("arguments");
  read.one_node_arguments = table.texts("one_node_arguments");
  read.install_hint = table.text("install_hint", "");
  read.requires_gpu = table.text("requires_gpu", "");
  read.launcher = table.text("launcher", read.launcher);
  read.rank_per = table.text("rank_per", read.rank_per);
  read.each_node = table.boolean("each_node", false);
  read.input_file = table.text("input_file", "");
  read.result_file = table.text("result_file", "");
  read.memory_fraction = table.real("memory_fraction", read.memory_fraction);
  read.source = table.text("source", "");
  read.gpu_code = gpu_code_from_toml(table.table("gpu_code"));
  TomlTable container = table.table("container");
  read.container = container.text("image", "");
  read.mounts = container.texts("mounts");
  TomlTable affinity = table.table("affinity");
  read.affinity = {affinity.text("gpu", ""), affinity.text("nic", ""), affinity.text("cpu", ""),
                   affinity.text("memory", "")};
  read.fabric = table.texts("fabric");
  TomlTable nvshmem = table.table("nvshmem");
  read.with_nvshmem = open_variables(nvshmem.table("on"));
  read.without_nvshmem = open_variables(nvshmem.table("off"));
  read.environment = open_variables(table.table("environment"));
  read.tuning = free_parameters(table.table("tuning"));
  read.requirements = requirements_from_toml(table);
  for (TomlTable& recipe : table.tables("recipes")) read.recipes.push_back(recipe_from(recipe));

  must_be_one_of(table, "tested", read.tested,
                 std::array<std::string, 3>{"run-here", "run-at-site", "rendered"});
  must_be_one_of(table, "rank_per", read.rank_per,
                 std::array<std::string, 5>{"core", "numa", "socket", "node", "gpu"});
  if (!read.requires_gpu.empty())
    must_be_one_of(table, "requires_gpu", read.requires_gpu,
                   std::array<std::string, 3>{"nvidia", "amd", "intel"});
  for (const std::string& variables : read.fabric)
    must_be_one_of(table, "fabric", variables, std::array<std::string, 3>{"nccl", "ucx", "nvshmem"});
  if (read.memory_fraction <= 0 || read.memory_fraction > 1)
    table.reject("memory_fraction", "'memory_fraction' must be above 0 and at most 1");
  check_place(table, read, path);
  if (auto ok = table.finished(); !ok) return failure_of(ok);
  const fs::path results =
      path.parent_path() / ("results" + (read.benchmark.empty() ? "" : "-" + read.benchmark) + ".tsv");
  if (std::error_code code; read.rank_per == "gpu" && fs::exists(results, code)) {
    auto rows = read_published_results(results);
    if (!rows) return failure_of(rows);
    read.results = *std::move(rows);
  }
  return read;
}

Result<std::vector<Implementation>> read_implementations(const fs::path& folder) {
  std::vector<fs::path> paths;
  std::error_code code;
  for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end;
       entry.increment(code))
    if (entry->path().extension() == ".toml") paths.push_back(entry->path());
  if (code) return fail_environment(folder.string(), code.message(), "is the installation complete?");
  std::vector<Result<Implementation>> all(paths.size());
  for_each_index(paths.size(), usable_cpus(), [&](std::size_t i) { all[i] = read_implementation(paths[i]); });
  std::vector<Implementation> found;
  found.reserve(all.size());
  for (Result<Implementation>& read : all) {
    if (!read) return failure_of(read);
    found.push_back(*std::move(read));
  }
  std::ranges::sort(found, {},
                    [](const Implementation& one) { return std::tie(one.suite, one.id, one.benchmark); });
  return found;
}

}  // namespace shakedown
