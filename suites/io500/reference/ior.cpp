#include "suites/io500/reference/ior.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "suites/io500/reference/pattern.hpp"

namespace io500 {
namespace {

constexpr double gibi = 1024.0 * 1024 * 1024;

Result<File> opened_file(const Ior& ior, const Claim& claim, int rank, int flags) {
  auto folder = opened_folder(claim.folder);
  if (folder) folder = opened_folder(*folder, ior.folder);
  if (!folder) return folder;
  if (ior.unique_dir) {
    const std::string name = std::to_string(rank);
    folder = (flags & O_CREAT) != 0 ? made_folder(*folder, name) : opened_folder(*folder, name);
    if (!folder) return folder;
  }
  const std::string path = ior.path(rank);
  return opened(*folder, path.substr(path.find_last_of('/') + 1), flags);
}

/// One rank's transfers.
struct Transfers {
  const Ior& ior;
  const World& world;
  Pattern& pattern;
  File file;
  std::int64_t done = 0;
  Result<void> error;

  bool write_one() {
    const std::int64_t offset = ior.offset(done, world.rank, world.ranks);
    if (!write_all(file, pattern.written(world.rank, static_cast<std::uint64_t>(offset)), pattern.bytes(),
                   offset)) {
      error = tl::unexpected(system_text(
          text("can't write %s at byte %lld", ior.path(world.rank).c_str(), static_cast<long long>(offset))));
      return false;
    }
    ++done;
    return true;
  }

  void write_until(double begin, double stonewall_s, std::int64_t most) {
    if (!error) return;
    while (done < most && write_one())
      if (seconds_since(begin) > stonewall_s) return;
  }

  void write_on(std::int64_t pairs) {
    while (error && done < pairs && write_one()) {
    }
  }

  void write_back() {
    if (error && fsync(file.descriptor()) != 0)
      error = tl::unexpected(system_text("can't write back " + ior.path(world.rank)));
  }

  void close() {
    if (!file.close() && error) error = tl::unexpected(system_text("can't close " + ior.path(world.rank)));
  }

