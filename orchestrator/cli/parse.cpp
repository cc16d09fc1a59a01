#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/error.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "orchestrator/core/parallel.hpp"
#include "orchestrator/core/text.hpp"
#include "parsers/parser.hpp"
#include "parsers/rules/result_json.hpp"
#include "parsers/rules/rule.hpp"

namespace shakedown::command {
namespace {

struct ParseOptions {
  std::string suite;
  std::string rules = "noteworthy";
  std::vector<std::string> paths;
  [[nodiscard]] ListedRules listed() const {
    return rules == "all" ? ListedRules::all : ListedRules::noteworthy;
  }
};

/// Judges and prints results in the order in which they come, many at a time on all CPUs.
class Printer {
 public:
  explicit Printer(ListedRules listed) : listed_(listed) {}

  void add(FoundResult&& found) {
    waiting_.push_back(std::move(found));
    if (waiting_.size() >= most_waiting) flush();
  }
  void flush() {
    constexpr std::size_t blocks_of_cpu = 4;
    const std::size_t cpus = usable_cpus();
    const std::size_t size = std::max<std::size_t>(1, waiting_.size() / (cpus * blocks_of_cpu));
    const std::size_t blocks = (waiting_.size() + size - 1) / size;
    if (texts_.size() < blocks) texts_.resize(blocks);
    for_each_index(blocks, cpus, [&](std::size_t i) {
      const std::size_t first = i * size;
      texts_[i].clear();
      print(std::span(waiting_).subspan(first, std::min(size, waiting_.size() - first)), texts_[i]);
    });
    for (std::size_t i = 0; i < blocks; ++i) std::cout << texts_[i];
    waiting_.clear();
  }
  void print_scores(const LogSet& set) {
    flush();
    for (const SetScore& score : set.scores()) std::cout << score_json(score, listed_) << "\n";
  }

 private:
  void print(std::span<const FoundResult> results, std::string& text) const {
    Judged judgement;
    for (const FoundResult& found : results) {
      judgement = judged(
          {.result = &found.result, .planned = nullptr, .inventory = nullptr, .screens = {}, .bare = true},
          std::move(judgement.rules));
      append_result_json(text, found.result, judgement, found.file, listed_);
      text += '\n';
    }
  }

  static constexpr std::size_t most_waiting = 256;
  ListedRules listed_;
  std::vector<FoundResult> waiting_;
  std::vector<std::string> texts_;  ///< of a block of results each; their memory is used again
};

/// Reads one log. Fails where the file is no benchmark log or can't be read.
Result<void> read_log(const std::string& name, const std::string& suite, const GrammarSink& sink) {
  auto source = name == "-" ? TextSource::standard_input() : TextSource::file(name);
  if (!source) return failure_of(source);
  auto read = parse_log_by_grammar(*source, suite, sink);
  if (!read && read.error().where.empty()) return fail(name, read.error().what, read.error().hint);
  return read;
}

/// The exit code of two: a file that can't be read is the first thing to mend.
int worse(int one, int other) {
  return one == exit_usage || other == exit_usage ? exit_usage : std::max(one, other);
}

/// The files that were named. Several are one set, as those of a folder are; a single one is its own set.
int parse_files(const std::vector<std::string>& files, const ParseOptions& options) {
  int exit_code = 0;
  const bool is_set = files.size() > 1;
  Printer printer(options.listed());
  LogSet set([&](FoundResult&& found) { printer.add(std::move(found)); });
  for (const std::string& file : files) {
    const auto read = read_log(file, options.suite, [&](const Parser& grammar, ParsedResult&& result) {
      if (is_set || result.part)
        set.add(grammar, {file, std::move(result)});
      else
        printer.add({&grammar, file, {file}, std::move(result)});
    });
    if (read) continue;
    print_error(read.error());
    exit_code = worse(exit_code, read.error().fault == Fault::environment ? exit_usage : exit_undecided);
  }
  set.end_folders();
  printer.print_scores(set);
  for (const Error& error : set.left_alone()) {
    print_error(error);
    exit_code = worse(exit_code, exit_undecided);
  }
  return exit_code;
}

/// How many of `files` from `first` on are read at once: many small ones, or one large one by itself, whose
/// results go out while it is read.
std::size_t read_at_once(const std::vector<std::string>& files, std::size_t first) {
  constexpr std::size_t most_files = 512;
  constexpr std::uintmax_t most_bytes = 4'000'000;  // results take ten times the room of their log
  std::uintmax_t bytes = 0;
  std::size_t count = 0;
  std::error_code code;
  while (first + count < files.size() && count < most_files) {
    bytes += fs::file_size(files[first + count], code);
    if (code || bytes > most_bytes) break;
    ++count;
  }
  return std::max<std::size_t>(1, count);
}

/// A folder with all below it is a set. Files that are no logs are counted; what can't be read may be one.
class FolderReading {
 public:
  FolderReading(const ParseOptions& options, const CommonOptions& common)
      : options_(options),
        common_(common),
        printer_(options.listed()),
        set_([this](FoundResult&& found) { printer_.add(std::move(found)); }) {}

