#include "orchestrator/core/layout.hpp"

#include <unistd.h>

#include <cstdlib>

#include "orchestrator/core/text.hpp"

namespace shakedown {

namespace fs = std::filesystem;

Layout installed_layout() {
  std::error_code code;
  const fs::path executable = fs::read_symlink("/proc/self/exe", code);
  const fs::path prefix = executable.parent_path().parent_path();
  return {executable, prefix / "libexec" / "shakedown", prefix / "share" / "shakedown"};
}

std::string host_name() {
  char name[256] = {};
  ::gethostname(name, sizeof name - 1);
  return name;
}

fs::path program_in_path(std::string_view name) {
  const auto runnable = [](const fs::path& path) {
    std::error_code code;
    return fs::is_regular_file(path, code) && ::access(path.c_str(), X_OK) == 0;
  };
  std::error_code code;
  if (name.find('/') != std::string_view::npos) {
    const fs::path path(name);
    return runnable(path) ? fs::absolute(path, code) : fs::path();
  }
  const char* search = std::getenv("PATH");
  for (const std::string_view folder : split(search == nullptr ? "/usr/bin:/bin" : search, ':')) {
    const fs::path path = fs::path(folder.empty() ? "." : folder) / name;
    if (runnable(path)) return fs::absolute(path, code);
  }
  return {};
}

}  // namespace shakedown
