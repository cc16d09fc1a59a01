#include "parsers/json_walk.hpp"

#include <catch2/catch.hpp>

#include <string>
#include <vector>

using namespace shakedown;

namespace {

/// The values of a text with their paths: "a/b=1".
std::vector<std::string> values(std::string_view text) {
  std::vector<std::string> found;
  JsonWalk* current = nullptr;
  JsonWalk walk([&](const JsonEvent& event) {
    if (event.kind != JsonEvent::Kind::value) return;
    std::string path;
    for (const std::string& part : current->path())
      path += (path.empty() ? "" : "/") + (part.empty() ? "#" : part);
    found.push_back(path + "=" + std::string(event.value) + "@" + std::to_string(event.line));
  });
  current = &walk;
  LogLines lines(text);
  while (const auto line = lines.next()) walk.read(*line);
  return found;
}

}  // namespace

TEST_CASE("JSON is walked line by line, with the path and the line of each value") {
  CHECK(values("{\n \"a\" : 1,\n \"b\" : { \"c\" : [ \"x\", true ] },\n \"d\":[{\"e\":-2.5}]\n}\n") ==
        std::vector<std::string>{"a=1@2", "b/c/#=x@3", "b/c/#=true@3", "d/#/e=-2.5@4"});
}

TEST_CASE("other text between the lines of JSON is passed over") {
  CHECK(values("fio: noise { \"a\" : 1 }\n{\nsrun: warning: noise\n\"a\" :\n7\n}\nafter\n{\"b\":2}\n") ==
        std::vector<std::string>{"a=7@5", "b=2@8"});
}

TEST_CASE("JSON that breaks off or goes wrong gives no further value, and the next text is read") {
  CHECK(values("{\"a\":12").empty());
  CHECK(values("{\"a\":12,\"b\":\"x").size() == 1);
  CHECK(values("{\"a\":[1,}\n\"b\":2\n{\"c\":3}\n") == std::vector<std::string>{"a/#=1@1", "c=3@3"});
  CHECK(values("{\"a\" \"b\" \"c\"}\n").size() == 1);
  CHECK(values(std::string(100, '{')).empty());
  CHECK(values(std::string(1000, '[')).empty());
}

TEST_CASE("escaped quotes don't end a string") {
  CHECK(values("{\"a\\\"b\":\"x\\\\\",\"c\":\"\\\"\"}\n") ==
        std::vector<std::string>{"a\\\"b=x\\\\@1", "c=\\\"@1"});
}
