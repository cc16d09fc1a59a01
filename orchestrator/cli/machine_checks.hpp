#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "orchestrator/core/layout.hpp"

namespace shakedown {

/// Something that `doctor` looks at.
struct MachineCheck {
  std::string name;
  bool found = false;
  bool needed = true;  ///< by the path that `quick` takes
  std::string detail;
  std::string remedy;  ///< the command or setting that mends it
  /// Whether what was not found right is there: too low a limit, a BLAS that does not fit.
  bool present = false;
};

/// The commands of the batch system and whether it answers; none of it is needed on one machine.
std::vector<MachineCheck> batch_checks();

/// What containers are started with.
std::vector<MachineCheck> container_checks();

/// The libraries that the reference kernels load, and which BLAS that is. `kernels`: their names in libexec.
std::vector<MachineCheck> library_checks(const Layout& layout, std::span<const std::string> kernels);

/// GPUs: the driver where there is such a device, and its management library. `root`: "/" for this machine.
std::vector<MachineCheck> gpu_checks(const std::filesystem::path& root, const std::string& nvml);

/// Limits of this process (locked memory, open files), and space for runs and for temporary files.
std::vector<MachineCheck> limit_checks(const std::filesystem::path& root,
                                       const std::filesystem::path& workspace);

}  // namespace shakedown
