#include "orchestrator/core/file_lock.hpp"

#include <catch2/catch.hpp>

#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>

#include "orchestrator/core/claim.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/core/time.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// A folder with the lock that the tests take.
struct Scene {
  TemporaryFolder temporary;
  fs::path lock = temporary.path / "lock";
  LockOptions options;
  std::vector<std::string> reported;

  Scene() {
    options.times = {0.05, 2, 0.5};
    options.report = [this](const std::string& sentence) { reported.push_back(sentence); };
  }

  /// A claim of another host, silent for so long.
  [[nodiscard]] fs::path claim_elsewhere(int number, double silent_s) const {
    const fs::path file = lock.string() + fmt::format(".{}", number);
    REQUIRE(write_file(file,
                       "held    \nprocess 77 on node2\nstart 5\nboot another\nspace 1/2\n"
                       "since 2026-11-22T10:00:00Z\n"));
    age(file, silent_s);
    return file;
  }
  static void age(const fs::path& file, double silent_s) {
    const auto then = static_cast<time_t>(now_s() - silent_s);
    const std::array<timespec, 2> times = {timespec{then, 0}, timespec{then, 0}};
    REQUIRE(::utimensat(AT_FDCWD, file.c_str(), times.data(), 0) == 0);
  }
};

}  // namespace

TEST_CASE("a lock that is held is refused with its holder, and free once it is given back") {
  const Scene scene;
  {
    const auto lock = FileLock::take(scene.lock);
    REQUIRE(lock);
    const auto holder = lock_holder(scene.lock);
    REQUIRE(holder);
    CHECK(holder.value().process == this_process());
    const auto second = FileLock::take(scene.lock);
    REQUIRE_FALSE(second);
    REQUIRE(second.error().holder);
    CHECK(second.error().holder.value().text() == fmt::format("process {} on {} since {}", ::getpid(),
                                                              host_name(), utc_text(holder.value().since_s)));
  }
  CHECK_FALSE(lock_holder(scene.lock));
  CHECK(FileLock::take(scene.lock));
}

TEST_CASE("the lock of a process of this host that was killed is free at once") {
  const Scene scene;
  std::array<int, 2> ready{};
  REQUIRE(::pipe(ready.data()) == 0);
  const pid_t child = ::fork();
  if (child == 0) {
    const auto lock = FileLock::take(scene.lock);
    const char said = lock ? 'y' : 'n';
    if (::write(ready[1], &said, 1) != 1) ::_exit(1);
    ::pause();
    ::_exit(0);
  }
  char said = 0;
  REQUIRE(::read(ready[0], &said, 1) == 1);
  REQUIRE(said == 'y');
  CHECK_FALSE(FileLock::take(scene.lock));
  ::kill(child, SIGKILL);
  REQUIRE(::waitpid(child, nullptr, 0) == child);
  ::close(ready[0]);
  ::close(ready[1]);
  CHECK_FALSE(lock_holder(scene.lock));
  const double before_s = steady_s();
  CHECK(FileLock::take(scene.lock));
  CHECK(steady_s() - before_s < 1);
}

TEST_CASE("a pid that another process has now is not the holder") {
  const Scene scene;
  ProcessIdentity old = this_process();
  old.start_ticks -= 1;
  CHECK(life_of(old) == Life::gone);
  CHECK(life_of(this_process()) == Life::runs);
  ProcessIdentity elsewhere = this_process();
  elsewhere.boot = "another";
  CHECK(life_of(elsewhere) == Life::unknown);
  ProcessIdentity contained = this_process();
  contained.pid_space = "1/2";
  CHECK(life_of(contained) == Life::unknown);
}

TEST_CASE("a process of a host that was renamed since is known by its boot") {
  ProcessIdentity renamed = this_process();
  renamed.host = "the-name-before";
  CHECK(life_of(renamed) == Life::runs);
  renamed.start_ticks -= 1;
  CHECK(life_of(renamed) == Life::gone);
}

