#include <sys/stat.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <fstream>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

std::string text_of(const fs::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a link planted at a temporary file's name is not followed") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "victim") << "mine";
  fs::create_symlink("victim", folder.path / ("f.tmp" + std::to_string(::getpid())));
  REQUIRE(write_file(folder.path / "f", "new"));
  CHECK(text_of(folder.path / "victim") == "mine");
  CHECK(text_of(folder.path / "f") == "new");
  CHECK(!fs::is_symlink(folder.path / "f"));
}

TEST_CASE("a folder planted at a temporary file's name keeps nobody from writing") {
  const TemporaryFolder folder;
  fs::create_directories(folder.path / ("f.tmp" + std::to_string(::getpid())) / "x");
  REQUIRE(write_file(folder.path / "f", "new"));
  CHECK(text_of(folder.path / "f") == "new");
}

TEST_CASE("a pipe that nobody writes to, or reads, holds nobody") {
  const TemporaryFolder folder;
  const fs::path pipe = folder.path / "pipe";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);
  CHECK(file_content(pipe).error().what == "is a pipe, not a regular file");
  CHECK(named_file_content(pipe).error().what == "is a pipe without a writer");
  CHECK(!write_file(pipe, "x"));
  CHECK(special_file(pipe) == "a pipe");
}

TEST_CASE("a file larger than its reader takes is refused unread") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "f") << "12345";
  CHECK(file_content_within(folder.path / "f", 5) == "12345");
  CHECK(file_content_within(folder.path / "f", 4).error().what ==
        "is larger than 4 B, the most that is read of such a file");
  fs::resize_file(folder.path / "f", std::uintmax_t{1} << 40);
  CHECK(!file_content(folder.path / "f"));
  CHECK(!named_file_content("/dev/zero"));
}

TEST_CASE("a folder's files are regular ones within it") {
  const TemporaryFolder folder;
  const fs::path logs = folder.path / "logs";
  fs::create_directories(logs / "sub");
  std::ofstream(folder.path / "outside") << "x";
  std::ofstream(logs / "sub" / "in") << "x";
  fs::create_symlink("sub/in", logs / "within");
  fs::create_symlink("../outside", logs / "out");
  fs::create_symlink("nowhere", logs / "broken");
  fs::create_symlink(".", logs / "loop");
  REQUIRE(::mkfifo((logs / "pipe").c_str(), 0600) == 0);
  std::ofstream(logs / "huge").close();
  fs::resize_file(logs / "huge", largest_log_in_folder + 1);
  const FolderFiles found = files_below(logs);
  CHECK(found.files == std::vector<std::string>{(logs / "within").string(), (logs / "sub" / "in").string()});
  CHECK(found.unreadable.empty());
  CHECK(found.refused.size() == 4);
}

TEST_CASE("a link to a device or a pipe is written through only where the user named it") {
  const TemporaryFolder folder;
  const fs::path link = folder.path / "results.json";
  fs::create_symlink("/dev/null", link);
  const auto written = write_file(link, "x");
  REQUIRE_FALSE(written);
  CHECK(written.error().what == "is a device, not a regular file");
  CHECK(write_named_file(link, "x"));
  CHECK(fs::is_symlink(link));
  CHECK(special_file("/dev/null") == "a device");
}

TEST_CASE("the end of a file is not read through a link") {
  const TemporaryFolder folder;
  std::ofstream(folder.path / "key") << "secret";
  fs::create_symlink("key", folder.path / "stderr.log");
  CHECK(file_head(folder.path / "key", 3) == "sec");
  CHECK(file_tail(folder.path / "key", 3) == "ret");
  CHECK(file_tail(folder.path / "key", 30) == "secret");
  CHECK_FALSE(file_tail(folder.path / "stderr.log", 3));
}
