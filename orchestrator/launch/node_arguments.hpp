#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/core/error.hpp"

namespace shakedown {

/// The arguments of `node-state`.
struct NodeArguments {
  enum class Phase {
    before,
    after,
    around,  ///< both: it waits in between, see the wrapper's `looked_before`
  };
  std::filesystem::path folder;      ///< of the attempt
  std::string host;                  ///< the case's only node; empty: it has several, or it is not known
  std::string first;                 ///< the case's first node; empty: this one
  std::string launcher;              ///< whose version is of interest; empty: none
  std::string program;               ///< the same of the program
  std::vector<std::string> files;    ///< that the command line names, the executable first
  std::vector<std::string> secrets;  ///< variables whose values must not be shown
  std::vector<std::string> through;  ///< words that start a program once on each node; empty: only here
  Phase phase = Phase::before;
};

Result<NodeArguments> node_arguments(const std::vector<std::string>& words);

/// The words that make it look at the node that it runs on, and at no other, before or after.
std::vector<std::string> direct_words(const NodeArguments& arguments);

/// The batch system's name of this node if known, else its host name: several nodes of a virtual cluster may
/// be one host.
std::string node_name();

/// Whether both are names of one node: one may be the other's with a domain behind it.
bool same_host(std::string_view a, std::string_view b);

/// A node's name as part of a file's.
std::string file_name_of(std::string_view node);

}  // namespace shakedown
