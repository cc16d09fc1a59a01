#pragma once

#include <sys/types.h>

#include "suites/io500/reference/claim.hpp"

namespace io500 {

/// A process of its own session beside rank 0 that removes the data files when rank 0 ends without having
/// done so: launchers kill ranks a second after they asked them to end, which is too short to remove many
/// files. SIGINT, SIGTERM and SIGHUP of rank 0 wait for it.
class Guardian {
 public:
  /// Before anything of the claim is made. Fails without a process or a pipe.
  static Result<Guardian> started(const Claim& claim);
  Guardian(Guardian&& other) noexcept;
  Guardian& operator=(Guardian&&) = delete;
  Guardian(const Guardian&) = delete;
  Guardian& operator=(const Guardian&) = delete;
  ~Guardian() = default;

  /// The marker's lock, which an interrupted rank 0 lets go so that the guardian need not wait for it.
  static void hand_over(int lock);
  /// The files are removed, or there is a reason that they are not.
  void dismiss() const;

 private:
  Guardian(pid_t process, int pipe) : process_(process), pipe_(pipe) {}
  pid_t process_;
  int pipe_;
};

}  // namespace io500
