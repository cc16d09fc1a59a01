#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "orchestrator/inventory/inventory.hpp"
#include "orchestrator/plan/published_results.hpp"

namespace shakedown {

/// How much faster a published run was than a suite's model of it.
struct Observation {
  std::string_view system;
  std::string_view make;  ///< of the GPU
  std::string_view gpu;   ///< the word of the published result
  double gpus = 0;
  double ratio = 0;  ///< measured over modelled rate
  double peak = 0;   ///< of one GPU, as its vendor states it, in the suite's unit; 0: not of interest
  /// Of the GPU, as `architecture_named` has it; empty: GPUs of one architecture differ all the same, as
  /// where the memory counts.
  std::string_view architecture{};  // NOLINT(readability-redundant-member-init): g++ 12 wants one
};

/// What published runs say of a run that is not among them.
struct PublishedEvidence {
  double ratio = 0;  ///< by which the modelled rate is to be multiplied; 0: nothing is known
  double low = 0;    ///< four of five such runs lie within
  double high = 0;
  int observations = 0;  ///< of all GPUs
  int of_this_gpu = 0;
  int gpu_models = 0;
  std::string because;  ///< a sentence with the numbers; if nothing is known, what is missing
};

/// By how much log(ratio) may change with each doubling of the GPUs: the slope that the results show and its
/// own uncertainty.
double doubling_uncertainty(std::span<const Observation> observations);

/// A band's end, as a distance in log(ratio), widened by an independent uncertainty of it.
double widened(double distance, double uncertainty);

/// How many doublings a number of GPUs lies outside of the least and the largest.
double doublings_outside(double gpus, double least, double most);

/// The word among `known` that names this GPU: the longest that its model holds ("gh200", not "h200"), each
/// part of it ("h200 nvl"). A board of another form (PCIe, NVL) is another GPU, with less power. Empty: none.
std::string_view gpu_word(const Gpu& gpu, std::span<const std::string_view> known);

/// What the vendor states of this GPU by the published results of it; 0: there is none, or its kinds differ.
double published_basis(std::span<const PublishedResult> results, const Gpu& gpu);

/// The ratio for a run on `gpus` GPUs like `gpu`.
///
/// log(ratio) of a run is the sum of that of its maker, of its GPU model, and of its system; the sizes of one
/// system, which share its network and software, count as one by their mean. A model's is the median of its
/// systems, drawn towards its maker's mean the more, the fewer they are. A model without
/// results gets the mean of its architecture's (one chip with another memory, clock or power: H100, its PCIe
/// board and H200), drawn towards that of all of its maker; its band follows Student's distribution: few
/// models show how models differ. The band is the predictive 80 % of the systems around their models' medians
/// (empirical, so it is as lopsided as they are; as wide as this model's systems differ, drawn towards all
/// models'), widened by the uncertainty of the model's median and, outside of the scales that were seen, by
/// the slope per doubling that the results show.
///
/// Nothing is known without two results, of a GPU whose maker has none, and of one without results whose peak
/// is more than a factor of `widest_prediction` outside of theirs. `extra` is a further uncertainty
/// of log(ratio), as of a network unlike those of the results.
///
/// Source: shrinkage as by Efron and Morris, Data analysis using Stein's estimator (JASA 70, 1975).
PublishedEvidence evidence_for(std::span<const Observation> observations, const Gpu& gpu, double peak,
                               double gpus, double extra = 0);

}  // namespace shakedown
