#include <CLI/CLI.hpp>
#include <algorithm>
#include <filesystem>
#include <iostream>
#include <memory>

#include "orchestrator/cli/support/command.hpp"
#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "parsers/parser.hpp"
#include "parsers/rules/result_json.hpp"
#include "parsers/rules/rule.hpp"

namespace shakedown::command {
namespace {

constexpr int exit_no_log = 3;

struct Options {
  std::string suite;
  std::vector<std::string> paths;
};

/// Prints the results of one log, a line each. Fails where the file is no benchmark log or can't be read.
Result<void> print_results(const std::string& name, const std::string& suite) {
  auto source = name == "-" ? TextSource::standard_input() : TextSource::file(name);
  if (!source) return pass_on(source);
  const auto read = parse_log(*source, suite, [&](ParsedResult&& result) {
    std::cout << result_json(
                     result,
                     judged({.result = &result, .planned = nullptr, .inventory = nullptr, .screen = nullptr}),
                     name)
              << "\n";
  });
  if (!read && read.error().where.empty()) return fail(name, read.error().what, read.error().hint);
  return read;
}

/// All regular files below a folder, sorted; hidden ones left out.
std::vector<std::string> files_below(const fs::path& folder) {
  std::vector<std::string> files;
  std::error_code code;
  for (auto it = fs::recursive_directory_iterator(folder, code); it != fs::recursive_directory_iterator();
       it.increment(code)) {
    if (code) break;
    const bool hidden = it->path().filename().string().starts_with('.');
    if (hidden && it->is_directory(code)) it.disable_recursion_pending();
    if (!hidden && it->is_regular_file(code)) files.push_back(it->path().string());
  }
  std::sort(files.begin(), files.end());
  return files;
}

Result<int> parse_all(const Options& options, const CommonOptions& common) {
  std::vector<std::string> suites;
  for (const Parser* parser : parsers()) suites.emplace_back(parser->suite);
  if (!options.suite.empty() && std::find(suites.begin(), suites.end(), options.suite) == suites.end())
    return fail("--suite",
                fmt::format("no grammar for '{}'{}", options.suite, did_you_mean(options.suite, suites)),
                fmt::format("suites: {}", joined(suites, ", ")));
  int exit_code = 0;
  for (const std::string& path : options.paths) {
    std::error_code code;
    if (!fs::is_directory(path, code)) {
      if (auto printed = print_results(path, options.suite); !printed) {
        std::cerr << "error: " << to_string(printed.error()) << "\n";
        exit_code = exit_no_log;
      }
      continue;
    }
    int logs = 0;
    int others = 0;
    for (const std::string& file : files_below(path)) {
      const auto printed = print_results(file, options.suite);
      ++(printed ? logs : others);
      if (!printed && common.verbose > 0) std::cerr << "left out: " << to_string(printed.error()) << "\n";
    }
    if (logs == 0) {
      std::cerr << "error: " << path << ": holds no benchmark log among its " << others << " files\n";
      exit_code = exit_no_log;
    } else if (others > 0 && !common.quiet) {
      std::cerr << path << ": " << others << " of " << logs + others
                << " files are no benchmark logs (-v names them)\n";
    }
  }
  return exit_code;
}

}  // namespace

extern const Command parse;
const Command parse = {
    .id = "parse",
    .about = "logs to JSON, a line for each result",
    .rank = 80,
    .declare = [](CLI::App& app, const CommonOptions& common) -> std::function<Result<int>()> {
      auto options = std::make_shared<Options>();
      app.add_option("file", options->paths, "logs or folders of logs; - for stdin")
          ->required()
          ->type_name("FILE|DIR");
      app.add_option("--suite", options->suite, "take them for logs of this suite")->type_name("S");
      app.footer("Example: shakedown parse HPL.out | jq .metrics.rmax_gflops");
      return [options, &common] { return parse_all(*options, common); };
    },
};

}  // namespace shakedown::command
