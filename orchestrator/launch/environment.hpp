#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/launch/loaded_files.hpp"

namespace shakedown {

/// A fact about the machine or software that ran the campaign ("kernel", "6.1.0"), taken once per node.
struct EnvironmentRecord {
  std::string node;
  std::string name;
  std::string value;
  friend bool operator==(const EnvironmentRecord&, const EnvironmentRecord&) = default;
};

/// What ran on a node, of which versions and hashes are wanted.
struct RunPrograms {
  std::string node;      ///< its name
  std::string launcher;  ///< mpirun, srun; empty: none
  std::string program;   ///< a path, or a name in PATH; empty: none
};

/// What ran here: kernel, versions, hashes of the executables and of the libraries they load, the environment
/// with secrets masked. What `known` already has of this node is not read again, except the environment.
std::vector<EnvironmentRecord> captured_environment(const RunPrograms& ran,
                                                    std::span<const EnvironmentRecord> known);

/// What environment.json and a campaign's environment-<host>.json hold.
struct EnvironmentFile {
  std::vector<EnvironmentRecord> records;
  LoadedRecord loaded;
  friend bool operator==(const EnvironmentFile&, const EnvironmentFile&) = default;
};

/// As such a file (`shakedown.environment/1`), and back; empty where the text is none.
std::string environment_json(const EnvironmentFile& file);
EnvironmentFile environment_from_json(std::string_view text);

}  // namespace shakedown
