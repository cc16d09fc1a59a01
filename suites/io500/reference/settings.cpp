#include "suites/io500/reference/settings.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <string_view>

namespace io500 {
namespace {

constexpr std::int64_t most_bytes = std::int64_t{1} << 62;
constexpr std::int64_t most_transfer = std::int64_t{1} << 30;
constexpr std::int64_t most_items = 2'000'000'000;
constexpr std::int64_t sector = 4096;

struct Reader {
  const std::vector<Section>& sections;
  const std::string& file;
  std::string error;  ///< the first one

  [[nodiscard]] const Key& key(std::string_view section, std::string_view name) const {
    return key_of(sections, section, name);
  }
  [[nodiscard]] const std::string& word(std::string_view section, std::string_view name) const {
    return key(section, name).value;
  }
  [[nodiscard]] bool truth(std::string_view section, std::string_view name) const {
    return word(section, name) == "TRUE";
  }

  void refuse(const Key& at, const std::string& why) {
    if (error.empty()) error = text("%s:%d: %s", file.c_str(), at.line, why.c_str());
  }

  std::int64_t whole(std::string_view section, std::string_view name, std::int64_t least, std::int64_t most) {
    const Key& at = key(section, name);
    std::int64_t number = 0;
    std::from_chars(at.value.data(), at.value.data() + at.value.size(), number);
    if (number < least || number > most)
      refuse(at, text("%s must be %lld to %lld, but is %s", std::string(name).c_str(),
                      static_cast<long long>(least), static_cast<long long>(most), at.value.c_str()));
    return number;
  }

  std::int64_t bytes(std::string_view section, std::string_view name) {
    const Key& at = key(section, name);
    const auto size = ior_bytes(at.value);
    if (!size) refuse(at, std::string(name) + ": " + size.error());
    return size ? *size : 1;
  }

