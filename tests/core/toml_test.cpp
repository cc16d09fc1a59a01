#include "orchestrator/core/toml.hpp"

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

Error read_gpu(std::string_view text) {
  auto table = TomlTable::parse(text, "inventory.toml");
  if (!table) return table.error();
  TomlTable gpu = table->table("gpu");
  gpu.required_integer("memory_bytes");
  gpu.text("model", "");
  const auto ok = table->finished();
  return ok ? Error{} : ok.error();
}

}  // namespace

TEST_CASE("an unknown key is refused with its line and the nearest known one") {
  CHECK(to_string(read_gpu("[gpu]\nmemory_bytes = 1\nmodle = 'H100'\n")) ==
        "inventory.toml:3: unknown key 'modle' in [gpu] (did you mean 'model'?)\n"
        "hint: known keys: memory_bytes, model");
}

TEST_CASE("a value of the wrong type is refused with its line") {
  CHECK(to_string(read_gpu("[gpu]\nmemory_bytes = '80 GB'\n")) ==
        "inventory.toml:2: 'memory_bytes' must be a whole number, not a string");
}

TEST_CASE("a missing key is refused with its table's line") {
  CHECK(to_string(read_gpu("\n\n[gpu]\nmodel = 'x'\n")) == "inventory.toml:3: 'memory_bytes' is missing");
}

TEST_CASE("all that a table lacks is in one sentence") {
  auto table = TomlTable::parse("\n[gpu]\n[nic]\n", "f");
  REQUIRE(table);
  TomlTable gpu = table->table("gpu");
  gpu.required_integer("bytes");
  gpu.required_text("model");
  table->table("nic").required_text("name");
  gpu.required_real("clock");
  CHECK(to_string(table->finished().error()) ==
        "f:2: 'bytes', 'model', 'clock' are missing\nf:3: 'name' is missing");
}

TEST_CASE("all objections to a file come at once, by line, each once") {
  const auto read = [](const std::string& text) {
    auto table = TomlTable::parse(text, "f").value();
    for (TomlTable& run : table.tables("runs")) {
      run.required_text("suite");
      if (run.integers("nodes").empty() && run.has("nodes")) run.reject("nodes", "'nodes' is empty");
      if (run.integer("stage", 0) > 9) run.reject("stage", "'stage' is above 9");
    }
    table.text("title", "");
    const auto done = table.finished();
    return done ? std::string() : to_string(done.error());
  };
  CHECK(read("[[runs]]\nsiute = 'hpl'\n[[runs]]\nstage = 1\n") ==
        "f:2: unknown key 'siute' in [runs] (did you mean 'suite'?); known keys: nodes, stage, suite\n"
        "f:3: 'suite' is missing");
  CHECK(read("title = 1\n[[runs]]\nsuite = 'hpl'\nnodes = 'all'\n[[runs]]\nsiute = 'hpl'\nstage = 12\n") ==
        "f:1: 'title' must be a string, not a whole number\n"
        "f:4: 'nodes' must be an array of numbers, not a string\n"
        "f:6: unknown key 'siute' in [runs] (did you mean 'suite'?); known keys: nodes, stage, suite\n"
        "f:7: 'stage' is above 9");
  auto table = TomlTable::parse("memory_gb = 1\n", "f").value();
  table.integer("memory_gib", 0);
  table.reject("memory_gb", "'memory_gb' may mean two units");
  CHECK(to_string(table.finished().error()) == "f:1: 'memory_gb' may mean two units");
  std::string many;
  for (int i = 0; i < 30; ++i) many += "[[runs]]\n";
  const std::string all = read(many);
  CHECK(all.ends_with("f:20: 'suite' is missing\nand 10 more"));
}

TEST_CASE("text that is no TOML is refused with the line") {
  CHECK(read_gpu("[gpu\n").where == "inventory.toml:1");
}

TEST_CASE("a quoted string is read back as it was") {
  const std::string text = "a \"b\" \\ \n \t \x01 ü";
  auto table = TomlTable::parse("x = " + toml_quoted(text), "t");
  REQUIRE(table);
  CHECK(table->required_text("x") == text);
}

TEST_CASE("a misspelled required key is named, not only missed") {
  CHECK(read_gpu("[gpu]\nmemory_byts = 1\n").what ==
        "unknown key 'memory_byts' in [gpu] (did you mean 'memory_bytes'?)");
}

TEST_CASE("a day is read bare or as a string, and one that no calendar has is refused") {
  const auto read = [](const std::string& text) {
    auto table = TomlTable::parse("day = " + text + "\n", "d.toml").value();
    const std::string day = table.required_date("day");
    const auto done = table.finished();
    return done ? day : done.error().what;
  };
  CHECK(read("2027-03-31") == "2027-03-31");
  CHECK(read("\"2028-02-29\"") == "2028-02-29");
  CHECK(read("\"2027-02-29\"") == "'day' must be a day, not a string");
  CHECK(read("\"31.3.2027\"") == "'day' must be a day, not a string");
  CHECK(read("20270331") == "'day' must be a day, not a whole number");
  CHECK(read("2027-03-31T10:00:00Z") == "'day' must be a day, not a date or time");
}
