#include "parsers/io500/session.hpp"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "orchestrator/core/text.hpp"
#include "parsers/io500/phases.hpp"
#include "parsers/number.hpp"

namespace shakedown {
namespace {

/// "srun -w n1 /opt/bin/ior -w" -> "/opt/bin/ior -w": launchers have options of the same names.
std::string_view without_launcher(std::string_view command) {
  for (const std::string_view program : {"/mdtest ", "/ior "})
    if (const size_t at = command.rfind(program); at != std::string_view::npos) return command.substr(at);
  return command;
}

}  // namespace

Io500Phase* Io500Session::phase(std::string_view name) {
  const auto it =
      std::find_if(phases.begin(), phases.end(), [&](const Io500Phase& p) { return p.name == name; });
  return it == phases.end() ? nullptr : &*it;
}

void Io500Session::remember(std::vector<Io500Text>& list, std::string_view text, int line) {
  constexpr size_t most = 64;
  if (list.size() < most) list.push_back({std::string(text.substr(0, longest_value)), line});
}

void Io500Sessions::Tail::add(const LogLine& line) {
  const std::string_view text = line.text.substr(0, most_bytes);
  if (lines.size() < most_lines) {
    lines.emplace_back(line.number, text);
    return;
  }
  lines[next].first = line.number;
  lines[next].second.assign(text);
  next = (next + 1) % most_lines;
}

void Io500Sessions::read(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  session_.last_line = line.number;
  if (text.empty()) return;
  bool known = false;
  switch (text.front()) {
    case '[':
      known = bracket(text, line);
      break;
    case ';':
      known = comment(text, line);
      break;
    case '+':  // a shell's trace quotes rows and settings before they are true
      return;
    default:
      known = said(text, line) || pair(text, line) || glued(text, line);
  }
  if (!known) tail_.add(line);
}

/// Begins another run, unless nothing but a complaint was seen: the program complains of its configuration
/// before it prints its version.
void Io500Sessions::begin(int line) {
  const bool begun = session_.run.contains("version") || !session_.phases.empty() || session_.scripts ||
                     session_.score.line != 0 || session_.failure.has_value();
  if (session_.evidence && begun) {
    hand_over();
    session_.first_line = session_.last_line = line;
  }
  section_.clear();
}

void Io500Sessions::hand_over() {
  if (session_.evidence) {
    if (session_.score.line == 0)
      for (const auto& [number, text] : tail_.lines) note(session_.failure, failure_in({text, number, true}));
    done_(std::move(session_));
  }
  session_ = {};
  tail_ = {};
  section_.clear();
}

void Io500Sessions::finish() {
  hand_over();
}

bool Io500Sessions::bracket(std::string_view text, const LogLine& line) {
  return row(text, line) || step(text, line) || section(text, line);
}

/// "IO500 version io500-isc25_v2 (standard)": version and mode may be missing.
bool Io500Sessions::header(std::string_view text, const LogLine& line) {
  static constexpr std::string_view banner = "IO500 version";
  if (!text.starts_with(banner) || !line.terminated) return false;
  std::string_view rest = text.substr(banner.size());
  if (!rest.empty() && rest.front() != ' ') return false;
  const auto pieces = words(rest);
  const bool has_mode = !pieces.empty() && pieces.back().starts_with('(') && pieces.back().ends_with(')');
  const size_t versions = pieces.size() - (has_mode ? 1 : 0);
  if (versions > 1) return false;
  begin(line.number);
  session_.run["version"] = {versions == 1 ? std::string(pieces.front()) : "", line.number};
  if (has_mode)
    session_.run["mode"] = {std::string(pieces.back().substr(1, pieces.back().size() - 2)), line.number};
  session_.evidence = has_mode || (versions == 1 && pieces.front().starts_with("io500-"));
  return true;
}

bool Io500Sessions::row(std::string_view text, const LogLine& line) {
  if (!line.terminated) return false;
  if (const auto total = io500_score_row(text)) return score(*total, line);
  const auto found = io500_row(text);
  if (!found) return false;
  if (!session_.summed_up && (session_.score.line != 0 || session_.keyed)) begin(line.number);
  add_row(*found, line);
  const bool of_scripts = text.find(" phase ") != std::string_view::npos;
  session_.scripts = session_.scripts || of_scripts;
  if (found->decimal && !of_scripts) session_.decimal_unit = {found->phase + " in GB/s", line.number};
  session_.last_row = text;
  if (!session_.summed_up) session_.last_own_row = text;
  return true;
}

/// Adds a row. The scripts list the rows of all runs that wrote to one summary: what this run printed as its
/// phases ended counts before those, of the others the last.
void Io500Sessions::add_row(const Io500Row& row, const LogLine& line) {
  Io500Phase* known = session_.phase(row.phase);
  if (known != nullptr) {
    known->invalid = known->invalid || (row.invalid && known->score.text == row.value);
    if (known->score.text == row.value && known->time.text == row.time) return;
    if (session_.summed_up && !known->listed) return;
    if (!session_.summed_up) begin(line.number);
    known = session_.phase(row.phase);
  }
  if (known == nullptr) {
    if (session_.phases.size() >= Io500Session::most_phases) return;
    known = &session_.phases.emplace_back();
  }
  known->name = row.phase;
  known->line = line.number;
  known->score = {row.value, line.number};
  known->time = {row.time, line.number};
  known->invalid = row.invalid;
  known->listed = session_.summed_up;
  session_.evidence = true;
  session_.open_phase = {};
}

bool Io500Sessions::score(const Io500ScoreRow& row, const LogLine& line) {
  // The scripts' list includes the scores of earlier runs: this run's score is behind its own last row.
  if (session_.summed_up && !session_.last_own_row.empty() && session_.last_row != session_.last_own_row)
    return true;
  if (session_.keyed) begin(line.number);
  const Io500Score& known = row.extended ? session_.extended : session_.score;
  if (known.line != 0) {
    if (known.SCORE.text == row.SCORE && known.mark == row.mark) return true;
    if (!session_.summed_up) {
      session_.second_score = {row.SCORE, line.number};
      begin(line.number);
    }
  }
  if (row.decimal && row.padded) session_.decimal_unit = {"the score in GB/s", line.number};
  Io500Score& total = row.extended ? session_.extended : session_.score;
  total.line = line.number;
  total.BW = {row.BW, line.number};
  total.MD = {row.MD, line.number};
  total.SCORE = {row.SCORE, line.number};
  total.mark = row.mark;
  session_.evidence = true;
  session_.open_phase = {};
  return true;
}

/// Lines that the scripts print about their steps: "[Starting] ior_easy_write".
bool Io500Sessions::step(std::string_view text, const LogLine& line) {
  const size_t close = text.find(']');
  if (close == std::string_view::npos || !line.terminated) return false;
  const std::string_view tag = text.substr(1, close - 1);
  const std::string_view rest = trimmed(text.substr(close + 1));
  if (tag == "Starting" || tag == "Skipping") {
    const auto phase = io500_phase_name(rest);
    if (!phase) return rest == "mdreal";
    session_.scripts = session_.output = session_.evidence = true;
    if (tag == "Starting")
      session_.open_phase = {*phase, line.number};
    else if (*phase != "timestamp")
      session_.remember(session_.skipped, *phase, line.number);
    return true;
  }
  if (tag == "Exec" || tag == "EXEC") {
    if (session_.open_phase.line != 0)
      session_.run["command " + session_.open_phase.text] = {
          std::string(without_launcher(rest).substr(0, Io500Session::longest_value)), line.number};
    return session_.open_phase.line != 0;
  }
  if (tag == "Summary") {
    session_.scripts = session_.summed_up = session_.output = true;
    session_.open_phase = {};
    return true;
  }
  if (tag == "Warning" || tag == "WARNING") {
    const bool unofficial = rest.starts_with("This cannot be an official IO-500 score");
    if (unofficial) session_.unofficial = {std::string(rest), line.number};
    return unofficial;
  }
  return false;
}

/// Lines of standard output beside the rows.
bool Io500Sessions::said(std::string_view text, const LogLine& line) {
  switch (text.front()) {
    case 'I':
      return header(text, line);
    case 'E':
      if (!begins_with(text, "ERROR INVALID (") || !line.terminated) return false;
      session_.output = session_.evidence = true;
      return complaint(text.substr(14), line);
    case 'F':
      if (!begins_with(text, "FATAL (") ||
          (!session_.reference && text.substr(0, 200).find("src/") == std::string_view::npos))
        return false;
      session_.evidence = true;
      note(session_.failure, Failure{line.number, 5, quoted_line(line.number, "IO500 stopped", text)});
      return true;
    case 'O':
      if (!begins_with(text, "One or more test phases invalid")) return false;
      session_.unofficial = {std::string(text), line.number};
      return true;
    case 'C':
      return remark(text, line);
    case 'R':
      if (remark(text, line)) return true;
      if (!begins_with(text, "Running the IO500 Benchmark now")) return false;
      if (session_.score.line != 0 || !session_.phases.empty()) begin(line.number);
      session_.scripts = session_.output = session_.evidence = true;
      return true;
    case 'T': {
      static constexpr std::string_view words = "The result files are stored in the directory: ";
      if (!text.starts_with(words) || !line.terminated) return false;
      session_.output = true;
      session_.run["result-dir"] = {std::string(text.substr(words.size())), line.number};
      return true;
    }
    case 'S':
      if (begins_with(text, "System:") && session_.scripts) begin(line.number);
      [[fallthrough]];
    case 'M':
      if (!begins_with(text, "Synchronizing and cleaning the cache") && !begins_with(text, "Mem: "))
        return false;
      session_.run["dropped caches"] = {std::string(text), line.number};
      return true;
    case 's':
      if (!begins_with(text, "shakedown IO500 reference ") || !line.terminated) return false;
      begin(line.number);
      session_.reference = session_.evidence = session_.output = true;
      return true;
    default:
      return false;
  }
}

/// Lines that the reference implementation prints beside IO500's own: "CACHED find: ...", "Caches dropped
/// before find", "Ranks: 2  Client nodes: 1".
bool Io500Sessions::remark(std::string_view text, const LogLine& line) {
  static constexpr std::string_view clients = "  Client nodes: ";
  if (!line.terminated) return false;
  if (begins_with(text, "CACHED ")) {
    const std::string_view rest = text.substr(std::string_view("CACHED ").size());
    const auto phase = io500_phase_name(rest.substr(0, rest.find(':')));
    if (phase) session_.remember(session_.cached, *phase, line.number);
    return phase.has_value();
  }
  if (begins_with(text, "Caches dropped before ")) {
    session_.run["dropped caches"] = {std::string(text), line.number};
    return true;
  }
  const size_t at = begins_with(text, "Ranks: ") ? text.find(clients) : std::string_view::npos;
  if (at == std::string_view::npos || !session_.reference) return false;
  session_.run["clients"] = {std::string(text.substr(at + clients.size())), line.number};
  return true;
}

/// A row behind what another rank wrote without a line feed. Behind a quotation mark it is only quoted.
bool Io500Sessions::glued(std::string_view text, const LogLine& line) {
  const size_t bracket = text.find('[');
  if (bracket == std::string_view::npos || !line.terminated || !session_.run.contains("version"))
    return false;
  size_t at = text.find("[RESULT]", bracket);
  if (at == std::string_view::npos) at = text.find("[SCORE", bracket);
  if (at == std::string_view::npos || at == 0) return false;
  if (std::string_view("'\"`>|+ \t").find(text[at - 1]) != std::string_view::npos) return false;
  return row(text.substr(at), line);
}

namespace {

constexpr std::string_view invalid_mark = "[INVALID]";

/// The text between the brackets at the start of a line, and the text behind them.
struct Tagged {
  std::string_view tag;
  std::string_view rest;
};
std::optional<Tagged> tagged(std::string_view text) {
  constexpr size_t longest = 20;
  const size_t close = text.substr(0, longest).find(']');
  if (text.empty() || text.front() != '[' || close == std::string_view::npos) return std::nullopt;
  return Tagged{trimmed(text.substr(1, close - 1)), text.substr(close + 1)};
}

/// Takes the mark off the end of the words.
bool take_mark(std::vector<std::string_view>& pieces) {
  if (pieces.empty() || pieces.back() != invalid_mark) return false;
  pieces.pop_back();
  return true;
}

}  // namespace

std::optional<Io500Row> io500_row(std::string_view text) {
  const auto line = tagged(text);
  if (!line || (line->tag != "RESULT" && line->tag != "RESULT-invalid" && !line->tag.empty()))
    return std::nullopt;
  auto pieces = words(line->rest);
  Io500Row row;
  row.invalid = take_mark(pieces) || line->tag == "RESULT-invalid";
  if (pieces.size() == 10 && (pieces[0] == "BW" || pieces[0] == "IOPS") && pieces[1] == "phase")
    pieces.erase(pieces.begin(), pieces.begin() + 3);
  if (pieces.size() != 7 || pieces[3] != ":" || pieces[4] != "time" || pieces[6] != "seconds")
    return std::nullopt;
  const auto phase = io500_phase_name(pieces[0]);
  const auto unit = io500_unit(pieces[2]);
  if (!phase || !unit) return std::nullopt;
  row.phase = *phase;
  row.value = pieces[1];
  row.unit = *unit;
  row.decimal = pieces[2] == "GB/s";
  row.time = pieces[5];
  return row;
}

std::optional<Io500ScoreRow> io500_score_row(std::string_view text) {
  static constexpr std::string_view plain = "SCORE";
  const auto line = tagged(text);
  if (!line || !line->tag.starts_with(plain)) return std::nullopt;
  Io500ScoreRow row;
  const std::string_view mark = trimmed(line->tag.substr(plain.size()));
  row.extended = mark == "X" || mark == "_EXTENDED";
  auto pieces = words(line->rest);
  if (take_mark(pieces) || mark == "-invalid" || mark == "INVALID")
    row.mark = "INVALID";
  else if (mark == "-valid")
    row.mark = "valid";
  else if (!mark.empty() && !row.extended)
    return std::nullopt;
  if (pieces.size() != 10 || pieces[0] != "Bandwidth" || pieces[3] != ":" || pieces[4] != "IOPS" ||
      pieces[7] != ":" || pieces[8] != "TOTAL" || !io500_unit(pieces[2]) || pieces[6] != "kiops")
    return std::nullopt;
  row.decimal = pieces[2] == "GB/s";
  row.padded = text.substr(0, text.find(']')).ends_with(' ');
  row.BW = pieces[1];
  row.MD = pieces[5];
  row.SCORE = pieces[9];
  return row;
}

}  // namespace shakedown
