#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/process_identity.hpp"

namespace shakedown {

/// A file `<lock>.<number>` by which a process says that it holds a lock. The highest number counts. Who
/// takes a lock makes the next number, which only one can; a claim that was given back stays until the next
/// is made, so that a number that somebody saw is never made twice.
struct Claim {
  int number = 0;                 ///< 0: there is none
  bool released = false;          ///< given back
  ProcessIdentity process;        ///< of pid 0 while it is being written
  double since_s = 0;             ///< when it was made, by the clock of its host
  std::int64_t heartbeat_ns = 0;  ///< its last sign of life, the file's time of change
};

/// The number of the claim that counts; 0: there is none. Fails (environment) where the folder can't be read.
Result<int> last_claim(const std::filesystem::path& lock);

/// Reads a claim; of number 0 where it is gone. The file is opened anew: NFS asks its server then.
Claim read_claim(const std::filesystem::path& lock, int number);

/// Makes a claim for this process, by link(2) of a whole file, or by O_EXCL where there are no links. Its
/// descriptor, open for writing; -1: somebody else was first. Fails (environment) where nothing can be
/// written.
///
/// Source: open(2), O_EXCL, on locks over NFS.
Result<int> make_claim(const std::filesystem::path& lock, int number);

/// Gives a claim back.
void release_claim(int fd);

/// Removes claims below `number`, and what others left that were killed while they made one.
void remove_claims_below(const std::filesystem::path& lock, int number);

/// The time by the clock that gives files on this filesystem their times; this host's where nothing can be
/// written there.
std::int64_t filesystem_now_ns(const std::filesystem::path& lock);

}  // namespace shakedown
