#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "parsers/parser.hpp"

namespace shakedown {

/// IO500's hash of a text: for each character the hash is turned left by two bits and the character added.
/// Source: IO500, src/util.c, rotladd().
std::uint32_t io500_hash(std::string_view text);

/// A key with its value as result.txt prints it.
using Io500Pair = std::pair<std::string, std::string>;

/// The hash that IO500 prints below a score: the exclusive or of the hashes of key and value, one behind the
/// other, for each pair. Source: IO500, src/util.c, u_hash_update_key_val().
std::uint32_t io500_hash(const std::vector<Io500Pair>& pairs);

/// Hashes as IO500 prints them: upper-case hexadecimal without leading zeros.
std::string io500_hash_text(std::uint32_t hash);

/// The hashes that the figures of a result.txt give; the first is that of the current program, the second
/// that of the versions of January to May 2021, which left MD and BW out. Nothing where a figure is missing.
/// `extended`: of [SCOREX] over the phases beyond the official ones, else of [SCORE].
///
/// Source: IO500, src/main.c (calc_score() got the hash with commit aa7f8be).
std::optional<std::vector<std::string>> io500_score_hashes(const ParsedResult& result, bool extended);

}  // namespace shakedown
