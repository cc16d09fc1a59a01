#include "suites/io500/site.hpp"

#include <algorithm>

#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"

namespace shakedown::io500 {
namespace {

std::int64_t not_negative(TomlTable& table, std::string_view key) {
  const std::int64_t value = table.integer(key, 0);
  if (value < 0) table.reject(key, fmt::format("'{}' is negative", key));
  return value;
}

int stripe_count(TomlTable& table, std::string_view key) {
  const std::int64_t count = table.integer(key, 0);
  if (count < -1 || count > 65'535) table.reject(key, fmt::format("'{}' is {}; -1 means all", key, count));
  return static_cast<int>(count);
}

SiteStripe stripe_from(TomlTable table) {
  SiteStripe stripe;
  stripe.phase = table.required_text("phase");
  static const std::vector<std::string> phases = {"ior-easy", "ior-hard", "mdtest-easy", "mdtest-hard"};
  if (!stripe.phase.empty() && std::ranges::find(phases, stripe.phase) == phases.end())
    table.reject("phase", fmt::format("'{}' is no phase{}", stripe.phase, did_you_mean(stripe.phase, phases)),
                 fmt::format("known: {}", joined(phases, ", ")));
  stripe.count = stripe_count(table, "count");
  stripe.size = table.text("size", "");
  stripe.pool = table.text("pool", "");
  stripe.layout = table.text("layout", "");
  stripe.directory_mdts = stripe_count(table, "directory_mdts");
  return stripe;
}

SiteIo500 io500_from(TomlTable table) {
  SiteIo500 io500;
  io500.datadir = table.text("datadir", "");
  io500.resultdir = table.text("resultdir", "");
  io500.allow_full = table.boolean("allow_full_io500", false);
  io500.free_bytes = not_negative(table, "free_bytes");
  io500.free_inodes = not_negative(table, "free_inodes");
  io500.directory_limit = not_negative(table, "directory_limit");
  for (TomlTable& stripe : table.tables("stripes")) io500.stripes.push_back(stripe_from(stripe));
  return io500;
}

/// A list that names its values: "stripes/0/phase".
std::string stripe_key(size_t index, std::string_view name) {
  return fmt::format("stripes/{}/{}", index, name);
}

std::string text_in(const SuiteSite& site, std::string_view name) {
  const Value* value = find_parameter(site.values, name);
  return value == nullptr ? "" : value_text(*value);
}

std::int64_t number_in(const SuiteSite& site, std::string_view name) {
  const Value* value = find_parameter(site.values, name);
  return value == nullptr ? 0 : std::get<std::int64_t>(*value);
}

}  // namespace

SuiteSite site_table(TomlTable table) {
  return stated(io500_from(std::move(table)));
}

SuiteSite stated(const SiteIo500& io500) {
  SuiteSite site;
  site.suite = "io500";
  site.full_run = io500.allow_full ? "allow_full_io500" : "";
  site.values = {{"datadir", io500.datadir},
                 {"resultdir", io500.resultdir},
                 {"free_bytes", io500.free_bytes},
                 {"free_inodes", io500.free_inodes},
                 {"directory_limit", io500.directory_limit}};
  for (size_t i = 0; i < io500.stripes.size(); ++i) {
    const SiteStripe& stripe = io500.stripes[i];
    site.values.insert(site.values.end(),
                       {{stripe_key(i, "phase"), stripe.phase},
                        {stripe_key(i, "count"), std::int64_t{stripe.count}},
                        {stripe_key(i, "size"), stripe.size},
                        {stripe_key(i, "pool"), stripe.pool},
                        {stripe_key(i, "layout"), stripe.layout},
                        {stripe_key(i, "directory_mdts"), std::int64_t{stripe.directory_mdts}}});
  }
  return site;
}

std::optional<SiteIo500> site_of(const Site* site) {
  const SuiteSite* table = site == nullptr ? nullptr : site->of_suite("io500");
  if (table == nullptr) return std::nullopt;
  SiteIo500 io500;
  io500.datadir = text_in(*table, "datadir");
  io500.resultdir = text_in(*table, "resultdir");
  io500.allow_full = !table->full_run.empty();
  io500.free_bytes = number_in(*table, "free_bytes");
  io500.free_inodes = number_in(*table, "free_inodes");
  io500.directory_limit = number_in(*table, "directory_limit");
  for (size_t i = 0; find_parameter(table->values, stripe_key(i, "phase")) != nullptr; ++i)
    io500.stripes.push_back(
        {.phase = text_in(*table, stripe_key(i, "phase")),
         .count = static_cast<int>(number_in(*table, stripe_key(i, "count"))),
         .size = text_in(*table, stripe_key(i, "size")),
         .pool = text_in(*table, stripe_key(i, "pool")),
         .layout = text_in(*table, stripe_key(i, "layout")),
         .directory_mdts = static_cast<int>(number_in(*table, stripe_key(i, "directory_mdts")))});
  return io500;
}

std::string starting_site(const Site& shipped, const Inventory& inventory, const std::string& folder) {
  std::string text = fmt::format(
      "[site.io500]\n"
      "datadir = {}   # EDIT: a folder of the file system to be measured\n"
      "resultdir = {}   # EDIT: a shared folder for its results\n"
      "allow_full_io500 = false   # EDIT: true where a full run may write tens of TB and over a hundred "
      "million files, as `plan` prints it; `run` refuses it till then\n",
      toml_quoted(folder + "/io500/datadir"), toml_quoted(folder + "/io500/results"));
  const bool sized =
      std::ranges::any_of(inventory.storage, [](const Storage& each) { return each.usable_bytes > 0; });
  if (!sized)
    text += "# free_bytes = ...   # EDIT: bytes that the test may use; the inventory does not say\n";
  text +=
      "# free_inodes = ...   # EDIT: files that the test may make\n"
      "# directory_limit = ...   # EDIT: files that one directory can hold\n";
  text += "\n";
  const bool lustre =
      std::ranges::any_of(inventory.storage, [](const Storage& each) { return each.type == "lustre"; });
  const std::optional<SiteIo500> example = site_of(&shipped);
  if (!lustre || !example) return text;
  for (const SiteStripe& stripe : example->stripes) {
    text += fmt::format("[[site.io500.stripes]]\nphase = {}\ncount = {}\n", toml_quoted(stripe.phase),
                        stripe.count);
    if (!stripe.size.empty()) text += fmt::format("size = {}\n", toml_quoted(stripe.size));
    if (stripe.directory_mdts != 0) text += fmt::format("directory_mdts = {}\n", stripe.directory_mdts);
    text += "\n";
  }
  return text;
}

}  // namespace shakedown::io500
