#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/core/layout.hpp"
#include "orchestrator/inventory/inventory.hpp"

namespace shakedown {

/// The inventory of a file or of a shipped system's name ("sakuraone"), with what it doesn't state of its
/// GPUs from the catalogue of accelerators. Fails with "did you mean" for a name that is neither.
Result<Inventory> named_inventory(const std::string& name, const Layout& layout);

/// The names of the shipped systems, sorted.
std::vector<std::string> shipped_systems(const Layout& layout);

/// A host of an Open MPI hostfile.
struct HostfileEntry {
  std::string host;
  int slots = 0;  ///< 0: not stated
  friend bool operator==(const HostfileEntry&, const HostfileEntry&) = default;
};

/// Reads an Open MPI hostfile: one host a line, then `slots=N` (also `slot`, `count`, `cpu`, `cpus`) and
/// `max_slots=N` (`max-slots`, ...); `#` begins a comment; `user@` before a host is dropped. A host on
/// several lines gets the sum of its slots, as Open MPI has it. Fails with the line of the first wrong word,
/// on a range (Open MPI has none), and if no host remains.
///
/// Source: mpirun(1) of Open MPI 4.1, "Specifying Host Nodes"; FAQ "What are the limitations of a hostfile?"
Result<std::vector<HostfileEntry>> hostfile_entries(std::string_view text, std::string_view name);

}  // namespace shakedown
