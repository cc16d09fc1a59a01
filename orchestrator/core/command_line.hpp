#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace shakedown {

/// The workspace of a command that names none.
inline constexpr const char* default_workspace = "./shakedown-runs";

/// A command for the user to type, with its workspace: `shakedown resume ID -w DIR`; -w is omitted for the
/// default workspace. `words` is what follows the program's name.
std::string command_for(std::string_view words, const std::filesystem::path& workspace);

/// As `shell_quoted`, for the first word of a command: "A=b" and "if" need quotes there.
std::string shell_command(std::string_view word);

}  // namespace shakedown
