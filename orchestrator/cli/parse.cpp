#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "orchestrator/cli/command.hpp"
#include "orchestrator/cli/text/terminal.hpp"
#include "orchestrator/core/exit_status.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/filesystem.hpp"
#include "orchestrator/core/text.hpp"
#include "parsers/parser.hpp"
#include "parsers/rules/result_json.hpp"
#include "parsers/rules/rule.hpp"

namespace shakedown::command {
namespace {

struct ParseOptions {
  std::string suite;
  std::vector<std::string> paths;
};

void print(const FoundResult& found) {
  std::cout << result_json(
                   found.result,
                   judged({.result = &found.result, .planned = nullptr, .inventory = nullptr, .screens = {}}),
                   found.file)
            << "\n";
}

void print_scores(const LogSet& set) {
  for (const SetScore& score : set.scores()) std::cout << score_json(score) << "\n";
}

/// Reads one log. Fails where the file is no benchmark log or can't be read.
Result<void> read_log(const std::string& name, const std::string& suite, const GrammarSink& sink) {
  auto source = name == "-" ? TextSource::standard_input() : TextSource::file(name);
  if (!source) return failure_of(source);
  auto read = parse_log_by_grammar(*source, suite, sink);
  if (!read && read.error().where.empty()) return fail(name, read.error().what, read.error().hint);
  return read;
}

/// The files that were named. Several are one set, as those of a folder are; a single one is its own set.
int parse_files(const std::vector<std::string>& files, const std::string& suite) {
  int exit_code = 0;
  const bool is_set = files.size() > 1;
  LogSet set(print);
  for (const std::string& file : files) {
    const auto read = read_log(file, suite, [&](const Parser& grammar, ParsedResult&& result) {
      if (is_set || result.part)
        set.add(grammar, {file, std::move(result)});
      else
        print({&grammar, file, {file}, std::move(result)});
    });
    if (read) continue;
    print_error(read.error());
    exit_code = exit_undecided;
  }
  set.end_folders();
  print_scores(set);
  for (const Error& error : set.left_alone()) {
    print_error(error);
    exit_code = exit_undecided;
  }
  return exit_code;
}

/// A folder with all below it is a set. Files that are no logs are counted; what can't be read may be one.
int parse_folder(const std::string& folder, const std::string& suite, const CommonOptions& common) {
  int logs = 0;
  int others = 0;
  int exit_code = 0;
  LogSet set(print);
  const FolderFiles found = files_below(folder);
  const auto leave_out = [&](const Error& error) {
    if (common.verbose > 0) std::cerr << "left out: " << shown_error(error) << "\n";
  };
  fs::path last;
  for (const std::string& file : found.files) {
    const fs::path parent = fs::path(file).parent_path();
    if (parent != last) set.end_folders();
    last = parent;
    const auto read = read_log(file, suite, [&](const Parser& grammar, ParsedResult&& result) {
      set.add(grammar, {file, std::move(result)});
    });
    ++(read ? logs : others);
    if (read) continue;
    if (read.error().fault == Fault::environment) {
      print_error(read.error());
      exit_code = exit_undecided;
    } else {
      leave_out(read.error());
    }
  }
  set.end_folders();
  for (const Error& error : set.left_alone()) {
    leave_out(error);
    --logs;
    ++others;
  }
  print_scores(set);
  for (const Error& error : found.unreadable) {
    print_error(error);
    exit_code = exit_undecided;
  }
  if (!common.quiet)
    for (const Error& error : found.refused) std::cerr << "left out: " << shown_error(error) << "\n";
  if (logs == 0) {
    print_error({folder, fmt::format("holds no benchmark log among its {} files", others), "", Fault::input});
    return exit_undecided;
  }
  if (others > 0 && !common.quiet)
    std::cerr << folder << ": " << others << " of " << logs + others
              << " files are no benchmark logs (-v names them)\n";
  return exit_code;
}

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
  int exit_code = parse_files(files, options.suite);
  for (const std::string& folder : folders)
    exit_code = std::max(exit_code, parse_folder(folder, options.suite, common));
  return exit_code;
}

}  // namespace

extern const Command parse;
const Command parse = {
    .id = "parse",
    .about = "logs to JSON, a line for each result",
    .rank = 80,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<ParseOptions>();
      app.add_option("file", options->paths,
                     "logs, or folders of logs; several files are one set; - for stdin")
          ->required()
          ->type_name("FILE|DIR");
      app.add_option("--suite", options->suite, "take them for logs of this suite")->type_name("S");
      app.footer(
          "Example: shakedown parse HPL.out | jq .metrics.rmax_gflops\n"
          "Of a folder, regular files of at most 512 MiB are read, and no link that leads out of it; a FILE "
          "may have any size.");
      return [options, &common] { return parse_all(*options, common); };
    },
};

}  // namespace shakedown::command
