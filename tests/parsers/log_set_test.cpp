#include "parsers/rules/rule.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

using namespace shakedown;

namespace {

/// A grammar whose files of one folder describe one run: the first is completed by the others' versions.
std::vector<FileResult> first_of_all(std::vector<FileResult> results) {
  for (size_t i = 1; i < results.size(); ++i) {
    results[0].result.version += "+" + results[i].result.version;
    results[0].others.push_back(results[i].file);
  }
  results.resize(1);
  return results;
}

/// A run whose version is "alone" is a run of its own; the others are one.
std::vector<FileResult> all_but_alone(std::vector<FileResult> results) {
  std::vector<FileResult> joined;
  for (FileResult& each : results)
    if (each.result.version == "alone" || joined.empty())
      joined.push_back(std::move(each));
    else
      joined.front().others.push_back(each.file);
  return joined;
}

std::vector<SetScore> count_runs(std::span<const FileResult> results) {
  std::map<std::string, SetScore> sets;
  for (const FileResult& each : results) {
    SetScore& set = sets[each.file.substr(0, each.file.rfind('/'))];
    ++set.runs;
    set.files.push_back(each.file);
  }
  std::vector<SetScore> scores;
  for (auto& [name, set] : sets) {
    set.name = name;
    scores.push_back(std::move(set));
  }
  return scores;
}

constexpr Parser grammar(std::string_view id, std::string_view suite,
                         std::vector<FileResult> (*joined)(std::vector<FileResult>) = nullptr) {
  return {.id = id,
          .suite = suite,
          .needles = {},
          .metrics = {},
          .reader = nullptr,
          .marks = "",
          .joined = joined};
}

const Parser plain = grammar("plain", "one");
const Parser folders = grammar("folders", "two", first_of_all);
const Parser loners = grammar("loners", "two", all_but_alone);
const Parser log_set_scored = grammar("scored", "three");
const RuleBook scoring = {.suite = "three", .own_check = "", .judge = nullptr, .score = count_runs};
const RuleBook silent = {.suite = "one", .own_check = "", .judge = nullptr, .score = nullptr};
const RuleBook* const books[] = {&scoring, &silent};

ParsedResult result(const Parser& of, std::string version = "") {
  ParsedResult parsed;
  parsed.suite = of.suite;
  parsed.version = std::move(version);
  return parsed;
}

struct LogSetScene {
  std::vector<FoundResult> given;
  LogSet set{[this](FoundResult&& found) { given.push_back(std::move(found)); }, books};
};

}  // namespace

TEST_CASE("a result of a grammar that joins nothing goes out as it comes") {
  LogSetScene scene;
  scene.set.add(plain, {"a/x.log", result(plain)});
  REQUIRE(scene.given.size() == 1);
  CHECK(scene.given[0].file == "a/x.log");
  CHECK(scene.given[0].files == std::vector<std::string>{"a/x.log"});
  CHECK(scene.given[0].grammar == &plain);
  scene.set.end_folders();
  CHECK(scene.given.size() == 1);
  CHECK(scene.set.scores().empty());
}

TEST_CASE("files of one folder that belong to one run wait for each other and come out as one") {
  LogSetScene scene;
  scene.set.add(folders, {"a/1.txt", result(folders, "1")});
  scene.set.add(folders, {"a/2.txt", result(folders, "2")});
  scene.set.add(folders, {"b/1.txt", result(folders, "3")});
  CHECK(scene.given.empty());
  scene.set.end_folders();
  REQUIRE(scene.given.size() == 2);
  CHECK(scene.given[0].result.version == "1+2");
  CHECK(scene.given[0].file == "a/1.txt");
  CHECK(scene.given[0].files == std::vector<std::string>{"a/1.txt", "a/2.txt"});
  CHECK(scene.given[1].result.version == "3");
  CHECK(scene.given[1].files == std::vector<std::string>{"b/1.txt"});
}

TEST_CASE("each grammar joins its own results of a folder") {
  LogSetScene scene;
  scene.set.add(folders, {"a/1.txt", result(folders, "1")});
  scene.set.add(loners, {"a/2.txt", result(loners, "2")});
  scene.set.add(loners, {"a/3.txt", result(loners, "alone")});
  scene.set.add(loners, {"a/4.txt", result(loners, "4")});
  scene.set.end_folders();
  REQUIRE(scene.given.size() == 3);
  CHECK(scene.given[0].files == std::vector<std::string>{"a/1.txt"});
  CHECK(scene.given[1].files == std::vector<std::string>{"a/2.txt", "a/4.txt"});
  CHECK(scene.given[2].files == std::vector<std::string>{"a/3.txt"});
}

TEST_CASE("a folder that is over is not joined with what comes later") {
  LogSetScene scene;
  scene.set.add(folders, {"a/1.txt", result(folders, "1")});
  scene.set.end_folders();
  scene.set.add(folders, {"a/2.txt", result(folders, "2")});
  scene.set.end_folders();
  REQUIRE(scene.given.size() == 2);
  CHECK(scene.given[1].result.version == "2");
}

TEST_CASE("a set is scored by the rules of its suite over all of its folders") {
  LogSetScene scene;
  for (const char* file : {"a/0.txt", "a/1.txt", "b/0.txt"})
    scene.set.add(log_set_scored, {file, result(log_set_scored)});
  scene.set.add(plain, {"a/x.log", result(plain)});
  CHECK(scene.given.size() == 4);
  const auto scores = scene.set.scores();
  REQUIRE(scores.size() == 2);
  CHECK(scores[0].name == "a");
  CHECK(scores[0].runs == 2);
  CHECK(scores[0].files == std::vector<std::string>{"a/0.txt", "a/1.txt"});
  CHECK(scores[1].runs == 1);
}

TEST_CASE("a part that joins no result is no result, and is named once") {
  LogSetScene scene;
  ParsedResult part = result(loners, "alone");
  part.part = true;
  part.reason = "this is half of something";
  scene.set.add(loners, {"a/1.txt", result(loners, "1")});
  scene.set.add(loners, {"a/half.ini", part});
  scene.set.add(plain, {"a/other.ini", part});
  scene.set.end_folders();
  REQUIRE(scene.given.size() == 1);
  CHECK(scene.given[0].file == "a/1.txt");
  const auto alone = scene.set.left_alone();
  REQUIRE(alone.size() == 2);
  CHECK(alone[0].where == "a/other.ini");
  CHECK(alone[1].where == "a/half.ini");
  CHECK(alone[1].what == "this is half of something");
  CHECK(scene.set.left_alone().empty());
}
