#pragma once
#include <catch2/catch.hpp>

#include "orchestrator/campaign/collect.hpp"
#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

namespace shakedown {

/// An attempt's folder with given files, and what is collected from it.
struct CollectScene {
  TemporaryFolder temporary;
  Case planned;
  Inventory inventory;

  CollectScene() {
    planned.id = "hpl";
    planned.suite = "hpl";
    planned.implementation = "reference";
    planned.parser = "hpl";
    planned.argv = {"/usr/bin/mpirun"};
    planned.ranks = 2;
  }
  void file(const std::string& name, const std::string& content) {
    REQUIRE(make_folder(temporary.path / "hpl/attempt-1"));
    REQUIRE(write_file(temporary.path / "hpl/attempt-1" / name, content));
  }
  void started() { file("started.json", R"({"host":"n1","pid":1,"started_s":100.0,"load_before":0.5})"); }
  AttemptRecord collected() { return collected_attempt({temporary.path, &planned, 1}, inventory); }
};

inline std::string collect_fixture(const std::string& name) {
  return file_content(fs::path(TEST_FOLDER) / "fixtures/hpl" / name).value();
}

}  // namespace shakedown
