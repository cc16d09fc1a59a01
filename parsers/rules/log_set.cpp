#include "parsers/rules/log_set.hpp"

#include <filesystem>
#include <utility>

namespace shakedown {
LogSet::LogSet(Sink sink, std::span<const RuleBook* const> books) : sink_(std::move(sink)), books_(books) {}

void LogSet::add(const Parser& grammar, FileResult&& found) {
  if (grammar.joined != nullptr) {
    std::string folder = std::filesystem::path(found.file).parent_path().string();
    Waiting& waiting = waiting_[{std::move(folder), grammar.id}];
    waiting.grammar = &grammar;
    waiting.results.push_back(std::move(found));
    return;
  }
  std::string file = found.file;
  give({&grammar, file, {file}, std::move(found.result)});
}

void LogSet::end_folders() {
  for (auto& [place, waiting] : waiting_) {
    for (FileResult& each : waiting.grammar->joined(std::move(waiting.results))) {
      std::vector<std::string> files = {each.file};
      files.insert(files.end(), each.others.begin(), each.others.end());
      give({waiting.grammar, std::move(each.file), std::move(files), std::move(each.result)});
    }
  }
  waiting_.clear();
}

void LogSet::give(FoundResult&& found) {
  if (found.result.part) {
    alone_.push_back(part_alone(found.file, found.result));
    return;
  }
  for (const RuleBook* book : books_)
    if (book->suite == found.result.suite && book->score != nullptr)
      scored_[book].push_back({found.file, found.result});
  sink_(std::move(found));
}

std::vector<SetScore> LogSet::scores() const {
  std::vector<SetScore> scores;
  for (const RuleBook* book : books_) {
    const auto results = scored_.find(book);
    if (results == scored_.end()) continue;
    for (SetScore& score : book->score(results->second)) scores.push_back(std::move(score));
  }
  return scores;
}

}  // namespace shakedown