  int read(const std::string& folder) {
    const FolderFiles found = files_below(folder);
    for (std::size_t first = 0; first < found.files.size();)
      first += read_some(
          {found.files.begin() + static_cast<std::ptrdiff_t>(first),
           found.files.begin() + static_cast<std::ptrdiff_t>(first + read_at_once(found.files, first))});
    set_.end_folders();
    for (const Error& error : set_.left_alone()) {
      leave_out(error);
      --logs_;
      ++others_;
    }
    printer_.print_scores(set_);
    for (const Error& error : found.unreadable) report(error);
    if (!common_.quiet)
      for (const Error& error : found.refused) std::cerr << "left out: " << shown_error(error) << "\n";
    if (logs_ == 0) {
      print_error(
          {folder, fmt::format("holds no benchmark log among its {} files", others_), "", Fault::input});
      return exit_undecided;
    }
    if (others_ > 0 && !common_.quiet)
      std::cerr << folder << ": " << others_ << " of " << logs_ + others_
                << " files are no benchmark logs (-v names them)\n";
    return exit_code_;
  }

 private:
  using Found = std::pair<const Parser*, ParsedResult>;

  /// Reads these, and returns their number. One alone streams; several are read on all CPUs, and given on in
  /// their order.
  std::size_t read_some(std::span<const std::string> files) {
    if (files.size() == 1) {
      begin(files.front());
      end(read_log(files.front(), options_.suite, [&](const Parser& grammar, ParsedResult&& result) {
        set_.add(grammar, {files.front(), std::move(result)});
      }));
      return 1;
    }
    std::vector<std::vector<Found>> found(files.size());
    std::vector<Result<void>> read(files.size());
    for_each_index(files.size(), usable_cpus(), [&](std::size_t i) {
      read[i] = read_log(files[i], options_.suite, [&](const Parser& grammar, ParsedResult&& result) {
        found[i].emplace_back(&grammar, std::move(result));
      });
    });
    for (std::size_t i = 0; i < files.size(); ++i) {
      begin(files[i]);
      for (auto& [grammar, result] : found[i]) set_.add(*grammar, {files[i], std::move(result)});
      end(read[i]);
    }
    return files.size();
  }

  void begin(const std::string& file) {
    const fs::path parent = fs::path(file).parent_path();
    if (parent != last_) set_.end_folders();
    last_ = parent;
  }
  void end(const Result<void>& read) {
    ++(read ? logs_ : others_);
    if (read) return;
    if (read.error().fault == Fault::environment || is_unread_text(read.error()))
      report(read.error());
    else
      leave_out(read.error());
  }
  void report(const Error& error) {
    print_error(error);
    exit_code_ = exit_undecided;
  }
  void leave_out(const Error& error) const {
    if (common_.verbose > 0) std::cerr << "left out: " << shown_error(error) << "\n";
  }

  const ParseOptions& options_;
  const CommonOptions& common_;
  Printer printer_;
  LogSet set_;
  fs::path last_;  ///< the folder of the last file
  int logs_ = 0;
  int others_ = 0;
  int exit_code_ = 0;
};

Result<int> parse_all(const ParseOptions& options, const CommonOptions& common) {
  std::vector<std::string> suites;
  for (const Parser* parser : parsers()) suites.emplace_back(parser->suite);
  if (!options.suite.empty() && std::find(suites.begin(), suites.end(), options.suite) == suites.end())
    return fail("--suite",
                fmt::format("no grammar for '{}'{}", options.suite, did_you_mean(options.suite, suites)),
                fmt::format("suites: {}", joined(suites, ", ")));
  std::vector<std::string> files;
  std::vector<std::string> folders;
  std::error_code code;
  for (const std::string& path : options.paths)
    (fs::is_directory(path, code) ? folders : files).push_back(path);
  int exit_code = parse_files(files, options);
  for (const std::string& folder : folders)
    exit_code = worse(exit_code, FolderReading(options, common).read(folder));
  return exit_code;
}

}  // namespace

extern const Command parse;
const Command parse = {
    .id = "parse",
    .about = "benchmark logs to JSON: a line for each result, and for each set of MLPerf runs",
    .rank = 80,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<ParseOptions>();
      app.add_option("file", options->paths,
                     "logs, or folders of logs; several files are one set; - for stdin")
          ->required()
          ->type_name("FILE|DIR");
      app.add_option("--suite", options->suite, "parse the files as logs of suite S")->type_name("S");
      app.add_option(
             "--rules", options->rules,
             "noteworthy: `rules` has those that fail or are unknown, `other_rules` counts the others; "
             "all: `rules` has every rule")
          ->check(CLI::IsMember({"noteworthy", "all"}))
          ->capture_default_str()
          ->type_name("R");
      app.footer(
          "Example: shakedown parse HPL.out | jq .metrics.rmax_gflops\n"
          "A log that was parsed gives exit code 0, also if its result is invalid: see `validity`.\n"
          "A rule's severity: F, the result is invalid if it fails; L, it is not eligible for a public list; "
          "W, a warning.\nunknown: the log has no evidence for it.\n"
          "In a folder, files above 512 MiB and links that leave the folder are skipped; a FILE may have any "
          "size.");
      return [options, &common] { return parse_all(*options, common); };
    },
};

}  // namespace shakedown::command
