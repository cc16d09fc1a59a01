#include "orchestrator/core/file.hpp"

#include <sys/stat.h>

#include <catch2/catch.hpp>

#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

/// The process' umask, for a test.
struct Umask {
  mode_t before;
  explicit Umask(mode_t mask) : before(::umask(mask)) {}
  ~Umask() { ::umask(before); }
  Umask(const Umask&) = delete;
  Umask& operator=(const Umask&) = delete;
};

unsigned mode_of(const fs::path& path) {
  struct stat info = {};
  REQUIRE(::stat(path.c_str(), &info) == 0);
  return info.st_mode & 07777U;
}

}  // namespace

TEST_CASE("folders of a workspace are closed to others whatever the umask is") {
  const TemporaryFolder temporary;
  for (const mode_t mask : {mode_t{0}, mode_t{022}, mode_t{027}}) {
    const Umask set(mask);
    const fs::path folder = temporary.path / std::to_string(mask);
    REQUIRE(make_private_folder(folder / "a/b"));
    for (const char* each : {"", "a", "a/b"}) CHECK(mode_of(folder / each) == 0750);
  }
  const Umask strict(077);
  REQUIRE(make_private_folder(temporary.path / "strict/a/"));
  CHECK(mode_of(temporary.path / "strict/a") == 0700);
}

TEST_CASE("what the operator chose for a workspace's folders stays") {
  const TemporaryFolder temporary;
  const Umask set(022);
  REQUIRE(make_private_folder(temporary.path / "w"));
  SECTION("a folder that was opened is not closed again") {
    fs::permissions(temporary.path / "w", fs::perms(0755));
    REQUIRE(make_private_folder(temporary.path / "w/a"));
    CHECK(mode_of(temporary.path / "w") == 0755);
    CHECK(mode_of(temporary.path / "w/a") == 0750);
  }
  SECTION("a group that may write may write in new folders, too") {
    fs::permissions(temporary.path / "w", fs::perms(0770));
    const Umask of_the_group(002);
    REQUIRE(make_private_folder(temporary.path / "w/a/b"));
    CHECK(mode_of(temporary.path / "w/a/b") == 0770);
  }
}

TEST_CASE("a folder that can't be made is reported by its whole path") {
  const TemporaryFolder temporary;
  REQUIRE(write_file(temporary.path / "file", "x"));
  const auto made = make_private_folder(temporary.path / "file/a/b");
  REQUIRE_FALSE(made);
  CHECK(made.error().where == (temporary.path / "file/a/b").string());
  CHECK(made.error().fault == Fault::environment);
}

TEST_CASE("a private file is its owner's alone, also where an open one was") {
  const TemporaryFolder temporary;
  const Umask set(0);
  const fs::path path = temporary.path / "secrets.env";
  REQUIRE(write_file(path, "old"));
  CHECK(mode_of(path) == 0666);
  REQUIRE(write_private_file(path, "new"));
  CHECK(mode_of(path) == 0600);
  CHECK(file_content(path).value() == "new");
  const auto refused = write_private_file(temporary.path / "none/x", "x");
  REQUIRE_FALSE(refused);
  CHECK(refused.error().what == "cannot create: No such file or directory");
}
