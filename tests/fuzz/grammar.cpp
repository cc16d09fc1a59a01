// libFuzzer on one grammar, named by the environment variable GRAMMAR: whatever the bytes, the reader neither
// crashes nor hangs, what it gives can be judged and printed, a result without its check states why, and
// reading piece by piece gives what reading at once gives. Zero bytes part the input into the files of a
// folder, whose results are joined.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "orchestrator/core/text.hpp"
#include "parsers/parser.hpp"
#include "parsers/rules/result_json.hpp"
#include "parsers/rules/rule.hpp"

using namespace shakedown;

namespace {

const Parser& grammar() {
  static const Parser* const chosen = [] {
    const char* name = std::getenv("GRAMMAR");  // NOLINT(concurrency-mt-unsafe): libFuzzer runs one thread
    for (const Parser* parser : parsers())
      if (name != nullptr && parser->id == name) return parser;
    fmt::print(stderr, "GRAMMAR names no grammar\n");
    std::exit(2);  // NOLINT(concurrency-mt-unsafe)
  }();
  return *chosen;
}

void demand(bool holds, const char* what, const ParsedResult& result) {
  if (holds) return;
  fmt::print(stderr, "{}\n{}\n", what, result_json(result, {}, "input"));
  std::abort();
}

std::vector<ParsedResult> in_pieces(std::string_view text, size_t lines_a_piece) {
  std::vector<ParsedResult> results;
  const auto reader = grammar().reader([&](ParsedResult&& result) { results.push_back(std::move(result)); });
  LogLines lines;
  while (true) {
    size_t end = 0;
    for (size_t i = 0; i < lines_a_piece && end != std::string_view::npos; ++i) {
      end = text.find('\n', end);
      if (end != std::string_view::npos) ++end;
    }
    const bool last = end == std::string_view::npos;
    lines.feed(text.substr(0, end), last);
    while (const auto line = lines.next()) reader->read(*line);
    if (last) break;
    text.remove_prefix(end);
  }
  reader->finish();
  return results;
}

/// The results of a folder's files, as far as names that the grammar knows distinguish them.
std::vector<FileResult> in_folder(std::string_view text) {
  std::vector<FileResult> files;
  for (const std::string_view file : split(text, '\0')) {
    TextSource source = TextSource::of(file);
    const auto results = parsed_by(grammar(), source);
    if (!results) continue;  // no text, as below
    const char* name = file.size() % 2 == 0 ? "folder/log.out" : "folder/result.txt";
    for (const ParsedResult& result : *results)
      files.push_back({result.part ? "folder/config.ini" : name, result});
  }
  return files;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  TextSource source = TextSource::of(text);
  const auto results = parsed_by(grammar(), source);
  if (!results) {  // what is no text is refused with a sentence
    if (results.error().what.empty()) std::abort();
    return 0;
  }
  for (const ParsedResult& result : *results) {
    demand(result.complete || !result.reason.empty(), "neither complete nor a reason", result);
    demand(!result.part || (!result.complete && result.metrics.empty()), "a part with metrics", result);
    const Judged judgement =
        judged({.result = &result, .planned = nullptr, .inventory = nullptr, .screens = {}});
    demand(result.complete || judgement.validity != Validity::valid, "valid but not complete", result);
    for (const Metric& metric : result.metrics)
      demand(std::isfinite(metric.value) && metric.line > 0, "a metric that is no number", result);
    if (result_json(result, judgement, "input").empty()) std::abort();
  }
  if (size > 0 && in_pieces(text, 1 + data[0] % 7) != *results) {
    fmt::print(stderr, "in pieces other results than at once\n");
    std::abort();
  }
  std::vector<FileResult> files = in_folder(text);
  for (const RuleBook* book : rule_books())
    if (book->suite == grammar().suite && book->score != nullptr) book->score(files);
  if (grammar().joined == nullptr) return 0;
  for (const FileResult& file : grammar().joined(std::move(files))) {
    demand(!file.result.part || file.others.empty(), "a part that took a file", file.result);
    if (!file.result.part)
      judged({.result = &file.result, .planned = nullptr, .inventory = nullptr, .screens = {}});
  }
  return 0;
}
