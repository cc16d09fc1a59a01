#include "parsers/io500/config.hpp"

#include <fmt/format.h>
#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/io500/phases.hpp"

namespace shakedown {
namespace {

struct Option {
  std::string_view section;
  std::string_view key;
};

/// What every version writes, from isc20 on. A text without one of these was not written by the program, or
/// not to its end.
constexpr std::array<Option, 40> needed = {{{"global", "datadir"},
                                            {"global", "timestamp-datadir"},
                                            {"global", "resultdir"},
                                            {"global", "timestamp-resultdir"},
                                            {"global", "api"},
                                            {"global", "drop-caches"},
                                            {"global", "drop-caches-cmd"},
                                            {"global", "verbosity"},
                                            {"debug", "stonewall-time"},
                                            {"ior-easy", "API"},
                                            {"ior-easy", "transferSize"},
                                            {"ior-easy", "blockSize"},
                                            {"ior-easy", "filePerProc"},
                                            {"ior-easy", "uniqueDir"},
                                            {"ior-easy", "verbosity"},
                                            {"ior-easy-write", "API"},
                                            {"mdtest-easy", "API"},
                                            {"mdtest-easy", "n"},
                                            {"mdtest-easy-write", "API"},
                                            {"ior-hard", "API"},
                                            {"ior-hard", "segmentCount"},
                                            {"ior-hard", "verbosity"},
                                            {"ior-hard-write", "API"},
                                            {"mdtest-hard", "API"},
                                            {"mdtest-hard", "n"},
                                            {"mdtest-hard-write", "API"},
                                            {"find", "external-script"},
                                            {"find", "external-mpi-args"},
                                            {"find", "external-extra-args"},
                                            {"find", "nproc"},
                                            {"find", "pfind-queue-length"},
                                            {"find", "pfind-steal-next"},
                                            {"find", "pfind-parallelize-single-dir-access-using-hashing"},
                                            {"ior-easy-read", "API"},
                                            {"mdtest-easy-stat", "API"},
                                            {"ior-hard-read", "API"},
                                            {"mdtest-hard-stat", "API"},
                                            {"mdtest-easy-delete", "API"},
                                            {"mdtest-hard-read", "API"},
                                            {"mdtest-hard-delete", "API"}}};

constexpr std::size_t longest_list = 2048;  ///< of the sections' names; the programs have half as much

bool has_word(std::string_view list, std::string_view word) {
  const auto all = words(list);
  return std::find(all.begin(), all.end(), word) != all.end();
}

}  // namespace

void Io500Config::take(const LogLine& line) {
  const std::string_view text = trimmed(line.text);
  broken_ = broken_ || (!line.terminated && !text.empty());
  ended_ = line.terminated && text.empty();
  last_line_ = line.number;
  if (text.empty()) return;
  if (text.front() == '#' || text.front() == ';')
    comments_ = true;
  else
    foreign_ = text.front() == '[' ? !section(text) : !option(text);
}

bool Io500Config::section(std::string_view text) {
  if (!text.ends_with(']')) return false;
  const std::string_view name = trimmed(text.substr(1, text.size() - 2));
  const bool of_all = name == "global" || name == "debug";
  if (section_.empty() && name != "global") return false;
  if (!of_all && name != "mdworkbench" && !io500_phase_name(name)) return false;
  known_ = known_ || !of_all;
  if (has_word(sections_, name)) twice_ = fmt::format("[{}]", name);
  section_ = name;
  if (sections_.size() + section_.size() >= longest_list) return false;
  sections_ += (sections_.empty() ? "" : " ") + section_;
  return true;
}

bool Io500Config::option(std::string_view text) {
  const size_t equals = text.find('=');
  if (equals == std::string_view::npos || section_.empty()) return false;
  const std::string key(trimmed(text.substr(0, equals)));
  const std::string value(trimmed(text.substr(equals + 1)));
  if (key.empty() || key.find(' ') != std::string::npos) return false;
  const auto* it = std::find_if(needed.begin(), needed.end(), [&](const Option& option) {
    return option.section == section_ && option.key == key;
  });
  if (it != needed.end()) {
    const auto place = static_cast<size_t>(it - needed.begin());
    if (seen_.test(place)) twice_ = fmt::format("{} of [{}]", key, section_);
    seen_.set(place);
  }
  // An option without a value is not hashed, but where the program's default is a text of no letters.
  const std::uint32_t hash = io500_hash(std::vector<Io500Pair>{{key, value}});
  const bool empty_text = key == "external-extra-args" || key == "external-mpi-args";
  if (!value.empty() || empty_text) hash_ ^= hash;
  if (!value.empty() || key == "external-extra-args") hash_2020_ ^= hash;
  return true;
}

std::string Io500Config::lack() const {
  static_assert(needed.size() <= most_needed);
  if (comments_) return "it has comments, and the program writes none: it is what the run was given";
  if (broken_) return fmt::format("line {} is cut", last_line_);
  if (!twice_.empty()) return fmt::format("it has {} twice", twice_);
  for (size_t i = 0; i < needed.size(); ++i)
    if (!seen_.test(i)) return fmt::format("it has no {} of [{}]", needed[i].key, needed[i].section);
  if (!ended_) return fmt::format("it ends at line {} within [{}]", last_line_, section_);
  return "";
}

std::optional<ParsedResult> Io500Config::part() const {
  if (foreign_ || !known_) return std::nullopt;
  ParsedResult part;
  part.suite = "io500";
  part.part = true;
  part.reason = "this is a configuration of IO500; the run's results are in the result.txt beside it";
  part.facts.push_back({"source", "config.ini", 1});
  part.facts.push_back({"config.hash", io500_hash_text(hash_), last_line_});
  part.facts.push_back({"config.hash", io500_hash_text(hash_2020_), last_line_});
  part.facts.push_back({"config.sections", sections_, last_line_});
  if (const std::string why = lack(); !why.empty()) part.facts.push_back({"config.lack", why, last_line_});
  return part;
}

bool io500_has_option(std::string_view command, std::string_view option) {
  for (const std::string_view word : words(command))
    if (word == option) return true;
  return false;
}

bool io500_has_option(std::string_view command, std::string_view option, std::string_view value) {
  const auto pieces = words(command);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] == option && i + 1 < pieces.size() && pieces[i + 1] == value) return true;
    if (pieces[i].size() == option.size() + 1 + value.size() && pieces[i].starts_with(option) &&
        pieces[i][option.size()] == '=' && pieces[i].ends_with(value))
      return true;
  }
  return false;
}

