// The tables of keys against the readers: what an unknown key's error lists as known is what the table has,
// and a value of another type is refused as the table states.
#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <fstream>
#include <functional>
#include <map>
#include <set>

#include "orchestrator/cli/text/accelerators_page.hpp"
#include "orchestrator/cli/text/completion_values.hpp"
#include "orchestrator/cli/text/reference_pages.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/acceptance.hpp"
#include "orchestrator/plan/regression.hpp"
#include "orchestrator/schedulers/template_file.hpp"
#include "reports/judge/criteria.hpp"
#include "tests/temporary_folder.hpp"

namespace shakedown::file_keys_test {
namespace {

using Reader = std::function<std::string(const std::string&)>;  ///< the error's text; empty: it was read

template <class T>
std::string text_of(const Result<T>& result) {
  return result ? std::string() : to_string(result.error());
}

/// A kind of file: how it is read, and documents that together have all its tables, none twice.
struct Kind {
  std::string id;
  Reader read;
  std::vector<std::string> documents;
};

const std::string acceptance = R"(
title = "T"
[report]
[site]
launcher = "srun"
[site.fabric]
[site.io500]
[[site.io500.stripes]]
phase = "ior-easy"
[[site.programs]]
implementation = "hpl/nvidia"
[[runs]]
suite = "hpl"
[[calibration]]
system = "s"
suite = "hpl"
implementation = "nvidia"
metric = "m"
factor = 1.0
low = 1.0
high = 1.0
points = 2
)";

const std::string regression = R"(
[budget]
minutes = 20
[coverage]
days = 3
[alarm]
effect = 0.02
[disturbance.steal]
limit = 1.0
reason = "r"
[disturbance.load]
limit = 1.0
reason = "r"
[floor]
relative_to = "accepted"
factor = 0.9
[[floor.limits]]
suite = "hpl"
metric = "m"
limit = 1.0
[notify]
url = "https://example.org"
secret_file = "x"
[[runs]]
suite = "hpl"
)";

const std::string criteria_head = R"(
title = "T"
[disturbance.steal]
limit = 1.0
reason = "r"
[disturbance.load]
limit = 1.0
reason = "r"
[disturbance.gemm_spread]
limit = 1.0
reason = "r"
)";

std::string criterion(const std::string& more) {
  return R"(
[[criteria]]
id = "a"
title = "T"
suite = "mlperf"
metric = "tokens_per_s_per_gpu"
severity = "mandatory"
direction = ">="
)" + more;
}

const std::string waiver = R"(
[[waivers]]
criterion = "a"
reason = "r"
approver = "a"
expires = 2027-03-31
nodes = "cn[1-2]"
limit = 5.5
)";

const std::vector<std::string> criteria = {
    criteria_head +
        criterion("aggregation = \"best_of\"\nlimit = 1.0\nlimit_source = \"s\"\n"
                  "[criteria.best_of]\nk = 1\nn = 2\n") +
        waiver,
    criteria_head +
        criterion("aggregation = \"every\"\nrelative_to = \"contract\"\nfactor = 1.0\neach_node = false\n"
                  "[criteria.contract]\nvalue = 1.0\nsource = \"s\"\n"),
    criteria_head +
        criterion(
            "aggregation = \"every\"\n[criteria.requirement]\nparameters = 1e9\ntokens = 1e9\ndays = 1\n"
            "gpus = 8\nmeasured_parameters = 1e9\n")};

const std::string inventory = R"(
system = "s"
[fabric]
rails = 1
[[storage]]
name = "x"
[[pods]]
name = "p"
hosts = "n1"
[[groups]]
hosts = "n1"
memory_bytes = 1000000000
[groups.cpu]
cores = 1
[[groups.cpu.caches]]
size_bytes = 1
[groups.usable]
cores = 1
[[groups.gpus]]
model = "NVIDIA H100"
[groups.gpus.peak]
source = "s"
[[groups.nics]]
name = "eth0"
[[groups.disks]]
name = "nvme0n1"
size_bytes = 1000
[[groups.mounts]]
path = "/"
[groups.software]
os = "o"
)";

const std::string scheduler = R"(
title = "T"
tested = "run-here"
[submit]
command = ["s"]
id = '(a)'
[find]
command = ["s"]
id = '(a)'
[poll]
command = ["s"]
record = '(a)(b)'
[after]
command = ["s"]
[[after.ends]]
match = 'a'
end = "failed"
[cancel]
command = ["s"]
[nodes]
command = ["s"]
record = '(a)(b)'
out = 'b'
)";

std::vector<Kind> kinds() {
  return {{"acceptance",
           [](const std::string& text) { return text_of(acceptance_from_toml(text, "f")); },
           {acceptance}},
          {"regression",
           [](const std::string& text) { return text_of(regression_from_toml(text, "f")); },
           {regression}},
          {"criteria", [](const std::string& text) { return text_of(read_criteria(text, "f")); }, criteria},
          {"inventory",
           [](const std::string& text) { return text_of(inventory_from_toml(text, "f")); },
           {inventory}},
          {"scheduler",
           [](const std::string& text) {
             const TemporaryFolder folder;
             std::ofstream(folder.path / "f.toml") << text;
             return text_of(read_scheduler_template(folder.path / "f.toml"));
           },
           {scheduler}}};
}

/// The document with a line in a table, in place of the line that states the same key; nothing where it has
/// no such table.
std::optional<std::string> with_line(const std::string& document, std::string_view table,
                                     const std::string& key, const std::string& value) {
  std::string text = table.empty() ? fmt::format("{} = {}", key, value) : std::string();
  bool within = table.empty();
  bool found = within;
  for (const std::string_view line : split(document, '\n')) {
    if (line.starts_with('[')) within = line == table && !found;
    if (within && line.starts_with(key + " = ")) continue;
    text += "\n" + std::string(line);
    if (within && line.starts_with('[')) text += fmt::format("\n{} = {}", key, value);
    found = found || within;
  }
  if (!found) return std::nullopt;
  return text + "\n";
}

