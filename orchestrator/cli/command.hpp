#pragma once
#include <functional>
#include <span>
#include <string>
#include <string_view>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/text.hpp"

namespace CLI {
class App;
}

namespace shakedown {

/// Options that every command takes, before or after its name.
struct CommonOptions {
  std::string workspace = default_workspace;
  std::string color = "auto";     ///< auto, always, never
  std::string progress = "auto";  ///< auto, bar, plain, none
  bool json = false;
  int verbose = 0;
  bool quiet = false;
};

/// One subcommand: adds its options to `app` and returns what runs it. The result is the exit code.
struct Command {
  std::string_view id;     ///< "inventory"
  std::string_view about;  ///< one line for the list of commands
  int rank = 100;          ///< place in that list
  std::function<Result<int>()> (*declare)(CLI::App& app, const CommonOptions& common) = nullptr;
};

/// All commands, from orchestrator/cli/*.cpp.
std::span<const Command* const> commands();

}  // namespace shakedown
