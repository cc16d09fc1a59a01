#include "suites/io500/reference/find.hpp"

#include <dirent.h>
#include <mpi.h>
#include <sys/stat.h>

#include <cstring>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "suites/io500/reference/claim.hpp"
#include "suites/io500/reference/pattern.hpp"

namespace io500 {
namespace {

/// Deals out numbers 0, 1, 2, ... to the ranks: to each that asks the next, by a counter in a window of the
/// first rank; each size-th to each where this MPI has no windows on its network (Open MPI over TCP with UCX
/// built in fails so).
class Counter {
 public:
  explicit Counter(MPI_Comm ranks) {
    MPI_Comm_rank(ranks, &rank_);
    MPI_Comm_size(ranks, &size_);
    MPI_Errhandler before = MPI_ERRHANDLER_NULL;
    MPI_Comm_get_errhandler(ranks, &before);
    MPI_Comm_set_errhandler(ranks, MPI_ERRORS_RETURN);
    int there = MPI_Win_allocate(rank_ == 0 ? sizeof(std::int64_t) : 0, sizeof(std::int64_t), MPI_INFO_NULL,
                                 ranks, static_cast<void*>(&next_), &window_) == MPI_SUCCESS
                    ? 1
                    : 0;
    MPI_Comm_set_errhandler(ranks, before);
    MPI_Errhandler_free(&before);
    MPI_Allreduce(MPI_IN_PLACE, &there, 1, MPI_INT, MPI_MIN, ranks);
    shared_ = there == 1;
    if (!shared_) return;
    if (rank_ == 0) *next_ = 0;
    MPI_Barrier(ranks);
    MPI_Win_lock_all(0, window_);
  }
  ~Counter() {
    if (!shared_) return;
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  std::int64_t take() {
    if (!shared_) return rank_ + size_ * taken_++;
    const std::int64_t one = 1;
    std::int64_t mine = 0;
    MPI_Fetch_and_op(&one, &mine, MPI_INT64_T, 0, 0, MPI_SUM, window_);
    MPI_Win_flush(0, window_);
    return mine;
  }

 private:
  int rank_ = 0;
  int size_ = 1;
  bool shared_ = false;
  std::int64_t taken_ = 0;
  std::int64_t* next_ = nullptr;
  MPI_Win window_ = MPI_WIN_NULL;
};

/// Paths, each with a 0 behind it.
using Paths = std::string;

std::vector<std::string_view> listed(const Paths& paths) {
  std::vector<std::string_view> list;
  for (std::string_view rest = paths; !rest.empty(); rest.remove_prefix(list.back().size() + 1))
    list.push_back(rest.substr(0, rest.find('\0')));
  return list;
}

Paths gathered(const Paths& mine, MPI_Comm ranks) {
  int size = 1;
  MPI_Comm_size(ranks, &size);
  const auto bytes = static_cast<int>(mine.size());
  std::vector<int> counts(static_cast<size_t>(size));
  MPI_Allgather(&bytes, 1, MPI_INT, counts.data(), 1, MPI_INT, ranks);
  std::vector<int> places(counts.size());
  for (size_t i = 1; i < counts.size(); ++i) places[i] = places[i - 1] + counts[i - 1];
  Paths all(static_cast<size_t>(places.back() + counts.back()), '\0');
  MPI_Allgatherv(mine.data(), bytes, MPI_CHAR, all.data(), counts.data(), places.data(), MPI_CHAR, ranks);
  return all;
}

/// The same paths, as many on each rank as on the others.
Paths dealt(const Paths& mine, MPI_Comm ranks) {
  int size = 1;
  int rank = 0;
  MPI_Comm_size(ranks, &size);
  MPI_Comm_rank(ranks, &rank);
  const std::vector<std::string_view> list = listed(mine);
  const auto count = static_cast<std::int64_t>(list.size());
  std::int64_t before = 0;
  std::int64_t all = 0;
  MPI_Exscan(&count, &before, 1, MPI_INT64_T, MPI_SUM, ranks);
  if (rank == 0) before = 0;
  MPI_Allreduce(&count, &all, 1, MPI_INT64_T, MPI_SUM, ranks);
  std::vector<int> sent(static_cast<size_t>(size));
  for (std::int64_t i = 0; i < count; ++i)
    sent[static_cast<size_t>((before + i) * size / all)] +=
        static_cast<int>(list[static_cast<size_t>(i)].size()) + 1;
  std::vector<int> received(sent.size());
  MPI_Alltoall(sent.data(), 1, MPI_INT, received.data(), 1, MPI_INT, ranks);
  std::vector<int> from(sent.size());
  std::vector<int> to(sent.size());
  for (size_t i = 1; i < sent.size(); ++i) {
    from[i] = from[i - 1] + sent[i - 1];
    to[i] = to[i - 1] + received[i - 1];
  }
  Paths out(static_cast<size_t>(to.back() + received.back()), '\0');
  MPI_Alltoallv(mine.data(), sent.data(), from.data(), MPI_CHAR, out.data(), received.data(), to.data(),
                MPI_CHAR, ranks);
  return out;
}

struct Walk {
  const File& root;
  std::int64_t newer;
  std::int64_t bytes;
  std::int64_t files = 0;
  std::int64_t matches = 0;
  Paths folders;     ///< of the next depth
  Paths candidates;  ///< files whose names match
  std::string error;

