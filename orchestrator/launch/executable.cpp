#include "orchestrator/launch/executable.hpp"

namespace shakedown {

std::string executable_of(const Case& planned) {
  if (!planned.container.image.empty()) return "";
  std::string program = planned.program;
  if (program.empty() && planned.launcher.empty() && !planned.argv.empty()) program = planned.argv.front();
  const bool bare = program.find('/') == std::string::npos;
  if (bare && !planned.modules.empty()) return "";
  return program.find("{run}") == std::string::npos ? program : "";
}

}  // namespace shakedown
