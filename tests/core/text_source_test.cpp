#include "orchestrator/core/text_source.hpp"

#include <rapidcheck.h>
#include <unistd.h>

#include <catch2/catch.hpp>

using namespace shakedown;

namespace {

/// A file that goes away with its owner.
struct TemporaryFile {
  explicit TemporaryFile(std::string_view content)
      : path(fs::temp_directory_path() / fmt::format("shakedown-text-{}", ::getpid())) {
    REQUIRE(write_file(path, content).has_value());
  }
  ~TemporaryFile() { fs::remove(path); }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;
  fs::path path;
};

std::vector<std::string> pieces(TextSource& source) {
  std::vector<std::string> all;
  while (true) {
    const auto piece = source.next();
    REQUIRE(piece.has_value());
    all.emplace_back(piece->text);
    if (piece->last) return all;
  }
}

std::string whole(const std::vector<std::string>& pieces) {
  std::string text;
  for (const std::string& piece : pieces) text += piece;
  return text;
}

}  // namespace

TEST_CASE("a file larger than a piece comes in pieces that end behind a line feed, and as often as asked") {
  std::string text;
  for (int i = 0; text.size() < 1'500'000; ++i) text += fmt::format("line {}\n", i * i);
  text += "without its end";
  const TemporaryFile file(text);
  auto source = TextSource::file(file.path);
  REQUIRE(source.has_value());
  for (int round = 0; round < 2; ++round) {
    const auto parts = pieces(*source);
    CHECK(parts.size() > 3);
    for (size_t i = 0; i + 2 < parts.size(); ++i) CHECK(parts[i].ends_with('\n'));
    CHECK(whole(parts) == text);
    source->rewind();
  }
}

TEST_CASE("a line longer than a MiB comes in parts") {
  const std::string text = "first\n" + std::string(5'000'000, 'x') + "\nlast\n";
  const TemporaryFile file(text);
  auto source = TextSource::file(file.path);
  REQUIRE(source.has_value());
  const auto parts = pieces(*source);
  for (const std::string& part : parts) CHECK(part.size() < 2U << 20U);
  CHECK(whole(parts) == text);
}

TEST_CASE("an empty file is one empty piece, and a text that is there already one piece") {
  const TemporaryFile file("");
  auto empty = TextSource::file(file.path);
  REQUIRE(empty.has_value());
  CHECK(pieces(*empty) == std::vector<std::string>{""});
  TextSource given = TextSource::of("a\nb");
  CHECK(pieces(given) == std::vector<std::string>{"a\nb"});
  given.rewind();
  CHECK(whole(pieces(given)) == "a\nb");
}

TEST_CASE("what can't be read is said with the system's reason") {
  const auto missing = TextSource::file("/nonexistent/log");
  REQUIRE_FALSE(missing.has_value());
  CHECK(missing.error().what == "cannot open: No such file or directory");
  const auto folder = TextSource::file("/");
  REQUIRE_FALSE(folder.has_value());
  CHECK(folder.error().what == "cannot read: Is a directory");
}

TEST_CASE("a sparse file of any size ends with a sentence") {
  const TemporaryFile file("HPLinpack 2.3\n");
  fs::resize_file(file.path, std::uintmax_t{1} << 40);
  auto source = TextSource::file(file.path);
  REQUIRE(source.has_value());
  for (int i = 0; i < 1000; ++i) {
    const auto piece = source->next();
    if (piece) continue;
    CHECK(piece.error().what == "has more than 64 MiB of zero bytes in a row: a sparse or damaged file");
    return;
  }
  FAIL("it is read on");
}