  void read(const std::string& path) {
    File folder;
    if (auto opened_ = path.empty() ? opened_folder(root, ".") : opened_folder(root, path); opened_) {
      folder = std::move(*opened_);
    } else {
      error = opened_.error();
      return;
    }
    const auto ok = for_entries(folder, [&](const Entry& entry) {
      take(folder, path, entry);
      return true;
    });
    if (!ok) error = path + ": " + ok.error();
  }

  void take(const File& folder, const std::string& path, const Entry& entry) {
    unsigned char type = entry.type;
    if (type == DT_UNKNOWN) {
      struct stat found {};
      if (fstatat(folder.descriptor(), entry.name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
          S_ISDIR(found.st_mode))
        type = DT_DIR;
    }
    const auto add = [&](Paths& list) {
      if (!path.empty()) list.append(path).append("/");
      list.append(entry.name).push_back('\0');
    };
    if (type == DT_DIR) return add(folders);
    if (path.empty() && std::strcmp(entry.name, marker_name) == 0) return;
    ++files;
    if (std::strstr(entry.name, "01") != nullptr) add(candidates);
  }

  void look(const std::string& path) {
    struct stat found {};
    if (fstatat(root.descriptor(), path.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0)
      error = system_text("can't stat " + path);
    else if (S_ISREG(found.st_mode) && found.st_size == bytes && found.st_ctim.tv_sec >= newer)
      ++matches;
  }
};

void walk_all(Walk& walk, Counter& counter, MPI_Comm ranks) {
  int size = 1;
  MPI_Comm_size(ranks, &size);
  std::int64_t first = 0;
  Paths depth(1, '\0');  // the root
  while (!depth.empty()) {
    const std::vector<std::string_view> list = listed(depth);
    const auto count = static_cast<std::int64_t>(list.size());
    for (std::int64_t i = counter.take() - first; i < count; i = counter.take() - first)
      walk.read(std::string(list[static_cast<size_t>(i)]));
    first += count + size;  // each rank took one number too many
    depth = gathered(walk.folders, ranks);
    walk.folders.clear();
  }
  const Paths mine = dealt(walk.candidates, ranks);
  for (const std::string_view path : listed(mine)) walk.look(std::string(path));
}

}  // namespace

std::int64_t names_with_01(int ranks, std::int64_t items) {
  // In the numbers alone: the rank's name is the same for all its files.
  std::int64_t numbers = 0;
  for (std::int64_t i = 0; i < items; ++i)
    if (std::to_string(i).find("01") != std::string::npos) ++numbers;
  std::int64_t matches = 0;
  for (int rank = 0; rank < ranks; ++rank)
    matches += std::to_string(rank).find("01") != std::string::npos ? items : numbers;
  return matches;
}

Result<Outcome> find_files(const Claim& claim, const World& world, std::int64_t ranks, std::int64_t newer,
                           std::int64_t bytes, const FindExpectation& expected) {
  MPI_Comm finders = MPI_COMM_NULL;
  const bool finds = world.rank < ranks;
  MPI_Comm_split(MPI_COMM_WORLD, finds ? 0 : MPI_UNDEFINED, world.rank, &finders);
  auto root = opened_folder(claim.folder);
  Result<void> mine;
  if (!root) mine = tl::unexpected(root.error());
  if (mine = agreed(mine); !mine) return tl::unexpected(mine.error());
  Walk walk{*root, newer, bytes, 0, 0, {}, {}, {}};
  std::optional<Counter> counter;
  if (finds) counter.emplace(finders);
  barrier();
  const double begin = now();
  if (finds) {
    walk_all(walk, *counter, finders);
    MPI_Barrier(finders);
  }
  const double seconds = largest(finds ? seconds_since(begin) : 0);
  counter.reset();
  if (finds) MPI_Comm_free(&finders);
  if (!walk.error.empty()) mine = tl::unexpected(walk.error);
  if (mine = agreed(mine); !mine) return tl::unexpected(mine.error());
  const FindExpectation found{summed(walk.files), summed(walk.matches)};
  Outcome outcome;
  outcome.score = static_cast<double>(found.files) / seconds / 1000;
  outcome.values.emplace_back("found", std::to_string(found.matches));
  outcome.values.emplace_back("total-files", std::to_string(found.files));
  if (found.files != expected.files || found.matches != expected.matches) {
    outcome.wrong = true;
    outcome.invalid.push_back(text("find came to %lld of %lld files, and %lld of %lld were made",
                                   static_cast<long long>(found.matches), static_cast<long long>(found.files),
                                   static_cast<long long>(expected.matches),
                                   static_cast<long long>(expected.files)));
  }
  if (found.matches == 0) outcome.invalid.emplace_back("Find didn't find anything, this is likely invalid.");
  return outcome;
}

}  // namespace io500
