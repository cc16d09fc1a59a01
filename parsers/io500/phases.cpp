#include "parsers/io500/phases.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/io500/session.hpp"

namespace shakedown {

const Io500Official* io500_official_phase(std::string_view name) {
  const auto* it = std::find_if(io500_official.begin(), io500_official.end(),
                                [&](const Io500Official& phase) { return phase.name == name; });
  return it == io500_official.end() ? nullptr : it;
}

std::optional<std::string> io500_phase_name(std::string_view printed) {
  constexpr size_t longest = 40;
  if (printed.size() > longest) return std::nullopt;
  std::string name(printed);
  std::replace(name.begin(), name.end(), '_', '-');
  const bool known = name == "find" || name == "timestamp" || name.starts_with("ior-") ||
                     name.starts_with("mdtest-") || name.starts_with("find-") ||
                     name.starts_with("mdworkbench-");
  const bool clean = std::all_of(name.begin(), name.end(), [](char c) {
    return c == '-' || std::isalnum(static_cast<unsigned char>(c)) != 0;
  });
  if (!known || !clean) return std::nullopt;
  return name;
}

std::optional<std::string_view> io500_unit(std::string_view printed) {
  if (printed == "GiB/s" || printed == "GB/s") return "GiB/s";
  if (printed == "kIOPS" || printed == "kiops") return "kIOPS";
  return std::nullopt;
}

std::string_view io500_unit_of_phase(std::string_view name) {
  return name.starts_with('i') ? "GiB/s" : "kIOPS";
}

bool io500_counts_in_extended(std::string_view name) {
  return name != "timestamp" && name != "mdworkbench-create" && name != "mdworkbench-delete" &&
         name != "ior-rnd4K-easy-read";
}

std::string io500_metric(std::string_view phase, std::string_view unit) {
  std::string name;
  for (const char c : phase)
    name += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  if (unit == "GiB/s") return name + "_gib_s";
  if (unit == "kIOPS") return name + "_kiops";
  return name + "_" + std::string(unit);
}

// result.txt: sections, keys and comments. Source: IO500, src/main.c, PRINT_PAIR and INVALID.

namespace {

constexpr size_t padding = 16;  ///< where result.txt has its "=" behind short keys

/// "src/main.c:394) DRY RUN" -> "DRY RUN"
std::string_view without_place(std::string_view text) {
  const size_t close = text.find(") ");
  return text.starts_with('(') && close != std::string_view::npos ? text.substr(close + 2) : text;
}

/// Keys of result.txt that are recorded of a phase.
constexpr std::array<std::string_view, 11> phase_keys = {
    "exe",         "t_start",     "t_end",   "throughput-stonewall", "rate-stonewall", "found", "nproc",
    "total-files", "last-output", "t_pause", "accessed-pairs"};

}  // namespace

/// "[ior-easy-write]" of result.txt. A configuration has the same sections: only keys prove a result.
bool Io500Sessions::section(std::string_view text, const LogLine& line) {
  if (!text.ends_with(']') || !line.terminated) return false;
  const std::string_view name = trimmed(text.substr(1, text.size() - 2));
  if (name == "run") {
    begin(line.number);
    section_ = name;
    return true;
  }
  if (name != "SCORE" && name != "SCOREX" && name != "SCORE EXTENDED" && !io500_phase_name(name))
    return false;
  if (session_.keyed && session_.score.line != 0 && name != "SCOREX" && name != "SCORE EXTENDED")
    begin(line.number);
  section_ = name;
  return true;
}

/// "; ERROR INVALID stonewall-time != 300s", "; START 2025-04-15 23:08:22"
bool Io500Sessions::comment(std::string_view text, const LogLine& line) {
  const std::string_view rest = trimmed(text.substr(1));
  if (!line.terminated) return false;
  if (rest.starts_with("ERROR INVALID ")) return complaint(rest.substr(14), line);
  if (remark(rest, line)) return true;
  for (const auto& [word, key] :
       {std::pair("START ", "start"), std::pair("END ", "end"), std::pair("CLIENTS ", "clients")})
    if (rest.starts_with(word)) {
      session_.run[key] = {std::string(trimmed(rest.substr(std::string_view(word).size()))), line.number};
      return true;
    }
  return false;
}

bool Io500Sessions::complaint(std::string_view words, const LogLine& line) {
  session_.remember(session_.invalid, trimmed(without_place(words)), line.number);
  if (!section_.empty() && session_.keyed)
    if (Io500Phase* phase = session_.phase(section_)) phase->invalid = true;
  return true;
}

bool Io500Sessions::pair(std::string_view text, const LogLine& line) {
  // Outside of sections only these keys begin a result.txt, those of the versions before [run] was printed.
  if (section_.empty() && std::string_view("vcrmpi").find(text.front()) == std::string_view::npos)
    return false;
  const size_t equals = text.substr(0, 64).find('=');
  if (equals == std::string_view::npos || !line.terminated) return false;
  const std::string_view key = trimmed(text.substr(0, equals));
  const std::string_view value = trimmed(text.substr(equals + 1)).substr(0, Io500Session::longest_value);
  if (key.find(' ') != std::string_view::npos) return false;
  if (section_.empty() || section_ == "run") return run_pair(key, value, equals == padding, line);
  if (section_ == "SCORE")
    score_pair(session_.score, key, value, line);
  else if (section_.starts_with("SCORE"))
    score_pair(session_.extended, key, value, line);
  else
    phase_pair(key, value, line);
  return true;
}

bool Io500Sessions::run_pair(std::string_view key, std::string_view value, bool padded, const LogLine& line) {
  // The scripts list their settings: "io500_stonewall_timer=300".
  const bool setting = section_.empty() && key.starts_with("io500_");
  if (!setting && section_.empty() && !padded) return false;
  static constexpr std::array<std::string_view, 5> keys = {"version", "procs", "config-hash", "result-dir",
                                                           "mode"};
  if (!setting && std::find(keys.begin(), keys.end(), key) == keys.end()) return false;
  if (!setting && key == "version" && (session_.run.contains("version") || !session_.phases.empty()) &&
      section_.empty())
    begin(line.number);
  if (session_.run.size() >= Io500Session::most_settings) return true;
  session_.run[std::string(key)] = {std::string(value), line.number};
  const bool proof = session_.run.contains("version") && session_.run.contains("config-hash") &&
                     (key == "result-dir" || key == "mode");
  if (proof) session_.keyed = session_.evidence = true;
  return true;
}

void Io500Sessions::phase_pair(std::string_view key, std::string_view value, const LogLine& line) {
  const bool kept = std::find(phase_keys.begin(), phase_keys.end(), key) != phase_keys.end();
  if (!kept && key != "score" && key != "t_delta") return;
  if (key == "nproc" && !session_.keyed) return;  // a configuration's [find] has it too
  Io500Phase* phase = session_.phase(section_);
  if (phase == nullptr) {
    if (session_.phases.size() >= Io500Session::most_phases) return;
    phase = &session_.phases.emplace_back();
    phase->name = section_;
    phase->line = line.number;
    session_.open_phase = {section_, line.number};
  }
  session_.keyed = session_.evidence = true;
  if (key == "score") {
    phase->score = {std::string(value), line.number};
    phase->line = line.number;
    session_.open_phase = {};
  } else if (key == "t_delta") {
    phase->time = {std::string(value), line.number};
    session_.open_phase = {};
  } else {
    phase->keys[std::string(key)] = {std::string(value), line.number};
  }
}

void Io500Sessions::score_pair(Io500Score& score, std::string_view key, std::string_view value,
                               const LogLine& line) {
  if (!session_.keyed) return;
  const Io500Text text = {std::string(value), line.number};
  for (const auto& [name, known] :
       {std::pair("MD", &score.MD), std::pair("BW", &score.BW), std::pair("SCORE", &score.SCORE)})
    if (key == name && known->line != 0 && known->text != value.substr(0, value.find(' ')))
      session_.second_score = {fmt::format("{} = {}", key, value), line.number};
  if (key == "MD") score.MD = text;
  if (key == "BW") score.BW = text;
  if (key == "hash") score.hash = text;
  if (key != "SCORE") return;
  const auto pieces = words(value);
  score.line = line.number;
  score.SCORE = {pieces.empty() ? "" : std::string(pieces.front()), line.number};
  if (pieces.size() > 1) score.mark = "INVALID";
}

}  // namespace shakedown
