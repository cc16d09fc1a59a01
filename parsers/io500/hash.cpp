#include "parsers/io500/hash.hpp"

#include <fmt/format.h>

#include "parsers/io500/phases.hpp"

namespace shakedown {
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