std::string bare(std::string_view header) {
  const auto first = header.find_first_not_of('[');
  return first == std::string_view::npos ? "" : std::string(header.substr(first, header.find(']') - first));
}

/// The keys that the readers list as known in a table, over all documents.
std::set<std::string> known_to_reader(const Kind& kind, std::string_view table) {
  std::set<std::string> known;
  for (const std::string& document : kind.documents) {
    const auto text = with_line(document, table, "zz_unknown", "1");
    if (!text) continue;
    const std::string error = kind.read(*text);
    INFO(kind.id << " " << table << ": " << error);
    REQUIRE(contains(error, "unknown key 'zz_unknown'"));
    const std::string_view list = std::string_view(error).substr(error.find("known keys: ") + 12);
    for (const std::string_view key : split(list, ',')) known.emplace(trimmed(key));
  }
  return known;
}

/// The readers' errors for a date where they expect another type.
const std::map<std::string_view, std::string_view>& refusals() {
  static const std::map<std::string_view, std::string_view> of = {{"text", "must be a string"},
                                                                  {"whole number", "must be a whole number"},
                                                                  {"number", "must be a number"},
                                                                  {"true or false", "must be true or false"},
                                                                  {"texts", "must be an array of strings"},
                                                                  {"numbers", "must be an array of numbers"}};
  return of;
}

TEST_CASE("the tables of keys have the keys that the readers know, and no other") {
  for (const FileKeys& file : file_keys()) {
    const auto all = kinds();
    const auto kind = std::ranges::find(all, file.id, &Kind::id);
    REQUIRE(kind != all.end());
    for (const std::string& document : kind->documents) REQUIRE(kind->read(document) == "");
    std::map<std::string_view, std::set<std::string>> tables;
    for (const FileKey& each : file.keys) tables[each.table].emplace(each.key);
    for (auto& [table, keys] : tables) {
      if (keys.contains("*")) continue;
      INFO(file.id << " " << table);
      std::set<std::string> known = known_to_reader(*kind, table);
      // Tables below this one are keys of it, too.
      const std::string path = table.empty() ? "" : bare(table) + ".";
      std::erase_if(known, [&](const std::string& key) {
        return !keys.contains(key) && std::ranges::any_of(tables, [&](const auto& other) {
          const std::string below = bare(other.first);
          return below == path + key || below.starts_with(path + key + ".");
        });
      });
      if (file.id == "inventory")  // sizes in GiB
        std::erase_if(known, [](const std::string& key) { return key.ends_with("_gib"); });
      if (table.empty() && file.id != "inventory" &&
          file.id != "scheduler")  // of the readers that share a file
        for (const char* shared : {"report", "site", "runs", "settings", "calibration", "criteria",
                                   "disturbance", "waivers", "system", "baseline"})
          if (!keys.contains(shared)) known.erase(shared);
      if (file.id == "criteria" && table == "[[criteria]]")  // what a campaign freezes
        for (const char* frozen : {"published", "last_accepted"}) CHECK(known.erase(frozen) == 1);
      CHECK(known == keys);
    }
  }
}

TEST_CASE("the tables of keys have the readers' types") {
  for (const FileKeys& file : file_keys()) {
    const auto all = kinds();
    const auto kind = std::ranges::find(all, file.id, &Kind::id);
    for (const FileKey& each : file.keys) {
      if (!refusals().contains(each.type)) continue;
      bool refused = false;
      std::string errors;
      for (const std::string& document : kind->documents) {
        const auto text = with_line(document, each.table, std::string(each.key), "1979-05-27");
        if (!text) continue;
        errors += kind->read(*text) + "\n";
        refused = refused || contains(errors, fmt::format("'{}' {}", each.key, refusals().at(each.type)));
      }
      INFO(file.id << " " << each.table << " " << each.key << ": " << errors);
      CHECK(refused);
    }
  }
}

TEST_CASE("docs/reference/rules.md is what the suites state") {
  std::ifstream file(std::string(PROJECT_FOLDER) + "/docs/reference/rules.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  INFO("write it again: shakedown list --rules >docs/reference/rules.md");
  CHECK(page == rules_page());
}

TEST_CASE("docs/reference/accelerators.md is what the catalogues state") {
  std::ifstream file(std::string(PROJECT_FOLDER) + "/docs/reference/accelerators.md");
  const std::string page((std::istreambuf_iterator<char>(file)), {});
  INFO("write it again: shakedown list --accelerators >docs/reference/accelerators.md");
  CHECK(page == accelerators_page());
}

TEST_CASE("docs/reference/configuration.md is what the tables of keys say") {
  std::ifstream file(std::string(PROJECT_FOLDER) + "/docs/reference/configuration.md");
  const std::string page((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  INFO("write it anew: shakedown list --keys all >docs/reference/configuration.md");
  CHECK(page == keys_page());
}

TEST_CASE("each key of the tables has an example that is TOML, and a meaning") {
  for (const FileKeys& file : file_keys())
    for (const FileKey& each : file.keys) {
      INFO(file.id << " " << each.table << " " << each.key);
      CHECK_FALSE(each.about.empty());
      CHECK_FALSE(each.about.ends_with('.'));
      const std::string line =
          each.key == "*" ? std::string(each.example) : fmt::format("{} = {}", each.key, each.example);
      CHECK(TomlTable::parse(line, "example").has_value());
    }
}

}  // namespace
}  // namespace shakedown::file_keys_test
