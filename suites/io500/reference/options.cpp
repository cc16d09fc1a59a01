#include "suites/io500/reference/options.hpp"

#include <string_view>

namespace io500 {

const char* const usage =
    "usage: mpirun -np RANKS io500 CONFIG.ini [--io-dir DIR] [--timestamp NAME]\n"
    "       io500 [CONFIG.ini] [--io-dir DIR] --clean\n"
    "\n"
    "Runs the twelve phases of IO500 on files of its own and prints them in IO500's grammar. It reads the "
    "INI\n"
    "of the official program.\n"
    "\n"
    "  --io-dir DIR      the data directory instead of the configuration's; a network file system is used "
    "only\n"
    "                    where it is named so\n"
    "  --timestamp NAME  instead of the time, for timestamp-datadir and timestamp-resultdir\n"
    "  --clean           removes the files that killed runs left, which their marker files prove, and ends\n"
    "  --config-hash     prints the configuration's hash and ends\n"
    "\n"
    "At most a tenth of the free space is filled. The data directory must be empty or not there, and is as "
    "it\n"
    "was when the run ends, however it ends. Exit code: 0 the run is done, though it may be too short to be\n"
    "valid; 1 contents are wrong or a phase failed; 2 the command line, the configuration or the directory "
    "is\n"
    "wrong.\n";

Result<Options> parse_options(int argc, char** argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    const size_t equals = word.find('=');
    const std::string_view option = word.substr(0, word.starts_with("--") ? equals : std::string_view::npos);
    const auto value = [&](std::string& to) -> Result<void> {
      if (option.size() < word.size())
        to = word.substr(equals + 1);
      else if (i + 1 < argc)
        to = argv[++i];
      if (to.empty()) return tl::unexpected(std::string(option) + " needs a value");
      return {};
    };
    Result<void> ok;
    if (word == "--help" || word == "-h")
      options.help = true;
    else if (option == "--io-dir")
      ok = value(options.io_dir);
    else if (option == "--timestamp")
      ok = value(options.timestamp);
    else if (word == "--clean")
      options.clean = true;
    else if (word == "--config-hash")
      options.hash = true;
    else if (word.starts_with("-"))
      ok = tl::unexpected("unknown option '" + std::string(word) + "'");
    else if (options.ini.empty())
      options.ini = word;
    else
      ok = tl::unexpected("a second configuration '" + std::string(word) + "'");
    if (!ok) return tl::unexpected(ok.error());
  }
  if (options.timestamp.find('/') != std::string::npos)
    return tl::unexpected(std::string("--timestamp must be a name without '/'"));
  const bool names_directory = options.clean && !options.io_dir.empty();
  if (options.ini.empty() && !options.help && !names_directory)
    return tl::unexpected(std::string("the name of a configuration is missing"));
  return options;
}

}  // namespace io500
