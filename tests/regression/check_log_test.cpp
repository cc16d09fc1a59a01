#include "orchestrator/regression/check_log.hpp"

#include <catch2/catch.hpp>
#include <fstream>
#include <thread>

#include "orchestrator/core/file.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

TEST_CASE("the log of checks gives back what was put in") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path / "w"};
  CHECK(read_check_log(workspace)->checks.empty());
  const LoggedCheck each{"sys", "c1", 100, 1, {"hpl"}, {"cn1"}, {"hpl-1n/attempt-1"}};
  const LoggedChange change{"sys", "c1", "cn1", 100, {"kernel: 1 -> 2"}};
  REQUIRE(log_skip(workspace, {"sys", 50, "busy"}));
  REQUIRE(log_check(workspace, each));
  REQUIRE(log_skip(workspace, {"sys", 150, "busy \"again\""}));
  REQUIRE(log_skip(workspace, {"other", 160, "busy"}));
  REQUIRE(log_change(workspace, change));
  REQUIRE(log_failure(workspace, {"sys", 170, "no answer"}));
  REQUIRE(log_notification(workspace, {"sys", "c1", 180}));
  std::ofstream(workspace.folder / "regression.jsonl", std::ios::app) << "{\"event\":\"check\"}\ntorn {\n";
  const auto log = read_check_log(workspace);
  REQUIRE(log);
  CHECK(log->checks == std::vector<LoggedCheck>{each});
  CHECK(log->changes == std::vector<LoggedChange>{change});
  CHECK(log->skips.size() == 3);
  CHECK(log->failures == std::vector<LoggedFailure>{{"sys", 170, "no answer"}});
  CHECK(log->notifications == std::vector<LoggedNotification>{{"sys", "c1", 180}});
  CHECK(log->skipped("sys").all == 2);
  CHECK(log->skipped("sys").since_last_check == 1);
}

TEST_CASE("several that write at once leave whole lines") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path};
  {
    std::vector<std::jthread> writers;
    for (int i = 0; i < 8; ++i)
      writers.emplace_back([&] {
        for (int k = 0; k < 20; ++k)
          static_cast<void>(log_skip(workspace, {"sys", 1, std::string(500, 'x')}));
      });
  }
  CHECK(read_check_log(workspace)->skips.size() == 160);
}

TEST_CASE("a log that can't be written is a failure of the environment") {
  const auto logged = log_skip(Workspace{"/proc/nowhere"}, {"sys", 1, "x"});
  REQUIRE_FALSE(logged);
  CHECK(logged.error().fault == Fault::environment);
}

TEST_CASE("a line that a full disk cut does not take the next one with it") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path};
  REQUIRE(log_skip(workspace, {"a", 1, "busy"}));
  const auto file = folder.path / "regression.jsonl";
  REQUIRE(write_file(file, file_content(file).value() + R"({"event":"skipped","sys)"));
  REQUIRE(log_skip(workspace, {"a", 2, "busy"}));
  CHECK(read_check_log(workspace)->skips.size() == 2);
}

TEST_CASE("a check that was noted twice, for its verdict could not be kept, counts once") {
  CheckLog log;
  log.checks = {{"sys", "c1", 100, 1, {}, {}, {}}, {"sys", "c1", 100, 1, {}, {}, {}}};
  log.checks.push_back({"sys", "c2", 200, 1, {}, {}, {}});
  log.checks.push_back({"other", "c3", 300, 1, {}, {}, {}});
  CHECK(log.verdicts("sys") == 2);
}

TEST_CASE("skips in a row end with the verdict of a check, whenever that was begun, and are notified once") {
  const TemporaryFolder folder;
  const Workspace workspace{folder.path};
  const auto skipped = [&] { return read_check_log(workspace)->skipped("sys"); };
  CHECK_FALSE(read_check_log(workspace)->last_check_s("sys"));
  REQUIRE(log_skip(workspace, {"sys", 110, "another check is under way"}));
  REQUIRE(log_check(workspace, {"sys", "c1", 100, 0, {}, {}, {}}));  // that one: begun before the skip
  CHECK(skipped().since_last_check == 0);
  CHECK(skipped().since_s == 0);
  REQUIRE(log_skip(workspace, {"sys", 200, "busy"}));
  REQUIRE(log_skip(workspace, {"sys", 300, "busy"}));
  CHECK(skipped().since_last_check == 2);
  CHECK(skipped().since_s == 200);
  CHECK_FALSE(skipped().notified);
  REQUIRE(log_notification(workspace, {"other", "", 310}));
  REQUIRE(log_notification(workspace, {"sys", "c1", 310}));
  CHECK_FALSE(skipped().notified);
  REQUIRE(log_notification(workspace, {"sys", "", 320}));
  REQUIRE(log_skip(workspace, {"sys", 400, "busy"}));
  CHECK(skipped().notified);
  REQUIRE(log_check(workspace, {"sys", "c2", 500, 0, {}, {}, {}}));
  REQUIRE(log_skip(workspace, {"sys", 600, "busy"}));
  CHECK_FALSE(skipped().notified);
  CHECK(skipped().all == 5);
  CHECK(read_check_log(workspace)->last_check_s("sys") == 500);
}