TEST_CASE("a lock from before this host booted is free; that of another host of its name is not") {
  Scene scene;
  const auto claim_of_this_name = [&](double silent_s) {
    const fs::path file = scene.lock.string() + ".1";
    REQUIRE(write_file(file, fmt::format("held    \nprocess 77 on {}\nstart 5\nboot another\nspace 1/2\n"
                                         "since 2026-11-22T10:00:00Z\n",
                                         host_name())));
    Scene::age(file, silent_s);
  };
  scene.options.watches = false;
  scene.options.times.stale_s = 1e9;
  claim_of_this_name(uptime_s() - 10);
  CHECK(lock_holder(scene.lock, scene.options.times));
  claim_of_this_name(uptime_s() + 10);
  CHECK_FALSE(lock_holder(scene.lock, scene.options.times));
  CHECK(FileLock::take(scene.lock, scene.options));
}

TEST_CASE("a holder on another host that gives signs of life keeps the lock") {
  Scene scene;
  static_cast<void>(scene.claim_elsewhere(3, 1));
  const auto refused = FileLock::take(scene.lock, scene.options);
  REQUIRE_FALSE(refused);
  REQUIRE(refused.error().holder);
  CHECK(refused.error().holder.value().text() == "process 77 on node2 since 2026-11-22T10:00:00Z");
  CHECK(refused.error().holder.value().silent_s == Approx(1).margin(1.1));
  REQUIRE(lock_holder(scene.lock, scene.options.times));
  CHECK(scene.reported.empty());
}

TEST_CASE("a holder on another host that is silent loses the lock after it was watched, with a message") {
  Scene scene;
  static_cast<void>(scene.claim_elsewhere(3, 100));
  CHECK_FALSE(lock_holder(scene.lock, scene.options.times));
  const auto lock = FileLock::take(scene.lock, scene.options);
  REQUIRE(lock);
  REQUIRE(scene.reported.size() == 2);
  CHECK(scene.reported[0].starts_with("no heartbeat of process 77 on node2 since 2026-11-22T10:00:00Z for"));
  CHECK(scene.reported[1] == "taken over from process 77 on node2 since 2026-11-22T10:00:00Z: no heartbeat");
  CHECK(last_claim(scene.lock).value() == 4);
  CHECK_FALSE(fs::exists(scene.lock.string() + ".3"));
}

