#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace shakedown {

/// `text` without white space at its ends.
std::string_view trimmed(std::string_view text);

/// The pieces of `text` between `separator`s, empty ones included.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The pieces of `text` between runs of white space, none of them empty.
std::vector<std::string_view> words(std::string_view text);

/// Whether `part` is in `text`.
bool contains(std::string_view text, std::string_view part);

/// `text` with the letters A to Z made small.
std::string lower(std::string_view text);

/// `text` with the letters a to z made capital.
std::string upper(std::string_view text);

/// `text` with a blank for each line break.
std::string on_one_line(std::string text);

/// "1 case", "2 cases"; `many` is the plural of a noun that does not take an s.
std::string plural(std::int64_t number, std::string_view one, std::string_view many = {});

/// The pieces joined by `separator`.
std::string joined(std::span<const std::string> pieces, std::string_view separator);

/// ` (did you mean 'x'?)` for the candidate nearest to `name` by Damerau-Levenshtein distance, or nothing
/// when none is within a third of its length.
std::string did_you_mean(std::string_view name, std::span<const std::string> candidates);

/// `text` as one word of a POSIX shell: as it is where it needs no quotes, else in single quotes.
std::string shell_quoted(std::string_view text);

/// An argument vector as one shell line.
std::string shell_line(std::span<const std::string> argv);

}  // namespace shakedown
