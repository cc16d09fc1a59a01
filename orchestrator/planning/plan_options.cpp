#include "orchestrator/planning/plan_options.hpp"

#include <nlohmann/json.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/inventory/named_inventory.hpp"

namespace shakedown {
namespace {

PlanOptions options_from_json(const nlohmann::json& document) {
  PlanOptions options;
  options.config = document.value("config", "");
  options.inventory = document.value("inventory", "");
  options.suites = document.value("suites", std::vector<std::string>());
  options.implementation = document.value("implementation", "");
  options.no_other_implementation = document.value("no_other_implementation", false);
  options.nodes = document.value("nodes", 0);
  options.exclude = document.value("exclude", "");
  options.minutes = document.value("minutes", 0.0);
  if (const auto measured = document.find("measured"); measured != document.end())
    for (const auto& [kind, rates] : measured->items())
      if (rates.is_object())  // an older shakedown's rates name no kind
        options.measured[kind] = {rates.value("gemm_gflops", 0.0), rates.value("triad_gb_s", 0.0),
                                  rates.value("gpu_gemm_gflops", 0.0), rates.value("gpu_triad_gb_s", 0.0),
                                  rates.value("source", "")};
  return options;
}

/// A file's whole path; else what it is called: a shipped name.
std::string settled(const std::string& file) {
  std::error_code code;
  return fs::is_regular_file(file, code) ? fs::absolute(file, code).lexically_normal().string() : file;
}

}  // namespace

Result<PlanOptions> plan_options_from_json(const std::string& text) {
  try {
    return options_from_json(json_or_thrown<nlohmann::json>(text));
  } catch (const nlohmann::json::exception& error) {
    return fail("", error.what());
  }
}

std::string plan_options_json(const PlanOptions& options) {
  nlohmann::ordered_json document = {{"config", settled(options.config)},
                                     {"inventory", settled(options.inventory)},
                                     {"suites", options.suites},
                                     {"implementation", options.implementation},
                                     {"no_other_implementation", options.no_other_implementation},
                                     {"nodes", options.nodes},
                                     {"exclude", options.exclude},
                                     {"minutes", options.minutes}};
  for (const auto& [kind, rates] : options.measured)
    document["measured"][kind] = {{"gemm_gflops", rates.gemm_gflops},
                                  {"triad_gb_s", rates.triad_gb_s},
                                  {"gpu_gemm_gflops", rates.gpu_gemm_gflops},
                                  {"gpu_triad_gb_s", rates.gpu_triad_gb_s},
                                  {"source", rates.source}};
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

fs::path configuration_file(const PlanOptions& options, const Layout& layout) {
  if (options.config.empty()) return {};
  const fs::path shipped = layout.share / "templates" / (options.config + ".toml");
  std::error_code code;
  return fs::exists(shipped, code) ? shipped : fs::path(options.config);
}

void find_system_beside(Acceptance& acceptance, const fs::path& file) {
  const fs::path beside = file.parent_path() / acceptance.system;
  std::error_code code;
  if (!acceptance.system.empty() && fs::is_regular_file(beside, code)) acceptance.system = beside.string();
}

Result<Acceptance> chosen_acceptance(const PlanOptions& options, const Layout& layout) {
  if (options.config.empty()) return Acceptance();
  const fs::path path = configuration_file(options, layout);
  const auto text = named_file_content(path);
  if (!text)
    return fail(options.config, text.error().what,
                "--config takes an acceptance.toml, or a shipped configuration's name");
  if (const auto table = TomlTable::parse(*text, path.string()); table && table->keys().empty())
    return fail(path.string(), "is empty", "`shakedown init --from acceptance-h100` writes a configuration");
  auto acceptance = acceptance_from_toml(*text, path.string());
  if (!acceptance) return acceptance;
  find_system_beside(*acceptance, path);
  return acceptance;
}

Result<Inventory> chosen_inventory(const PlanOptions& options, const Acceptance& acceptance,
                                   const Layout& layout) {
  const std::string& wanted = options.inventory.empty() ? acceptance.system : options.inventory;
  if (wanted.empty()) return discovered_inventory();
  return named_inventory(wanted, layout);
}

}  // namespace shakedown
