#include "suites/io500/reference/run.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "suites/io500/reference/find.hpp"
#include "suites/io500/reference/ior.hpp"
#include "suites/io500/reference/mdtest.hpp"
#include "suites/io500/reference/settings.hpp"
#include "suites/io500/reference/text.hpp"

namespace io500 {

Budget::Budget(const Space& free)
    : bytes_(free.bytes / 10), inodes_(free.inodes == 0 ? 0 : std::max<std::int64_t>(1, free.inodes / 10)) {}

std::int64_t Budget::items(std::int64_t bytes, std::int64_t inodes, double share, int ranks) const {
  const auto part = [&](std::int64_t left, std::int64_t each) {
    return static_cast<std::int64_t>(share * static_cast<double>(left) / static_cast<double>(each) / ranks);
  };
  std::int64_t most = part(bytes_, bytes);
  if (inodes > 0 && inodes_ > 0) most = std::min(most, part(inodes_, inodes));
  return most;
}

void Budget::take(std::int64_t bytes, std::int64_t inodes) {
  bytes_ = std::max<std::int64_t>(0, bytes_ - bytes);
  if (inodes_ > 0) inodes_ = std::max<std::int64_t>(1, inodes_ - inodes);
}

namespace {

/// Parts of the remaining budget that a phase may take.
constexpr double ior_part = 0.7;
constexpr double files_part = 0.9;

class Run {
 public:
  Run(const Settings& settings, const World& world, const Places& places, const Space& free, Report& report)
      : settings_(settings), world_(world), places_(places), budget_(free), report_(report) {}

  void prepare(const std::string& timestamp);
  Result<bool> phases();

 private:
  using Work = Result<Outcome> (Run::*)();
  struct Phase {
    const char* name;
    Group group;
    bool write;         ///< must last as long as the stonewall
    bool from_cache;    ///< a client may answer it from its own memory
    const char* after;  ///< the phase that made its files; empty: it makes them
    Work work;
    std::string command;
  };
  [[nodiscard]] std::vector<Phase> all() const;

  Result<void> phase(const Phase& phase);
  void judge(const Phase& phase, double seconds, Outcome& outcome) const;
  void drop_caches(const Phase& phase);
  [[nodiscard]] bool cached(const Phase& phase) const;

  Result<Outcome> easy_write();
  Result<Outcome> easy_read() { return ior_read(easy_, places_.claim, world_, settings_.direct_read); }
  Result<Outcome> hard_write();
  Result<Outcome> hard_read() { return ior_read(hard_, places_.claim, world_, false); }
  Result<Outcome> easy_create();
  Result<Outcome> easy_stat() { return mdtest_stat(easy_files_, places_.claim, world_); }
  Result<Outcome> easy_delete() { return mdtest_delete(easy_files_, places_.claim, world_); }
  Result<Outcome> hard_create();
  Result<Outcome> hard_stat() { return mdtest_stat(hard_files_, places_.claim, world_); }
  Result<Outcome> hard_file_read() { return mdtest_read(hard_files_, places_.claim, world_); }
  Result<Outcome> hard_delete() { return mdtest_delete(hard_files_, places_.claim, world_); }
  Result<Outcome> find();
  Result<Outcome> timestamp();