  /// Whether the API goes past the page cache: "POSIX --posix.odirect".
  bool direct(std::string_view section, std::string_view name, bool may) {
    const Key& at = key(section, name);
    if (at.value.empty() || at.value == "POSIX") return false;
    if (at.value == "POSIX --posix.odirect" && may) return true;
    refuse(at,
           at.value == "POSIX --posix.odirect"
               ? "--posix.odirect is for [ior-easy] alone: the transfers of the others are no whole sectors"
               : text("the API '%s' is not built in: it must be POSIX, for ior-easy also 'POSIX "
                      "--posix.odirect'",
                      at.value.c_str()));
    return false;
  }
};

constexpr std::array<std::string_view, 12> phases = {
    "ior-easy-write",   "mdtest-easy-write", "ior-hard-write", "mdtest-hard-write", "find",
    "ior-easy-read",    "mdtest-easy-stat",  "ior-hard-read",  "mdtest-hard-stat",  "mdtest-easy-delete",
    "mdtest-hard-read", "mdtest-hard-delete"};

/// The section whose keys hold for all phases of a benchmark: "ior-easy" of "ior-easy-write".
std::string_view parent(std::string_view phase) {
  return phase == "find" ? phase : phase.substr(0, phase.rfind('-'));
}

void read_apis(Reader& reader, Settings& settings) {
  reader.direct("global", "api", false);
  for (const std::string_view section : {"ior-hard", "mdtest-easy", "mdtest-hard"})
    reader.direct(section, "API", false);
  const bool easy = reader.direct("ior-easy", "API", true);
  for (const std::string_view phase : phases)
    if (phase != "find") {
      const bool own = reader.direct(phase, "API", phase.starts_with("ior-easy"));
      const bool direct = reader.word(phase, "API").empty() ? easy : own;
      if (phase == "ior-easy-write") settings.direct_write = direct;
      if (phase == "ior-easy-read") settings.direct_read = direct;
    }
  if ((settings.direct_write || settings.direct_read) && settings.transfer % sector != 0)
    reader.refuse(
        reader.key("ior-easy", "transferSize"),
        text("--posix.odirect wants a transferSize of whole %lld bytes", static_cast<long long>(sector)));
}

void refuse_foreign(Reader& reader) {
  const auto set = [&](std::string_view section, std::string_view name) {
    const Key& key = reader.key(section, name);
    return !key.value.empty() && key.value != "FALSE" && key.value != "0";
  };
  if (set("global", "io-buffers-on-gpu"))
    reader.refuse(reader.key("global", "io-buffers-on-gpu"), "this program keeps its buffers in main memory");
  if (set("debug", "pause-dir"))
    reader.refuse(reader.key("debug", "pause-dir"), "this program makes no pauses between phases");
  if (set("find", "external-script"))
    reader.refuse(reader.key("find", "external-script"), "this program runs its own parallel find");
  if (set("mdtest-hard", "files-per-dir"))
    reader.refuse(reader.key("mdtest-hard", "files-per-dir"),
                  "the rules want all files of mdtest-hard in one directory");
  for (const std::string_view section : {"ior-hard", "ior-hard-write", "ior-hard-read"})
    if (set(section, "collective"))
      reader.refuse(reader.key(section, "collective"), "POSIX has no collective transfers");
}

void note_without_effect(const Reader& reader, Settings& settings) {
  constexpr std::array<std::string_view, 4> others = {"find-easy", "find-hard", "mdworkbench",
                                                      "ior-rnd4K-easy-read"};
  for (const Section& section : reader.sections)
    for (const Key& key : section.keys) {
      const bool optional = std::any_of(others.begin(), others.end(), [&](std::string_view other) {
        return section.name.starts_with(other);
      });
      const bool pfind = section.name == "find" && key.name != "nproc" && key.name != "run";
      const bool talk = key.name == "verbosity" && section.name != "global";
      if (key.line != 0 && (optional || pfind || talk))
        settings.without_effect.push_back(
            text("[%s] %s", std::string(section.name).c_str(), std::string(key.name).c_str()));
    }
}

void read_sizes(Reader& reader, Settings& settings) {
  settings.transfer = reader.bytes("ior-easy", "transferSize");
  settings.block = reader.bytes("ior-easy", "blockSize");
  settings.transfer_text = reader.word("ior-easy", "transferSize");
  settings.block_text = reader.word("ior-easy", "blockSize");
  if (settings.transfer > most_transfer)
    reader.refuse(reader.key("ior-easy", "transferSize"), "transferSize is above 1 GiB");
  if (settings.block % settings.transfer != 0)
    reader.refuse(reader.key("ior-easy", "blockSize"),
                  text("blockSize %s is no multiple of transferSize %s", settings.block_text.c_str(),
                       settings.transfer_text.c_str()));
  settings.file_per_process = reader.truth("ior-easy", "filePerProc");
  settings.unique_dir = reader.truth("ior-easy", "uniqueDir");
  if (settings.unique_dir && !settings.file_per_process)
    reader.refuse(reader.key("ior-easy", "uniqueDir"), "uniqueDir wants filePerProc = TRUE");
  settings.segments = reader.whole("ior-hard", "segmentCount", 1, most_items);
  settings.easy_files = reader.whole("mdtest-easy", "n", 1, most_items);
  settings.hard_files = reader.whole("mdtest-hard", "n", 1, most_items);
}

}  // namespace

bool Settings::runs(std::string_view phase) const {
  return std::find(skipped.begin(), skipped.end(), phase) == skipped.end();
}

Result<std::int64_t> ior_bytes(std::string_view word) {
  const std::string quoted = "'" + std::string(word) + "'";
  constexpr std::string_view units = "kmgt";
  std::int64_t unit = 1;
  if (!word.empty())
    if (const size_t at = units.find(static_cast<char>(word.back() | 0x20)); at != std::string_view::npos) {
      unit = std::int64_t{1} << (10 * (at + 1));
      word.remove_suffix(1);
    }
  std::int64_t count = 0;
  const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), count);
  if (status != std::errc{} || end != word.data() + word.size() || count < 1 || count > most_bytes / unit)
    return tl::unexpected(quoted + " is no size above 0: bytes, or a number with k, m, g or t");
  return count * unit;
}

