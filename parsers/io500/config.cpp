#include "parsers/io500/config.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "orchestrator/core/text.hpp"
#include "parsers/io500/hash.hpp"
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

}  // namespace shakedown
