#include "orchestrator/campaign/starting_configuration.hpp"

#include <catch2/catch.hpp>
#include <fstream>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

const fs::path prefix = BUILD_FOLDER;

Inventory h100_nodes(const std::string& hosts) {
  Inventory inventory = read_inventory(prefix / "share/shakedown/systems/sakuraone.toml").value();
  inventory.system = "mine";
  inventory.groups.front().hosts = hosts;
  inventory.pods.clear();
  return inventory;
}

/// What ships, with `text` as its only configuration.
struct Shipped {
  TemporaryFolder temporary;
  explicit Shipped(const std::string& text) {
    for (const auto& entry : fs::directory_iterator(prefix / "share/shakedown"))
      if (entry.path().filename() != "templates")
        fs::create_symlink(entry.path(), temporary.path / entry.path().filename());
    fs::create_directory(temporary.path / "templates");
    std::ofstream(temporary.path / "templates/shipped.toml") << text;
  }
  [[nodiscard]] StartingConfiguration fitted_to(const Inventory& inventory, const std::string& system,
                                                bool screening = false) const {
    StartingOptions options;
    options.from = "shipped";
    options.system = system;
    options.screening = screening;
    auto made = starting_configuration(
        options, inventory, {prefix / "bin/shakedown", prefix / "libexec/shakedown", temporary.path});
    if (!made) throw std::runtime_error(to_string(made.error()));
    return *std::move(made);
  }
};

/// Runs of HPL on 97 and on all 200 nodes, and one of a suite on each node.
std::string two_scales(const std::string& suite_of_each_node) {
  return "title = 'two scales'\nsystem = 'another'\n[[runs]]\nsuite = '" + suite_of_each_node +
         "'\nimplementation = 'nvidia'\neach_node = true\n"
         "[[runs]]\nsuite = 'hpl'\nimplementation = 'nvidia'\nnodes = [97]\n"
         "[[runs]]\nsuite = 'hpl'\nimplementation = 'nvidia'\nnodes = [200]\n";
}

}  // namespace

TEST_CASE("a run with fewer nodes than were meant names that number") {
  const Shipped shipped(two_scales("hpcg"));
  const auto some = shipped.fitted_to(h100_nodes("cn[001-150]"), "mine.toml");
  CHECK(contains(some.text,
                 "\n# 96 nodes, not 97: the grid 8 x 97 is long and slow; better: 96 nodes: 24 x 32.\n"));
  CHECK(contains(some.text, "\n# all 150 nodes.\n"));
  const auto all = shipped.fitted_to(h100_nodes("cn[001-097]"), "mine.toml");
  CHECK(contains(all.text,
                 "\n# 96 nodes, not all 97: the grid 8 x 97 is long and slow; better: 96 nodes: 24 x 32.\n"));
}

TEST_CASE("the runs of each node cover the nodes that a run of the same suite leaves out, and no others") {
  const Inventory inventory = h100_nodes("cn[001-097]");
  const std::string covered = "24 x 32. The runs of each node cover the others.\n";
  const auto text = [&](const std::string& suite) {
    return Shipped(two_scales(suite)).fitted_to(inventory, "mine.toml").text;
  };
  CHECK_FALSE(contains(text("hpcg"), covered));
  CHECK(contains(text("hpl"), covered));
}

TEST_CASE("a screening says why it is one, and what writes an acceptance only where that is so") {
  const Shipped shipped(two_scales("hpcg"));
  Inventory inventory = h100_nodes("cn[1-4]");
  CHECK(shipped.fitted_to(inventory, "mine.toml").screening.empty());
  for (Gpu& gpu : inventory.groups.front().gpus) gpu.model = "X1 of nobody";
  CHECK(shipped.fitted_to(inventory, "").screening == "no other program is for the GPUs 'X1 of nobody'");
  inventory.groups.front().gpus.clear();
  const std::string asked = "as --screening asks";
  CHECK(shipped.fitted_to(inventory, "", true).screening == asked);
  CHECK(shipped.fitted_to(inventory, "mine.toml", true).screening == asked);
  CHECK(shipped.fitted_to(inventory, "").screening ==
        "--inventory FILE writes an acceptance by the official programs");
}
