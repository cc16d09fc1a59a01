#include "orchestrator/schedulers/template_file.hpp"

#include <catch2/catch.hpp>

#include "batch_job.hpp"
#include "orchestrator/core/text.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

constexpr const char* least = R"(title = "ours"
tested = "rendered"
[submit]
command = ["qsub", "{script}"]
id = '^([0-9]+)$'
[poll]
command = ["qstat", "{ids}"]
record = '^([0-9]+) ([A-Z])'
[cancel]
command = ["qdel", "{id}"]
)";

/// `least` with `from` replaced by `to`, as a file; its path is cut from the error.
std::string error_of(const std::string& from, const std::string& to) {
  const TemporaryFolder folder;
  std::string text = least;
  const size_t at = text.find(from);
  REQUIRE(at != std::string::npos);
  text.replace(at, from.size(), to);
  const fs::path path = folder.path / "ours.toml";
  REQUIRE(write_file(path, text));
  const auto read = read_scheduler_template(path);
  if (read) return "";
  std::string said = read.error().where + ": " + read.error().what;
  return said.substr(path.parent_path().string().size() + 1);
}

}  // namespace

TEST_CASE("the least description of a batch system") {
  CHECK(error_of("ours", "ours").empty());
}

TEST_CASE("errors in a description of a batch system are reported with their line") {
  CHECK(error_of("{script}", "{scirpt}") ==
        "ours.toml:4: 'scirpt' is no placeholder (did you mean 'script'?)");
  CHECK(error_of("\"qsub\", ", "") == "ours.toml:4: 'command' begins with a placeholder");
  CHECK(
      error_of("^([0-9]+)$", "^([0-9]+$").starts_with("ours.toml:5: '^([0-9]+$' is no regular expression: "));
  CHECK(error_of("^([0-9]+)$", "^[0-9]+$") == "ours.toml:5: '^[0-9]+$' has 0 groups ( ), and 1 are needed");
  CHECK(error_of("([A-Z])", "[A-Z]") == "ours.toml:8: '^([0-9]+) [A-Z]' has 1 group ( ), and 2 are needed");
  CHECK(error_of("command = [\"qstat\", \"{ids}\"]\n", "") == "ours.toml:6: 'command' is missing");
  CHECK(error_of("[cancel]\ncommand = [\"qdel\", \"{id}\"]\n", "") == "ours.toml:1: 'command' is missing");
  CHECK(error_of("[cancel]", "[cancle]") == "ours.toml:9: unknown key 'cancle' (did you mean 'cancel'?)");
  CHECK(error_of("[cancel]", "[poll.ended]\nF = \"done\"\n[cancel]") ==
        "ours.toml:10: 'done' is no end of a job");
  CHECK(error_of("rendered", "drawn") == "ours.toml:2: 'drawn' is no degree of exercise");
}

TEST_CASE("a scheduler that does not exist is refused by name, with those that do") {
  const Layout layout{{}, {}, fs::path(BUILD_FOLDER) / "share/shakedown"};
  CHECK(scheduler_called("pbs", layout) == Result<std::string>("pbs"));
  CHECK(scheduler_called("local", layout) == Result<std::string>("local"));
  const auto wrong = scheduler_called("gridengin", layout);
  REQUIRE_FALSE(wrong);
  CHECK(wrong.error().what == "no scheduler 'gridengin' (did you mean 'gridengine'?)");
  CHECK(wrong.error().hint ==
        "schedulers: local, slurm, flux, gridengine, lsf, pbs, or the path of a file that describes one, "
        "x.toml");
  CHECK(scheduler_called("/nowhere/ours.toml", layout).error().where == "/nowhere/ours.toml");
}
