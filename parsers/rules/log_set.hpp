#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/rules/rule.hpp"

namespace shakedown {

/// A result of a set of logs, and the files that tell of it.
struct FoundResult {
  const Parser* grammar = nullptr;
  std::string file;                ///< the one that it stands for
  std::vector<std::string> files;  ///< all that tell of its run: `file` alone, but for joined ones
  ParsedResult result;
};

/// The logs of one set: a folder with all below it, or files that were named together.
///
/// A result goes out as it comes, unless its grammar joins the files of a folder: those wait until the folder
/// is over. Results of a suite that scores sets are copied for the score; nothing else is kept but the names
/// of files that tell of a run which is not there.
class LogSet {
 public:
  using Sink = std::function<void(FoundResult&&)>;
  /// `sink` is called by `add` and `end_folders`.
  explicit LogSet(Sink sink, std::span<const RuleBook* const> books = rule_books());

  void add(const Parser& grammar, FileResult&& found);
  /// No more files come of the folders so far: joins what waits and gives it to the sink.
  void end_folders();
  /// The files that tell of no result of the set, each with what it is, since this was asked last.
  /// `end_folders` comes first.
  [[nodiscard]] std::vector<Error> left_alone() { return std::exchange(alone_, {}); }
  /// The scores of all results so far, by the suites' rules. `end_folders` comes first.
  [[nodiscard]] std::vector<SetScore> scores() const;

 private:
  void give(FoundResult&& found);

  Sink sink_;
  std::span<const RuleBook* const> books_;
  /// What waits for the folder's other files, by folder and the grammar's id.
  struct Waiting {
    const Parser* grammar = nullptr;
    std::vector<FileResult> results;
  };
  std::map<std::pair<std::string, std::string_view>, Waiting> waiting_;
  std::vector<Error> alone_;
  std::map<const RuleBook*, std::vector<FileResult>> scored_;
};

}  // namespace shakedown