  /// How many transfers of the rank `from` are not what it has written.
  std::int64_t read_wrong(int from) {
    std::int64_t wrong = 0;
    for (; error && done < ior.pairs; ++done) {
      const std::int64_t offset = ior.offset(done, from, world.ranks);
      if (!read_all(file, pattern.target(), pattern.bytes(), offset))
        error =
            tl::unexpected(errno == 0 ? text("%s ends before byte %lld", ior.path(from).c_str(),
                                             static_cast<long long>(offset) + ior.transfer)
                                      : system_text(text("can't read %s at byte %lld", ior.path(from).c_str(),
                                                         static_cast<long long>(offset))));
      else if (!pattern.holds(from, static_cast<std::uint64_t>(offset)))
        ++wrong;
    }
    return wrong;
  }
};

/// Bytes that the rank's file must have now.
std::int64_t file_bytes(const Ior& ior, const World& world) {
  if (ior.pairs == 0) return 0;
  const int last = ior.file.empty() ? world.rank : world.ranks - 1;
  return ior.offset(ior.pairs - 1, last, world.ranks) + ior.transfer;
}

void check_size(const Ior& ior, const Claim& claim, const World& world, Outcome& outcome) {
  std::int64_t off = 0;
  struct stat found {};
  const std::string path = claim.folder + "/" + ior.path(world.rank);
  if (lstat(path.c_str(), &found) != 0 || found.st_size != file_bytes(ior, world)) off = 1;
  if (off = summed(off); off == 0) return;
  outcome.wrong = true;
  outcome.invalid.push_back(
      text("%lld ranks find their file of another size than was written", static_cast<long long>(off)));
}

double gib(const Ior& ior, const World& world) {
  return static_cast<double>(ior.pairs) * static_cast<double>(ior.transfer) * world.ranks / gibi;
}

Result<void> with_buffers(const Pattern& pattern) {
  if (!pattern.allocated())
    return tl::unexpected(text("no memory for two transfers of %zu bytes", pattern.bytes()));
  return {};
}

}  // namespace

std::int64_t Ior::offset(std::int64_t pair, int rank, int ranks) const {
  const std::int64_t of_block = block / transfer;
  const std::int64_t segment = pair / of_block;
  const std::int64_t within = pair % of_block * transfer;
  return file.empty() ? segment * block + within : (segment * ranks + rank) * block + within;
}

std::string Ior::path(int rank) const {
  if (!file.empty()) return folder + "/" + file;
  return folder + "/" + (unique_dir ? std::to_string(rank) + "/" : "") + easy_file(rank);
}

Result<Outcome> ior_write(Ior& ior, const Claim& claim, const World& world, double stonewall_s,
                          std::int64_t most, bool direct) {
  Pattern pattern(ior.packet, static_cast<std::size_t>(ior.transfer), ior.seed);
  if (auto ok = agreed(with_buffers(pattern)); !ok) return tl::unexpected(ok.error());
  pattern.written(world.rank, 0);
  Transfers transfers{ior, world, pattern, {}, 0, {}};
  barrier();
  const double begin = now();
  auto file = opened_file(ior, claim, world.rank, O_CREAT | O_RDWR | (direct ? O_DIRECT : 0));
  if (file)
    transfers.file = std::move(*file);
  else
    transfers.error = tl::unexpected(file.error());
  barrier();
  const double first = now();
  transfers.write_until(first, stonewall_s, std::min(most, ior.most_pairs()));
  const std::int64_t mine = transfers.done;
  ior.pairs = largest(mine);
  const double stonewall = seconds_since(first);
  transfers.write_on(ior.pairs);
  transfers.write_back();
  barrier();
  transfers.close();
  const double seconds = largest(seconds_since(begin));
  if (auto ok = agreed(transfers.error); !ok) return tl::unexpected(ok.error());

  Outcome outcome;
  outcome.score = gib(ior, world) / seconds;
  const double until =
      static_cast<double>(summed(mine)) * static_cast<double>(ior.transfer) / gibi / largest(stonewall);
  outcome.values.emplace_back("throughput-stonewall", text("%.2f", until));
  if (seconds < stonewall_s)
    outcome.invalid.push_back(
        text("Write phase needed %fs instead of stonewall %.0fs. Stonewall was hit at %.1fs", seconds,
             stonewall_s, stonewall));
  if (ior.pairs == most && most < ior.most_pairs())
    outcome.invalid.emplace_back(
        "the phase ended before it took more than its part of a tenth of the free space");
  check_size(ior, claim, world, outcome);
  return outcome;
}

Result<Outcome> ior_read(const Ior& ior, const Claim& claim, const World& world, bool direct) {
  Pattern pattern(ior.packet, static_cast<std::size_t>(ior.transfer), ior.seed);
  if (auto ok = agreed(with_buffers(pattern)); !ok) return tl::unexpected(ok.error());
  const int from = (world.rank + world.shift) % world.ranks;
  pattern.written(from, 0);
  Transfers transfers{ior, world, pattern, {}, 0, {}};
  barrier();
  const double begin = now();
  auto file = opened_file(ior, claim, from, O_RDONLY | (direct ? O_DIRECT : 0));
  if (file)
    transfers.file = std::move(*file);
  else
    transfers.error = tl::unexpected(file.error());
  barrier();
  std::int64_t wrong = transfers.read_wrong(from);
  barrier();
  transfers.close();
  const double seconds = largest(seconds_since(begin));
  if (auto ok = agreed(transfers.error); !ok) return tl::unexpected(ok.error());
  Outcome outcome;
  outcome.score = gib(ior, world) / seconds;
  wrong = summed(wrong);
  if (wrong > 0) {
    outcome.wrong = true;
    outcome.invalid.push_back(text("%lld of %lld transfers do not hold what was written",
                                   static_cast<long long>(wrong),
                                   static_cast<long long>(ior.pairs) * world.ranks));
  }
  return outcome;
}

}  // namespace io500