  const Settings& settings_;
  const World& world_;
  const Places& places_;
  Budget budget_;
  Report& report_;
  Ior easy_;
  Ior hard_;
  Mdtest easy_files_;
  Mdtest hard_files_;
  std::int64_t newer_ = 0;  ///< of the time stamp's file
  bool dropped_ = false;    ///< caches, before this phase
  bool valid_ = true;
  bool right_ = true;
};

void Run::prepare(const std::string& timestamp) {
  const auto seed = [&](const char* name) { return hashed(timestamp, hashed(name)); };
  easy_ = {"ior-easy",
           settings_.file_per_process ? "" : "ior_file_easy",
           settings_.unique_dir,
           settings_.transfer,
           settings_.block,
           1,
           settings_.packet,
           seed("ior-easy"),
           0};
  hard_ = {"ior-hard",       "file",           false, hard_transfer, hard_transfer, settings_.segments,
           settings_.packet, seed("ior-hard"), 0};
  easy_files_ = {"mdtest-easy", false, 0, settings_.easy_files, settings_.packet, seed("mdtest-easy"), 0};
  hard_files_ = {"mdtest-hard",       true, hard_file, settings_.hard_files, settings_.packet,
                 seed("mdtest-hard"), 0};
}

Result<Outcome> Run::easy_write() {
  const std::int64_t most = budget_.items(easy_.transfer, 0, ior_part, world_.ranks);
  auto outcome = ior_write(easy_, places_.claim, world_, static_cast<double>(settings_.stonewall_s), most,
                           settings_.direct_write);
  budget_.take(easy_.pairs * easy_.transfer * world_.ranks, world_.ranks);
  return outcome;
}

Result<Outcome> Run::hard_write() {
  const std::int64_t most = budget_.items(hard_.transfer, 0, ior_part, world_.ranks);
  auto outcome =
      ior_write(hard_, places_.claim, world_, static_cast<double>(settings_.stonewall_s), most, false);
  budget_.take(hard_.pairs * hard_.transfer * world_.ranks, 1);
  return outcome;
}

Result<Outcome> Run::easy_create() {
  const std::int64_t most = budget_.items(easy_file_space, 1, ior_part, world_.ranks);
  auto outcome =
      mdtest_write(easy_files_, places_.claim, world_, static_cast<double>(settings_.stonewall_s), most);
  budget_.take(easy_files_.items * easy_file_space * world_.ranks, easy_files_.items * world_.ranks);
  return outcome;
}

Result<Outcome> Run::hard_create() {
  const std::int64_t most = budget_.items(hard_file_space, 1, files_part, world_.ranks);
  return mdtest_write(hard_files_, places_.claim, world_, static_cast<double>(settings_.stonewall_s), most);
}

Result<Outcome> Run::timestamp() {
  Result<void> mine;
  if (world_.talks()) {
    const std::string path = places_.resultdir + "/timestampfile";
    std::FILE* file = std::fopen(path.c_str(), "we");
    struct stat found {};
    if (file == nullptr || std::fclose(file) != 0 || stat(path.c_str(), &found) != 0)
      mine = tl::unexpected(system_text("can't write " + path));
    newer_ = found.st_ctim.tv_sec;
  }
  if (mine = agreed(mine); !mine) return tl::unexpected(mine.error());
  newer_ = largest(newer_);
  return Outcome();
}

Result<Outcome> Run::find() {
  const std::int64_t ior_files = (easy_.pairs == 0             ? 0
                                  : settings_.file_per_process ? world_.ranks
                                                               : 1) +
                                 (hard_.pairs == 0 ? 0 : 1);
  const FindExpectation expected{ior_files + (easy_files_.items + hard_files_.items) * world_.ranks,
                                 names_with_01(world_.ranks, hard_files_.items)};
  return find_files(places_.claim, world_, settings_.find_ranks == 0 ? world_.ranks : settings_.find_ranks,
                    newer_, hard_file, expected);
}

std::vector<Run::Phase> Run::all() const {
  const std::string& data = places_.datadir;
  const auto files = [&](const Mdtest& mdtest, char operation) {
    return files_command(settings_, data, mdtest.seed, mdtest.shared, operation);
  };
  const Group BW = Group::bandwidth;
  const Group MD = Group::metadata;
  const bool direct = settings_.direct_read;
  return {
      {"ior-easy-write", BW, true, false, "", &Run::easy_write,
       easy_command(settings_, data, easy_.seed, true)},
      {"mdtest-easy-write", MD, true, false, "", &Run::easy_create, files(easy_files_, 'C')},
      {"timestamp", Group::none, false, false, "", &Run::timestamp, ""},
      {"ior-hard-write", BW, true, false, "", &Run::hard_write,
       hard_command(settings_, data, hard_.seed, true)},
      {"mdtest-hard-write", MD, true, false, "", &Run::hard_create, files(hard_files_, 'C')},
      {"find", MD, false, true, "mdtest-hard-write", &Run::find, find_command(data, places_.resultdir)},
      {"ior-easy-read", BW, false, !direct, "ior-easy-write", &Run::easy_read,
       easy_command(settings_, data, easy_.seed, false)},
      {"mdtest-easy-stat", MD, false, true, "mdtest-easy-write", &Run::easy_stat, files(easy_files_, 'T')},
      {"ior-hard-read", BW, false, true, "ior-hard-write", &Run::hard_read,
       hard_command(settings_, data, hard_.seed, false)},
      {"mdtest-hard-stat", MD, false, true, "mdtest-hard-write", &Run::hard_stat, files(hard_files_, 'T')},
      {"mdtest-easy-delete", MD, false, false, "mdtest-easy-write", &Run::easy_delete,
       files(easy_files_, 'r')},
      {"mdtest-hard-read", MD, false, true, "mdtest-hard-write", &Run::hard_file_read,
       files(hard_files_, 'E')},
      {"mdtest-hard-delete", MD, false, false, "mdtest-hard-write", &Run::hard_delete,
       files(hard_files_, 'r')},
  };
}

/// Empties the page cache of each node, as the configuration wants it.
void Run::drop_caches(const Phase& phase) {
  dropped_ = false;
  if (!settings_.drop_caches || phase.group == Group::none) return;
  // The command is the operator's own, for a shell, as in the official program.
  const int status = world_.first_of_node ? std::system(settings_.drop_command.c_str()) : 0;  // NOLINT
  dropped_ = summed(status == 0 ? 0 : 1) == 0;
  if (dropped_) report_.note("Caches dropped before " + std::string(phase.name));
  if (!dropped_) report_.note(text("WARNING drop-caches-cmd failed before %s: caches are kept", phase.name));
}

bool Run::cached(const Phase& phase) const {
  return phase.from_cache && world_.nodes == 1 && !dropped_;
}

void Run::judge(const Phase& phase, double seconds, Outcome& outcome) const {
  if (phase.write && seconds < static_cast<double>(settings_.stonewall_s))
    outcome.invalid.push_back(
        text("Runtime of phase (%f) is below stonewall time. This shouldn't happen!", seconds));
  else if (outcome.score <= 0 && phase.group != Group::none)
    outcome.invalid.emplace_back("Resulting score shouldn't be 0.0");
  if (phase.write && seconds < static_cast<double>(settings_.least_s))
    outcome.invalid.emplace_back("Runtime is smaller than expected minimum runtime");
}

Result<void> Run::phase(const Phase& phase) {
  drop_caches(phase);
  barrier();
  report_.begin(phase.name);
  if (settings_.verbosity > 0) report_.stamp("t_start");
  if (!phase.command.empty()) report_.pair("exe", phase.command);
  const bool runs = settings_.runs(phase.name) && settings_.runs(phase.after);
  const double begin = now();
  Result<Outcome> done = runs ? (this->*phase.work)() : Outcome();
  const double seconds = largest(seconds_since(begin));
  if (!done) {
    report_.comment(text("FATAL %s", done.error().c_str()));
    report_.say(text("FATAL (%s) %s", phase.name, done.error().c_str()));
    return tl::unexpected(text("%s: %s", phase.name, done.error().c_str()));
  }
  Outcome outcome = *done;
  for (const auto& [key, value] : outcome.values) report_.pair(key.c_str(), value);
  judge(phase, seconds, outcome);
  for (const std::string& words : outcome.invalid) report_.complain(phase.name, words);
  if (cached(phase) && runs)
    report_.note(text("CACHED %s: the one client node may answer from its own memory", phase.name));
  const bool valid = outcome.invalid.empty();
  report_.add({phase.name, phase.group, outcome.score, seconds, valid});
  if (settings_.verbosity > 0) {
    report_.pair("t_delta", text("%.4f", seconds));
    report_.stamp("t_end");
  }
  valid_ = valid_ && valid;
  right_ = right_ && !outcome.wrong;
  return {};
}

Result<bool> Run::phases() {
  if (settings_.stonewall_s != settings_.least_s) {
    report_.complain("debug",
                     text("stonewall-time %llds != %llds", static_cast<long long>(settings_.stonewall_s),
                          static_cast<long long>(settings_.least_s)));
    valid_ = false;
  }
  for (const Phase& each : all())
    if (auto ok = phase(each); !ok) return tl::unexpected(ok.error());
  report_.score(valid_);
  report_.say("\nThe result files are stored in the directory: " + places_.resultdir);
  report_.comment("END");
  return right_;
}

}  // namespace

Result<bool> run_phases(const Settings& settings, const World& world, const Places& places, const Space& free,
                        const std::string& timestamp, Report& report) {
  Run run(settings, world, places, free, report);
  run.prepare(timestamp);
  return run.phases();
}

}  // namespace io500
