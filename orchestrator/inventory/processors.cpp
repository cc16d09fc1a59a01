#include "orchestrator/inventory/processors.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <optional>

#include "orchestrator/core/toml.hpp"

namespace shakedown {

std::optional<std::string_view> inventory_file(std::string_view name);  // generated from the TOML files here

namespace {

/// A row's rate and where it is from.
void read_rate(Processor& row, TomlTable& table, TomlTable& sources) {
  const std::string source = table.required_text("source");
  if (table.has("source") && !sources.has(source))
    table.reject("source", fmt::format("no document '{}' under [sources]", source));
  row.source = sources.text(source, "");
  const std::string unknown = table.text("unknown", "");
  if (!unknown.empty()) return;
  row.fp64_flop_per_cycle = static_cast<int>(table.required_integer("fp64_flop_per_cycle"));
  row.at_least = static_cast<int>(table.integer("at_least", row.fp64_flop_per_cycle));
  if (row.at_least < 1 || row.at_least > row.fp64_flop_per_cycle)
    table.reject("at_least", "'at_least' must be above 0 and no more than 'fp64_flop_per_cycle'");
  row.one_unit = table.texts("one_unit");
  row.two_units = table.texts("two_units");
  row.units = table.required_text("units");
}

Processor model_row(TomlTable& table, TomlTable& sources) {
  Processor row;
  row.name = table.required_text("name");
  row.vendor = table.required_text("vendor");
  row.family = static_cast<int>(table.required_integer("family"));
  const auto models = table.integers("models");
  if (models.size() == 2 && models[0] <= models[1]) {
    row.first_model = static_cast<int>(models[0]);
    row.last_model = static_cast<int>(models[1]);
  } else {
    table.reject("models", "'models' must be the first and the last model");
  }
  read_rate(row, table, sources);
  return row;
}

Processor feature_row(TomlTable& table, TomlTable& sources) {
  Processor row;
  row.vendor = table.required_text("vendor");
  row.flags = table.texts("flags");
  row.datapath_bits = static_cast<int>(table.integer("datapath_bits", 0));
  if (row.flags.empty()) table.reject("flags", "'flags' is missing or empty");
  read_rate(row, table, sources);
  return row;
}

}  // namespace

Result<ProcessorCatalogue> processors_from_toml(std::string_view text, std::string_view name) {
  auto root = TomlTable::parse(text, name);
  if (!root) return failure_of(root);
  TomlTable sources = root->table("sources");
  for (const std::string& key : sources.keys()) sources.required_text(key);
  ProcessorCatalogue catalogue;
  for (TomlTable& table : root->tables("processors")) catalogue.models.push_back(model_row(table, sources));
  for (TomlTable& table : root->tables("features")) catalogue.features.push_back(feature_row(table, sources));
  if (auto ok = root->finished(); !ok) return failure_of(ok);
  return catalogue;
}

const ProcessorCatalogue& processors() {
  static const ProcessorCatalogue catalogue =
      processors_from_toml(inventory_file("processors.toml").value_or(""), "processors.toml").value();
  return catalogue;
}

const Processor* processor_of(const CpuModel& cpu) {
  const auto it = std::ranges::find_if(processors().models, [&](const Processor& row) {
    return row.vendor == cpu.vendor && row.family == cpu.family && row.first_model <= cpu.model &&
           cpu.model <= row.last_model;
  });
  return it == processors().models.end() ? nullptr : &*it;
}

}  // namespace shakedown
