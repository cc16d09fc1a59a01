#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/launch/scheduler.hpp"

namespace shakedown {

/// A POSIX extended regular expression, as `grep -E` takes it, for what other programs print.
///
/// Source: regex(7).
class Pattern {
 public:
  /// One that matches nothing.
  Pattern() = default;
  /// Fails with regcomp(3)'s own words; the caller adds the place.
  static Result<Pattern> compile(const std::string& text);

  /// What its groups match in the first line of `text` that it matches, the whole match first; a group that
  /// takes no part is empty. Nothing: no line matches.
  [[nodiscard]] std::optional<std::vector<std::string>> first_match(std::string_view text) const;
  /// The first line of `text` that it matches, without white space at its ends. Nothing: none.
  [[nodiscard]] std::optional<std::string> first_line(std::string_view text) const;
  /// What its groups match in one line.
  [[nodiscard]] std::optional<std::vector<std::string>> match(std::string_view line) const;

  [[nodiscard]] std::size_t groups() const;

 private:
  struct Compiled;
  explicit Pattern(std::shared_ptr<const Compiled> compiled) : compiled_(std::move(compiled)) {}
  std::shared_ptr<const Compiled> compiled_;
};

/// A command of a batch system: each element is an option with its values. It is split at blanks before its
/// placeholders are filled, so that a value with blanks stays one word. It is omitted as a whole if one of
/// its placeholders is empty: "-q {partition}" if the site names no partition.
using CommandTemplate = std::vector<std::string>;

/// What a state that the batch system prints means.
struct StateMeaning {
  JobState::Phase phase = JobState::Phase::running;
  JobEnd end = JobEnd::unknown;  ///< of a job that is gone
  bool withdraw = false;         ///< such a job does not begin by itself: we cancel it, and it counts as gone
};

/// How a job ended, by a pattern in a text.
struct EndPattern {
  Pattern match;
  JobEnd end = JobEnd::unknown;
};

/// A batch system described by data: share/shakedown/schedulers/<id>.toml, or a site's own file.
///
/// Placeholders of the commands: {name} {short_name} (at most 15 characters) {nodes} {hosts} {time_s}
/// {minutes} {time_hhmmss} {folder} {log} {script} {quoted_script} (as a word of a shell) {user}; the site's
/// {partition} {account} {qos} {reservation} {constraint} and {options} (its `scheduler_options`, words of
/// their own); {id} of one job, {ids} of all that are asked about: as words of their own, or joined by commas
/// within a word.
struct SchedulerTemplate {
  std::string id;              ///< the file's name without .toml
  std::filesystem::path path;  ///< of the file
  std::string title;
  std::string tested;       ///< "run-here", "run-at-site", "rendered"
  std::string tested_note;  ///< with what version, or why not
  std::string source;       ///< where its facts come from

  std::string host_word = "{host}";  ///< how a node is named in {hosts}
  std::string host_separator = ",";
  int most_nodes = 0;  ///< of one job; 0: any number
  std::vector<std::string>
      preamble;  ///< lines of the batch script above shakedown's; values are quoted for a shell

  CommandTemplate submit;
  Pattern submitted;           ///< in what it prints; its group is the job's id
  std::vector<Pattern> later;  ///< in a refusal: the queue takes no more now

  CommandTemplate find;  ///< prints a job of ours by its name; empty: there is no such command
  Pattern found;         ///< its group is the job's id

  CommandTemplate poll;
  Pattern record;  ///< a line about a job
  /// Its groups: "id", "state", "reason", "name" (may be cut at its end; a job that has another is not ours),
  /// "" (nothing).
  std::vector<std::string> fields;
  Pattern unknown_job;  ///< in the answer of a poll that fails since a job is unknown by now
  std::map<std::string, StateMeaning, std::less<>> states;  ///< others count as running: the job may write

  CommandTemplate after;         ///< reports how a job that is no longer queued ended; empty: no such command
  std::vector<EndPattern> ends;  ///< the first that matches counts
  JobEnd no_record = JobEnd::unknown;  ///< of a job that went from pending to gone, and none of them matches

  CommandTemplate cancel;
  CommandTemplate kill;  ///< at once; empty: as `cancel`

  CommandTemplate node_list;  ///< empty: all nodes count as usable
  Pattern node_record;        ///< a line about a node or a hostlist
  std::vector<std::string> node_fields;
  Pattern node_out;   ///< a state in which it takes no jobs
  Pattern node_back;  ///< one of these in which it will by itself: it saves power, or is reserved or locked
};

/// Reads a file. Unknown keys and placeholders, missing commands and wrong patterns are refused with file and
/// line.
Result<SchedulerTemplate> read_scheduler_template(const std::filesystem::path& path);

/// All that are shipped, by id: those of <share>/schedulers.
Result<std::vector<SchedulerTemplate>> shipped_scheduler_templates(const Layout& layout);

/// A scheduler that works by a template. Fails (environment) where a program that it starts is missing.
Result<std::unique_ptr<Scheduler>> template_scheduler(SchedulerTemplate description, const Site& site);

}  // namespace shakedown
