#include "orchestrator/launch/process.hpp"

#include <signal.h>

#include <catch2/catch.hpp>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/time.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

std::vector<std::string> shell(const std::string& line) {
  return {"sh", "-c", line};
}

}  // namespace

TEST_CASE("a command that does not answer in its time is killed with what it started") {
  const TemporaryFolder folder;
  const double begun_s = steady_s();
  const auto output = command_output(
      shell("(sleep 3; echo >'" + (folder.path / "later").string() + "') & echo begun; wait"), 0.2);
  CHECK(steady_s() - begun_s < 2.5);
  REQUIRE_FALSE(output);
  CHECK(output.error().what == "no answer within 0.2 s");
  CHECK(output.error().fault == Fault::environment);
  CHECK(command_output({"sleep", "3.2"}, 5));
  CHECK_FALSE(fs::exists(folder.path / "later"));
}

TEST_CASE("what a command left running in a session of its own holds nobody longer than its time") {
  const double begun_s = steady_s();
  CHECK_FALSE(command_output(shell("setsid sleep 5"), 0.2));
  CHECK(steady_s() - begun_s < 4);
}

TEST_CASE("a command in vain is killed within three seconds of an interrupt, and no other is asked then") {
  const Interrupts interrupts;
  const double begun_s = steady_s();
  const auto output = command_output(shell("kill -INT $PPID; sleep 60"), 60);
  CHECK(steady_s() - begun_s < 4);
  REQUIRE_FALSE(output);
  CHECK(Interrupts::count() == 1);
  CHECK(Interrupts::unanswered());
  const auto next = command_output({"true"}, 60);
  REQUIRE_FALSE(next);
  CHECK(next.error().what == "was not asked: interrupted, and the last command did not answer");
  // The next interrupt wants something of them again.
  static_cast<void>(::raise(SIGINT));
  CHECK_FALSE(Interrupts::unanswered());
  CHECK(command_output({"true"}, 60));
}

TEST_CASE("a command that answers soon after an interrupt has answered") {
  const Interrupts interrupts;
  const auto output = command_output(shell("kill -INT $PPID; sleep 0.3; echo 17"), 60);
  REQUIRE(output);
  CHECK(output->text == "17\n");
  CHECK_FALSE(Interrupts::unanswered());
}

TEST_CASE("commands that each answer late after an interrupt take four seconds in all") {
  const Interrupts interrupts;
  static_cast<void>(::raise(SIGINT));
  const double begun_s = steady_s();
  int answered = 0;
  while (answered < 20 && command_output({"sleep", "1.5"}, 60)) ++answered;
  CHECK(answered < 20);
  CHECK(steady_s() - begun_s < 6);
}
