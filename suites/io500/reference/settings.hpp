#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "suites/io500/reference/ini.hpp"
#include "suites/io500/reference/pattern.hpp"
#include "suites/io500/reference/text.hpp"

namespace io500 {

/// Bytes of one transfer and block of ior-hard, and of one file of mdtest-hard. Source: IO500's rules.
inline constexpr std::int64_t hard_transfer = 47008;
inline constexpr std::int64_t hard_file = 3901;

/// What a run does, by the configuration.
struct Settings {
  std::string datadir;
  bool timestamped_data = true;  ///< the data lie in a subdirectory of datadir that has the time as name
  std::string resultdir;
  bool timestamped_results = true;
  bool drop_caches = false;
  std::string drop_command;
  std::int64_t verbosity = 1;  ///< 0: no time stamps in result.txt
  std::int64_t stonewall_s = 300;
  std::int64_t least_s = 300;  ///< a write phase that is shorter is invalid
  Packet packet = Packet::timestamp;

  std::int64_t transfer = 0;  ///< bytes, of ior-easy
  std::int64_t block = 0;     ///< bytes of a rank, of ior-easy
  std::string transfer_text;  ///< as the configuration spells them
  std::string block_text;
  bool file_per_process = true;
  bool unique_dir = false;    ///< a directory for each rank's file of ior-easy
  bool direct_write = false;  ///< ior-easy past the page cache (O_DIRECT)
  bool direct_read = false;
  std::int64_t segments = 0;    ///< of ior-hard
  std::int64_t easy_files = 0;  ///< of a rank
  std::int64_t hard_files = 0;
  std::int64_t find_ranks = 0;  ///< 0: all

  std::vector<std::string> skipped;         ///< phases whose `run` is FALSE
  std::vector<std::string> without_effect;  ///< keys that the file sets for what this program does not have
  std::uint32_t hash = 0;
  std::string effective;  ///< config.ini

  [[nodiscard]] bool runs(std::string_view phase) const;
};

/// Bytes of a size as IOR spells it: 47008, "512k", "2m", "1g". Fails on anything else, 0, and above 2^62.
Result<std::int64_t> ior_bytes(std::string_view word);

/// The settings of a configuration. Fails with "FILE:LINE: ..." on what this program cannot do: another API
/// than POSIX, buffers on GPUs, external find scripts, several directories for mdtest-hard, pauses.
Result<Settings> settings_of(const std::vector<Section>& sections, const std::string& file);

/// What a phase does, as options of IOR, mdtest and pfind; `datadir` as the configuration has it, `seed` of
/// the contents. Source: IO500, src/phase_*.c.
std::string easy_command(const Settings& settings, const std::string& datadir, std::uint32_t seed,
                         bool write);
std::string hard_command(const Settings& settings, const std::string& datadir, std::uint32_t seed,
                         bool write);
/// `operation`: 'C'reate, s'T'at, 'E' read, 'r'emove.
std::string files_command(const Settings& settings, const std::string& datadir, std::uint32_t seed, bool hard,
                          char operation);
std::string find_command(const std::string& datadir, const std::string& resultdir);

struct Options {
  std::string ini;
  std::string io_dir;     ///< the data directory, instead of the configuration's; may be on a network
  std::string timestamp;  ///< instead of the time of day in the names of directories
  bool clean = false;     ///< remove the files of killed runs, nothing else
  bool hash = false;      ///< print the configuration's hash, and nothing else
  bool help = false;
};

/// The command line. Fails with one sentence on an unknown option and on a missing value.
Result<Options> parse_options(int argc, char** argv);

extern const char* const usage;

}  // namespace io500
