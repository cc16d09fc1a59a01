#include "orchestrator/schedulers/template_file.hpp"

#include <regex.h>
#include <algorithm>
#include <array>

#include "orchestrator/core/file.hpp"
#include "orchestrator/core/text.hpp"
#include "orchestrator/core/toml.hpp"
#include "orchestrator/plan/placeholders.hpp"

namespace shakedown {
namespace {

namespace fs = std::filesystem;
using Phase = JobState::Phase;
using Names = std::vector<std::string>;

struct NamedEnd {
  std::string_view name;
  JobEnd end;
};
constexpr std::array named_ends = {
    NamedEnd{"unknown", JobEnd::unknown},
    NamedEnd{"completed", JobEnd::completed},
    NamedEnd{"failed", JobEnd::failed},
    NamedEnd{"timed-out", JobEnd::timed_out},
    NamedEnd{"out-of-memory", JobEnd::out_of_memory},
    NamedEnd{"node-failed", JobEnd::node_failed},
    NamedEnd{"preempted", JobEnd::preempted},
    NamedEnd{"requeued", JobEnd::requeued},
    NamedEnd{"cancelled", JobEnd::cancelled},
};

const Names& job_values() {
  static const Names names = {"name",    "short_name",  "nodes",         "hosts",     "time_s",
                              "minutes", "time_hhmmss", "folder",        "log",       "script",
                              "user",    "options",     "quoted_script", "partition", "account",
                              "qos",     "reservation", "constraint"};
  return names;
}

void check_placeholders(TomlTable& table, std::string_view key, std::string_view text, const Names& known) {
  for (const std::string& name : placeholders(text)) must_be_one_of(table, key, name, known, "placeholder");
}

CommandTemplate command_of(TomlTable& table, std::string_view key, const Names& known) {
  CommandTemplate command = table.texts(key);
  for (const std::string& element : command) {
    check_placeholders(table, key, element, known);
    if (trimmed(element).empty())
      table.reject(key, fmt::format("'{}' has an empty element", key),
                   "each is an option with its values, split at blanks");
  }
  if (!command.empty() && !placeholders(words(command.front()).front()).empty())
    table.reject(key, fmt::format("'{}' begins with a placeholder", key), "its first word is the program");
  return command;
}

CommandTemplate required_command(TomlTable& table, std::string_view key, const Names& known) {
  CommandTemplate command = command_of(table, key, known);
  if (command.empty())
    table.reject(table.has(key) ? key : "", fmt::format("'{}' is missing", key),
                 "an array: the program and its options, [\"qsub\", \"-N {name}\", \"{script}\"]");
  return command;
}

/// A pattern with at least `groups` groups.
Pattern pattern_of(TomlTable& table, std::string_view key, const std::string& text, std::size_t groups) {
  auto pattern = Pattern::compile(text);
  if (!pattern) {
    table.reject(key, pattern.error().what, pattern.error().hint);
    return {};
  }
  if (pattern->groups() < groups) {
    table.reject(key, fmt::format("'{}' has {} group{} ( ), and {} are needed", text, pattern->groups(),
                                  pattern->groups() == 1 ? "" : "s", groups));
    return {};
  }
  return *pattern;
}

Pattern required_pattern(TomlTable& table, std::string_view key, std::size_t groups) {
  const std::string text = table.required_text(key);
  return text.empty() ? Pattern() : pattern_of(table, key, text, groups);
}

Pattern optional_pattern(TomlTable& table, std::string_view key) {
  const auto text = table.optional_text(key);
  return text ? pattern_of(table, key, *text, 0) : Pattern();
}

Names fields_of(TomlTable& table, const Names& fallback, const Names& known) {
  Names fields = table.texts("fields");
  if (!table.has("fields")) fields = fallback;
  for (const std::string& field : fields)
    if (!field.empty()) must_be_one_of(table, "fields", field, known, "field");
  return fields;
}

JobEnd end_called(TomlTable& table, std::string_view key, std::string_view name) {
  Names known;
  for (const NamedEnd& each : named_ends) {
    if (each.name == name) return each.end;
    known.emplace_back(each.name);
  }
  must_be_one_of(table, key, name, known, "end of a job");
  return JobEnd::unknown;
}

void read_states(TomlTable& poll, SchedulerTemplate& read) {
  for (const std::string& state : poll.texts("pending")) read.states[state] = {Phase::pending};
  for (const std::string& state : poll.texts("running")) read.states[state] = {Phase::running};
  TomlTable ended = poll.table("ended");
  for (const std::string& state : ended.keys())
    read.states[state] = {Phase::gone, end_called(ended, state, ended.text(state, ""))};
  TomlTable withdrawn = poll.table("withdrawn");
  for (const std::string& state : withdrawn.keys())
    read.states[state] = {Phase::gone, end_called(withdrawn, state, withdrawn.text(state, "")), true};
}

void read_submit(TomlTable table, SchedulerTemplate& read) {
  read.submit = required_command(table, "command", job_values());
  read.submitted = required_pattern(table, "id", 1);
  for (const std::string& text : table.texts("later"))
    read.later.push_back(pattern_of(table, "later", text, 0));
}

void read_poll(TomlTable table, SchedulerTemplate& read) {
  read.poll = required_command(table, "command", {"id", "ids", "user"});
  read.fields = fields_of(table, {"id", "state"}, {"id", "state", "reason", "name"});
  read.record = required_pattern(table, "record", read.fields.size());
  for (const char* needed : {"id", "state"})
    if (std::ranges::find(read.fields, needed) == read.fields.end())
      table.reject("fields", fmt::format("'fields' has no \"{}\"", needed));
  read.unknown_job = optional_pattern(table, "unknown");
  read_states(table, read);
}

void read_after(TomlTable table, SchedulerTemplate& read) {
  read.after = required_command(table, "command", {"id", "user"});
  if (const auto end = table.optional_text("no_record"))
    read.no_record = end_called(table, "no_record", *end);
  for (TomlTable& each : table.tables("ends")) {
    const Pattern match = required_pattern(each, "match", 0);
    const std::string end = each.required_text("end");
    const JobEnd meant = end.empty() ? JobEnd::unknown : end_called(each, "end", end);
    read.ends.push_back({match, meant});
  }
}

void read_nodes(TomlTable table, SchedulerTemplate& read) {
  read.node_list = required_command(table, "command", {"user"});
  read.node_fields = fields_of(table, {"host", "state"}, {"host", "state"});
  read.node_record = required_pattern(table, "record", read.node_fields.size());
  read.node_out = required_pattern(table, "out", 0);
  read.node_back = optional_pattern(table, "back");
}

}  // namespace

Result<SchedulerTemplate> read_scheduler_template(const fs::path& path) {
  const auto text = named_file_content(path);
  if (!text) return failure_of(text);
  auto document = TomlTable::parse(*text, path.string());
  if (!document) return failure_of(document);
  TomlTable& table = *document;
  SchedulerTemplate read;
  read.id = path.stem().string();
  read.path = path;
  read.title = table.required_text("title");
  read.tested = table.required_text("tested");
  must_be_one_of(table, "tested", read.tested, Names{"run-here", "run-at-site", "rendered"},
                 "degree of exercise");
  read.tested_note = table.text("tested_note", "");
  read.source = table.text("source", "");
  read.host_word = table.text("host_word", read.host_word);
  check_placeholders(table, "host_word", read.host_word, {"host"});
  read.host_separator = table.text("host_separator", read.host_separator);
  const std::int64_t most = table.integer("most_nodes", 0);
  if (most < 0 || most > 1'000'000) table.reject("most_nodes", "'most_nodes' is not within 0 to 1000000");
  read.most_nodes = static_cast<int>(std::clamp<std::int64_t>(most, 0, 1'000'000));
  read.preamble = table.texts("preamble");
  for (const std::string& line : read.preamble) check_placeholders(table, "preamble", line, job_values());

  read_submit(table.table("submit"), read);
  TomlTable find = table.table("find");
  if (table.has("find")) {
    read.find = required_command(find, "command", {"name", "short_name", "user"});
    read.found = required_pattern(find, "id", 1);
  }
  read_poll(table.table("poll"), read);
  const TomlTable after = table.table("after");
  if (table.has("after")) read_after(after, read);
  TomlTable cancel = table.table("cancel");
  read.cancel = required_command(cancel, "command", {"id", "user"});
  read.kill = command_of(cancel, "kill", {"id", "user"});
  const TomlTable nodes = table.table("nodes");
  if (table.has("nodes")) read_nodes(nodes, read);
  if (auto ok = table.finished(); !ok) return failure_of(ok);
  return read;
}

Result<std::vector<SchedulerTemplate>> shipped_scheduler_templates(const Layout& layout) {
  const fs::path folder = layout.share / "schedulers";
  std::vector<fs::path> paths;
  std::error_code code;
  for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
    if (entry->path().extension() == ".toml") paths.push_back(entry->path());
  if (code) return fail_environment(folder.string(), code.message(), "is the installation complete?");
  std::ranges::sort(paths);
  std::vector<SchedulerTemplate> found;
  for (const fs::path& path : paths) {
    auto read = read_scheduler_template(path);
    if (!read) return failure_of(read);
    found.push_back(*std::move(read));
  }
  return found;
}

struct Pattern::Compiled {
  regex_t expression{};
  Compiled() = default;
  ~Compiled() { ::regfree(&expression); }
  Compiled(const Compiled&) = delete;
  Compiled& operator=(const Compiled&) = delete;
};

Result<Pattern> Pattern::compile(const std::string& text) {
  regex_t expression{};
  if (const int code = ::regcomp(&expression, text.c_str(), REG_EXTENDED); code != 0) {
    std::array<char, 200> why{};
    ::regerror(code, &expression, why.data(), why.size());
    return fail("", fmt::format("'{}' is no regular expression: {}", text, why.data()),
                "patterns are those of `grep -E`");
  }
  auto compiled = std::make_shared<Compiled>();
  compiled->expression = expression;
  return Pattern(std::move(compiled));
}

std::size_t Pattern::groups() const {
  return compiled_ ? compiled_->expression.re_nsub : 0;
}

std::optional<std::vector<std::string>> Pattern::match(std::string_view line) const {
  if (!compiled_) return std::nullopt;
  const std::string text(line);
  std::vector<regmatch_t> places(groups() + 1);
  if (::regexec(&compiled_->expression, text.c_str(), places.size(), places.data(), 0) != 0)
    return std::nullopt;
  std::vector<std::string> found;
  found.reserve(places.size());
  for (const regmatch_t& place : places)
    found.push_back(place.rm_so < 0 ? std::string()
                                    : text.substr(static_cast<std::size_t>(place.rm_so),
                                                  static_cast<std::size_t>(place.rm_eo - place.rm_so)));
  return found;
}

std::optional<std::vector<std::string>> Pattern::first_match(std::string_view text) const {
  for (const std::string_view line : split(text, '\n'))
    if (auto found = match(line)) return found;
  return std::nullopt;
}

std::optional<std::string> Pattern::first_line(std::string_view text) const {
  for (const std::string_view line : split(text, '\n'))
    if (match(line)) return std::string(trimmed(line));
  return std::nullopt;
}

}  // namespace shakedown
