#pragma once
#include <string>
#include <vector>

#include "orchestrator/core/error.hpp"
#include "orchestrator/plan/suite.hpp"

namespace shakedown::hpl_mxp {

/// The lowest precision that the factorisation uses.
struct Precision {
  std::string name;     ///< "FP8", "FP16", "FP32"
  int sloppy_type = 0;  ///< NVIDIA's number for it
  Reason why;
  std::vector<std::string> warnings;
};

/// The pinned precision, else the implementation's own (`precision` of its tuning). Fails with rule MXP-02
/// where the implementation does not offer the pinned one (`precisions`). FP8 is warned about: HPL-MxP's
/// rules demand 16 bits from after the list of June 2025 on.
///
/// Source: hpl-mxp.org, rules; NVIDIA HPL-MxP, --sloppy-type.
Result<Precision> planned_precision(const PlanRequest& request);

}  // namespace shakedown::hpl_mxp