TEST_CASE("a clock that was set does not make a living holder look dead") {
  const double step_s = GENERATE(100.0, -100.0);  // its times lie in the past, or in the future
  Scene scene;
  const fs::path claim = scene.claim_elsewhere(1, step_s);
  const pid_t child = ::fork();
  if (child == 0) {
    for (int beat = 0; beat < 100; ++beat) {
      ::usleep(50'000);
      const auto then = static_cast<time_t>(now_s() - step_s);
      const std::array<timespec, 2> times = {timespec{then, beat}, timespec{then, beat}};
      ::utimensat(AT_FDCWD, claim.c_str(), times.data(), 0);
    }
    ::_exit(0);
  }
  const auto refused = FileLock::take(scene.lock, scene.options);
  ::kill(child, SIGKILL);
  ::waitpid(child, nullptr, 0);
  REQUIRE_FALSE(refused);
  CHECK(refused.error().holder);
}

TEST_CASE("who only looks something up does not wait for a silent holder") {
  Scene scene;
  static_cast<void>(scene.claim_elsewhere(1, 100));
  scene.options.watches = false;
  CHECK_FALSE(FileLock::take(scene.lock, scene.options));
}

TEST_CASE("force takes the lock of another host at once, and never that of a process that runs here") {
  Scene scene;
  scene.options.by_force = true;
  static_cast<void>(scene.claim_elsewhere(1, 0));
  const auto lock = FileLock::take(scene.lock, scene.options);
  REQUIRE(lock);
  CHECK(scene.reported ==
        std::vector<std::string>{"taken by force from process 77 on node2 since 2026-11-22T10:00:00Z"});
  CHECK_FALSE(FileLock::take(scene.lock, scene.options));
}

TEST_CASE("who was taken over learns it with the next sign of life, and for good") {
  Scene scene;
  auto lock = FileLock::take(scene.lock, scene.options);
  REQUIRE(lock);
  CHECK(lock->renew());
  const int mine = last_claim(scene.lock).value();
  static_cast<void>(scene.claim_elsewhere(mine + 1, 0));
  ::usleep(60'000);
  const auto renewed = lock->renew();
  REQUIRE_FALSE(renewed);
  CHECK(renewed.error().what ==
        "was taken over by process 77 on node2 since 2026-11-22T10:00:00Z while this process sent no "
        "heartbeat");
  CHECK_FALSE(lock->renew());
}

TEST_CASE("a sign of life is one") {
  Scene scene;
  auto lock = FileLock::take(scene.lock, scene.options);
  REQUIRE(lock);
  Scene::age(scene.lock.string() + ".1", 1000);
  ::usleep(60'000);
  REQUIRE(lock->renew());
  CHECK(lock_holder(scene.lock).value().silent_s < 10);
}

TEST_CASE("of many that take a lock at the same time one gets it") {
  const Scene scene;
  for (int round = 0; round < 20; ++round) {
    std::array<int, 2> won{};
    std::array<int, 2> go{};
    REQUIRE(::pipe(won.data()) == 0);
    REQUIRE(::pipe(go.data()) == 0);
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
      children.push_back(::fork());
      if (children.back() != 0) continue;
      char word = 0;
      ::close(go[1]);
      static_cast<void>(::read(go[0], &word, 1) + 1);  // until all are there
      const auto lock = FileLock::take(scene.lock);
      const char said = lock ? 'y' : 'n';
      if (::write(won[1], &said, 1) != 1) ::_exit(1);
      ::pause();
      ::_exit(0);
    }
    ::close(go[0]);
    ::close(go[1]);
    int winners = 0;
    for (std::size_t i = 0; i < children.size(); ++i) {
      char said = 0;
      REQUIRE(::read(won[0], &said, 1) == 1);
      winners += said == 'y' ? 1 : 0;
    }
    CHECK(winners == 1);
    for (const pid_t child : children) ::kill(child, SIGKILL);
    for (const pid_t child : children) ::waitpid(child, nullptr, 0);
    ::close(won[0]);
    ::close(won[1]);
  }
}

TEST_CASE("a claim that was given back keeps its number from being made twice") {
  const Scene scene;
  for (int number = 1; number <= 3; ++number) {
    REQUIRE(FileLock::take(scene.lock));
    CHECK(last_claim(scene.lock).value() == number);
  }
  int files = 0;
  for ([[maybe_unused]] const auto& entry : fs::directory_iterator(scene.temporary.path)) ++files;
  CHECK(files == 2);  // lock and lock.3
}

TEST_CASE("pipes, links and numbers that others planted as claims or as the lock hold nobody") {
  const Scene scene;
  const fs::path elsewhere = scene.claim_elsewhere(7, 0);
  fs::rename(elsewhere, scene.temporary.path / "elsewhere");
  SECTION("a pipe") {
    REQUIRE(::mkfifo((scene.lock.string() + ".1").c_str(), 0600) == 0);
  }
  SECTION("a link") {
    fs::create_symlink("elsewhere", scene.lock.string() + ".1");
  }
  SECTION("the last number there is") {
    fs::copy_file(scene.temporary.path / "elsewhere", scene.lock.string() + ".2147483647");
  }
  SECTION("a pipe for the lock") {
    REQUIRE(::mkfifo(scene.lock.c_str(), 0600) == 0);
  }
  ::alarm(20);  // rather than for ever
  CHECK_FALSE(lock_holder(scene.lock));
  CHECK(FileLock::take(scene.lock));
  ::alarm(0);
}

TEST_CASE("a pipe that was planted as the lock beside a claim holds nobody who asks") {
  const Scene scene;
  REQUIRE(scene.claim_elsewhere(1, 0) == scene.lock.string() + ".1");
  REQUIRE(::mkfifo(scene.lock.c_str(), 0600) == 0);
  ::alarm(20);
  CHECK(lock_holder(scene.lock));
  ::alarm(0);
}
