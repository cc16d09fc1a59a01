#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "orchestrator/campaign/append_line.hpp"
#include "orchestrator/campaign/chained_lines.hpp"
#include "orchestrator/campaign/journal.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/hash.hpp"
#include "tests/temporary_folder.hpp"

using namespace shakedown;

namespace {

std::string chain_of(int count) {
  std::string text;
  for (int i = 1; i <= count; ++i)
    text += chained_line("{\"n\":" + std::to_string(i) + "}", chain_end(text).sha256) + "\n";
  return text;
}

std::vector<std::string> chain_lines(const std::string& text) {
  std::vector<std::string> lines;
  for (const ChainLink& link : chain_links(text)) lines.emplace_back(link.bytes);
  return lines;
}

std::string joined_lines(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line;
  return text;
}

}  // namespace

TEST_CASE("each line names the SHA-256 of the one before, as sha256sum prints it") {
  const std::string text = chain_of(3);
  const auto lines = chain_lines(text);
  REQUIRE(lines.size() == 3);
  CHECK(lines[0] == "{\"n\":1}\n");
  CHECK(lines[1] == "{\"n\":2,\"prev\":\"" + sha256("{\"n\":1}\n") + "\"}\n");
  CHECK(chain_end(text).sha256 == sha256(lines[2]));
  CHECK(chain_faults(text).empty());
}

TEST_CASE("a line that is edited, deleted, inserted or moved is named") {
  const auto lines = chain_lines(chain_of(6));
  const auto faults = [](const std::vector<std::string>& changed) {
    return chain_faults(joined_lines(changed));
  };
  for (std::size_t at = 0; at + 1 < lines.size(); ++at) {
    auto edited = lines;
    edited[at].replace(5, 1, "9");
    REQUIRE(faults(edited).size() == 1);
    CHECK(faults(edited)[0].line == static_cast<int>(at) + 2);
    CHECK(faults(edited)[0].what.find("does not follow line " + std::to_string(at + 1)) == 0);
    auto shorter = lines;
    shorter.erase(shorter.begin() + static_cast<std::ptrdiff_t>(at));
    CHECK(faults(shorter).size() == 1);
    auto longer = lines;
    longer.insert(longer.begin() + static_cast<std::ptrdiff_t>(at) + 1, "{\"n\":7}\n");
    CHECK_FALSE(faults(longer).empty());
    auto swapped = lines;
    std::swap(swapped[at], swapped[at + 1]);
    CHECK_FALSE(faults(swapped).empty());
  }
  auto first_gone = lines;
  first_gone.erase(first_gone.begin());
  CHECK(faults(first_gone)[0].line == 1);
}

TEST_CASE("a line that a crash cut breaks no chain, and hides no edited line") {
  std::string text = chain_of(2) + "{\"n\":3,\"pre";
  REQUIRE(chain_end(text).cut);
  const std::string prev = chain_end(text).sha256;
  text += "\n" + chained_line("{\"n\":4}", prev) + "\n";
  CHECK(chain_faults(text).empty());
  std::string edited = text;
  edited.replace(edited.find("\"n\":2"), 5, "\"n\":8");
  CHECK(chain_faults(edited).size() == 1);
  CHECK(chain_faults(edited)[0].line == 4);
}

TEST_CASE("lines of an older version may come first in a workspace's list, and nowhere else") {
  const std::string older = "{\"n\":1}\n{\"n\":2}\n";
  const std::string text = older + chained_line("{\"n\":3}", chain_end(older).sha256) + "\n";
  CHECK(chain_faults(text, /*older=*/true).empty());
  CHECK(chain_faults(text).size() == 1);
  CHECK(chain_faults(text + "{\"n\":4}\n", /*older=*/true).size() == 1);
}

TEST_CASE("two writers of one journal and a cut line make one chain") {
  const TemporaryFolder folder;
  auto one = Journal::open(folder.path);
  auto two = Journal::open(folder.path);
  REQUIRE(one);
  REQUIRE(two);
  for (int i = 0; i < 3; ++i) {
    REQUIRE(one->note("one"));
    REQUIRE(two->note("two"));
    REQUIRE(two->note("two"));
  }
  {
    auto text = file_content(folder.path / "journal.jsonl").value();
    REQUIRE(write_file(folder.path / "journal.jsonl", text + "{\"event\":\"at"));
  }
  auto three = Journal::open(folder.path);
  REQUIRE(three);
  REQUIRE(three->note("three"));
  const auto text = file_content(folder.path / "journal.jsonl").value();
  CHECK(chain_links(text).size() == 10);
  CHECK(chain_faults(text).empty());
}

TEST_CASE("a workspace's list begins with a line that names no other") {
  const TemporaryFolder folder;
  const auto path = folder.path / "list.jsonl";
  REQUIRE(append_chained_line(path, "{\"n\":1}"));
  REQUIRE(append_chained_line(path, "{\"n\":2}"));
  const auto text = file_content(path).value();
  CHECK(stated_prev(chain_links(text)[0].text) == chain_origin);
  CHECK(chain_faults(text).empty());
  CHECK(chain_faults(text.substr(text.find('\n') + 1)).size() == 1);
}
