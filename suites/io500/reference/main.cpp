// IO500's phases on POSIX files: what the file system below a directory does for all ranks at once.

#include <mpi.h>
#include <sys/stat.h>
#include <sys/statvfs.h>

#include <cerrno>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <optional>
#include <sstream>

#include "suites/io500/reference/guardian.hpp"
#include "suites/io500/reference/ini.hpp"
#include "suites/io500/reference/run.hpp"
#include "suites/io500/reference/settings.hpp"

namespace io500 {
namespace {

enum Exit { passed = 0, failed = 1, wrong_input = 2 };

int refused(const World& world, const std::string& why) {
  if (world.talks()) std::fprintf(stderr, "io500: %s\nhint: io500 --help\n", why.c_str());
  return wrong_input;
}

/// The configuration, which rank 0 alone reads.
Result<std::string> content_of(const std::string& file, const World& world) {
  std::string content;
  Result<void> mine;
  if (world.talks()) {
    std::ifstream in(file);
    std::stringstream all;
    all << in.rdbuf();
    struct stat found {};
    if (!in || stat(file.c_str(), &found) != 0 || S_ISDIR(found.st_mode))
      mine = tl::unexpected("can't read the configuration " + file);
    content = all.str();
  }
  if (mine = agreed(mine); !mine) return tl::unexpected(mine.error().substr(mine.error().find(": ") + 2));
  return broadcast(content);
}

std::string stamp_of(const Options& options) {
  if (!options.timestamp.empty()) return options.timestamp;
  std::array<char, 32> digits{};
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::strftime(digits.data(), digits.size(), "%Y.%m.%d-%H.%M.%S", &local);
  return digits.data();
}

Result<void> make_folders(const std::string& path) {
  for (size_t at = path.find('/', 1);; at = path.find('/', at + 1)) {
    const std::string part = path.substr(0, at);
    if (mkdir(part.c_str(), 0777) != 0 && errno != EEXIST)
      return tl::unexpected(system_text("can't make the directory " + part));
    if (at == std::string::npos) return {};
  }
}

Result<void> write_text(const std::string& path, const std::string& content) {
  std::ofstream out(path);
  out << content;
  out.close();
  if (!out) return tl::unexpected("can't write " + path);
  return {};
}

/// Removes the files of killed runs. False if any remain.
bool clean(const std::string& datadir, bool any_host) {
  const Recovery recovery = recovered(datadir, any_host);
  for (const std::string& words : recovery.removed) std::fprintf(stderr, "io500: %s\n", words.c_str());
  for (const std::string& words : recovery.left) std::fprintf(stderr, "io500: %s\n", words.c_str());
  return recovery.left.empty();
}

/// Rank 0: the directories of a run, and who removes the data.
struct Stage {
  Places places;
  Space free;
  std::optional<Guardian> guardian;
  File lock;
};

Result<void> set(Stage& stage, const Settings& settings, const Options& options, const std::string& stamp) {
  const bool network = !options.io_dir.empty();
  const std::string base = network ? options.io_dir : settings.datadir;
  clean(base, false);
  stage.places.datadir = settings.timestamped_data ? base + "/" + stamp : base;
  stage.places.resultdir =
      settings.timestamped_results ? settings.resultdir + "/" + stamp : settings.resultdir;
  auto claim = planned_claim(stage.places.datadir, network);
  if (!claim) return tl::unexpected(claim.error());
  const auto results = absolute_path(stage.places.resultdir);
  if (!results) return tl::unexpected(results.error());
  // find would count them, and they would go with the data.
  if ((*results + "/").starts_with(claim->folder + "/"))
    return tl::unexpected("resultdir " + stage.places.resultdir + " lies in the data directory");
  stage.places.claim = *claim;
  auto guardian = Guardian::started(*claim);
  if (!guardian) return tl::unexpected(guardian.error());
  stage.guardian.emplace(std::move(*guardian));
  if (auto ok = staked(*claim); !ok) return ok;
  auto space = free_space(claim->folder);
  if (!space) return tl::unexpected(space.error());
  stage.free = *space;
  return {};
}

Result<void> open_report(const Stage& stage, const Settings& settings, const std::string& configuration,
                         const World& world, Report& report) {
  const std::string& folder = stage.places.resultdir;
  if (auto ok = make_folders(folder); !ok) return ok;
  if (auto ok = write_text(folder + "/config-orig.ini", configuration); !ok) return ok;
  if (auto ok = write_text(folder + "/config.ini", settings.effective); !ok) return ok;
  if (auto ok = report.open(folder); !ok) return ok;
  report.begin("run");
  report.pair("procs", std::to_string(world.ranks));
  report.pair("version", version);
  report.pair("config-hash", text("%X", settings.hash));
  report.pair("result-dir", folder);
  report.pair("mode", "standard");
  if (settings.verbosity > 0) report.comment("START");
  report.comment("shakedown IO500 reference 0.1.0: not IO500's own program");
  report.comment(text("CLIENTS %d", world.nodes));
  report.banner(world.ranks, world.nodes);
  for (const std::string& key : settings.without_effect)
    report.comment(key + " has no effect: this program has no such phase or part");
  return {};
}

/// Sends rank 0's claim to the others, which need its directory alone.
void share(Stage& stage) {
  stage.places.claim.folder = broadcast(stage.places.claim.folder);
  stage.places.datadir = broadcast(stage.places.datadir);
  stage.places.resultdir = broadcast(stage.places.resultdir);
  stage.free = {largest(stage.free.bytes), largest(stage.free.inodes)};
}

int finish(Stage& stage, const World& world, int code) {
  barrier();
  stage.lock = File();
  barrier();
  if (world.talks() && stage.guardian) {
    constexpr double patience_s = 10;
    const Leftover leftover = removed(stage.places.claim, patience_s);
    stage.guardian->dismiss();
    if (!leftover.words.empty()) {
      std::fprintf(stderr, "io500: %s\n", leftover.words.c_str());
      if (code == passed) code = failed;
    }
  }
  return static_cast<int>(largest(std::int64_t{code}));
}

int measure(const Settings& settings, const Options& options, const std::string& configuration,
            const World& world) {
  const std::string stamp = broadcast(stamp_of(options));
  Stage stage;
  Report report;
  Result<void> ok;
  if (world.talks()) {
    ok = set(stage, settings, options, stamp);
    if (ok) ok = open_report(stage, settings, configuration, world, report);
  }
  share(stage);
  if (ok = agreed(ok); ok) {
    auto lock = held(stage.places.claim);
    if (lock)
      stage.lock = std::move(*lock);
    else
      ok = tl::unexpected(lock.error());
    if (world.talks()) Guardian::hand_over(stage.lock.descriptor());
    ok = agreed(ok);
  }
  if (!ok) {
    if (world.talks())
      std::fprintf(stderr, "io500: %s\n", ok.error().substr(ok.error().find(": ") + 2).c_str());
    return finish(stage, world, wrong_input);
  }
  const auto right = run_phases(settings, world, stage.places, stage.free, stamp, report);
  if (!right && world.talks()) std::fprintf(stderr, "io500: %s\n", right.error().c_str());
  return finish(stage, world, right && *right ? passed : failed);
}

int main(int argc, char** argv) {
  const World here = world();
  const auto options = parse_options(argc, argv);
  if (!options) return refused(here, options.error());
  if (options->help) {
    if (here.talks()) std::fputs(usage, stdout);
    return passed;
  }
  Settings settings;
  std::string configuration;
  if (!options->ini.empty()) {
    const auto content = content_of(options->ini, here);
    if (!content) return refused(here, content.error());
    configuration = *content;
    const auto sections = read_ini(configuration, options->ini);
    if (!sections) return refused(here, sections.error());
    if (options->hash) {
      if (here.talks()) std::printf("config-hash     = %X\n", config_hash(*sections));
      return passed;
    }
    const auto read = settings_of(*sections, options->ini);
    if (!read) return refused(here, read.error());
    settings = *read;
  }
  if (options->clean) {
    const bool all =
        !here.talks() || clean(options->io_dir.empty() ? settings.datadir : options->io_dir, true);
    return static_cast<int>(largest(std::int64_t{all ? passed : failed}));
  }
  return measure(settings, *options, configuration, here);
}

}  // namespace
}  // namespace io500

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int code = io500::main(argc, argv);
  MPI_Finalize();
  return code;
}
