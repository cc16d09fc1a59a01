#pragma once
#include <cstdint>
#include <string>

#include "orchestrator/core/error.hpp"
#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/rank_layout.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown {

/// The make of a GPU, from its model: "nvidia", "amd", "intel"; empty: none of them.
std::string_view gpu_make(const Gpu& gpu);

/// Whether an implementation's program can start on such nodes: GPUs of the make that it needs, and code for
/// them, as the site states of its own build, else as the implementation does. Fails with rule
/// "requirements". `site` may be null.
Result<void> check_program_gpus(const Implementation& implementation, const Site* site,
                                const NodeGroup& node);

/// Whether the GPU's model holds the word, in upper or lower case: "h100". An empty word is in none.
bool gpu_is(const Gpu& gpu, std::string_view word);

/// The case that every suite starts from: id
/// `<suite>-<implementation>[-<benchmark>]-<nodes>n`, nodes and ranks of
/// `layout`, the implementation's program, arguments and environment with their placeholders filled ({run}
/// stays), its container around them, what the site states of it, and warnings for what is not tested on
/// hardware or not installed here.
///
/// A program without a slash is looked up in this machine's PATH; where it is missing its bare name stays,
/// with a warning, since the plan may be for other nodes.
///
/// Fails as `check_program_gpus` does.
Result<Case> planned_case(const PlanRequest& request, const RankLayout& layout);

/// Adds a warning of what stops the case's run until somebody changes it.
inline void add_obstacle(Case& planned, std::string warning) {
  planned.obstacles.push_back(warning);
  planned.warnings.push_back(std::move(warning));
}

/// Takes over the reasons and warnings of a derived piece (a grid, a problem size), which has `why` and
/// `warnings`.
template <class Piece>
void add_notes(Case& planned, const Piece& piece) {
  planned.why.insert(planned.why.end(), piece.why.begin(), piece.why.end());
  planned.warnings.insert(planned.warnings.end(), piece.warnings.begin(), piece.warnings.end());
}

/// Fills the case's parameters into its arguments and environment: {N}, {nx}; and where it has a grid P x Q,
/// {p} and {q}, the part of it that one node's ranks make up. A suite calls it when its parameters are known.
/// Fails if a placeholder remains that is no parameter of the case.
Result<void> fill_parameters(Case& planned);

/// The model's text with its origin from the implementation's tuning: `model_kind`, `model_parameters`,
/// `model_points`.
Model described_model(const Implementation& implementation, std::string text);

/// " (campaign 2026-11-21T18-05-09Z-vm)" for rates that were measured; empty where the place is not known.
std::string measured_where(const PlanRequest& request);

/// The case's parameters P and Q as "16 x 49".
std::string grid_shape(const Case& planned);

/// Memory that a planned case may count on.
struct UsableMemory {
  std::int64_t bytes = 0;  ///< 0: not known
  std::string because;     ///< which limit it is: "available now", "the job's limit", ...
};

/// Host memory of one node: the smallest known of what is on the board, what the job is limited to and what
/// was available when the node was looked at.
UsableMemory usable_host_memory(const NodeGroup& node);

/// Memory of one GPU: the smallest of the node's GPUs, since ranks hold equal shares.
UsableMemory usable_gpu_memory(const NodeGroup& node);

/// The variable by which a program gets the first host of its case's nodes, where rank 0 is. A suite states
/// it with the first of the planned hosts in a case's environment; `compose_argv` updates it when the case is
/// placed on other nodes. No name of a program's own: an image's environment, or a file that is sourced
/// before, may set those.
inline constexpr const char* first_host_variable = "SHAKEDOWN_FIRST_HOST";

}  // namespace shakedown