Result<Settings> settings_of(const std::vector<Section>& sections, const std::string& file) {
  Reader reader{sections, file, ""};
  Settings settings;
  settings.datadir = reader.word("global", "datadir");
  settings.timestamped_data = reader.truth("global", "timestamp-datadir");
  settings.resultdir = reader.word("global", "resultdir");
  settings.timestamped_results = reader.truth("global", "timestamp-resultdir");
  settings.drop_caches = reader.truth("global", "drop-caches");
  settings.drop_command = reader.word("global", "drop-caches-cmd");
  settings.verbosity = reader.whole("global", "verbosity", 0, 10);
  settings.stonewall_s = reader.whole("debug", "stonewall-time", 1, 1'000'000);
  if (reader.truth("global", "scc")) settings.least_s = 30;
  const auto packet = packet_of(reader.word("global", "dataPacketType"));
  if (!packet) reader.refuse(reader.key("global", "dataPacketType"), packet.error());
  if (packet) settings.packet = *packet;
  read_sizes(reader, settings);
  settings.find_ranks =
      reader.word("find", "nproc").empty() ? 0 : reader.whole("find", "nproc", 1, most_items);
  read_apis(reader, settings);
  refuse_foreign(reader);
  for (const std::string_view phase : phases)
    if (!reader.truth(phase, "run") || !reader.truth(parent(phase), "run"))
      settings.skipped.emplace_back(phase);
  note_without_effect(reader, settings);
  settings.hash = config_hash(sections);
  settings.effective = ini_text(sections);
  if (!reader.error.empty()) return tl::unexpected(reader.error);
  return settings;
}

namespace {

std::string transfers(const Settings& settings, bool write) {
  if (!write) return " -r -R";
  return text(" -w -D %lld -O stoneWallingWearOut=1", static_cast<long long>(settings.stonewall_s));
}

}  // namespace

std::string easy_command(const Settings& settings, const std::string& datadir, std::uint32_t seed,
                         bool write) {
  std::string command = text("shakedown-ior -g -G %d -k -e -o %s/ior-easy/ior_file_easy -C -Q 1 -t %s -b %s",
                             static_cast<int>(seed), datadir.c_str(), settings.transfer_text.c_str(),
                             settings.block_text.c_str());
  if (settings.unique_dir) command += " -u";
  if (settings.file_per_process) command += " -F";
  command += transfers(settings, write);
  command +=
      (write ? settings.direct_write : settings.direct_read) ? " -a POSIX --posix.odirect" : " -a POSIX";
  return command;
}

std::string hard_command(const Settings& settings, const std::string& datadir, std::uint32_t seed,
                         bool write) {
  return text("shakedown-ior -C -Q 1 -g -G=%d -k -e -o %s/ior-hard/file -t 47008 -b 47008 -s %lld",
              static_cast<int>(seed), datadir.c_str(), static_cast<long long>(settings.segments)) +
         transfers(settings, write) + " -a POSIX";
}

std::string files_command(const Settings& settings, const std::string& datadir, std::uint32_t seed, bool hard,
                          char operation) {
  std::string command =
      hard ? text("shakedown-mdtest -n %lld -t -w 3901 -e 3901 -P -G=%d -N 1 -F -d %s/mdtest-hard",
                  static_cast<long long>(settings.hard_files), static_cast<int>(seed), datadir.c_str())
           : text("shakedown-mdtest -n %lld -u -L -F -P -G %d -N 1 -d %s/mdtest-easy",
                  static_cast<long long>(settings.easy_files), static_cast<int>(seed), datadir.c_str());
  command += text(" -%c", operation);
  if (operation == 'C') command += text(" -Y -W %lld", static_cast<long long>(settings.stonewall_s));
  if (operation == 'E') command += " -X";
  return command + " -a POSIX";
}

std::string find_command(const std::string& datadir, const std::string& resultdir) {
  return text("shakedown-find %s -newer %s/timestampfile -size 3901c -name *01*", datadir.c_str(),
              resultdir.c_str());
}

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
