#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace shakedown {

/// Where this program's own files lie, found from the executable's path, so that a prefix can be moved.
struct Layout {
  std::filesystem::path executable;  ///< the running program
  std::filesystem::path
      libexec;                  ///< <prefix>/libexec/shakedown: the attempt wrapper and the reference kernels
  std::filesystem::path share;  ///< <prefix>/share/shakedown: implementations, baselines, criteria, systems
};

/// The layout of the running program: <prefix>/bin/shakedown.
Layout installed_layout();

/// This machine's name, from gethostname(2).
std::string host_name();

/// The first executable called `name` in PATH, as an absolute path; empty if there is none. A name with a
/// slash is looked up as it is.
std::filesystem::path program_in_path(std::string_view name);

}  // namespace shakedown
