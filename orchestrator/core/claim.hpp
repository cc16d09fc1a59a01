#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/process_identity.hpp"

namespace shakedown {

/// A file `<lock>.<number>` by which a process claims a lock. The highest number counts. To take a lock, a
/// process creates the next number; only one process can. A released claim stays until the next is created,
/// so that a number that somebody saw is never created twice.
struct Claim {
  int number = 0;                 ///< 0: there is none
  bool released = false;          ///< given back
  ProcessIdentity process;        ///< of pid 0 while it is being written
  double since_s = 0;             ///< when it was made, by the clock of its host
  std::int64_t heartbeat_ns = 0;  ///< its last sign of life, the file's time of change
};

/// The number of the claim that counts; 0: there is none. Fails (environment) where the folder can't be read.
Result<int> last_claim(const std::filesystem::path& lock);

/// Reads a claim; its number is 0 if it is gone. The file is opened again, which makes NFS ask its server.
Claim read_claim(const std::filesystem::path& lock, int number);

/// Makes a claim for this process, by link(2) of a whole file, or by O_EXCL where there are no links. Its
/// descriptor, open for writing; -1: somebody else was first. Fails (environment) where nothing can be
/// written.
///
/// Source: open(2), O_EXCL, on locks over NFS.
Result<int> make_claim(const std::filesystem::path& lock, int number);

/// Gives a claim back.
void release_claim(int fd);

/// Removes claims below `number`, and files of processes that were killed while they created one.
void remove_claims_below(const std::filesystem::path& lock, int number);

/// The time by the clock that gives files on this filesystem their times; this host's where nothing can be
/// written there.
std::int64_t filesystem_now_ns(const std::filesystem::path& lock);

}  // namespace shakedown
