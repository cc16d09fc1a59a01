#include "suites/io500/reference/mdtest.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <functional>

#include "suites/io500/reference/pattern.hpp"

namespace io500 {
namespace {

/// Names of a rank's files, made in place: a loop over millions of them does little else.
class Names {
 public:
  explicit Names(int rank) {
    const std::string prefix = mdtest_file(rank, 0);
    at_ = prefix.size() - 1;
    prefix.copy(name_.data(), at_);
  }
  const char* operator()(std::int64_t number) {
    *std::to_chars(name_.data() + at_, name_.data() + name_.size() - 1, number).ptr = '\0';
    return name_.data();
  }

 private:
  std::array<char, 64> name_{};
  std::size_t at_ = 0;
};

/// The directory that holds the rank's files: in mdtest the one of the next rank.
std::string tree(const Mdtest& mdtest, int rank, int ranks) {
  return mdtest.shared ? std::string(hard_tree) : easy_tree((rank + 1) % ranks);
}

Result<File> opened_tree(const Mdtest& mdtest, const Claim& claim, int rank, int ranks) {
  auto folder = opened_folder(claim.folder);
  if (folder) folder = opened_folder(*folder, mdtest.folder);
  if (folder) folder = opened_folder(*folder, test_folder);
  if (folder) folder = opened_folder(*folder, tree(mdtest, rank, ranks));
  return folder;
}

Result<void> made_trees(const Mdtest& mdtest, const Claim& claim, const World& world) {
  const auto made = [&](const std::string* name) -> Result<void> {
    auto folder = opened_folder(claim.folder);
    if (folder) folder = opened_folder(*folder, mdtest.folder);
    if (folder)
      folder = name == nullptr ? made_folder(*folder, test_folder) : opened_folder(*folder, test_folder);
    if (folder && name != nullptr) folder = made_folder(*folder, *name);
    if (!folder) return tl::unexpected(folder.error());
    return {};
  };
  Result<void> mine;
  if (world.rank == 0) mine = made(nullptr);
  if (auto ok = agreed(mine); !ok) return ok;
  const std::string own = mdtest.shared ? std::string(hard_tree) : easy_tree(world.rank);
  if (world.rank == 0 || !mdtest.shared) mine = made(&own);
  return agreed(mine);
}

/// One rank's files of one phase.
struct Items {
  const Mdtest& mdtest;
  int rank;  ///< who made them
  File folder;
  Names names;
  std::int64_t done = 0;
  std::int64_t wrong = 0;
  Result<void> error;

