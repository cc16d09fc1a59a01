#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/text_source.hpp"
#include "orchestrator/core/value.hpp"
#include "parsers/lines.hpp"

namespace shakedown {

/// A value that the log proves.
struct Metric {
  std::string name;  ///< "rmax_gflops": unit as printed, in the name
  double value = 0;
  int line = 0;  ///< 1-based, of the log
  friend bool operator==(const Metric&, const Metric&) = default;
};

/// Something in the log that rules judge: a check's outcome, a count, a mode.
struct Fact {
  std::string name;   ///< "residual_check"
  std::string value;  ///< as printed: "PASSED", "FAILED", "1"
  int line = 0;
  friend bool operator==(const Fact&, const Fact&) = default;
};

/// One of a benchmark's phases as its log prints it (IO500).
struct Phase {
  std::string name;  ///< as the current version spells it: "ior-easy-write"
  double value = 0;
  std::string unit;     ///< "GiB/s", "kIOPS"
  double time_s = 0;    ///< of the whole phase
  bool valid = true;    ///< not marked invalid in the log
  bool scored = false;  ///< one of those that make up the score
  int line = 0;
  friend bool operator==(const Phase&, const Phase&) = default;
};

/// One result of a log: a row with what belongs to it.
struct ParsedResult {
  std::string suite;           ///< "hpl"
  std::string implementation;  ///< "netlib", "nvidia", "reference", ...
  std::string version;         ///< as printed; empty: not printed
  bool complete = false;       ///< the result and its check are both there
  std::vector<Parameter> parameters;
  std::vector<Metric> metrics;
  std::vector<Fact> facts;
  std::vector<Phase> phases;  ///< in the order of the log; empty: the benchmark has none
  std::string reason;         ///< why there is no result, or why it is not complete
  std::vector<std::string> warnings;
  /// No result: what a file that a program writes beside its logs contains about a run (IO500's config.ini).
  /// It has no metrics, `joined` adds it to a result of its folder, and alone it is ignored. `reason` names
  /// what it is.
  bool part = false;
  friend bool operator==(const ParsedResult&, const ParsedResult&) = default;

  [[nodiscard]] const Metric* metric(std::string_view name) const;
  [[nodiscard]] const Fact* fact(std::string_view name) const;
};

/// Takes the results of a log as they become whole.
using ResultSink = std::function<void(ParsedResult&&)>;

/// Reads one log of one grammar. Its memory does not grow with the log.
class LogReader {
 public:
  LogReader() = default;
  virtual ~LogReader() = default;
  LogReader(const LogReader&) = delete;
  LogReader& operator=(const LogReader&) = delete;

  /// The next line. `line.text` is only valid during the call.
  virtual void read(const LogLine& line) = 0;
  /// The log is over: gives the remaining results to the sink. A log of this grammar without a result gives
  /// one incomplete ParsedResult with the reason; a text of another grammar gives nothing.
  virtual void finish() = 0;
};

/// A result and the file it was read from.
struct FileResult {
  std::string file;
  ParsedResult result;
  // NOLINTBEGIN(readability-redundant-member-init): g++ 12 wants one where an initialiser omits it
  std::vector<std::string> others{};  ///< files joined into this
  std::string set{};  ///< of runs that are known to make one score; empty: by the files' names
  // NOLINTEND(readability-redundant-member-init)
};

/// A log grammar: one constant per parsers/<id>.cpp. Pure: text in, values out.
struct Parser {
  std::string_view id;     ///< "hpl"
  std::string_view suite;  ///< suite of its results
  /// Every log of this grammar contains at least one of these texts, even a failed or cut one. A log without
  /// any isn't read by it.
  std::span<const std::string_view> needles;
  /// The names of all metrics that its results can have. `*` replaces what the log itself names (a trial, a
  /// phase, a unit that a program was asked for): "fp64_gflops_trial_*".
  std::span<const std::string_view> metrics;
  std::unique_ptr<LogReader> (*reader)(ResultSink sink) = nullptr;
  std::string_view marks;  ///< what a log of this grammar shows, for the message that a text is none
  /// Joins the results of this grammar from the files of one folder where several files are of one run
  /// (IO500's result.txt and result_summary.txt). Parts that belong to none are returned as they are. Null:
  /// each file is a result of its own.
  std::vector<FileResult> (*joined)(std::vector<FileResult> results) = nullptr;
};

/// All grammars, from parsers/*.cpp.
std::span<const Parser* const> parsers();

/// Whether a text was refused for how it is encoded: it may be a log. UTF-16 is read by no grammar.
bool is_unread_text(const Error& error);

/// Whether a result of the grammar can have that metric.
bool can_give(const Parser& grammar, std::string_view metric);

/// Reads a log twice, in constant memory, by the grammars whose needles it has, and gives each result to
/// `sink` as soon as it is whole. `suite`: only grammars of that suite; empty: any. Fails on a suite without
/// a grammar, on what can't be read, and on a text without a result of any grammar with a sentence on what
/// was looked for; the caller, who knows the file, sets `where`. Parts are not given: a text that is one is
/// no log.
Result<void> parse_log(TextSource& source, std::string_view suite, const ResultSink& sink);

/// Takes the results of a log with the grammar that read each.
using GrammarSink = std::function<void(const Parser& grammar, ParsedResult&& result)>;

/// As above, for a caller who must know which grammar a result is of, and who joins parts to the results of
/// their folder or reports each as ignored.
Result<void> parse_log_by_grammar(TextSource& source, std::string_view suite, const GrammarSink& sink);

/// The message about a part that no result takes.
Error part_alone(const std::string& file, const ParsedResult& part);

/// As `parse_log`, all at once.
Result<std::vector<ParsedResult>> parsed_log(std::string_view text, std::string_view suite = {});

/// The results of a log by one grammar, and parts; none where the text is no log of it.
Result<std::vector<ParsedResult>> parsed_by(const Parser& parser, TextSource& source);

/// The results of a log with several runs, on their way to its reader's sink. A run without values becomes a
/// warning beside the results of the others; if no run has any, the last one is the result.
class HeldResults {
 public:
  explicit HeldResults(ResultSink sink) : sink_(std::move(sink)) {}

  /// The results of a run that ended, in the order of the log.
  void give(std::vector<ParsedResult> results);
  /// A result of a run too long to wait for its end: nothing below it is reported with it.
  void pass(ParsedResult&& result);
  /// A run that ended without a result; `run` has the reason.
  void lose(ParsedResult run, int first_line);
  /// The log is over.
  void finish();

 private:
  void release();

  static constexpr size_t most_held = 100;  ///< results that may wait for the lines below them
  static constexpr size_t most_lost = 20;   ///< runs that are reported, the last ones
  ResultSink sink_;
  std::vector<ParsedResult> held_;
  std::vector<std::string> lost_;
  std::optional<ParsedResult> last_lost_;
  bool any_ = false;
};

}  // namespace shakedown
