#include "orchestrator/planning/plan_options.hpp"

#include <nlohmann/json.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/json.hpp"

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
  const nlohmann::ordered_json document = {{"config", settled(options.config)},
                                           {"inventory", settled(options.inventory)},
                                           {"suites", options.suites},
                                           {"implementation", options.implementation},
                                           {"no_other_implementation", options.no_other_implementation},
                                           {"nodes", options.nodes},
                                           {"exclude", options.exclude},
                                           {"minutes", options.minutes}};
  return document.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

}  // namespace shakedown