  bool fail(const char* what) {
    error = tl::unexpected(system_text(text("can't %s %s/%s", what, mdtest.folder.c_str(), names(done))));
    return false;
  }
};

Result<Items> opened_items(const Mdtest& mdtest, const Claim& claim, const World& world, int shifts) {
  const int rank = (world.rank + shifts * world.shift) % world.ranks;
  auto folder = opened_tree(mdtest, claim, rank, world.ranks);
  Result<void> ok;
  if (!folder) ok = tl::unexpected(folder.error());
  if (ok = agreed(ok); !ok) return tl::unexpected(ok.error());
  return Items{mdtest, rank, std::move(*folder), Names(rank), 0, 0, {}};
}

bool create(Items& items, Pattern* pattern) {
  File file(openat(items.folder.descriptor(), items.names(items.done),
                   O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0664));
  if (!file.is_open()) return items.fail("make");
  if (pattern != nullptr &&
      !write_all(file, pattern->written(items.rank, static_cast<std::uint64_t>(items.done)), pattern->bytes(),
                 0))
    return items.fail("write");
  if (!file.close()) return items.fail("close");
  ++items.done;
  return true;
}

double kiops(const Mdtest& mdtest, const World& world, double seconds) {
  return static_cast<double>(mdtest.items) * world.ranks / seconds / 1000;
}

/// Does `one` with each file, all ranks at the same time.
Result<Outcome> with_each(Items items, const World& world, const std::function<bool(Items&)>& one,
                          const char* complaint) {
  barrier();
  const double begin = now();
  while (items.done < items.mdtest.items && one(items)) ++items.done;
  barrier();
  const double seconds = largest(seconds_since(begin));
  if (auto ok = agreed(items.error); !ok) return tl::unexpected(ok.error());
  Outcome outcome;
  outcome.score = kiops(items.mdtest, world, seconds);
  if (const std::int64_t wrong = summed(items.wrong); wrong > 0) {
    outcome.wrong = true;
    outcome.invalid.push_back(text("%lld of %lld files %s", static_cast<long long>(wrong),
                                   static_cast<long long>(items.mdtest.items) * world.ranks, complaint));
  }
  return outcome;
}

}  // namespace

Result<Outcome> mdtest_write(Mdtest& mdtest, const Claim& claim, const World& world, double stonewall_s,
                             std::int64_t most) {
  if (auto ok = made_trees(mdtest, claim, world); !ok) return tl::unexpected(ok.error());
  Pattern buffer(mdtest.packet, static_cast<std::size_t>(mdtest.bytes), mdtest.seed);
  Pattern* pattern = mdtest.bytes > 0 ? &buffer : nullptr;
  Result<void> mine;
  if (!buffer.allocated()) mine = tl::unexpected(std::string("no memory for a file's bytes"));
  if (mine = agreed(mine); !mine) return tl::unexpected(mine.error());
  auto items = opened_items(mdtest, claim, world, 0);
  if (!items) return tl::unexpected(items.error());
  barrier();
  const double begin = now();
  const std::int64_t end = std::min(most, mdtest.n);
  while (items->done < end && create(*items, pattern))
    if (seconds_since(begin) > stonewall_s) break;
  const std::int64_t until = items->done;
  mdtest.items = largest(until);
  const double stonewall = seconds_since(begin);
  while (items->error && items->done < mdtest.items && create(*items, pattern)) {
  }
  if (world.first_of_node && syncfs(items->folder.descriptor()) != 0 && items->error)
    items->error = tl::unexpected(system_text("can't write back " + mdtest.folder));
  barrier();
  const double seconds = largest(seconds_since(begin));
  if (auto ok = agreed(items->error); !ok) return tl::unexpected(ok.error());

  Outcome outcome;
  outcome.score = kiops(mdtest, world, seconds);
  const double rate = static_cast<double>(summed(until)) / largest(stonewall) / 1000;
  outcome.values.emplace_back("rate-stonewall", text("%f", rate));
  if (mdtest.items == most && most < mdtest.n)
    outcome.invalid.emplace_back(
        "the phase ended before it took more than its part of a tenth of the free space");
  return outcome;
}

Result<Outcome> mdtest_stat(const Mdtest& mdtest, const Claim& claim, const World& world) {
  auto items = opened_items(mdtest, claim, world, 1);
  if (!items) return tl::unexpected(items.error());
  const auto one = [&](Items& each) {
    struct stat found {};
    if (fstatat(each.folder.descriptor(), each.names(each.done), &found, AT_SYMLINK_NOFOLLOW) != 0)
      return each.fail("stat");
    if (!S_ISREG(found.st_mode) || found.st_size != mdtest.bytes) ++each.wrong;
    return true;
  };
  return with_each(std::move(*items), world, one, "are of another size than was written");
}

Result<Outcome> mdtest_read(const Mdtest& mdtest, const Claim& claim, const World& world) {
  Pattern pattern(mdtest.packet, static_cast<std::size_t>(mdtest.bytes), mdtest.seed);
  Result<void> mine;
  if (!pattern.allocated()) mine = tl::unexpected(std::string("no memory for a file's bytes"));
  if (mine = agreed(mine); !mine) return tl::unexpected(mine.error());
  auto items = opened_items(mdtest, claim, world, 2);
  if (!items) return tl::unexpected(items.error());
  const auto one = [&](Items& each) {
    const File file(
        openat(each.folder.descriptor(), each.names(each.done), O_RDONLY | O_CLOEXEC | O_NOFOLLOW));
    if (!file.is_open()) return each.fail("open");
    if (!read_all(file, pattern.target(), pattern.bytes(), 0)) {
      if (errno != 0) return each.fail("read");
      ++each.wrong;  // shorter than it was written
      return true;
    }
    if (!pattern.holds(each.rank, static_cast<std::uint64_t>(each.done))) ++each.wrong;
    return true;
  };
  return with_each(std::move(*items), world, one, "do not hold what was written");
}

Result<Outcome> mdtest_delete(const Mdtest& mdtest, const Claim& claim, const World& world) {
  auto items = opened_items(mdtest, claim, world, 3);
  if (!items) return tl::unexpected(items.error());
  const auto one = [](Items& each) {
    if (unlinkat(each.folder.descriptor(), each.names(each.done), 0) != 0) return each.fail("remove");
    return true;
  };
  return with_each(std::move(*items), world, one, "");
}

}  // namespace io500
