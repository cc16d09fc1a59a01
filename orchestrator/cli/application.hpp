#pragma once

namespace CLI {
class App;
}

namespace shakedown {

/// Parses the command line, runs the command, prints an Error if there is one. The result is the exit code.
int run_application(int argc, char** argv);

/// Declares all commands on `app`, for what walks over them (completion).
void declare_commands(CLI::App& app);

}  // namespace shakedown
