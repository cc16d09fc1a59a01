#pragma once
#include <optional>
#include <string>
#include <string_view>

namespace shakedown {

/// What reports of launchers are read with.

/// The whole number that a text begins with.
std::optional<int> leading_number(std::string_view text);

/// What stands behind a mark in a text; nothing where the mark is not there.
std::optional<std::string_view> behind(std::string_view text, std::string_view mark);

/// What srun or slurmstepd wrote in a line, which may follow a line that a program left unfinished:
/// "progress 53%srun: error: cn3: task 5: Killed"; empty: nothing.
std::string_view launcher_part(std::string_view line);

/// The first word of a text; empty: there is none.
std::string first_word(std::string_view text);

}  // namespace shakedown
