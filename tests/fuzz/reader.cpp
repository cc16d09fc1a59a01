// libFuzzer on one reader, named by the environment variable READER: whatever the bytes, it neither crashes
// nor hangs, an error states what and where, and what was read is written and read again as the same.
#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <string>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/plan.hpp"
#include "orchestrator/plan/regression.hpp"

using namespace shakedown;

namespace {

void demand(bool holds, std::string_view what) {
  if (holds) return;
  fmt::print(stderr, "{}\n", what);
  std::abort();
}

template <class T>
bool read(const Result<T>& result) {
  if (!result)
    // Several objections are lines that each begin with their place.
    demand((!result.error().where.empty() || result.error().what.find('\n') != std::string::npos) &&
               !result.error().what.empty(),
           "a refusal without a place or a word");
  return result.has_value();
}

void read_inventory_text(std::string_view text) {
  const auto inventory =
      text.starts_with('{') ? inventory_from_json(text, "input") : inventory_from_toml(text, "input");
  if (!read(inventory)) return;
  // The time is linear in the nodes, up to a million: beside other tests four passes over them outlast
  // libFuzzer's limit.
  constexpr int most_nodes = 20'000;
  if (inventory->nodes() > most_nodes) return;
  const std::string json = inventory_json(*inventory);
  const auto from_json = inventory_from_json(json, "json");
  demand(read(from_json) && inventory_json(*from_json) == json, json);
  const auto from_toml = inventory_from_toml(inventory_toml(*inventory), "toml");
  demand(read(from_toml) && inventory_json(*from_toml) == json, inventory_toml(*inventory));
}

void read_configuration_text(std::string_view text) {
  read(acceptance_from_toml(text, "input"));
  read(regression_from_toml(text, "input"));
}

void read_plan_text(std::string_view text) {
  read(plan_configuration_from_json(text, "input"));
  const auto plan = plan_from_json(text, "input");
  if (!read(plan)) return;
  const std::string json = plan_json(*plan);
  const auto again = plan_from_json(json, "written");
  demand(read(again) && plan_json(*again) == json, json);
}

void (*chosen())(std::string_view) {
  const char* name = std::getenv("READER");  // NOLINT(concurrency-mt-unsafe): libFuzzer runs one thread
  const std::string_view reader = name == nullptr ? "" : name;
  if (reader == "inventory") return read_inventory_text;
  if (reader == "configuration") return read_configuration_text;
  if (reader == "plan") return read_plan_text;
  fmt::print(stderr, "READER names no reader\n");
  std::exit(2);  // NOLINT(concurrency-mt-unsafe)
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
  static void (*const reader)(std::string_view) = chosen();
  reader({reinterpret_cast<const char*>(data), size});
  return 0;
}
