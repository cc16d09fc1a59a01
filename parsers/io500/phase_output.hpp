#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "parsers/parser.hpp"

namespace shakedown {

/// The output of IOR in one of IO500's phases (ior-easy-write.txt, ...), line by line. It states what
/// result.txt doesn't: on how many client nodes the processes ran.
///
/// Source: IOR 3.3 and 4.0, src/ior-output.c (PrintHeader(), ShowTestStart()): "Command line", "Machine",
/// then "nodes", "tasks", "clients per node" among the options.
class Io500PhaseOutput {
 public:
  void read(const LogLine& line) {
    if (!foreign_) take(line);
  }

  /// Nothing if the text does not begin as IOR's output does. A part without values, with
  ///
  /// - the parameters `nodes` and `clients_per_node`
  /// - the facts `source` ("ior"), `ior.command`, `ior.tasks` and `host`: the node of the first process
  [[nodiscard]] std::optional<ParsedResult> part() const;

 private:
  struct Stated {
    std::string text;
    int line = 0;
  };
  void take(const LogLine& line);

  bool begun_ = false;
  bool foreign_ = false;  ///< the first line is not IOR's
  Stated command_;
  Stated host_;
  Stated nodes_;
  Stated tasks_;
  Stated per_node_;
};

}  // namespace shakedown