std::optional<std::string_view> io500_option_value(std::string_view command, std::string_view option) {
  const auto pieces = words(command);
  for (size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i] == option && i + 1 < pieces.size()) return pieces[i + 1];
    if (pieces[i].size() > option.size() + 1 && pieces[i].starts_with(option) &&
        pieces[i][option.size()] == '=')
      return pieces[i].substr(option.size() + 1);
  }
  return std::nullopt;
}

namespace {

constexpr std::uint32_t added(std::uint32_t hash, std::string_view text) {
  // A char of the programs is signed where IO500 runs (x86); beyond ASCII there is nothing to hash anyway.
  for (const char c : text)
    hash = ((hash << 2U) | (hash >> 30U)) + static_cast<std::uint32_t>(static_cast<signed char>(c));
  return hash;
}

}  // namespace

std::uint32_t io500_hash(std::string_view text) {
  return added(0, text);
}

std::uint32_t io500_hash(const std::vector<Io500Pair>& pairs) {
  std::uint32_t hash = 0;
  for (const auto& [key, value] : pairs) hash ^= added(added(0, key), value);
  return hash;
}

std::string io500_hash_text(std::uint32_t hash) {
  return fmt::format("{:X}", hash);
}

std::optional<std::vector<std::string>> io500_score_hashes(const ParsedResult& result, bool extended) {
  const std::string section = extended ? "SCOREX" : "SCORE";
  const Fact* score = result.fact(section + ".SCORE");
  const Fact* MD = result.fact(section + ".MD");
  const Fact* BW = result.fact(section + ".BW");
  const Fact* version = result.fact("version");
  if (score == nullptr || MD == nullptr || BW == nullptr || version == nullptr) return std::nullopt;
  std::vector<Io500Pair> pairs;
  if (!extended) pairs.emplace_back("version", version->value);
  size_t official = 0;
  for (const Phase& phase : result.phases) {
    if (phase.scored == extended || !io500_counts_in_extended(phase.name)) continue;
    const Fact* printed = result.fact(phase.name + ".score");
    if (printed == nullptr) return std::nullopt;
    pairs.emplace_back(phase.name, printed->value);
    ++official;
  }
  if (!extended && official != io500_official.size()) return std::nullopt;
  pairs.emplace_back("SCORE", score->value);
  if (const Fact* mark = result.fact(section + ".mark"); mark != nullptr && mark->value == "INVALID")
    pairs.emplace_back("valid", "NO");
  const std::uint32_t without_means = io500_hash(pairs);
  pairs.emplace_back("MD", MD->value);
  pairs.emplace_back("BW", BW->value);
  return std::vector{io500_hash_text(io500_hash(pairs)), io500_hash_text(without_means)};
}

}  // namespace shakedown
