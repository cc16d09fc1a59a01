#include "orchestrator/campaign/found_runs.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "orchestrator/core/folder.hpp"
#include "orchestrator/core/units.hpp"
#include "parsers/rules/log_set.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;

/// Gathers the runs of one path. Of each result only what names its case is kept.
class Search {
 public:
  Search(FoundRuns& found, const std::function<bool()>& stop)
      : found_(found), stop_(stop), set_([this](FoundResult&& result) { take(result); }, {}) {}

  void folder(const fs::path& path) {
    const FolderFiles below = files_below(path);
    const size_t before = found_.runs.size();
    fs::path last;
    for (const std::string& file : below.files) {
      if (stops()) return;
      if (fs::path(file).parent_path() != last) set_.end_folders();
      last = fs::path(file).parent_path();
      if (const auto read = log(file); !read)
        (read.error().fault == Fault::environment ? found_.failures : found_.left_out)
            .push_back(read.error());
    }
    set_.end_folders();
    move_to(found_.left_out, set_.left_alone());
    found_.failures.insert(found_.failures.end(), below.unreadable.begin(), below.unreadable.end());
    found_.refused.insert(found_.refused.end(), below.refused.begin(), below.refused.end());
    if (found_.runs.size() == before)
      found_.failures.push_back({path.string(),
                                 fmt::format("holds no benchmark log among its {} files", below.files.size()),
                                 "", Fault::input});
  }

  void file(const fs::path& path) {
    if (stops()) return;
    std::error_code code;
    if (const std::uintmax_t bytes = fs::file_size(path, code); !code && bytes > largest_imported_file) {
      found_.failures.push_back(
          {path.string(),
           fmt::format("has {}: files of at most {} are imported", bytes_text(static_cast<double>(bytes)),
                       bytes_text(static_cast<double>(largest_imported_file))),
           "cut the log to the run that counts", Fault::input});
      return;
    }
    if (const auto read = log(path.string()); !read) found_.failures.push_back(read.error());
  }

  void end() {
    set_.end_folders();
    move_to(found_.failures, set_.left_alone());
  }

 private:
  static void move_to(std::vector<Error>& list, std::vector<Error>&& errors) {
    std::move(errors.begin(), errors.end(), std::back_inserter(list));
  }

  bool stops() {
    found_.stopped = found_.stopped || stop_();
    return found_.stopped;
  }

  Result<void> log(const std::string& file) {
    auto source = TextSource::file(file);
    if (!source) return failure_of(source);
    auto read = parse_log_by_grammar(*source, "", [&](const Parser& grammar, ParsedResult&& result) {
      if (grammar.joined == nullptr) {  // its name will do: the rest is read again from the copy
        result.metrics.clear();
        result.facts.clear();
        result.phases.clear();
      }
      set_.add(grammar, {file, std::move(result)});
    });
    if (!read && read.error().where.empty()) return fail(file, read.error().what, read.error().hint);
    return read;
  }

  void take(const FoundResult& result) {
    const auto [place, is_new] = places_.try_emplace({result.file, result.result.suite}, found_.runs.size());
    if (is_new) {
      FoundRun run{.suite = result.result.suite,
                   .implementation = result.result.implementation,
                   .benchmark = "",
                   .grammar = std::string(result.grammar->id),
                   .file = result.file,
                   .files = {}};
      if (const Value* benchmark = find_parameter(result.result.parameters, "benchmark"))
        run.benchmark = value_text(*benchmark);
      found_.runs.push_back(std::move(run));
    }
    found_.runs[place->second].files.insert(result.files.begin(), result.files.end());
  }

  FoundRuns& found_;
  const std::function<bool()>& stop_;
  LogSet set_;
  std::map<std::pair<std::string, std::string>, size_t> places_;  ///< of a file's suite among the runs
};

}  // namespace

FoundRuns found_runs(const std::vector<fs::path>& paths, const std::function<bool()>& stop) {
  FoundRuns found;
  Search search(found, stop);
  std::error_code code;
  for (const fs::path& path : paths)
    if (!fs::is_directory(path, code)) search.file(path);
  search.end();
  for (const fs::path& path : paths)
    if (fs::is_directory(path, code)) search.folder(path);
  return found;
}

}  // namespace shakedown
