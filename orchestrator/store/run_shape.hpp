#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/store/database.hpp"

namespace shakedown {

/// What runs have in common whose values belong to one series (`MetricSeries`).
struct RunShape {
  std::string system;
  std::string suite;
  std::string implementation;
  int nodes = 0;           ///< 0: not known
  std::string node_kind;   ///< `node_kind_text`
  std::string parameters;  ///< `shape_parameters`
};

/// What the nodes of a hostlist compute with: "2 x AMD EPYC 9654, 192 cores, 8 x NVIDIA H100 80GB HBM3".
/// Where they are of several kinds, each once, in the order of the inventory. Empty: the inventory doesn't
/// have them.
std::string node_kind_text(const Inventory& inventory, const std::string& hosts);

/// The parameters that make two results of a suite alike, as "N=8000 NB=192 P=1 Q=2": those that were
/// planned, with the values that the log states (of several problems in one log each is its own), and the
/// benchmark where a suite has several; where nothing was planned, all that the log states. Left out is what
/// differs from run to run by design: random seeds and paths.
std::string shape_parameters(const std::vector<Parameter>& planned, const std::vector<Parameter>& parsed);

/// What the results of a stored case have in common.
struct CaseShape {
  RunShape shape;                  ///< without suite and parameters, which a result has
  std::vector<Parameter> planned;  ///< as text
};
CaseShape case_shape(Database::Connection& db, std::int64_t case_id);

/// The row of the shape that a result with these parameters has, made where there is none. Within the
/// caller's transaction.
std::int64_t shape_id(Database::Connection& db, const CaseShape& of_case, const std::string& suite,
                      const std::vector<Parameter>& parsed);

}  // namespace shakedown
