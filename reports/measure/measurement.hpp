#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/plan/suite_facts.hpp"
#include "reports/measure/comparability.hpp"
#include "reports/measure/measured_campaign.hpp"

namespace shakedown {

/// Whether a result may be used as a number: valid, or complete where its suite has no rules (screens).
bool usable(const ResultRecord& result);

/// The values of one metric of a case, one per counted result.
struct Measurement {
  std::vector<double> points;
  std::vector<const AttemptRecord*> attempts;  ///< of each point
  std::string basis;                           ///< of an efficiency: "of 111.2 GFLOP/s measured GEMM"
  std::vector<std::string> screens;            ///< the cases that an efficiency's denominator was measured by
  std::string missing;   ///< why an efficiency has no denominator; empty: it has, or needs none
  std::string remedy;    ///< what gives a missing denominator; empty: nothing is known
  std::string withheld;  ///< why an efficiency means nothing, and has no points; empty: it does
  std::string unproven;  ///< why an efficiency that a point has above 1 is not proven; empty: it is
  std::string
      doubt;  ///< why the denominator may be too large, so that a miss proves nothing; empty: it is not
  double doubtful = 1;  ///< how many times it may be too large
};

/// Measures `metric` on a case: a metric that its parser gives, `tokens_per_s` (samples_per_s x
/// sequence_length where the parser gives those), one of them divided per GPU (`rmax_gflops_per_gpu`), or an
/// efficiency (reports/measure/efficiency.hpp). Formulas: reports/metrics.md.
Measurement measured(const MeasuredCampaign& campaign, const MeasuredCase& record, std::string_view metric,
                     const Comparability& comparability);

/// The nodes that a case ran on, or null if they are not in the inventory.
const NodeGroup* node_group(const Inventory& inventory, const Case& planned);

/// GPUs that computed: the parameter `gpus` where the plan states it, one per rank for builds that run on
/// GPUs, else 0.
int gpus_used(const Case& planned, const Comparability& comparability);

/// Whether GPUs computed: as the implementation shows, or of a run made elsewhere the model that its log, or
/// who imported it, states.
bool computed_on_gpus(const Case& planned, const Comparability& comparability);

/// Whether it is known if a case ran on GPUs: of a run made elsewhere only if its log shows it.
bool device_known(const Case& planned, const Comparability& comparability);

/// Whether `gpus_used` is known: the log of a run made elsewhere need not state it.
bool gpus_known(const Case& planned, const Comparability& comparability);

/// The log that proves an attempt's results: the file they were read from, else the case's result file, or
/// stdout.
struct LogReference {
  std::string path;    ///< relative to the campaign's folder
  std::string sha256;  ///< empty: the file was not stored
};
LogReference log_reference(const Case& planned, const AttemptRecord& attempt);

}  // namespace shakedown
